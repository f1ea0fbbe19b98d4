//! `pattern-database`: exact distances of the board with only some of its vehicles on it.

use super::lines::{Lines, Set, WAYS, run};
use super::{BuildError, Context};
use crate::{Metric, RushDomain};
use clearway_search::{Domain, Heuristic, Limit, Node, Watch};

/// The largest table of one pattern.
const MOST_ENTRIES: usize = 1 << 20;
/// The most patterns: on large boards the vehicles that are farthest from the matter are in none.
const MOST_PATTERNS: usize = 4;
/// A state of a pattern from which the target can never get out.
const NEVER: u8 = u8::MAX;

/// Sums of exact distances over groups of vehicles, the others taken off the board.
///
/// The vehicles are divided into groups, nearest first: the target's blockers, those that block them, and so on. A
/// pattern is the target and one group. Its distances count the moves of the group, and in the first pattern those of the target as well;
/// elsewhere the target moves for free.
///
/// Admissible in both metrics: take the vehicles off that are not in a pattern, and a solution of the board leaves
/// a solution of the pattern, made of the moves of its vehicles. Every move of the solution is counted in at most one pattern,
/// so the sum of the distances does not exceed its length.
#[derive(Clone, Debug)]
pub struct PatternDatabase {
    lines: Lines,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    places: Vec<Place>,
    table: Vec<u8>,
}

/// What one vehicle adds to the index of a state.
#[derive(Clone, Copy, Debug)]
struct Place {
    vehicle: u8,
    least: u8,
    count: u8,
    weight: u32,
}

impl PatternDatabase {
    /// The tables for a board, if they fit into the limits.
    pub fn new<const N: usize>(domain: &RushDomain<N>, context: &Context) -> Result<Self, BuildError> {
        let lines = Lines::new(domain);
        let watch = context.limits.watch();
        let mut patterns = Vec::new();
        let (mut states, mut bytes) = (0, 0);
        if !lines.is_shut() {
            for group in groups(&lines, &by_nearness(domain, &lines)) {
                let costs_target = patterns.is_empty();
                let mut builder = Builder { domain, lines: &lines, watch: &watch, states, bytes };
                let pattern = builder.build(group, costs_target).map_err(|limit| {
                    let what = "the distances of groups of vehicles";
                    BuildError { name: "pattern-database", what, limit, states: builder.states }
                })?;
                states = builder.states;
                bytes += pattern.table.len();
                patterns.push(pattern);
            }
        }
        Ok(PatternDatabase { lines, patterns })
    }
}

/// The vehicles but the target, those first that stand in its way, then those that stand in theirs, and so on.
fn by_nearness<const N: usize>(domain: &RushDomain<N>, lines: &Lines) -> Vec<u8> {
    let start = domain.start();
    let (mut order, mut seen): (Vec<u8>, Set) = (vec![0], 1);
    let mut at = 0;
    while at < order.len() {
        let vehicle = order[at] as usize;
        at += 1;
        let mut met = 0;
        if vehicle == 0 {
            met = lines.met(&start, 0, i16::from(lines.goal()), lines.way_out());
        } else {
            // Whatever is in its way to the nearest place off each of its cells.
            let fixed = &lines.vehicles()[vehicle];
            for cell in start.position(vehicle)..start.position(vehicle) + fixed.length {
                for way in WAYS {
                    let place = lines.place_beyond(vehicle, cell, way);
                    met |= place.map_or(0, |place| lines.met(&start, vehicle, place, way));
                }
            }
        }
        order.extend((0..lines.vehicles().len()).filter(|&other| (met & !seen) >> other & 1 == 1).map(|o| o as u8));
        seen |= met;
    }
    order.extend((0..lines.vehicles().len()).filter(|&other| seen >> other & 1 == 0).map(|o| o as u8));
    order.remove(0);
    order
}

/// Divides the vehicles into groups that make tables of a bearable size, each with the target in front.
fn groups(lines: &Lines, order: &[u8]) -> Vec<Vec<u8>> {
    let count = |vehicle: u8| {
        let fixed = &lines.vehicles()[vehicle as usize];
        usize::from(fixed.most - fixed.least) + 1
    };
    let mut groups = vec![vec![0]];
    let mut entries = count(0);
    for &vehicle in order {
        if entries * count(vehicle) > MOST_ENTRIES {
            if groups.len() == MOST_PATTERNS {
                break;
            }
            groups.push(vec![0]);
            entries = count(0);
        }
        entries *= count(vehicle);
        if let Some(group) = groups.last_mut() {
            group.push(vehicle);
        }
    }
    groups
}

struct Builder<'a, const N: usize> {
    domain: &'a RushDomain<N>,
    lines: &'a Lines,
    watch: &'a Watch<'a>,
    /// Over all patterns so far: the states expanded, and the bytes of the tables.
    states: u64,
    bytes: usize,
}

/// A state of a pattern with its positions, and the cells taken by row and by column.
struct Unpacked {
    positions: Vec<u8>,
    taken: [[u16; 16]; 2],
}

