//! The static structure of a board's lines: the vehicles of each line in order, and the range of positions of each vehicle.
//!
//! A line is a row or column. A position is the first (leftmost or topmost) cell of a vehicle along its line.

use super::occupants::Occupants;
use crate::vehicle_set::VehicleSet;
use crate::{Orientation, RushDomain, RushState};

/// A direction along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Towards smaller positions: left or up.
    Back,
    /// Towards greater positions: right or down.
    Forward,
}

/// Both directions, in the order in which they are tried.
pub(super) const DIRECTIONS: [Direction; 2] = [Direction::Back, Direction::Forward];

/// The properties of a vehicle that never change.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticVehicle {
    pub orientation: Orientation,
    pub line: u8,
    pub length: u8,
    /// Its index in the order of the line's vehicles.
    pub index_in_line: u8,
    /// The smallest position that walls and the other vehicles of the line permit in any reachable state.
    pub min_position: u8,
    /// The greatest such position.
    pub max_position: u8,
}

/// The vehicles of one line, in order. A line of 16 cells holds at most 8.
#[derive(Clone, Copy, Debug, Default)]
struct LineOrder {
    vehicles: [u8; 8],
    count: u8,
}

impl LineOrder {
    fn vehicles(&self) -> &[u8] {
        &self.vehicles[..self.count as usize]
    }
}

/// The lines of a board, and the goal of the target.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    vehicles: Vec<StaticVehicle>,
    order: [[LineOrder; 16]; 2],
    goal: u8,
    exit_direction: Direction,
    /// The vehicles on the cells in the state set by [`set_state`](Lines::set_state).
    occupants: Occupants,
}

/// Side of the grid in which the occupants' cells are numbered.
const SIDE: u8 = 16;

impl Lines {
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Lines {
        let board = domain.board();
        let mut vehicles: Vec<StaticVehicle> = (domain.bodies().iter())
            .map(|body| StaticVehicle {
                orientation: body.orientation,
                line: body.line,
                length: body.length,
                index_in_line: 0,
                min_position: 0,
                max_position: 0,
            })
            .collect();
        let mut order = [[LineOrder::default(); 16]; 2];
        let mut by_position: Vec<usize> = (0..vehicles.len()).collect();
        by_position.sort_by_key(|&i| board.vehicles()[i].position());
        for i in by_position {
            let vehicle = &mut vehicles[i];
            let order = &mut order[vehicle.orientation as usize][vehicle.line as usize];
            vehicle.index_in_line = order.count;
            order.vehicles[order.count as usize] = i as u8;
            order.count += 1;
        }
        for orientation in [Orientation::Horizontal, Orientation::Vertical] {
            for (line, order) in order[orientation as usize].iter().enumerate() {
                let is_wall = |cell: u8| match orientation {
                    Orientation::Horizontal => board.walls().contains(cell, line as u8),
                    Orientation::Vertical => board.walls().contains(line as u8, cell),
                };
                let side = board.side_along(orientation);
                // The smallest positions are accumulated from the front, the greatest from the back; a wall resets them.
                let (mut seen, mut start) = (0, 0);
                for &i in order.vehicles() {
                    let position = board.vehicles()[i as usize].position();
                    start = (seen..position).rev().find(|&cell| is_wall(cell)).map_or(start, |wall| wall + 1);
                    vehicles[i as usize].min_position = start;
                    seen = position;
                    start += vehicles[i as usize].length;
                }
                let (mut seen, mut end) = (side, side);
                for &i in order.vehicles().iter().rev() {
                    let (position, length) = (board.vehicles()[i as usize].position(), vehicles[i as usize].length);
                    end = (position + length..seen).find(|&cell| is_wall(cell)).map_or(end, |wall| wall);
                    end -= length;
                    vehicles[i as usize].max_position = end;
                    seen = position;
                }
            }
        }
        let exit_direction = if board.exit().side().is_forward() { Direction::Forward } else { Direction::Back };
        let occupants = Occupants::new(domain, SIDE.into());
        Lines { vehicles, order, goal: board.goal_position(), exit_direction, occupants }
    }

