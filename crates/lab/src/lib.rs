//! Experiments with search algorithms and evolution.
//!
//! - [`ConfiguredAlgorithm`]: a search of Rush Hour boards, configured by text
//! - [`compare`]: algorithms side by side on many boards; [`evaluation`]: policies on held-out boards
//! - [`runs`]: resumable runs of evolution in folders; [`evolve`]: runs that evolve policies; [`tiles`]: runs that evolve
//!   programs for the sliding-tile puzzle
//! - [`repro`]: the tables of published works, reproduced; [`statistics`]: rank tests, intervals and effect sizes
//! - [`solving_times`]: times that players took, and the model of the time fitted to them
//!
//! ```
//! use clearway_lab::ConfiguredAlgorithm;
//! use clearway_rush::{Metric, formats};
//! let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
//! let algorithm: ConfiguredAlgorithm = "astar(blockers)".parse().unwrap();
//! let outcome = algorithm.solve(&board, Metric::Moves, &Default::default(), &Default::default());
//! assert_eq!(outcome.solution.unwrap().moves(), 8);
//! ```

mod algorithm;
pub mod compare;
pub mod evaluation;
pub mod evolve;
pub mod fault;
mod page;
mod plot;
pub mod quantity;
pub mod repro;
pub mod runs;
pub mod solving_times;
pub mod statistics;
mod table;
pub mod tiles;

pub use algorithm::{ConfiguredAlgorithm, Estimator, LabOutcome};
pub use table::Table;
