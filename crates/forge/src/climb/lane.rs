//! A lane: a sequence of ascents.

use super::ClimbOptions;
use super::ascent::{Ascent, EvaluationContext, without_removable};
use super::fitness::evaluate;
use clearway_rush::{Board, Solver};
use clearway_util::rng::stream;
use rand::RngExt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Best board of an ascent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// Fitness of the board.
    pub fitness: u64,
    /// Board at its hardest state.
    pub board: Board,
    /// Number of the lane, from 0.
    pub lane: u64,
    /// Number of the ascent in its lane, from 0.
    pub ascent: u32,
}

/// Sequence of ascents.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub index: u64,
    pub evaluations: u64,
    /// Number of the current ascent, which is the number of completed ones.
    pub ascent: u32,
    /// Current ascent; None before it starts.
    pub current: Option<Ascent>,
    pub peaks: Vec<Peak>,
    /// Whether all ascents are completed.
    pub done: bool,
}

impl Lane {
    pub fn new(index: u64) -> Lane {
        Lane { index, evaluations: 0, ascent: 0, current: None, peaks: Vec::new(), done: false }
    }

    /// Returns the best fitness so far.
    pub fn best(&self) -> Option<u64> {
        let now = self.current.as_ref().and_then(Ascent::best_fitness);
        self.peaks.iter().map(|peak| peak.fitness).max().max(now)
    }

    /// Returns the best board of each ascent, including the current one.
    pub fn peaks(&self, options: &ClimbOptions) -> Vec<Peak> {
        let now = self.current.as_ref().and_then(|ascent| ascent.best(options)).map(|best| self.peak(best));
        self.peaks.iter().cloned().chain(now).collect()
    }

    fn peak(&self, (fitness, board): (u64, Board)) -> Peak {
        Peak { fitness, board, lane: self.index, ascent: self.ascent }
    }

    /// Evaluates one board. The lane is unchanged if this is cancelled.
    pub fn evaluate_one(&mut self, options: &ClimbOptions, cancel: Option<&Arc<AtomicBool>>, solver: &mut Solver) {
        let mut ascent = self.current.take().unwrap_or_else(|| Ascent::new(options));
        let own_seed = stream(options.seed, self.index).random();
        let number = self.evaluations;
        let rng = stream(own_seed, number);
        let evaluated = ascent.evaluate_one(&mut EvaluationContext { options, cancel, solver, rng, number });
        self.evaluations += u64::from(evaluated);
        if !ascent.done {
            self.current = Some(ascent);
            return;
        }
        if let Some(best) = ascent.best(options) {
            // This cannot be cancelled, because the result must not depend on the time of the cancellation.
            self.peaks.push(self.peak(without_removable(options, &best, None, solver)));
        }
        self.ascent += 1;
        self.done = options.ascents.is_some_and(|most| self.ascent >= most);
    }

    /// Evaluates the boards that were read from a checkpoint, which holds neither fitness nor paths.
    pub fn reevaluate(&mut self, options: &ClimbOptions, solver: &mut Solver) {
        for climber in self.current.iter_mut().flat_map(|ascent| &mut ascent.climbers) {
            if let Some(current) = climber.current.take_if(|current| current.path.is_empty()) {
                climber.current = evaluate(options, current.board, options.largest, None, solver);
            }
        }
    }
}
