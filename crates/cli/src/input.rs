//! Arguments become boards: texts, files, stdin and suites, one after the other, without holding more than one board.

use crate::args::{InputArgs, ReadingArgs};
use crate::failure::{Failure, message_with_help};
use crate::output::write_stderr;
use crate::pipeline::Titled;
use clearway_rush::formats::{ParseError, Puzzle, ReadOptions, Reader};
use clearway_rush::suites::Suite;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Endings that only files have: with one of them an argument is a path, whether or not there is such a file.
const FILE_ENDINGS: [&str; 9] = [".txt", ".csv", ".tsv", ".json", ".jsonl", ".board", ".boards", ".grid", ".rush"];

/// One place that boards come from.
#[derive(Clone, Debug)]
pub enum Input {
    /// A text on the command line.
    Text(String),
    /// A file.
    File(PathBuf),
    /// Stdin.
    Stdin,
    /// An embedded suite.
    Suite(&'static Suite),
}

impl Input {
    /// What an argument means, where `example` is a board. What names no file is a board, unless it looks like a path.
    pub fn of(argument: &OsStr, example: &str, looks_like_path: fn(&str) -> bool) -> Result<Input, miette::Report> {
        if argument == "-" {
            return Ok(Input::Stdin);
        }
        let path = Path::new(argument);
        if path.is_dir() {
            let message = format!("{} is a directory", path.display());
            return Err(message_with_help(message, "give the files in it, such as DIR/*.txt"));
        }
        if path.exists() {
            return Ok(Input::File(path.to_path_buf()));
        }
        match argument.to_str() {
            Some(text) if !looks_like_path(text) => Ok(Input::Text(text.to_owned())),
            _ => Err(message_with_help(
                format!("no such file: {}", path.display()),
                format!("give a file, a board such as {example}, or - for stdin"),
            )),
        }
    }

    /// The number of boards, where it is known before reading.
    fn boards(&self) -> Option<usize> {
        match self {
            Input::Text(text) => (!text.trim().contains('\n')).then_some(1),
            Input::Suite(suite) => Some(suite.puzzles().len()),
            Input::File(_) | Input::Stdin => None,
        }
    }

    /// The number of bytes, where it is known before reading.
    fn bytes(&self) -> Option<u64> {
        match self {
            Input::Text(text) => Some(text.len() as u64),
            Input::Suite(suite) => Some(suite.text.len() as u64),
            Input::File(path) => path.metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len()),
            Input::Stdin => None,
        }
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Input::Text(_) => "the argument".to_owned(),
            Input::File(path) => path.display().to_string(),
            Input::Stdin => "stdin".to_owned(),
            Input::Suite(suite) => format!("suite {}", suite.name),
        }
    }

    /// Opens it for reading.
    pub fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        Ok(match self {
            Input::Text(text) => Box::new(Cursor::new(text.clone().into_bytes())),
            Input::File(path) => Box::new(BufReader::with_capacity(1 << 16, File::open(path)?)),
            Input::Stdin => {
                if io::stdin().is_terminal() {
                    write_stderr("reading boards from the terminal; end them with Ctrl-D\n");
                }
                Box::new(BufReader::with_capacity(1 << 16, io::stdin()))
            }
            Input::Suite(suite) => Box::new(Cursor::new(suite.text.as_bytes())),
        })
    }
}

/// What an argument means where boards of Rush Hour are expected.
fn input_of(argument: &OsStr) -> Result<Input, miette::Report> {
    Input::of(argument, "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", looks_like_path)
}

/// Whether an argument that names no file was meant to.
fn looks_like_path(text: &str) -> bool {
    let one_line = !text.contains('\n') && !text.trim_start().starts_with('{');
    one_line && (text.contains(['/', '\\']) || FILE_ENDINGS.iter().any(|ending| text.ends_with(ending)))
}

/// A board and where it comes from.
#[derive(Debug)]
pub struct Entry {
    /// The board and what is known about it.
    pub puzzle: Puzzle,
    /// Its number in the whole input, from 1.
    pub number: u64,
    /// Whether it comes from an embedded suite, whose facts are proven.
    pub from_suite: bool,
}

impl Entry {
    /// What to call it in a table.
    pub fn title(&self) -> String {
        self.puzzle.name.as_deref().map_or_else(|| format!("#{}", self.number), printable)
    }
}

impl Titled for Entry {
    fn title(&self) -> String {
        Entry::title(self)
    }
}

/// All boards of a command line, in order. After a board that was refused it goes on only if that was asked for.
pub struct Boards {
    /// Under `keep_going` an argument that names nothing waits for its turn to be reported.
    waiting: VecDeque<Result<Input, miette::Report>>,
    current: Option<Current>,
    reading: ReadingArgs,
    keep_going: bool,
    stopped: bool,
    number: u64,
    bytes_read: Arc<AtomicU64>,
}

struct Current {
    input: Input,
    reader: Reader<Counting>,
}

/// What a command reads if it is given no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The suite of forty cards.
    Cards,
    /// Stdin.
    Stdin,
    /// Nothing: a board is needed.
    Nothing,
}

