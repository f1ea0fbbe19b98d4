//! The SAT solver, stopped by conflicts and by the limits of a search.
//!
//! `CaDiCaL` does the work. Without the feature `cadical`, where no C++ compiler is available, it is `BatSat`, which is written
//! in Rust: the answers are as reliable, but take longer, and there are no certificates.

#[cfg(any(test, not(feature = "cadical")))]
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;

#[cfg(not(feature = "cadical"))]
use self::batsat::BatSat as Backend;
#[cfg(feature = "cadical")]
use self::cadical::Cadical as Backend;
use super::budget::SatBudget;
use super::encoding::{ClauseSink, Literal, constant};
use clearway_search::Limit;
use clearway_util::time::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// A SAT solver. Literals are never constants.
pub(super) trait SatBackend {
    fn new() -> Self;
    fn add_clause(&mut self, clause: &[Literal]);
    /// Makes decisions prefer a literal.
    fn prefer(&mut self, literal: Literal);
    /// Number of conflicts so far.
    fn conflicts(&self) -> u64;
    /// Number of learned clauses that are kept.
    fn learned(&self) -> usize;
    /// Searches for a model in which all the assumptions hold. `None` after a number of conflicts, or if stopped.
    fn solve(&mut self, assumptions: &[Literal], conflicts: u64, stop: &Stop) -> Option<bool>;
    /// Whether an assumption is among those that the last answer "unsatisfiable" needs.
    fn is_needed(&mut self, assumption: Literal) -> bool;
    /// Whether a literal holds in the model.
    fn holds(&mut self, literal: Literal) -> bool;
}

/// A set of clauses, and what the solver has learned about them.
pub(super) type SatSolver = Clauses<Backend>;

/// A set of clauses in a solver.
pub(super) struct Clauses<B> {
    backend: B,
    /// Largest variable in the clauses that were added.
    variables: usize,
    /// Number of literals in the clauses that were added.
    literals: usize,
}

/// Conflicts between two checks of the memory.
const SLICE: u64 = 20_000;

impl<B: SatBackend> Clauses<B> {
    pub fn new() -> Clauses<B> {
        Clauses { backend: B::new(), variables: 0, literals: 0 }
    }

    /// Number of literals of all clauses, with some for each clause.
    pub fn literals(&self) -> usize {
        self.literals
    }

    /// Makes decisions prefer a literal.
    pub fn prefer(&mut self, literal: Literal) {
        self.backend.prefer(literal);
    }

    /// Number of conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.backend.conflicts()
    }

    /// Searches for a model in which all the assumptions hold, for a number of conflicts.
    pub fn solve(&mut self, assumptions: &[Literal], conflicts: u64, budget: &SatBudget) -> SatAnswer {
        if assumptions.iter().any(|&literal| constant(literal) == Some(false)) {
            return SatAnswer::Unsatisfiable;
        }
        let open: Vec<Literal> = assumptions.iter().copied().filter(|&literal| constant(literal).is_none()).collect();
        let stop = Stop { cancel: budget.checker.cancel_flag(), deadline: budget.checker.deadline() };
        let end = self.conflicts() + conflicts;
        loop {
            if let Err(limit) = budget.check(self.memory_usage()) {
                return SatAnswer::Stopped(limit);
            }
            let slice = SLICE.min(end.saturating_sub(self.conflicts()));
            match self.backend.solve(&open, slice, &stop) {
                Some(true) => return SatAnswer::Satisfiable,
                Some(false) => return SatAnswer::Unsatisfiable,
                None => {}
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
        constant(assumption).is_none() && self.backend.is_needed(assumption)
    }

    /// Whether a literal holds in the model.
    pub fn holds(&mut self, literal: Literal) -> bool {
        self.backend.holds(literal)
    }
}

#[cfg(feature = "cadical")]
impl Clauses<cadical::Cadical> {
    /// Reads the clauses of a DIMACS file, with this number of variables and literals, and traces a proof as text LRAT. The
    /// clauses have the numbers from 1 in the order of the file. Fails with the reason of the solver.
    pub fn with_proof(formula: &str, (variables, literals): (usize, usize), proof: &str) -> Result<Self, String> {
        Ok(Clauses { backend: cadical::Cadical::with_proof(formula, proof)?, variables, literals })
    }

    /// Completes the proof file.
    pub fn close_proof(&mut self) {
        self.backend.close_proof();
    }

    /// Name and version of the solver.
    pub fn version() -> String {
        cadical::Cadical::version()
    }
}

impl<B: SatBackend> ClauseSink for Clauses<B> {
    fn add_clause(&mut self, clause: &[Literal]) {
        let largest = clause.iter().map(|literal| literal.unsigned_abs() as usize).max();
        self.variables = self.variables.max(largest.unwrap_or_default());
        self.literals += clause.len() + 2;
        self.backend.add_clause(clause);
    }

    fn memory_usage(&self) -> usize {
        self.variables * 400 + self.literals * 24 + self.backend.learned() * 300
    }
}

/// Stops the solver when the search is cancelled or out of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop {
    cancel: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
}

