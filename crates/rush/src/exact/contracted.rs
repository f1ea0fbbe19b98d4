//! The component of a small board, found without visiting its states one by one.
//!
//! While no row moves, the columns do not touch each other, and each moves freely within a *class* of configurations
//! that its slides connect. So all states with the same rows and the same class in every column are one *bundle*: a
//! component of 100,000 states has a few thousand. Rows and columns change roles where that promises fewer bundles.

use super::hash_table_bytes;
use super::line::{Group, LONGEST_TABLE, Line};
use super::reach::Bits;
use crate::{Board, Orientation};
use clearway_search::{Limit, Watch};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// The most lines that a bundle's key has room for, four bits each.
const MOST_LINES: usize = 16;
/// How many bundles are expanded between two looks at the limits.
const BATCH: usize = 64;

/// The configuration of every line (in bundles: the lowest of its class, where the line is free), four bits each.
pub(super) type Configs = u64;

/// The number of states of a component, and its solved states.
#[derive(Debug)]
pub(super) struct Component {
    pub states: u64,
    pub solved: Vec<Configs>,
}

/// A line that keeps its configuration within a bundle.
#[derive(Debug)]
struct Fixed<'a> {
    group: &'a Group,
    /// Where its field lies in the key.
    shift: u32,
    /// By place in the line: the free line that crosses there, and at which of its cells.
    crossed: Vec<Option<(usize, u32)>>,
    /// By configuration, the cells it takes as the free lines read them.
    taken: Vec<u128>,
}

/// A line that moves within a bundle.
#[derive(Debug)]
struct Free<'a> {
    group: &'a Group,
    shift: u32,
    /// By cell of the line: the fixed line that crosses there, and at which of its cells.
    crossed: Vec<Option<(usize, u32)>>,
}

/// A multiplicative hash of one word.
#[derive(Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
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
    fixed: Vec<Fixed<'a>>,
    free: Vec<Free<'a>>,
    start: Configs,
    /// The target's field, and the set of its line's configurations with the target at the exit.
    target: (u32, u16),
}

