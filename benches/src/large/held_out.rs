//! The boards of the suites `test-10x10`, `test-12x12` and `test-14x14`: solvable boards of the recipe that measurements, training
//! and validation do not use.

use super::measure::Engine;
use clearway_forge::dense::Density;
use clearway_rush::Metric;
use clearway_rush::formats::{Known, Puzzle};
use clearway_search::{Limits, Verdict};
use clearway_util::rng::stream;

/// Number of boards of a size.
pub const BOARDS: usize = 30;

/// First random stream; the other sets use those before it.
const FIRST_STREAM: u64 = 2 << 32;

/// Generates the test boards of a size, from those with short plans to those with long ones. The plans depend on the limits only.
///
/// # Panics
/// If the recipe has no boards of this size.
pub fn boards(side: u8, seed: u64, limits: &Limits) -> Vec<Puzzle> {
    let kinds: Vec<Density> = super::recipe::KINDS.into_iter().filter(|kind| kind.side == side).collect();
    assert!(!kinds.is_empty(), "the recipe has no boards of {side}x{side}");
    let mut puzzles = Vec::new();
    for number in 0.. {
        let kind = kinds[puzzles.len() % kinds.len()];
        let mut rng = stream(seed, FIRST_STREAM + (u64::from(side) << 16) + number);
        let mut puzzle = Puzzle::new(kind.board(&mut rng));
        puzzle.name = Some(format!("{kind}-t{:02}", puzzles.len() + 1));
        if [Metric::Moves, Metric::Steps].into_iter().all(|metric| solve(&mut puzzle, metric, limits)) {
            puzzles.push(puzzle);
        }
        if puzzles.len() == BOARDS {
            break;
        }
    }
    puzzles.sort_by_key(|puzzle| puzzle.moves.map(Known::value));
    puzzles
}

/// Sets the length of the best plan. Returns false if no plan was found.
fn solve(puzzle: &mut Puzzle, metric: Metric, limits: &Limits) -> bool {
    let answer = Engine::Portfolio.solve(&puzzle.board, metric, limits).answer;
    let Some(length) = answer.solution.map(|solution| solution.length(metric)) else { return false };
    let is_proven = answer.verdict == Verdict::Solved;
    puzzle.set_known_length(metric, if is_proven { Known::Exactly(length) } else { Known::AtMost(length) });
    true
}
