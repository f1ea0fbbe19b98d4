//! The deduced goal board of GP-Rush: where the vehicles may well stand when the target is out.

use super::lines::{Fixed, Lines, run};
use crate::{Orientation, RushDomain};
use clearway_search::Domain;

/// How many places are tried before the best goal board found so far is taken.
const MOST_TRIED: u32 = 20_000;

/// Where each vehicle stands in the deduced goal board.
///
/// The target stands at the exit and its way there is clear. What stood in the way is put elsewhere in its line, without
/// regard to how it gets there; the vehicles that stand where it goes are put elsewhere in turn, and the vehicles of a
/// line keep their order. Among all such boards this is one in which the vehicles are moved by the fewest cells
/// altogether, as far as the search for it goes. If there is none, it is the start with the target at the exit.
pub(super) fn deduced_goal<const N: usize>(domain: &RushDomain<N>, lines: &Lines) -> Vec<u8> {
    let start = domain.start();
    let mut positions: Vec<u8> = (0..lines.vehicles().len()).map(|vehicle| start.position(vehicle)).collect();
    let target = lines.vehicles()[0];
    let mut search = Arrangement { lines, start: &positions, tried: 0, best: None };
    if !lines.is_shut() {
        let mut placed = Placed { places: vec![None; positions.len()], kept: [0; 16], cost: 0 };
        let (from, to) = (positions[0].min(lines.goal()), positions[0].max(lines.goal()));
        mark(&mut placed.kept, target, run(from, to - from + target.length));
        placed.places[0] = Some(lines.goal());
        search.settle(&placed);
    }
    if let Some((_, places)) = search.best {
        return places;
    }
    positions[0] = lines.goal();
    positions
}

/// A set of cells, by row.
type Rows = [u16; 16];

/// The vehicles that were given a place so far.
#[derive(Clone, Debug)]
struct Placed {
    places: Vec<Option<u8>>,
    /// The cells on which nobody else may stand.
    kept: Rows,
    cost: u32,
}

struct Arrangement<'a> {
    lines: &'a Lines,
    start: &'a [u8],
    tried: u32,
    best: Option<(u32, Vec<u8>)>,
}

impl Arrangement<'_> {
    /// Gives places to the vehicles that stand on cells to be kept clear, one after the other.
    fn settle(&mut self, placed: &Placed) {
        let vehicles = self.lines.vehicles();
        let in_the_way = (0..vehicles.len()).find(|&vehicle| {
            let body = run(self.start[vehicle], vehicles[vehicle].length);
            placed.places[vehicle].is_none()
                && (overlaps(&placed.kept, vehicles[vehicle], body)
                    || !self.keeps_order(placed, vehicle, self.start[vehicle]))
        });
        let Some(vehicle) = in_the_way else {
            if self.best.as_ref().is_none_or(|(cost, _)| placed.cost < *cost) {
                let places = placed.places.iter().zip(self.start);
                self.best = Some((placed.cost, places.map(|(place, &start)| place.unwrap_or(start)).collect()));
            }
            return;
        };
        let (fixed, start) = (vehicles[vehicle], self.start[vehicle]);
        let mut places: Vec<u8> = (fixed.least..=fixed.most).collect();
        places.sort_by_key(|&place| place.abs_diff(start));
        for place in places {
            let cost = placed.cost + u32::from(place.abs_diff(start));
            if self.tried >= MOST_TRIED || self.best.as_ref().is_some_and(|(best, _)| cost >= *best) {
                return;
            }
            self.tried += 1;
            let body = run(place, fixed.length);
            if overlaps(&placed.kept, fixed, body) || !self.keeps_order(placed, vehicle, place) {
                continue;
            }
            let mut next = placed.clone();
            next.cost = cost;
            next.places[vehicle] = Some(place);
            mark(&mut next.kept, fixed, body);
            self.settle(&next);
        }
    }

    /// Whether a vehicle is still on the same side of those of its line that were given places.
    fn keeps_order(&self, placed: &Placed, vehicle: usize, place: u8) -> bool {
        self.lines.line_of(vehicle).iter().map(|&other| other as usize).all(|other| {
            placed.places[other].is_none_or(|at| (at < place) == (self.start[other] < self.start[vehicle]))
        })
    }
}

fn overlaps(rows: &Rows, vehicle: Fixed, cells: u16) -> bool {
    match vehicle.orientation {
        Orientation::Horizontal => rows[vehicle.line as usize] & cells != 0,
        Orientation::Vertical => {
            rows.iter().enumerate().any(|(y, row)| cells >> y & 1 == 1 && row >> vehicle.line & 1 == 1)
        }
    }
}

fn mark(rows: &mut Rows, vehicle: Fixed, cells: u16) {
    match vehicle.orientation {
        Orientation::Horizontal => rows[vehicle.line as usize] |= cells,
        Orientation::Vertical => {
            for (y, row) in rows.iter_mut().enumerate() {
                *row |= (cells >> y & 1) << vehicle.line;
            }
        }
    }
}
