//! Search that knows no puzzle.
//!
//! A puzzle is a [`Domain`]; an estimate of the distance to a goal is a [`Heuristic`]; an algorithm is a [`Search`] that
//! is stepped under [`Limits`] until it has a [`Verdict`], and keeps [`Counters`]. Each algorithm is one file, which says
//! what exactly it counts:
//!
//! - [`bfs`]: breadth-first search over states;
//! - [`tree_bfs`]: breadth-first search over paths, with queue pruning and early detection;
//! - [`dfs`]: depth-first search over paths, and over states;
//! - [`hybrid`]: breadth-first, then depth-first search over paths;
//! - [`astar`]: A*, weighted A*, greedy best-first search;
//! - [`deepening`]: iterative deepening with a transposition table, and IDA*;
//! - [`ibex`]: iterative deepening for heuristics with many distinct values;
//! - [`beam`]: beam search;
//! - [`random_walk`]: random moves, the floor.
//!
//! A configured search is a [`SearchSpec`](spec::SearchSpec): it is read from and printed as text, and says what its result
//! may claim.
//!
//! ```
//! use clearway_search::{Limits, Verdict, astar::{AStar, AStarOptions}, run};
//! use clearway_tiles::{Board, Puzzle, heuristics::Manhattan};
//!
//! let puzzle = Puzzle::with_goal(Board::parse("724506831")?, Board::parse("012345678")?)?;
//! let mut search = AStar::new(&puzzle, Manhattan, AStarOptions::default());
//! let outcome = run(&mut search, &Limits { nodes: Some(100_000), ..Limits::default() });
//! assert_eq!(outcome.verdict, Verdict::Solved);
//! assert_eq!(outcome.solution.unwrap().len(), 26);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod nodes;
mod outcome;
pub mod random_walk;
mod search;
mod shortcut;
pub mod spec;
mod table;
pub mod tree_bfs;

pub use domain::Domain;
pub use heuristic::{Heuristic, Node, Zero};
pub use limits::{Limit, Limits, Watch};
pub use outcome::{Counters, Verdict};
pub use search::{Outcome, Search, run};