    /// Sets the state for [`crossing`](Self::crossing) and all methods that look for crossing vehicles. Initially it is the
    /// start.
    #[inline]
    pub fn set_state<const N: usize>(&mut self, state: &RushState<N>) {
        self.occupants.update(state, |_, _, _| {});
    }

    /// The vehicles, in the order of [`Board::vehicles`](crate::Board::vehicles); the first is the target.
    pub fn vehicles(&self) -> &[StaticVehicle] {
        &self.vehicles
    }

    /// Position of the target at the exit.
    pub fn goal(&self) -> u8 {
        self.goal
    }

    /// Direction along the target's line that leads to the exit.
    pub fn exit_direction(&self) -> Direction {
        self.exit_direction
    }

    /// Whether the target is at the exit.
    #[inline]
    pub fn is_solved<const N: usize>(&self, state: &RushState<N>) -> bool {
        state.position(0) == self.goal
    }

    /// Whether a wall or another vehicle of its line permanently separates the target from the exit.
    #[inline]
    pub fn is_exit_unreachable(&self) -> bool {
        let target = &self.vehicles[0];
        !(target.min_position..=target.max_position).contains(&self.goal)
    }

    /// Distance of the target from the exit, in cells.
    #[inline]
    pub fn target_distance<const N: usize>(&self, state: &RushState<N>) -> u8 {
        state.position(0).abs_diff(self.goal)
    }

    /// The occupied cells between the target and the exit. Unless the [exit is unreachable](Self::is_exit_unreachable), each is
    /// occupied by a different crossing vehicle.
    #[inline]
    pub fn blocked_cells<const N: usize>(&self, state: &RushState<N>) -> u16 {
        let target = &self.vehicles[0];
        entered(target.length, state.position(0), i16::from(self.goal))
            & state.occupied(target.orientation, target.line)
    }

    /// The vehicles in the same line as a vehicle, itself included, in order.
    #[inline]
    pub fn vehicles_in_line_of(&self, vehicle: usize) -> &[u8] {
        let fixed = &self.vehicles[vehicle];
        self.vehicles_in(fixed.orientation, fixed.line)
    }

    /// The vehicles of a row or column that lie along it, in order.
    #[inline]
    pub fn vehicles_in(&self, orientation: Orientation, line: u8) -> &[u8] {
        self.order[orientation as usize][line as usize & 15].vehicles()
    }

    /// The vehicle that crosses the line of another vehicle at an occupied cell, in the [state that is set](Self::set_state).
    /// `None` if the cell is a wall or occupied by a vehicle of that line.
    #[inline]
    pub fn crossing(&self, vehicle: StaticVehicle, cell: u8) -> Option<usize> {
        let number = match vehicle.orientation {
            Orientation::Horizontal => vehicle.line * SIDE + cell,
            Orientation::Vertical => cell * SIDE + vehicle.line,
        };
        self.occupants.at(number).filter(|&other| self.vehicles[other].orientation != vehicle.orientation)
    }

    /// The nearest position at which a vehicle has left a cell of its line in a direction; `None` if it never can.
    #[inline]
    pub fn place_beyond(&self, vehicle: usize, cell: u8, direction: Direction) -> Option<i16> {
        let fixed = &self.vehicles[vehicle];
        let (cell, length) = (i16::from(cell), i16::from(fixed.length));
        match direction {
            Direction::Back => (cell - length >= i16::from(fixed.min_position)).then_some(cell - length),
            Direction::Forward => (cell < i16::from(fixed.max_position)).then_some(cell + 1),
        }
    }

    /// The next vehicle of the line that a vehicle pushes ahead when it moves to `place`, and the position that it is pushed to.
    #[inline]
    pub fn pushed<const N: usize>(
        &self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        direction: Direction,
    ) -> Option<(usize, i16)> {
        let fixed = &self.vehicles[vehicle];
        match direction {
            Direction::Back => {
                let next =
                    *self.vehicles_in_line_of(vehicle).get(fixed.index_in_line.checked_sub(1)? as usize)? as usize;
                let place = place - i16::from(self.vehicles[next].length);
                (place < i16::from(state.position(next))).then_some((next, place))
            }
            Direction::Forward => {
                let next = *self.vehicles_in_line_of(vehicle).get(fixed.index_in_line as usize + 1)? as usize;
                let place = place + i16::from(fixed.length);
                (place > i16::from(state.position(next))).then_some((next, place))
            }
        }
    }

