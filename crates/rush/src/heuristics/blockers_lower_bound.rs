//! `blockers-lower-bound` (H1 of GP-Rush): who blocks the target, who blocks those, and so on.

use super::lines::{Lines, Set, WAYS, Way, entered};
use crate::{RushDomain, RushState};
use clearway_search::{Heuristic, Node};

/// More than any sum of moves: a way that can never be taken.
const NEVER: u32 = 1 << 20;
/// How many vehicles are followed in one state; the rest count 1 each. No state of the 6x6 suites needs more than 23. It
/// keeps the choices between two ways, each of which doubles the work, from adding up to hours on a crowded 16x16 board.
const MOST_FOLLOWED: u32 = 2048;

/// The number of vehicles that have to move to let the target out, followed recursively.
///
/// A vehicle that has to leave a cell takes the cheaper of its two ways, which costs its own move and what it takes to
/// get the vehicles off that way that were not counted before. Not admissible, in spite of the name it has in the
/// paper: every vehicle chooses its cheapest way for itself, also where a dearer one would spare others theirs.
#[derive(Clone, Debug)]
pub struct BlockersLowerBound {
    lines: Lines,
    followed: u32,
}

impl BlockersLowerBound {
    /// The estimate for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        BlockersLowerBound { lines: Lines::new(domain), followed: 0 }
    }

    /// The number of moves; infinity if the target can never get out.
    pub(super) fn count<const N: usize>(&mut self, state: &RushState<N>) -> f64 {
        if self.lines.is_solved(state) {
            return 0.0;
        }
        if self.lines.is_shut() {
            return f64::INFINITY;
        }
        self.followed = 0;
        let mut counted = 1;
        let moves = 1 + self.clear(state, 0, i16::from(self.lines.goal()), &mut counted, u32::MAX);
        if moves < NEVER { f64::from(moves) } else { f64::INFINITY }
    }

    /// The cost of getting the crossing vehicles off the cells that a vehicle enters on its way to `place`; at least
    /// `enough` if it is not less than that.
    fn clear<const N: usize>(
        &mut self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        counted: &mut Set,
        enough: u32,
    ) -> u32 {
        let fixed = self.lines.vehicles()[vehicle];
        let taken = state.taken(fixed.orientation, fixed.line);
        let mut blocked = entered(fixed.length, state.position(vehicle), place) & taken;
        let mut cost = 0;
        while blocked != 0 && cost < enough {
            let cell = blocked.trailing_zeros() as u8;
            blocked &= blocked - 1;
            if let Some(other) = self.lines.crossing(state, fixed, cell)
                && *counted >> other & 1 == 0
            {
                cost += self.leave(state, other, fixed.line, counted, enough - cost);
            }
        }
        cost
    }

    /// The cost of getting a vehicle off a cell of its line by its cheaper way.
    fn leave<const N: usize>(
        &mut self,
        state: &RushState<N>,
        vehicle: usize,
        cell: u8,
        counted: &mut Set,
        enough: u32,
    ) -> u32 {
        *counted |= 1 << vehicle;
        self.followed += 1;
        if enough <= 1 || self.followed > MOST_FOLLOWED {
            return 1;
        }
        let fixed = &self.lines.vehicles()[vehicle];
        let (position, taken) = (state.position(vehicle), state.taken(fixed.orientation, fixed.line));
        let places = WAYS.map(|way| self.lines.place_beyond(vehicle, cell, way));
        if places.iter().flatten().any(|&place| entered(fixed.length, position, place) & taken == 0) {
            return 1;
        }
        let (mut best, mut counted_by_best) = (NEVER, *counted);
        for (way, place) in WAYS.into_iter().zip(places) {
            let Some(place) = place else { continue };
            let mut counted_here = *counted;
            let cost = self.go(state, vehicle, place, way, &mut counted_here, best.min(enough));
            if cost < best {
                (best, counted_by_best) = (cost, counted_here);
            }
        }
        *counted = counted_by_best;
        best
    }

    /// The cost of getting a vehicle to a place, with the vehicles of its line that it has to push ahead.
    fn go<const N: usize>(
        &mut self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        way: Way,
        counted: &mut Set,
        enough: u32,
    ) -> u32 {
        let mut cost = 1 + self.clear(state, vehicle, place, counted, enough.saturating_sub(1));
        let mut next = self.lines.pushed(state, vehicle, place, way);
        while let Some((vehicle, place)) = next {
            if *counted >> vehicle & 1 == 1 || cost >= enough {
                break;
            }
            *counted |= 1 << vehicle;
            cost += 1;
            cost += self.clear(state, vehicle, place, counted, enough.saturating_sub(cost));
            next = self.lines.pushed(state, vehicle, place, way);
        }
        cost
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for BlockersLowerBound {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.count(node.state)
    }
}
