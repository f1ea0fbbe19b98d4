//! The forge: new puzzles by four methods, graded for people and machines, collected in packs.
//!
//! - generators, one file each: `random`, `backward`, `climb`, and `enumerate` for every puzzle of a size
//! - `shape`: what a generated board looks like; `rng`: where its randomness comes from
//! - `minimal`: vehicles that a puzzle does not need; `canonical`: which puzzles are the same (`turn`: seen from another side)
//! - `grade`: how hard a puzzle is, for people and for machines; `pack`: collections of graded puzzles

pub mod canonical;
pub mod minimal;
pub mod rng;
mod shape;
pub mod turn;

pub use shape::{Shape, ShapeError};
