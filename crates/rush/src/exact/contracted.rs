//! The component of a small board, enumerated without visiting its states one by one.
//!
//! While no row moves, the columns do not affect each other, and each moves freely within a *class* of configurations that its
//! slides connect. So all states with the same rows and the same class in every column form one *bundle*: a component of
//! 100,000 states has a few thousand bundles. Rows and columns swap roles where that promises fewer bundles.

use super::hash_table_bytes;
use super::line::{Group, Line};
use super::reach::Bits;
use crate::{Board, Orientation};
use clearway_search::{Limit, LimitChecker};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// Maximum number of lines: the key of a bundle has four bits for each.
const MAX_LINES: usize = 16;
/// Number of bundles expanded between two checks of the limits.
const BATCH: usize = 64;

/// The configuration of every line, four bits each. In a bundle, a free line has the lowest configuration of its class.
pub(super) type PackedConfigs = u64;

/// The number of states of a component, and its solved states.
#[derive(Debug)]
pub(super) struct Component {
    pub states: u64,
    pub solved: Vec<PackedConfigs>,
}

/// A line whose configuration is the same in all states of a bundle.
#[derive(Debug)]
struct FixedLine<'a> {
    group: &'a Group,
    /// Position of its field in the key.
    shift: u32,
    /// By cell of the line: the free line that crosses there, and its cell at the crossing.
    crossed: Vec<Option<(usize, u32)>>,
    /// By configuration: the occupied cells, one byte per free line.
    occupied: Vec<u128>,
}

/// A line that moves within a bundle.
#[derive(Debug)]
struct FreeLine<'a> {
    group: &'a Group,
    shift: u32,
    /// By cell of the line: the fixed line that crosses there, and its cell at the crossing.
    crossed: Vec<Option<(usize, u32)>>,
}

/// Multiplicative hash of a single word.
#[derive(Debug, Default)]
struct MultiplicativeHasher(u64);

impl Hasher for MultiplicativeHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are single words");
    }
    fn write_u64(&mut self, key: u64) {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed.rotate_left(32);
    }
}

/// The bundles of one board.
#[derive(Debug)]
pub(super) struct Bundles<'a> {
    fixed: Vec<FixedLine<'a>>,
    free: Vec<FreeLine<'a>>,
    start: PackedConfigs,
    /// Position of the target line's field, and the set of its configurations with the target at the exit.
    target: (u32, u16),
}

impl<'a> Bundles<'a> {
    /// Creates the bundles of a board; `None` if the board is too large.
    pub fn new(board: &Board, lines: &'a [(Line, Arc<Group>)]) -> Option<Self> {
        if board.is_large() || lines.len() > MAX_LINES {
            return None;
        }
        let product = |orientation| {
            let along = lines.iter().filter(|(line, _)| line.orientation == orientation);
            along.map(|(_, group)| group.configs.len() as u64).product::<u64>()
        };
        let (rows, columns) = (product(Orientation::Horizontal), product(Orientation::Vertical));
        let fixed_along = if rows <= columns { Orientation::Horizontal } else { Orientation::Vertical };
        let numbered = || lines.iter().enumerate().map(|(i, (line, group))| (4 * i as u32, line, &**group));
        let is_fixed = |line: &Line| line.orientation == fixed_along;
        // By cell: the crossing line, as an index among the lines of the other orientation.
        let crossed = |line: &Line| {
            let others: Vec<&Line> =
                numbered().map(|(_, other, _)| other).filter(|o| is_fixed(o) != is_fixed(line)).collect();
            let at = |cell: u8| {
                others.iter().position(|other| {
                    other.index == line.start + cell && (other.start..other.start + other.length).contains(&line.index)
                })
            };
            (0..line.length)
                .map(|cell| at(cell).map(|i| (i, u32::from(line.index - others[i].start))))
                .collect::<Vec<_>>()
        };
        let fixed = numbered().filter(|(_, line, _)| is_fixed(line)).map(|(shift, line, group)| {
            let crossed = crossed(line);
            let cells = |cells: u16| {
                let bits = Bits(cells.into()).filter_map(|cell| crossed[cell]);
                bits.fold(0, |all, (free, cell)| all | 1u128 << (8 * free as u32 + cell))
            };
            let occupied = group.configs.iter().map(|config| cells(config.cells)).collect();
            FixedLine { group, shift, crossed, occupied }
        });
        let free = numbered().filter(|(_, line, _)| !is_fixed(line));
        let mut bundles = Bundles {
            fixed: fixed.collect(),
            free: free.map(|(shift, line, group)| FreeLine { group, shift, crossed: crossed(line) }).collect(),
            start: 0,
            target: (0, 0),
        };
        for (shift, line, group) in numbered() {
            bundles.start |= (group.start(board, line) as u64) << shift;
            if let Some(place) = line.vehicles.iter().position(|&vehicle| vehicle == 0) {
                let solved =
                    |config: &usize| group.configs[*config].positions[place] + line.start == board.goal_position();
                bundles.target =
                    (shift, (0..group.configs.len()).filter(solved).fold(0, |set, config| set | 1 << config));
            }
        }
        Some(bundles)
    }

