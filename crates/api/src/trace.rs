//! A search, expansion by expansion.

use crate::RequestError;
use crate::board::BoardRequest;
use crate::policies::Policies;
use crate::request::within;
use clearway_answers::Trace;
use clearway_search::Limits;
use serde::Deserialize;
use utoipa::ToSchema;

/// Maximum number of expansions in a trace.
const MAX_EXPANSIONS: u64 = 2_000;

/// A board, and the algorithm to trace.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TraceOptions {
    /// The algorithm, such as bfs or astar(blockers); see /algorithms.
    #[schema(example = "astar(blockers)")]
    algorithm: String,
    /// Maximum number of expansions. The default is 2,000.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2000)]
    most_expansions: Option<u64>,
}

impl TraceOptions {
    /// Returns the maximum number of expansions.
    pub fn most_expansions(&self) -> Result<u64, RequestError> {
        Ok(within("most_expansions", self.most_expansions, 1..=MAX_EXPANSIONS)?.unwrap_or(MAX_EXPANSIONS))
    }
}

/// Traces a search within the limits.
pub fn trace(
    request: &BoardRequest<TraceOptions>,
    policies: &Policies,
    limits: &Limits,
) -> Result<Trace, RequestError> {
    let max = request.options.most_expansions()?;
    let (board, contestant) = (request.board.read()?.board, policies.contestant(&request.options.algorithm)?);
    clearway_answers::trace(&board, &contestant, request.metric, max, limits)
        .map_err(|error| RequestError::bad_request(error.to_string()))
}
