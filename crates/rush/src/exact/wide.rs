//! The state space of boards of any size: only the configurations that the static test leaves, with a list of transitions for
//! each.

use super::key::Key;
use super::line::{Configuration, Group, Line};
use super::memory::SearchMemory;
use super::reach::ConfigSet;
use super::{Metric, StateSpace};
use crate::{Board, Orientation};
use std::sync::Arc;

/// Occupied cells: by row those of vertical vehicles, and by column those of horizontal vehicles.
pub(super) type OccupiedCells = [[u16; 16]; 2];

/// A configuration of a line, in the coordinates of the board.
#[derive(Clone, Debug)]
pub(super) struct WideConfig {
    /// Cells that it occupies, by crossing line.
    crossing: [u16; 16],
    /// Position of each vehicle of the line.
    pub positions: [u8; 8],
    /// Transitions: the cells that must be free, and the resulting configuration.
    transitions: Vec<(u16, u16)>,
    /// By cell: the index in the line of the vehicle that covers it; [`NO_VEHICLE`] if there is none.
    pub owner: [u8; 16],
}

/// Marks a cell that no vehicle covers.
pub(super) const NO_VEHICLE: u8 = u8::MAX;

/// A line and its configurations.
#[derive(Clone, Debug)]
pub(super) struct WideLine<K> {
    pub line: Line,
    /// 0 for a row, 1 for a column: the half of [`OccupiedCells`] with the vehicles that cross it.
    pub axis: usize,
    pub lengths: Vec<u8>,
    pub configs: Vec<WideConfig>,
    /// The numbers of these configurations in the group.
    kept: Vec<u16>,
    shift: u32,
    mask: u32,
    keep: K,
}

/// The state space of one board.
#[derive(Debug)]
pub(super) struct WideSpace<K> {
    start: K,
    pub lines: Vec<WideLine<K>>,
    /// The target's line, and the target's index in it.
    pub target: (usize, usize),
    pub goal: u8,
    /// Whether the exit is in the direction of increasing coordinates.
    pub forward: bool,
    pub metric: Metric,
}

impl<K: Key> WideSpace<K> {
    /// Creates the space of a board; `None` if `K` is too narrow.
    pub fn new(board: &Board, lines: &[(Line, Arc<Group>)], reached: &[ConfigSet], metric: Metric) -> Option<Self> {
        let mut space = WideSpace {
            start: K::ZERO,
            lines: Vec::with_capacity(lines.len()),
            target: (0, 0),
            goal: board.goal_position(),
            forward: board.exit().side().is_forward(),
            metric,
        };
        let mut shift = K::DEPTH_BITS;
        for (index, ((line, group), reached)) in lines.iter().zip(reached).enumerate() {
            let kept: Vec<u16> = reached.iter().map(|config| config as u16).collect();
            let bits = kept.len().next_power_of_two().trailing_zeros();
            if shift + bits > K::LAST_SHIFT {
                return None;
            }
            let number = |config: usize| kept.binary_search(&(config as u16)).ok();
            let start = number(group.start(board, line)).unwrap_or_default();
            space.start = space.start.with_field(shift, start);
            if let Some(place) = line.vehicles.iter().position(|&vehicle| vehicle == 0) {
                space.target = (index, place);
            }
            let axis = usize::from(line.orientation == Orientation::Vertical);
            let configs = kept.iter().map(|&config| {
                let transitions = group.transitions(metric)[usize::from(config)]
                    .iter()
                    .filter_map(|one| number(one.to as usize).map(|to| (one.required_free << line.start, to as u16)));
                wide_config(line, group, config.into(), transitions.collect())
            });
            let (mask, keep) = ((1 << bits) - 1, K::all_but(shift, bits));
            let (configs, lengths) = (configs.collect(), group.vehicle_lengths.clone());
            space.lines.push(WideLine { line: line.clone(), axis, lengths, configs, kept, shift, mask, keep });
            shift += bits;
        }
        Some(space)
    }

