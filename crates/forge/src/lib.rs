//! The forge: new puzzles by four methods, graded for people and machines, collected in packs.
//!
//! - generators, one file each: `random`, `backward`, `climb`, and `enumerate` for every puzzle of a size
//! - `shape`: what a generated board looks like; `layout`: a board in the making; `rng`: where its randomness comes from
//! - `puzzle`: what generators make; `minimal`: vehicles that a puzzle does not need; `canonical`: which puzzles are the same;
//!   `turn`: boards seen from another side
//! - `grade`: how hard a puzzle is, for people and for machines; `pack`: collections of graded puzzles
//! - `parts`: what was done elsewhere, as files

pub mod backward;
pub mod canonical;
pub mod climb;
pub mod enumerate;
pub mod grade;
mod layout;
pub mod minimal;
pub mod pack;
mod parallel;
pub mod parts;
mod puzzle;
pub mod random;
pub mod rng;
mod shape;
pub mod turn;

pub use puzzle::Puzzle;
pub use rng::Rng;
pub use shape::{Shape, ShapeError};

/// The examples of the book's chapter on the generators.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/generating.md")]
struct GeneratingChapter;
