//! Forward generation, for large boards, whose components are too large to explore: random boards are solved, and those with
//! solutions of a suitable length become puzzles.

use super::{Generator, fill};
use crate::minimal::stripped;
use crate::partial_board::{CAR, PartialBoard};
use crate::{GeneratedPuzzle, Rng, Shape};
use clearway_rush::{Board, Metric, Portfolio, StopRule};
use clearway_search::{Limit, Verdict};
use rand::RngExt;

/// Nodes and conflicts that each search on a large board takes at most. A hard board is not worth the time of several easy ones.
pub(crate) const LARGE_NODES: u64 = 1 << 13;

/// Creates a random board with the target somewhere before the exit, and with half to three quarters of its cells covered.
pub(super) fn start(shape: Shape, rng: &mut Rng) -> PartialBoard {
    let mut partial = PartialBoard::new(shape, rng);
    partial.place_target(rng.random_range(1..=shape.line_cells() - CAR));
    let cells = u32::from(shape.width()) * u32::from(shape.height());
    let vehicles = rng.random_range(cells * 2 / 9..=cells / 3);
    fill(&mut partial, vehicles, rng);
    partial
}

/// Removes the vehicles that the board does not need. Returns None if it is too easy, too hard or unsolvable.
pub(super) fn reduce(generator: &mut Generator, board: &Board, least: u32) -> Result<Option<GeneratedPuzzle>, Limit> {
    let limits = generator.limits_for(LARGE_NODES)?;
    generator.attempt.components += 1;
    let most = *generator.request.moves.end();
    let portfolio = Portfolio { stop: StopRule::Range { least, most }, ..Portfolio::default() };
    let answer = portfolio.solve(generator.solver, board, Metric::Moves, &limits, &mut |_| {});
    let moves = answer.lower_bound;
    let is_optimal = answer.solution.is_some_and(|solution| solution.moves() == moves);
    if answer.verdict != Verdict::Solved || !is_optimal || !(least..=most).contains(&moves) {
        return Ok(None);
    }
    let limits = generator.limits_for(LARGE_NODES)?;
    let Ok(Some(smaller)) = stripped(generator.solver, board, &limits) else { return Ok(None) };
    let labelled = PartialBoard::from_board(&smaller, generator.shape).board();
    Ok(labelled.map(|board| GeneratedPuzzle { board, moves, states: None }))
}
