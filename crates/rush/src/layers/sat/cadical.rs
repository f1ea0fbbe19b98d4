//! `CaDiCaL`, a SAT solver in C++.

use super::{SatBackend, Stop};
use crate::layers::encoding::Literal;
use cadical_sys::{CaDiCal, Status, Terminator};

pub(in crate::layers) struct Cadical(CaDiCal);

impl Cadical {
    /// Reads the clauses of a DIMACS file, and traces a proof as text LRAT.
    pub fn with_proof(formula: &str, proof: &str) -> Result<Cadical, String> {
        let mut solver = Cadical::new();
        solver.0.set("lrat", 1);
        solver.0.set("binary", 0);
        if !solver.0.trace_proof2(proof) {
            return Err(format!("cannot write {proof}"));
        }
        let mut found = 0;
        solver.0.read_dimacs2(formula, &mut found, 1)?;
        Ok(solver)
    }

    /// Completes the proof file.
    pub fn close_proof(&mut self) {
        self.0.close_proof_trace(false);
    }

    /// Name and version.
    pub fn version() -> String {
        CaDiCal::signature()
    }
}

impl SatBackend for Cadical {
    fn new() -> Cadical {
        let mut cadical = CaDiCal::new();
        // New variables of the solver's own would have to be told apart from those of layers that are added later.
        cadical.set("factor", 0);
        Cadical(cadical)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.0.clause6(clause);
    }

    fn prefer(&mut self, literal: Literal) {
        self.0.phase(literal);
    }

    fn conflicts(&self) -> u64 {
        self.0.get_statistic_value("conflicts") as u64
    }

    fn learned(&self) -> usize {
        self.0.get_statistic_value("redundant").max(0) as usize
    }

    fn solve(&mut self, assumptions: &[Literal], conflicts: u64, stop: &Stop) -> Option<bool> {
        self.0.connect_terminator(stop.clone());
        for &literal in assumptions {
            self.0.assume(literal);
        }
        self.0.limit("conflicts", conflicts as i32);
        match self.0.solve() {
            Status::SATISFIABLE => Some(true),
            Status::UNSATISFIABLE => Some(false),
            Status::UNKNOWN => None,
        }
    }

    fn is_needed(&mut self, assumption: Literal) -> bool {
        self.0.failed(assumption)
    }

    fn holds(&mut self, literal: Literal) -> bool {
        // The solver returns the variable with its sign in the model.
        (self.0.val(literal.abs()) > 0) == (literal > 0)
    }
}

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        self.is_due()
    }
}
