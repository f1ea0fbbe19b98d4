//! `landmarks`: how many vehicles must move before the target is out.

use super::lines::{Lines, Set, WAYS, Way};
use crate::{Metric, RushDomain, RushState};
use clearway_search::{Heuristic, Node};

/// "This vehicle must leave this cell of its line."
#[derive(Clone, Copy, Debug)]
struct Demand {
    vehicle: u8,
    cell: u8,
}

/// The vehicles that must move, followed as far as there is no choice, and over the choices the smaller sets.
///
/// The vehicles in the target's way must leave it. A vehicle that must leave a cell has at most two ways to; whatever stands
/// in the only way that exists, or in both, must move as well, and so on. Where both ways exist, one of the two sets
/// must move: over choices that share no vehicle the smaller sets add up. Each vehicle that must move needs
/// at least one move, or, in steps, its distance: admissible in both metrics.
#[derive(Clone, Debug)]
pub struct Landmarks {
    lines: Lines,
    /// By vehicle: the cells it was asked to leave, and the least distance it has to go.
    asked: Vec<u16>,
    distance: Vec<u8>,
    open: Vec<Demand>,
    choices: Vec<(Set, Set)>,
}

impl Landmarks {
    /// The estimate for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let count = lines.vehicles().len();
        Landmarks { lines, asked: vec![0; count], distance: vec![1; count], open: Vec::new(), choices: Vec::new() }
    }

    /// A lower bound of the distance from a state that is not solved; none if the target can never get out.
    fn bound<const N: usize>(&mut self, state: &RushState<N>, by_steps: bool) -> Option<u32> {
        self.asked.fill(0);
        self.distance.fill(1);
        self.open.clear();
        self.choices.clear();
        let mut forced = self.demand(state, 0, i16::from(self.lines.goal()), self.lines.way_out());
        while let Some(Demand { vehicle, cell }) = self.open.pop() {
            let vehicle = vehicle as usize;
            forced |= 1 << vehicle;
            if self.asked[vehicle] >> cell & 1 == 1 {
                continue;
            }
            self.asked[vehicle] |= 1 << cell;
            match WAYS.map(|way| self.lines.place_beyond(vehicle, cell, way)) {
                [None, None] => return None,
                [Some(place), None] => forced |= self.demand(state, vehicle, place, Way::Back),
                [None, Some(place)] => forced |= self.demand(state, vehicle, place, Way::Forth),
                [Some(back), Some(forth)] => {
                    let nearest = [back, forth].map(|place| place.abs_diff(state.position(vehicle).into()) as u8);
                    self.distance[vehicle] = self.distance[vehicle].max(nearest[0].min(nearest[1]));
                    let back = self.lines.met(state, vehicle, back, Way::Back);
                    let forth = self.lines.met(state, vehicle, forth, Way::Forth);
                    forced |= back & forth;
                    self.choices.push((back, forth));
                }
            }
        }
        Some(self.sum(forced, by_steps))
    }

    /// Adds up the vehicles that must move, and over independent choices the smaller of the two sets.
    fn sum(&self, forced: Set, by_steps: bool) -> u32 {
        let mut bound = forced.count_ones();
        if by_steps {
            let distances = self.distance.iter().enumerate().filter(|&(vehicle, _)| forced >> vehicle & 1 == 1);
            bound = distances.map(|(_, &distance)| u32::from(distance)).sum();
        }
        let mut used = forced;
        for &(back, forth) in &self.choices {
            let (back, forth) = (back & !forced, forth & !forced);
            if back != 0 && forth != 0 && (back | forth) & used == 0 {
                bound += back.count_ones().min(forth.count_ones());
                used |= back | forth;
            }
        }
        bound
    }

    /// Demands what it takes for a vehicle to get to a place by the only way there is; the vehicles pushed.
    fn demand<const N: usize>(&mut self, state: &RushState<N>, vehicle: usize, place: i16, way: Way) -> Set {
        let (mut pushed, mut next) = (0, Some((vehicle, place)));
        while let Some((vehicle, place)) = next {
            pushed |= 1 << vehicle;
            let distance = place.abs_diff(state.position(vehicle).into()) as u8;
            self.distance[vehicle] = self.distance[vehicle].max(distance);
            let cell = self.lines.vehicles()[vehicle].line;
            let open = &mut self.open;
            self.lines
                .for_each_crossing(state, vehicle, place, |other| open.push(Demand { vehicle: other as u8, cell }));
            next = self.lines.pushed(state, vehicle, place, way);
        }
        pushed
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Landmarks {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if self.lines.is_shut() {
            return f64::INFINITY;
        }
        self.bound(node.state, domain.metric() == Metric::Steps).map_or(f64::INFINITY, f64::from)
    }
}
