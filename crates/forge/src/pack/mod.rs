//! Packs: collections of puzzles that are graded, all different, and sorted from easy to hard.
//!
//! - `entry`: a puzzle of a pack and what is known of it
//! - `attempt`: an attempt to make one; `series`: one after the other; `gathering`: how a pack comes together, `gather`: on
//!   several threads; `select`: which of the puzzles found go into it; `likeness`: how much alike two puzzles are
//! - formats, one file each: `jsonl`, `txt`, `csv`, `html`, `svg` and `pdf`; `cards`: how the last two lay out their pages
//! - `reader`: reads packs back; `merge`: one pack of many, without duplicates

mod attempt;
mod cards;
mod csv;
mod entry;
mod format;
mod gather;
mod gathering;
mod html;
mod jsonl;
mod likeness;
mod merge;
mod pdf;
mod reader;
mod select;
mod series;
mod svg;
mod txt;

pub use attempt::{Attempted, attempt};
pub use csv::csv_field;
pub use entry::{Entry, NoEntry, Origin};
pub use format::PackFormat;
pub use gather::gather;
pub use gathering::{Gathered, Gathering, Order, Progress, Round};
pub use likeness::likeness;
pub use merge::Merge;
pub use reader::{PackReader, Sourced};
pub use series::Series;
