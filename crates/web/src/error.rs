//! Error responses.

use crate::transfer::MAX_BODY;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use clearway_api::RequestError;
use std::time::Duration;
use utoipa::IntoResponses;

pub use clearway_api::Problem;

/// Errors of every endpoint, for the API document.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only describes the responses in the OpenAPI document")]
pub enum CommonErrors {
    /// The request is invalid.
    #[response(status = 400)]
    BadRequest(Problem),
    /// The token that the server requires is missing or wrong.
    #[response(status = 401)]
    Unauthorized(Problem),
    /// The request comes from a page of another site, or the host name is unknown.
    #[response(status = 403)]
    Forbidden(Problem),
    /// This client has too many connections; see Retry-After
    #[response(status = 429)]
    TooMany(Problem),
    /// Internal error.
    #[response(status = 500)]
    Internal(Problem),
    /// The server is too busy; see Retry-After
    #[response(status = 503)]
    TooBusy(Problem),
}

/// Additional errors of endpoints with a request body.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only describes the responses in the OpenAPI document")]
pub enum BodyErrors {
    /// The body did not arrive in time.
    #[response(status = 408)]
    Slow(Problem),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(Problem),
    /// The body is not declared as JSON.
    #[response(status = 415)]
    NotJson(Problem),
}

/// Additional errors of endpoints that store data.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only describes the responses in the OpenAPI document")]
pub enum StorageErrors {
    /// The data folder or a storage limit is full
    #[response(status = 507)]
    Full(Problem),
}

/// Additional error of endpoints of a pack.
#[derive(IntoResponses)]
#[response(status = 404, description = "The pack does not exist")]
#[expect(dead_code, reason = "only describes the response in the OpenAPI document")]
pub struct NoSuchPack(Problem);

/// Additional error of endpoints of a run.
#[derive(IntoResponses)]
#[response(status = 404, description = "The run does not exist")]
#[expect(dead_code, reason = "only describes the response in the OpenAPI document")]
pub struct NoSuchRun(Problem);

/// An error response.
#[derive(Clone, Debug)]
pub struct ApiError {
    error: RequestError,
    /// Value of the Retry-After header, in seconds.
    retry_after: Option<u64>,
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> ApiError {
        // The cause goes to the log, not to the client.
        if let Some(cause) = &error.cause {
            tracing::error!("internal error: {cause}");
        }
        ApiError { error, retry_after: None }
    }
}

impl ApiError {
    /// Creates an error with a status.
    pub fn new(status: StatusCode, error: impl Into<String>) -> ApiError {
        RequestError::new(status.as_u16(), error).into()
    }

    /// 400: the request is invalid.
    pub fn bad_request(error: impl Into<String>) -> ApiError {
        RequestError::bad_request(error).into()
    }

    /// 404: the resource does not exist.
    pub fn not_found(error: impl Into<String>) -> ApiError {
        RequestError::not_found(error).into()
    }

    /// 409: the current state does not allow the request.
    pub fn conflict(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error)
    }

    /// 429: too many of something at the same time; the client may retry after `seconds`.
    pub fn too_many(error: impl Into<String>, seconds: u64) -> ApiError {
        ApiError { retry_after: Some(seconds), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, error) }
    }

    /// 413: the body exceeds the maximum size.
    pub fn too_large() -> ApiError {
        let error = format!("the body is larger than {MAX_BODY} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, error)
    }

    /// 408: the body did not arrive in time.
    pub fn too_slow(time: Duration) -> ApiError {
        let error = format!("the body did not arrive within {} seconds", time.as_secs_f64());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, error)
    }

    /// 507: a storage limit is reached.
    pub fn full(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INSUFFICIENT_STORAGE, error)
    }

    /// 503: another program has locked the database.
    pub fn locked(seconds: u64) -> ApiError {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the database is locked by another program");
        ApiError { retry_after: Some(seconds), ..error }
    }

    /// 503: the queues are full; the client may retry after `seconds`.
    pub fn too_busy(seconds: u64) -> ApiError {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server is too busy");
        ApiError { retry_after: Some(seconds), ..error.with_help("try again later") }
    }

    /// 500: a fault of the program. The cause goes to the log, not to the client.
    pub fn internal(cause: impl std::fmt::Display) -> ApiError {
        RequestError::internal(cause).into()
    }

    /// Returns the description of the error, for a response whose status is already sent.
    pub fn into_problem(self) -> Problem {
        self.error.problem
    }

    /// Adds how to fix it.
    pub fn with_help(self, help: impl Into<String>) -> ApiError {
        ApiError { error: self.error.with_help(help), ..self }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self.error.problem)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
