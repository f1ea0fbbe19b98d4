//! Reads packs in the formats jsonl, txt and csv, and boards in any other format that can be read.

use super::{Origin, csv};
use clearway_rush::formats::{Format, ParseError, Puzzle, ReadOptions, Reader};
use serde::Deserialize;
use std::io::{BufRead, Chain, Cursor, Read};
use std::sync::Arc;

/// Maximum length of a line of a pack, in bytes. The rest of a longer line is read as a separate line, which fails to parse.
const MAX_LINE: u64 = 1 << 20;

/// Board read from a pack, with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcedPuzzle {
    /// Board with the values given in the input, which are not verified.
    pub puzzle: Puzzle,
    /// How it was generated, if the input says so.
    pub origin: Option<Origin>,
    /// Licence that the input states, if any.
    pub license: Option<String>,
}

impl SourcedPuzzle {
    /// Creates a puzzle of which only the board is known.
    fn new(puzzle: Puzzle) -> SourcedPuzzle {
        SourcedPuzzle { puzzle, origin: None, license: None }
    }
}

/// Reads boards one at a time, and detects their format.
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
    /// None until the first line has been read to detect the format.
    source: Option<Source<R>>,
    input: Option<R>,
    options: ReadOptions,
}

type Rewound<R> = Chain<Cursor<Vec<u8>>, R>;

enum Source<R: BufRead> {
    /// Format with one puzzle per line, and the number of the line read last.
    Lines(Rewound<R>, Rows, usize),
    /// Any other format.
    Boards(Box<Reader<Rewound<R>>>),
}

#[derive(Clone, Copy)]
enum Rows {
    Json,
    Csv,
}

impl<R: BufRead> PackReader<R> {
    /// Creates a reader. Nothing is read before the first call of `next`.
    pub fn new(input: R, options: ReadOptions) -> PackReader<R> {
        PackReader { source: None, input: Some(input), options }
    }

    /// Detects the format from the first line.
    fn open(&mut self, mut input: R) -> Source<R> {
        let mut first = Vec::new();
        // An error that occurs here occurs again when the boards are read, and is reported then.
        let _ = (&mut input).take(MAX_LINE).read_until(b'\n', &mut first);
        let text = String::from_utf8_lossy(&first);
        let text = text.trim_start_matches('\u{feff}').trim();
        let rows = if csv::is_header(text) {
            Some(Rows::Csv)
        } else if Provenance::parse(text).is_some() {
            Some(Rows::Json)
        } else {
            None
        };
        let may_be_pack = self.options.format.is_none_or(|format| format == Format::Json);
        match rows.filter(|_| may_be_pack) {
            Some(Rows::Csv) => Source::Lines(Cursor::new(Vec::new()).chain(input), Rows::Csv, 1),
            Some(Rows::Json) => Source::Lines(Cursor::new(first).chain(input), Rows::Json, 0),
            None => Source::Boards(Box::new(Reader::new(Cursor::new(first).chain(input), self.options.clone()))),
        }
    }
}

impl<R: BufRead> Iterator for PackReader<R> {
    type Item = Result<SourcedPuzzle, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(input) = self.input.take() {
            self.source = Some(self.open(input));
        }
        match self.source.as_mut()? {
            Source::Boards(reader) => reader.next().map(|item| item.map(SourcedPuzzle::new)),
            Source::Lines(input, rows, number) => loop {
                let mut bytes = Vec::new();
                let read = input.take(MAX_LINE).read_until(b'\n', &mut bytes);
                *number += 1;
                if let Err(error) = read {
                    // The reader of boards turns the error into a `ParseError`.
                    let failing = std::io::BufReader::new(Failing(Some(error)));
                    let item = Reader::new(failing, self.options.clone()).next();
                    self.source = None;
                    return item.map(|item| item.map(SourcedPuzzle::new));
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

/// Parses the puzzle of a line.
fn read_row(bytes: &[u8], rows: Rows, options: &ReadOptions) -> Result<SourcedPuzzle, ParseError> {
    let text = String::from_utf8_lossy(bytes);
    let row = if let Rows::Csv = rows { csv::read(text.trim_end_matches(['\n', '\r'])) } else { None };
    let (format, board, name, (origin, license)) = match (rows, row) {
        (Rows::Csv, Some(row)) => (Format::Line, row.board.into_bytes(), row.name, (row.origin, row.license)),
        // An invalid row is parsed as a board, which gives an error with its position.
        (Rows::Csv, None) => (Format::Line, bytes.to_vec(), None, (None, None)),
        (Rows::Json, _) => {
            let provenance = Provenance::parse(text.trim()).map(Provenance::into_parts);
            (Format::Json, bytes.to_vec(), None, provenance.unwrap_or_default())
        }
    };
    let options = ReadOptions { format: Some(format), ..options.clone() };
    let mut reader = Reader::new(board.as_slice(), options);
    let mut puzzle = reader.next().unwrap_or_else(|| unreachable!("an input without boards gives an error"))?;
    puzzle.name = puzzle.name.or(name);
    Ok(SourcedPuzzle { puzzle, origin, license })
}

/// Fields of a JSON record that describe the origin of its puzzle. Records of older versions have no licence.
#[derive(Deserialize)]
struct Provenance {
    generator: Option<String>,
    version: Option<String>,
    seed: Option<u64>,
    license: Option<String>,
}

impl Provenance {
    /// Parses a line of a pack. Returns None if it is not such a record.
    fn parse(line: &str) -> Option<Provenance> {
        let is_record = line.starts_with('{') && line.contains("\"generator\"");
        is_record.then(|| serde_json::from_str(line).ok()).flatten()
    }

    /// Returns the origin and the licence.
    fn into_parts(self) -> (Option<Origin>, Option<String>) {
        let origin = self.generator.zip(self.version);
        (origin.map(|(generator, version)| Origin { generator, version, seed: self.seed }), self.license)
    }
}

/// Sets the line number of an error in a line that was parsed on its own.
fn at_line(mut error: ParseError, line: usize) -> ParseError {
    error.line = line;
    Arc::make_mut(&mut error.source_code).first_line = line;
    error
}

/// Input whose first read fails with an error.
struct Failing(Option<std::io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
