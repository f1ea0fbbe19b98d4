//! The commands, one file each.

pub mod bench;
pub mod compare;
pub mod completions;
pub mod convert;
pub mod evolve;
pub mod forge;
pub mod grade;
pub mod man;
pub mod policy;
pub mod prove;
pub mod repro;
pub mod runs;
#[cfg(feature = "serve")]
pub mod serve;
pub mod show;
pub mod solve;
pub mod suites;
pub mod tiles;
pub mod verify;
