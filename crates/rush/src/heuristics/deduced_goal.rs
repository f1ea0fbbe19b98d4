//! The deduced goal boards of GP-Rush: plausible positions of all vehicles when the target is at the exit.

use super::lines::{Lines, StaticVehicle, run};
use crate::{Orientation, RushDomain};
use clearway_search::Domain;

/// Maximum number of positions to try; after that, the best goal board found so far is used.
const MAX_TRIED: u32 = 20_000;

/// Position of each vehicle in the deduced goal board.
///
/// The target is at the exit, and the cells between its initial position and the exit are clear. Vehicles on these cells are
/// moved elsewhere in their lines, regardless of how they get there; the vehicles at their new places are moved in turn, and
/// the vehicles of a line keep their order. Among all such boards, the deduced one minimises the total number of cells by which
/// vehicles are moved, within the limit on the search. If there is no such board, it is the start with the target at the exit.
pub(super) fn deduced_goal<const N: usize>(domain: &RushDomain<N>, lines: &Lines) -> Vec<u8> {
    deduced_goals(domain, lines, 1).remove(0)
}

/// Position of each vehicle in up to `max` such boards, the cheapest first. Of the boards in which the same vehicles are moved in
/// the same directions, only the cheapest one counts.
pub(super) fn deduced_goals<const N: usize>(domain: &RushDomain<N>, lines: &Lines, max: usize) -> Vec<Vec<u8>> {
    let start = domain.start();
    let mut positions: Vec<u8> = (0..lines.vehicles().len()).map(|vehicle| start.position(vehicle)).collect();
    let target = lines.vehicles()[0];
    let mut search = PlacementSearch { lines, start: &positions, tried: 0, max, best: Vec::new() };
    if !lines.is_exit_unreachable() {
        let mut placed = Placement { places: vec![None; positions.len()], reserved: [0; 16], cost: 0 };
        let (from, to) = (positions[0].min(lines.goal()), positions[0].max(lines.goal()));
        mark(&mut placed.reserved, target, run(from, to - from + target.length));
        placed.places[0] = Some(lines.goal());
        search.extend(&placed);
    }
    let best = search.best;
    if best.is_empty() {
        positions[0] = lines.goal();
        return vec![positions];
    }
    best.into_iter().map(|(_, places)| places).collect()
}

/// A set of cells: for each row, a bit set of columns.
type Rows = [u16; 16];

/// A partial goal board.
#[derive(Clone, Debug)]
struct Placement {
    /// The new position of each vehicle that has been placed.
    places: Vec<Option<u8>>,
    /// The cells that no other vehicle may occupy.
    reserved: Rows,
    /// Total number of cells by which vehicles are moved.
    cost: u32,
}

/// A branch-and-bound search for the cheapest goal boards.
struct PlacementSearch<'a> {
    lines: &'a Lines,
    start: &'a [u8],
    /// Number of positions tried.
    tried: u32,
    /// Maximum number of goal boards.
    max: usize,
    /// The cheapest goal boards so far, with their costs, in the order of their costs.
    best: Vec<(u32, Vec<u8>)>,
}

impl PlacementSearch<'_> {
    /// Places the vehicles that are on reserved cells or out of order, one after the other.
    fn extend(&mut self, placed: &Placement) {
        let vehicles = self.lines.vehicles();
        let displaced = (0..vehicles.len()).find(|&vehicle| {
            let body = run(self.start[vehicle], vehicles[vehicle].length);
            placed.places[vehicle].is_none()
                && (overlaps(&placed.reserved, vehicles[vehicle], body)
                    || !self.keeps_order(placed, vehicle, self.start[vehicle]))
        });
        let Some(vehicle) = displaced else {
            let places = placed.places.iter().zip(self.start);
            self.keep(placed.cost, places.map(|(place, &start)| place.unwrap_or(start)).collect());
            return;
        };
        let (fixed, start) = (vehicles[vehicle], self.start[vehicle]);
        let mut places: Vec<u8> = (fixed.min_position..=fixed.max_position).collect();
        places.sort_by_key(|&place| place.abs_diff(start));
        for place in places {
            let cost = placed.cost + u32::from(place.abs_diff(start));
            if self.tried >= MAX_TRIED || self.is_too_expensive(cost) {
                return;
            }
            self.tried += 1;
            let body = run(place, fixed.length);
            if overlaps(&placed.reserved, fixed, body) || !self.keeps_order(placed, vehicle, place) {
                continue;
            }
            let mut next = placed.clone();
            next.cost = cost;
            next.places[vehicle] = Some(place);
            mark(&mut next.reserved, fixed, body);
            self.extend(&next);
        }
    }

    /// Whether a goal board of this cost is not among the cheapest.
    fn is_too_expensive(&self, cost: u32) -> bool {
        self.best.len() == self.max && self.best.last().is_some_and(|(worst, _)| cost >= *worst)
    }

    /// Adds a goal board, unless there are cheaper ones.
    fn keep(&mut self, cost: u32, places: Vec<u8>) {
        if self.is_too_expensive(cost) {
            return;
        }
        let start = self.start;
        let directions =
            |places: &[u8]| -> Vec<_> { places.iter().zip(start).map(|(at, from)| at.cmp(from)).collect() };
        let same = self.best.iter().position(|(_, known)| directions(known) == directions(&places));
        match same {
            Some(same) if self.best[same].0 <= cost => return,
            Some(same) => drop(self.best.remove(same)),
            None => {}
        }
        let place = self.best.partition_point(|(known, _)| *known <= cost);
        self.best.insert(place, (cost, places));
        self.best.truncate(self.max);
    }

    /// Whether a vehicle at `place` is on the same side of the placed vehicles of its line as at the start.
    fn keeps_order(&self, placed: &Placement, vehicle: usize, place: u8) -> bool {
        self.lines.vehicles_in_line_of(vehicle).iter().map(|&other| other as usize).all(|other| {
            placed.places[other].is_none_or(|at| (at < place) == (self.start[other] < self.start[vehicle]))
        })
    }
}

fn overlaps(rows: &Rows, vehicle: StaticVehicle, cells: u16) -> bool {
    match vehicle.orientation {
        Orientation::Horizontal => rows[vehicle.line as usize] & cells != 0,
        Orientation::Vertical => {
            rows.iter().enumerate().any(|(y, row)| cells >> y & 1 == 1 && row >> vehicle.line & 1 == 1)
        }
    }
}

fn mark(rows: &mut Rows, vehicle: StaticVehicle, cells: u16) {
    match vehicle.orientation {
        Orientation::Horizontal => rows[vehicle.line as usize] |= cells,
        Orientation::Vertical => {
            for (y, row) in rows.iter_mut().enumerate() {
                *row |= (cells >> y & 1) << vehicle.line;
            }
        }
    }
}
