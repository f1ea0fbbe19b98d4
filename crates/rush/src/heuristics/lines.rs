//! What never changes about the lines of a board: who is in which, in which order, and how far each can ever get.

use crate::{Orientation, RushDomain, RushState};

/// A set of vehicles, one bit each.
pub(super) type Set = u128;

/// The two ways along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Back,
    Forth,
}

/// Both ways, in the order in which they are tried.
pub(super) const WAYS: [Way; 2] = [Way::Back, Way::Forth];

/// What never changes about a vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed {
    pub orientation: Orientation,
    pub line: u8,
    pub length: u8,
    /// Its place in the order of the line's vehicles.
    pub place: u8,
    /// The least and greatest position that walls and the other vehicles of the line ever leave it.
    pub least: u8,
    pub most: u8,
}

/// The vehicles of one line in order; a line of 16 cells holds at most 8.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    vehicles: [u8; 8],
    count: u8,
}

impl Order {
    fn vehicles(&self) -> &[u8] {
        &self.vehicles[..self.count as usize]
    }
}

/// The lines of a board.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    vehicles: Vec<Fixed>,
    order: [[Order; 16]; 2],
    goal: u8,
    way_out: Way,
}

impl Lines {
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Lines {
        let board = domain.board();
        let mut vehicles: Vec<Fixed> = (domain.bodies().iter())
            .map(|body| Fixed {
                orientation: body.orientation,
                line: body.line,
                length: body.length,
                place: 0,
                least: 0,
                most: 0,
            })
            .collect();
        let mut order = [[Order::default(); 16]; 2];
        let mut by_position: Vec<usize> = (0..vehicles.len()).collect();
        by_position.sort_by_key(|&i| board.vehicles()[i].position());
        for i in by_position {
            let vehicle = &mut vehicles[i];
            let order = &mut order[vehicle.orientation as usize][vehicle.line as usize];
            vehicle.place = order.count;
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
                // From the front, the least positions; from the back, the greatest: a wall in between starts anew.
                let (mut seen, mut least) = (0, 0);
                for &i in order.vehicles() {
                    let position = board.vehicles()[i as usize].position();
                    least = (seen..position).rev().find(|&cell| is_wall(cell)).map_or(least, |wall| wall + 1);
                    vehicles[i as usize].least = least;
                    seen = position;
                    least += vehicles[i as usize].length;
                }
                let (mut seen, mut end) = (side, side);
                for &i in order.vehicles().iter().rev() {
                    let (position, length) = (board.vehicles()[i as usize].position(), vehicles[i as usize].length);
                    end = (position + length..seen).find(|&cell| is_wall(cell)).map_or(end, |wall| wall);
                    end -= length;
                    vehicles[i as usize].most = end;
                    seen = position;
                }
            }
        }
        let way_out = if board.exit().side().is_forward() { Way::Forth } else { Way::Back };
        Lines { vehicles, order, goal: board.goal_position(), way_out }
    }

    /// The vehicles; the first is the target.
    pub fn vehicles(&self) -> &[Fixed] {
        &self.vehicles
    }

    /// Where the target is at the exit.
    pub fn goal(&self) -> u8 {
        self.goal
    }

    /// The way along the target's line that leads to the exit.
    pub fn way_out(&self) -> Way {
        self.way_out
    }

    /// Whether the target is at the exit.
    #[inline]
    pub fn is_solved<const N: usize>(&self, state: &RushState<N>) -> bool {
        state.position(0) == self.goal
    }

    /// Whether a wall or another vehicle of its line keeps the target from the exit for ever.
    #[inline]
    pub fn is_shut(&self) -> bool {
        let target = &self.vehicles[0];
        !(target.least..=target.most).contains(&self.goal)
    }

    /// How many cells the target is from the exit.
    #[inline]
    pub fn target_distance<const N: usize>(&self, state: &RushState<N>) -> u8 {
        state.position(0).abs_diff(self.goal)
    }

    /// The cells between the target and the exit that are taken. Unless the exit is [shut](Self::is_shut), a different
    /// crossing vehicle is on each.
    #[inline]
    pub fn in_the_way<const N: usize>(&self, state: &RushState<N>) -> u16 {
        let target = &self.vehicles[0];
        entered(target.length, state.position(0), i16::from(self.goal)) & state.taken(target.orientation, target.line)
    }

    /// The vehicles of the line of a vehicle, in order.
    #[inline]
    pub fn line_of(&self, vehicle: usize) -> &[u8] {
        let fixed = &self.vehicles[vehicle];
        self.order[fixed.orientation as usize][fixed.line as usize & 15].vehicles()
    }

    /// The vehicle on a cell that crosses the line of another vehicle there. None if the cell is a wall, empty, or
    /// taken by a vehicle that lies along that line.
    #[inline]
    pub fn crossing<const N: usize>(&self, state: &RushState<N>, vehicle: Fixed, cell: u8) -> Option<usize> {
        let order = &self.order[1 - vehicle.orientation as usize][cell as usize & 15];
        for &other in order.vehicles() {
            let behind = vehicle.line.wrapping_sub(state.position(other as usize));
            if behind < self.vehicles[other as usize].length {
                return Some(other as usize);
            }
        }
        None
    }

    /// Where a vehicle must get to in order to leave a cell of its line by one way; none if it never can.
    #[inline]
    pub fn place_beyond(&self, vehicle: usize, cell: u8, way: Way) -> Option<i16> {
        let fixed = &self.vehicles[vehicle];
        let (cell, length) = (i16::from(cell), i16::from(fixed.length));
        match way {
            Way::Back => (cell - length >= i16::from(fixed.least)).then_some(cell - length),
            Way::Forth => (cell < i16::from(fixed.most)).then_some(cell + 1),
        }
    }

    /// The next vehicle of the line that a vehicle pushes ahead on its way to `place`, and where to.
    #[inline]
    pub fn pushed<const N: usize>(
        &self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        way: Way,
    ) -> Option<(usize, i16)> {
        let fixed = &self.vehicles[vehicle];
        match way {
            Way::Back => {
                let next = *self.line_of(vehicle).get(fixed.place.checked_sub(1)? as usize)? as usize;
                let place = place - i16::from(self.vehicles[next].length);
                (place < i16::from(state.position(next))).then_some((next, place))
            }
            Way::Forth => {
                let next = *self.line_of(vehicle).get(fixed.place as usize + 1)? as usize;
                let place = place + i16::from(fixed.length);
                (place > i16::from(state.position(next))).then_some((next, place))
            }
        }
    }

    /// The vehicles that must move before a vehicle can be at `place`, itself among them: those of its line that it
    /// pushes ahead, and the crossing ones on the cells that they all have to enter.
    pub fn met<const N: usize>(&self, state: &RushState<N>, vehicle: usize, place: i16, way: Way) -> Set {
        let (mut set, mut next) = (0, Some((vehicle, place)));
        while let Some((vehicle, place)) = next {
            set |= 1 << vehicle;
            self.for_each_crossing(state, vehicle, place, |other| set |= 1 << other);
            next = self.pushed(state, vehicle, place, way);
        }
        set
    }

    /// Visits the crossing vehicles on the cells that a vehicle enters on its way to `place`.
    #[inline]
    pub fn for_each_crossing<const N: usize>(
        &self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        mut visit: impl FnMut(usize),
    ) {
        let fixed = &self.vehicles[vehicle];
        let mut blocked =
            entered(fixed.length, state.position(vehicle), place) & state.taken(fixed.orientation, fixed.line);
        while blocked != 0 {
            let cell = blocked.trailing_zeros() as u8;
            blocked &= blocked - 1;
            if let Some(other) = self.crossing(state, *fixed, cell) {
                visit(other);
            }
        }
    }
}

