//! Property-directed reachability (IC3): proves that a board is unsolvable by an invariant.
//!
//! A *cube* is a set of states, given by a first and a last position of each vehicle. *Frame* i is a list of cubes that no state
//! within i layers of the start belongs to. To show that the target is not at the exit within i layers, the cube of the exit is
//! excluded from frame i. If a state outside of frame i - 1 leads into a cube, then a cube around that state has to be excluded
//! first. Every excluded cube is widened as far as possible. When all cubes of a frame are excluded from the next one too, they
//! are an invariant: the start is in none of them, no layer leads from outside of all of them into one, and one of them contains
//! the exit.

use super::budget::SatBudget;
use super::encoding::{ClauseSink, Encoding, Literal};
use super::sat::{SatAnswer, SatSolver};
use super::structure::Structure;
use crate::Board;
use clearway_search::Limit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Effort that each question to the SAT solver takes at least, in conflicts.
const QUESTION: u64 = 3;
/// Number of questions after which the solver is created anew, without the clauses that are not needed any more.
const QUESTIONS_PER_SOLVER: u32 = 2_000;

/// The states in which each mover stands between two positions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cube(Vec<(u8, u8)>);

impl Cube {
    fn contains(&self, other: &Cube) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one.0 <= other.0 && other.1 <= one.1)
    }
}

/// Answer to the question whether the target can reach the exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvariantAnswer {
    /// It cannot; this is proven.
    Unsolvable,
    /// It can: the search ended with a plan.
    Solvable,
    /// The effort was used up.
    Unknown,
    /// A limit of the search stopped it.
    Stopped(Limit),
}

/// One end of the positions of a mover in a cube.
#[derive(Clone, Copy, Debug)]
struct Bound {
    mover: usize,
    is_first: bool,
    literal: Literal,
}

/// The state of the proof, kept between calls.
pub(crate) struct Invariant {
    structure: Structure,
    start: Cube,
    /// All states.
    everything: Cube,
    exit: Cube,
    questions: Questions,
    /// Cubes by the last frame that excludes them. Frame 0 is the start alone, without cubes.
    frames: Vec<Vec<Cube>>,
    /// Cubes to exclude, each from a frame; the first frame comes first.
    open: BinaryHeap<Reverse<(usize, Cube)>>,
    conflicts: u64,
}

/// The SAT solver, with one layer between any two states.
struct Questions {
    encoding: Encoding,
    solver: SatSolver,
    /// By frame: the literal that makes its cubes count.
    active: Vec<Literal>,
    /// The literal that was only for the last question.
    retired: Option<Literal>,
    asked: u32,
}

/// The answer to the question whether a state outside of a frame leads into a cube.
enum Step {
    /// It does: a cube of such states.
    From(Cube),
    /// None does, nor into this larger cube.
    None(Cube),
}

/// Why the work ended without an answer.
enum Stop {
    Effort,
    Limit(Limit),
}

impl Invariant {
    /// Starts the proof. Returns `None` if it is not needed: the target cannot be at the exit, or is there at the start.
    pub fn new(board: &Board) -> Option<Invariant> {
        let structure = Structure::new(board);
        let (target, goal) = structure.target.filter(|_| structure.is_goal_in_range() && !board.is_solved())?;
        let start = Cube(structure.movers.iter().map(|mover| (mover.start, mover.start)).collect());
        let everything = Cube(structure.movers.iter().map(|mover| (mover.first, mover.last)).collect());
        let mut exit = everything.clone();
        exit.0[target] = (goal, goal);
        let frames = vec![Vec::new(); 2];
        let questions = Questions::new(&structure, &frames);
        let open = BinaryHeap::from([Reverse((1, exit.clone()))]);
        Some(Invariant { structure, start, everything, exit, questions, frames, open, conflicts: 0 })
    }

