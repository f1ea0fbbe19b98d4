//! How much each client uses: its connections, and the bytes held for it in requests and answers.
//!
//! A client is an IP address, or for IPv6 a network of 64 bits, which is what one customer usually gets. Both counts are
//! bounded for each client, and the bytes also for all of them together.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All clients that are connected.
#[derive(Clone, Debug)]
pub struct Clients(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most_connections: usize,
    most_bytes: usize,
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
    /// No client has more than this number of connections, and no more than this number of bytes is held for all clients
    /// together; half of them for one.
    pub fn new(most_connections: usize, most_bytes: usize) -> Clients {
        Clients(Arc::new(Inner { most_connections, most_bytes, usage: Mutex::default() }))
    }

    /// Counts a new connection; none if its client has too many.
    pub fn connect(&self, address: IpAddr) -> Option<Arc<Connection>> {
        let client = client(address);
        let mut usage = self.usage();
        let own = usage.clients.entry(client).or_default();
        if own.connections >= self.0.most_connections {
            return None;
        }
        own.connections += 1;
        Some(Arc::new(Connection { clients: self.clone(), client }))
    }

    /// The connections of all clients, and the bytes that are held for them.
    pub fn totals(&self) -> (usize, usize) {
        let usage = self.usage();
        (usage.clients.values().map(|own| own.connections).sum(), usage.bytes)
    }

    fn usage(&self) -> MutexGuard<'_, Usage> {
        // Nothing that holds the lock can panic half-way.
        self.0.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What counts as one client.
fn client(address: IpAddr) -> IpAddr {
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
    /// Counts bytes that are held for this connection; none if that would be too many, for its client or in all.
    pub fn reserve(self: &Arc<Self>, bytes: usize) -> Option<Reservation> {
        let most = self.clients.0.most_bytes;
        let mut usage = self.clients.usage();
        let all = usage.bytes.checked_add(bytes).filter(|&all| all <= most)?;
        let own = usage.clients.entry(self.client).or_default();
        own.bytes = own.bytes.checked_add(bytes).filter(|&own| own <= most / 2)?;
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

/// Bytes that are held, counted until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    connection: Arc<Connection>,
    bytes: usize,
}

impl Reservation {
    /// Takes a part out, which is then counted by itself.
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
    fn a_client_is_an_address_or_a_network() {
        assert_eq!(client(address("::ffff:192.0.2.1")), address("192.0.2.1"));
        assert_eq!(client(address("2001:db8:1:2:3:4:5:6")), address("2001:db8:1:2::"));
        assert_eq!(client(address("::1")), address("::1"));
    }

    #[test]
    fn connections_are_bounded_for_each_client() {
        let clients = Clients::new(2, 100);
        let (one, other) = (address("192.0.2.1"), address("192.0.2.2"));
        let held = [clients.connect(one).unwrap(), clients.connect(one).unwrap()];
        assert!(clients.connect(one).is_none() && clients.connect(other).is_some());
        drop(held);
        assert!(clients.connect(one).is_some());
        assert!(clients.usage().clients.is_empty(), "nothing is kept of those that have gone");
    }

    #[test]
    fn bytes_are_bounded_for_each_client_and_for_all() {
        let clients = Clients::new(9, 100);
        let connections = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|text| clients.connect(address(text)).unwrap());
        let mut first = connections[0].reserve(50).unwrap();
        assert!(connections[0].reserve(1).is_none(), "half of all for one client");
        let second = connections[1].reserve(50).unwrap();
        assert!(connections[2].reserve(1).is_none(), "nothing is left");
        drop(first.split(20));
        assert!(connections[2].reserve(20).is_some());
        drop((first, second));
        assert!(connections[2].reserve(usize::MAX).is_none());
        assert_eq!(clients.usage().bytes, 0);
    }
}
