//! The boards of a run: training, validation and test sets.

use super::memory::RunMemory;
use super::run::RunContext;
use super::settings::{GROUPS, Settings, Starts};
use crate::runs::{Preset, RunError};
use clearway_forge::turn;
use clearway_gp::rng::stream;
use clearway_policy::training::{BoardJob, TrainingBoard, TrainingBoardError};
use clearway_rush::formats::{self, Format, KnownLength, Puzzle};
use clearway_rush::heuristics::DifficultyLevel;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Orientation, Side};
use clearway_util::parallel;
use rand::RngExt;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The boards of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardSets {
    /// Training boards.
    pub training: Vec<Puzzle>,
    /// Validation boards, on which the champion is chosen; the training boards if there are none.
    pub validation: Vec<Puzzle>,
    /// Sets of test boards.
    pub tests: Vec<TestSet>,
    /// Names of boards left out because a test or validation board has the same vehicles in the same lines.
    pub alike: Vec<String>,
}

/// A set of test boards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestSet {
    /// Name of the set.
    pub name: String,
    /// Boards that neither training nor validation uses.
    pub boards: Vec<Puzzle>,
}

/// Number of hardest boards of a GP-Rush group from which boards are held out.
const HARDEST: usize = 20;
/// Number of boards held out.
const HELD_OUT: usize = 10;
/// Separates the choice of held-out boards from other uses of the seed.
const HOLD_OUT_MASK: u64 = 0x6865_6c64_206f_7574;
/// Separates the choice of random starts from other uses of the seed.
const START_MASK: u64 = 0x7374_6172_7469_6e67;

impl BoardSets {
    /// Creates the board sets of a run from the boards that the settings name. If there are no test boards, 10 of the 20
    /// training boards with the longest solutions are held out, chosen by the seed.
    pub fn new(
        settings: &Settings,
        mut training: Vec<Puzzle>,
        mut validation: Vec<Puzzle>,
        mut tests: Vec<TestSet>,
    ) -> BoardSets {
        let tested = tests.iter_mut().flat_map(|set| &mut set.boards);
        for puzzle in training.iter_mut().chain(&mut validation).chain(tested) {
            *puzzle = as_read(puzzle);
        }
        if settings.preset == Preset::Paper {
            training.sort_by_key(|puzzle| puzzle.steps.map(KnownLength::value));
        }
        if let Some(group) = settings.group.filter(|group| (1..=GROUPS).contains(group)) {
            let bound = |group: u8| training.len() * usize::from(group) / usize::from(GROUPS);
            let (from, to) = (bound(group - 1), bound(group));
            training = training.drain(from..to).collect();
        }
        if tests.is_empty() {
            let held_out = hold_out(&mut training, settings.seed());
            tests.push(TestSet { name: "held-out".to_owned(), boards: held_out });
        }
        let mut board_sets = BoardSets { training: Vec::new(), validation: Vec::new(), tests, alike: Vec::new() };
        board_sets.validation = board_sets.without_reserved(validation);
        board_sets.training = board_sets.without_reserved(training);
        board_sets
    }

    /// Creates the board sets of a run whose settings name only embedded suites; `None` if a suite does not exist.
    pub fn from_suites(settings: &Settings) -> Option<BoardSets> {
        let boards = |name: &String| Suite::find(name).map(Suite::puzzles);
        let training: Option<Vec<_>> = settings.training.iter().map(boards).collect();
        let validation: Option<Vec<_>> = settings.validation.iter().map(boards).collect();
        let test = |name: &String| Some(TestSet { name: name.clone(), boards: boards(name)? });
        let tests: Option<Vec<_>> = settings.test.iter().map(test).collect();
        Some(BoardSets::new(settings, training?.concat(), validation?.concat(), tests?))
    }

