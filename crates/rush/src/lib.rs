//! Rush Hour: boards, moves, text formats, embedded suites and solvers.
//!
//! [`Portfolio`] solves boards of any size; [`Solver`] is its exact search of states, and also explores whole components.
//!
//! ```
//! use clearway_rush::{Metric, Solver, formats};
//!
//! let puzzle = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None)?;
//! let answer = Solver::new().solve(&puzzle.board, Metric::Moves, &Default::default());
//! assert_eq!(answer.solution.unwrap().moves(), 8);
//! # Ok::<(), clearway_rush::formats::ParseError>(())
//! ```

mod abstraction;
mod board;
mod cells;
mod domain;
pub mod exact;
mod exit;
mod flood;
pub mod formats;
pub mod heuristics;
mod layers;
mod moves;
mod numbering;
mod part;
mod plan;
mod portfolio;
mod ranges;
mod replay;
mod size;
pub mod suites;
mod vehicle;
mod vehicle_set;

pub use board::{Board, BoardError, MAX_SIDE, MIN_SIDE, SMALL_SIDE};
pub use cells::Cells;
pub use domain::{RushDomain, RushMove, RushState, VehicleShape};
pub use exact::{Answer, HardestState, Metric, Solver, UnknownMetric};
pub use exit::{Exit, ExitError, Side, SideError};
pub use flood::{VisitedState, flood};
pub use layers::MAX_BOUND;
#[cfg(feature = "cadical")]
pub use layers::{Certificate, CertificateError, CertificateOutcome, certify};
pub use moves::{Move, MoveError, MoveParseError, Solution};
pub use portfolio::{EngineName, EngineSet, Improvement, Portfolio, StopRule};
pub use ranges::vehicle_ranges;
pub use replay::{Replay, ReplayError, replay};
pub use size::{Size, SizeError};
pub use vehicle::{Orientation, Vehicle, is_label, labels};
