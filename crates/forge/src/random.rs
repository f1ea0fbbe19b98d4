//! Random boards, generated as in van Dijk's thesis: vehicles are placed one by one wherever there is room.

use crate::partial_board::{CAR, PartialBoard, TRUCK};
use crate::{Rng, Shape};
use clearway_rush::Board;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Number of positions tried for a vehicle before the previous vehicle is removed and placed again.
const MAX_TRIES: u32 = 5;

/// Number of removed vehicles after which the generator gives up a board.
const MAX_BACKTRACKS: u32 = 20_000;

/// Number of vehicles of a random board, by length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fleet {
    /// Number of vehicles of two cells, including the target.
    pub cars: u8,
    /// Number of vehicles of three cells.
    pub trucks: u8,
}

/// Why no board with these vehicles was generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages describe the fields
#[non_exhaustive]
pub enum PlacementError {
    #[error("no target: at least one car is required")]
    NoTarget,
    #[error("the vehicles take {needed} cells, but the board has only {free}")]
    TooFewCells { needed: u32, free: u32 },
    #[error("no room found for all vehicles: gave up after {backtracks} were removed and placed again")]
    NoPlacementFound { backtracks: u32 },
}

/// Generates a random board, which may be unsolvable. The target is not at the exit, and no vehicle lies in the exit's line
/// between the target and the exit, where it would block the target for good.
///
/// ```
/// use clearway_forge::random::{Fleet, board};
/// use clearway_forge::{Shape, rng};
/// use clearway_rush::Side;
/// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
/// let generated = board(shape, Fleet { cars: 9, trucks: 4 }, &mut rng::stream(1, 0))?;
/// assert_eq!(generated.vehicles().len(), 13);
/// assert!(board(shape, Fleet { cars: 3, trucks: 11 }, &mut rng::stream(1, 0)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board(shape: Shape, fleet: Fleet, rng: &mut Rng) -> Result<Board, PlacementError> {
    let mut partial = PartialBoard::new(shape, rng);
    let (needed, free) = (u32::from(fleet.cars) * 2 + u32::from(fleet.trucks) * 3, partial.free_cells());
    if fleet.cars == 0 {
        return Err(PlacementError::NoTarget);
    }
    if needed > free {
        return Err(PlacementError::TooFewCells { needed, free });
    }
    let mut lengths = vec![CAR; fleet.cars.into()];
    lengths.resize(lengths.len() + fleet.trucks as usize, TRUCK);
    lengths[1..].shuffle(rng);
    let mut backtracks = 0;
    while let Some(&length) = lengths.get(partial.vehicles().len()) {
        let is_target = partial.vehicles().is_empty();
        let placed = if is_target {
            partial.place_target(rng.random_range(1..=shape.line_cells() - CAR))
        } else {
            (0..MAX_TRIES).any(|_| partial.place_anywhere(length, rng))
        };
        if !placed {
            backtracks += 1;
            if backtracks == MAX_BACKTRACKS {
                return Err(PlacementError::NoPlacementFound { backtracks });
            }
            partial.remove(partial.vehicles().len() - 1);
        }
    }
    partial.board().ok_or(PlacementError::NoTarget)
}
