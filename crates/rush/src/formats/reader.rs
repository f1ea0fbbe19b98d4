//! Reads boards one after the other, in a given or detected format.

use super::documents::Documents;
use super::input::{FatalError, Input, MAX_RECORD, PeekedLine};
use super::record::InputRecord;
use super::record::InvalidRecord;
use super::{Format, Puzzle, detect};
use crate::{Exit, Size};
use clearway_util::syntax::ParseError;
use std::io::BufRead;

/// Options for reading boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; detected if `None`.
    pub format: Option<Format>,
    /// The size of boards in formats that do not store it (course, IT3105); ignored by the others.
    pub size: Option<Size>,
    /// The exit of every board; overrides the exit in the text.
    pub exit: Option<Exit>,
    /// Name of the source in errors.
    pub source_name: String,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { format: None, size: None, exit: None, source_name: "input".to_string() }
    }
}

/// Reads boards one after the other, holding only one of them in memory.
///
/// After an error, reading continues with the next board: on the next line or, in formats where a board takes several lines,
/// after the next blank line. It ends early only if the input fails, is not text, or has a line (or JSON object) that is longer
/// than any board. An input without boards yields one error.
///
/// ```
/// use clearway_rush::formats::{Format, ReadOptions, Reader};
/// let text = "AA..\nAAB.\n6x2:AA..B.....B.\n";
/// let mut reader = Reader::new(text.as_bytes(), ReadOptions::default());
/// assert_eq!(reader.next().unwrap()?.board.width(), 2);
/// assert_eq!(reader.next().unwrap().unwrap_err().line, 2);
/// assert_eq!(reader.next().unwrap()?.board.width(), 6);
/// assert!(reader.next().is_none());
/// assert_eq!(reader.format(), Some(Format::Line));
/// # Ok::<(), clearway_rush::formats::ParseError>(())
/// ```
pub struct Reader<R> {
    input: Input<R>,
    documents: Documents,
    options: ReadOptions,
    format: Option<Format>,
    /// Whether a board or an error was returned.
    has_items: bool,
    finished: bool,
}

/// The next record, or the error found in its place; `None` at the end of the input.
pub(super) type NextRecord = Result<Option<Result<InputRecord, Box<InvalidRecord>>>, FatalError>;

impl<R: BufRead> Reader<R> {
    /// Creates a reader. It reads nothing before the first board is requested.
    pub fn new(input: R, options: ReadOptions) -> Reader<R> {
        let format = options.format;
        let (input, documents) = (Input::new(input), Documents::default());
        Reader { input, documents, options, format, has_items: false, finished: false }
    }

    /// The format: as given in the options, or as detected when the first board was read.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Detects the format from the first block of lines, without reading further than necessary.
    fn detect(&mut self) -> Result<Option<Format>, FatalError> {
        let mut lines: Vec<String> = Vec::new();
        let mut size = 0;
        while let Some(PeekedLine { line, is_text }) = self.input.peek_line().map_err(FatalError::Io)? {
            let blank = line.trim().is_empty();
            let is_skipped = blank || detect::is_comment(&line, None);
            if lines.is_empty() {
                // Invalid text must not be skipped. Every format rejects it.
                if is_skipped && !is_text {
                    return Ok(Some(Format::Line));
                }
                if is_skipped && line.ends_with('\n') {
                    self.input.discard_peeked();
                    continue;
                }
                if let Some(format) = detect::by_first_line(&line) {
                    return Ok(Some(format));
                }
            }
            size += line.len();
            if !is_skipped {
                lines.push(line);
            }
            if blank || size >= MAX_RECORD {
                break;
            }
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        // A blank line or comment of more than the maximum length is rejected by every format that reads lines.
        let too_long = (size >= MAX_RECORD).then_some(Format::Line);
        Ok(if lines.is_empty() { too_long } else { Some(detect::by_block(&lines)) })
    }

    fn next_record(&mut self) -> NextRecord {
        if self.format.is_none() {
            self.format = self.detect()?;
        }
        match self.format {
            None => Ok(None),
            Some(Format::Json) => self.documents.next(&mut self.input),
            Some(format @ (Format::Line | Format::Tsv)) => self.next_line(format),
            Some(format) => self.next_block(format),
        }
    }

    fn next_line(&mut self, format: Format) -> NextRecord {
        while let Some(line) = self.input.next_line()? {
            if !line.trim().is_empty() && !detect::is_comment(&line, Some(format)) {
                return Ok(Some(Ok(InputRecord::new(line, self.input.line))));
            }
        }
        Ok(None)
    }

    /// Reads the lines up to a blank one. Comments become empty lines, so that line numbers stay correct.
    fn next_block(&mut self, format: Format) -> NextRecord {
        let mut block: Option<InputRecord> = None;
        let mut too_large = false;
        while let Some(line) = self.input.next_line()? {
            let blank = line.trim().is_empty();
            if blank && block.is_some() {
                break;
            }
            let comment = detect::is_comment(&line, Some(format));
            if block.is_none() && (blank || comment) {
                continue;
            }
            let block = block.get_or_insert_with(|| InputRecord::new(String::new(), self.input.line));
            too_large |= block.text.len() + line.len() > MAX_RECORD;
            if !too_large {
                block.text.push_str(if comment { "" } else { &line });
                block.text.push('\n');
            }
        }
        Ok(block.map(|block| {
            if too_large {
                let error = block.whole().error(format!("the block of lines is longer than {MAX_RECORD} bytes"));
                let error = error.with_label("starts here").with_help("boards are separated by blank lines");
                Err(block.invalid(error).into())
            } else {
                Ok(block)
            }
        }))
    }

    pub(super) fn nothing_found(&self) -> ParseError {
        let message = format!("no board found in {}", self.options.source_name);
        let help = "expected a board such as BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
        ParseError::without_place(message, Some(help), &self.options.source_name)
    }

    fn error(&self, error: FatalError) -> ParseError {
        match error {
            FatalError::Invalid(invalid) => invalid.located(&self.options.source_name),
            FatalError::Io(error) => ParseError::without_place(
                format!("cannot read {}: {error}", self.options.source_name),
                Some("expected a text file with boards"),
                &self.options.source_name,
            ),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Puzzle, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let item = match self.next_record() {
            Ok(Some(Ok(record))) => match self.format {
                Some(format) => format
                    .read(&record, &self.options)
                    .map_err(|error| record.invalid(error).located(&self.options.source_name)),
                None => return None,
            },
            Ok(Some(Err(invalid))) => Err(invalid.located(&self.options.source_name)),
            Ok(None) => {
                self.finished = true;
                if self.has_items {
                    return None;
                }
                Err(self.nothing_found())
            }
            Err(error) => {
                self.finished = true;
                Err(self.error(error))
            }
        };
        self.has_items = true;
        Some(item)
    }
}
