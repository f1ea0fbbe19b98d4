//! Reads boards from arguments, files, stdin and suites, one at a time.

use crate::args::{InputArgs, ReadingArgs};
use crate::failure::{Failure, message_with_help};
use crate::output::write_stderr;
use crate::pipeline::Titled;
use clearway_rush::formats::{ParseError, Puzzle, ReadOptions, Reader};
use clearway_rush::suites::Suite;
use clearway_util::text::printable;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Extensions that mark an argument as a path, whether or not the file exists.
const FILE_EXTENSIONS: [&str; 9] = [".txt", ".csv", ".tsv", ".json", ".jsonl", ".board", ".boards", ".grid", ".rush"];

/// A source of boards.
#[derive(Clone, Debug)]
pub enum Input {
    /// Text on the command line.
    Text(String),
    /// A file.
    File(PathBuf),
    /// Stdin.
    Stdin,
    /// An embedded suite.
    Suite(&'static Suite),
}

impl Input {
    /// Interprets an argument: `-` is stdin, an existing path is a file, anything else is a board unless it looks like a
    /// path. Error messages show `example` as a valid board.
    pub fn from_argument(
        argument: &OsStr,
        example: &str,
        looks_like_path: fn(&str) -> bool,
    ) -> Result<Input, miette::Report> {
        if argument == "-" {
            return Ok(Input::Stdin);
        }
        let path = Path::new(argument);
        if path.is_dir() {
            let message = format!("{} is a directory", path.display());
            return Err(message_with_help(message, "pass the files in it, such as DIR/*.txt"));
        }
        if path.exists() {
            return Ok(Input::File(path.to_path_buf()));
        }
        match argument.to_str() {
            Some(text) if !looks_like_path(text) => Ok(Input::Text(text.to_owned())),
            _ => Err(message_with_help(
                format!("no such file: {}", path.display()),
                format!("pass a file, a board such as {example}, or - for stdin"),
            )),
        }
    }

    /// Returns the number of boards if it is known before reading.
    fn boards(&self) -> Option<usize> {
        match self {
            Input::Text(text) => (!text.trim().contains('\n')).then_some(1),
            Input::Suite(suite) => Some(suite.puzzles().len()),
            Input::File(_) | Input::Stdin => None,
        }
    }

    /// Returns the number of bytes if it is known before reading.
    fn byte_len(&self) -> Option<u64> {
        match self {
            Input::Text(text) => Some(text.len() as u64),
            Input::Suite(suite) => Some(suite.text().len() as u64),
            Input::File(path) => path.metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len()),
            Input::Stdin => None,
        }
    }

    /// Returns the name of the source for messages.
    pub fn name(&self) -> String {
        match self {
            Input::Text(_) => "the argument".to_owned(),
            Input::File(path) => path.display().to_string(),
            Input::Stdin => "stdin".to_owned(),
            Input::Suite(suite) => format!("suite {}", suite.name),
        }
    }

    /// Opens the source for reading.
    pub fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        Ok(match self {
            Input::Text(text) => Box::new(Cursor::new(text.clone().into_bytes())),
            Input::File(path) => Box::new(BufReader::with_capacity(1 << 16, File::open(path)?)),
            Input::Stdin => {
                if io::stdin().is_terminal() {
                    write_stderr("reading boards from the terminal; press Ctrl-D to finish\n");
                }
                Box::new(BufReader::with_capacity(1 << 16, io::stdin()))
            }
            Input::Suite(suite) => Box::new(Cursor::new(suite.text().as_bytes())),
        })
    }
}

/// Interprets an argument of a command that reads boards of Rush Hour.
fn parse_argument(argument: &OsStr) -> Result<Input, miette::Report> {
    Input::from_argument(argument, "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", looks_like_path)
}

/// Returns whether an argument without an existing file looks like a path.
fn looks_like_path(text: &str) -> bool {
    let one_line = !text.contains('\n') && !text.trim_start().starts_with('{');
    one_line && (text.contains(['/', '\\']) || FILE_EXTENSIONS.iter().any(|extension| text.ends_with(extension)))
}

/// A board with its place in the input.
#[derive(Debug)]
pub struct InputEntry {
    /// The board and the facts in the input about it.
    pub puzzle: Puzzle,
    /// Its number in the complete input, from 1.
    pub number: u64,
    /// Whether it comes from an embedded suite, whose facts are proven.
    pub from_suite: bool,
}

impl InputEntry {
    /// Returns the name of the board, or `#` and its number, for tables.
    pub fn title(&self) -> String {
        self.puzzle.name.as_deref().map_or_else(|| format!("#{}", self.number), printable)
    }
}

impl Titled for InputEntry {
    fn title(&self) -> String {
        InputEntry::title(self)
    }
}

/// Items that are read one at a time. The iteration stops after the first error unless `keep_going` is set.
pub struct UntilError<I> {
    items: I,
    keep_going: bool,
    stopped: bool,
}

impl<I> UntilError<I> {
    /// Wraps the items.
    pub fn new(items: I, keep_going: bool) -> UntilError<I> {
        UntilError { items, keep_going, stopped: false }
    }
}

impl<T, E, I: Iterator<Item = Result<T, E>>> Iterator for UntilError<I> {
    type Item = Result<T, E>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.stopped {
            return None;
        }
        let item = self.items.next();
        self.stopped = item.as_ref().is_none_or(|item| item.is_err() && !self.keep_going);
        item
    }
}

/// All boards of a command line, in order. Stops after the first invalid board unless `keep_going` is set.
pub type Boards = UntilError<InputReader>;

