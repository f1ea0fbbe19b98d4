//! Random boards for property tests.

mod boards;
pub mod crowded;
pub mod reference;
pub mod symmetry;

pub use boards::{boards, boards_between};
