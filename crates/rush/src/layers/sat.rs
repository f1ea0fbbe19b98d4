//! The SAT solver (`CaDiCaL`), stopped by conflicts and by the limits of a search.

use super::budget::Budget;
use super::encoding::{ClauseSink, Literal, constant};
use cadical_sys::{CaDiCal, Status, Terminator};
use clearway_search::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Answer of the SAT solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SatAnswer {
    Satisfiable,
    Unsatisfiable,
    /// The conflicts were used up.
    Unknown,
    /// A limit of the search stopped it.
    Stopped(Limit),
}

/// A set of clauses, and what the solver has learned about them.
pub(super) struct SatSolver {
    cadical: CaDiCal,
    /// Largest variable in the clauses that were added.
    variables: usize,
    /// Number of literals in the clauses that were added.
    literals: usize,
}

/// Conflicts between two checks of the memory.
const SLICE: u64 = 20_000;

impl SatSolver {
    pub fn new() -> SatSolver {
        let mut cadical = CaDiCal::new();
        // New variables of the solver's own would have to be told apart from those of layers that are added later.
        cadical.set("factor", 0);
        SatSolver { cadical, variables: 0, literals: 0 }
    }

    /// Reads the clauses of a DIMACS file, with this number of variables and literals, and traces a proof as text LRAT. The
    /// clauses have the numbers from 1 in the order of the file. Fails with the reason of the solver.
    pub fn with_proof(formula: &str, (variables, literals): (usize, usize), proof: &str) -> Result<SatSolver, String> {
        let mut solver = SatSolver::new();
        solver.cadical.set("lrat", 1);
        solver.cadical.set("binary", 0);
        if !solver.cadical.trace_proof2(proof) {
            return Err(format!("cannot write {proof}"));
        }
        let mut found = 0;
        solver.cadical.read_dimacs2(formula, &mut found, 1)?;
        (solver.variables, solver.literals) = (variables, literals);
        Ok(solver)
    }

    /// Completes the proof file.
    pub fn close_proof(&mut self) {
        self.cadical.close_proof_trace(false);
    }

    /// Name and version of the solver.
    pub fn version() -> String {
        CaDiCal::signature()
    }

    /// Number of literals of all clauses, with some for each clause.
    pub fn literals(&self) -> usize {
        self.literals
    }

    /// Makes decisions prefer a literal.
    pub fn prefer(&mut self, literal: Literal) {
        self.cadical.phase(literal);
    }

    /// Number of conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.cadical.get_statistic_value("conflicts") as u64
    }

    /// Searches for a model in which all the assumptions hold, for a number of conflicts.
    pub fn solve(&mut self, assumptions: &[Literal], conflicts: u64, budget: &Budget) -> SatAnswer {
        if assumptions.iter().any(|&literal| constant(literal) == Some(false)) {
            return SatAnswer::Unsatisfiable;
        }
        self.cadical
            .connect_terminator(Stop { cancel: budget.checker.cancel_flag(), deadline: budget.checker.deadline() });
        let end = self.conflicts() + conflicts;
        loop {
            if let Err(limit) = budget.check(self.memory_usage()) {
                return SatAnswer::Stopped(limit);
            }
            for &literal in assumptions.iter().filter(|&&literal| constant(literal).is_none()) {
                self.cadical.assume(literal);
            }
            let slice = SLICE.min(end.saturating_sub(self.conflicts()));
            self.cadical.limit("conflicts", slice as i32);
            match self.cadical.solve() {
                Status::SATISFIABLE => return SatAnswer::Satisfiable,
                Status::UNSATISFIABLE => return SatAnswer::Unsatisfiable,
                Status::UNKNOWN => {}
            }
            if let Err(limit) = budget.check(self.memory_usage()) {
                return SatAnswer::Stopped(limit);
            }
            if self.conflicts() >= end {
                return SatAnswer::Unknown;
            }
        }
    }

    /// Whether an assumption is among those that the last answer "unsatisfiable" needs.
    pub fn is_needed(&mut self, assumption: Literal) -> bool {
        constant(assumption).is_none() && self.cadical.failed(assumption)
    }

    /// Whether a literal holds in the model.
    pub fn holds(&mut self, literal: Literal) -> bool {
        self.cadical.val(literal) > 0
    }
}

impl ClauseSink for SatSolver {
    fn add_clause(&mut self, clause: &[Literal]) {
        let largest = clause.iter().map(|literal| literal.unsigned_abs() as usize).max();
        self.variables = self.variables.max(largest.unwrap_or_default());
        self.literals += clause.len() + 2;
        self.cadical.clause6(clause);
    }

    fn memory_usage(&self) -> usize {
        let learned = self.cadical.get_statistic_value("redundant").max(0) as usize;
        self.variables * 400 + self.literals * 24 + learned * 300
    }
}

/// Stops the solver when the search is cancelled or out of time.
struct Stop {
    cancel: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
}

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
