//! The server: configuration, listening, and graceful shutdown.

use crate::api;
use crate::guard::{AccessToken, Guard, Hosts};
use crate::memory::MemoryShares;
use crate::store::{Store, StoreError};
use crate::stream::ClientStream;
use crate::workers::lane_threads;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
#[cfg(unix)]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;

/// Time that shutdown waits for work in progress, in addition to the time limit of a search.
const GRACE: Duration = Duration::from_secs(10);
/// Bytes of a response that are buffered for each connection: in the process, and in the kernel.
const CONNECTION_BUFFER: usize = 64 << 10;
const SYSTEM_BUFFER: u32 = 256 << 10;
/// Number of connections that the kernel queues until they are accepted.
const BACKLOG: u32 = 1024;

/// Configuration of a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Address to listen on.
    pub host: IpAddr,
    /// Port to listen on; 0 for any free port.
    pub port: u16,
    /// Data folder: packs, results and runs. Created if missing.
    pub data: PathBuf,
    /// Maximum size of the database in bytes; the folders of runs together have a limit of the same size.
    pub data_limit: u64,
    /// Accepted host names in addition to `localhost` and IP addresses.
    pub allowed_hosts: Vec<String>,
    /// Token that every request must carry; none to require no token.
    pub token: Option<AccessToken>,
    /// Number of threads for quick searches; there are at least as many for long ones.
    pub threads: usize,
    /// Time limit of a search.
    pub time_limit: Duration,
    /// Memory limit of all concurrent work together, in bytes.
    pub memory: usize,
    /// Nice value of long searches and of runs of evolution: how much lower their priority is than that of quick searches.
    pub nice: i32,
    /// Limits on connections.
    pub network: Network,
}

/// Limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// Maximum number of concurrent connections; further ones wait to be accepted.
    pub connections: usize,
    /// Maximum number of concurrent connections of one client; further ones are refused.
    pub client_connections: usize,
    /// Time limit for a client to send the head of a request, and again for its body.
    pub request_time: Duration,
    /// Time for which a client may stop reading a response before its connection is closed.
    pub write_time: Duration,
}

impl Default for Network {
    fn default() -> Network {
        Network {
            connections: 4096,
            client_connections: 128,
            request_time: Duration::from_secs(10),
            write_time: Duration::from_secs(20),
        }
    }
}

/// Why a server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be bound: the port is in use, or not permitted.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Address that was requested.
        address: SocketAddr,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The data folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The runtime or the listener failed.
    #[error("cannot start the server: {0}")]
    Start(#[source] io::Error),
}

/// Builds the state of the server and the router for all requests.
pub(crate) fn router(config: &ServerConfig, store: Store, port: u16) -> (Arc<api::App>, Router) {
    let (quick, long) = lane_threads(config.threads);
    let shares = MemoryShares::new(config.memory, quick, long);
    let app = Arc::new(api::App::new(config, &shares, store));
    let guard = Guard::new(Hosts::new(&config.allowed_hosts), config.token.clone(), port);
    let router = api::routes(Arc::clone(&app), guard, config.network.request_time);
    (app, router)
}

/// A server that listens on its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    config: ServerConfig,
    store: Store,
}

impl Server {
    /// Opens the data folder and starts to listen. Must be called within a Tokio runtime.
    pub async fn bind(config: ServerConfig) -> Result<Server, ServeError> {
        #[cfg(unix)]
        allow_many_files();
        let (data, limit) = (config.data.clone(), config.data_limit);
        let opened = tokio::task::spawn_blocking(move || Store::open(&data, limit)).await;
        let store = opened.map_err(|error| ServeError::Start(error.into()))??;
        let address = SocketAddr::new(config.host, config.port);
        let listener = listen(address).map_err(|error| ServeError::Listen { address, error })?;
        let address = listener.local_addr().map_err(ServeError::Start)?;
        Ok(Server { listener, address, config, store })
    }

    /// Address that the server listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` completes, then accepts no more requests and finishes the work in progress.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let (config, network) = (&self.config, self.config.network);
        let (app, router) = router(config, self.store, self.address.port());
        let service = TowerToHyperService::new(router);
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(network.request_time).max_buf_size(CONNECTION_BUFFER);
        let (graceful, room) = (GracefulShutdown::new(), Arc::new(Semaphore::new(network.connections)));
        let mut stop = std::pin::pin!(stop);
        loop {
            let place = tokio::select! {
                place = Arc::clone(&room).acquire_owned() => place,
                () = &mut stop => break,
            };
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut stop => break,
            };
            let (stream, address) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // The usual cause is too many open files, which resolves itself as connections close.
                    tracing::warn!("cannot accept a connection: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let Some(connection) = app.clients.connect(address.ip()) else {
                tracing::debug!("{} has too many connections", address.ip());
                refuse(stream);
                continue;
            };
            // Send small responses without delay.
            let _ = stream.set_nodelay(true);
            let service = service.clone();
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Arc::clone(&connection));
                service.call(request)
            });
            let stream = TokioIo::new(ClientStream::new(stream, network.write_time));
            let connection = graceful.watch(http.serve_connection(stream, service));
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    // Connection errors are the client's, not the server's.
                    tracing::debug!("connection of {}: {error}", address.ip());
                }
                drop(place);
            });
        }
        drop(self.listener);
        // Stopping the run ends its event streams, so that their connections can close too.
        let all = async { tokio::join!(app.stop(), graceful.shutdown()) };
        tokio::select! {
            _ = all => {}
            () = tokio::time::sleep(self.config.time_limit.saturating_add(GRACE)) => {}
        }
        Ok(())
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Allows an immediate restart on the same port.
    socket.set_reuseaddr(true)?;
    // Inherited by all connections. Without it the kernel buffers megabytes for clients that do not read.
    socket.set_send_buffer_size(SYSTEM_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Refuses a client that has too many connections, without waiting for it to read.
fn refuse(stream: TcpStream) {
    const RESPONSE: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
        content-length: 83\r\nconnection: close\r\n\r\n\
        {\"error\":\"too many connections from this client\",\"help\":\"close some\",\"detail\":null}";
    // The socket is new, so the response fits into its send buffer.
    let _ = stream.into_std().and_then(|mut stream| io::Write::write(&mut stream, RESPONSE));
}

/// Raises the limit on open files to the hard limit: every connection is an open file.
#[cfg(unix)]
fn allow_many_files() {
    let limits = getrlimit(Resource::Nofile);
    // If this fails, fewer connections are open at a time, and others wait to be accepted.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limits.maximum, ..limits });
}
