//! The vehicle on each cell of a board, updated from state to state.

use super::packed_positions::for_each_difference;
use crate::{Orientation, RushDomain, RushState};
use clearway_search::Domain;

/// The vehicle on each occupied cell in one state. A move changes few cells, so an update from a state to a similar one, such as
/// another successor of the same parent, is much faster than starting over.
#[derive(Clone, Debug)]
pub(super) struct Occupants {
    /// The state, as packed positions.
    positions: [u64; 8],
    vehicles: Vec<CellRun>,
    /// By cell: the vehicle on it, or the last one if the cell is free; [`NONE`] if there was none.
    cells: Box<[u8; 256]>,
}

/// Where the cells of a vehicle are.
#[derive(Clone, Copy, Debug)]
struct CellRun {
    /// Its first cell at position 0.
    origin: u8,
    /// Difference between one cell and the next.
    step: u8,
    length: u8,
}

const NONE: u8 = u8::MAX;

impl Occupants {
    /// Creates the occupants of a domain's start. The cell in column x and row y has the number y * `side` + x.
    pub fn new<const N: usize>(domain: &RushDomain<N>, side: u32) -> Self {
        let run = |body: &crate::VehicleShape| match body.orientation {
            Orientation::Horizontal => {
                CellRun { origin: (u32::from(body.line) * side) as u8, step: 1, length: body.length }
            }
            Orientation::Vertical => CellRun { origin: body.line, step: side as u8, length: body.length },
        };
        let mut occupants = Occupants {
            positions: [u64::MAX; 8],
            vehicles: domain.bodies().iter().map(run).collect(),
            cells: Box::new([NONE; 256]),
        };
        // No vehicle is at position 15.
        occupants.update(&domain.start(), |_, _, _| {});
        occupants
    }

    /// Changes to another state of the same board. `visit` is called with each vehicle that moves and its old and new position.
    #[inline]
    pub fn update<const N: usize>(&mut self, state: &RushState<N>, mut visit: impl FnMut(usize, u8, u8)) {
        for (word, &new) in state.packed_positions().iter().enumerate().take(8) {
            let old = std::mem::replace(&mut self.positions[word], new);
            for_each_difference(old, new, |field| {
                let vehicle = word * 16 + field;
                // Fields beyond the last vehicle differ at first.
                let Some(&CellRun { origin, step, length }) = self.vehicles.get(vehicle) else { return };
                let position = |positions: u64| (positions >> (4 * field)) as u8 & 15;
                // A cell that it leaves keeps its mark, which has no meaning while the cell is free.
                let first = u32::from(origin) + u32::from(position(new)) * u32::from(step);
                for i in 0..u32::from(length) {
                    self.cells[(first + i * u32::from(step)) as u8 as usize] = vehicle as u8;
                }
                visit(vehicle, position(old), position(new));
            });
        }
    }

    /// Whether this is the state.
    pub fn is_at<const N: usize>(&self, state: &RushState<N>) -> bool {
        self.positions.iter().zip(state.packed_positions()).all(|(one, other)| one == other)
    }

    /// The vehicle on an occupied cell; `None` if it is a wall. Meaningless for free cells.
    #[inline]
    pub fn at(&self, cell: u8) -> Option<usize> {
        let vehicle = self.cells[cell as usize];
        (vehicle != NONE).then_some(vehicle as usize)
    }
}
