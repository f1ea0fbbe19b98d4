//! Search that knows no puzzle.
//!
//! A puzzle is a [`Domain`]; an estimate of the distance to a goal is a [`Heuristic`]; an algorithm is a [`Search`] that
//! is stepped under [`Limits`] until it has a [`Verdict`], and keeps [`Counters`]. Each algorithm is one file.

mod domain;
mod heuristic;
mod limits;
mod outcome;
mod search;

pub use domain::Domain;
pub use heuristic::{Heuristic, Node, Zero};
pub use limits::{Limit, Limits, Watch};
pub use outcome::{Counters, Verdict};
pub use search::{Outcome, Search, run};