    /// Enumerates the component of the start.
    pub fn component(&self, checker: &LimitChecker) -> Result<Component, Limit> {
        let mut known: HashSet<PackedConfigs, BuildHasherDefault<MultiplicativeHasher>> = HashSet::default();
        let mut found = Vec::new();
        let mut component = Component { states: 0, solved: Vec::new() };
        let mut solved_bundles = Vec::new();
        let start = self.bundle_of(self.start);
        known.insert(start);
        found.push(start);
        let mut next = 0;
        while let Some(&bundle) = found.get(next) {
            next += 1;
            let crossing = self.crossing(bundle);
            let classes: [u16; MAX_LINES] =
                std::array::from_fn(|i| self.free.get(i).map_or(0, |free| free.class(bundle, crossing[i])));
            component.states +=
                classes[..self.free.len()].iter().map(|class| u64::from(class.count_ones())).product::<u64>();
            if self.target_configs(bundle, &classes) & self.target.1 != 0 {
                solved_bundles.push(bundle);
            }
            if next % BATCH == 0 {
                let bundles = (found.capacity() + solved_bundles.capacity()) * size_of::<PackedConfigs>();
                let known = hash_table_bytes(known.len(), known.capacity(), size_of::<PackedConfigs>());
                checker.check(component.states, bundles + known).map_or(Ok(()), Err)?;
            }
            self.neighbours(bundle, &crossing, &classes, |other| {
                if known.insert(other) {
                    found.push(other);
                }
            });
        }
        checker.check(component.states - 1, 0).map_or(Ok(()), Err)?;
        drop((known, found));
        // The solved states are copied once, when they are packed.
        let solved: usize = solved_bundles.iter().map(|&bundle| self.solved_states(bundle)).sum();
        let bytes = (solved_bundles.capacity() + solved) * size_of::<PackedConfigs>() + solved * size_of::<u128>();
        checker.check(0, bytes).map_or(Ok(()), Err)?;
        component.solved.reserve_exact(solved);
        for bundle in solved_bundles {
            self.unbundle(bundle, &mut component.solved);
        }
        Ok(component)
    }

    /// Returns, for each free line, its cells that fixed lines occupy.
    #[inline(always)]
    fn crossing(&self, bundle: PackedConfigs) -> [u8; MAX_LINES] {
        let occupied = |fixed: &FixedLine| fixed.occupied[(bundle >> fixed.shift & 15) as usize];
        self.fixed.iter().fold(0, |all, fixed| all | occupied(fixed)).to_le_bytes()
    }

    /// Returns the bundle of a state.
    fn bundle_of(&self, mut state: PackedConfigs) -> PackedConfigs {
        let crossing = self.crossing(state);
        for (free, &crossing) in self.free.iter().zip(&crossing) {
            state = with_config(state, free.shift, free.class(state, crossing).trailing_zeros());
        }
        state
    }

    /// Returns the configurations of the target's line in a bundle.
    fn target_configs(&self, bundle: PackedConfigs, classes: &[u16; MAX_LINES]) -> u16 {
        let free = self.free.iter().position(|free| free.shift == self.target.0);
        free.map_or_else(|| 1 << (bundle >> self.target.0 & 15), |free| classes[free])
    }

