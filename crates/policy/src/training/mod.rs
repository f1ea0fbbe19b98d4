//! Breeding policies: the boards they learn from, how they are judged, and the run.

mod arena;
mod board;
mod breeding;
mod config;
mod fit;
mod probes;
mod search;
mod trial;

pub use arena::{Arena, ArenaError, ArenaMove, ArenaState};
pub use board::{BoardJob, BoardLimits, LeftOut, TrainingBoard};
pub use breeding::{Breeding, Chosen, Memory, MemoryError, Verdicts};
pub use config::{Config, Objective};
pub use fit::LinearFit;
pub use search::{OwnPolicy, PolicySearch};
pub use trial::{Scratch, Trial, baseline};
