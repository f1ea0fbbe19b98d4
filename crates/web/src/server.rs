//! Listening, and coming to an end.

use crate::api;
use crate::guard::{Guard, Hosts, Token};
use crate::memory::Shares;
use crate::store::{Store, StoreError};
use crate::stream::Stream;
use crate::workers::lane_threads;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;

/// How long what runs may take to finish at the end, beyond the longest search.
const GRACE: Duration = Duration::from_secs(10);
/// The bytes of an answer that wait in the memory of a connection, in the program and in the system.
const CONNECTION_BUFFER: usize = 64 << 10;
const SYSTEM_BUFFER: u32 = 256 << 10;
/// How many connections the system keeps until they are accepted.
const BACKLOG: u32 = 1024;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The folder for everything that is remembered.
    pub data: PathBuf,
    /// The most bytes that the database may take, and as many again for the folders of runs.
    pub data_limit: u64,
    /// Names that the server is reached by, beside its addresses and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// What every request has to bring, if anything.
    pub token: Option<Token>,
    /// The threads for quick searches.
    pub threads: usize,
    /// The longest time of a search.
    pub time_limit: Duration,
    /// The memory of everything that is done at a time.
    pub memory: usize,
    /// How much clients may ask of the network.
    pub network: Network,
}

/// How much clients may ask of the network.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// The connections of all clients at a time; more wait to be accepted.
    pub connections: usize,
    /// The connections of one client at a time; more are refused.
    pub client_connections: usize,
    /// How long a client may take to send the head of a request, and then its body.
    pub request_time: Duration,
    /// How long a client may read nothing of an answer.
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

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken, or not for us.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
    /// The data folder is of no use.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The server cannot be started.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
}

/// Everything that answers requests.
pub(crate) fn router(config: &Config, store: Store, port: u16) -> (Arc<api::App>, Router) {
    let (quick, long) = lane_threads(config.threads);
    let shares = Shares::new(config.memory, quick, long);
    let app = Arc::new(api::App::new(config, &shares, store));
    let guard = Guard::new(Hosts::new(&config.allowed_hosts), config.token.clone(), port);
    let router = api::routes(Arc::clone(&app), guard, config.network.request_time);
    (app, router)
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    config: Config,
    store: Store,
}

impl Server {
    /// Opens the data folder and begins to listen. Must be called in a runtime of tokio.
    pub async fn bind(config: Config) -> Result<Server, ServeError> {
        allow_many_files();
        let (data, limit) = (config.data.clone(), config.data_limit);
        let opened = tokio::task::spawn_blocking(move || Store::open(&data, limit)).await;
        let store = opened.map_err(|error| ServeError::Start(error.into()))??;
        let address = SocketAddr::new(config.host, config.port);
        let listener = listen(address).map_err(|error| ServeError::Listen { address, error })?;
        let address = listener.local_addr().map_err(ServeError::Start)?;
        Ok(Server { listener, address, config, store })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` comes to its end; then takes no more requests, and finishes what runs.
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
                    // Most often there are too many open files: connections that end will help.
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
            // Small answers are sent at once.
            let _ = stream.set_nodelay(true);
            let service = service.clone();
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Arc::clone(&connection));
                service.call(request)
            });
            let stream = TokioIo::new(Stream::new(stream, network.write_time));
            let connection = graceful.watch(http.serve_connection(stream, service));
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    // What goes wrong with a connection is the matter of its client.
                    tracing::debug!("connection of {}: {error}", address.ip());
                }
                drop(place);
            });
        }
        drop(self.listener);
        // Whoever follows a run is told of its end, so that these connections end too.
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
    // A port that was used a moment ago can be used again.
    socket.set_reuseaddr(true)?;
    // All connections inherit it. Without a bound the system keeps megabytes for clients that do not read.
    socket.set_send_buffer_size(SYSTEM_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Tells a client that it has too many connections, if it takes that at once.
fn refuse(stream: TcpStream) {
    const ANSWER: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
        content-length: 81\r\nconnection: close\r\n\r\n\
        {\"error\":\"too many connections of this client\",\"help\":\"close some\",\"detail\":null}";
    // The socket is new: all of it fits into the memory of the system.
    let _ = stream.into_std().and_then(|mut stream| io::Write::write(&mut stream, ANSWER));
}

/// Lets the process have as many open files as the system allows: every connection is one.
fn allow_many_files() {
    let limits = getrlimit(Resource::Nofile);
    // Where that is refused there are fewer connections at a time, and the others wait.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limits.maximum, ..limits });
}
