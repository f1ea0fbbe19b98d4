//! `pattern-database`: exact distances on the board with only some of its vehicles.

use super::lines::{DIRECTIONS, Lines, run};
use super::{BuildError, HeuristicContext};
use crate::vehicle_set::VehicleSet;
use crate::{Metric, RushDomain};
use clearway_search::{Domain, Heuristic, Limit, LimitChecker, Node};

/// Maximum number of entries in the table of one pattern.
const MAX_ENTRIES: usize = 1 << 20;
/// Maximum number of patterns. On large boards, the vehicles that matter least are in none.
const MAX_PATTERNS: usize = 4;
/// The entry of an unsolvable state of a pattern.
const UNSOLVABLE: u8 = u8::MAX;

/// Sum of exact distances over groups of vehicles, each computed with all other vehicles removed.
///
/// The vehicles are divided into groups in the order of their relevance: the target's blockers, those that block them, and so
/// on. A pattern consists of the target and one group. Its distances count the moves of the group, and in the first pattern
/// also those of the target; in the others, the target moves for free.
///
/// Admissible in both metrics: if the vehicles that are not in a pattern are removed, the moves of the remaining vehicles in a
/// solution of the board are a solution of the pattern. Every move of the solution is counted in at most one pattern, so the
/// sum of the distances does not exceed its length.
#[derive(Clone, Debug)]
pub struct PatternDatabase {
    lines: Lines,
    patterns: Vec<Pattern>,
}

/// A group of vehicles with its table of distances.
#[derive(Clone, Debug)]
struct Pattern {
    vehicles: Vec<PatternVehicle>,
    /// The distance of each state, indexed by the positions of the vehicles in a mixed radix.
    table: Vec<u8>,
}

/// A vehicle of a pattern: it contributes `(position - min) * weight` to the index of a state.
#[derive(Clone, Copy, Debug)]
struct PatternVehicle {
    /// Its index in the vehicles of the board.
    index: u8,
    /// Its smallest position.
    min: u8,
    /// Number of its positions.
    count: u8,
    weight: u32,
}

impl PatternDatabase {
    /// Computes the tables for a board. Fails if a limit of the context is reached.
    pub fn new<const N: usize>(domain: &RushDomain<N>, context: &HeuristicContext) -> Result<Self, BuildError> {
        let lines = Lines::new(domain);
        let checker = context.limits.checker();
        let mut patterns = Vec::new();
        let (mut states, mut bytes) = (0, 0);
        if !lines.is_exit_unreachable() {
            for group in groups(&lines, &by_relevance(domain, &lines)) {
                let costs_target = patterns.is_empty();
                let mut builder = Builder { domain, lines: &lines, checker: &checker, states, bytes };
                let pattern = builder.build(group, costs_target).map_err(|limit| {
                    let table = "the distances of groups of vehicles";
                    BuildError { name: "pattern-database", table, limit, states: builder.states }
                })?;
                states = builder.states;
                bytes += pattern.table.len();
                patterns.push(pattern);
            }
        }
        Ok(PatternDatabase { lines, patterns })
    }
}

/// All vehicles except the target: first those that block it, then those that block these, and so on; the rest comes last.
fn by_relevance<const N: usize>(domain: &RushDomain<N>, lines: &Lines) -> Vec<u8> {
    let start = domain.start();
    let (mut order, mut seen): (Vec<u8>, VehicleSet) = (vec![0], 1);
    let mut at = 0;
    while at < order.len() {
        let vehicle = order[at] as usize;
        at += 1;
        let mut blocking = 0;
        if vehicle == 0 {
            blocking = lines.must_move(&start, 0, i16::from(lines.goal()), lines.exit_direction());
        } else {
            // Every vehicle that blocks it on the way to the nearest position off each of its cells.
            let fixed = &lines.vehicles()[vehicle];
            for cell in start.position(vehicle)..start.position(vehicle) + fixed.length {
                for direction in DIRECTIONS {
                    let place = lines.place_beyond(vehicle, cell, direction);
                    blocking |= place.map_or(0, |place| lines.must_move(&start, vehicle, place, direction));
                }
            }
        }
        order
            .extend((0..lines.vehicles().len()).filter(|&other| (blocking & !seen) >> other & 1 == 1).map(|o| o as u8));
        seen |= blocking;
    }
    order.extend((0..lines.vehicles().len()).filter(|&other| seen >> other & 1 == 0).map(|o| o as u8));
    order.remove(0);
    order
}