impl Boards {
    /// Checks what can be checked before any work begins: that files exist, unless it is to go on without them.
    pub fn open(args: &InputArgs, fallback: Fallback) -> Result<Boards, Failure> {
        let suites = args.suite.iter().filter_map(|name| Suite::find(name));
        let mut waiting: VecDeque<_> = suites.map(|suite| Ok(Input::Suite(suite))).collect();
        for argument in &args.boards {
            match input_of(argument) {
                Err(report) if !args.keep_going => return Err(Failure::bad_input(report)),
                input => waiting.push_back(input),
            }
        }
        if waiting.is_empty() {
            match fallback {
                Fallback::Cards => waiting.extend(Suite::find("cards").map(|cards| Ok(Input::Suite(cards)))),
                Fallback::Stdin => waiting.push_back(Ok(Input::Stdin)),
                Fallback::Nothing => {
                    return Err(Failure::usage(
                        "no board is given",
                        "give a board, a file, - for stdin, or --suite NAME",
                    ));
                }
            }
        }
        Ok(Boards::new(waiting, args.reading.clone(), args.keep_going))
    }

    /// The boards of a single argument.
    pub fn open_one(argument: &OsStr, reading: &ReadingArgs) -> Result<Boards, Failure> {
        let input = input_of(argument).map_err(Failure::bad_input)?;
        Ok(Boards::new([Ok(input)].into(), reading.clone(), false))
    }

    fn new(waiting: VecDeque<Result<Input, miette::Report>>, reading: ReadingArgs, keep_going: bool) -> Boards {
        Boards { waiting, current: None, reading, keep_going, stopped: false, number: 0, bytes_read: Arc::default() }
    }

    /// The number of boards, where it is known before reading.
    pub fn known_count(&self) -> Option<usize> {
        self.waiting.iter().flatten().map(Input::boards).sum()
    }

    /// The number of bytes, where it is known before reading, to show progress by.
    pub fn known_bytes(&self) -> Option<u64> {
        self.waiting.iter().flatten().map(Input::bytes).sum()
    }

    /// How many bytes were read so far; goes on counting while somebody else reads.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// The only board of the input.
    pub fn only(mut self) -> Result<Entry, Failure> {
        let refused = Failure::bad_input;
        let entry = self.next().unwrap_or_else(|| Err(miette::miette!("there is no board"))).map_err(refused)?;
        match self.next() {
            None => Ok(entry),
            Some(Err(report)) => Err(refused(report)),
            Some(Ok(_)) => Err(refused(message_with_help(
                "there is more than one board",
                "this command takes one board: give it alone, or as a text of one line",
            ))),
        }
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
            let counting = Counting { inner: bytes, count: Arc::clone(&self.bytes_read) };
            self.current = Some(Current { input, reader: Reader::new(counting, options) });
        }))
    }

    /// The next board or refusal, without regard to whether an earlier one ended everything.
    fn advance(&mut self) -> Option<Result<Entry, miette::Report>> {
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
                        Ok(puzzle) => Ok(Entry { puzzle, number, from_suite }),
                        Err(error) => Err(explain(error, &current.input).into()),
                    });
                }
                None => self.current = None,
            }
        }
    }
}

impl Iterator for Boards {
    type Item = Result<Entry, miette::Report>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.stopped {
            return None;
        }
        let item = self.advance();
        self.stopped = item.as_ref().is_none_or(|item| item.is_err() && !self.keep_going);
        item
    }
}

/// An argument that is no board, and a mere word, may have been meant as a file.
pub fn explain(mut error: ParseError, input: &Input) -> ParseError {
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    if matches!(input, Input::Text(text) if is_word(text)) {
        let note = "(there is no file of that name either)";
        error.help = Some(error.help.map_or_else(|| note.to_owned(), |help| format!("{help} {note}")));
    }
    let source = Arc::make_mut(&mut error.source_code);
    source.text = printable(&source.text);
    error
}

/// A text of the input without anything that could command a terminal. Offsets in it stay what they were.
fn printable(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() => {
            if c.len_utf8() == 1 {
                '?'
            } else {
                '¿'
            }
        }
        c => c,
    };
    text.chars().map(harmless).collect()
}

/// Counts the bytes that pass.
struct Counting {
    inner: Box<dyn BufRead + Send>,
    count: Arc<AtomicU64>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl BufRead for Counting {
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
    fn what_commands_a_terminal_is_not_shown() {
        let text = "a\u{1b}[31m\u{9b}é\n";
        assert_eq!(printable(text), "a?[31m¿é\n");
        assert_eq!(printable(text).len(), text.len());
    }

    #[test]
    fn boards_are_not_taken_for_paths() {
        for path in ["boards.txt", "a/b", "./x", "cards.TSV.tsv", "C:\\boards"] {
            assert!(looks_like_path(path), "{path}");
        }
        for board in ["BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "4x3:...BAA.B....", "{\"name\":\"a/b\"}", "..\nA/"] {
            assert!(!looks_like_path(board), "{board}");
        }
    }
}
