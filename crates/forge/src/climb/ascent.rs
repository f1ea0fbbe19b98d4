//! One ascent: a population of boards is reduced to the best of them, which climbs until it is stuck.

use super::ClimbOptions;
use super::draft::{Draft, frame};
use super::fitness::{Evaluated, FitnessMeasure, evaluate};
use crate::{Shape, minimal};
use clearway_rush::{Answer, Board, Metric, Portfolio, Solver, StopRule};
use clearway_search::{Limits, Verdict};
use clearway_util::rng::Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Temperature of the acceptance rule: a loss of this number of moves is accepted with probability 1/e.
const TEMPERATURE: f64 = 2.0;
/// Probability that a change is applied to a random state of the path to the solution instead of the hardest state.
const ON_PATH: f64 = 0.5;
/// Probability that a change is followed by another one before the board is evaluated.
const FURTHER_CHANGE: f64 = 0.3;
/// A kick makes more than this number of changes; each failed kick in a row adds one to it.
const KICK_CHANGES: u32 = 4;
/// Number of drafts started before a change is considered impossible.
const MAX_DRAWS: u32 = 100;
/// While there are several climbers from random boards, most of which will be dropped, the limit on the size of components
/// is divided by this number, which is halved after each round (down to 2).
const SIZE_DIVISOR: u64 = 8;

/// Factor by which components may exceed the usual limit when a removable vehicle is removed.
pub(super) const GROWTH: u64 = 4;

/// A board that climbs.
#[derive(Clone, Debug, Default)]
pub(super) struct Climber {
    /// Current board; None until the first solvable board is found.
    pub current: Option<Evaluated>,
    /// Best board so far, with its fitness.
    pub best: Option<(u64, Board)>,
    /// Number of the evaluation that last improved or kicked it.
    pub last_progress: u64,
}

/// State of an ascent.
#[derive(Clone, Debug)]
pub(super) struct Ascent {
    /// Whether the boards still have the inner shape.
    pub is_inner: bool,
    pub climbers: Vec<Climber>,
    /// Number of times that the weaker half of the climbers was dropped.
    pub round: u32,
    /// Index of the climber whose turn it is.
    pub turn: usize,
    /// Number of evaluations left in this turn.
    pub left: u64,
    /// Number of kicks of the last climber in a row that brought no improvement.
    pub failed_kicks: u16,
    /// Best fitness of the last climber before its last kick.
    pub before_kick: u64,
    /// Whether the next accepted board of the last climber is a kick.
    pub kicking: bool,
    pub done: bool,
}

/// Everything that an evaluation needs apart from the ascent.
pub(super) struct EvaluationContext<'a> {
    pub options: &'a ClimbOptions,
    pub cancel: Option<&'a Arc<AtomicBool>>,
    pub solver: &'a mut Solver,
    pub rng: Rng,
    /// Number of the evaluation within the lane.
    pub number: u64,
}

impl Ascent {
    pub fn new(options: &ClimbOptions) -> Ascent {
        Ascent {
            is_inner: options.inner.is_some(),
            climbers: vec![Climber::default(); options.population.max(1).into()],
            round: 0,
            turn: 0,
            left: options.round.max(1).into(),
            failed_kicks: 0,
            before_kick: 0,
            kicking: false,
            done: false,
        }
    }

    /// Returns the best fitness so far.
    pub fn best_fitness(&self) -> Option<u64> {
        self.climbers.iter().filter_map(|climber| Some(climber.best.as_ref()?.0)).max()
    }

    /// Returns the best board so far, in the shape of the options, with its fitness.
    pub fn best(&self, options: &ClimbOptions) -> Option<(u64, Board)> {
        let bests = self.climbers.iter().filter_map(|climber| climber.best.as_ref());
        let (fitness, board) = bests.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        let board = if self.is_inner { frame(options.shape, board).ok()? } else { board.clone() };
        Some((*fitness, board))
    }

