//! What others see of a run while it breeds.

use crate::store::RunState;
use clearway_lab::evolve::LoggedGeneration;
use serde::Serialize;
use utoipa::ToSchema;

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What it does.
    pub state: RunState,
    /// What it does just now, if it runs.
    pub phase: Option<Phase>,
    /// Its generations so far.
    pub generations: Vec<LoggedGeneration>,
}

/// What a run does just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The boards to learn from are made ready.
    Preparing,
    /// Generation follows generation.
    Breeding,
    /// The champion is chosen, and tested on boards that no selection saw.
    Testing,
}