impl Stop {
    fn is_due(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_search::Limits;

    /// The pigeonhole principle: each of the pigeons is in one of the holes, and no two are in the same one.
    fn pigeons<B: SatBackend>(pigeons: Literal, holes: Literal) -> Clauses<B> {
        let mut solver = Clauses::new();
        let at = |pigeon: Literal, hole: Literal| pigeon * holes + hole + 1;
        for pigeon in 0..pigeons {
            solver.add_clause(&(0..holes).map(|hole| at(pigeon, hole)).collect::<Vec<_>>());
            for other in 0..pigeon {
                for hole in 0..holes {
                    solver.add_clause(&[-at(pigeon, hole), -at(other, hole)]);
                }
            }
        }
        solver
    }

    fn check<B: SatBackend>() {
        let limits = Limits::default();
        let checker = limits.checker();
        let budget = SatBudget { checker: &checker, held: 0 };
        let mut solver = pigeons::<B>(5, 5);
        assert_eq!(solver.solve(&[], 10_000, &budget), SatAnswer::Satisfiable);
        let occupied = (1..=25).filter(|&literal| solver.holds(literal)).count();
        assert!(occupied >= 5 && (1..=25).all(|literal| solver.holds(literal) != solver.holds(-literal)));
        // Two pigeons in the first hole; the other assumption is not to blame.
        assert_eq!(solver.solve(&[1, 6, 13], 10_000, &budget), SatAnswer::Unsatisfiable);
        assert_eq!([1, 6, 13].map(|literal| solver.is_needed(literal)), [true, true, false]);
        assert_eq!(solver.solve(&[1, 13], 10_000, &budget), SatAnswer::Satisfiable);
        assert!(solver.holds(1) && solver.holds(13));
        // One more pigeon, in the hole of another one.
        solver.add_clause(&[26]);
        solver.add_clause(&[-26, 1]);
        solver.add_clause(&[-26, -1]);
        assert_eq!(solver.solve(&[], 10_000, &budget), SatAnswer::Unsatisfiable);

        let mut hard = pigeons::<B>(10, 9);
        assert_eq!(hard.solve(&[], 100, &budget), SatAnswer::Unknown);
        assert!((100..110).contains(&hard.conflicts()), "{} conflicts", hard.conflicts());
        let before = hard.conflicts();
        assert_eq!(hard.solve(&[], 50, &budget), SatAnswer::Unknown);
        assert!(hard.conflicts() > before);
        let cancelled = Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
        let checker = cancelled.checker();
        assert_eq!(
            hard.solve(&[], 1_000_000, &SatBudget { checker: &checker, held: 0 }),
            SatAnswer::Stopped(Limit::Cancelled)
        );
    }

    #[cfg(feature = "cadical")]
    #[test]
    fn cadical_solves_within_its_limits() {
        check::<cadical::Cadical>();
    }

    #[test]
    fn batsat_solves_within_its_limits() {
        check::<batsat::BatSat>();
    }
}