    /// The vehicles that must move before a vehicle can be at `place`, itself included: those of its line that it pushes ahead,
    /// and the crossing vehicles on the cells that all of these have to enter.
    pub fn must_move<const N: usize>(
        &self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        direction: Direction,
    ) -> VehicleSet {
        let (mut set, mut next): (VehicleSet, _) = (0, Some((vehicle, place)));
        while let Some((vehicle, place)) = next {
            set |= 1 << vehicle;
            self.for_each_crossing(state, vehicle, place, |other| set |= 1 << other);
            next = self.pushed(state, vehicle, place, direction);
        }
        set
    }

    /// Visits the crossing vehicles on the cells that a vehicle enters when it moves to `place`.
    #[inline]
    pub fn for_each_crossing<const N: usize>(
        &self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        mut visit: impl FnMut(usize),
    ) {
        debug_assert!(self.occupants.is_at(state), "the state is not set");
        let fixed = &self.vehicles[vehicle];
        let mut blocked =
            entered(fixed.length, state.position(vehicle), place) & state.occupied(fixed.orientation, fixed.line);
        while blocked != 0 {
            let cell = blocked.trailing_zeros() as u8;
            blocked &= blocked - 1;
            if let Some(other) = self.crossing(*fixed, cell) {
                visit(other);
            }
        }
    }
}

/// The set of `length` cells starting at `first`.
#[inline]
pub(super) fn run(first: u8, length: u8) -> u16 {
    (((1u32 << length) - 1) << first) as u16
}

/// The cells of its line that a vehicle of this length enters when it moves from one position to another.
#[inline]
pub(super) fn entered(length: u8, from: u8, to: i16) -> u16 {
    let to = to as u8;
    if to < from { run(to, from - to) } else { run(from + length, to - from) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, formats};
    use clearway_search::Domain;

    fn ranges(text: &str) -> Vec<(char, u8, u8)> {
        let board = formats::read_one(text, None).unwrap().board;
        let lines = Lines::new(&RushDomain::<1>::new(&board, Metric::Moves).unwrap());
        let labels = board.vehicles().iter().map(|v| v.label);
        labels.zip(lines.vehicles()).map(|(label, v)| (label, v.min_position, v.max_position)).collect()
    }

    #[test]
    fn ranges_respect_walls_and_the_other_vehicles_of_the_line() {
        assert_eq!(ranges("6x2:.BBCC.AA...."), [('A', 0, 4), ('B', 0, 2), ('C', 2, 4)]);
        assert_eq!(ranges("6x2:BBxCC.AA..x."), [('A', 0, 2), ('B', 0, 0), ('C', 3, 4)]);
        assert_eq!(ranges("8x2:.BBCCxDDAA......"), [('A', 0, 6), ('B', 0, 1), ('C', 2, 3), ('D', 6, 6)]);
    }

    #[test]
    fn pushed_and_crossing_vehicles_must_move() {
        // B must push C to leave the second column; D is in C's way.
        let board = formats::read_one("6x3:.BBCCDAA...D......", None).unwrap().board;
        let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
        let lines = Lines::new(&domain);
        let at = |label| board.vehicle_labelled(label).unwrap();
        let must_move = lines.must_move(&domain.start(), at('B'), 2, Direction::Forward);
        assert_eq!(must_move, 1 << at('B') | 1 << at('C') | 1 << at('D'));
        assert_eq!(lines.place_beyond(at('B'), 2, Direction::Back), Some(0));
        assert_eq!(lines.place_beyond(at('B'), 1, Direction::Back), None);
        assert_eq!(lines.place_beyond(at('B'), 2, Direction::Forward), None);
    }
}
