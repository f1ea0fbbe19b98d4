//! The boards of a run: those to learn from, and those that no selection sees.

use super::memory::RunMemory;
use super::run::{Means, RunError};
use super::settings::{GROUPS, Settings, Starts};
use crate::compare::Entry;
use crate::runs::Preset;
use clearway_forge::turn;
use clearway_gp::parallel;
use clearway_gp::rng::stream;
use clearway_policy::training::{BoardJob, LeftOut, TrainingBoard};
use clearway_rush::formats::{self, Format, Known, Puzzle};
use clearway_rush::heuristics::DifficultyLevel;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Orientation, Side};
use rand::RngExt;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The boards of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// The boards to learn from.
    pub training: Vec<Puzzle>,
    /// The boards to choose the champion on; if there are none, those to learn from.
    pub validation: Vec<Puzzle>,
    /// The boards to test with.
    pub tests: Vec<TestSet>,
    /// The names of boards left out because others, to be kept apart from them, have the same vehicles in the same lines.
    pub alike: Vec<String>,
}

/// Boards to test with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestSet {
    /// What they are called.
    pub name: String,
    /// The boards.
    pub boards: Vec<Puzzle>,
}

/// The boards of a group of GP-Rush that may be held out, the hardest, and how many of them are.
const HARDEST: usize = 20;
const HELD_OUT: usize = 10;
/// Keeps the choice of boards apart from the other uses of the seed.
const HOLDING_OUT: u64 = 0x6865_6c64_206f_7574;
const STARTING: u64 = 0x7374_6172_7469_6e67;

impl Material {
    /// The boards of a run, from those that the settings name. Where they name no test boards, 10 of the 20 training
    /// boards with the longest solutions are held out, chosen by the seed.
    pub fn new(
        settings: &Settings,
        mut training: Vec<Puzzle>,
        mut validation: Vec<Puzzle>,
        mut tests: Vec<TestSet>,
    ) -> Material {
        let tested = tests.iter_mut().flat_map(|set| &mut set.boards);
        for puzzle in training.iter_mut().chain(&mut validation).chain(tested) {
            *puzzle = as_read(puzzle);
        }
        if settings.preset == Preset::Paper {
            training.sort_by_key(|puzzle| puzzle.steps.map(Known::value));
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
        let mut material = Material { training: Vec::new(), validation: Vec::new(), tests, alike: Vec::new() };
        material.validation = material.others(validation);
        material.training = material.others(training);
        material
    }

    /// The boards of a run whose settings name nothing but suites that come with the program; none if one is not there.
    pub fn of_suites(settings: &Settings) -> Option<Material> {
        let boards = |name: &String| Suite::find(name).map(Suite::puzzles);
        let training: Option<Vec<_>> = settings.training.iter().map(boards).collect();
        let validation: Option<Vec<_>> = settings.validation.iter().map(boards).collect();
        let test = |name: &String| Some(TestSet { name: name.clone(), boards: boards(name)? });
        let tests: Option<Vec<_>> = settings.test.iter().map(test).collect();
        Some(Material::new(settings, training?.concat(), validation?.concat(), tests?))
    }

    /// The layouts that no board to learn from may have: those of the boards to choose the champion on and to test with.
    pub(super) fn reserved(&self) -> HashSet<Layout> {
        let tested = self.tests.iter().flat_map(|set| &set.boards);
        self.validation.iter().chain(tested).map(|puzzle| Layout::of(&puzzle.board)).collect()
    }

    /// The boards whose layouts are not reserved; the others are named among those left out.
    fn others(&mut self, boards: Vec<Puzzle>) -> Vec<Puzzle> {
        let reserved = self.reserved();
        let (alike, others): (Vec<_>, Vec<_>) =
            (0..).zip(boards).partition(|(_, puzzle): &(usize, Puzzle)| reserved.contains(&Layout::of(&puzzle.board)));
        let names = alike.iter().map(|(number, puzzle)| title(puzzle, *number));
        let names: Vec<String> = names.filter(|name| !self.alike.contains(name)).collect();
        self.alike.extend(names);
        others.into_iter().map(|(_, puzzle)| puzzle).collect()
    }

    /// The searches that policies learn from: boards, and where they start.
    pub(super) fn jobs(&self, settings: &Settings) -> Vec<BoardJob> {
        let random = |number: usize| stream(settings.seed() ^ STARTING, 0, number as u32).random();
        let given = || jobs(&self.training);
        let moved = || {
            let other = |(number, job): (usize, BoardJob)| BoardJob {
                name: job.name + " (random start)",
                start: Some(random(number)),
                ..job
            };
            given().into_iter().enumerate().map(other).collect()
        };
        match settings.starts {
            Starts::Hardest => given(),
            Starts::Random => moved(),
            Starts::Both => [given(), moved()].concat(),
        }
    }

    /// The searches that the champion is chosen by, from where the boards stand, if the settings have any.
    pub(super) fn validation_jobs(&self, settings: &Settings) -> Vec<BoardJob> {
        if settings.validation.is_empty() { Vec::new() } else { jobs(&self.validation) }
    }
}

/// Searches of boards from where they stand.
fn jobs(boards: &[Puzzle]) -> Vec<BoardJob> {
    let job = |(number, puzzle): (usize, &Puzzle)| BoardJob {
        name: title(puzzle, number),
        board: puzzle.board.clone(),
        difficulty: DifficultyLevel::among(number, boards.len()),
        start: None,
    };
    boards.iter().enumerate().map(job).collect()
}

impl TestSet {
    /// As a comparison takes them.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let entry = |puzzle: &Puzzle| Entry { name: puzzle.name.clone(), board: puzzle.board.clone() };
        self.boards.iter().map(entry).collect()
    }
}

