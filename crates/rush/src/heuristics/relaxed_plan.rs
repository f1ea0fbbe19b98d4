//! `relaxed-plan`: the slides of a plan in a world where a cell, once free, stays free.

use super::lines::{Lines, entered};
use crate::{Orientation, RushDomain, RushState};
use clearway_search::{Heuristic, Node};

/// The number of slides in a relaxed plan (delete relaxation): vehicles take up no room at the places they move to.
///
/// In such a world cells only become free, layer by layer, so every vehicle slides from where it stands now. A cell under a
/// vehicle becomes free by the shortest slide off it, to the side where that was possible in the earlier layer. The plan
/// is what the target needs, what those slides need, and so on, each slide counted once. Not admissible:
/// the choice in an early layer may be the dearer one, and slides of one vehicle to the same side are counted apart. Infinite
/// only where there is no plan at all, and so no solution.
#[derive(Clone, Debug)]
pub struct RelaxedPlan {
    lines: Lines,
    /// By row and column: the slide that frees a cell. Only read for cells that were freed in the same estimate.
    freed_by: Vec<Slide>,
    /// By vehicle: how far it can go back and forth so far.
    room: Vec<(u8, u8)>,
    /// The cells that become free in the next layer, as (row, column).
    fresh: Vec<(u8, u8)>,
    /// By vehicle: the slides that are in the plan, a bit for each place.
    planned: Vec<u16>,
    open: Vec<Slide>,
}

/// A slide of a vehicle from where it stands to a place.
#[derive(Clone, Copy, Debug, Default)]
struct Slide {
    vehicle: u8,
    place: u8,
}

/// By row, and by column: the cells that are not free.
type Taken = [[u16; 16]; 2];

impl RelaxedPlan {
    /// The estimate for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let count = lines.vehicles().len();
        RelaxedPlan {
            lines,
            freed_by: vec![Slide::default(); 256],
            room: vec![(0, 0); count],
            fresh: Vec::new(),
            planned: vec![0; count],
            open: Vec::new(),
        }
    }

    /// Frees cells until the target can slide out; false if it never can.
    fn free_the_way<const N: usize>(&mut self, domain: &RushDomain<N>, state: &RushState<N>) -> bool {
        let mut taken: Taken = *state.taken_cells();
        // The lines in which cells became free, by orientation: at first, all of them.
        let mut changed = [u16::MAX; 2];
        self.room.fill((0, 0));
        let target = self.lines.vehicles()[0];
        let way = entered(target.length, state.position(0), i16::from(self.lines.goal()));
        while taken[target.orientation as usize][target.line as usize & 15] & way != 0 {
            self.fresh.clear();
            for vehicle in 0..self.lines.vehicles().len() {
                let fixed = &self.lines.vehicles()[vehicle];
                if changed[fixed.orientation as usize] >> fixed.line & 1 == 1 {
                    let line = taken[fixed.orientation as usize][fixed.line as usize & 15];
                    self.widen(domain, state, vehicle, line);
                }
            }
            if self.fresh.is_empty() {
                return false;
            }
            changed = [0; 2];
            for &(row, column) in &self.fresh {
                taken[0][row as usize & 15] &= !(1 << column);
                taken[1][column as usize & 15] &= !(1 << row);
                changed[0] |= 1 << row;
                changed[1] |= 1 << column;
            }
        }
        true
    }

    /// Looks how far a vehicle can go by now, and notes the cells under it that this frees.
    fn widen<const N: usize>(&mut self, domain: &RushDomain<N>, state: &RushState<N>, vehicle: usize, line: u16) {
        let fixed = &self.lines.vehicles()[vehicle];
        let (position, length) = (state.position(vehicle), fixed.length);
        let room = domain.room_among(vehicle, position, line);
        let before = std::mem::replace(&mut self.room[vehicle], room);
        if room == before {
            return;
        }
        for cell in 0..length {
            // How far it has to go to be off this cell.
            let (back, forth) = (length - cell, cell + 1);
            if before.0 >= back || before.1 >= forth {
                continue;
            }
            let place = match (room.0 >= back, room.1 >= forth) {
                (true, true) if back <= forth => position - back,
                (true, false) => position - back,
                (_, true) => position + forth,
                (false, false) => continue,
            };
            let (row, column) = match fixed.orientation {
                Orientation::Horizontal => (fixed.line, position + cell),
                Orientation::Vertical => (position + cell, fixed.line),
            };
            self.freed_by[row as usize * 16 + column as usize] = Slide { vehicle: vehicle as u8, place };
            self.fresh.push((row, column));
        }
    }

    /// Counts the slides that the target's slide to the exit needs, itself among them.
    fn plan_length<const N: usize>(&mut self, state: &RushState<N>) -> u32 {
        self.planned.fill(0);
        self.open.clear();
        self.open.push(Slide { vehicle: 0, place: self.lines.goal() });
        let mut length = 0;
        while let Some(Slide { vehicle, place }) = self.open.pop() {
            let vehicle = vehicle as usize;
            if self.planned[vehicle] >> place & 1 == 1 {
                continue;
            }
            self.planned[vehicle] |= 1 << place;
            length += 1;
            let fixed = &self.lines.vehicles()[vehicle];
            let mut needed = entered(fixed.length, state.position(vehicle), i16::from(place))
                & state.taken(fixed.orientation, fixed.line);
            while needed != 0 {
                let cell = needed.trailing_zeros() as usize;
                needed &= needed - 1;
                let at = match fixed.orientation {
                    Orientation::Horizontal => fixed.line as usize * 16 + cell,
                    Orientation::Vertical => cell * 16 + fixed.line as usize,
                };
                self.open.push(self.freed_by[at]);
            }
        }
        length
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for RelaxedPlan {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if !self.lines.is_shut() && self.free_the_way(domain, node.state) {
            f64::from(self.plan_length(node.state))
        } else {
            f64::INFINITY
        }
    }
}
