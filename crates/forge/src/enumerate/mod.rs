//! Enumerates all puzzles of a size.
//!
//! - `plan`: the boards to enumerate, divided into tasks; `run`: runs tasks on several threads
//! - `line`, `fit`, `bit_layout`: the rows and columns of a board, and the vehicles that fit into them
//! - `space`: the states of a family of boards, packed into words; `transitions`: moves as operations on words
//! - `layers`: breadth-first search from the solved states; `components`: connected components of the states
//! - `hardest`: the hardest states of every component; `needed`: the first of them that needs all of its vehicles
//! - `part`: splits tasks that are too large for one family; `worker`: runs a task; `listed`: the puzzles and counts that it
//!   returns
//! - `catalogue`: all puzzles in order, as text or `parquet`; `log`: completed tasks, to resume from; `shard`: tasks completed
//!   elsewhere
//! - `sizes`: number of states of every task, without a search; `probe`: random samples of tasks, to estimate the total cost

mod bit_layout;
mod catalogue;
mod components;
mod fit;
mod hardest;
mod layers;
mod line;
mod listed;
mod log;
mod needed;
#[cfg(feature = "parquet")]
mod parquet;
mod part;
mod plan;
mod probe;
mod run;
#[cfg(feature = "parquet")]
mod shard;
mod sizes;
mod space;
mod transitions;
mod worker;

pub use catalogue::Catalogue;
pub use listed::{CatalogueEntry, ComponentCounts};
pub use log::{CorruptLines, LogError, TaskLog};
pub use plan::{EnumerationPlan, EnumerationPlanError, Representative};
pub use probe::{Probe, SampledFamily};
pub use run::run;
pub use worker::TaskResult;
use worker::Worker;