/// Takes some of the last boards, which are the hardest, out of the others.
fn hold_out(training: &mut Vec<Puzzle>, seed: u64) -> Vec<Puzzle> {
    let held_out = HELD_OUT.min(training.len() / 2);
    let first = training.len().saturating_sub(HARDEST);
    let mut rng = stream(seed ^ HOLDING_OUT, 0, 0);
    let mut places: Vec<usize> = (first..training.len()).collect();
    while places.len() > held_out {
        places.remove(rng.random_range(0..places.len()));
    }
    let mut boards: Vec<Puzzle> = places.iter().rev().map(|&place| training.remove(place)).collect();
    boards.reverse();
    boards
}

/// A board as it will be read from the folder of the run. Its vehicles may be in another order, and so its moves, on which
/// searches depend.
pub(super) fn as_read(puzzle: &Puzzle) -> Puzzle {
    let text = formats::write(puzzle, Format::Tsv).unwrap_or_default();
    formats::read_one(&text, Some(Format::Tsv)).unwrap_or_else(|_| puzzle.clone())
}

/// What to call a board.
pub(super) fn title(puzzle: &Puzzle, number: usize) -> String {
    puzzle.name.clone().unwrap_or_else(|| format!("#{}", number + 1))
}

/// Which vehicles stand in which lines: the same for all states of a component, and for its mirror image.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Layout {
    size: (u8, u8),
    exit_line: u8,
    walls: Vec<(u8, u8)>,
    /// Whether it stands in a column, its line, its length, and whether it is the target; sorted.
    vehicles: Vec<(bool, u8, u8, bool)>,
}

impl Layout {
    pub fn of(board: &Board) -> Layout {
        let upright = turn::facing(board, Side::Right);
        Layout::as_it_stands(&upright).min(Layout::as_it_stands(&turn::flipped(&upright)))
    }

    fn as_it_stands(board: &Board) -> Layout {
        let vehicles = board.vehicles().iter().enumerate();
        let mut vehicles: Vec<_> = vehicles
            .map(|(place, one)| (one.orientation == Orientation::Vertical, one.line(), one.length, place == 0))
            .collect();
        vehicles.sort_unstable();
        Layout {
            size: (board.width(), board.height()),
            exit_line: board.exit_line(),
            walls: board.walls().iter().collect(),
            vehicles,
        }
    }
}

/// Boards made ready to learn from, and those that could not be.
pub(super) struct Prepared {
    pub boards: Vec<TrainingBoard>,
    /// The place of each among the jobs.
    pub places: Vec<usize>,
    /// Names, and why.
    pub left_out: Vec<(String, LeftOut)>,
}

