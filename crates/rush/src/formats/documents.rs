//! Splits a stream of JSON into its objects: one per line, one over several lines, or all in an array. Only one object is held
//! in memory, so an array of any length is read in bounded memory.

use super::input::{FatalError, Input, to_text};
use super::reader::NextRecord;
use super::record::InputRecord;
use clearway_util::syntax::SyntaxError;
use std::io::BufRead;

/// Maximum length of an object, in bytes.
const MAX_DOCUMENT: usize = 4 * 1024 * 1024;
/// Maximum nesting depth. The schema of this project needs three levels.
const MAX_DEPTH: usize = 64;
/// Number of bytes kept of invalid input, to be shown in the error.
const MAX_KEPT: usize = 1024;

/// The state of splitting a stream into objects.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// Whether an array of objects is open.
    in_array: bool,
    /// Number of characters read from the current line.
    column: usize,
    /// Whether one of them is not whitespace.
    line_has_content: bool,
    /// Whether the first line has been started and counted.
    started: bool,
}

/// The nesting state after some bytes of an object.
#[derive(Default)]
struct Nesting {
    /// The brackets that are open.
    open: Vec<u8>,
    /// The last byte outside of strings that is not whitespace.
    last: u8,
    in_string: bool,
    escaped: bool,
}

/// The effect of a byte on the object that it belongs to.
enum ByteEffect {
    /// The object continues.
    Continues,
    /// The object is complete.
    Completes,
    /// The object is malformed: the rest of the line cannot be valid.
    Malformed,
    /// The byte exceeds [`MAX_DEPTH`].
    TooDeep,
}

impl Nesting {
    /// Processes the next byte.
    fn advance(&mut self, byte: u8) -> ByteEffect {
        if self.in_string {
            match byte {
                b'\n' => return ByteEffect::Malformed,
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return ByteEffect::Continues;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return ByteEffect::Continues,
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                if self.open.len() == MAX_DEPTH {
                    return ByteEffect::TooDeep;
                }
                self.open.push(byte);
            }
            b'}' | b']' => {
                let opened = if byte == b'}' { b'{' } else { b'[' };
                if self.open.pop() != Some(opened) {
                    return ByteEffect::Malformed;
                }
                if self.open.is_empty() {
                    return ByteEffect::Completes;
                }
            }
            _ => {}
        }
        self.last = byte;
        ByteEffect::Continues
    }

    /// Whether an object may start here. If not, a `{` at the start of a line means that the object before it is truncated.
    fn expects_value(&self) -> bool {
        match self.open.last() {
            None => true,
            Some(b'{') => self.last == b':',
            Some(_) => matches!(self.last, b'[' | b','),
        }
    }
}

impl Documents {
    /// Reads the next object, or returns the error found in its place.
    pub(super) fn next<R: BufRead>(&mut self, input: &mut Input<R>) -> NextRecord {
        loop {
            let Some(byte) = self.peek(input)? else {
                if !std::mem::take(&mut self.in_array) {
                    return Ok(None);
                }
                let record = InputRecord { text: String::new(), line: input.line, column: self.column };
                let error = record.whole().error("unterminated array of boards");
                return Ok(Some(Err(record.invalid(error.with_label("expected ] here")).into())));
            };
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.consume(input, byte),
                b',' | b']' if self.in_array => {
                    self.in_array = byte == b',';
                    self.consume(input, byte);
                }
                b'[' if !self.in_array => {
                    self.in_array = true;
                    self.consume(input, byte);
                }
                b'{' => return self.object(input),
                _ => {
                    let (line, column, line_has_content) = (input.line, self.column, self.line_has_content);
                    let bytes = self.rest_of_line(input)?;
                    let record = InputRecord { text: to_text(bytes, line, column)?, line, column };
                    // As in format detection, skip comments and Unicode whitespace.
                    let text = record.text.trim();
                    if !line_has_content && (text.is_empty() || text.starts_with('#')) {
                        continue;
                    }
                    let error = record.whole().trim().error("expected a JSON object").with_label("not an object");
                    let error = error.with_help("a board in JSON is an object: {\"board\": \"...\"}");
                    return Ok(Some(Err(record.invalid(error).into())));
                }
            }
        }
    }

    fn object<R: BufRead>(&mut self, input: &mut Input<R>) -> NextRecord {
        let (line, column) = (input.line, self.column);
        let mut bytes = Vec::new();
        let mut nesting = Nesting::default();
        while let Some(byte) = self.peek(input)? {
            if byte == b'{' && self.column == 0 && !nesting.expects_value() {
                break;
            }
            let effect = nesting.advance(byte);
            let excess = match effect {
                ByteEffect::TooDeep => format!("the object is nested more than {MAX_DEPTH} levels deep"),
                _ if bytes.len() == MAX_DOCUMENT => format!("the object is longer than {MAX_DOCUMENT} bytes"),
                ByteEffect::Malformed => {
                    bytes.extend(self.rest_of_line(input)?);
                    break;
                }
                ByteEffect::Continues | ByteEffect::Completes => {
                    bytes.push(byte);
                    self.consume(input, byte);
                    if matches!(effect, ByteEffect::Completes) {
                        break;
                    }
                    continue;
                }
            };
            bytes.truncate(MAX_KEPT);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let error = SyntaxError::new(0..1, excess).with_label("starts here");
            return Err(FatalError::Invalid(InputRecord { text, line, column }.invalid(error).into()));
        }
        let mut text = to_text(bytes, line, column)?;
        text.truncate(text.trim_end().len());
        Ok(Some(Ok(InputRecord { text, line, column })))
    }

    /// Returns the next byte without consuming it.
    fn peek<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Option<u8>, FatalError> {
        if !self.started {
            self.started = true;
            input.line += 1;
            let bytes = fill(input)?;
            if bytes.starts_with("\u{feff}".as_bytes()) {
                input.bytes().consume(3);
            }
        }
        Ok(fill(input)?.first().copied())
    }

    /// Consumes the byte that was peeked at.
    fn consume<R: BufRead>(&mut self, input: &mut Input<R>, byte: u8) {
        input.bytes().consume(1);
        if byte == b'\n' {
            input.line += 1;
            (self.column, self.line_has_content) = (0, false);
        } else {
            // Bytes 10xxxxxx continue a character.
            self.column += usize::from(byte & 0xC0 != 0x80);
            self.line_has_content |= !byte.is_ascii_whitespace();
        }
    }

    /// Consumes the rest of the line with its line ending, and returns its first [`MAX_KEPT`] bytes or a few more.
    fn rest_of_line<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Vec<u8>, FatalError> {
        let mut rest = Vec::new();
        loop {
            let bytes = fill(input)?;
            let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
            // The kept bytes must end with a complete character.
            let room = MAX_KEPT.saturating_sub(rest.len()).min(end);
            let whole = bytes[room..end].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count().min(3);
            rest.extend_from_slice(&bytes[..if room > 0 { room + whole } else { 0 }]);
            let (at_end, ended) = (bytes.is_empty(), end < bytes.len());
            input.bytes().consume(end);
            if ended {
                self.consume(input, b'\n');
            }
            if ended || at_end {
                return Ok(rest);
            }
        }
    }
}

fn fill<R: BufRead>(input: &mut Input<R>) -> Result<&[u8], FatalError> {
    loop {
        // The buffer is requested twice because returning the first borrow from the loop is rejected by the borrow checker.
        match input.bytes().fill_buf() {
            Ok(_) => return input.bytes().fill_buf().map_err(FatalError::Io),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FatalError::Io(error)),
        }
    }
}
