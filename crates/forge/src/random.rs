//! Boards at random, as in van Dijk's thesis: vehicles are placed one by one wherever there is room.

use crate::layout::{CAR, Layout, TRUCK};
use crate::{Rng, Shape};
use clearway_rush::Board;
use rand::RngExt;
use rand::seq::SliceRandom;

/// How many places are tried for a vehicle before the one placed before it is placed anew.
const TRIES: u32 = 5;

/// How many vehicles are placed anew before a board is given up.
const SETBACKS: u32 = 20_000;

/// How many vehicles a random board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fleet {
    /// Vehicles of two cells; the target is one of them.
    pub cars: u8,
    /// Vehicles of three cells.
    pub trucks: u8,
}

/// Why there is no board with so many vehicles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what each field is
pub enum NoRoom {
    #[error("there is no target: at least one car is needed")]
    NoTarget,
    #[error("the vehicles take {needed} cells, but the board has {free}")]
    Cells { needed: u32, free: u32 },
    #[error("no room was found for the vehicles, although {setbacks} were placed anew")]
    Tried { setbacks: u32 },
}

/// A random board of a shape, which may be unsolvable. The target does not stand at the exit, and nothing that could
/// never leave its way lies there.
///
/// ```
/// use clearway_forge::random::{Fleet, board};
/// use clearway_forge::{Shape, rng};
/// use clearway_rush::Side;
/// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
/// let made = board(shape, Fleet { cars: 9, trucks: 4 }, &mut rng::stream(1, 0))?;
/// assert_eq!(made.vehicles().len(), 13);
/// assert!(board(shape, Fleet { cars: 3, trucks: 11 }, &mut rng::stream(1, 0)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board(shape: Shape, fleet: Fleet, rng: &mut Rng) -> Result<Board, NoRoom> {
    let mut layout = Layout::new(shape, rng);
    let (needed, free) = (u32::from(fleet.cars) * 2 + u32::from(fleet.trucks) * 3, layout.free_cells());
    if fleet.cars == 0 {
        return Err(NoRoom::NoTarget);
    }
    if needed > free {
        return Err(NoRoom::Cells { needed, free });
    }
    let mut lengths = vec![CAR; fleet.cars.into()];
    lengths.resize(lengths.len() + fleet.trucks as usize, TRUCK);
    lengths[1..].shuffle(rng);
    let mut setbacks = 0;
    while let Some(&length) = lengths.get(layout.vehicles().len()) {
        let is_target = layout.vehicles().is_empty();
        let placed = if is_target {
            layout.place_target(rng.random_range(1..=shape.line_cells() - CAR))
        } else {
            (0..TRIES).any(|_| layout.place_anywhere(length, rng))
        };
        if !placed {
            setbacks += 1;
            if setbacks == SETBACKS {
                return Err(NoRoom::Tried { setbacks });
            }
            layout.remove(layout.vehicles().len() - 1);
        }
    }
    layout.board().ok_or(NoRoom::NoTarget)
}
