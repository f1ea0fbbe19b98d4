//! Sets of generated boards: random dense boards of a size with known plans, and easier states on these plans.

use super::run::RunContext;
use crate::runs::RunError;
use clearway_forge::dense::Density;
use clearway_forge::rng::stream;
use clearway_policy::training::KnownPlan;
use clearway_rush::Metric;
use clearway_rush::formats::{KnownLength, Puzzle};
use clearway_util::parallel;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A set of generated boards of one size, by its name: `dense-10x10`.
///
/// ```
/// use clearway_lab::evolve::GeneratedSet;
/// let set: GeneratedSet = "dense-10x10".parse().unwrap();
/// assert_eq!((set.side, set.to_string().as_str()), (10, "dense-10x10"));
/// assert!("dense-10x12".parse::<GeneratedSet>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratedSet {
    /// Number of rows and of columns.
    pub side: u8,
}

/// What boards are generated for. Sets for different purposes have no board in common, whatever the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// Evaluation of the individuals.
    Training,
    /// Choice of the champion.
    Validation,
    /// Tests of the champion.
    Test,
}

/// Number of generated boards of a set, not counting the other states on their plans.
const BOARDS: u32 = 32;
/// States of a plan that are boards of their own, in quarters of its moves.
const QUARTERS: [usize; 3] = [0, 2, 3];
/// Minimum number of moves of a plan: shorter ones teach nothing.
const MIN_MOVES: usize = 8;
/// Number of boards tried before a place in the set stays empty.
const MAX_TRIES: u32 = 100;

impl GeneratedSet {
    /// Sizes of boards that can be generated.
    pub const SIDES: std::ops::RangeInclusive<u8> = Density::MIN_SIDE..=16;

    /// Generates the boards, those with short plans first. They depend only on the size, the purpose, the seed and the metric.
    /// `context.progress` is called with the number of boards generated so far and the total.
    pub fn generate(
        self,
        purpose: Purpose,
        seed: u64,
        metric: Metric,
        context: &RunContext,
    ) -> Result<Vec<Puzzle>, RunError> {
        self.generate_some(BOARDS, purpose, seed, metric, context)
    }

    fn generate_some(
        self,
        count: u32,
        purpose: Purpose,
        seed: u64,
        metric: Metric,
        context: &RunContext,
    ) -> Result<Vec<Puzzle>, RunError> {
        let threads = context.threads.min(context.memory / KnownPlan::MEMORY);
        if threads == 0 {
            return Err(RunError::OutOfMemory(context.memory));
        }
        let done = AtomicUsize::new(0);
        let generate = |&number: &u32| {
            let puzzles = self.board(number, purpose, seed, metric, &context.cancel);
            (context.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, count as usize);
            puzzles
        };
        let numbers: Vec<u32> = (0..count).collect();
        let puzzles = parallel::map(threads, &numbers, &context.cancel, generate).ok_or(RunError::Cancelled)?;
        let mut puzzles: Vec<Puzzle> = puzzles.into_iter().flatten().collect();
        // The sort is stable.
        puzzles.sort_by_key(|puzzle| puzzle.known_length(metric).map(KnownLength::value));
        Ok(puzzles)
    }

    /// Generates a solvable board and some states on its plan; nothing if no plan is found for many boards.
    fn board(self, number: u32, purpose: Purpose, seed: u64, metric: Metric, cancel: &AtomicBool) -> Vec<Puzzle> {
        let percents = percents(self.side);
        let percent = percents[number as usize % percents.len()];
        let density = Density { side: self.side, percent };
        let found = (0..MAX_TRIES).filter(|_| !cancel.load(Ordering::Relaxed)).find_map(|attempt| {
            let piece = u64::from(number * MAX_TRIES + attempt) << 8 | u64::from(self.side);
            let board = density.board(&mut stream(seed ^ purpose.mask(), piece));
            KnownPlan::find(&board, metric).ok().filter(|plan| plan.states() >= MIN_MOVES)
        });
        let Some(plan) = found else { return Vec::new() };
        let puzzle = |quarters: usize| {
            let after = plan.states() * quarters / 4;
            let (board, distance) = plan.state(after);
            let mut name = format!("{density}-{}", number + 1);
            if after > 0 {
                name = format!("{name} after {after}");
            }
            let mut puzzle = Puzzle { name: Some(name), ..Puzzle::new(board) };
            puzzle.set_known_length(metric, distance);
            puzzle
        };
        QUARTERS.map(puzzle).to_vec()
    }
}