    /// Writes the configuration of each line to `configs`, and returns the occupied cells.
    #[inline(always)]
    pub fn unpack(&self, key: K, configs: &mut [u16]) -> OccupiedCells {
        let mut occupied = [[0; 16]; 2];
        for (line, slot) in self.lines.iter().zip(configs) {
            let config = key.field(line.shift, line.mask);
            *slot = config as u16;
            let crossing = &line.configs[config].crossing;
            let side = &mut occupied[1 - line.axis];
            for i in 0..16 {
                side[i] |= crossing[i];
            }
        }
        occupied
    }

    /// Calls `visit` with the line, the configuration and the key of each successor.
    #[inline(always)]
    pub fn for_each_successor(
        &self,
        key: K,
        configs: &[u16],
        occupied: &OccupiedCells,
        mut visit: impl FnMut(usize, u16, K),
    ) {
        for (index, (line, &config)) in self.lines.iter().zip(configs).enumerate() {
            let crossing = occupied[line.axis][line.line.index as usize];
            for &(required_free, to) in &line.configs[config as usize].transitions {
                if required_free & crossing == 0 {
                    visit(index, to, key.replace(line.keep, K::ZERO.with_field(line.shift, to as usize)));
                }
            }
        }
    }

    /// Updates the occupied cells for a change of a line from one configuration to another.
    #[inline(always)]
    pub fn update_occupied(&self, line: usize, from: u16, to: u16, occupied: &mut OccupiedCells) {
        let line = &self.lines[line];
        let (from, to) = (&line.configs[from as usize].crossing, &line.configs[to as usize].crossing);
        let side = &mut occupied[1 - line.axis];
        for i in 0..16 {
            side[i] ^= from[i] ^ to[i];
        }
    }

    fn target_position(&self, key: K) -> u8 {
        let line = &self.lines[self.target.0];
        line.configs[key.field(line.shift, line.mask)].positions[self.target.1]
    }
}

fn wide_config(line: &Line, group: &Group, config: usize, transitions: Vec<(u16, u16)>) -> WideConfig {
    let Configuration { cells, positions } = group.configs[config];
    let mut wide = WideConfig { crossing: [0; 16], positions, transitions, owner: [NO_VEHICLE; 16] };
    for cell in (0..line.length).filter(|cell| cells >> cell & 1 == 1) {
        wide.crossing[(line.start + cell) as usize] = 1 << line.index;
    }
    for (place, &length) in group.vehicle_lengths.iter().enumerate() {
        wide.positions[place] += line.start;
        let first = wide.positions[place] as usize;
        wide.owner[first..first + length as usize].fill(place as u8);
    }
    wide
}

impl<K: Key> StateSpace for WideSpace<K> {
    type Key = K;

    fn start(&self) -> K {
        self.start
    }

    fn is_solved(&self, key: K) -> bool {
        self.target_position(key) == self.goal
    }

    fn successors(&self, key: K, found: &mut Vec<K>) {
        let mut configs = [0; 128];
        let occupied = self.unpack(key, &mut configs);
        self.for_each_successor(key, &configs, &occupied, |_, _, successor| found.push(successor));
    }

    fn add_successors(&self, from: usize, depth: u32, memory: &mut SearchMemory<K>) {
        let state = memory.states[from].state();
        let mut configs = [0; 128];
        let occupied = self.unpack(state, &mut configs);
        self.for_each_successor(state, &configs, &occupied, |_, _, successor| {
            memory.add(successor.at_depth(depth), from as u32);
        });
    }

    fn max_successors(&self) -> usize {
        let max =
            |line: &WideLine<K>| line.configs.iter().map(|config| config.transitions.len()).max().unwrap_or_default();
        self.lines.iter().map(max).sum()
    }

    fn pack(&self, config: impl Fn(usize) -> usize) -> Option<K> {
        self.lines.iter().enumerate().try_fold(K::ZERO, |key, (i, line)| {
            let number = line.kept.binary_search(&(config(i) as u16)).ok()?;
            Some(key.with_field(line.shift, number))
        })
    }

    fn positions(&self, key: K, positions: &mut [u8]) {
        for line in &self.lines {
            let config = &line.configs[key.field(line.shift, line.mask)];
            for (&vehicle, position) in line.line.vehicles.iter().zip(config.positions) {
                positions[vehicle as usize] = position;
            }
        }
    }
}
