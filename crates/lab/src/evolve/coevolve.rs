//! Boards that evolve against the policies: small changes that make a board harder for the current best policy are kept.

use super::board_sets::{LineSignature, as_read};
use super::folder::BRED;
use super::memory::RunMemory;
use super::settings::{Coevolution, Settings};
use crate::ConfiguredAlgorithm;
use crate::runs::{Folder, FolderError, RunError};
use clearway_forge::{Shape, climb};
use clearway_gp::rng::{Rng, stream};
use clearway_policy::training::{BoardJob, TrainingBoard};
use clearway_policy::{NamedPolicy, Policy};
use clearway_rush::formats::{KnownLength, Puzzle};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::{Board, Exit, Solver};
use clearway_search::Limits;
use clearway_util::parallel;
use rand::RngExt;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A board that coevolution bred.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BredBoard {
    /// Epoch in which it was bred, from 1.
    pub epoch: u32,
    /// Index of the training board that it replaced.
    pub place: usize,
    /// Board, at the hardest state of its component.
    pub puzzle: Puzzle,
}

/// Separates the random numbers of coevolution from other uses of the seed.
const SEED_MASK: u64 = 0x626f_6172_6473_2121;

/// Everything that the boards of an epoch depend on, besides the policy.
#[derive(Clone, Copy)]
pub(super) struct CoevolutionContext<'a> {
    pub settings: &'a Settings,
    /// Sources of the training boards.
    pub jobs: &'a [BoardJob],
    /// Line signatures that no board may have.
    pub reserved: &'a HashSet<LineSignature>,
    pub memory: &'a RunMemory,
}

/// Breeds and prepares the boards of an epoch. `None` if the run was cancelled.
pub(super) fn epoch(
    epoch: u32,
    policy: &Policy,
    context: CoevolutionContext<'_>,
    threads: usize,
    cancel: &Arc<AtomicBool>,
) -> Option<Vec<(BredBoard, TrainingBoard)>> {
    let CoevolutionContext { settings, jobs, reserved, memory } = context;
    let coevolution = settings.coevolution?;
    let search = Some(settings.breeding.search.to_string());
    let named = NamedPolicy { name: "best".to_owned(), policy: Arc::new(Policy { search, ..policy.clone() }) };
    let climber = Climber {
        settings,
        coevolution,
        jobs,
        reserved,
        memory,
        // Every search that policies evolve for is valid: a test runs with each of them.
        algorithm: ConfiguredAlgorithm::from_policy(&named, None).ok()?,
        cancel,
    };
    let places = places(&coevolution, settings.seed(), epoch, jobs.len());
    let places: Vec<(u32, usize)> = (0..).zip(places).collect();
    let climb = |&(number, place): &(u32, usize)| climber.climb(epoch, number, place);
    let bred = parallel::map(threads, &places, cancel, climb)?;
    Some(bred.into_iter().flatten().collect())
}

/// Indices of the boards that an epoch replaces. The seed selects the replaceable boards; epochs take them in turn.
fn places(coevolution: &Coevolution, seed: u64, epoch: u32, boards: usize) -> Vec<usize> {
    let share = (boards as f64 * coevolution.share.clamp(0.0, 1.0)).round() as usize;
    let mut rng = stream(seed ^ SEED_MASK, 0, 0);
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

/// Breeds boards by hill climbing.
struct Climber<'a> {
    settings: &'a Settings,
    coevolution: Coevolution,
    jobs: &'a [BoardJob],
    /// Line signatures that no board may have.
    reserved: &'a HashSet<LineSignature>,
    memory: &'a RunMemory,
    algorithm: ConfiguredAlgorithm,
    cancel: &'a Arc<AtomicBool>,
}

/// A board of a climb.
struct ClimbStep {
    /// Board at the hardest state of its component.
    board: Board,
    /// Length of a shortest solution.
    length: u32,
    /// Nodes that the policy expands.
    nodes: u64,
}

impl Climber<'_> {
    /// Breeds a board for a place; `None` if no change made a board harder.
    fn climb(&self, epoch: u32, number: u32, place: usize) -> Option<(BredBoard, TrainingBoard)> {
        let rng = &mut stream(self.settings.seed() ^ SEED_MASK, epoch, number + 1);
        let solver = &mut Solver::new();
        let parent = &self.jobs[rng.random_range(0..self.jobs.len())].board;
        let shape = shape_of(parent)?;
        let mut steps = vec![self.evaluate(parent, place, solver)?];
        for _ in 0..self.coevolution.changes {
            let current = steps.last()?;
            let changed = climb::changed(shape, &current.board, rng as &mut Rng);
            let next = changed.and_then(|board| self.evaluate(&board, place, solver));
            if let Some(next) = next.filter(|next| next.nodes > current.nodes) {
                steps.push(next);
            }
        }
        // The hardest board that is not reserved and can be prepared.
        let allowed = steps.drain(1..).rev().filter(|step| !self.reserved.contains(&LineSignature::new(&step.board)));
        allowed.into_iter().find_map(|ClimbStep { board, length, .. }| {
            let mut puzzle = Puzzle { name: Some(name(epoch, place)), ..Puzzle::new(board) };
            puzzle.set_known_length(self.settings.metric, KnownLength::Exactly(length));
            let bred = BredBoard { epoch, place, puzzle: as_read(&puzzle) };
            training_board(&bred, self.jobs, self.settings, self.memory).map(|board| (bred, board))
        })
    }

    /// Moves a board to its hardest state and counts the nodes that the policy expands there, with the difficulty level of its
    /// place.
    fn evaluate(&self, board: &Board, place: usize, solver: &mut Solver) -> Option<ClimbStep> {
        let nodes = Some(self.settings.largest as u64);
        let limits = Limits { nodes, cancel: Some(Arc::clone(self.cancel)), ..Limits::default() };
        let hardest = solver.hardest(board, self.settings.metric, &limits).filter(|hardest| hardest.depth > 0)?;
        let board = board.with_positions(&hardest.way[0]).ok()?;
        let limits = Limits { nodes: Some(self.coevolution.nodes), ..limits };
        let context = HeuristicContext { difficulty: self.jobs[place].difficulty, ..HeuristicContext::default() };
        let outcome = self.algorithm.solve(&board, self.settings.metric, &limits, &context);
        Some(ClimbStep { board, length: hardest.depth, nodes: outcome.statistics.expanded })
    }
}

