//! Shared utilities that do not depend on puzzles.
//!
//! Files that stay intact after faults (a killed process, a full disk, a changed byte, a second process):
//!
//! - [`atomic`]: atomic replacement of files
//! - [`lock`]: locks on folders and files, released when the process ends
//! - [`seal`]: a checksum at the end of a JSON object
//! - [`log`]: a log of completed work, from which interrupted work is resumed
//!
//! Computation:
//!
//! - [`parallel`]: ordered, cancellable work on several threads
//! - [`rng`]: reproducible random streams
//! - [`hash`]: hash functions that never change
//! - [`median`]: the median of numbers
//! - [`time`]: clocks, also in a browser
//!
//! Text:
//!
//! - [`syntax`]: parsing, and errors that point into their source
//! - [`text`]: escaping for XML and CSV
//! - [`library`]: texts by name, embedded or from files
//! - [`embedded`]: texts that are files in a browser

pub mod atomic;
pub mod embedded;
pub mod hash;
pub mod library;
pub mod lock;
pub mod log;
pub mod median;
pub mod parallel;
pub mod rng;
pub mod seal;
pub mod syntax;
pub mod text;
pub mod time;
