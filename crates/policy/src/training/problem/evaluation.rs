//! Evaluation of policies by searches, relative to the baseline search without a heuristic.

use super::{EvolutionState, KnownFitness, PolicyProblem};
use crate::CompiledPolicy;
use crate::terminals::TERMINALS;
use crate::training::{Config, Objective, Scratch, Trial};
use clearway_gp::{Fitness, Genome};
use std::sync::atomic::Ordering;

/// Performance of a policy on a set of boards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyPerformance {
    /// Mean nodes (or time), as a percentage of the baseline. An unsolved board counts double, or 100 for [`Objective::Saved`].
    pub percentage: f64,
    /// Mean solution length, relative to the optimum or the best known length; 1 if no board was solved.
    pub length: f64,
    /// Number of boards solved.
    pub solved: usize,
    /// Number of boards.
    pub boards: usize,
}

/// Cost of an expansion without a heuristic, in nanoseconds.
const EXPANSION_COST: f64 = 160.0;
/// Factor by which a policy may be worse on the first boards than the best of the previous generation before its evaluation is
/// stopped.
const RACE_FACTOR: f64 = 2.0;
/// Number of boards after which this is checked.
const RACE_BOARDS: usize = 6;

impl PolicyProblem {
    /// Estimated cost of evaluating a policy, in nanoseconds.
    fn cost(program: &CompiledPolicy) -> f64 {
        program.terminals().iter().map(|&terminal| TERMINALS[terminal].cost).sum()
    }

    /// Nodes (or time) of a trial as a percentage of the baseline.
    fn percentage(&self, trial: &Trial, baseline: u64, cost: f64) -> f64 {
        let taken = match self.config.objective {
            Objective::Nodes | Objective::Saved => trial.nodes as f64,
            Objective::Time => trial.nodes as f64 + trial.evaluated as f64 * cost / EXPANSION_COST,
        };
        100.0 * taken / baseline as f64
    }

    /// Measures a policy on the boards with these indices.
    pub fn performance_on(&self, genome: &Genome, boards: impl Iterator<Item = usize>) -> PolicyPerformance {
        let program = CompiledPolicy::new(&self.policy(genome));
        let mut tally = EvaluationSums::default();
        let mut scratch = Scratch::default();
        for number in boards {
            self.evaluate_on(number, &program, self.config.nodes, &mut scratch, &mut tally);
        }
        tally.performance()
    }

    /// Measures a policy on all boards. Champions are selected by this.
    pub fn performance(&self, genome: &Genome) -> PolicyPerformance {
        self.performance_on(genome, 0..self.boards.len())
    }

    /// Nodes and solution length on each board; the length is relative to the optimum, 0 for an unsolved board.
    pub(super) fn counts(&self, genome: &Genome) -> Vec<(u64, f64)> {
        let program = CompiledPolicy::new(&self.policy(genome));
        let mut scratch = Scratch::default();
        let count = |number: usize| {
            let mut tally = EvaluationSums::default();
            self.evaluate_on(number, &program, self.config.nodes, &mut scratch, &mut tally);
            (tally.nodes, tally.lengths)
        };
        (0..self.boards.len()).map(count).collect()
    }

    fn evaluate_on(
        &self,
        number: usize,
        program: &CompiledPolicy,
        most: u64,
        scratch: &mut Scratch,
        tally: &mut EvaluationSums,
    ) -> f64 {
        let board = &self.boards[number];
        let most = most.min(board.max_nodes);
        let trial = board.trial(&self.config.search, program, scratch, most);
        let percentage = self.percentage(&trial, board.baseline, Self::cost(program));
        let counted = match (self.config.objective, trial.length) {
            (Objective::Saved, None) => 100.0,
            (_, None) => 2.0 * percentage.max(100.0 * most as f64 / board.baseline as f64),
            (_, Some(_)) => percentage,
        };
        tally.nodes += trial.nodes;
        tally.evaluations += trial.evaluated;
        tally.percentages += counted;
        tally.boards += 1;
        if let Some(length) = trial.length {
            tally.lengths += f64::from(length) / f64::from(board.reference_length());
            tally.solved += 1;
        }
        counted
    }

    /// Score of a performance: the negated mean percentage, with a penalty for long solutions.
    pub(super) fn score(&self, performance: &PolicyPerformance) -> f64 {
        /// Growth of the penalty with the mean solution length above the maximum.
        const LENGTH_PENALTY: f64 = 20.0;
        /// Margin below the maximum solution length at which the penalty starts, since other boards will differ.
        const LENGTH_MARGIN: f64 = 0.01;
        let Config { objective, longest, .. } = self.config;
        if objective == Objective::Saved {
            return 100.0 - performance.percentage;
        }
        let above = if longest > 0.0 { (performance.length - longest + LENGTH_MARGIN).max(0.0) } else { 0.0 };
        -performance.percentage * (1.0 + LENGTH_PENALTY * above)
    }

    /// Evaluates a policy on the boards of the current generation, or reuses the fitness of a policy with the same behaviour.
    pub(super) fn evaluate_genome(&self, memory: &EvolutionState, genome: &Genome) -> Fitness {
        let program = CompiledPolicy::new(&self.policy(genome));
        if self.config.reuse {
            let behaviour = self.probes.behaviour(&program, self.config.search.algorithm().uses_order_only());
            if let Some(KnownFitness { score, cases }) = memory.known.get(&behaviour) {
                return Fitness { score: *score, cases: cases.clone(), cached: 1, ..Fitness::default() };
            }
        }
        let mut tally = EvaluationSums::default();
        let mut scratch = Scratch::default();
        let mut cases = Vec::with_capacity(memory.sample.len());
        for &number in &memory.sample {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            let baseline = self.boards[number].baseline as f64;
            let cap = match memory.usual {
                Some(usual) if self.config.cap > 0.0 => {
                    (baseline * (usual / 100.0 * self.config.cap).min(1.0)) as u64 + 50
                }
                _ => u64::MAX,
            };
            let counted = self.evaluate_on(number, &program, self.config.nodes.min(cap), &mut scratch, &mut tally);
            cases.push(-counted);
            let behind = |usual: f64| tally.percentages / tally.boards as f64 > RACE_FACTOR * usual;
            if self.config.racing && tally.boards == RACE_BOARDS && memory.usual.is_some_and(behind) {
                break;
            }
        }
        let mut performance = tally.performance();
        let missing = memory.sample.len() - cases.len();
        if missing > 0 {
            // A policy that was not evaluated on all boards must not look better than one that was.
            performance.percentage *= 2.0;
        }
        let score = self.score(&performance);
        cases.extend(std::iter::repeat_n(-performance.percentage, missing));
        Fitness { score, cases, nodes: tally.nodes, cached: 0, evaluations: tally.evaluations }
    }
}

/// Sums over boards.
#[derive(Default)]
struct EvaluationSums {
    nodes: u64,
    evaluations: u64,
    percentages: f64,
    lengths: f64,
    solved: usize,
    boards: usize,
}

impl EvaluationSums {
    fn performance(&self) -> PolicyPerformance {
        PolicyPerformance {
            percentage: self.percentages / self.boards.max(1) as f64,
            length: if self.solved == 0 { 1.0 } else { self.lengths / self.solved as f64 },
            solved: self.solved,
            boards: self.boards,
        }
    }
}
