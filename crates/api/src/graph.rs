//! The component of a board as a graph.

use crate::RequestError;
use crate::SearchRequest;
use crate::board::BoardRequest;
use crate::request::within;
use clearway_answers::Graph;
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum number of states in a graph.
const MAX_STATES: usize = 25_000;

/// A board whose graph is requested.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GraphOptions {
    /// Maximum number of states; if there are more, the graph is a sample of them.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 25_000)]
    most_states: Option<usize>,
}

/// A board whose states are requested.
#[derive(Debug)]
pub struct GraphRequest(pub BoardRequest<GraphOptions>);

impl SearchRequest for GraphRequest {
    type Found = Graph;

    fn limits(&self) -> Result<Limits, RequestError> {
        within("most_states", self.0.options.most_states, 1..=MAX_STATES)?;
        self.0.limits.to_limits()
    }

    fn search(&self, _: &mut Solver, limits: &Limits) -> Result<(Self::Found, Option<Limit>), RequestError> {
        let BoardRequest { board, metric, options, .. } = &self.0;
        let max = options.most_states.unwrap_or(MAX_STATES);
        let graph = clearway_answers::graph(&board.read()?.board, *metric, max, limits);
        // More time may complete the graph.
        let ended_by = (!graph.complete).then_some(Limit::Time);
        Ok((graph, ended_by))
    }

    fn answer<'a>(&'a self, graph: &'a Self::Found) -> impl Serialize + 'a {
        graph
    }
}