    /// Returns the shape of the boards at present.
    pub fn shape(&self, options: &ClimbOptions) -> Shape {
        options.inner.filter(|_| self.is_inner).unwrap_or(options.shape)
    }

    /// Generates a candidate board, evaluates it, and accepts or rejects it. Returns false if this was cancelled; the ascent
    /// is then unchanged.
    pub fn evaluate_one(&mut self, context: &mut EvaluationContext) -> bool {
        let is_unrestricted = self.climbers.len() == 1 || !context.options.starts.is_empty();
        let divisor = if is_unrestricted { 1 } else { (SIZE_DIVISOR >> self.round.min(8)).max(2) };
        let largest = (context.options.largest / divisor).max(1);
        let changes = if self.kicking { KICK_CHANGES + u32::from(self.failed_kicks) } else { 0 };
        let shape = self.shape(context.options);
        let climber = &mut self.climbers[self.turn];
        let draft = match &climber.current {
            None => first_draft(shape, context),
            Some(current) => changed_draft(shape, current, changes, context),
        };
        let candidate = draft
            .and_then(|draft| draft.board().ok())
            .and_then(|board| evaluate(context.options, board, largest, context.cancel, context.solver));
        if context.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return false;
        }
        if let Some(candidate) = candidate {
            let tolerance = TEMPERATURE * context.rng.random::<f64>().ln();
            if self.kicking
                || climber.current.as_ref().is_none_or(|current| candidate.score >= current.score + tolerance)
            {
                climber.accept(shape, candidate, context);
                if self.kicking {
                    climber.last_progress = context.number;
                    self.kicking = false;
                }
            }
        }
        if self.climbers.len() > 1 {
            self.finish_evaluation_of_turn(context.options, context.number);
        } else {
            self.kick_if_stuck(context);
        }
        true
    }

    /// Counts an evaluation of the current turn, and drops the weaker half of the climbers after the last turn of a round.
    fn finish_evaluation_of_turn(&mut self, options: &ClimbOptions, number: u64) {
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
                self.climbers[0].last_progress = number;
            }
        }
        self.left = u64::from(options.round.max(1)) << self.round.min(16);
    }

    /// Kicks the last climber if it is stuck, or ends the ascent if more kicks in a row failed than the options allow.
    fn kick_if_stuck(&mut self, context: &mut EvaluationContext) {
        let climber = &mut self.climbers[0];
        if context.number.saturating_sub(climber.last_progress) <= context.options.patience.into() {
            return;
        }
        let fitness = climber.best.as_ref().map_or(0, |best| best.0);
        self.failed_kicks = if fitness > self.before_kick { 0 } else { self.failed_kicks.saturating_add(1) };
        self.before_kick = fitness;
        if self.failed_kicks > context.options.kicks || climber.best.is_none() {
            self.done = !self.leave_inner_shape(context);
            return;
        }
        if let Some((_, board)) = &climber.best {
            let again = evaluate(context.options, board.clone(), context.options.largest, None, context.solver);
            climber.current = again.or(climber.current.take());
        }
        // A kick for which no board is found within the patience counts as failed.
        climber.last_progress = context.number;
        self.kicking = true;
    }

    /// Lets the best board of the inner shape climb on in the shape of the options, inside a frame. Returns false if the boards have
    /// that shape already, or there is no board.
    fn leave_inner_shape(&mut self, context: &mut EvaluationContext) -> bool {
        let Some(best) = self.best(context.options).filter(|_| self.is_inner) else { return false };
        let current = evaluate(context.options, best.1.clone(), context.options.largest, None, context.solver);
        self.climbers = vec![Climber { current, best: Some(best), last_progress: context.number }];
        (self.is_inner, self.kicking, self.failed_kicks, self.before_kick) = (false, false, 0, 0);
        true
    }
}

