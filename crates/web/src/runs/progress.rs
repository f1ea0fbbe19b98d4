//! The progress of a run as clients see it.

use crate::store::RunState;
use clearway_lab::evolve::LoggedGeneration;
use serde::Serialize;
use utoipa::ToSchema;

/// What clients that watch a run receive.
#[derive(Clone, Debug)]
pub struct RunProgress {
    /// State of the run.
    pub state: RunState,
    /// Current phase, if the run is in progress.
    pub phase: Option<Phase>,
    /// Generations so far.
    pub generations: Vec<LoggedGeneration>,
}

/// Current phase of a run in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The training boards are prepared.
    Preparing,
    /// Generations are evaluated.
    #[serde(rename = "breeding")]
    Evolving,
    /// The champion is chosen, and tested on held-out boards.
    Testing,
}
