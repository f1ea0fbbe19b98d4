//! The server over HTTP: its answers, its document, its faults. The page itself is tried in `tests/browser`.

mod boards;
mod clients;
mod common;
mod faults;
mod generate;
mod openapi;
mod packs;
mod players;
mod runs;
mod store;
mod token;
