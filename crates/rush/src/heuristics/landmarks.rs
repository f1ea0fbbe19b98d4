//! `landmarks`: the vehicles that must move before the target can reach the exit.

use super::lines::{DIRECTIONS, Direction, Lines};
use crate::vehicle_set::{VehicleSet, vehicles_of_choices};
use crate::{Metric, RushDomain, RushState};
use clearway_search::{Heuristic, Node};

/// The landmark that a vehicle must leave a cell of its line.
#[derive(Clone, Copy, Debug)]
struct Demand {
    vehicle: u8,
    cell: u8,
}

/// Number of vehicles that must move, followed recursively where there is no choice, plus the smaller set for each choice.
///
/// The vehicles between the target and the exit must leave the target's line. A vehicle that must leave a cell can do so in at
/// most two directions; every vehicle that blocks the only possible direction, or both, must move as well, and so on. Where both
/// directions are possible, one of the two sets of blocking vehicles must move; the smaller sets are added up over choices that
/// have no vehicle in common. Each vehicle that must move needs at least one move or, in steps, its distance. Admissible in both
/// metrics.
#[derive(Clone, Debug)]
pub struct Landmarks {
    lines: Lines,
    /// The cells that each vehicle must leave.
    demanded: Vec<u16>,
    /// A lower bound on the distance that each vehicle must move, in cells.
    distance: Vec<u8>,
    /// Demands that are still to be processed.
    open: Vec<Demand>,
    /// The sets of vehicles that must move for a vehicle to leave its cell back or forward, where both are possible.
    choices: Vec<(VehicleSet, VehicleSet)>,
}

impl Landmarks {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let count = lines.vehicles().len();
        Landmarks { lines, demanded: vec![0; count], distance: vec![1; count], open: Vec::new(), choices: Vec::new() }
    }

    /// A lower bound on the distance of a state that is not solved; `None` if it is recognised as unsolvable.
    fn bound<const N: usize>(&mut self, state: &RushState<N>, by_steps: bool) -> Option<u32> {
        self.lines.set_state(state);
        self.demanded.fill(0);
        self.distance.fill(1);
        self.open.clear();
        self.choices.clear();
        let mut forced = self.demand(state, 0, i16::from(self.lines.goal()), self.lines.exit_direction());
        while let Some(Demand { vehicle, cell }) = self.open.pop() {
            let vehicle = vehicle as usize;
            forced |= 1 << vehicle;
            if self.demanded[vehicle] >> cell & 1 == 1 {
                continue;
            }
            self.demanded[vehicle] |= 1 << cell;
            match DIRECTIONS.map(|direction| self.lines.place_beyond(vehicle, cell, direction)) {
                [None, None] => return None,
                [Some(place), None] => forced |= self.demand(state, vehicle, place, Direction::Back),
                [None, Some(place)] => forced |= self.demand(state, vehicle, place, Direction::Forward),
                [Some(back), Some(forward)] => {
                    let nearest = [back, forward].map(|place| place.abs_diff(state.position(vehicle).into()) as u8);
                    self.distance[vehicle] = self.distance[vehicle].max(nearest[0].min(nearest[1]));
                    let back = self.lines.must_move(state, vehicle, back, Direction::Back);
                    let forward = self.lines.must_move(state, vehicle, forward, Direction::Forward);
                    forced |= back & forward;
                    self.choices.push((back, forward));
                }
            }
        }
        Some(self.sum(forced, by_steps))
    }

    /// Adds up the vehicles that must move, and the smaller set of each independent choice.
    fn sum(&self, forced: VehicleSet, by_steps: bool) -> u32 {
        let mut bound = forced.count_ones();
        if by_steps {
            let distances = self.distance.iter().enumerate().filter(|&(vehicle, _)| forced >> vehicle & 1 == 1);
            bound = distances.map(|(_, &distance)| u32::from(distance)).sum();
        }
        bound + vehicles_of_choices(&self.choices, forced)
    }

    /// Adds the demands of moving a vehicle to `place` in the only possible direction. Returns the vehicle and all vehicles
    /// that it pushes.
    fn demand<const N: usize>(
        &mut self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        direction: Direction,
    ) -> VehicleSet {
        let (mut pushed, mut next) = (0, Some((vehicle, place)));
        while let Some((vehicle, place)) = next {
            pushed |= 1 << vehicle;
            let distance = place.abs_diff(state.position(vehicle).into()) as u8;
            self.distance[vehicle] = self.distance[vehicle].max(distance);
            let cell = self.lines.vehicles()[vehicle].line;
            let open = &mut self.open;
            self.lines
                .for_each_crossing(state, vehicle, place, |other| open.push(Demand { vehicle: other as u8, cell }));
            next = self.lines.pushed(state, vehicle, place, direction);
        }
        pushed
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Landmarks {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        self.bound(node.state, domain.metric() == Metric::Steps).map_or(f64::INFINITY, f64::from)
    }
}
