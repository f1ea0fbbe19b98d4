//! The laboratory: search algorithms [by name](Algorithm), [compared](compare) side by side on many boards, policies
//! [measured](frames) and the runs that bred them [reported](evolve), programs for sliding tiles [bred](tiles),
//! and the tables of published works [reproduced](repro).
//!
//! ```
//! use clearway_lab::Algorithm;
//! use clearway_rush::{Metric, formats};
//! let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
//! let algorithm: Algorithm = "astar(blockers)".parse().unwrap();
//! let outcome = algorithm.solve(&board, Metric::Moves, &Default::default(), &Default::default());
//! assert_eq!(outcome.solution.unwrap().moves(), 8);
//! ```

mod algorithm;
pub mod compare;
mod daily;
mod diagnostic;
pub mod evolve;
pub mod fault;
mod found;
pub mod frames;
mod graph;
mod hint;
mod page;
mod parallel;
mod plot;
pub mod quantity;
pub mod records;
pub mod repro;
pub mod runs;
mod table;
pub mod tiles;
mod trace;
mod typed_moves;

pub use algorithm::{Algorithm, Estimator, LabOutcome};
pub use daily::{Daily, Date, DateError, Weekday, daily};
pub use diagnostic::{Drawing, render};
pub use found::{Found, solve};
pub use graph::{Graph, MOST_EDGES, graph};
pub use hint::{Hint, Reason, hint};
pub use table::Table;
pub use trace::{Expansion, Trace, TraceError, trace};
pub use typed_moves::TypedMoves;
