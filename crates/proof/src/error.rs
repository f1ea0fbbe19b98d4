//! Why a certificate is rejected.

use clearway_search::Limit;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Why a certificate is not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// File that cannot be read.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The content of a file is invalid.
    #[error("{file}{}: {message}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Invalid {
        /// Name of the file.
        file: &'static str,
        /// The line, from 1, if the fault is in one.
        line: Option<u64>,
        /// The fault, and what was expected.
        message: String,
        /// Error of the reader of JSON or of boards, if it found the fault.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// A limit was reached before the certificate was checked.
    #[error("{0}")]
    Stopped(Limit),
}

impl CheckError {
    /// A fault in a line of a file.
    pub(crate) fn at(file: &'static str, line: u64, message: impl Into<String>) -> CheckError {
        CheckError::Invalid { file, line: Some(line), message: message.into(), source: None }
    }

    /// A fault of a whole file.
    pub(crate) fn in_file(file: &'static str, message: impl Into<String>) -> CheckError {
        CheckError::Invalid { file, line: None, message: message.into(), source: None }
    }

    /// A fault of a whole file that another reader found.
    pub(crate) fn caused_by(
        file: &'static str,
        message: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> CheckError {
        CheckError::Invalid { file, line: None, message: message.into(), source: Some(Box::new(source)) }
    }
}
