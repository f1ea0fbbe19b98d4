//! What a refusal looks like.

use crate::transfer::LONGEST_BODY;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use miette::Diagnostic;
use serde::Serialize;
use std::time::Duration;
use utoipa::{IntoResponses, ToSchema};

/// Why a request was refused, in the words of the command line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// What is wrong, in one sentence.
    pub error: String,
    /// What to do about it; null if that is plain.
    pub help: Option<String>,
    /// The report as the command line prints it, with a caret under the place at fault; null if there is no such place.
    pub detail: Option<String>,
}

/// The refusals that every request may meet, for the document that describes the server.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is never made, only described")]
pub enum Refused {
    /// The request makes no sense.
    #[response(status = 400)]
    BadRequest(Problem),
    /// It does not bring the token that the server requires.
    #[response(status = 401)]
    Unauthorized(Problem),
    /// It comes from a page of another site, or is meant for another server.
    #[response(status = 403)]
    Forbidden(Problem),
    /// This client has too many connections; Retry-After tells when to ask again
    #[response(status = 429)]
    TooMany(Problem),
    /// A fault of the program.
    #[response(status = 500)]
    Internal(Problem),
    /// Too busy; Retry-After tells when to ask again
    #[response(status = 503)]
    TooBusy(Problem),
}

/// The refusals that requests with a body may meet beside those.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is never made, only described")]
pub enum BodyRefused {
    /// The body did not come within the time for it.
    #[response(status = 408)]
    Slow(Problem),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(Problem),
    /// The body is not said to be JSON.
    #[response(status = 415)]
    NotJson(Problem),
}

/// The refusal that requests which keep something may meet beside those.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is never made, only described")]
pub enum Full {
    /// The data folder is full
    #[response(status = 507)]
    NoRoom(Problem),
}

/// A refusal.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    problem: Problem,
    /// After how many seconds it may go better.
    retry_after: Option<u64>,
}

impl ApiError {
    /// A refusal with a status.
    pub fn new(status: StatusCode, error: impl Into<String>) -> ApiError {
        let problem = Problem { error: error.into(), help: None, detail: None };
        ApiError { status, problem, retry_after: None }
    }

    /// A request that makes no sense.
    pub fn bad_request(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, error)
    }

    /// Something that is not there.
    pub fn not_found(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error)
    }

    /// Something that cannot be done as things are.
    pub fn conflict(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error)
    }

    /// More of something is asked for than there may be at a time; it may be asked again later.
    pub fn too_many(error: impl Into<String>, seconds: u64) -> ApiError {
        ApiError { retry_after: Some(seconds), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, error) }
    }

    /// A body that is longer than any need be.
    pub fn too_large() -> ApiError {
        let error = format!("the body is larger than {LONGEST_BODY} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, error)
    }

    /// A body that did not come within the time for it.
    pub fn too_slow(time: Duration) -> ApiError {
        let error = format!("the body did not arrive within {} seconds", time.as_secs_f64());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, error)
    }

    /// Nothing more of this kind is kept.
    pub fn full(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INSUFFICIENT_STORAGE, error)
    }

    /// The database is locked by another program.
    pub fn locked(seconds: u64) -> ApiError {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the database is locked by another program");
        ApiError { retry_after: Some(seconds), ..error }
    }

    /// There is too much to do; it may be asked again later.
    pub fn too_busy(seconds: u64) -> ApiError {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server has too much to do");
        ApiError { retry_after: Some(seconds), ..error.with_help("ask again in a while") }
    }

    /// A fault of the program. What it was is told to who runs the server, not to who asks.
    pub fn internal(error: impl std::fmt::Display) -> ApiError {
        tracing::error!("internal error: {error}");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error; see the log of the server")
    }

    /// An input that was refused, with its place and what to do.
    pub fn of_report(report: &dyn Diagnostic) -> ApiError {
        let problem = Problem {
            error: report.to_string(),
            help: report.help().map(|help| help.to_string()),
            detail: Some(clearway_lab::render(report, clearway_lab::Drawing::default())),
        };
        ApiError { status: StatusCode::BAD_REQUEST, problem, retry_after: None }
    }

    /// The same about one of several things.
    pub fn about(mut self, what: &str) -> ApiError {
        self.problem.error = format!("{what}: {}", self.problem.error);
        self
    }

    /// The same with what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> ApiError {
        self.problem.help = Some(help.into());
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.problem)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
