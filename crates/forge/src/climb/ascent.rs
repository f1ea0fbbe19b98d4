//! One ascent: from a population of boards to the best of them.

use super::ClimbOptions;
use super::draft::Draft;
use super::fitness::{Evaluated, Fitness, evaluate};
use crate::rng::Rng;
use crate::{Shape, minimal};
use clearway_rush::{Board, Metric, Solver};
use clearway_search::Limits;
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A loss of so many moves is taken with probability 1/e.
const HEAT: f64 = 2.0;
/// How often a change is made on the way to the solution, and not to the hardest state itself.
const ON_THE_WAY: f64 = 0.5;
/// How often another change follows a change at once.
const ANOTHER: f64 = 0.3;
/// The changes of the first kick; each one that follows in vain makes one more.
const KICK: u32 = 4;
/// How many times a change is drawn until it is possible.
const DRAWS: u32 = 100;
/// While there are several climbers from random boards, of which most will be given up, components are kept smaller by
/// this factor, and by half of it after each round.
const SMALLER: u64 = 8;

/// Components may be larger by this factor when a useless vehicle is taken out.
pub(super) const LARGER: u64 = 4;

/// A board that climbs.
#[derive(Clone, Debug, Default)]
pub(super) struct Climber {
    /// Where it stands; none before its first solvable board.
    pub at: Option<Evaluated>,
    /// The best it has been.
    pub best: Option<(u64, Board)>,
    /// The number of the evaluation that last made it better or kicked it.
    pub improved: u64,
}

/// An ascent on its way.
#[derive(Clone, Debug)]
pub(super) struct Ascent {
    pub climbers: Vec<Climber>,
    /// How often half of the climbers were given up.
    pub round: u32,
    /// Whose turn it is, and for how many more evaluations.
    pub turn: usize,
    pub left: u64,
    /// The last climber's kicks in vain, its best fitness before the last kick, and whether it is to be kicked now.
    pub kicks: u16,
    pub before_kick: u64,
    pub kicking: bool,
    pub done: bool,
}

/// What an evaluation needs beside the ascent.
pub(super) struct Tools<'a> {
    pub options: &'a ClimbOptions,
    pub cancel: Option<&'a Arc<AtomicBool>>,
    pub solver: &'a mut Solver,
    pub rng: Rng,
    /// The number of the evaluation.
    pub number: u64,
}

impl Ascent {
    pub fn new(options: &ClimbOptions) -> Ascent {
        Ascent {
            climbers: vec![Climber::default(); options.population.max(1).into()],
            round: 0,
            turn: 0,
            left: options.round.max(1).into(),
            kicks: 0,
            before_kick: 0,
            kicking: false,
            done: false,
        }
    }

    /// The best board so far.
    pub fn best(&self) -> Option<&(u64, Board)> {
        let bests = self.climbers.iter().filter_map(|climber| climber.best.as_ref());
        bests.reduce(|a, b| if b.0 > a.0 { b } else { a })
    }

    /// Draws a board, evaluates it and takes it or not. False if that was cancelled: then nothing has happened.
    pub fn evaluate_one(&mut self, tools: &mut Tools) -> bool {
        let whole = self.climbers.len() == 1 || !tools.options.starts.is_empty();
        let smaller = if whole { 1 } else { (SMALLER >> self.round.min(8)).max(2) };
        let largest = (tools.options.largest / smaller).max(1);
        let changes = if self.kicking { KICK + u32::from(self.kicks) } else { 0 };
        let climber = &mut self.climbers[self.turn];
        let draft = match &climber.at {
            None => first_draft(tools),
            Some(at) => changed_draft(at, changes, tools),
        };
        let found = draft
            .and_then(|draft| draft.board().ok())
            .and_then(|board| evaluate(tools.options, board, largest, tools.cancel, tools.solver));
        if tools.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return false;
        }
        if let Some(found) = found {
            let luck = HEAT * tools.rng.random::<f64>().ln();
            if self.kicking || climber.at.as_ref().is_none_or(|at| found.score >= at.score + luck) {
                climber.take(found, tools);
                if self.kicking {
                    climber.improved = tools.number;
                    self.kicking = false;
                }
            }
        }
        if self.climbers.len() > 1 {
            self.end_of_turn(tools.options, tools.number);
        } else {
            self.end_of_patience(tools);
        }
        true
    }

    /// Gives up the weaker half after everybody's turn.
    fn end_of_turn(&mut self, options: &ClimbOptions, number: u64) {
        self.left -= 1;
        if self.left > 0 {
            return;
        }
        self.turn += 1;
        if self.turn == self.climbers.len() {
            self.climbers.sort_by_key(|climber| std::cmp::Reverse(climber.best.as_ref().map(|best| best.0)));
            self.climbers.truncate(self.climbers.len().div_ceil(2));
            self.round += 1;
            self.turn = 0;
            if self.climbers.len() == 1 {
                self.climbers[0].improved = number;
            }
        }
        self.left = u64::from(options.round.max(1)) << self.round.min(16);
    }

    /// Kicks the last climber if it is stuck, or ends the ascent.
    fn end_of_patience(&mut self, tools: &mut Tools) {
        let climber = &mut self.climbers[0];
        if tools.number.saturating_sub(climber.improved) <= tools.options.patience.into() {
            return;
        }
        let fitness = climber.best.as_ref().map_or(0, |best| best.0);
        self.kicks = if fitness > self.before_kick { 0 } else { self.kicks.saturating_add(1) };
        self.before_kick = fitness;
        if self.kicks > tools.options.kicks || climber.best.is_none() {
            self.done = true;
            return;
        }
        if let Some((_, board)) = &climber.best {
            let again = evaluate(tools.options, board.clone(), tools.options.largest, None, tools.solver);
            climber.at = again.or(climber.at.take());
        }
        // A kick that is not possible for a whole patience is one in vain.
        climber.improved = tools.number;
        self.kicking = true;
    }
}

