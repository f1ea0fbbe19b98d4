//! Evolution of policies: the training boards, the evaluation of policies, and policies as a [problem](PolicyProblem) of
//! genetic programming.

mod arena;
mod board;
mod config;
mod direct;
mod fit;
mod known_plan;
mod probes;
mod problem;
mod search;
mod terminal_cache;
mod trial;

pub use arena::{Arena, ArenaError, ArenaMove, ArenaState};
pub use board::{BoardJob, BoardLimits, DirectLimits, SearchSize, TrainingBoard, TrainingBoardError, TrainingSpace};
pub use config::{Config, Objective};
pub use direct::DirectBoard;
pub use fit::LinearFit;
pub use known_plan::KnownPlan;
pub use problem::{EvaluatedChampion, EvolutionState, EvolutionStateError, PolicyPerformance, PolicyProblem};
pub use search::{OwnPolicy, PolicySearch, PolicySearchError};
pub use trial::{Scratch, Trial, baseline};
