//! The forge: generates puzzles by four methods, grades them for people and machines, and collects them in packs.
//!
//! - generators: `random`, `dense`, `generate` for minimal puzzles, `climb`, and `enumerate` for every puzzle of a size
//! - `shape`: size, exit and walls of generated boards; `partial_board`: a board under construction; `rng`: streams of random
//!   numbers
//! - `puzzle`: a generated puzzle; `minimal`: vehicles that a puzzle does not need; `canonical`: the canonical form of a puzzle;
//!   `turn`: rotations and reflections of boards
//! - `grade`: the difficulty of a puzzle, for people and for machines; `pack`: packs of graded puzzles; `collection`: graded
//!   puzzles embedded in the program
//! - `parts`: results computed elsewhere, as Parquet files, with the feature `parquet`

pub mod canonical;
pub mod climb;
pub mod collection;
pub mod dense;
pub mod enumerate;
pub mod generate;
pub mod grade;
pub mod minimal;
pub mod pack;
mod partial_board;
#[cfg(feature = "parquet")]
pub mod parts;
mod puzzle;
pub mod random;
mod shape;
pub mod turn;

pub use clearway_util::rng::{self, Rng};
pub use puzzle::GeneratedPuzzle;
pub use shape::{Shape, ShapeError};