    /// Line signatures of the validation and test boards, which no training board may have.
    pub(super) fn reserved(&self) -> HashSet<LineSignature> {
        let tested = self.tests.iter().flat_map(|set| &set.boards);
        self.validation.iter().chain(tested).map(|puzzle| LineSignature::new(&puzzle.board)).collect()
    }

    /// Returns the boards whose line signatures are not reserved, and records the names of the others.
    fn without_reserved(&mut self, boards: Vec<Puzzle>) -> Vec<Puzzle> {
        let reserved = self.reserved();
        let (alike, others): (Vec<_>, Vec<_>) = (0..)
            .zip(boards)
            .partition(|(_, puzzle): &(usize, Puzzle)| reserved.contains(&LineSignature::new(&puzzle.board)));
        let names = alike.iter().map(|(number, puzzle)| title(puzzle, *number));
        let names: Vec<String> = names.filter(|name| !self.alike.contains(name)).collect();
        self.alike.extend(names);
        others.into_iter().map(|(_, puzzle)| puzzle).collect()
    }

    /// Searches of the training boards, with their start states.
    pub(super) fn jobs(&self, settings: &Settings) -> Vec<BoardJob> {
        let random = |number: usize| stream(settings.seed() ^ START_MASK, 0, number as u32).random();
        let unchanged = || jobs(&self.training, settings.metric);
        let randomised = || {
            let randomise = |(number, job): (usize, BoardJob)| BoardJob {
                name: job.name + " (random start)",
                start: Some(random(number)),
                ..job
            };
            unchanged().into_iter().enumerate().map(randomise).collect()
        };
        match settings.starts {
            Starts::Hardest => unchanged(),
            Starts::Random => randomised(),
            Starts::Both => [unchanged(), randomised()].concat(),
        }
    }

    /// Searches of the validation boards, if the settings name any.
    pub(super) fn validation_jobs(&self, settings: &Settings) -> Vec<BoardJob> {
        if settings.validation.is_empty() { Vec::new() } else { jobs(&self.validation, settings.metric) }
    }
}

/// Searches of boards from their given states.
fn jobs(boards: &[Puzzle], metric: Metric) -> Vec<BoardJob> {
    (0..boards.len()).map(|number| job(boards, number, metric)).collect()
}

/// Search of one of several boards from its given state.
pub(super) fn job(boards: &[Puzzle], number: usize, metric: Metric) -> BoardJob {
    let puzzle = &boards[number];
    BoardJob {
        name: title(puzzle, number),
        board: puzzle.board.clone(),
        metric,
        known: puzzle.known_length(metric).map(KnownLength::value),
        difficulty: DifficultyLevel::among(number, boards.len()),
        start: None,
    }
}

/// Removes and returns some of the last boards, which are the hardest.
fn hold_out(training: &mut Vec<Puzzle>, seed: u64) -> Vec<Puzzle> {
    let held_out = HELD_OUT.min(training.len() / 2);
    let first = training.len().saturating_sub(HARDEST);
    let mut rng = stream(seed ^ HOLD_OUT_MASK, 0, 0);
    let mut places: Vec<usize> = (first..training.len()).collect();
    while places.len() > held_out {
        places.remove(rng.random_range(0..places.len()));
    }
    let mut boards: Vec<Puzzle> = places.iter().rev().map(|&place| training.remove(place)).collect();
    boards.reverse();
    boards
}

/// Returns a board as it will be read back from the folder of the run. The order of its vehicles may differ, and with it the
/// order of moves, which affects searches.
pub(super) fn as_read(puzzle: &Puzzle) -> Puzzle {
    let text = formats::write(puzzle, Format::Tsv).unwrap_or_default();
    formats::read_one(&text, Some(Format::Tsv)).unwrap_or_else(|_| puzzle.clone())
}

/// Name of a board, or else its number.
pub(super) fn title(puzzle: &Puzzle, number: usize) -> String {
    puzzle.name.clone().unwrap_or_else(|| format!("#{}", number + 1))
}

