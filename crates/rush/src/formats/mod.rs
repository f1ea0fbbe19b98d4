//! Text formats and pictures of boards, one file each. A [`Reader`] detects the format; writing takes a [`Format`].

pub mod ansi;
mod cell_grid;
mod course;
mod detect;
mod documents;
mod error;
mod grid;
mod input;
mod it3105;
mod json;
mod known;
mod line;
mod listing;
mod output_format;
pub mod palette;
pub mod pddl;
mod reader;
mod record;
pub mod svg;
mod traffic_jam;
mod tsv;
mod van_dijk;

use crate::{Board, Metric, Solution};
pub use clearway_util::syntax::ParseError;
use clearway_util::syntax::SyntaxError;
pub use error::WriteError;
pub use output_format::{OutputFormat, UnknownOutputFormat};
pub use reader::{ReadOptions, Reader};
use record::InputRecord;
use std::str::FromStr;

/// A text format that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One board per line: `BB...CD..E.C...`.
    Line,
    /// One row of the board per line.
    Grid,
    /// A header and one vehicle per line (J. van Dijk's thesis).
    VanDijk,
    /// One vehicle per line, `orientation,x,y,length` (IT3105).
    It3105,
    /// A header and one vehicle per line, `car,orientation,col,row,length`.
    Course,
    /// A grid whose exit is a column of the top edge, open to any vehicle.
    TrafficJam,
    /// The JSON schema of this project.
    Json,
    /// A suite: name, size, exit, board, moves, steps.
    Tsv,
}

/// What is known about the length of the shortest solution of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownLength {
    /// The proven optimum.
    Exactly(u32),
    /// The length of the best known solution, an upper bound; written `<=25`.
    AtMost(u32),
}

/// A board with its name and what is known about its solutions.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The board in its initial position.
    pub board: Board,
    /// The name of the board.
    pub name: Option<String>,
    /// The length of its shortest solution in moves, as far as known.
    pub moves: Option<KnownLength>,
    /// The length of its shortest solution in steps, as far as known.
    pub steps: Option<KnownLength>,
    /// The solution given with the board, not checked.
    pub solution: Option<Solution>,
    /// Line of the input on which the board starts, from 1; 0 if it was not read from an input.
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

    /// The name of the format, as on the command line.
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

    /// Finds a format by its [name](Self::name).
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Reads the board of a record.
    fn read(self, record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
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

/// A name that is not the name of a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format '{name}'; expected one of {}", Format::ALL.map(Format::name).join(", "))]
#[non_exhaustive]
pub struct UnknownFormat {
    /// The unknown name.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::from_name(name).ok_or_else(|| UnknownFormat { name: name.to_string() })
    }
}

impl Puzzle {
    /// Creates a puzzle from a board of which nothing else is known.
    pub fn new(board: Board) -> Puzzle {
        Puzzle { board, name: None, moves: None, steps: None, solution: None, line: 0 }
    }

    /// Returns the length of its shortest solution in a metric, as far as known.
    pub fn known_length(&self, metric: Metric) -> Option<KnownLength> {
        match metric {
            Metric::Moves => self.moves,
            Metric::Steps => self.steps,
        }
    }

    /// Sets the length of its shortest solution in a metric.
    pub fn set_known_length(&mut self, metric: Metric, length: KnownLength) {
        match metric {
            Metric::Moves => self.moves = Some(length),
            Metric::Steps => self.steps = Some(length),
        }
    }
}

/// Reads a text that must hold exactly one board. The format is detected if it is `None`.
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
            let record = InputRecord::new(
                text.lines().nth(second.line.saturating_sub(1)).unwrap_or_default().to_string(),
                second.line,
            );
            let error =
                record.whole().trim().error("the text holds more than one board").with_label("the second board");
            let error = error.with_help("expected exactly one board");
            Err(record.invalid(error).located("text"))
        }
    }
}

/// Writes a board in the line format, without a name or known lengths: the notation that identifies boards in listings.
pub fn line(board: &Board) -> String {
    line::write_board(board)
}

/// Writes one board in a format. Fails if the format cannot represent it. To write several boards, use a [`Writer`].
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

/// Writes any number of boards as one text that can be read back, with a header if the format has one, and with blank lines
/// between boards that take several lines.
#[derive(Clone, Debug)]
pub struct Writer {
    format: Format,
    has_started: bool,
}

impl Writer {
    /// Creates a writer for a format.
    pub fn new(format: Format) -> Writer {
        Writer { format, has_started: false }
    }

    /// Returns the text to append for the next board. If it fails, the writer is unchanged.
    pub fn append(&mut self, puzzle: &Puzzle) -> Result<String, WriteError> {
        let text = write(puzzle, self.format)?;
        let before = match (self.format, std::mem::replace(&mut self.has_started, true)) {
            (Format::Tsv, false) => tsv::HEADER,
            (Format::Line | Format::Json | Format::Tsv, _) | (_, false) => "",
            (_, true) => "\n",
        };
        Ok(before.to_string() + &text)
    }
}
