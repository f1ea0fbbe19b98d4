//! A* and its relatives: weighted A* and greedy best-first search.
//!
//! The open list is ordered by f = g + weight * h (greedy: h alone). Ties are broken in favour of the lower h, then of the
//! state generated later, or by the order of generation alone. When a shorter path to a state is found, the state returns to the
//! open list, even if it was already expanded; it is evaluated again, because an estimate may depend on the path.
//!
//! Three options for large problems, which may be combined and give up optimality:
//! - *Deferred evaluation* (`deferred.rs`): a state is evaluated, and even generated, only when it is its turn to be expanded; until
//!   then it is a move of its parent and has its estimate. Successors that are never expanded cost next to nothing.
//! - *Preferred moves*: states reached by moves that the heuristic recommends are also in a second open list, which alternates
//!   with the first and takes precedence after progress, as in Fast Downward and LAMA.
//! - *Novelty*: states in which a move has reached something new precede all others.
//!
//! At the end, the path found may be replaced by the shortest path over all generated moves between expanded states. This expands
//! and counts nothing, but takes memory for the generated successors. With *neighbourhood*, further states around the path are
//! expanded, and counted, to find a still shorter one.
//!
//! Expanded: states whose successors were determined, including repeated expansions. Generated: the start and all successors;
//! with deferred evaluation, only those that are removed from the open list. Evaluated: the start, new states, and states to which
//! a shorter path was found, except that deferred evaluation omits goals. Goal tests: states removed from the open list,
//! including the goal, but no duplicates. Reopened: expanded states to which a shorter path was found. Duplicates: successors
//! generated before and not reached by a shorter path. Open: states in the open list, each counted once; with deferred
//! evaluation, moves.

mod best_first;
mod deferred;
mod eager;
mod neighbourhood;
mod novelty;
mod open_list;
mod options;

pub use open_list::TieBreaking;
pub use options::AStarOptions;
pub(crate) use options::{ASTAR_INFO, GREEDY_INFO, WASTAR_INFO};

use crate::{Domain, Heuristic, Search, SearchStatistics, Verdict};
use best_first::BestFirst;
use deferred::Deferred;
use eager::Eager;

/// A* search. With an admissible heuristic and the default options, the solution is optimal.
///
/// ```
/// use clearway_search::{Limits, astar::{AStar, AStarOptions}, run};
/// use clearway_search::pancakes::{Gaps, Pancakes};
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let outcome = run(&mut AStar::new(&stack, Gaps, AStarOptions::default()), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 4);
/// assert_eq!(outcome.statistics.expanded, 4);
/// ```
pub struct AStar<'a, D: Domain>(Box<dyn Search<D> + 'a>);

impl<'a, D: Domain> AStar<'a, D> {
    /// Creates a search from the domain's start.
    pub fn new<H: Heuristic<D> + 'a>(domain: &'a D, heuristic: H, options: AStarOptions) -> Self {
        if options.deferred {
            AStar(Box::new(BestFirst::<D, H, Deferred<D>>::new(domain, heuristic, options)))
        } else {
            AStar(Box::new(BestFirst::<D, H, Eager<D>>::new(domain, heuristic, options)))
        }
    }

    /// Converts it to what all algorithms have in common.
    pub(crate) fn into_search(self) -> Box<dyn Search<D> + 'a> {
        self.0
    }
}

impl<D: Domain> Search<D> for AStar<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        self.0.step()
    }

    fn statistics(&self) -> SearchStatistics {
        self.0.statistics()
    }

    fn memory_usage(&self) -> usize {
        self.0.memory_usage()
    }

    fn memory_usage_soon(&self) -> usize {
        self.0.memory_usage_soon()
    }

    fn lower_bound(&self, admissible: bool) -> u32 {
        self.0.lower_bound(admissible)
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.0.solution()
    }
}
