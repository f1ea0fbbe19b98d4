//! Answers about boards, with one implementation for the command line and the server.
//!
//! - [`solve`]: the answer of any algorithm; [`hint`]: the next move and its purpose
//! - [`daily()`]: the puzzles of the day; [`level_puzzles`]: the puzzles of a level; [`tutorial`]: five boards that teach the game
//! - [`graph`]: the component of a board as a layered graph; [`trace`]: a search, expansion by expansion
//! - [`records`]: results as JSON, every field documented
//! - [`TypedMoves`]: moves typed by a person

mod daily;
mod date;
mod graph;
mod hint;
mod levels;
pub mod records;
mod solve_outcome;
mod trace;
mod tutorial;
mod typed_moves;

pub use daily::{Daily, DailyPuzzle, Difficulty, daily};
pub use date::{Date, DateError, Weekday};
pub use graph::{Graph, MAX_EDGES, graph};
pub use hint::{Hint, MovePurpose, Reason, hint};
pub use levels::{LevelPuzzle, level_puzzles};
pub use solve_outcome::{SolveMethod, SolveOutcome, solve};
pub use trace::{Expansion, Trace, TraceError, trace};
pub use tutorial::{Lesson, tutorial};
pub use typed_moves::TypedMoves;