/// The vehicles of each line of a board: the same for all states of a component, and for its mirror image.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LineSignature {
    size: (u8, u8),
    exit_line: u8,
    walls: Vec<(u8, u8)>,
    /// For each vehicle: whether it is vertical, its line, its length, and whether it is the target; sorted.
    vehicles: Vec<(bool, u8, u8, bool)>,
}

impl LineSignature {
    pub fn new(board: &Board) -> LineSignature {
        let upright = turn::facing(board, Side::Right);
        LineSignature::from_oriented(&upright).min(LineSignature::from_oriented(&turn::flipped(&upright)))
    }

    /// Signature of a board without normalising its orientation.
    fn from_oriented(board: &Board) -> LineSignature {
        let vehicles = board.vehicles().iter().enumerate();
        let mut vehicles: Vec<_> = vehicles
            .map(|(place, one)| (one.orientation == Orientation::Vertical, one.line(), one.length, place == 0))
            .collect();
        vehicles.sort_unstable();
        LineSignature {
            size: (board.width(), board.height()),
            exit_line: board.exit_line(),
            walls: board.walls().iter().collect(),
            vehicles,
        }
    }
}

/// Prepared boards, and those that could not be prepared.
pub(super) struct Prepared {
    pub boards: Vec<TrainingBoard>,
    /// Index of each board among the jobs.
    pub places: Vec<usize>,
    /// Names and reasons.
    pub left_out: Vec<(String, TrainingBoardError)>,
}

