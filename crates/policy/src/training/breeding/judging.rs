//! How policies are judged: by searches of boards, beside the search without a heuristic.

use super::{Breeding, Known, Memory};
use crate::Program;
use crate::terminals::TERMINALS;
use crate::training::{Config, Objective, Scratch, Trial};
use clearway_gp::{Genome, Judgement};
use std::sync::atomic::Ordering;

/// What a policy did on boards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdicts {
    /// The mean percentage of the baseline's nodes (or time); a board that was not solved counts twice.
    pub percentage: f64,
    /// The mean length of the solutions, as a multiple of the shortest.
    pub length: f64,
    /// Boards solved.
    pub solved: usize,
    /// Boards.
    pub boards: usize,
}

/// An expansion without a heuristic takes so many nanoseconds.
const EXPANSION: f64 = 160.0;
/// How much worse than the usual a policy may be on the first boards to be shown the others.
const RACE: f64 = 2.0;
/// After how many boards that is asked.
const RACE_BOARDS: usize = 6;
/// How fast the cost grows with the length above what is wanted.
const LENGTH_PENALTY: f64 = 20.0;
/// How far below the wanted length evolution aims: other boards will differ.
const LENGTH_MARGIN: f64 = 0.01;

impl Breeding {
    /// What evaluating a policy costs, in nanoseconds.
    fn cost(program: &Program) -> f64 {
        program.terminals().iter().map(|&terminal| TERMINALS[terminal].cost).sum()
    }

    /// The nodes (or the time) of a trial as a percentage of the baseline's.
    fn percentage(&self, trial: &Trial, baseline: u64, cost: f64) -> f64 {
        let taken = match self.config.objective {
            Objective::Nodes | Objective::Saved => trial.nodes as f64,
            Objective::Time => trial.nodes as f64 + trial.evaluated as f64 * cost / EXPANSION,
        };
        100.0 * taken / baseline as f64
    }

    /// How a policy does on all boards: what champions are chosen by.
    pub fn verdicts(&self, genome: &Genome, boards: impl Iterator<Item = usize>) -> Verdicts {
        let program = Program::new(&self.policy(genome));
        let mut tally = Tally::default();
        let mut scratch = Scratch::default();
        for number in boards {
            self.try_on(number, &program, self.config.nodes, &mut scratch, &mut tally);
        }
        tally.verdicts()
    }

    /// What a policy does on all boards.
    pub fn all(&self, genome: &Genome) -> Verdicts {
        self.verdicts(genome, 0..self.boards.len())
    }

    fn try_on(&self, number: usize, program: &Program, most: u64, scratch: &mut Scratch, tally: &mut Tally) -> f64 {
        let board = &self.boards[number];
        let trial = self.config.search.trial(&board.arena, program, scratch, most);
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
            tally.lengths += f64::from(length) / f64::from(board.arena.optimum());
            tally.solved += 1;
        }
        counted
    }

    /// What the score is: minus the mean percentage, made worse by solutions that are too long.
    pub(super) fn score(&self, verdicts: &Verdicts) -> f64 {
        let Config { objective, longest, .. } = self.config;
        if objective == Objective::Saved {
            return 100.0 - verdicts.percentage;
        }
        let above = if longest > 0.0 { (verdicts.length - longest + LENGTH_MARGIN).max(0.0) } else { 0.0 };
        -verdicts.percentage * (1.0 + LENGTH_PENALTY * above)
    }

    /// Judges a policy on the boards of the present generation, or as one that behaves the same was judged.
    pub(super) fn judged(&self, memory: &Memory, genome: &Genome) -> Judgement {
        let program = Program::new(&self.policy(genome));
        if self.config.reuse {
            let behaviour =
                self.probes.behaviour(&self.boards, &program, self.config.search.algorithm().uses_order_only());
            if let Some(Known { score, cases }) = memory.known.get(&behaviour) {
                return Judgement { score: *score, cases: cases.clone(), cached: 1, ..Judgement::default() };
            }
        }
        let mut tally = Tally::default();
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
            let counted = self.try_on(number, &program, self.config.nodes.min(cap), &mut scratch, &mut tally);
            cases.push(-counted);
            let behind = |usual: f64| tally.percentages / tally.boards as f64 > RACE * usual;
            if self.config.racing && tally.boards == RACE_BOARDS && memory.usual.is_some_and(behind) {
                break;
            }
        }
        let mut verdicts = tally.verdicts();
        let missing = memory.sample.len() - cases.len();
        if missing > 0 {
            // Who was not shown all boards must not look better than who was.
            verdicts.percentage *= 2.0;
        }
        let score = self.score(&verdicts);
        cases.extend(std::iter::repeat_n(-verdicts.percentage, missing));
        Judgement { score, cases, nodes: tally.nodes, cached: 0, evaluations: tally.evaluations }
    }
}

/// What is added up over boards.
#[derive(Default)]
struct Tally {
    nodes: u64,
    evaluations: u64,
    percentages: f64,
    lengths: f64,
    solved: usize,
    boards: usize,
}

impl Tally {
    fn verdicts(&self) -> Verdicts {
        Verdicts {
            percentage: self.percentages / self.boards.max(1) as f64,
            length: if self.solved == 0 { 1.0 } else { self.lengths / self.solved as f64 },
            solved: self.solved,
            boards: self.boards,
        }
    }
}