/// Reads the boards of a command line, in order, and goes on after errors.
pub struct InputReader {
    /// With `keep_going`, errors of arguments are reported in their turn.
    waiting: VecDeque<Result<Input, miette::Report>>,
    current: Option<OpenInput>,
    reading: ReadingArgs,
    number: u64,
    bytes_read: Arc<AtomicU64>,
}

struct OpenInput {
    input: Input,
    reader: Reader<CountingReader>,
}

/// The boards of a command line without any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The suite of forty cards.
    Cards,
    /// Stdin.
    Stdin,
    /// None: a board is required.
    Nothing,
}

impl Boards {
    /// Opens the boards of a command line. Fails if a file does not exist, unless `keep_going` is set.
    pub fn open(args: &InputArgs, fallback: Fallback) -> Result<Boards, Failure> {
        let suites = args.suite.iter().filter_map(|name| Suite::find(name));
        let mut waiting: VecDeque<_> = suites.map(|suite| Ok(Input::Suite(suite))).collect();
        for argument in &args.boards {
            match parse_argument(argument) {
                Err(report) if !args.keep_going => return Err(Failure::bad_input(report)),
                input => waiting.push_back(input),
            }
        }
        if waiting.is_empty() {
            match fallback {
                Fallback::Cards => waiting.extend(Suite::find("cards").map(|cards| Ok(Input::Suite(cards)))),
                Fallback::Stdin => waiting.push_back(Ok(Input::Stdin)),
                Fallback::Nothing => {
                    return Err(Failure::usage("missing board", "pass a board, a file, - for stdin, or --suite NAME"));
                }
            }
        }
        Ok(UntilError::new(InputReader::new(waiting, &args.reading), args.keep_going))
    }

    /// Opens the boards of a single argument.
    pub fn open_one(argument: &OsStr, reading: &ReadingArgs) -> Result<Boards, Failure> {
        let input = parse_argument(argument).map_err(Failure::bad_input)?;
        Ok(UntilError::new(InputReader::new([Ok(input)].into(), reading), false))
    }

    /// Returns the number of boards if it is known before reading.
    pub fn known_count(&self) -> Option<usize> {
        self.items.waiting.iter().flatten().map(Input::boards).sum()
    }

    /// Returns the number of bytes if it is known before reading.
    pub fn known_bytes(&self) -> Option<u64> {
        self.items.waiting.iter().flatten().map(Input::byte_len).sum()
    }

    /// Returns a counter of the bytes read so far, which is updated while another thread reads.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.items.bytes_read)
    }

    /// Returns the only board. Fails if there is none, or more than one.
    pub fn only(mut self) -> Result<InputEntry, Failure> {
        let invalid = Failure::bad_input;
        let entry = self.next().unwrap_or_else(|| Err(miette::miette!("the input has no board"))).map_err(invalid)?;
        match self.next() {
            None => Ok(entry),
            Some(Err(report)) => Err(invalid(report)),
            Some(Ok(_)) => Err(invalid(message_with_help(
                "the input has more than one board",
                "pass a single board, such as one in a one-line format",
            ))),
        }
    }
}

impl InputReader {
    fn new(waiting: VecDeque<Result<Input, miette::Report>>, reading: &ReadingArgs) -> InputReader {
        InputReader { waiting, current: None, reading: reading.clone(), number: 0, bytes_read: Arc::default() }
    }

    fn open_next(&mut self) -> Option<Result<(), miette::Report>> {
        let input = match self.waiting.pop_front()? {
            Ok(input) => input,
            Err(report) => return Some(Err(report)),
        };
        let source_name = input.name();
        let opened = input.open().map_err(|error| miette::miette!("cannot read {source_name}: {error}"));
        Some(opened.map(|bytes| {
            let is_suite = matches!(input, Input::Suite(_));
            let options = ReadOptions {
                format: if is_suite { Some(clearway_rush::formats::Format::Tsv) } else { self.reading.format() },
                size: self.reading.size.filter(|_| !is_suite),
                exit: self.reading.exit.filter(|_| !is_suite),
                source_name,
            };
            let counting = CountingReader { inner: bytes, count: Arc::clone(&self.bytes_read) };
            self.current = Some(OpenInput { input, reader: Reader::new(counting, options) });
        }))
    }
}

impl Iterator for InputReader {
    type Item = Result<InputEntry, miette::Report>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(current) = &mut self.current else {
                match self.open_next()? {
                    Ok(()) => continue,
                    Err(report) => {
                        self.number += 1;
                        return Some(Err(report));
                    }
                }
            };
            match current.reader.next() {
                Some(item) => {
                    let from_suite = matches!(current.input, Input::Suite(_));
                    self.number += 1;
                    let number = self.number;
                    return Some(match item {
                        Ok(puzzle) => Ok(InputEntry { puzzle, number, from_suite }),
                        Err(error) => Err(explain(error, &current.input).into()),
                    });
                }
                None => self.current = None,
            }
        }
    }
}

/// Adds to the error of an argument that is a plain word that no file has this name.
pub fn explain(mut error: ParseError, input: &Input) -> ParseError {
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    if matches!(input, Input::Text(text) if is_word(text)) {
        let note = "(no file has this name either)";
        error.help = Some(error.help.map_or_else(|| note.to_owned(), |help| format!("{help} {note}")));
    }
    error
}

/// Counts the bytes read.
struct CountingReader {
    inner: Box<dyn BufRead + Send>,
    count: Arc<AtomicU64>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl BufRead for CountingReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        self.inner.consume(n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_do_not_look_like_paths() {
        for path in ["boards.txt", "a/b", "./x", "cards.TSV.tsv", "C:\\boards"] {
            assert!(looks_like_path(path), "{path}");
        }
        for board in ["BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "4x3:...BAA.B....", "{\"name\":\"a/b\"}", "..\nA/"] {
            assert!(!looks_like_path(board), "{board}");
        }
    }
}
