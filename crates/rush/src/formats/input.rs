//! The input as lines of bounded length, with what was looked at to detect the format put back in front.

use super::error::{Fault, Refused};
use super::record::Record;
use std::borrow::Cow;
use std::io::{self, BufRead, Chain, Cursor, Read};

/// The longest line, and the longest block of lines, that can hold a board, in bytes. It leaves room for names and
/// comments, and no source can make the reader hold more than this (JSON documents apart).
pub(super) const MAX_RECORD: usize = 64 * 1024;

/// Something that ends the reading: the input failed, or is no text.
#[derive(Debug)]
pub(super) enum Stop {
    Io(io::Error),
    Refused(Box<Refused>),
}

/// A line that was looked at.
pub(super) struct Ahead {
    /// The line, with something else for what is not text.
    pub(super) line: String,
    /// Whether the line can be read.
    pub(super) is_text: bool,
}

/// An input and the number of the line that was read last.
pub(super) struct Input<R> {
    input: Chain<Cursor<Vec<u8>>, R>,
    pub(super) line: usize,
}

impl<R: BufRead> Input<R> {
    pub(super) fn new(input: R) -> Input<R> {
        Input { input: Cursor::new(Vec::new()).chain(input), line: 0 }
    }

    /// Looks at one more line (or the beginning of one that is too long) without taking it. Only before a line is
    /// taken.
    pub(super) fn look_ahead(&mut self) -> io::Result<Option<Ahead>> {
        let (ahead, input) = self.input.get_mut();
        let ahead = ahead.get_mut();
        let start = ahead.len();
        input.take(MAX_RECORD as u64).read_until(b'\n', ahead)?;
        let bytes = &ahead[start..];
        let line = String::from_utf8_lossy(bytes);
        let is_text = matches!(line, Cow::Borrowed(_)) && !bytes.contains(&0);
        // As in `next_line`, only the first line may begin with a byte order mark.
        let mark = (self.line == 0 && start == 0).then(|| line.strip_prefix('\u{feff}')).flatten();
        Ok((!line.is_empty()).then(|| Ahead { line: mark.unwrap_or(&line).to_string(), is_text }))
    }

    /// Takes the lines looked at so far, in which there was nothing to read.
    pub(super) fn skip_ahead(&mut self) {
        self.input.get_mut().0.get_mut().clear();
        self.line += 1;
    }

    /// The next line, without its end.
    pub(super) fn next_line(&mut self) -> Result<Option<String>, Stop> {
        let mut bytes = Vec::new();
        let limit = MAX_RECORD as u64 + 1;
        (&mut self.input).take(limit).read_until(b'\n', &mut bytes).map_err(Stop::Io)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let too_long = bytes.len() > MAX_RECORD;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        let mut text = to_text(bytes, self.line, 0)?;
        if too_long {
            let fault = Fault::new(0..1, format!("the line is longer than {MAX_RECORD} bytes")).label("begins here");
            let fault = fault.help("a line holds one board, or one row or vehicle of a board");
            return Err(Stop::Refused(fault.of(Record::new(text, self.line)).into()));
        }
        if text.ends_with('\r') {
            text.pop();
        }
        if self.line == 1 && text.starts_with('\u{feff}') {
            text.remove(0);
        }
        Ok(Some(text))
    }

    /// The bytes at hand, for those who do not read by lines.
    pub(super) fn bytes(&mut self) -> &mut impl BufRead {
        &mut self.input
    }
}

/// The text that the bytes of a record are. What is not text ends the reading: nothing after it can be trusted.
pub(super) fn to_text(bytes: Vec<u8>, line: usize, column: usize) -> Result<String, Stop> {
    let nul = bytes.iter().position(|&byte| byte == 0);
    let valid = match (String::from_utf8(bytes), nul) {
        (Ok(text), None) => return Ok(text),
        (Ok(text), Some(nul)) => (text, nul),
        (Err(error), nul) => {
            let valid = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), nul.map_or(valid, |nul| nul.min(valid)))
        }
    };
    let (text, at) = valid;
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    let fault = Fault::new(at..end, "the input is not text").label("this byte").help("boards are text in UTF-8");
    Err(Stop::Refused(fault.of(Record { text, line, column }).into()))
}
