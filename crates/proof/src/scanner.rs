//! Reads numbers and words from a file in constant memory, with the line for errors.

use crate::CheckError;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What follows in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LratToken {
    /// A number, with a sign if it is negative.
    Number(i64),
    /// The letter `d`, which marks a deletion.
    Delete,
    /// The end of a line.
    EndOfLine,
    /// The end of the file.
    EndOfFile,
}

/// Splits a file into tokens.
pub(crate) struct Scanner<R> {
    file: &'static str,
    reader: R,
    line: u64,
}

/// Opens a file of a certificate.
pub(crate) fn open(folder: &Path, file: &'static str) -> Result<BufReader<File>, CheckError> {
    let path = folder.join(file);
    let opened = File::open(&path).and_then(|opened| {
        if opened.metadata()?.is_file() { Ok(opened) } else { Err(std::io::Error::other("not a regular file")) }
    });
    match opened {
        Ok(opened) => Ok(BufReader::with_capacity(1 << 16, opened)),
        Err(error) => Err(CheckError::Io { path, error }),
    }
}

impl<R: BufRead> Scanner<R> {
    pub fn new(file: &'static str, reader: R) -> Scanner<R> {
        Scanner { file, reader, line: 1 }
    }

    /// The current line, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// An error in the current line.
    pub fn error(&self, message: impl Into<String>) -> CheckError {
        CheckError::at(self.file, self.line, message)
    }

    fn peek(&mut self) -> Result<Option<u8>, CheckError> {
        match self.reader.fill_buf() {
            Ok(bytes) => Ok(bytes.first().copied()),
            Err(error) => Err(CheckError::Io { path: self.file.into(), error }),
        }
    }

    /// Reads a fixed text.
    pub fn expect(&mut self, text: &str) -> Result<(), CheckError> {
        for expected in text.bytes() {
            if self.peek()? != Some(expected) {
                return Err(self.error(format!("expected '{text}'")));
            }
            self.reader.consume(1);
        }
        Ok(())
    }

    /// Reads the next token. Numbers are separated by single spaces.
    pub fn next(&mut self) -> Result<LratToken, CheckError> {
        // Not more than one, so that a file of spaces does not take as long as it likes.
        if self.peek()? == Some(b' ') {
            self.reader.consume(1);
        }
        match self.peek()? {
            None => Ok(LratToken::EndOfFile),
            Some(b'\n') => {
                self.reader.consume(1);
                self.line += 1;
                Ok(LratToken::EndOfLine)
            }
            Some(b'd') => {
                self.reader.consume(1);
                Ok(LratToken::Delete)
            }
            Some(b'-' | b'0'..=b'9') => self.number().map(LratToken::Number),
            Some(byte) => Err(self.error(format!("unexpected character '{}'", char::from(byte).escape_default()))),
        }
    }

    /// Reads a number up to the next byte that is not a digit.
    fn number(&mut self) -> Result<i64, CheckError> {
        let negative = self.peek()? == Some(b'-');
        if negative {
            self.reader.consume(1);
        }
        let (mut value, mut digits) = (0i64, 0);
        loop {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) => return Err(CheckError::Io { path: self.file.into(), error }),
            };
            let length = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            for &byte in &bytes[..length.min(20)] {
                value = value.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
            }
            let ends = length < bytes.len() || bytes.is_empty();
            digits += length;
            self.reader.consume(length);
            if digits > 18 {
                return Err(self.error("a number has more than 18 digits"));
            }
            if ends {
                break;
            }
        }
        match self.peek()? {
            _ if digits == 0 => Err(self.error("expected digits after '-'")),
            None | Some(b' ' | b'\n') => Ok(if negative { -value } else { value }),
            Some(byte) => {
                Err(self.error(format!("unexpected character '{}' in a number", char::from(byte).escape_default())))
            }
        }
    }
}
