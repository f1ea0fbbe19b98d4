//! Backward generation, for small boards: all states of the component of a solved board are explored, and the hardest one is
//! the puzzle. So every generated puzzle is solvable.

use super::{Generator, fill};
use crate::minimal::stripped;
use crate::partial_board::PartialBoard;
use crate::{GeneratedPuzzle, Rng, Shape};
use clearway_rush::{Board, Metric};
use clearway_search::Limit;
use rand::RngExt;

/// Creates a random solved board. After many failures, usually because components were too large, it has fewer vehicles.
pub(super) fn start(shape: Shape, failures: u32, rng: &mut Rng) -> PartialBoard {
    let mut partial = PartialBoard::new(shape, rng);
    partial.place_target(0);
    let cells = u32::from(shape.width()) * u32::from(shape.height());
    let halvings = failures / 8;
    let half = |vehicles: u32| vehicles.checked_shr(halvings).unwrap_or_default();
    let vehicles = rng.random_range(half(cells / 4).max(1)..=half(cells / 3).max(2));
    fill(&mut partial, vehicles, rng);
    partial
}

/// Takes the hardest state of the board's component and removes the vehicles that it does not need, repeatedly, until
/// nothing changes. Returns None if the component is, or becomes, too easy or too large.
pub(super) fn reduce(
    generator: &mut Generator,
    mut board: Board,
    least: u32,
) -> Result<Option<GeneratedPuzzle>, Limit> {
    let shape = generator.shape;
    let mut max_states = component_limit(shape, least);
    loop {
        let limits = generator.limits_for(max_states)?;
        generator.attempt.components += 1;
        let Some(hardest) = generator.solver.hardest(&board, Metric::Moves, &limits) else { return Ok(None) };
        if hardest.depth < least {
            return Ok(None);
        }
        let Ok(farthest) = board.with_positions(&hardest.way[0]) else { return Ok(None) };
        // Removing vehicles below lets the others move more freely, so the component grows.
        max_states = component_limit(shape, u32::MAX);
        let limits = generator.limits_for(max_states)?;
        match stripped(generator.solver, &farthest, &limits) {
            Ok(Some(smaller)) if smaller.vehicles().len() < board.vehicles().len() => board = smaller,
            Ok(Some(_)) => {
                let labelled = PartialBoard::from_board(&farthest, shape).board();
                let (moves, states) = (hardest.depth, Some(hardest.states));
                return Ok(labelled.map(|board| GeneratedPuzzle { board, moves, states }));
            }
            Ok(None) | Err(_) => return Ok(None),
        }
    }
}

/// Returns the maximum size of a component worth exploring when the longest puzzle so far has this number of moves: small
/// components are explored quickly, but long puzzles need larger ones.
fn component_limit(shape: Shape, moves: u32) -> u64 {
    // Measured: on 7x7 and 8x8 larger components are worth their time.
    let most = if shape.width().max(shape.height()) >= 7 { 64_000 } else { 16_000 };
    most / 100 * u64::from(moves.saturating_add(10).min(100))
}
