//! Cuts a stream of JSON into its objects: one a line, one over many lines, or all in an array. One object is held at a
//! time, so an array of any length is read in constant memory.

use super::error::Fault;
use super::input::{Input, Stop, to_text};
use super::reader::Next;
use super::record::Record;
use std::io::BufRead;

/// The longest object, in bytes.
const MAX_DOCUMENT: usize = 4 * 1024 * 1024;
/// The deepest nesting. Our own schema needs three levels.
const MAX_DEPTH: usize = 64;
/// How much of what is not an object is kept to be shown, in bytes.
const KEPT: usize = 1024;

/// Where the reading stands.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// Whether an array of objects is open.
    in_array: bool,
    /// The characters already read from the current line.
    column: usize,
    /// Whether one of them was not blank.
    begun: bool,
    /// Whether the first line was begun, so that it counts.
    started: bool,
}

/// What an object's bytes have opened so far.
#[derive(Default)]
struct Nesting {
    open: Vec<u8>,
    /// The last byte that was not blank, outside of strings.
    last: u8,
    in_string: bool,
    escaped: bool,
}

/// What a byte does to the object it belongs to.
enum Step {
    Goes,
    Ends,
    /// The byte cannot stand here, nor can anything after it on this line.
    Breaks,
    TooDeep,
}

impl Nesting {
    fn step(&mut self, byte: u8) -> Step {
        if self.in_string {
            match byte {
                b'\n' => return Step::Breaks,
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return Step::Goes;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return Step::Goes,
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                if self.open.len() == MAX_DEPTH {
                    return Step::TooDeep;
                }
                self.open.push(byte);
            }
            b'}' | b']' => {
                let opened = if byte == b'}' { b'{' } else { b'[' };
                if self.open.pop() != Some(opened) {
                    return Step::Breaks;
                }
                if self.open.is_empty() {
                    return Step::Ends;
                }
            }
            _ => {}
        }
        self.last = byte;
        Step::Goes
    }

    /// Whether an object may begin here. Where it may not, the object before it was broken off.
    fn expects_value(&self) -> bool {
        match self.open.last() {
            None => true,
            Some(b'{') => self.last == b':',
            Some(_) => matches!(self.last, b'[' | b','),
        }
    }
}

impl Documents {
    /// The next object, or what is wrong where one is expected.
    pub(super) fn next<R: BufRead>(&mut self, input: &mut Input<R>) -> Next {
        loop {
            let Some(byte) = self.peek(input)? else {
                if !std::mem::take(&mut self.in_array) {
                    return Ok(None);
                }
                let record = Record { text: String::new(), line: input.line, column: self.column };
                let fault = record.whole().fault("the array of boards does not end");
                return Ok(Some(Err(fault.label("a ] is expected here").of(record).into())));
            };
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.take(input, byte),
                b',' | b']' if self.in_array => {
                    self.in_array = byte == b',';
                    self.take(input, byte);
                }
                b'[' if !self.in_array => {
                    self.in_array = true;
                    self.take(input, byte);
                }
                b'{' => return self.object(input),
                _ => {
                    let (line, column, begun) = (input.line, self.column, self.begun);
                    let bytes = self.rest_of_line(input)?;
                    let record = Record { text: to_text(bytes, line, column)?, line, column };
                    // What detection passes over is passed over here too: comments, and blanks of any kind.
                    let text = record.text.trim();
                    if !begun && (text.is_empty() || text.starts_with('#')) {
                        continue;
                    }
                    let fault = record.whole().trim().fault("a JSON object is expected").label("this is none");
                    return Ok(Some(Err(fault
                        .help("a board in JSON is an object: {\"board\": \"...\"}")
                        .of(record)
                        .into())));
                }
            }
        }
    }

    fn object<R: BufRead>(&mut self, input: &mut Input<R>) -> Next {
        let (line, column) = (input.line, self.column);
        let mut bytes = Vec::new();
        let mut nesting = Nesting::default();
        while let Some(byte) = self.peek(input)? {
            if byte == b'{' && self.column == 0 && !nesting.expects_value() {
                break;
            }
            let step = nesting.step(byte);
            let excess = match step {
                Step::TooDeep => format!("the object is nested more than {MAX_DEPTH} deep"),
                _ if bytes.len() == MAX_DOCUMENT => format!("the object is longer than {MAX_DOCUMENT} bytes"),
                Step::Breaks => {
                    bytes.extend(self.rest_of_line(input)?);
                    break;
                }
                Step::Goes | Step::Ends => {
                    bytes.push(byte);
                    self.take(input, byte);
                    if matches!(step, Step::Ends) {
                        break;
                    }
                    continue;
                }
            };
            bytes.truncate(KEPT);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let fault = Fault::new(0..1, excess).label("begins here");
            return Err(Stop::Refused(fault.of(Record { text, line, column }).into()));
        }
        let mut text = to_text(bytes, line, column)?;
        text.truncate(text.trim_end().len());
        Ok(Some(Ok(Record { text, line, column })))
    }

    /// The next byte, which stays where it is.
    fn peek<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Option<u8>, Stop> {
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

    /// Takes the byte that was peeked at.
    fn take<R: BufRead>(&mut self, input: &mut Input<R>, byte: u8) {
        input.bytes().consume(1);
        if byte == b'\n' {
            input.line += 1;
            (self.column, self.begun) = (0, false);
        } else {
            // Bytes 10xxxxxx continue a character.
            self.column += usize::from(byte & 0xC0 != 0x80);
            self.begun |= !byte.is_ascii_whitespace();
        }
    }

    /// Takes the rest of the line with its end, and returns the beginning of it.
    fn rest_of_line<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Vec<u8>, Stop> {
        let mut rest = Vec::new();
        loop {
            let bytes = fill(input)?;
            let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
            // What is kept must end with a whole character.
            let room = KEPT.saturating_sub(rest.len()).min(end);
            let whole = bytes[room..end].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count().min(3);
            rest.extend_from_slice(&bytes[..if room > 0 { room + whole } else { 0 }]);
            let (at_end, ended) = (bytes.is_empty(), end < bytes.len());
            input.bytes().consume(end);
            if ended {
                self.take(input, b'\n');
            }
            if ended || at_end {
                return Ok(rest);
            }
        }
    }
}

fn fill<R: BufRead>(input: &mut Input<R>) -> Result<&[u8], Stop> {
    loop {
        // Asked twice, because the borrow of the first answer would not end in time.
        match input.bytes().fill_buf() {
            Ok(_) => return input.bytes().fill_buf().map_err(Stop::Io),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Stop::Io(error)),
        }
    }
}
