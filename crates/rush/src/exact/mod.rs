//! The exact solver: returns an optimal solution, or proves that none exists.
//!
//! - `line`: lines, groups and configurations, the basic concepts
//! - `key`: packed states; `table`: the hash table of packed states; `memory`: the states that a search has found
//! - `reach`: the static tests, and the configurations that need to be packed
//! - `small` with `occupancy`: the state space of boards up to 8x8, by table look-up; `wide`: the state space of all others
//! - `best_first`, `landmarks`: the search for an optimal solution, and the heuristic for large boards
//! - `flood`, `contracted` with `classes`: enumeration of a whole component; `component`: facts about all reachable states; `hardest`: only
//!   the hardest states
//! - `solutions`: all optimal and nearly optimal solutions

mod best_first;
mod classes;
mod component;
mod contracted;
mod flood;
mod hardest;
mod key;
mod landmarks;
mod line;
mod memory;
mod occupancy;
mod reach;
mod small;
mod solutions;
mod solver;
mod table;
mod wide;

pub use component::Analysis;
pub use hardest::HardestState;
pub use solutions::{SolutionEdge, SolutionGraph, SolutionNode};
pub use solver::{Answer, Solver};

use key::Key;
use memory::SearchMemory;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// How the length of a solution is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Metric {
    /// A slide of any length counts as 1.
    #[default]
    Moves,
    /// Each cell that a vehicle moves counts as 1.
    Steps,
}

impl Metric {
    /// Name of this metric: `moves` or `steps`.
    pub fn as_str(self) -> &'static str {
        match self {
            Metric::Moves => "moves",
            Metric::Steps => "steps",
        }
    }
}

/// A name that is not the name of a metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown metric '{name}'; expected moves or steps")]
#[non_exhaustive]
pub struct UnknownMetric {
    /// The unknown name.
    pub name: String,
}

impl FromStr for Metric {
    type Err = UnknownMetric;

    /// Parses the [name](Metric::as_str) of a metric.
    ///
    /// ```
    /// use clearway_rush::Metric;
    /// assert_eq!("steps".parse(), Ok(Metric::Steps));
    /// assert_eq!("cells".parse::<Metric>().unwrap_err().to_string(), "unknown metric 'cells'; expected moves or steps");
    /// ```
    fn from_str(name: &str) -> Result<Metric, UnknownMetric> {
        let metric = [Metric::Moves, Metric::Steps].into_iter().find(|metric| metric.as_str() == name);
        metric.ok_or_else(|| UnknownMetric { name: name.to_owned() })
    }
}

/// The states of one board in packed form.
trait StateSpace: Sized {
    type Key: Key;

    fn start(&self) -> Self::Key;
    fn is_solved(&self, key: Self::Key) -> bool;
    /// Appends the states one move (in the space's metric) away.
    fn successors(&self, key: Self::Key, found: &mut Vec<Self::Key>);
    /// Adds the successors of the state at index `from` of the memory, at `depth`. The memory must have room for
    /// [`max_successors`](Self::max_successors). Successors that the parent also reaches, at that depth or a smaller one, may
    /// be omitted.
    fn add_successors(&self, from: usize, depth: u32, memory: &mut SearchMemory<Self::Key>);
    /// Upper bound on the number of successors of a state.
    fn max_successors(&self) -> usize;
    /// Returns the state in which each line has the given configuration of its group; `None` if the space has no such state.
    fn pack(&self, config: impl Fn(usize) -> usize) -> Option<Self::Key>;
    /// Writes the position of each vehicle of the board.
    fn positions(&self, key: Self::Key, positions: &mut [u8]);
}

/// Bytes of a hash table of the standard library after the next few thousand insertions. It grows when seven eighths of it are
/// full; meanwhile the old table and one of twice the size exist side by side.
fn hash_table_bytes(len: usize, capacity: usize, entry: usize) -> usize {
    let held = capacity.div_ceil(7) * 8 * (entry + 1);
    if len + capacity / 8 >= capacity { 3 * held } else { held }
}
