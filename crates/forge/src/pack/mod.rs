//! Packs: collections of different graded puzzles, sorted from easy to hard.
//!
//! - `entry`: a graded puzzle of a pack
//! - `attempt`: an attempt to generate a puzzle; `series`: puzzles one at a time; `gathering`: generation of a pack in rounds of
//!   attempts; `gather`: the same on several threads; `select`: selection of the puzzles of a pack; `similarity`: similarity of
//!   two puzzles
//! - formats, one file each: `jsonl` with its JSON Schema, `txt`, `csv`, `html`, `svg` and `pdf`; `cards`: page layout of the
//!   last two, with `solutions` and `font`; `printing`: their options, `language`: their words
//! - `reader`: reads packs; `merge`: merges packs without duplicates

mod attempt;
mod cards;
mod csv;
mod entry;
mod font;
mod format;
mod gather;
mod gathering;
mod html;
mod jsonl;
mod language;
mod merge;
#[cfg(feature = "pdf")]
mod pdf;
mod printing;
mod reader;
mod select;
mod series;
mod similarity;
mod solutions;
mod svg;
mod txt;

pub use attempt::{AttemptOutcome, attempt};
pub use entry::{Entry, EntryError, LICENSE, Origin};
pub use format::PackFormat;
pub use gather::gather;
pub use gathering::{AttemptRound, PackBuilder, PackOutcome, PackProgress, PackRequest};
pub use jsonl::schema;
pub use language::Language;
pub use merge::PackMerger;
pub use printing::{Paper, Printing};
pub use reader::{PackReader, SourcedPuzzle};
pub use series::PackSeries;
pub use similarity::similarity;
