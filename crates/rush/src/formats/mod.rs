//! Text formats, one file each. Reading detects the format (see [`Reader`]); writing takes its name.

pub mod ansi;
mod course;
mod detect;
mod documents;
mod error;
mod grid;
mod input;
mod it3105;
mod json;
mod known;
mod layout;
mod line;
mod listing;
pub mod livery;
pub mod pddl;
mod reader;
mod record;
pub mod svg;
mod traffic_jam;
mod tsv;
mod van_dijk;

use crate::{Board, Solution};
use error::Fault;
pub use error::{Excerpt, ParseError, WriteError};
pub use reader::{ReadOptions, Reader};
use record::Record;
use std::str::FromStr;

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

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Line,
        Format::Grid,
        Format::VanDijk,
        Format::It3105,
        Format::Course,
        Format::TrafficJam,
        Format::Json,
        Format::Tsv,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Line => "line",
            Format::Grid => "grid",
            Format::VanDijk => "van-dijk",
            Format::It3105 => "it3105",
            Format::Course => "course",
            Format::TrafficJam => "traffic-jam",
            Format::Json => "json",
            Format::Tsv => "tsv",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Reads the board of a record.
    fn read(self, record: &Record, options: &ReadOptions) -> Result<Puzzle, Fault> {
        match self {
            Format::Line => line::read(record, options),
            Format::Grid => grid::read(record, options),
            Format::VanDijk => van_dijk::read(record, options),
            Format::It3105 => it3105::read(record, options),
            Format::Course => course::read(record, options),
            Format::TrafficJam => traffic_jam::read(record, options),
            Format::Json => json::read(record, options),
            Format::Tsv => tsv::read(record, options),
        }
    }
}

/// A word that names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is not a format: the formats are {}", Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat {
    /// The word.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::from_name(name).ok_or_else(|| UnknownFormat { name: name.to_string() })
    }
}

impl Puzzle {
    /// A board of which nothing else is known.
    pub fn new(board: Board) -> Puzzle {
        Puzzle { board, name: None, moves: None, steps: None, solution: None, line: 0 }
    }
}

/// Reads the only board of a text.
///
/// ```
/// use clearway_rush::formats;
/// let puzzle = formats::read_one("2 AA.B...B........ a twin", None)?;
/// assert_eq!((puzzle.board.width(), puzzle.name.as_deref()), (4, Some("a twin")));
/// # Ok::<(), formats::ParseError>(())
/// ```
pub fn read_one(text: &str, format: Option<Format>) -> Result<Puzzle, ParseError> {
    let options = ReadOptions { format, source_name: "text".to_string(), ..ReadOptions::default() };
    let mut reader = Reader::new(text.as_bytes(), options);
    let first = reader.next().unwrap_or_else(|| Err(reader.nothing_found()))?;
    match reader.next() {
        None => Ok(first),
        Some(Err(error)) => Err(error),
        Some(Ok(second)) => {
            let record = Record::new(
                text.lines().nth(second.line.saturating_sub(1)).unwrap_or_default().to_string(),
                second.line,
            );
            let fault = record.whole().trim().fault("there is more than one board").label("the second one");
            Err(ParseError::new(fault.help("one board is expected here").of(record), "text"))
        }
    }
}

/// A board in the line format, without anything else that is known: what identifies it wherever boards are listed.
pub fn line(board: &Board) -> String {
    line::write_board(board)
}

/// The text of one board in a format, if that can hold it. To write several, use a [`Writer`].
pub fn write(puzzle: &Puzzle, format: Format) -> Result<String, WriteError> {
    match format {
        Format::Line => Ok(line::write(puzzle)),
        Format::Grid => Ok(grid::write(puzzle)),
        Format::VanDijk => van_dijk::write(puzzle),
        Format::It3105 => it3105::write(puzzle),
        Format::Course => course::write(puzzle),
        Format::TrafficJam => traffic_jam::write(puzzle),
        Format::Json => Ok(json::write(puzzle)),
        Format::Tsv => Ok(tsv::write(puzzle)),
    }
}

/// Writes many boards into one text that can be read back: with a header where the format has one, and blank lines
/// between boards that take several lines.
#[derive(Clone, Debug)]
pub struct Writer {
    format: Format,
    begun: bool,
}

impl Writer {
    /// A writer of a format.
    pub fn new(format: Format) -> Writer {
        Writer { format, begun: false }
    }

    /// The text to append for the next board.
    pub fn append(&mut self, puzzle: &Puzzle) -> Result<String, WriteError> {
        let text = write(puzzle, self.format)?;
        let before = match (self.format, std::mem::replace(&mut self.begun, true)) {
            (Format::Tsv, false) => tsv::HEADER,
            (Format::Line | Format::Json | Format::Tsv, _) | (_, false) => "",
            (_, true) => "\n",
        };
        Ok(before.to_string() + &text)
    }
}