impl<const N: usize> Builder<'_, N> {
    /// The table of a pattern, by a search backward from its solved states.
    fn build(&mut self, vehicles: Vec<u8>, costs_target: bool) -> Result<Pattern, Limit> {
        let mut entries = 1;
        let places: Vec<Place> = (vehicles.into_iter())
            .map(|vehicle| {
                let fixed = &self.lines.vehicles()[vehicle as usize];
                let count = fixed.most - fixed.least + 1;
                let place = Place { vehicle, least: fixed.least, count, weight: entries };
                entries *= u32::from(count);
                place
            })
            .collect();
        let mut pattern = Pattern { places, table: vec![NEVER; entries as usize] };
        let walls = self.walls();
        let mut state = Unpacked { positions: vec![0; pattern.places.len()], taken: walls };
        // The target has the least weight, so its solved states recur at its count.
        let target = pattern.places[0];
        let solved = u32::from(self.lines.goal() - target.least)..entries;
        let mut layer: Vec<u32> = Vec::new();
        for index in solved.step_by(target.count.into()) {
            if self.unpack(&pattern, index, &walls, &mut state) {
                pattern.table[index as usize] = 0;
                layer.push(index);
            }
        }
        let (mut next, mut distance) = (Vec::new(), 0u8);
        while !layer.is_empty() {
            // Moves for free add to the layer while it is gone through.
            while let Some(index) = layer.pop() {
                if pattern.table[index as usize] != distance {
                    continue;
                }
                if self.states.is_multiple_of(256) {
                    let queues = (layer.capacity() + next.capacity()) * size_of::<u32>();
                    let limit = self.watch.check(self.states, self.bytes + pattern.table.len() + queues);
                    limit.map_or(Ok(()), Err)?;
                }
                self.states += 1;
                self.unpack(&pattern, index, &walls, &mut state);
                for i in 0..pattern.places.len() {
                    let place = pattern.places[i];
                    let free = i == 0 && !costs_target;
                    let reached_at = if free { distance } else { distance.saturating_add(1).min(NEVER - 1) };
                    let (back, forth) = self.room(&state, i, place);
                    for to in (1..=back)
                        .map(|by| index - u32::from(by) * place.weight)
                        .chain((1..=forth).map(|by| index + u32::from(by) * place.weight))
                    {
                        if pattern.table[to as usize] > reached_at {
                            pattern.table[to as usize] = reached_at;
                            if free { layer.push(to) } else { next.push(to) }
                        }
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
            distance = distance.saturating_add(1).min(NEVER - 1);
        }
        Ok(pattern)
    }

    fn walls(&self) -> [[u16; 16]; 2] {
        let mut taken = [[0; 16]; 2];
        for (x, y) in self.domain.board().walls().iter() {
            taken[0][y as usize] |= 1 << x;
            taken[1][x as usize] |= 1 << y;
        }
        taken
    }

    /// How far a vehicle of a pattern can go back and forth in one move.
    fn room(&self, state: &Unpacked, i: usize, place: Place) -> (u8, u8) {
        let fixed = &self.lines.vehicles()[place.vehicle as usize];
        let (position, taken) = (state.positions[i], state.taken[fixed.orientation as usize][fixed.line as usize]);
        let (back, forth) = self.domain.room_among(place.vehicle.into(), position, taken);
        let most = if self.domain.metric() == Metric::Steps { 1 } else { u8::MAX };
        (back.min(position - fixed.least).min(most), forth.min(fixed.most - position).min(most))
    }

    /// The state behind an index; false if vehicles overlap in it.
    fn unpack(&self, pattern: &Pattern, index: u32, walls: &[[u16; 16]; 2], state: &mut Unpacked) -> bool {
        state.taken = *walls;
        let mut rest = index;
        for (place, position) in pattern.places.iter().zip(&mut state.positions) {
            let fixed = &self.lines.vehicles()[place.vehicle as usize];
            *position = place.least + (rest % u32::from(place.count)) as u8;
            rest /= u32::from(place.count);
            let (along, line) = (fixed.orientation as usize, fixed.line as usize);
            let body = run(*position, fixed.length);
            if state.taken[along][line] & body != 0 {
                return false;
            }
            state.taken[along][line] |= body;
            for cell in *position..*position + fixed.length {
                state.taken[1 - along][cell as usize] |= 1 << line;
            }
        }
        true
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PatternDatabase {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_shut() {
            return f64::INFINITY;
        }
        let mut sum = 0;
        for pattern in &self.patterns {
            let parts = pattern
                .places
                .iter()
                .map(|place| u32::from(node.state.position(place.vehicle.into()) - place.least) * place.weight);
            match pattern.table[parts.sum::<u32>() as usize] {
                NEVER => return f64::INFINITY,
                distance => sum += u32::from(distance),
            }
        }
        f64::from(sum)
    }

    fn bytes(&self) -> usize {
        self.patterns.iter().map(|pattern| pattern.table.len()).sum()
    }
}