    /// Calls `visit` with the bundles that one step of a fixed line leads to.
    #[inline(always)]
    fn neighbours(
        &self,
        bundle: PackedConfigs,
        crossing: &[u8; MAX_LINES],
        classes: &[u16; MAX_LINES],
        mut visit: impl FnMut(PackedConfigs),
    ) {
        // By fixed line: the cells that free lines occupy in all states of the bundle.
        let mut blocked = [0u16; MAX_LINES];
        for (i, free) in self.free.iter().enumerate() {
            let always_occupied =
                free.group.always_occupied[free.group.row(bundle >> free.shift & 15) + crossing[i] as usize];
            for cell in Bits(always_occupied.into()) {
                if let Some((fixed, at)) = free.crossed[cell] {
                    blocked[fixed] |= 1 << at;
                }
            }
        }
        for (fixed, blocked) in self.fixed.iter().zip(blocked) {
            let from = (bundle >> fixed.shift & 15) as usize;
            let steps = fixed.group.tables[1][fixed.group.row(from as u64) + blocked as usize];
            for to in Bits(steps.into()) {
                let (before, after) = (fixed.group.configs[from].cells, fixed.group.configs[to].cells);
                let mut moved = with_config(bundle, fixed.shift, to as u32);
                let at = |cells: u16| fixed.crossed[cells.trailing_zeros() as usize];
                if let Some((left, cell)) = at(before & !after) {
                    let free = &self.free[left];
                    moved = with_config(
                        moved,
                        free.shift,
                        free.class(moved, crossing[left] & !(1 << cell)).trailing_zeros(),
                    );
                }
                let Some((entered, cell)) = at(after & !before) else {
                    visit(moved);
                    continue;
                };
                let free = &self.free[entered];
                let crossing = crossing[entered] | 1 << cell;
                // If the free line must leave the cell, its class may split.
                let mut rest = classes[entered] & free.group.free_at[cell as usize];
                while rest != 0 {
                    let first = rest.trailing_zeros();
                    let class = free.group.classes[free.group.row(first.into()) + crossing as usize];
                    rest &= !class;
                    visit(with_config(moved, free.shift, class.trailing_zeros()));
                }
            }
        }
    }

    /// Number of solved states of a bundle.
    fn solved_states(&self, bundle: PackedConfigs) -> usize {
        let crossing = self.crossing(bundle);
        let classes = self.free.iter().zip(&crossing).map(|(free, &crossing)| {
            let class = free.class(bundle, crossing);
            if free.shift == self.target.0 { class & self.target.1 } else { class }
        });
        classes.map(|class| class.count_ones() as usize).product()
    }

    /// Appends the solved states of a bundle.
    fn unbundle(&self, bundle: PackedConfigs, states: &mut Vec<PackedConfigs>) {
        let crossing = self.crossing(bundle);
        let first = states.len();
        states.push(bundle);
        for (free, &crossing) in self.free.iter().zip(&crossing) {
            let mut class = free.class(bundle, crossing);
            if free.shift == self.target.0 {
                class &= self.target.1;
            }
            let end = states.len();
            let mut configs = Bits(class.into());
            let Some(lowest) = configs.next() else { continue };
            for config in configs {
                for i in first..end {
                    states.push(with_config(states[i], free.shift, config as u32));
                }
            }
            for state in &mut states[first..end] {
                *state = with_config(*state, free.shift, lowest as u32);
            }
        }
    }
}

impl FreeLine<'_> {
    /// Returns the class of the line's configuration if fixed lines occupy these cells.
    #[inline(always)]
    fn class(&self, configs: PackedConfigs, crossing: u8) -> u16 {
        self.group.classes[self.group.row(configs >> self.shift & 15) + crossing as usize]
    }
}

/// Replaces one configuration.
#[inline(always)]
fn with_config(configs: PackedConfigs, shift: u32, config: u32) -> PackedConfigs {
    configs & !(15 << shift) | u64::from(config) << shift
}
