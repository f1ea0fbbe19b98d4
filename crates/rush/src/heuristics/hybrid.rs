//! `hybrid` (H3 of GP-Rush): the distance of the vehicles from a deduced goal board, and the vehicles in between.

use super::deduced_goal::deduced_goal;
use super::lines::{Lines, entered, run};
use super::packed_positions::PackedPositions;
use crate::{RushDomain, RushState};
use clearway_search::{Heuristic, Node};

/// The value of `goal-distance`, plus for each vehicle the number of others between it and its position in the deduced goal
/// board.
///
/// Not admissible, for the same reasons.
#[derive(Clone, Debug)]
pub struct Hybrid {
    lines: Lines,
    goal: Vec<u8>,
    packed: PackedPositions,
}

impl Hybrid {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let goal = deduced_goal(domain, &lines);
        let packed = PackedPositions::new(&goal);
        Hybrid { lines, goal, packed }
    }

    /// Number of vehicles between a vehicle and a position on its line.
    fn between<const N: usize>(&self, state: &RushState<N>, vehicle: usize, place: u8) -> u32 {
        let fixed = &self.lines.vehicles()[vehicle];
        let path = entered(fixed.length, state.position(vehicle), i16::from(place));
        let mut taken = path & state.occupied(fixed.orientation, fixed.line);
        if taken == 0 {
            return 0;
        }
        let mut along = 0;
        for &other in self.lines.vehicles_in_line_of(vehicle) {
            let body = run(state.position(other as usize), self.lines.vehicles()[other as usize].length);
            along += u32::from(taken & body != 0);
            taken &= !body;
        }
        along + taken.count_ones()
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Hybrid {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        let mut between = 0;
        self.packed.for_each_displaced(node.state, |vehicle| {
            between += self.between(node.state, vehicle, self.goal[vehicle]);
        });
        f64::from(self.packed.distance(node.state) + between)
    }
}
