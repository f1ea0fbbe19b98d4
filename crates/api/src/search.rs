//! Requests that one search answers.

use crate::RequestError;
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use serde::Serialize;

/// A request that one search answers. It may be searched again, with higher limits.
pub trait SearchRequest {
    /// What the search finds.
    type Found;

    /// Returns the requested limits, after checking everything but the board.
    fn limits(&self) -> Result<Limits, RequestError>;

    /// Searches within the limits; also returns the limit that ended the search, if any.
    fn search(&self, solver: &mut Solver, limits: &Limits) -> Result<(Self::Found, Option<Limit>), RequestError>;

    /// Returns the body of the response.
    fn answer<'a>(&'a self, found: &'a Self::Found) -> impl Serialize + 'a;
}
