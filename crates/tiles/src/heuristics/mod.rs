//! Estimates of the distance from a board to its goal.
//!
//! All except [`PaperMeasure`] are admissible, so that A* and IDA* find shortest solutions with them, and they are ordered:
//! misplaced ≤ Manhattan ≤ linear conflict, and Manhattan ≤ patterns.

mod linear_conflict;
mod manhattan;
mod misplaced;
mod paper;
mod patterns;

pub(crate) use linear_conflict::LineConflicts;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use misplaced::Misplaced;
pub use paper::PaperMeasure;
pub use patterns::{PatternDatabase, Patterns};