impl Climber {
    fn take(&mut self, found: Evaluated, tools: &Tools) {
        if self.best.as_ref().is_none_or(|best| found.fitness > best.0) {
            // Drafted anew, so that the vehicles are in their order, as they are when the board is read from text.
            let hardest = found.board.with_positions(&found.way[0]);
            if let Ok(board) = hardest.and_then(|board| Draft::of(tools.options.shape, &board).board()) {
                self.best = Some((found.fitness, board));
                self.improved = tools.number;
            }
        }
        self.at = Some(found);
    }
}

fn first_draft(tools: &mut Tools) -> Option<Draft> {
    let shape = tools.options.shape;
    let Some(start) = tools.options.starts.choose(&mut tools.rng) else {
        return Some(Draft::crowded(shape, &mut tools.rng));
    };
    if tools.rng.random() {
        return Some(Draft::of(shape, start));
    }
    // A board that was just wrapped has too much room: its solved state is crowded as a random one would be.
    let limits = Limits { nodes: Some(tools.options.largest), cancel: tools.cancel.cloned(), ..Limits::default() };
    let solution = tools.solver.solve(start, Metric::Moves, &limits).solution?;
    let mut solved = start.clone();
    for &mv in &solution.0 {
        solved.apply(mv).ok()?;
    }
    let mut draft = Draft::of(shape, &solved);
    draft.crowd(&mut tools.rng);
    Some(draft)
}

fn changed_draft(at: &Evaluated, changes: u32, tools: &mut Tools) -> Option<Draft> {
    let rng = &mut tools.rng;
    let station = if rng.random_bool(ON_THE_WAY) { rng.random_range(0..at.way.len()) } else { 0 };
    let board = at.board.with_positions(&at.way[station]).ok()?;
    changed(tools.options.shape, &board, changes, rng)
}

/// A draft of a board with more than so many changes; none if none was possible.
pub(super) fn changed(shape: Shape, board: &Board, changes: u32, rng: &mut Rng) -> Option<Draft> {
    for _ in 0..DRAWS {
        let mut draft = Draft::of(shape, board);
        let mut made = 0;
        while draft.change(rng) {
            made += 1;
            if made > changes && !rng.random_bool(ANOTHER) {
                return Some(draft);
            }
        }
    }
    None
}

/// The board without the vehicles it does not need, each time at its hardest state: never easier than before. Where a
/// component has grown too large to find that, the board stays as it stands. If it is cancelled, some may be left.
pub(super) fn without_useless(
    options: &ClimbOptions,
    best: &(u64, Board),
    cancel: Option<&Arc<AtomicBool>>,
    solver: &mut Solver,
) -> (u64, Board) {
    let mut best = best.clone();
    let mut index = 1;
    while index < best.1.vehicles().len() {
        let smaller = minimal::without(&best.1, index).and_then(|board| Draft::of(options.shape, &board).board().ok());
        let found = smaller.and_then(|smaller| as_hard(options, &smaller, best.0, cancel, solver));
        index = if found.is_some() { 1 } else { index + 1 };
        best = found.unwrap_or(best);
    }
    best
}

/// The board at its hardest state, or as it stands, if it has this fitness.
fn as_hard(
    options: &ClimbOptions,
    board: &Board,
    fitness: u64,
    cancel: Option<&Arc<AtomicBool>>,
    solver: &mut Solver,
) -> Option<(u64, Board)> {
    let largest = options.most_states();
    if let Some(found) = evaluate(options, board.clone(), largest, cancel, solver) {
        let hardest = found.board.with_positions(&found.way[0]).ok()?;
        let hardest = Draft::of(options.shape, &hardest).board().ok()?;
        return (found.fitness >= fitness).then_some((found.fitness, hardest));
    }
    let metric = match options.fitness {
        Fitness::Moves => Metric::Moves,
        Fitness::Steps => Metric::Steps,
        Fitness::Depth | Fitness::IdNodes => return None,
    };
    let limits = Limits { nodes: Some(largest), cancel: cancel.cloned(), ..Limits::default() };
    let answer = solver.solve(board, metric, &limits);
    let length = u64::from(answer.lower_bound);
    (answer.solution.is_some() && length >= fitness).then_some((length, board.clone()))
}
