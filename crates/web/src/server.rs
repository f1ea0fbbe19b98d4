//! Listening, and coming to an end.

use crate::api;
use crate::guard::Hosts;
use crate::store::{Store, StoreError};
use hyper::server::conn::http1;
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
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How many connections are held at a time; more wait to be accepted.
const MOST_CONNECTIONS: usize = 4096;
/// How long a client may take to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long what runs may take to finish at the end, beyond the longest search.
const GRACE: Duration = Duration::from_secs(10);

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The folder for everything that is remembered.
    pub data: PathBuf,
    /// Names that the server is reached by, beside its addresses and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// The threads for quick searches.
    pub threads: usize,
    /// The longest time of a search.
    pub time_limit: Duration,
    /// The memory of all searches together; a run of evolution may take as much again.
    pub memory: usize,
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
        let store = Store::open(&config.data)?;
        let address = SocketAddr::new(config.host, config.port);
        let listener = TcpListener::bind(address).await.map_err(|error| ServeError::Listen { address, error })?;
        let address = listener.local_addr().map_err(ServeError::Start)?;
        Ok(Server { listener, address, config, store })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` comes to its end; then takes no more requests, and finishes what runs.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let app = Arc::new(api::App::new(&self.config, self.store));
        let routes = api::routes(Arc::clone(&app), Hosts::new(&self.config.allowed_hosts));
        let service = TowerToHyperService::new(routes);
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
        let (graceful, room) = (GracefulShutdown::new(), Arc::new(Semaphore::new(MOST_CONNECTIONS)));
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
            let Ok((stream, _)) = accepted else {
                // Most often there are too many open files: connections that end will help.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            // Small answers are sent at once.
            let _ = stream.set_nodelay(true);
            let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service.clone()));
            tokio::spawn(async move {
                // What goes wrong with a connection is the matter of who made it.
                let _ = connection.await;
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

/// Lets the process have as many open files as the system allows: every connection is one.
fn allow_many_files() {
    let limits = getrlimit(Resource::Nofile);
    // Where that is refused there are fewer connections at a time, and the others wait.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limits.maximum, ..limits });
}
