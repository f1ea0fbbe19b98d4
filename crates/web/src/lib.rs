//! The page of clearway and its server: everything that the command line does, for people who never type a command.
//!
//! - [`Server`]: listens until it is asked to stop, then finishes what runs
//! - `guard`: who may ask; `clients`: how much each client may use; `stream`: connections whose clients have to read;
//!   `transfer`: bodies of requests and answers; `request_log`: a line for each of them
//! - `workers`: the threads that search, and the queues in front of them; `blocking`: other work that takes a moment;
//!   `memory`: how all of them share it
//! - `api`: one file for each thing that can be asked for; `error`: what a refusal looks like
//! - `policies`: those that may be named; `runs`: evolution in the background
//! - `store`: what is remembered, in a data folder; `assets`: the page itself, embedded

// Stderr may be closed, and then these would panic: what the server has to say is logged.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod api;
mod assets;
mod blocking;
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

pub use guard::Token;
pub use server::{Config, Network, ServeError, Server};
pub use store::StoreError;

/// All addresses of a server that does not listen, to call them within a process.
pub fn routes(config: &Config) -> Result<axum::Router, StoreError> {
    let store = store::Store::open(&config.data, config.data_limit)?;
    Ok(server::router(config, store, config.port).1)
}
