//! The sliding-tile puzzle: the 8-puzzle, the 15-puzzle, the 24-puzzle, and all other sizes from 2x2 to 5x5 cells.
//!
//! - [`Board`]: a board in memory, parsed from and printed as text; [`Puzzle`]: a board and its goal, a domain for all
//!   algorithms of `clearway-search`
//! - [`Move`]: the four moves of the blank, and [`moves`]: sequences of them as words such as `lur`
//! - [`heuristics`]: estimates of the distance to the goal
//! - [`exact`]: the distances of all boards of a small size; [`optimal`]: shortest solutions
//! - [`program`]: programs of moves that solve boards
//! - [`library`]: programs by name; [`evolve`]: evolution of programs by genetic programming
//!
//! ```
//! use clearway_tiles::{Board, Puzzle, heuristics::Manhattan};
//! use clearway_search::{Limits, deepening::{IterativeDeepening, DeepeningOptions}, run};
//!
//! let puzzle = Puzzle::new(Board::parse("123456708")?)?;
//! let found = run(&mut IterativeDeepening::new(&puzzle, Some(Manhattan), DeepeningOptions::default()), &Limits::default());
//! assert_eq!(clearway_tiles::moves::text(&found.solution.unwrap()), "r");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod evolve;
pub mod exact;
pub mod heuristics;
pub mod library;
pub mod moves;
pub mod optimal;
pub mod program;
mod puzzle;

pub use board::{Board, Size};
pub use clearway_util::syntax::SyntaxError;
pub use moves::Move;
pub use program::Program;
pub use puzzle::{Puzzle, PuzzleError};
