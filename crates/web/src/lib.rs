//! The page of clearway and its server: everything that the command line does, for people who never type a command.
//!
//! - [`Server`]: listens until it is asked to stop, then finishes what runs
//! - `guard`: who may ask, and how much; `workers`: the threads that search, and the queue in front of them
//! - `api`: one file for each thing that can be asked for; `error`: what a refusal looks like
//! - `policies`: those that may be named; `runs`: evolution in the background
//! - `store`: what is remembered, in a data folder; `assets`: the page itself, embedded

mod api;
mod assets;
mod error;
mod guard;
mod policies;
mod runs;
mod server;
mod store;
mod workers;

pub use server::{Config, ServeError, Server};
pub use store::StoreError;

use std::sync::Arc;

/// All addresses of a server that does not listen, to call them within a process.
pub fn routes(config: &Config) -> Result<axum::Router, StoreError> {
    let app = Arc::new(api::App::new(config, store::Store::open(&config.data)?));
    Ok(api::routes(app, guard::Hosts::new(&config.allowed_hosts)))
}
