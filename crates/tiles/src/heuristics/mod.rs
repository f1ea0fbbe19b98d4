//! How far a board is from its goal, one file each.
//!
//! All but [`Paper`] never overestimate, so that A* and IDA* find shortest solutions with them:
//! misplaced ≤ Manhattan ≤ linear conflict, and Manhattan ≤ patterns.

mod linear_conflict;
mod manhattan;
mod misplaced;
mod paper;
mod patterns;

pub use linear_conflict::LinearConflict;
pub(crate) use linear_conflict::Lines;
pub use manhattan::Manhattan;
pub use misplaced::Misplaced;
pub use paper::Paper;
pub use patterns::{PatternDatabase, Patterns};