impl Purpose {
    /// Separates the random numbers of the purposes from each other and from other uses of the seed.
    fn mask(self) -> u64 {
        match self {
            Purpose::Training => 0x6465_6e73_6520_7472,
            Purpose::Validation => 0x6465_6e73_6520_7661,
            Purpose::Test => 0x6465_6e73_6520_7465,
        }
    }
}

/// Densities of the boards of a size. Large boards are hard at lower densities.
fn percents(side: u8) -> &'static [u8] {
    match side {
        ..=9 => &[75, 80, 85],
        10 | 11 => &[75, 79, 82],
        12 | 13 => &[72, 75, 78],
        14 => &[65, 70],
        _ => &[50, 60],
    }
}

impl fmt::Display for GeneratedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dense-{side}x{side}", side = self.side)
    }
}

/// A text is not the name of a generated set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown set of boards '{name}'; expected dense-6x6 to dense-16x16")]
#[non_exhaustive]
pub struct UnknownSet {
    /// The text.
    pub name: String,
}

impl FromStr for GeneratedSet {
    type Err = UnknownSet;

    fn from_str(text: &str) -> Result<GeneratedSet, UnknownSet> {
        let set = text.strip_prefix("dense-").and_then(|size| size.split_once('x')).and_then(|(width, height)| {
            let side = width.parse().ok().filter(|side| GeneratedSet::SIDES.contains(side) && width == height)?;
            Some(GeneratedSet { side })
        });
        set.filter(|set| set.to_string() == text).ok_or_else(|| UnknownSet { name: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::board_sets::LineSignature;
    use super::*;
    use clearway_rush::suites::Suite;
    use std::collections::HashSet;
    use std::sync::Arc;

    fn generate(count: u32, purpose: Purpose, threads: usize) -> Vec<Puzzle> {
        let context = RunContext { threads, memory: 1 << 30, cancel: Arc::default(), progress: &|_, _| {} };
        GeneratedSet { side: 10 }.generate_some(count, purpose, 1, Metric::Moves, &context).unwrap()
    }

    #[test]
    fn boards_have_known_lengths_and_do_not_depend_on_threads() {
        let puzzles = generate(2, Purpose::Training, 1);
        assert_eq!(puzzles, generate(2, Purpose::Training, 2));
        assert_eq!(puzzles.len(), 6);
        let lengths: Vec<u32> = puzzles.iter().map(|puzzle| puzzle.moves.unwrap().value()).collect();
        assert!(lengths.is_sorted() && lengths[0] > 0, "{lengths:?}");
        assert!(puzzles.iter().all(|puzzle| puzzle.board.width() == 10 && !puzzle.board.is_solved()));
    }

    #[test]
    fn training_validation_and_test_boards_differ() {
        let signatures = |puzzles: Vec<Puzzle>| -> HashSet<LineSignature> {
            puzzles.iter().map(|puzzle| LineSignature::new(&puzzle.board)).collect()
        };
        let training = signatures(generate(1, Purpose::Training, 1));
        assert_eq!(training.len(), 1, "states of the same board");
        for other in [
            generate(1, Purpose::Validation, 1),
            generate(1, Purpose::Test, 1),
            Suite::find("large").unwrap().puzzles(),
            Suite::find("test-10x10").unwrap().puzzles(),
        ] {
            assert!(training.is_disjoint(&signatures(other)));
        }
    }
}
