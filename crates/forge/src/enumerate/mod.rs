//! Every puzzle of a size.
//!
//! - `plan`: what is to be enumerated, and the tasks it is cut into; `run`: all of them, on many threads
//! - `line`, `fit`, `layout`: the rows and columns of a board, and what can stand in them
//! - `space`: the states of a family of boards, packed into words; `transitions`: moves as operations on words
//! - `layers`: the search from the solved states; `components`: which states can reach each other
//! - `hardest`: the hardest states of every component; `needed`: the first of them that needs all of its vehicles
//! - `part`: how a task too large for one family is split; `worker`: a task, from its first family to the puzzles it
//!   `listed`; `catalogue`: all of them in order, as text or `parquet`; `log`: what was done, to go on later; `shard`:
//!   what was done elsewhere
//! - `sizes`: how large every task is, without a search; `probe`: parts of tasks drawn at random, to learn what all cost

mod catalogue;
mod components;
mod fit;
mod hardest;
mod layers;
mod layout;
mod line;
mod listed;
mod log;
mod needed;
mod parquet;
mod part;
mod plan;
mod probe;
mod run;
mod shard;
mod sizes;
mod space;
mod transitions;
mod worker;

pub use catalogue::Catalogue;
pub use listed::{Listed, Tally};
pub use log::{CorruptLines, Log, LogError};
pub use plan::{Plan, PlanError, Representative};
pub use probe::{Drawn, Probe};
pub use run::run;
pub use worker::Found;
use worker::Worker;
