//! Answers about boards, with one implementation for the command line and the server.
//!
//! - [`solve`]: the answer of any algorithm; [`hint`]: the next move and its purpose; [`daily()`]: the puzzle of the day
//! - [`graph`]: the component of a board as a layered graph; [`trace`]: a search, expansion by expansion
//! - [`records`]: results as JSON, every field documented
//! - [`TypedMoves`]: moves typed by a person

mod daily;
mod graph;
mod hint;
pub mod records;
mod solve_outcome;
mod trace;
mod typed_moves;

pub use daily::{Daily, Date, DateError, Weekday, daily};
pub use graph::{Graph, MAX_EDGES, graph};
pub use hint::{Hint, Reason, hint};
pub use solve_outcome::{Method, SolveOutcome, solve};
pub use trace::{Expansion, Trace, TraceError, trace};
pub use typed_moves::TypedMoves;
