//! Tests of the server over HTTP. The page itself is tested in `tests/browser`.

mod boards;
mod clients;
mod common;
mod faults;
mod generate;
mod openapi;
mod packs;
mod players;
mod runs;
mod solve;
mod store;
mod token;