impl<'a> Bundles<'a> {
    /// The bundles of a board, unless it is too large.
    pub fn new(board: &Board, lines: &'a [(Line, Arc<Group>)]) -> Option<Self> {
        if board.width().max(board.height()) > LONGEST_TABLE || lines.len() > MOST_LINES {
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
        // The lines of the other orientation, numbered among themselves, that cross a line, cell by cell.
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
            let taken = group.configs.iter().map(|config| cells(config.cells)).collect();
            Fixed { group, shift, crossed, taken }
        });
        let free = numbered().filter(|(_, line, _)| !is_fixed(line));
        let mut bundles = Bundles {
            fixed: fixed.collect(),
            free: free.map(|(shift, line, group)| Free { group, shift, crossed: crossed(line) }).collect(),
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

    /// The component of the board's start.
    pub fn component(&self, watch: &Watch) -> Result<Component, Limit> {
        let mut known: HashSet<Configs, BuildHasherDefault<Mix>> = HashSet::default();
        let mut found = Vec::new();
        let mut component = Component { states: 0, solved: Vec::new() };
        let mut solved_bundles = Vec::new();
        let start = self.normal(self.start);
        known.insert(start);
        found.push(start);
        let mut next = 0;
        while let Some(&bundle) = found.get(next) {
            next += 1;
            let crossing = self.crossing(bundle);
            let classes: [u16; MOST_LINES] =
                std::array::from_fn(|i| self.free.get(i).map_or(0, |free| free.class(bundle, crossing[i])));
            component.states +=
                classes[..self.free.len()].iter().map(|class| u64::from(class.count_ones())).product::<u64>();
            if self.target_configs(bundle, &classes) & self.target.1 != 0 {
                solved_bundles.push(bundle);
            }
            if next % BATCH == 0 {
                let bundles = (found.capacity() + solved_bundles.capacity()) * size_of::<Configs>();
                let known = hash_table_bytes(known.len(), known.capacity(), size_of::<Configs>());
                watch.check(component.states, bundles + known).map_or(Ok(()), Err)?;
            }
            self.neighbours(bundle, &crossing, &classes, |other| {
                if known.insert(other) {
                    found.push(other);
                }
            });
        }
        watch.check(component.states - 1, 0).map_or(Ok(()), Err)?;
        drop((known, found));
        // What is made of them is copied once, when it is packed.
        let solved: usize = solved_bundles.iter().map(|&bundle| self.solved_states(bundle)).sum();
        let bytes = (solved_bundles.capacity() + solved) * size_of::<Configs>() + solved * size_of::<u128>();
        watch.check(0, bytes).map_or(Ok(()), Err)?;
        component.solved.reserve_exact(solved);
        for bundle in solved_bundles {
            self.unbundle(bundle, &mut component.solved);
        }
        Ok(component)
    }

    /// The cells of each free line that fixed lines take.
    #[inline(always)]
    fn crossing(&self, bundle: Configs) -> [u8; MOST_LINES] {
        let taken = |fixed: &Fixed| fixed.taken[(bundle >> fixed.shift & 15) as usize];
        self.fixed.iter().fold(0, |all, fixed| all | taken(fixed)).to_le_bytes()
    }

    /// The bundle of a state.
    fn normal(&self, mut state: Configs) -> Configs {
        let crossing = self.crossing(state);
        for (free, &crossing) in self.free.iter().zip(&crossing) {
            state = with(state, free.shift, free.class(state, crossing).trailing_zeros());
        }
        state
    }

    /// The configurations that the target's line takes in a bundle.
    fn target_configs(&self, bundle: Configs, classes: &[u16; MOST_LINES]) -> u16 {
        let free = self.free.iter().position(|free| free.shift == self.target.0);
        free.map_or_else(|| 1 << (bundle >> self.target.0 & 15), |free| classes[free])
    }

    /// Calls `visit` with the bundles that one step of a fixed line leads to.
    #[inline(always)]
    fn neighbours(
        &self,
        bundle: Configs,
        crossing: &[u8; MOST_LINES],
        classes: &[u16; MOST_LINES],
        mut visit: impl FnMut(Configs),
    ) {
        // The cells of each fixed line that free lines never leave within the bundle.
        let mut barred = [0u16; MOST_LINES];
        for (i, free) in self.free.iter().enumerate() {
            let always = free.group.always[free.group.row(bundle >> free.shift & 15) + crossing[i] as usize];
            for cell in Bits(always.into()) {
                if let Some((fixed, at)) = free.crossed[cell] {
                    barred[fixed] |= 1 << at;
                }
            }
        }
        for (fixed, barred) in self.fixed.iter().zip(barred) {
            let from = (bundle >> fixed.shift & 15) as usize;
            let steps = fixed.group.tables[1][fixed.group.row(from as u64) + barred as usize];
            for to in Bits(steps.into()) {
                let (before, after) = (fixed.group.configs[from].cells, fixed.group.configs[to].cells);
                let mut moved = with(bundle, fixed.shift, to as u32);
                let at = |cells: u16| fixed.crossed[cells.trailing_zeros() as usize];
                if let Some((left, cell)) = at(before & !after) {
                    let free = &self.free[left];
                    moved = with(moved, free.shift, free.class(moved, crossing[left] & !(1 << cell)).trailing_zeros());
                }
                let Some((entered, cell)) = at(after & !before) else {
                    visit(moved);
                    continue;
                };
                let free = &self.free[entered];
                let crossing = crossing[entered] | 1 << cell;
                // Where the line has to leave the cell, its class may fall apart.
                let mut rest = classes[entered] & free.group.leaving[cell as usize];
                while rest != 0 {
                    let first = rest.trailing_zeros();
                    let class = free.group.classes[free.group.row(first.into()) + crossing as usize];
                    rest &= !class;
                    visit(with(moved, free.shift, class.trailing_zeros()));
                }
            }
        }
    }

    /// How many solved states a bundle has.
    fn solved_states(&self, bundle: Configs) -> usize {
        let crossing = self.crossing(bundle);
        let classes = self.free.iter().zip(&crossing).map(|(free, &crossing)| {
            let class = free.class(bundle, crossing);
            if free.shift == self.target.0 { class & self.target.1 } else { class }
        });
        classes.map(|class| class.count_ones() as usize).product()
    }

    /// The solved states of a bundle.
    fn unbundle(&self, bundle: Configs, states: &mut Vec<Configs>) {
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
                    states.push(with(states[i], free.shift, config as u32));
                }
            }
            for state in &mut states[first..end] {
                *state = with(*state, free.shift, lowest as u32);
            }
        }
    }
}

impl Free<'_> {
    /// The class of the line's configuration, when fixed lines take these cells.
    #[inline(always)]
    fn class(&self, configs: Configs, crossing: u8) -> u16 {
        self.group.classes[self.group.row(configs >> self.shift & 15) + crossing as usize]
    }
}

/// The configurations with one changed.
#[inline(always)]
fn with(configs: Configs, shift: u32, config: u32) -> Configs {
    configs & !(15 << shift) | u64::from(config) << shift
}
