//! The exact solver: a proven-shortest solution, or a proof that there is none.
//!
//! - `line`: lines, groups and configurations, the vocabulary of everything below
//! - `key`: packed states; `table`: the hash table over them; `memory`: what a search has found
//! - `reach`: the static test, and the configurations worth packing
//! - `small` with `taken`, and `wide`: the state space of boards up to 8x8, by table look-up, and of all others
//! - `best_first`, `landmarks`: the search for a shortest solution, and the estimate of large boards
//! - `flood`, `component`: the walk over a whole component, and the facts about all states that can be reached
//! - `solutions`: all solutions that are shortest or nearly so

mod best_first;
mod component;
mod flood;
mod key;
mod landmarks;
mod line;
mod memory;
mod reach;
mod small;
mod solutions;
mod solver;
mod table;
mod taken;
mod wide;

pub use component::Analysis;
pub use solutions::{Link, Solutions, Station};
pub use solver::{Answer, Solver};

/// What a solution's length counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// A slide of any length counts 1.
    #[default]
    Moves,
    /// One cell counts 1.
    Steps,
}

impl Metric {
    /// The word for this metric: `moves` or `steps`.
    pub fn word(self) -> &'static str {
        match self {
            Metric::Moves => "moves",
            Metric::Steps => "steps",
        }
    }
}

/// The states of one board in packed form.
trait Space {
    type Key: key::Key;

    fn start(&self) -> Self::Key;
    fn is_solved(&self, key: Self::Key) -> bool;
    /// Appends the states one move (in the space's metric) away.
    fn successors(&self, key: Self::Key, found: &mut Vec<Self::Key>);
    /// Where each vehicle of the board stands.
    fn positions(&self, key: Self::Key, positions: &mut [u8]);
}