/// Divides the vehicles into groups whose tables have at most [`MAX_ENTRIES`] entries. The target is the first of each group.
fn groups(lines: &Lines, order: &[u8]) -> Vec<Vec<u8>> {
    let count = |vehicle: u8| {
        let fixed = &lines.vehicles()[vehicle as usize];
        usize::from(fixed.max_position - fixed.min_position) + 1
    };
    let mut groups = vec![vec![0]];
    let mut entries = count(0);
    for &vehicle in order {
        if entries * count(vehicle) > MAX_ENTRIES {
            if groups.len() == MAX_PATTERNS {
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

/// Builds the table of a pattern.
struct Builder<'a, const N: usize> {
    domain: &'a RushDomain<N>,
    lines: &'a Lines,
    checker: &'a LimitChecker<'a>,
    /// Number of states expanded for all patterns so far.
    states: u64,
    /// Size of the tables of all patterns before this one.
    bytes: usize,
}

/// Positions of the vehicles of a pattern; the other vehicles are ignored.
struct PatternState {
    positions: Vec<u8>,
    /// The occupied cells, by row and by column.
    taken: [[u16; 16]; 2],
}

impl<const N: usize> Builder<'_, N> {
    /// Computes the table of a pattern by a backward search from its solved states.
    fn build(&mut self, vehicles: Vec<u8>, costs_target: bool) -> Result<Pattern, Limit> {
        let mut entries = 1;
        let vehicles: Vec<PatternVehicle> = (vehicles.into_iter())
            .map(|vehicle| {
                let fixed = &self.lines.vehicles()[vehicle as usize];
                let count = fixed.max_position - fixed.min_position + 1;
                let pattern_vehicle =
                    PatternVehicle { index: vehicle, min: fixed.min_position, count, weight: entries };
                entries *= u32::from(count);
                pattern_vehicle
            })
            .collect();
        let mut pattern = Pattern { vehicles, table: vec![UNSOLVABLE; entries as usize] };
        let walls = self.walls();
        let mut state = PatternState { positions: vec![0; pattern.vehicles.len()], taken: walls };
        // The target has weight 1, so solved states are `count` apart.
        let target = pattern.vehicles[0];
        let solved = u32::from(self.lines.goal() - target.min)..entries;
        let mut layer: Vec<u32> = Vec::new();
        for index in solved.step_by(target.count.into()) {
            if self.unpack(&pattern, index, &walls, &mut state) {
                pattern.table[index as usize] = 0;
                layer.push(index);
            }
        }
        let (mut next, mut distance) = (Vec::new(), 0u8);
        while !layer.is_empty() {
            // Free moves add states to the current layer.
            while let Some(index) = layer.pop() {
                if pattern.table[index as usize] != distance {
                    continue;
                }
                if self.states.is_multiple_of(256) {
                    let queues = (layer.capacity() + next.capacity()) * size_of::<u32>();
                    let limit = self.checker.check(self.states, self.bytes + pattern.table.len() + queues);
                    limit.map_or(Ok(()), Err)?;
                }
                self.states += 1;
                self.unpack(&pattern, index, &walls, &mut state);
                for i in 0..pattern.vehicles.len() {
                    let vehicle = pattern.vehicles[i];
                    let free = i == 0 && !costs_target;
                    let reached_at = if free { distance } else { distance.saturating_add(1).min(UNSOLVABLE - 1) };
                    let (back, forward) = self.room(&state, i, vehicle);
                    for to in (1..=back)
                        .map(|by| index - u32::from(by) * vehicle.weight)
                        .chain((1..=forward).map(|by| index + u32::from(by) * vehicle.weight))
                    {
                        if pattern.table[to as usize] > reached_at {
                            pattern.table[to as usize] = reached_at;
                            if free { layer.push(to) } else { next.push(to) }
                        }
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
            distance = distance.saturating_add(1).min(UNSOLVABLE - 1);
        }
        Ok(pattern)
    }

    /// The cells of walls, by row and by column.
    fn walls(&self) -> [[u16; 16]; 2] {
        let mut taken = [[0; 16]; 2];
        for (x, y) in self.domain.board().walls().iter() {
            taken[0][y as usize] |= 1 << x;
            taken[1][x as usize] |= 1 << y;
        }
        taken
    }

    /// Number of cells by which vehicle `i` of a pattern can move back and forward in one move.
    fn room(&self, state: &PatternState, i: usize, vehicle: PatternVehicle) -> (u8, u8) {
        let fixed = &self.lines.vehicles()[vehicle.index as usize];
        let (position, taken) = (state.positions[i], state.taken[fixed.orientation as usize][fixed.line as usize]);
        let (back, forward) = self.domain.room_among(vehicle.index.into(), position, taken);
        let most = if self.domain.metric() == Metric::Steps { 1 } else { u8::MAX };
        (back.min(position - fixed.min_position).min(most), forward.min(fixed.max_position - position).min(most))
    }

    /// Unpacks the state with an index; returns false if vehicles overlap in it.
    fn unpack(&self, pattern: &Pattern, index: u32, walls: &[[u16; 16]; 2], state: &mut PatternState) -> bool {
        state.taken = *walls;
        let mut rest = index;
        for (vehicle, position) in pattern.vehicles.iter().zip(&mut state.positions) {
            let fixed = &self.lines.vehicles()[vehicle.index as usize];
            *position = vehicle.min + (rest % u32::from(vehicle.count)) as u8;
            rest /= u32::from(vehicle.count);
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
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        let mut sum = 0;
        for pattern in &self.patterns {
            let parts = pattern
                .vehicles
                .iter()
                .map(|vehicle| u32::from(node.state.position(vehicle.index.into()) - vehicle.min) * vehicle.weight);
            match pattern.table[parts.sum::<u32>() as usize] {
                UNSOLVABLE => return f64::INFINITY,
                distance => sum += u32::from(distance),
            }
        }
        f64::from(sum)
    }

    fn memory_usage(&self) -> usize {
        self.patterns.iter().map(|pattern| pattern.table.len()).sum()
    }
}
