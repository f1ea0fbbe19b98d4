//! Layered SAT: plans in layers of moves that do not depend on each other's order, as a satisfiability problem.
//!
//! - `structure`: the vehicles that can move, their ranges, and the cells and lines that they share
//! - `encoding`: the clauses of a plan in layers; `totalizer`: those that count its length
//! - `sat`: the SAT solver, one of two; `budget`: the limits under which clauses are built and solved
//! - `engine`: decides whether a plan of a number of layers and a length exists
//! - `invariant`: property-directed reachability, which proves that there is no plan at all
//! - `unsat_core`: a few vehicles that alone leave no plan in a number of layers
//! - `certificate`: proofs that no plan of a length exists, as files; `variables`: the meaning of each variable in them

mod budget;
#[cfg(feature = "cadical")]
mod certificate;
mod encoding;
mod engine;
mod invariant;
mod sat;
mod structure;
mod totalizer;
mod unsat_core;
#[cfg(feature = "cadical")]
mod variables;

pub(crate) use budget::SatBudget;
#[cfg(feature = "cadical")]
pub use certificate::{Certificate, CertificateError, CertificateOutcome, certify};
pub(crate) use engine::{Layers, LayersAnswer};
pub(crate) use invariant::{Invariant, InvariantAnswer};
pub(crate) use unsat_core::UnsatCore;

/// Largest bound of a certificate.
pub const MAX_BOUND: u32 = 1000;
