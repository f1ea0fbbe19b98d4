//! Domain-independent search.
//!
//! A puzzle is a [`Domain`]; an estimate of the distance to a goal is a [`Heuristic`]; an algorithm is a [`Search`] that is
//! stepped under [`Limits`] until it returns a [`Verdict`], and keeps [`SearchStatistics`]. Each algorithm is one module, which
//! documents what exactly it counts:
//!
//! - [`bfs`]: breadth-first search over states;
//! - [`tree_bfs`]: breadth-first search over paths, with queue pruning and early detection;
//! - [`dfs`]: depth-first search over paths, and over states;
//! - [`hybrid`]: breadth-first, then depth-first search over paths;
//! - [`astar`]: A*, weighted A*, greedy best-first search;
//! - [`deepening`]: iterative deepening with a transposition table, and IDA*;
//! - [`ibex`]: iterative deepening for heuristics with many distinct values;
//! - [`beam`]: beam search;
//! - [`random_walk`]: a random walk, the baseline.
//!
//! A configured search is a [`SearchSpec`](spec::SearchSpec): it is parsed from and printed as text, and determines what a
//! result may claim.
//!
//! ```
//! use clearway_search::{Limits, Verdict, astar::{AStar, AStarOptions}, run};
//! use clearway_search::pancakes::{Gaps, Pancakes};
//!
//! let stack = Pancakes::new(&[5, 2, 7, 4, 1, 8, 3, 6]).unwrap();
//! let mut search = AStar::new(&stack, Gaps, AStarOptions::default());
//! let outcome = run(&mut search, &Limits { nodes: Some(100_000), ..Limits::default() });
//! assert_eq!(outcome.verdict, Verdict::Solved);
//! assert_eq!(outcome.solution.unwrap().len(), 9);
//! ```

pub mod anytime;
pub mod astar;
pub mod beam;
pub mod bfs;
pub mod deepening;
pub mod dfs;
mod domain;
mod heuristic;
pub mod hybrid;
pub mod ibex;
mod limits;
mod lookahead;
mod move_order;
pub mod pancakes;
pub mod random_walk;
pub mod recorder;
mod search;
mod search_space;
mod search_statistics;
pub mod spec;
mod successor_graph;
mod table;
pub mod tree_bfs;
mod verdict;

pub use domain::Domain;
pub use heuristic::{Heuristic, Node, Zero};
pub use limits::{Limit, LimitChecker, Limits};
pub use move_order::MoveOrder;
pub use search::{Outcome, Search, run};
pub use search_statistics::SearchStatistics;
pub use verdict::Verdict;
