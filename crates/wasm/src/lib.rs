//! The engine of clearway as a WebAssembly module: the JSON API without a server, for the page in a browser.
//!
//! The interface is small enough to need no generated code. The host supplies seven functions as imports of the module
//! `clearway`: the two clocks of `clearway_util::time`, the two of `clearway_util::embedded`, which read files, and those of
//! `bridge`. It calls two exports: `request` returns the
//! place where the host writes a request in UTF-8, its first line the method and the path and the rest the body, and `call`
//! answers it. `static/js/engine-worker.js` of the crate `web` is the host.
//!
//! For other targets this crate is empty.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod bridge;
