//! Breeding policies: the boards they learn from, how they are judged, and the run.

mod arena;
mod board;
mod breeding;
mod config;
mod fit;
mod probes;
mod trial;

pub use arena::{Arena, ArenaError, ArenaMove, ArenaState};
pub use board::{BoardJob, BoardLimits, LeftOut, TrainingBoard};
pub use breeding::{Breeding, Chosen, Memory, MemoryError, Verdicts};
pub use config::{Config, Objective};
pub use fit::LinearFit;
pub use trial::{Guidance, Scratch, SearchOptions, Trial, baseline};
