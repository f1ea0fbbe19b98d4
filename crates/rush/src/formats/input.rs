//! Reads the input as lines of bounded length. Lines peeked at for format detection are read again afterwards.

use super::record::{InputRecord, InvalidRecord};
use clearway_util::syntax::SyntaxError;
use std::borrow::Cow;
use std::io::{self, BufRead, Chain, Cursor, Read};

/// Maximum length of a line, and of a block of lines that holds one board, in bytes. It leaves room for names and comments,
/// and bounds the memory of the reader for any source (JSON documents have their own limit).
pub(super) const MAX_RECORD: usize = 64 * 1024;

/// An error after which reading cannot continue: the input failed, is not text, or exceeds a size limit.
#[derive(Debug)]
pub(super) enum FatalError {
    Io(io::Error),
    Invalid(Box<InvalidRecord>),
}

/// A line that was peeked at and is still to be read.
pub(super) struct PeekedLine {
    /// The line, with invalid UTF-8 replaced.
    pub(super) line: String,
    /// Whether the line is valid UTF-8 without NUL bytes.
    pub(super) is_text: bool,
}

/// An input that counts its lines.
pub(super) struct Input<R> {
    /// The peeked lines, followed by the rest of the input.
    input: Chain<Cursor<Vec<u8>>, R>,
    /// Number of the line read last, from 1; 0 before the first line.
    pub(super) line: usize,
}

impl<R: BufRead> Input<R> {
    pub(super) fn new(input: R) -> Input<R> {
        Input { input: Cursor::new(Vec::new()).chain(input), line: 0 }
    }

    /// Peeks at one more line (or the first [`MAX_RECORD`] bytes of a longer one) without consuming it. Must not be called
    /// after [`next_line`](Self::next_line).
    pub(super) fn peek_line(&mut self) -> io::Result<Option<PeekedLine>> {
        let (peeked, input) = self.input.get_mut();
        let peeked = peeked.get_mut();
        let start = peeked.len();
        input.take(MAX_RECORD as u64).read_until(b'\n', peeked)?;
        let bytes = &peeked[start..];
        let line = String::from_utf8_lossy(bytes);
        let is_text = matches!(line, Cow::Borrowed(_)) && !bytes.contains(&0);
        // As in `next_line`, only the first line may start with a byte order mark.
        let mark = (self.line == 0 && start == 0).then(|| line.strip_prefix('\u{feff}')).flatten();
        Ok((!line.is_empty()).then(|| PeekedLine { line: mark.unwrap_or(&line).to_string(), is_text }))
    }

    /// Discards the line peeked at, which must be the only one.
    pub(super) fn discard_peeked(&mut self) {
        self.input.get_mut().0.get_mut().clear();
        self.line += 1;
    }

    /// Reads the next line, without its line ending.
    pub(super) fn next_line(&mut self) -> Result<Option<String>, FatalError> {
        let mut bytes = Vec::new();
        let limit = MAX_RECORD as u64 + 1;
        (&mut self.input).take(limit).read_until(b'\n', &mut bytes).map_err(FatalError::Io)?;
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
            let error =
                SyntaxError::new(0..1, format!("the line is longer than {MAX_RECORD} bytes")).with_label("starts here");
            let error = error.with_help("a line holds one board, or one row or vehicle of a board");
            return Err(FatalError::Invalid(InputRecord::new(text, self.line).invalid(error).into()));
        }
        if text.ends_with('\r') {
            text.pop();
        }
        if self.line == 1 && text.starts_with('\u{feff}') {
            text.remove(0);
        }
        Ok(Some(text))
    }

    /// The input as bytes, for readers that do not work line by line.
    pub(super) fn bytes(&mut self) -> &mut impl BufRead {
        &mut self.input
    }
}

/// Decodes the bytes of a record. A record that is not text ends the reading: nothing after it can be trusted.
pub(super) fn to_text(bytes: Vec<u8>, line: usize, column: usize) -> Result<String, FatalError> {
    let nul = bytes.iter().position(|&byte| byte == 0);
    let (text, at) = match (String::from_utf8(bytes), nul) {
        (Ok(text), None) => return Ok(text),
        (Ok(text), Some(nul)) => (text, nul),
        (Err(error), nul) => {
            let valid = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), nul.map_or(valid, |nul| nul.min(valid)))
        }
    };
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    let error =
        SyntaxError::new(at..end, "the input is not text").with_label("this byte").with_help("boards are UTF-8 text");
    Err(FatalError::Invalid(InputRecord { text, line, column }.invalid(error).into()))
}
