//! The sliding-tile puzzle: the 8-, the 15- and the 24-puzzle, and all others from 2x2 to 5x5 cells.
//!
//! - [`Board`]: tiles in a frame, read from text and written as text; [`Puzzle`]: a board and its goal, which every
//!   algorithm of `clearway-search` can search
//! - [`Move`]: the four moves of the blank, [`moves`] as words such as `lur`, and the macros of Barnes, Hasan and Lee
//! - [`heuristics`]: how far a board is from its goal
//! - [`exact`]: the distances of all boards of a small frame; [`optimal`]: shortest solutions
//! - [`program`]: trees of moves that solve boards, or should
//! - [`library`]: programs by name; [`evolve`]: breeding them
//!
//! ```
//! use clearway_tiles::{Board, Puzzle, heuristics::Manhattan};
//! use clearway_search::{Limits, deepening::{Deepening, DeepeningOptions}, run};
//!
//! let puzzle = Puzzle::new(Board::parse("123456708")?)?;
//! let found = run(&mut Deepening::new(&puzzle, Some(Manhattan), DeepeningOptions::default()), &Limits::default());
//! assert_eq!(clearway_tiles::moves::text(&found.solution.unwrap()), "r");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod evolve;
pub mod exact;
mod fault;
pub mod heuristics;
pub mod library;
pub mod moves;
pub mod optimal;
pub mod program;
mod puzzle;

pub use board::{Board, Size};
pub use fault::Fault;
pub use moves::Move;
pub use program::Program;
pub use puzzle::{Puzzle, PuzzleError};
