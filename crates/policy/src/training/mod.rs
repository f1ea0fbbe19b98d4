//! Evolution of policies: the training boards, the evaluation of policies, and policies as a [problem](PolicyProblem) of
//! genetic programming.

mod arena;
mod board;
mod config;
mod fit;
mod probes;
mod problem;
mod search;
mod trial;

pub use arena::{Arena, ArenaError, ArenaMove, ArenaState};
pub use board::{BoardJob, BoardLimits, TrainingBoard, TrainingBoardError};
pub use config::{Config, Objective};
pub use fit::LinearFit;
pub use problem::{EvaluatedChampion, Memory, MemoryError, PolicyPerformance, PolicyProblem};
pub use search::{OwnPolicy, PolicySearch};
pub use trial::{Scratch, Trial, baseline};
