//! Boards that evolve against the policies: small changes that make a board harder for the present best are kept.

use super::folder::BRED;
use super::material::{Layout, as_read};
use super::memory::RunMemory;
use super::run::RunError;
use super::settings::{Coevolution, Settings};
use crate::Algorithm;
use crate::runs::{Folder, FolderError};
use clearway_forge::{Shape, climb};
use clearway_gp::parallel;
use clearway_gp::rng::{Rng, stream};
use clearway_policy::training::{BoardJob, TrainingBoard};
use clearway_policy::{NamedPolicy, Policy};
use clearway_rush::formats::{Known, Puzzle};
use clearway_rush::heuristics::Context;
use clearway_rush::{Board, Exit, Metric, Solver};
use clearway_search::Limits;
use rand::RngExt;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A board that was bred.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bred {
    /// The epoch that it was bred in, from 1.
    pub epoch: u32,
    /// Whose place among the training boards it took.
    pub place: usize,
    /// The board, at the hardest state of its component.
    pub puzzle: Puzzle,
}

/// Keeps the breeding of boards apart from the other uses of the seed.
const BREEDING: u64 = 0x626f_6172_6473_2121;

/// What the boards of an epoch depend on, beside the policy.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub settings: &'a Settings,
    /// What the training boards were made from.
    pub jobs: &'a [BoardJob],
    /// The layouts that no board may have.
    pub reserved: &'a HashSet<Layout>,
    pub memory: &'a RunMemory,
}

/// The boards of an epoch, made ready. None if it was cancelled.
pub(super) fn epoch(
    epoch: u32,
    policy: &Policy,
    surroundings: Surroundings<'_>,
    threads: usize,
    cancel: &Arc<AtomicBool>,
) -> Option<Vec<(Bred, TrainingBoard)>> {
    let Surroundings { settings, jobs, reserved, memory } = surroundings;
    let coevolution = settings.coevolution?;
    let search = Some(settings.breeding.search.to_string());
    let named = NamedPolicy { name: "best".to_owned(), policy: Arc::new(Policy { search, ..policy.clone() }) };
    let climber = Climber {
        settings,
        coevolution,
        jobs,
        reserved,
        memory,
        // The search of a policy is an algorithm of the laboratory: a test breeds with each.
        algorithm: Algorithm::of_policy(&named, None).ok()?,
        cancel,
    };
    let places = places(&coevolution, settings.seed(), epoch, jobs.len());
    let places: Vec<(u32, usize)> = (0..).zip(places).collect();
    let climb = |&(number, place): &(u32, usize)| climber.board(epoch, number, place);
    let bred = parallel::map(threads, &places, cancel, climb)?;
    Some(bred.into_iter().flatten().collect())
}

/// The places of the boards that an epoch replaces: a random choice of places, in turn.
fn places(coevolution: &Coevolution, seed: u64, epoch: u32, boards: usize) -> Vec<usize> {
    let share = (boards as f64 * coevolution.share.clamp(0.0, 1.0)).round() as usize;
    let mut rng = stream(seed ^ BREEDING, 0, 0);
    let mut all: Vec<usize> = (0..boards).collect();
    let count = share.clamp(1, boards.max(1)).min(boards);
    for place in 0..count {
        let other = rng.random_range(place..boards);
        all.swap(place, other);
    }
    all.truncate(count);
    let wanted = coevolution.boards.min(count);
    let first = (epoch as usize - 1).wrapping_mul(wanted);
    (0..wanted).map(|number| all[first.wrapping_add(number) % count]).collect()
}

/// What breeds boards.
struct Climber<'a> {
    settings: &'a Settings,
    coevolution: Coevolution,
    jobs: &'a [BoardJob],
    /// The layouts that no board may have.
    reserved: &'a HashSet<Layout>,
    memory: &'a RunMemory,
    algorithm: Algorithm,
    cancel: &'a Arc<AtomicBool>,
}

/// A board on its way up.
struct Station {
    board: Board,
    moves: u32,
    nodes: u64,
}

impl Climber<'_> {
    /// A board for a place; none if no change made a board harder.
    fn board(&self, epoch: u32, number: u32, place: usize) -> Option<(Bred, TrainingBoard)> {
        let rng = &mut stream(self.settings.seed() ^ BREEDING, epoch, number + 1);
        let solver = &mut Solver::new();
        let parent = &self.jobs[rng.random_range(0..self.jobs.len())].board;
        let shape = shape_of(parent)?;
        let mut way = vec![self.evaluate(parent, place, solver)?];
        for _ in 0..self.coevolution.changes {
            let at = way.last()?;
            let changed = climb::changed(shape, &at.board, rng as &mut Rng);
            let found = changed.and_then(|board| self.evaluate(&board, place, solver));
            if let Some(found) = found.filter(|found| found.nodes > at.nodes) {
                way.push(found);
            }
        }
        // The hardest that can be learned from.
        let free = way.drain(1..).rev().filter(|at| !self.reserved.contains(&Layout::of(&at.board)));
        free.into_iter().find_map(|Station { board, moves, .. }| {
            let name = Some(name(epoch, place));
            let puzzle = Puzzle { name, moves: Some(Known::Exactly(moves)), ..Puzzle::new(board) };
            let bred = Bred { epoch, place, puzzle: as_read(&puzzle) };
            training_board(&bred, self.jobs, self.settings, self.memory).map(|board| (bred, board))
        })
    }

    /// A board at its hardest state, and the nodes that the policy needs there if it takes a place among the others.
    fn evaluate(&self, board: &Board, place: usize, solver: &mut Solver) -> Option<Station> {
        let nodes = Some(self.settings.largest as u64);
        let limits = Limits { nodes, cancel: Some(Arc::clone(self.cancel)), ..Limits::default() };
        let hardest = solver.hardest(board, Metric::Moves, &limits).filter(|hardest| hardest.depth > 0)?;
        let board = board.with_positions(&hardest.way[0]).ok()?;
        let limits = Limits { nodes: Some(self.coevolution.nodes), ..limits };
        let context = Context { difficulty: self.jobs[place].difficulty, ..Context::default() };
        let outcome = self.algorithm.solve(&board, Metric::Moves, &limits, &context);
        Some(Station { board, moves: hardest.depth, nodes: outcome.counters.expanded })
    }
}