impl Climber {
    fn accept(&mut self, shape: Shape, candidate: Evaluated, context: &EvaluationContext) {
        if self.best.as_ref().is_none_or(|best| candidate.fitness > best.0) {
            // A new draft relabels the vehicles in order, as they are when the board is read from text.
            let hardest = candidate.board.with_positions(&candidate.path[0]);
            if let Ok(board) = hardest.and_then(|board| Draft::from_board(shape, &board).board()) {
                self.best = Some((candidate.fitness, board));
                self.last_progress = context.number;
            }
        }
        self.current = Some(candidate);
    }
}

fn first_draft(shape: Shape, context: &mut EvaluationContext) -> Option<Draft> {
    let Some(start) = context.options.starts.choose(&mut context.rng) else {
        return Some(Draft::crowded(shape, &mut context.rng));
    };
    if context.rng.random() {
        return Some(Draft::from_board(shape, start));
    }
    // A board that was just wrapped has too much room, so vehicles are added to its solved state as to a random board.
    let limits = Limits { nodes: Some(context.options.largest), cancel: context.cancel.cloned(), ..Limits::default() };
    let solution = solve(start, Metric::Moves, StopRule::First, &limits, context.solver).solution?;
    let mut solved = start.clone();
    for &mv in &solution.0 {
        solved.apply(mv).ok()?;
    }
    let mut draft = Draft::from_board(shape, &solved);
    draft.crowd(&mut context.rng);
    Some(draft)
}

fn changed_draft(shape: Shape, current: &Evaluated, changes: u32, context: &mut EvaluationContext) -> Option<Draft> {
    let rng = &mut context.rng;
    let place = if rng.random_bool(ON_PATH) { rng.random_range(0..current.path.len()) } else { 0 };
    let board = current.board.with_positions(&current.path[place]).ok()?;
    changed(shape, &board, changes, rng)
}

/// Returns a draft of the board with more than `changes` random changes, or None if none was possible.
pub(super) fn changed(shape: Shape, board: &Board, changes: u32, rng: &mut Rng) -> Option<Draft> {
    for _ in 0..MAX_DRAWS {
        let mut draft = Draft::from_board(shape, board);
        let mut applied = 0;
        while draft.change(rng) {
            applied += 1;
            if applied > changes && !rng.random_bool(FURTHER_CHANGE) {
                return Some(draft);
            }
        }
    }
    None
}

/// Removes the vehicles that a board does not need, and takes the hardest state after each removal, so that the fitness never
/// decreases. Where the component has become too large to find the hardest state, the board keeps its state. If this is
/// cancelled, some removable vehicles may be left.
pub(super) fn without_removable(
    options: &ClimbOptions,
    best: &(u64, Board),
    cancel: Option<&Arc<AtomicBool>>,
    solver: &mut Solver,
) -> (u64, Board) {
    let mut best = best.clone();
    let mut index = 1;
    while index < best.1.vehicles().len() {
        let smaller =
            minimal::without(&best.1, index).and_then(|board| Draft::from_board(options.shape, &board).board().ok());
        let reduced = smaller.and_then(|smaller| at_least_as_fit(options, &smaller, best.0, cancel, solver));
        index = if reduced.is_some() { 1 } else { index + 1 };
        best = reduced.unwrap_or(best);
    }
    best
}

