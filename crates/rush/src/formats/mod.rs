//! Text formats, one file each. Reading detects the format (see [`Reader`]); writing takes its name.

pub mod ansi;
mod error;
mod livery;
pub mod pddl;
pub mod svg;

use crate::{Board, Solution};
pub use error::{ParseError, WriteError};
use std::io::BufRead;

/// A format that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One board a line: `BB...CD..E.C...`.
    Line,
    /// The rows of a board on lines of their own.
    Grid,
    /// A header and one vehicle a line (J. van Dijk's thesis).
    VanDijk,
    /// One vehicle a line, `orientation,x,y,length` (IT3105).
    It3105,
    /// `car,orientation,col,row,length` with a header.
    Course,
    /// A grid with the exit given as a column of the top edge, for any vehicle.
    TrafficJam,
    /// The project's own schema.
    Json,
    /// A suite: name, size, exit, board, moves, steps.
    Tsv,
}

/// A length that is known for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The proven optimum.
    Exactly(u32),
    /// The best known, not proven; written `<=25`.
    AtMost(u32),
}

/// A board and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The board.
    pub board: Board,
    /// Its name.
    pub name: Option<String>,
    /// Its length in moves.
    pub moves: Option<Known>,
    /// Its length in steps.
    pub steps: Option<Known>,
    /// A solution that came with it; not checked.
    pub solution: Option<Solution>,
    /// The line of the input it began on, from 1 (0 if it came from nowhere).
    pub line: usize,
}

/// Reads the only board of a text.
pub fn read_one(_text: &str, _format: Option<Format>) -> Result<Puzzle, ParseError> {
    todo!()
}

/// Reads boards one after the other, without holding more than one of them.
pub struct Reader<R: BufRead> {
    _input: R,
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Puzzle, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        todo!()
    }
}
