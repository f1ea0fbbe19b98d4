//! `BatSat`, a SAT solver in Rust.

use super::{SatBackend, Stop};
use crate::layers::encoding::Literal;
use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;

pub(in crate::layers) struct BatSat(Solver<SolverCallbacks>);

/// Decisions between two looks at the clock.
const PATIENCE: u32 = 256;

/// What the solver reports, and when it has to stop.
#[derive(Default)]
struct SolverCallbacks {
    /// Number of clauses learned so far: one for each conflict.
    learned: u64,
    /// Number of clauses learned so far at which the solver stops.
    end: u64,
    /// Number of clauses deleted so far.
    deleted: u64,
    stop: Stop,
    /// Decisions until the next look at the clock.
    patience: Cell<u32>,
    is_stopped: Cell<bool>,
}

impl Callbacks for SolverCallbacks {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.learned += u64::from(matches!(kind, ClauseKind::Learnt));
    }

    fn on_delete_clause(&mut self, _: &[Lit]) {
        self.deleted += 1;
    }

    fn stop(&self) -> bool {
        if self.patience.get() == 0 {
            self.patience.set(PATIENCE);
            self.is_stopped.set(self.is_stopped.get() || self.stop.is_due());
        }
        self.patience.set(self.patience.get() - 1);
        self.is_stopped.get() || self.learned >= self.end
    }
}

impl BatSat {
    /// The literal of the solver, whose variables count from 0. Its variable and all before it exist from now on.
    fn literal(&mut self, literal: Literal) -> Lit {
        Lit::new(self.0.var_of_int(literal.unsigned_abs() - 1), literal > 0)
    }
}

impl SatBackend for BatSat {
    fn new() -> BatSat {
        BatSat(Solver::new(SolverOpts::default(), SolverCallbacks::default()))
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        let mut clause = clause.iter().map(|&literal| self.literal(literal)).collect();
        self.0.add_clause_reuse(&mut clause);
    }

    fn prefer(&mut self, literal: Literal) {
        debug_assert!(literal < 0, "this solver prefers all variables to be false");
    }

    fn conflicts(&self) -> u64 {
        self.0.cb().learned
    }

    fn learned(&self) -> usize {
        let SolverCallbacks { learned, deleted, .. } = self.0.cb();
        learned.saturating_sub(*deleted) as usize
    }

    fn solve(&mut self, assumptions: &[Literal], conflicts: u64, stop: &Stop) -> Option<bool> {
        let assumptions: Vec<Lit> = assumptions.iter().map(|&literal| self.literal(literal)).collect();
        let progress = self.0.cb_mut();
        progress.end = progress.learned + conflicts;
        progress.stop = stop.clone();
        progress.patience.set(0);
        progress.is_stopped.set(false);
        match self.0.solve_limited(&assumptions) {
            answer if answer == lbool::TRUE => Some(true),
            answer if answer == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    fn is_needed(&mut self, assumption: Literal) -> bool {
        let assumption = self.literal(assumption);
        self.0.unsat_core_contains_var(assumption.var())
    }

    fn holds(&mut self, literal: Literal) -> bool {
        let literal = self.literal(literal);
        self.0.value_lit(literal) == lbool::TRUE
    }
}
