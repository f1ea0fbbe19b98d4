//! Decides whether a plan of a given number of layers and a given length exists.

use super::budget::SatBudget;
use super::encoding::{ClauseSink, Encoding, Literal};
use super::sat::{SatAnswer, SatSolver};
use super::structure::Structure;
use super::totalizer::Totalizer;
use crate::plan::Plan;
use crate::{Board, Metric};
use clearway_search::Limit;

/// Answer to the question whether a plan of a given number of layers and a given length exists.
#[derive(Clone, Debug)]
pub(crate) enum LayersAnswer {
    /// A plan; it may be shorter than asked for.
    Plan(Plan),
    /// There is none; this is proven.
    None,
    /// The conflicts were used up.
    Unknown,
    /// A limit of the search stopped it.
    Stopped(Limit),
}

/// A SAT solver with the clauses for a number of layers.
pub(crate) struct Layers {
    encoding: Encoding,
    /// Positions of the movers at the end; `None` if the target has to be at the exit.
    end: Option<Vec<u8>>,
    solver: SatSolver,
    totalizer: Option<Totalizer>,
}

impl Layers {
    /// Starts without layers.
    pub fn new(board: &Board, metric: Metric) -> Layers {
        Layers::from_encoding(Encoding::new(Structure::new(board), metric))
    }

    /// Starts with an encoding without layers.
    pub(super) fn from_encoding(encoding: Encoding) -> Layers {
        Layers { encoding, end: None, solver: SatSolver::new(), totalizer: None }
    }

    /// Starts without layers, for plans that lead from one state of a board to another.
    pub fn to_positions(from: &Board, to: &Board, metric: Metric) -> Layers {
        let layers = Layers::new(from, metric);
        let movers = layers.encoding.structure().movers.iter();
        let end = movers.map(|mover| to.vehicles()[mover.vehicle].position()).collect();
        Layers { end: Some(end), ..layers }
    }

    pub(super) fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The encoding, and the solver that has its clauses.
    pub(super) fn parts(&mut self) -> (&Encoding, &mut SatSolver) {
        (&self.encoding, &mut self.solver)
    }

    /// Number of layers.
    pub fn layers(&self) -> usize {
        self.encoding.layers()
    }

    /// Whether the ranges of the vehicles alone rule out a plan.
    pub fn is_hopeless(&self) -> bool {
        !self.encoding.structure().is_goal_in_range()
    }

    /// Number of conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }

    /// Number of literals of all clauses.
    pub fn literals(&self) -> usize {
        self.solver.literals()
    }

    /// Estimate of the memory in use, in bytes.
    pub fn memory_usage(&self) -> usize {
        self.solver.memory_usage()
    }

    /// Adds layers up to a number of them. Ends with the limit that is reached, if any.
    ///
    /// # Panics
    /// After [`count`](Self::count): the costs of further layers would not be counted.
    pub fn grow(&mut self, layers: usize, budget: &SatBudget) -> Result<(), Limit> {
        assert!(self.totalizer.is_none(), "the layers are counted already");
        while self.encoding.layers() < layers {
            budget.check(self.memory_usage())?;
            let from = self.encoding.layers();
            self.encoding.add_layer(&mut self.solver);
            for mover in 0..self.encoding.structure().movers.len() {
                self.solver.prefer(-self.encoding.moved(mover, from));
            }
        }
        Ok(())
    }

    /// Counts the length of plans, up to a length. Ends with the limit that is reached, if any.
    pub fn count(&mut self, most: usize, budget: &SatBudget) -> Result<(), Limit> {
        if self.totalizer.is_none() {
            self.totalizer = Some(Totalizer::new(&mut self.encoding, most, &mut self.solver, budget)?);
        }
        Ok(())
    }

    /// Decides whether a plan exists, of at most a length if one is given.
    pub fn decide(&mut self, length: Option<usize>, conflicts: u64, budget: &SatBudget) -> LayersAnswer {
        let mut assumptions = self.goal();
        if let (Some(length), Some(totalizer)) = (length, &self.totalizer) {
            assumptions.extend(totalizer.exceeds(length).map(|exceeds| -exceeds));
        }
        match self.solver.solve(&assumptions, conflicts, budget) {
            SatAnswer::Satisfiable => LayersAnswer::Plan(self.encoding.plan(&mut |literal| self.solver.holds(literal))),
            SatAnswer::Unsatisfiable => LayersAnswer::None,
            SatAnswer::Unknown => LayersAnswer::Unknown,
            SatAnswer::Stopped(limit) => LayersAnswer::Stopped(limit),
        }
    }

    /// Literals that hold at the end of a plan.
    fn goal(&self) -> Vec<Literal> {
        let Some(end) = &self.end else { return vec![self.encoding.goal()] };
        let time = self.encoding.layers();
        let at = |(mover, &position): (usize, &u8)| {
            [self.encoding.at_least(mover, position, time), -self.encoding.at_least(mover, position + 1, time)]
        };
        end.iter().enumerate().flat_map(at).collect()
    }
}
