//! The exact solver: a proven-shortest solution, or a proof that there is none.
//!
//! - `line`: lines, groups and configurations, the vocabulary of everything below
//! - `key`: packed states; `table`: the hash table over them; `memory`: what a search has found
//! - `reach`: the static test, and the configurations worth packing
//! - `small` with `taken`, and `wide`: the state space of boards up to 8x8, by table look-up, and of all others
//! - `best_first`, `landmarks`: the search for a shortest solution, and the estimate of large boards
//! - `flood`, `contracted`: the walk over a whole component; `component`: the facts about all states that can be reached;
//!   `hardest`: only the hardest of them
//! - `solutions`: all solutions that are shortest or nearly so

mod best_first;
mod component;
mod contracted;
mod flood;
mod hardest;
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
pub use hardest::Hardest;
pub use solutions::{Link, Solutions, Station};
pub use solver::{Answer, Solver};

use crate::Board;
use clearway_search::{Limit, Watch};
use key::Key;
use memory::Memory;

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

/// A component's number of states and its solved states, or the limit that ended the walk.
type Found<K> = Result<(u64, Vec<K>), Limit>;

/// The states of one board in packed form.
trait Space: Sized {
    type Key: Key;

    fn start(&self) -> Self::Key;
    fn is_solved(&self, key: Self::Key) -> bool;
    /// Appends the states one move (in the space's metric) away.
    fn successors(&self, key: Self::Key, found: &mut Vec<Self::Key>);
    /// Puts the states one move away, at `depth`, into a memory with room for the most there can be. The state is the one
    /// at index `from` of the memory; what its parent leads to at that depth or a smaller one may be left out.
    fn add_successors(&self, from: usize, depth: u32, memory: &mut Memory<Self::Key>);
    /// No state has more successors than this.
    fn most_successors(&self) -> usize;
    /// The number of states that can be reached from the start, and those of them that are solved.
    fn component(&self, board: &Board, memory: &mut Memory<Self::Key>, watch: &Watch) -> Found<Self::Key>;
    /// Where each vehicle of the board stands.
    fn positions(&self, key: Self::Key, positions: &mut [u8]);
}

/// The bytes of a hash table of the standard library after the next few thousand entries. While it grows, which it does
/// when seven eighths are full, the old table and one of twice the size exist side by side.
fn hash_table_bytes(len: usize, capacity: usize, entry: usize) -> usize {
    let held = capacity.div_ceil(7) * 8 * (entry + 1);
    if len + capacity / 8 >= capacity { 3 * held } else { held }
}

/// A component, by a walk over its states.
fn walked_component<S: Space>(space: &S, memory: &mut Memory<S::Key>, watch: &Watch) -> Found<S::Key> {
    if let (_, Some(limit)) = flood::flood(space, vec![space.start()], memory, watch) {
        return Err(limit);
    }
    // The walk looks at its limits only now and then; how many states are too many must not depend on that.
    watch.check(memory.found as u64 - 1, 0).map_or(Ok(()), Err)?;
    let states = memory.states[..memory.found].iter().map(|state| state.state());
    Ok((memory.found as u64, states.filter(|&state| space.is_solved(state)).collect()))
}
