//! Reads packs back: those written as jsonl, txt or csv, and boards in any other format that can be read.

use super::{Origin, csv};
use clearway_rush::formats::{Format, ParseError, Puzzle, ReadOptions, Reader};
use serde::Deserialize;
use std::io::{BufRead, Chain, Cursor, Read};
use std::sync::Arc;

/// The longest line of a pack, in bytes. The rest of a longer one is read as a line of its own, and refused.
const LONGEST: u64 = 1 << 20;

/// A board and where it was made, if that was written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Sourced {
    /// The board and what came with it. Nothing of that is checked.
    pub puzzle: Puzzle,
    /// Where it was made.
    pub origin: Option<Origin>,
}

/// Reads boards one after the other, in whichever format they are.
///
/// ```
/// use clearway_forge::pack::PackReader;
/// let text = "8 BB...CD..E.CDAAE.CD..E..F...GGF.HHH. 1074 # beginner\n";
/// let mut reader = PackReader::new(text.as_bytes(), Default::default());
/// assert_eq!(reader.next().unwrap()?.puzzle.board.vehicles().len(), 8);
/// assert!(reader.next().is_none());
/// # Ok::<(), clearway_rush::formats::ParseError>(())
/// ```
pub struct PackReader<R: BufRead> {
    /// None until the first line has been looked at.
    source: Option<Source<R>>,
    input: Option<R>,
    options: ReadOptions,
}

type Rewound<R> = Chain<Cursor<Vec<u8>>, R>;

enum Source<R: BufRead> {
    /// A format in which each line is a puzzle, and the number of the line read last.
    Lines(Rewound<R>, Rows, usize),
    /// Any other.
    Boards(Box<Reader<Rewound<R>>>),
}

#[derive(Clone, Copy)]
enum Rows {
    Json,
    Csv,
}

impl<R: BufRead> PackReader<R> {
    /// A reader. Nothing is read until a board is asked for.
    pub fn new(input: R, options: ReadOptions) -> PackReader<R> {
        PackReader { source: None, input: Some(input), options }
    }

    /// Looks at the first line.
    fn open(&mut self, mut input: R) -> Source<R> {
        let mut first = Vec::new();
        // What cannot be read here cannot be read below either, and is reported there.
        let _ = (&mut input).take(LONGEST).read_until(b'\n', &mut first);
        let text = String::from_utf8_lossy(&first);
        let text = text.trim_start_matches('\u{feff}').trim();
        let rows = if text == csv::HEADER {
            Some(Rows::Csv)
        } else if Provenance::of(text).is_some() {
            Some(Rows::Json)
        } else {
            None
        };
        let is_free = self.options.format.is_none_or(|format| format == Format::Json);
        match rows.filter(|_| is_free) {
            Some(Rows::Csv) => Source::Lines(Cursor::new(Vec::new()).chain(input), Rows::Csv, 1),
            Some(Rows::Json) => Source::Lines(Cursor::new(first).chain(input), Rows::Json, 0),
            None => Source::Boards(Box::new(Reader::new(Cursor::new(first).chain(input), self.options.clone()))),
        }
    }
}

impl<R: BufRead> Iterator for PackReader<R> {
    type Item = Result<Sourced, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(input) = self.input.take() {
            self.source = Some(self.open(input));
        }
        match self.source.as_mut()? {
            Source::Boards(reader) => reader.next().map(|item| item.map(|puzzle| Sourced { puzzle, origin: None })),
            Source::Lines(input, rows, number) => loop {
                let mut bytes = Vec::new();
                let read = input.take(LONGEST).read_until(b'\n', &mut bytes);
                *number += 1;
                if let Err(error) = read {
                    // The reader of boards knows how to say it.
                    let failing = std::io::BufReader::new(Failing(Some(error)));
                    let item = Reader::new(failing, self.options.clone()).next();
                    self.source = None;
                    return item.map(|item| item.map(|puzzle| Sourced { puzzle, origin: None }));
                }
                if bytes.is_empty() {
                    return None;
                }
                if bytes.trim_ascii().is_empty() || bytes.trim_ascii().starts_with(b"#") {
                    continue;
                }
                let line = *number;
                return Some(read_row(&bytes, *rows, &self.options).map_err(|error| at_line(error, line)));
            },
        }
    }
}

/// The puzzle of a line.
fn read_row(bytes: &[u8], rows: Rows, options: &ReadOptions) -> Result<Sourced, ParseError> {
    let text = String::from_utf8_lossy(bytes);
    let row = if let Rows::Csv = rows { csv::read(text.trim_end_matches(['\n', '\r'])) } else { None };
    let (format, board, name, origin) = match (rows, row) {
        (Rows::Csv, Some((board, name, origin))) => (Format::Line, board.into_bytes(), name, origin),
        // A row that is none is refused as a board, with the place of what is wrong.
        (Rows::Csv, None) => (Format::Line, bytes.to_vec(), None, None),
        (Rows::Json, _) => {
            (Format::Json, bytes.to_vec(), None, Provenance::of(text.trim()).and_then(Provenance::origin))
        }
    };
    let options = ReadOptions { format: Some(format), ..options.clone() };
    let mut reader = Reader::new(board.as_slice(), options);
    let mut puzzle = reader.next().unwrap_or_else(|| unreachable!("an input without boards gives an error"))?;
    puzzle.name = puzzle.name.or(name);
    Ok(Sourced { puzzle, origin })
}

/// What a line of a pack in JSON says about where its puzzle was made.
#[derive(Deserialize)]
struct Provenance {
    generator: Option<String>,
    version: Option<String>,
    seed: Option<u64>,
}

impl Provenance {
    /// None if it is no such line.
    fn of(line: &str) -> Option<Provenance> {
        let is_one = line.starts_with('{') && line.contains("\"generator\"");
        is_one.then(|| serde_json::from_str(line).ok()).flatten()
    }

    fn origin(self) -> Option<Origin> {
        let (generator, version) = self.generator.zip(self.version)?;
        Some(Origin { generator, version, seed: self.seed })
    }
}

/// An error in a line by itself as one in the line of that number.
fn at_line(mut error: ParseError, line: usize) -> ParseError {
    error.line = line;
    Arc::make_mut(&mut error.source_code).first_line = line;
    error
}

/// An input that fails.
struct Failing(Option<std::io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
