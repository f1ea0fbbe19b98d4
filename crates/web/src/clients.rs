//! Limits for each client: its connections, and the bytes of requests and responses held in memory for it.
//!
//! A client is an IPv4 address or an IPv6 /64 network, which is what one customer usually gets. Both counts are limited for
//! each client, and the bytes also for all clients together.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Usage of all connected clients.
#[derive(Clone, Debug)]
pub struct Clients(Arc<ClientLimits>);

#[derive(Debug)]
struct ClientLimits {
    max_connections: usize,
    max_bytes: usize,
    usage: Mutex<Usage>,
}

#[derive(Debug, Default)]
struct Usage {
    bytes: usize,
    clients: HashMap<IpAddr, ClientUsage>,
}

#[derive(Debug, Default)]
struct ClientUsage {
    connections: usize,
    bytes: usize,
}

impl Clients {
    /// Allows `max_connections` for each client, and `max_bytes` for all clients together, half of them for one client.
    pub fn new(max_connections: usize, max_bytes: usize) -> Clients {
        Clients(Arc::new(ClientLimits { max_connections, max_bytes, usage: Mutex::default() }))
    }

    /// Counts a new connection; none if its client has too many.
    pub fn connect(&self, address: IpAddr) -> Option<Arc<Connection>> {
        let client = client_key(address);
        let mut usage = self.usage();
        let own = usage.clients.entry(client).or_default();
        if own.connections >= self.0.max_connections {
            return None;
        }
        own.connections += 1;
        Some(Arc::new(Connection { clients: self.clone(), client }))
    }

    /// Returns the number of connections of all clients, and of bytes held for them.
    pub fn totals(&self) -> (usize, usize) {
        let usage = self.usage();
        (usage.clients.values().map(|own| own.connections).sum(), usage.bytes)
    }

    fn usage(&self) -> MutexGuard<'_, Usage> {
        // No code that holds the lock can panic in the middle of an update.
        self.0.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Maps an address to the client that it belongs to.
fn client_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

/// A connection, counted until it is dropped.
#[derive(Debug)]
pub struct Connection {
    clients: Clients,
    client: IpAddr,
}

impl Connection {
    /// Reserves bytes for this connection; none if that exceeds the limit of its client or of all clients.
    pub fn reserve(self: &Arc<Self>, bytes: usize) -> Option<Reservation> {
        let max = self.clients.0.max_bytes;
        let mut usage = self.clients.usage();
        let all = usage.bytes.checked_add(bytes).filter(|&all| all <= max)?;
        let own = usage.clients.entry(self.client).or_default();
        own.bytes = own.bytes.checked_add(bytes).filter(|&own| own <= max / 2)?;
        usage.bytes = all;
        Some(Reservation { connection: Arc::clone(self), bytes })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut usage = self.clients.usage();
        if let Some(own) = usage.clients.get_mut(&self.client) {
            own.connections -= 1;
            if own.connections == 0 {
                usage.clients.remove(&self.client);
            }
        }
    }
}

/// Reserved bytes, counted until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    connection: Arc<Connection>,
    bytes: usize,
}

impl Reservation {
    /// Splits off a part of the bytes as a reservation of its own.
    pub fn split(&mut self, bytes: usize) -> Reservation {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        Reservation { connection: Arc::clone(&self.connection), bytes }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut usage = self.connection.clients.usage();
        usage.bytes -= self.bytes;
        if let Some(own) = usage.clients.get_mut(&self.connection.client) {
            own.bytes -= self.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_is_an_ipv4_address_or_an_ipv6_network() {
        assert_eq!(client_key(address("::ffff:192.0.2.1")), address("192.0.2.1"));
        assert_eq!(client_key(address("2001:db8:1:2:3:4:5:6")), address("2001:db8:1:2::"));
        assert_eq!(client_key(address("::1")), address("::1"));
    }

    #[test]
    fn connections_are_limited_for_each_client() {
        let clients = Clients::new(2, 100);
        let (one, other) = (address("192.0.2.1"), address("192.0.2.2"));
        let held = [clients.connect(one).unwrap(), clients.connect(one).unwrap()];
        assert!(clients.connect(one).is_none() && clients.connect(other).is_some());
        drop(held);
        assert!(clients.connect(one).is_some());
        assert!(clients.usage().clients.is_empty(), "clients without connections are removed");
    }

    #[test]
    fn bytes_are_limited_for_each_client_and_in_total() {
        let clients = Clients::new(9, 100);
        let connections = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|text| clients.connect(address(text)).unwrap());
        let mut first = connections[0].reserve(50).unwrap();
        assert!(connections[0].reserve(1).is_none(), "a client may use half of all bytes");
        let second = connections[1].reserve(50).unwrap();
        assert!(connections[2].reserve(1).is_none(), "all bytes are used");
        drop(first.split(20));
        assert!(connections[2].reserve(20).is_some());
        drop((first, second));
        assert!(connections[2].reserve(usize::MAX).is_none());
        assert_eq!(clients.usage().bytes, 0);
    }
}
