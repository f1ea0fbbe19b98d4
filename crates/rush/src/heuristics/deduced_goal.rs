//! The deduced goal board of GP-Rush: where the vehicles may well stand when the target is out.

use super::lines::{Fixed, Lines, run};
use crate::{Orientation, RushDomain};
use clearway_search::Domain;

/// How many places are tried before the best goal board found so far is taken.
const MOST_TRIED: u32 = 20_000;

/// Where each vehicle stands in the deduced goal board.
///
/// The target stands at the exit and its way there is clear. What stood in the way is put elsewhere in its line, as near as
/// possible, without regard to how it gets there; the vehicles that stand where it goes are put elsewhere in turn. Among
/// all such boards this is one in which the vehicles are moved by the fewest cells altogether. First the ways
/// of all vehicles moved must be clear as well; if that cannot be, only the places; if that cannot be either, the
/// goal board is the start with the target at the exit.
pub(super) fn deduced_goal<const N: usize>(domain: &RushDomain<N>, lines: &Lines) -> Vec<u8> {
    let start = domain.start();
    let positions: Vec<u8> = (0..lines.vehicles().len()).map(|vehicle| start.position(vehicle)).collect();
    let mut goal = positions.clone();
    goal[0] = lines.goal();
    if lines.is_shut() {
        return goal;
    }
    for clear_ways in [true, false] {
        let mut search = Arrangement { lines, start: &positions, clear_ways, tried: 0, best: None };
        let mut placed = Placed { places: vec![None; positions.len()], bodies: [0; 16], kept: [0; 16], cost: 0 };
        // The target's way is kept clear in any case.
        let target = lines.vehicles()[0];
        mark(&mut placed.kept, target, span(target, positions[0], lines.goal()));
        mark(&mut placed.bodies, target, run(lines.goal(), target.length));
        placed.places[0] = Some(lines.goal());
        search.settle(&placed);
        if let Some((_, best)) = search.best {
            return best;
        }
    }
    goal
}

/// A set of cells, by row.
type Rows = [u16; 16];

/// The vehicles that were given a place so far.
#[derive(Clone, Debug)]
struct Placed {
    places: Vec<Option<u8>>,
    /// The cells they stand on, and the cells on which nobody else may stand.
    bodies: Rows,
    kept: Rows,
    cost: u32,
}

struct Arrangement<'a> {
    lines: &'a Lines,
    start: &'a [u8],
    clear_ways: bool,
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
                && (overlaps(&placed.kept, vehicles[vehicle], body) || !self.keeps_order(placed, vehicle, None))
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
            let way = if self.clear_ways { span(fixed, start, place) } else { body };
            if overlaps(&placed.kept, fixed, body)
                || overlaps(&placed.bodies, fixed, way)
                || !self.keeps_order(placed, vehicle, Some(place))
            {
                continue;
            }
            let mut next = placed.clone();
            next.cost = cost;
            next.places[vehicle] = Some(place);
            mark(&mut next.bodies, fixed, body);
            mark(&mut next.kept, fixed, way);
            self.settle(&next);
        }
    }

    /// Whether a vehicle is still on the same side of those of its line that were given places.
    fn keeps_order(&self, placed: &Placed, vehicle: usize, place: Option<u8>) -> bool {
        let place = place.unwrap_or(self.start[vehicle]);
        self.lines.line_of(vehicle).iter().map(|&other| other as usize).all(|other| {
            placed.places[other].is_none_or(|at| (at < place) == (self.start[other] < self.start[vehicle]))
        })
    }
}

/// The cells of its line that a vehicle covers on the way from one position to another, both included.
fn span(vehicle: Fixed, from: u8, to: u8) -> u16 {
    run(from.min(to), from.abs_diff(to) + vehicle.length)
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
