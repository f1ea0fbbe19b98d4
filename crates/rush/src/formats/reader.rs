//! Reads boards one after the other, in the format asked for or detected.

use super::documents::Documents;
use super::error::{ParseError, Refused};
use super::input::{Ahead, Input, MAX_RECORD, Stop};
use super::record::Record;
use super::{Format, Puzzle, detect};
use crate::{Exit, Size};
use std::io::BufRead;

/// How boards are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; detected if it is not given.
    pub format: Option<Format>,
    /// The size of boards in the formats that carry no size (course, IT3105); others ignore it.
    pub size: Option<Size>,
    /// The exit of every board, whatever the text says.
    pub exit: Option<Exit>,
    /// The name of the source in errors.
    pub source_name: String,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { format: None, size: None, exit: None, source_name: "input".to_string() }
    }
}

/// Reads boards one after the other, without holding more than one of them.
///
/// After an error it resumes at the next board: on the next line, or, in formats where a board takes several lines, after
/// the next blank line. Only an input that fails, that is not text or that has a line longer than any board ends it. An
/// input without boards gives one error.
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
    found: bool,
    finished: bool,
}

/// What stands where a record is expected.
pub(super) type Next = Result<Option<Result<Record, Box<Refused>>>, Stop>;

impl<R: BufRead> Reader<R> {
    /// A reader. Nothing is read until a board is asked for.
    pub fn new(input: R, options: ReadOptions) -> Reader<R> {
        let format = options.format;
        let (input, documents) = (Input::new(input), Documents::default());
        Reader { input, documents, options, format, found: false, finished: false }
    }

    /// The format: the one asked for, or the one detected when the first board was read.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Looks at the lines up to the end of the first block, and no further than it must.
    fn detect(&mut self) -> Result<Option<Format>, Stop> {
        let mut lines: Vec<String> = Vec::new();
        let mut size = 0;
        while let Some(Ahead { line, is_text }) = self.input.look_ahead().map_err(Stop::Io)? {
            let blank = line.trim().is_empty();
            let passed_over = blank || detect::is_comment(&line, None);
            if lines.is_empty() {
                // What is not text is refused by any format, and must not be skipped.
                if passed_over && !is_text {
                    return Ok(Some(Format::Line));
                }
                if passed_over && line.ends_with('\n') {
                    self.input.skip_ahead();
                    continue;
                }
                if let Some(format) = detect::by_first_line(&line) {
                    return Ok(Some(format));
                }
            }
            size += line.len();
            if !passed_over {
                lines.push(line);
            }
            if blank || size >= MAX_RECORD {
                break;
            }
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        // A blank or a comment without end is refused by any format that reads lines.
        let too_long = (size >= MAX_RECORD).then_some(Format::Line);
        Ok(if lines.is_empty() { too_long } else { Some(detect::by_block(&lines)) })
    }

    fn next_record(&mut self) -> Next {
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

    fn next_line(&mut self, format: Format) -> Next {
        while let Some(line) = self.input.next_line()? {
            if !line.trim().is_empty() && !detect::is_comment(&line, Some(format)) {
                return Ok(Some(Ok(Record::new(line, self.input.line))));
            }
        }
        Ok(None)
    }

    /// The lines up to a blank one. Comments in between are left empty, so that lines keep their numbers.
    fn next_block(&mut self, format: Format) -> Next {
        let mut block: Option<Record> = None;
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
            let block = block.get_or_insert_with(|| Record::new(String::new(), self.input.line));
            too_large |= block.text.len() + line.len() > MAX_RECORD;
            if !too_large {
                block.text.push_str(if comment { "" } else { &line });
                block.text.push('\n');
            }
        }
        Ok(block.map(|block| {
            if too_large {
                let fault = block.whole().fault(format!("this block of lines is longer than {MAX_RECORD} bytes"));
                Err(fault.label("begins here").help("a blank line separates boards").of(block).into())
            } else {
                Ok(block)
            }
        }))
    }

    pub(super) fn nothing_found(&self) -> ParseError {
        let message = format!("no board found in {}", self.options.source_name);
        let help = "a board is expected, such as BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
        ParseError::without_place(message, help, &self.options.source_name)
    }

    fn error(&self, stop: Stop) -> ParseError {
        match stop {
            Stop::Refused(refused) => ParseError::new(*refused, &self.options.source_name),
            Stop::Io(error) => ParseError::without_place(
                format!("{} cannot be read: {error}", self.options.source_name),
                "a text file with boards is expected",
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
                    .map_err(|fault| ParseError::new(fault.of(record), &self.options.source_name)),
                None => return None,
            },
            Ok(Some(Err(refused))) => Err(ParseError::new(*refused, &self.options.source_name)),
            Ok(None) => {
                self.finished = true;
                if self.found {
                    return None;
                }
                Err(self.nothing_found())
            }
            Err(stop) => {
                self.finished = true;
                Err(self.error(stop))
            }
        };
        self.found = true;
        Some(item)
    }
}
