//! Shared utilities that know nothing of puzzles.
//!
//! Files that survive faults (a killed process, a full disk, a changed byte, a second process):
//!
//! - [`atomic`]: files that appear complete or not at all
//! - [`lock`]: one process per folder or file; the lock vanishes with the process
//! - [`seal`]: a checksum at the end of a JSON object
//! - [`log`]: a log of sealed lines that work is resumed from
//!
//! Computation:
//!
//! - [`parallel`]: ordered, cancellable work on several threads
//! - [`rng`]: reproducible random streams
//! - [`hash`]: hash functions that never change
//!
//! Text:
//!
//! - [`syntax`]: parsing, and errors that point into their source
//! - [`text`]: escaping for XML and CSV
//! - [`library`]: texts by name, embedded or from files

pub mod atomic;
pub mod hash;
pub mod library;
pub mod lock;
pub mod log;
pub mod parallel;
pub mod rng;
pub mod seal;
pub mod syntax;
pub mod text;