/// Returns the shape of a board; `None` if boards of its kind cannot be generated.
fn shape_of(board: &Board) -> Option<Shape> {
    let Exit::Target(side) = board.exit() else { return None };
    let walls = u8::try_from(board.walls().len()).ok()?;
    Shape::new(board.width(), board.height(), side, Some(board.exit_line()), walls).ok()
}

/// Prepares a bred board for training, if possible.
fn training_board(
    bred: &BredBoard,
    jobs: &[BoardJob],
    settings: &Settings,
    memory: &RunMemory,
) -> Option<TrainingBoard> {
    let job = BoardJob {
        name: bred.puzzle.name.clone().unwrap_or_default(),
        board: bred.puzzle.board.clone(),
        metric: settings.metric,
        known: None,
        difficulty: jobs.get(bred.place)?.difficulty,
        start: None,
    };
    memory.prepare(&job, settings.breeding.terminals, &settings.board_limits()).ok()
}

/// Prepares the bred boards that are still in use after all epochs so far.
pub(super) fn prepare_current(
    bred: &[BredBoard],
    jobs: &[BoardJob],
    settings: &Settings,
    memory: &RunMemory,
) -> Vec<(BredBoard, TrainingBoard)> {
    let is_last = |number: usize, one: &BredBoard| bred[number + 1..].iter().all(|later| later.place != one.place);
    let current = bred.iter().enumerate().filter(|(number, one)| is_last(*number, one)).map(|(_, one)| one);
    current.filter_map(|one| Some((one.clone(), training_board(one, jobs, settings, memory)?))).collect()
}

fn name(epoch: u32, place: usize) -> String {
    format!("epoch {epoch}, place {place}")
}

pub(super) fn write(folder: &Folder, bred: &[BredBoard]) -> Result<(), FolderError> {
    let puzzles: Vec<Puzzle> = bred.iter().map(|one| one.puzzle.clone()).collect();
    folder.write_boards(BRED, &puzzles)
}

/// Reads the boards bred so far, in order.
pub(super) fn read(folder: &Folder) -> Result<Vec<BredBoard>, RunError> {
    from_puzzles(folder.read_boards(BRED)?).ok_or_else(|| folder.failed("use", BRED)(INVALID_NAME).into())
}

/// Parses epochs and places from the names of boards; `None` if a name is invalid.
pub(super) fn from_puzzles(boards: Vec<Puzzle>) -> Option<Vec<BredBoard>> {
    let parse = |puzzle: Puzzle| {
        let name = puzzle.name.as_deref()?.strip_prefix("epoch ")?;
        let (epoch, place) = name.split_once(", place ")?;
        Some(BredBoard { epoch: epoch.parse().ok()?, place: place.parse().ok()?, puzzle })
    };
    boards.into_iter().map(parse).collect()
}

pub(super) const INVALID_NAME: &str = "the name of a board is invalid; expected 'epoch N, place N'";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::Preset;
    use clearway_policy::CompiledPolicy;
    use clearway_policy::training::Scratch;
    use clearway_rush::suites::Suite;

    #[test]
    fn climbing_and_training_use_the_same_difficulty_level() {
        let board = &Suite::find("cards").unwrap().puzzles()[0].board;
        let job = |difficulty| BoardJob::new(String::new(), board.clone(), difficulty);
        let jobs = [job(0.0), job(1.0)];
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        settings.coevolution = Some(Coevolution::default());
        let search = Some(settings.breeding.search.to_string());
        let policy: Policy = "IF difficulty-level >= 0.5 THEN 3*h1 DEFAULT 0".parse().unwrap();
        let named = NamedPolicy { name: String::new(), policy: Arc::new(Policy { search, ..policy.clone() }) };
        let memory = RunMemory::new(1 << 30, settings.breeding.rules, 2);
        let climber = Climber {
            settings: &settings,
            coevolution: Coevolution::default(),
            jobs: &jobs,
            reserved: &HashSet::new(),
            memory: &memory,
            algorithm: ConfiguredAlgorithm::from_policy(&named, None).unwrap(),
            cancel: &Arc::default(),
        };
        let nodes = [0, 1].map(|place| {
            let ClimbStep { board, nodes, .. } = climber.evaluate(board, place, &mut Solver::new()).unwrap();
            let bred = BredBoard { epoch: 1, place, puzzle: Puzzle::new(board) };
            let prepared = training_board(&bred, &jobs, &settings, &memory).unwrap();
            let program = CompiledPolicy::new(&policy);
            let trial = prepared.trial(&settings.breeding.search, &program, &mut Scratch::default(), u64::MAX);
            assert_eq!(nodes, trial.nodes, "place {place}");
            nodes
        });
        assert_ne!(nodes[0], nodes[1]);
    }
}
