//! A lane: ascents one after the other.

use super::ClimbOptions;
use super::ascent::{Ascent, Tools, without_useless};
use super::fitness::evaluate;
use crate::rng::stream;
use clearway_rush::{Board, Solver};
use rand::RngExt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The best board of an ascent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peak {
    /// Its fitness.
    pub fitness: u64,
    /// The board, at its hardest state.
    pub board: Board,
    /// The number of the lane, from 0.
    pub lane: u64,
    /// The number of the ascent in its lane, from 0.
    pub ascent: u32,
}

/// Ascents one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub index: u64,
    pub evaluations: u64,
    /// The number of the ascent that is on its way; so many were made before.
    pub ascent: u32,
    /// None before it begins.
    pub current: Option<Ascent>,
    pub peaks: Vec<Peak>,
    /// Whether all ascents were made.
    pub done: bool,
}

impl Lane {
    pub fn new(index: u64) -> Lane {
        Lane { index, evaluations: 0, ascent: 0, current: None, peaks: Vec::new(), done: false }
    }

    /// The best fitness so far.
    pub fn best(&self) -> Option<u64> {
        let now = self.current.as_ref().and_then(Ascent::best).map(|best| best.0);
        self.peaks.iter().map(|peak| peak.fitness).max().max(now)
    }

    /// The best board of each ascent, that on its way included, as it is.
    pub fn peaks(&self) -> Vec<Peak> {
        let now = self.current.as_ref().and_then(Ascent::best).map(|best| self.peak(best.clone()));
        self.peaks.iter().cloned().chain(now).collect()
    }

    fn peak(&self, (fitness, board): (u64, Board)) -> Peak {
        Peak { fitness, board, lane: self.index, ascent: self.ascent }
    }

    /// Evaluates one board. If that is cancelled, nothing has happened.
    pub fn evaluate_one(&mut self, options: &ClimbOptions, cancel: Option<&Arc<AtomicBool>>, solver: &mut Solver) {
        let mut ascent = self.current.take().unwrap_or_else(|| Ascent::new(options));
        let own_seed = stream(options.seed, self.index).random();
        let number = self.evaluations;
        let rng = stream(own_seed, number);
        let evaluated = ascent.evaluate_one(&mut Tools { options, cancel, solver, rng, number });
        self.evaluations += u64::from(evaluated);
        if !ascent.done {
            self.current = Some(ascent);
            return;
        }
        if let Some(best) = ascent.best() {
            // Not to be cancelled: what is left of the ascent must not depend on when that was.
            self.peaks.push(self.peak(without_useless(options, best, None, solver)));
        }
        self.ascent += 1;
        self.done = options.ascents.is_some_and(|most| self.ascent >= most);
    }

    /// Evaluates the boards again that were read from text.
    pub fn recall(&mut self, options: &ClimbOptions, solver: &mut Solver) {
        for climber in self.current.iter_mut().flat_map(|ascent| &mut ascent.climbers) {
            if let Some(at) = climber.at.take_if(|at| at.way.is_empty()) {
                climber.at = evaluate(options, at.board, options.largest, None, solver);
            }
        }
    }
}
