//! Reads sliding-tile boards from arguments, files and stdin, one board per line.

use crate::failure::message_with_help;
use crate::input::{Input, UntilError, explain};
use crate::pipeline::Titled;
use clearway_tiles::Board;
use clearway_util::syntax::ParseError;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::vec::IntoIter;

/// Maximum length of a line in bytes, far more than a board needs.
const MAX_LINE: u64 = 4096;

/// The boards of a command line, in order.
pub struct TileBoards {
    waiting: IntoIter<OsString>,
    current: Option<Lines>,
}

/// The lines of a file.
struct Lines {
    input: Input,
    reader: Box<dyn BufRead + Send>,
    number: usize,
}

impl TileBoards {
    /// Opens the boards of these arguments. Stops after the first invalid board unless `keep_going` is set.
    pub fn open(arguments: Vec<OsString>, keep_going: bool) -> UntilError<TileBoards> {
        UntilError::new(TileBoards { waiting: arguments.into_iter(), current: None }, keep_going)
    }
}

impl Iterator for TileBoards {
    type Item = Result<Board, miette::Report>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(lines) = &mut self.current {
                match lines.next() {
                    Some(board) => return Some(board),
                    None => self.current = None,
                }
            }
            match parse_argument(&self.waiting.next()?) {
                Ok(Input::Text(text)) => return Some(read(&text, &Input::Text(text.clone()), 1)),
                Ok(input) => match input.open() {
                    Ok(reader) => self.current = Some(Lines { input, reader, number: 0 }),
                    Err(error) => return Some(Err(miette::miette!("cannot read {}: {error}", input.name()))),
                },
                Err(report) => return Some(Err(report)),
            }
        }
    }
}

impl Iterator for Lines {
    type Item = Result<Board, miette::Report>;

    /// Returns the next board. Empty lines and comments, which start with `#`, are skipped.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut bytes = Vec::new();
            self.number += 1;
            let line = (&mut self.reader).take(MAX_LINE).read_until(b'\n', &mut bytes);
            if let Err(error) = line {
                return Some(Err(miette::miette!("cannot read {}: {error}", self.input.name())));
            }
            if bytes.is_empty() {
                return None;
            }
            if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
                // The rest of the input is not read: it is not a file of boards.
                self.reader = Box::new(std::io::empty());
                let message = format!("line {} of {} is too long to be a board", self.number, self.input.name());
                return Some(Err(message_with_help(message, "use one board per line, such as 867254301")));
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_end();
            if !text.trim_start().is_empty() && !text.trim_start().starts_with('#') {
                return Some(read(text, &self.input, self.number));
            }
        }
    }
}

impl Titled for Board {
    fn title(&self) -> String {
        self.to_string()
    }
}

/// Interprets an argument. File names usually have a dot, and boards do not.
fn parse_argument(argument: &OsStr) -> Result<Input, miette::Report> {
    Input::from_argument(argument, "867254301", |text| text.contains('.'))
}

/// Parses the board of a line. Errors give the line number in the file.
fn read(text: &str, input: &Input, line: usize) -> Result<Board, miette::Report> {
    Board::parse(text).map_err(|fault| {
        let mut error = explain(ParseError::new(text, fault, &input.name()), input);
        error.line += line - 1;
        Arc::make_mut(&mut error.source_code).first_line += line - 1;
        error.into()
    })
}