/// `length` cells from `first` on.
#[inline]
pub(super) fn run(first: u8, length: u8) -> u16 {
    (((1u32 << length) - 1) << first) as u16
}

/// The cells of its line that a vehicle of some length enters when it goes from one position to another.
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
        labels.zip(lines.vehicles()).map(|(label, v)| (label, v.least, v.most)).collect()
    }

    #[test]
    fn ranges_end_at_walls_and_leave_room_for_the_others_of_the_line() {
        assert_eq!(ranges("6x2:.BBCC.AA...."), [('A', 0, 4), ('B', 0, 2), ('C', 2, 4)]);
        assert_eq!(ranges("6x2:BBxCC.AA..x."), [('A', 0, 2), ('B', 0, 0), ('C', 3, 4)]);
        assert_eq!(ranges("8x2:.BBCCxDDAA......"), [('A', 0, 6), ('B', 0, 1), ('C', 2, 3), ('D', 6, 6)]);
    }

    #[test]
    fn who_is_met_on_the_way() {
        // B must push C to get its tail off the second column; D stands in C's way.
        let board = formats::read_one("6x3:.BBCCDAA...D......", None).unwrap().board;
        let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
        let lines = Lines::new(&domain);
        let at = |label| board.vehicle_labelled(label).unwrap();
        let met = lines.met(&domain.start(), at('B'), 2, Way::Forth);
        assert_eq!(met, 1 << at('B') | 1 << at('C') | 1 << at('D'));
        assert_eq!(lines.place_beyond(at('B'), 2, Way::Back), Some(0));
        assert_eq!(lines.place_beyond(at('B'), 1, Way::Back), None);
        assert_eq!(lines.place_beyond(at('B'), 2, Way::Forth), None);
    }
}