/// Returns the board at its hardest state if its fitness is at least `fitness`. If its component is too large to find the
/// hardest state, returns the board itself if that is as fit.
fn at_least_as_fit(
    options: &ClimbOptions,
    board: &Board,
    fitness: u64,
    cancel: Option<&Arc<AtomicBool>>,
    solver: &mut Solver,
) -> Option<(u64, Board)> {
    let largest = options.most_states();
    if let Some(evaluated) = evaluate(options, board.clone(), largest, cancel, solver) {
        let hardest = evaluated.board.with_positions(&evaluated.path[0]).ok()?;
        let hardest = Draft::from_board(options.shape, &hardest).board().ok()?;
        return (evaluated.fitness >= fitness).then_some((evaluated.fitness, hardest));
    }
    let metric = match options.fitness {
        FitnessMeasure::Moves => Metric::Moves,
        FitnessMeasure::Steps => Metric::Steps,
        FitnessMeasure::Depth | FitnessMeasure::IdNodes => return None,
    };
    let limits = Limits { nodes: Some(largest), cancel: cancel.cloned(), ..Limits::default() };
    let answer = solve(board, metric, StopRule::Optimal, &limits, solver);
    let length = u64::from(answer.lower_bound);
    (answer.verdict == Verdict::Solved && length >= fitness).then_some((length, board.clone()))
}

/// Solves a single state. On a large board, A* alone often finds nothing within the limits.
fn solve(board: &Board, metric: Metric, stop: StopRule, limits: &Limits, solver: &mut Solver) -> Answer {
    if board.is_large() {
        Portfolio { stop, ..Portfolio::default() }.solve(solver, board, metric, limits, &mut |_| {})
    } else {
        solver.solve(board, metric, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::suites::Suite;
    use clearway_rush::{Side, formats};
    use clearway_util::rng::stream;

    /// Two dense boards of 10x10, one with a plan of 26 moves: A* finds none of them within a million nodes.
    const DENSE: [&str; 2] = [
        "10x10:...TBQQQcJZ.dTBFF.cJZCd.BLKKK.DCII.LNNMaDC.VRRRSMaAA.VjW.SO.YH..jW.SOUYHebbbGP.Uhke..gGPEfhkeiigG.Ef",
        "10x10:.Q.ffhdd..OQVVVhPPb.OCia.NNYbJ.Ciaee.YSJ.CDDDREYSJAA..IREFU..MMZIH.FUcKGGZIHTFUcK..Z.HTggcKLL.WWBBB.",
    ];

    fn options(line: u8, starts: Vec<Board>) -> ClimbOptions {
        let shape = Shape::new(10, 10, Side::Right, Some(line), 0).expect("a shape");
        ClimbOptions { starts, largest: 20_000, ..ClimbOptions::new(shape) }
    }

    fn read(text: &str) -> Board {
        formats::read_one(text, None).expect("a board").board
    }

    #[test]
    fn vehicles_are_added_to_the_solved_state_of_a_large_start() {
        let options = options(5, DENSE.map(read).to_vec());
        for seed in 0..8 {
            let (mut solver, rng) = (Solver::new(), stream(seed, 0));
            let mut context =
                EvaluationContext { options: &options, cancel: None, solver: &mut solver, rng, number: 0 };
            assert!(first_draft(options.shape, &mut context).is_some(), "seed {seed}");
        }
    }

    #[test]
    fn a_large_board_with_too_many_states_keeps_its_fitness() {
        // The last card, of 51 moves, behind walls, with eight cars that do not matter.
        let card = formats::line(&Suite::find("cards").expect("a suite").puzzles()[39].board);
        let rows: Vec<String> = (0..10)
            .map(|y| match y {
                0 => "11.xxxxxxx".to_owned(),
                1..=6 => format!("{}x{}", ["22.", "33.", "44.", "55.", "...", "..."][y - 1], &card[6 * (y - 1)..6 * y]),
                7 => "...xxxxxxx".to_owned(),
                8 => "66..77....".to_owned(),
                _ => ".....88...".to_owned(),
            })
            .collect();
        let board = read(&format!("10x10:{}", rows.concat()));
        let (options, mut solver) = (options(3, Vec::new()), Solver::new());
        assert!(evaluate(&options, board.clone(), options.most_states(), None, &mut solver).is_none());
        let mut fitness = |least| at_least_as_fit(&options, &board, least, None, &mut solver).map(|best| best.0);
        assert_eq!([fitness(51), fitness(52)], [Some(51), None]);
    }
}