/// Prepares boards on several threads. `progress` is called with the number of boards prepared so far.
pub(super) fn prepare(
    jobs: &[BoardJob],
    settings: &Settings,
    memory: &RunMemory,
    context: &RunContext,
    progress: impl Fn(usize) + Sync,
) -> Result<Prepared, RunError> {
    let (limits, terminals) = (settings.board_limits(), settings.breeding.terminals);
    let done = AtomicUsize::new(0);
    let prepare = |job: &BoardJob| {
        // Once a board does not fit, the others are not needed.
        if memory.is_exceeded() {
            return None;
        }
        let board = memory.prepare(job, terminals, &limits);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        Some(board)
    };
    let threads = memory.max_preparations(&limits, context.threads);
    let results = parallel::map(threads, jobs, &context.cancel, prepare).ok_or(RunError::Cancelled)?;
    if memory.is_exceeded() {
        return Err(RunError::OutOfMemory(memory.limit()));
    }
    let mut prepared = Prepared { boards: Vec::new(), places: Vec::new(), left_out: Vec::new() };
    for (place, board) in results.into_iter().flatten().enumerate() {
        match board {
            Ok(board) => {
                prepared.boards.push(board);
                prepared.places.push(place);
            }
            Err(reason) => prepared.left_out.push((jobs[place].name.clone(), reason)),
        }
    }
    Ok(prepared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(name: &str) -> Vec<Puzzle> {
        Suite::find(name).unwrap().puzzles()
    }

    #[test]
    fn groups_of_the_paper_have_equal_size_and_hold_out_ten_hard_boards() {
        let boards: Vec<Puzzle> = [suite("cards"), suite("hard-steps-200")].concat();
        let mut all = Vec::new();
        for group in 1..=GROUPS {
            let mut settings = Settings::new(Preset::Paper, (6, 6), Some(group));
            let board_sets = BoardSets::new(&settings, boards.clone(), Vec::new(), Vec::new());
            let held_out = &board_sets.tests[0].boards;
            assert_eq!((board_sets.training.len() + board_sets.alike.len(), held_out.len()), (38, 10));
            let signatures: HashSet<LineSignature> =
                held_out.iter().map(|one| LineSignature::new(&one.board)).collect();
            let trained = board_sets.training.iter().map(|one| LineSignature::new(&one.board));
            assert!(trained.into_iter().all(|signature| !signatures.contains(&signature)));
            let steps = |puzzle: &Puzzle| puzzle.steps.unwrap().value();
            let easier = board_sets.training.iter().filter(|one| steps(one) <= steps(&held_out[0]));
            assert!(easier.count() >= 26, "they are among the 20 hardest");
            settings.breeding.evolution.seed = 1;
            assert_ne!(BoardSets::new(&settings, boards.clone(), Vec::new(), Vec::new()).tests, board_sets.tests);
            all.extend(board_sets.training.into_iter().chain(board_sets.tests.into_iter().flat_map(|set| set.boards)));
        }
        let names = |boards: &[Puzzle]| -> HashSet<_> { boards.iter().map(|one| one.name.clone()).collect() };
        assert!(names(&all).is_subset(&names(&boards)) && all.len() >= 230);
    }

    #[test]
    fn vehicles_are_in_the_order_of_the_file() {
        let board = formats::read_one("4x4:BB.DCC.DAA......", None).unwrap().board;
        let moved = board.with_positions(&[0, 0, 2, 0]).unwrap();
        let labels = |board: &Board| board.vehicles().iter().map(|vehicle| vehicle.label).collect::<String>();
        assert_eq!((labels(&moved), formats::line(&moved).as_str()), ("ABDC".to_owned(), "BB..CC..AA.D...D"));
        assert_eq!(labels(&as_read(&Puzzle::new(moved)).board), "ABCD");
    }

    #[test]
    fn at_most_half_of_the_boards_are_held_out() {
        let settings = Settings::new(Preset::Paper, (6, 6), None);
        let board_sets = BoardSets::new(&settings, suite("cards")[..5].to_vec(), Vec::new(), Vec::new());
        assert_eq!((board_sets.training.len(), board_sets.tests[0].boards.len()), (3, 2));
    }

    #[test]
    fn test_boards_and_their_mirror_images_are_not_training_boards() {
        let settings = Settings::new(Preset::Default, (6, 6), None);
        let cards = suite("cards");
        let mirrored = Puzzle::new(turn::flipped(&cards[3].board));
        let tests = vec![TestSet { name: "one".to_owned(), boards: vec![mirrored] }];
        let board_sets = BoardSets::new(&settings, cards, Vec::new(), tests);
        assert_eq!((board_sets.training.len(), board_sets.alike.as_slice()), (39, &["JAM04".to_owned()][..]));
    }

    #[test]
    fn validation_boards_are_neither_training_nor_test_boards() {
        let settings = Settings::new(Preset::Default, (6, 6), None);
        let cards = suite("cards");
        let tests = vec![TestSet { name: "one".to_owned(), boards: cards[..1].to_vec() }];
        let board_sets = BoardSets::new(&settings, cards.clone(), cards[..4].to_vec(), tests);
        let names = |boards: &[Puzzle]| -> Vec<_> { boards.iter().map(|one| one.name.clone()).collect() };
        assert_eq!(names(&board_sets.validation), names(&cards[1..4]));
        assert!(cards[..4].iter().all(|puzzle| board_sets.reserved().contains(&LineSignature::new(&puzzle.board))));
        assert_eq!((names(&board_sets.training), board_sets.alike.len()), (names(&cards[4..]), 4));
    }

    #[test]
    fn starts_select_the_start_states() {
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        let board_sets = BoardSets { training: suite("cards")[..2].to_vec(), ..BoardSets::default() };
        let count = |settings: &Settings| {
            let jobs = board_sets.jobs(settings);
            (jobs.len(), jobs.iter().filter(|job| job.start.is_some()).count())
        };
        assert_eq!(count(&settings), (2, 0));
        settings.starts = Starts::Random;
        assert_eq!(count(&settings), (2, 2));
        settings.starts = Starts::Both;
        assert_eq!(count(&settings), (4, 2));
        assert_eq!(board_sets.jobs(&settings)[3].difficulty.to_bits(), 1f64.to_bits());
    }
}