    /// Number of conflicts so far; each question counts as one at least.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Estimate of the memory in use, in bytes.
    pub fn memory_usage(&self) -> usize {
        let cubes = self.frames.iter().map(Vec::len).sum::<usize>() + self.open.len();
        self.questions.solver.memory_usage() + cubes * (64 + 2 * self.structure.movers.len())
    }

    /// Works on the proof for an effort in conflicts.
    pub fn run(&mut self, effort: u64, budget: &SatBudget) -> InvariantAnswer {
        let mut left = effort;
        match self.work(&mut left, budget) {
            Ok(answer) => answer,
            Err(Stop::Effort) => InvariantAnswer::Unknown,
            Err(Stop::Limit(limit)) => InvariantAnswer::Stopped(limit),
        }
    }

    fn work(&mut self, left: &mut u64, budget: &SatBudget) -> Result<InvariantAnswer, Stop> {
        loop {
            while let Some(Reverse((frame, cube))) = self.open.peek().cloned() {
                if cube.contains(&self.start) {
                    return Ok(InvariantAnswer::Solvable);
                }
                let last = match self.excluded_until(frame, &cube) {
                    Some(last) => last,
                    None => match self.step(frame, &cube, true, left, budget)? {
                        Step::From(before) => {
                            self.open.push(Reverse((frame - 1, before)));
                            continue;
                        }
                        Step::None(wider) => {
                            let widened = self.widened(frame, wider, left, budget)?;
                            self.exclude(frame, widened);
                            frame
                        }
                    },
                };
                self.open.pop();
                // States of later frames may lead into the cube.
                if last + 1 < self.frames.len() {
                    self.open.push(Reverse((last + 1, cube)));
                }
            }
            self.open.push(Reverse((self.frames.len(), self.exit.clone())));
            self.frames.push(Vec::new());
            self.questions.add_frame();
            if self.propagate(left, budget)? {
                return Ok(InvariantAnswer::Unsolvable);
            }
        }
    }

    /// The last frame that excludes a cube, from a frame on; `None` if that frame does not.
    fn excluded_until(&self, frame: usize, cube: &Cube) -> Option<usize> {
        (frame..self.frames.len()).rev().find(|&frame| self.frames[frame].iter().any(|other| other.contains(cube)))
    }

    /// Excludes a cube from a frame and those before it.
    fn exclude(&mut self, frame: usize, cube: Cube) {
        for cubes in &mut self.frames[..=frame] {
            cubes.retain(|other| !cube.contains(other));
        }
        self.questions.exclude(frame, &cube);
        self.frames[frame].push(cube);
    }

    /// Asks whether a state that the frame before does not exclude leads into a cube, from outside of the cube if so wanted.
    fn step(
        &mut self,
        frame: usize,
        cube: &Cube,
        from_outside: bool,
        left: &mut u64,
        budget: &SatBudget,
    ) -> Result<Step, Stop> {
        if *left == 0 {
            return Err(Stop::Effort);
        }
        if self.questions.asked >= QUESTIONS_PER_SOLVER {
            self.questions = Questions::new(&self.structure, &self.frames);
        }
        let before = self.questions.solver.conflicts();
        let start = (frame == 1).then_some(&self.start);
        let (answer, bounds) = self.questions.ask(frame, start, cube, from_outside, *left, budget);
        let spent = self.questions.solver.conflicts() - before;
        self.conflicts += spent.max(1);
        *left = left.saturating_sub(spent.max(QUESTION));
        match answer {
            SatAnswer::Satisfiable => Ok(Step::From(self.predecessors(cube))),
            SatAnswer::Unsatisfiable => {
                let mut wider = self.everything.clone();
                for bound in bounds {
                    let is_needed = self.questions.solver.is_needed(bound.literal);
                    copy_bound(bound, cube, &mut wider, is_needed);
                }
                // The start must stay outside.
                if wider.contains(&self.start) {
                    self.keep_out_start(cube, &mut wider);
                }
                Ok(Step::None(wider))
            }
            SatAnswer::Unknown => Err(Stop::Effort),
            SatAnswer::Stopped(limit) => Err(Stop::Limit(limit)),
        }
    }