/// The shape of a board; none if boards of its kind are not made.
fn shape_of(board: &Board) -> Option<Shape> {
    let Exit::Target(side) = board.exit() else { return None };
    let walls = u8::try_from(board.walls().len()).ok()?;
    Shape::new(board.width(), board.height(), side, Some(board.exit_line()), walls).ok()
}

/// A board that was bred, made ready to learn from, if it can be.
fn training_board(bred: &Bred, jobs: &[BoardJob], settings: &Settings, memory: &RunMemory) -> Option<TrainingBoard> {
    let job = BoardJob {
        name: bred.puzzle.name.clone().unwrap_or_default(),
        board: bred.puzzle.board.clone(),
        difficulty: jobs.get(bred.place)?.difficulty,
        start: None,
    };
    memory.board(&job, settings.breeding.terminals, &settings.board_limits()).ok()
}

/// The boards that stand in the places of others after all epochs so far, made ready to learn from.
pub(super) fn ready(
    bred: &[Bred],
    jobs: &[BoardJob],
    settings: &Settings,
    memory: &RunMemory,
) -> Vec<(Bred, TrainingBoard)> {
    let is_last = |number: usize, one: &Bred| bred[number + 1..].iter().all(|later| later.place != one.place);
    let standing = bred.iter().enumerate().filter(|(number, one)| is_last(*number, one)).map(|(_, one)| one);
    standing.filter_map(|one| Some((one.clone(), training_board(one, jobs, settings, memory)?))).collect()
}

fn name(epoch: u32, place: usize) -> String {
    format!("epoch {epoch}, place {place}")
}

pub(super) fn write(folder: &Folder, bred: &[Bred]) -> Result<(), FolderError> {
    let puzzles: Vec<Puzzle> = bred.iter().map(|one| one.puzzle.clone()).collect();
    folder.write_boards(BRED, &puzzles)
}

/// The boards that were bred so far, in their order.
pub(super) fn read(folder: &Folder) -> Result<Vec<Bred>, RunError> {
    all_of(folder.read_boards(BRED)?).ok_or_else(|| folder.failed("use", BRED)(NAMELESS).into())
}

/// What boards say of when and for which places they were bred; none if one does not.
pub(super) fn all_of(boards: Vec<Puzzle>) -> Option<Vec<Bred>> {
    let of = |puzzle: Puzzle| {
        let name = puzzle.name.as_deref()?.strip_prefix("epoch ")?;
        let (epoch, place) = name.split_once(", place ")?;
        Some(Bred { epoch: epoch.parse().ok()?, place: place.parse().ok()?, puzzle })
    };
    boards.into_iter().map(of).collect()
}

pub(super) const NAMELESS: &str = "a board in it does not say in which epoch and for which place it was bred";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::Preset;
    use clearway_policy::Program;
    use clearway_policy::training::Scratch;
    use clearway_rush::suites::Suite;

    #[test]
    fn boards_are_as_difficult_while_they_climb_as_when_they_are_learned_from() {
        let board = &Suite::find("cards").unwrap().puzzles()[0].board;
        let job = |difficulty| BoardJob { name: String::new(), board: board.clone(), difficulty, start: None };
        let jobs = [job(0.0), job(1.0)];
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        settings.coevolution = Some(Coevolution::default());
        let search = Some(settings.breeding.search.to_string());
        let policy: Policy = "IF difficulty-level >= 0.5 THEN 3*h1 DEFAULT 0".parse().unwrap();
        let named = NamedPolicy { name: String::new(), policy: Arc::new(Policy { search, ..policy.clone() }) };
        let memory = RunMemory::new(1 << 30, settings.breeding.rules);
        let climber = Climber {
            settings: &settings,
            coevolution: Coevolution::default(),
            jobs: &jobs,
            reserved: &HashSet::new(),
            memory: &memory,
            algorithm: Algorithm::of_policy(&named, None).unwrap(),
            cancel: &Arc::default(),
        };
        let nodes = [0, 1].map(|place| {
            let Station { board, nodes, .. } = climber.evaluate(board, place, &mut Solver::new()).unwrap();
            let bred = Bred { epoch: 1, place, puzzle: Puzzle::new(board) };
            let learned = training_board(&bred, &jobs, &settings, &memory).unwrap();
            let program = Program::new(&policy);
            let trial = settings.breeding.search.trial(&learned.arena, &program, &mut Scratch::default(), u64::MAX);
            assert_eq!(nodes, trial.nodes, "place {place}");
            nodes
        });
        assert_ne!(nodes[0], nodes[1]);
    }
}
