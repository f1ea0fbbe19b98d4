//! The web page of clearway and its server: the features of the command line in a browser, and as a JSON API.
//!
//! - [`Server`]: listens until it is stopped, then finishes the work in progress
//! - `guard`: access control; `clients`: limits for each client; `stream`: connections that drop clients that do not read;
//!   `transfer`: request and response bodies; `request_log`: one log line for each request
//! - `workers`: the search threads and their queues; `blocking`: other blocking work; `memory`: how the memory limit is
//!   divided among them
//! - `api`: one file for each endpoint; `error`: error responses
//! - `policies`: the policies that requests can name; `runs`: evolution in the background
//! - `store`: the database in the data folder; `assets`: the embedded files of the page; `chapters`: the book

// These panic when stderr is closed; the server uses the log instead.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod api;
mod assets;
mod blocking;
mod chapters;
mod clients;
mod error;
mod guard;
mod memory;
mod policies;
mod request_log;
mod runs;
mod server;
mod store;
mod stream;
mod transfer;
mod workers;

pub use guard::{AccessToken, InvalidToken};
pub use server::{Network, ServeError, Server, ServerConfig};
pub use store::StoreError;

/// Returns the router of a server that does not listen, for calls within a process.
pub fn routes(config: &ServerConfig) -> Result<axum::Router, StoreError> {
    let store = store::Store::open(&config.data, config.data_limit)?;
    Ok(server::router(config, store, config.port).1)
}