    /// Narrows a cube by one bound of a smaller one, so that the start is outside.
    fn keep_out_start(&self, smaller: &Cube, cube: &mut Cube) {
        for (mover, (&(first, last), &(start, _))) in smaller.0.iter().zip(&self.start.0).enumerate() {
            if start < first {
                cube.0[mover].0 = first;
                return;
            }
            if start > last {
                cube.0[mover].1 = last;
                return;
            }
        }
    }

    /// The states from which the same slides as in the solver's model lead into a cube.
    fn predecessors(&mut self, cube: &Cube) -> Cube {
        let Questions { encoding, solver, .. } = &mut self.questions;
        let before = encoding.positions(0, &mut |literal| solver.holds(literal));
        let after = encoding.positions(1, &mut |literal| solver.holds(literal));
        let mut found = self.everything.clone();
        let mut narrow = |mover: usize, first: u8, last: u8| {
            let positions = &mut found.0[mover];
            *positions = (positions.0.max(first), positions.1.min(last));
        };
        for (mover, &(first, last)) in cube.0.iter().enumerate() {
            let (from, to) = (before[mover], after[mover]);
            if (first..=last).contains(&from) {
                narrow(mover, first, last); // it need not move
                continue;
            }
            narrow(mover, from, from);
            let length = self.structure.movers[mover].length;
            let entered = if to > from { from + length..to + length } else { to..from };
            for cell in &self.structure.shared {
                for (own, crossing) in [(&cell.horizontal, &cell.vertical), (&cell.vertical, &cell.horizontal)] {
                    if !own.0.contains(&mover) || !entered.contains(&own.1) {
                        continue;
                    }
                    for &other in &crossing.0 {
                        // It stands beyond the cell or before it, and may do so anywhere.
                        let length = self.structure.movers[other].length;
                        if before[other] > crossing.1 {
                            narrow(other, crossing.1 + 1, u8::MAX);
                        } else {
                            narrow(other, 0, crossing.1 - length);
                        }
                    }
                }
            }
            for &(one, other) in &self.structure.in_line {
                if one == mover && to > from {
                    narrow(other, to + length, u8::MAX);
                } else if other == mover && to < from {
                    narrow(one, 0, to - self.structure.movers[one].length);
                }
            }
        }
        found
    }

    /// Widens a cube that no state outside of the frame before leads into, as long as this remains so.
    fn widened(&mut self, frame: usize, mut cube: Cube, left: &mut u64, budget: &SatBudget) -> Result<Cube, Stop> {
        for mover in 0..cube.0.len() {
            for is_first in [true, false] {
                let mut wider = cube.clone();
                copy_bound(Bound { mover, is_first, literal: 0 }, &self.everything, &mut wider, true);
                if wider == cube || wider.contains(&self.start) {
                    continue;
                }
                if let Step::None(found) = self.step(frame, &wider, true, left, budget)? {
                    cube = found;
                }
            }
        }
        Ok(cube)
    }

