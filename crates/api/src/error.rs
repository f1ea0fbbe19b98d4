//! Why a request failed.

use clearway_util::syntax::ParseError;
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

/// Why a request failed, with the same messages as the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// What is wrong, in one sentence.
    pub error: String,
    /// How to fix it; null if that is obvious.
    pub help: Option<String>,
    /// The report as the command line prints it, with a caret under the error; null if the error has no position in an input.
    pub detail: Option<String>,
}

/// A request that failed: an HTTP status and the body of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// HTTP status, such as 400 for an invalid request.
    pub status: u16,
    /// Body of the response.
    pub problem: Problem,
    /// Cause of an internal error, for the log; clients do not see it.
    pub cause: Option<String>,
}

impl RequestError {
    /// Creates an error with a status.
    pub fn new(status: u16, error: impl Into<String>) -> RequestError {
        RequestError { status, problem: Problem { error: error.into(), help: None, detail: None }, cause: None }
    }

    /// 400: the request is invalid.
    pub fn bad_request(error: impl Into<String>) -> RequestError {
        RequestError::new(400, error)
    }

    /// 404: the resource does not exist.
    pub fn not_found(error: impl Into<String>) -> RequestError {
        RequestError::new(404, error)
    }

    /// 500: a fault of the program.
    pub fn internal(cause: impl fmt::Display) -> RequestError {
        let error = RequestError::new(500, "internal error; see the server's log");
        RequestError { cause: Some(cause.to_string()), ..error }
    }

    /// 400: an invalid input, with help and, with the feature `reports`, the position of the error.
    pub fn from_parse(error: &ParseError) -> RequestError {
        #[cfg(feature = "reports")]
        let detail = Some(clearway_util::syntax::render(error, clearway_util::syntax::Drawing::default()));
        #[cfg(not(feature = "reports"))]
        let detail = None;
        let problem = Problem { error: error.to_string(), help: error.help.clone(), detail };
        RequestError { status: 400, problem, cause: None }
    }

    /// Prefixes the message with the item that it is about.
    #[must_use]
    pub fn with_context(mut self, context: &str) -> RequestError {
        self.problem.error = format!("{context}: {}", self.problem.error);
        self
    }

    /// Adds how to fix it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> RequestError {
        self.problem.help = Some(help.into());
        self
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.problem.error)
    }
}

impl std::error::Error for RequestError {}
