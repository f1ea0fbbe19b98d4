//! Tests of the server over HTTP. The page itself is tested in `tests/browser`.

mod boards;
#[path = "../both/mod.rs"]
mod both;
mod clients;
mod common;
mod engine;
mod faults;
mod generate;
mod messages;
mod openapi;
mod packs;
mod players;
mod runs;
mod solve;
mod store;
mod token;
