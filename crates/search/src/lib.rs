//! What every search shares and no puzzle is needed for: the [`Limits`] a search runs under, the [`Verdict`] it ends
//! with, and the [`Counters`] it keeps.

mod limits;
mod outcome;

pub use limits::{Limit, Limits, Watch};
pub use outcome::{Counters, Verdict};
