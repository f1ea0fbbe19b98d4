//! The boards of the suites `test-10x10`, `test-12x12` and `test-14x14`: solvable boards of the recipe with a seed that measurements,
//! training and validation do not use.

use super::measure::MeasuredEngine;
use super::recipe::{self, KINDS};
use clearway_rush::Metric;
use clearway_rush::formats::{KnownLength, Puzzle};
use clearway_search::{Limits, Verdict};

/// Number of boards of a size.
pub const BOARDS: usize = 30;

/// Share of the nodes for plans in steps, which take longer: one part of this number.
const STEPS_SHARE: u64 = 8;

/// Returns the test boards of a size, the same number of each kind, from those with short plans to those with long ones. They are
/// the first solvable boards of the recipe with this seed, the next seed and so on. The plans depend on the limits only.
///
/// # Panics
/// If the recipe has no boards of this size.
pub fn boards(side: u8, seed: u64, limits: &Limits) -> Vec<Puzzle> {
    let kinds: Vec<usize> = (0..KINDS.len()).filter(|&kind| KINDS[kind].side == side).collect();
    assert!(!kinds.is_empty(), "the recipe has no boards of {side}x{side}");
    let mut puzzles = Vec::new();
    for &kind in &kinds {
        let all = (seed..).flat_map(|seed| {
            let boards = recipe::boards(seed).into_iter();
            boards.skip(kind * recipe::BOARDS_PER_KIND).take(recipe::BOARDS_PER_KIND)
        });
        let solvable = all.filter_map(|mut puzzle| {
            let is_solved = [Metric::Moves, Metric::Steps].into_iter().all(|metric| solve(&mut puzzle, metric, limits));
            is_solved.then_some(puzzle)
        });
        puzzles.extend((1..).zip(solvable.take(BOARDS / kinds.len())).map(|(number, puzzle)| {
            let name = Some(format!("{}-t{number:02}", KINDS[kind]));
            Puzzle { name, ..puzzle }
        }));
    }
    // The sort is stable.
    puzzles.sort_by_key(|puzzle| puzzle.moves.map(KnownLength::value));
    puzzles
}

/// Sets the length of the best plan. Returns false if no plan was found.
fn solve(puzzle: &mut Puzzle, metric: Metric, limits: &Limits) -> bool {
    let share = if metric == Metric::Steps { STEPS_SHARE } else { 1 };
    let limits = Limits { nodes: limits.nodes.map(|nodes| nodes / share), ..limits.clone() };
    let answer = MeasuredEngine::Portfolio.solve(&puzzle.board, metric, &limits).answer;
    let Some(length) = answer.solution.map(|solution| solution.length(metric)) else { return false };
    let is_proven = answer.verdict == Verdict::Solved;
    puzzle.set_known_length(metric, if is_proven { KnownLength::Exactly(length) } else { KnownLength::AtMost(length) });
    true
}