    /// Excludes cubes from the frame after theirs where no state leads into them. Returns whether an invariant was found.
    fn propagate(&mut self, left: &mut u64, budget: &SatBudget) -> Result<bool, Stop> {
        for frame in 1..self.frames.len() - 1 {
            for cube in self.frames[frame].clone() {
                // An exclusion from a later frame may have made this one unnecessary.
                if self.frames[frame].contains(&cube)
                    && let Step::None(wider) = self.step(frame + 1, &cube, false, left, budget)?
                {
                    self.exclude(frame + 1, wider);
                }
            }
            if self.frames[frame].is_empty() {
                let cubes: Vec<Cube> = self.frames[frame + 1..].concat();
                self.check(&cubes, budget)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks an invariant with a new solver.
    ///
    /// # Panics
    /// If it is none, which would be a bug.
    fn check(&self, cubes: &[Cube], budget: &SatBudget) -> Result<(), Stop> {
        assert!(!cubes.iter().any(|cube| cube.contains(&self.start)), "the invariant excludes the start");
        assert!(cubes.iter().any(|cube| cube.contains(&self.exit)), "the invariant does not exclude the exit");
        let frames = [Vec::new(), cubes.to_vec()];
        let mut questions = Questions::new(&self.structure, &frames);
        for cube in cubes {
            match questions.ask(2, None, cube, false, u64::MAX / 2, budget).0 {
                SatAnswer::Unsatisfiable => {}
                SatAnswer::Stopped(limit) => return Err(Stop::Limit(limit)),
                answer => panic!("a layer leads out of the invariant: {answer:?}"),
            }
        }
        Ok(())
    }
}

/// Copies one bound of a cube to another if it is wanted.
fn copy_bound(bound: Bound, from: &Cube, to: &mut Cube, is_wanted: bool) {
    if is_wanted && bound.is_first {
        to.0[bound.mover].0 = from.0[bound.mover].0;
    } else if is_wanted {
        to.0[bound.mover].1 = from.0[bound.mover].1;
    }
}

impl Questions {
    fn new(structure: &Structure, frames: &[Vec<Cube>]) -> Questions {
        let mut solver = SatSolver::new();
        let mut encoding = Encoding::between_any_states(structure.clone(), &mut solver);
        encoding.add_layer(&mut solver);
        let mut questions = Questions { encoding, solver, active: Vec::new(), retired: None, asked: 0 };
        for (frame, cubes) in frames.iter().enumerate() {
            questions.add_frame();
            for cube in cubes {
                questions.exclude(frame, cube);
            }
        }
        questions
    }

    fn add_frame(&mut self) {
        let active = self.encoding.new_variable();
        self.active.push(active);
    }

    /// The bounds of a cube before the layer (time 0) or after it (time 1), without those that always hold.
    fn bounds(&self, cube: &Cube, time: usize) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for (mover, (&(first, last), range)) in cube.0.iter().zip(&self.encoding.structure().movers).enumerate() {
            if first > range.first {
                bounds.push(Bound { mover, is_first: true, literal: self.encoding.at_least(mover, first, time) });
            }
            if last < range.last {
                let literal = -self.encoding.at_least(mover, last + 1, time);
                bounds.push(Bound { mover, is_first: false, literal });
            }
        }
        bounds
    }

    /// Adds the clause that excludes a cube if a literal holds.
    fn exclude_if(&mut self, literal: Literal, cube: &Cube) {
        let mut clause = vec![-literal];
        clause.extend(self.bounds(cube, 0).iter().map(|bound| -bound.literal));
        self.solver.add_clause(&clause);
    }

    fn exclude(&mut self, frame: usize, cube: &Cube) {
        self.exclude_if(self.active[frame], cube);
    }

    /// Asks whether a state that the frame before does not exclude leads into a cube. Returns the bounds of the cube as well.
    fn ask(
        &mut self,
        frame: usize,
        start: Option<&Cube>,
        cube: &Cube,
        from_outside: bool,
        conflicts: u64,
        budget: &SatBudget,
    ) -> (SatAnswer, Vec<Bound>) {
        self.asked += 1;
        if let Some(retired) = self.retired.take() {
            self.solver.add_clause(&[-retired]);
        }
        let bounds = self.bounds(cube, 1);
        let mut assumptions: Vec<Literal> = bounds.iter().map(|bound| bound.literal).collect();
        match start {
            Some(start) => assumptions.extend(self.bounds(start, 0).iter().map(|bound| bound.literal)),
            None => assumptions.extend(&self.active[frame - 1..]),
        }
        if from_outside {
            let outside = self.encoding.new_variable();
            self.exclude_if(outside, cube);
            assumptions.push(outside);
            self.retired = Some(outside);
        }
        (self.solver.solve(&assumptions, conflicts, budget), bounds)
    }
}