/// Makes boards ready on several threads; tells how many are done.
pub(super) fn prepare(
    jobs: &[BoardJob],
    settings: &Settings,
    memory: &RunMemory,
    means: &Means,
    progress: impl Fn(usize) + Sync,
) -> Result<Prepared, RunError> {
    let (limits, terminals) = (settings.board_limits(), settings.breeding.terminals);
    let done = AtomicUsize::new(0);
    let make = |job: &BoardJob| {
        // What does not fit is not made.
        if memory.is_exceeded() {
            return None;
        }
        let board = memory.board(job, terminals, &limits);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        Some(board)
    };
    let threads = memory.searches_of(limits.states, means.threads);
    let made = parallel::map(threads, jobs, &means.cancel, make).ok_or(RunError::Cancelled)?;
    if memory.is_exceeded() {
        return Err(RunError::Memory(memory.limit()));
    }
    let mut prepared = Prepared { boards: Vec::new(), places: Vec::new(), left_out: Vec::new() };
    for (place, board) in made.into_iter().flatten().enumerate() {
        match board {
            Ok(board) => {
                prepared.boards.push(board);
                prepared.places.push(place);
            }
            Err(why) => prepared.left_out.push((jobs[place].name.clone(), why)),
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
    fn the_paper_s_groups_are_equal_and_hold_ten_of_their_hardest_out() {
        let boards: Vec<Puzzle> = [suite("cards"), suite("hard-steps-200")].concat();
        let mut all = Vec::new();
        for group in 1..=GROUPS {
            let mut settings = Settings::new(Preset::Paper, (6, 6), Some(group));
            let material = Material::new(&settings, boards.clone(), Vec::new(), Vec::new());
            let held_out = &material.tests[0].boards;
            assert_eq!((material.training.len() + material.alike.len(), held_out.len()), (38, 10));
            let layouts: HashSet<Layout> = held_out.iter().map(|one| Layout::of(&one.board)).collect();
            let learned = material.training.iter().map(|one| Layout::of(&one.board));
            assert!(learned.into_iter().all(|layout| !layouts.contains(&layout)));
            let steps = |puzzle: &Puzzle| puzzle.steps.unwrap().value();
            let easier = material.training.iter().filter(|one| steps(one) <= steps(&held_out[0]));
            assert!(easier.count() >= 26, "they are among the 20 hardest");
            settings.breeding.evolution.seed = 1;
            assert_ne!(Material::new(&settings, boards.clone(), Vec::new(), Vec::new()).tests, material.tests);
            all.extend(material.training.into_iter().chain(material.tests.into_iter().flat_map(|set| set.boards)));
        }
        let names = |boards: &[Puzzle]| -> HashSet<_> { boards.iter().map(|one| one.name.clone()).collect() };
        assert!(names(&all).is_subset(&names(&boards)) && all.len() >= 230);
    }

    #[test]
    fn boards_are_what_they_will_be_when_they_are_read_again() {
        let board = formats::read_one("4x4:BB.DCC.DAA......", None).unwrap().board;
        let moved = board.with_positions(&[0, 0, 2, 0]).unwrap();
        let labels = |board: &Board| board.vehicles().iter().map(|vehicle| vehicle.label).collect::<String>();
        assert_eq!((labels(&moved), formats::line(&moved).as_str()), ("ABDC".to_owned(), "BB..CC..AA.D...D"));
        assert_eq!(labels(&as_read(&Puzzle::new(moved)).board), "ABCD");
    }

    #[test]
    fn few_boards_are_shared_between_learning_and_testing() {
        let settings = Settings::new(Preset::Paper, (6, 6), None);
        let material = Material::new(&settings, suite("cards")[..5].to_vec(), Vec::new(), Vec::new());
        assert_eq!((material.training.len(), material.tests[0].boards.len()), (3, 2));
    }

    #[test]
    fn what_is_tested_is_not_learned() {
        let settings = Settings::new(Preset::Default, (6, 6), None);
        let cards = suite("cards");
        let mirrored = Puzzle::new(turn::flipped(&cards[3].board));
        let tests = vec![TestSet { name: "one".to_owned(), boards: vec![mirrored] }];
        let material = Material::new(&settings, cards, Vec::new(), tests);
        assert_eq!((material.training.len(), material.alike.as_slice()), (39, &["JAM04".to_owned()][..]));
    }

    #[test]
    fn what_the_champion_is_chosen_on_is_neither_learned_nor_tested() {
        let settings = Settings::new(Preset::Default, (6, 6), None);
        let cards = suite("cards");
        let tests = vec![TestSet { name: "one".to_owned(), boards: cards[..1].to_vec() }];
        let material = Material::new(&settings, cards.clone(), cards[..4].to_vec(), tests);
        let names = |boards: &[Puzzle]| -> Vec<_> { boards.iter().map(|one| one.name.clone()).collect() };
        assert_eq!(names(&material.validation), names(&cards[1..4]));
        assert!(cards[..4].iter().all(|puzzle| material.reserved().contains(&Layout::of(&puzzle.board))));
        assert_eq!((names(&material.training), material.alike.len()), (names(&cards[4..]), 4));
    }

    #[test]
    fn searches_start_where_they_are_told_to() {
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        let material = Material { training: suite("cards")[..2].to_vec(), ..Material::default() };
        let count = |settings: &Settings| {
            let jobs = material.jobs(settings);
            (jobs.len(), jobs.iter().filter(|job| job.start.is_some()).count())
        };
        assert_eq!(count(&settings), (2, 0));
        settings.starts = Starts::Random;
        assert_eq!(count(&settings), (2, 2));
        settings.starts = Starts::Both;
        assert_eq!(count(&settings), (4, 2));
        assert_eq!(material.jobs(&settings)[3].difficulty.to_bits(), 1f64.to_bits());
    }
}
