//! The commands, one file each.

pub mod bench;
pub mod compare;
pub mod completions;
pub mod convert;
pub mod man;
pub mod repro;
pub mod show;
pub mod solve;
pub mod suites;
pub mod verify;
