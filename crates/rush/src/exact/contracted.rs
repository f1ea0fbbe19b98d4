//! The component of a board, enumerated without visiting its states one by one.
//!
//! While no row moves, the columns do not affect each other, and each moves freely within a *class* of configurations that its
//! slides connect. So all states with the same rows and the same class in every column form one *bundle*: a component of
//! 100,000 states has a few thousand bundles. Rows and columns swap roles where that promises fewer bundles.

use super::classes::{ClassTables, ConfigBits};
use super::hash_table_bytes;
use super::line::{Group, Line, MAX_CLASS_LENGTH, MAX_TABLE_LENGTH};
use super::reach::Bits;
use crate::{Board, Orientation};
use clearway_search::{Limit, LimitChecker};
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

/// Maximum number of free lines, and of fixed ones.
const MAX_FREE_LINES: usize = 16;
const MAX_FIXED_LINES: usize = 21;
/// Number of bundles expanded between two checks of the limits.
const BATCH: usize = 64;

/// The configuration of every line, in a field of equal width for each. In a bundle, a free line has the lowest configuration of
/// its class.
trait PackedConfigs: Copy + Eq + Hash + Debug + Into<u128> {
    /// A set of configurations in the tables.
    type Set: ConfigBits;
    /// Bits of a field.
    const FIELD_BITS: u32;
    /// Maximum number of lines.
    const MAX_LINES: usize;
    /// Maximum length of a line.
    const MAX_LENGTH: u8;
    /// No line has a configuration other than 0.
    const ZERO: Self;

    /// Tables of a group with sets of this width.
    fn class_tables(group: &Group) -> &ClassTables<Self::Set>;
    /// Returns the configuration in the field at `shift`.
    fn config(self, shift: u32) -> u64;
    /// Replaces one configuration.
    #[must_use]
    fn with_config(self, shift: u32, config: u32) -> Self;
}

macro_rules! packed_configs {
    ($type:ty, $set:ty, $bits:expr, $length:expr, $tables:ident) => {
        impl PackedConfigs for $type {
            type Set = $set;
            const FIELD_BITS: u32 = $bits;
            const MAX_LINES: usize = (<$type>::BITS / $bits) as usize;
            const MAX_LENGTH: u8 = $length;
            const ZERO: Self = 0;

            fn class_tables(group: &Group) -> &ClassTables<$set> {
                group.$tables()
            }
            #[inline(always)]
            fn config(self, shift: u32) -> u64 {
                (self >> shift) as u64 & ((1 << $bits) - 1)
            }
            #[inline(always)]
            fn with_config(self, shift: u32, config: u32) -> Self {
                self & !(((1 << $bits) - 1) << shift) | <$type>::from(config) << shift
            }
        }
    };
}

// Lines of up to 8 cells have at most 15 configurations, lines of up to 10 cells at most 35.
packed_configs!(u64, u16, 4, MAX_TABLE_LENGTH, narrow_classes);
packed_configs!(u128, u64, 6, MAX_CLASS_LENGTH, wide_classes);

/// The number of states of a component, and its solved states.
#[derive(Debug)]
pub(super) struct ComponentStates {
    pub states: u64,
    /// The configurations of all lines in each solved state, in fields of `field_bits`.
    pub solved: Vec<u128>,
    pub field_bits: u32,
}

impl ComponentStates {
    /// Returns the configuration of a line in a solved state.
    pub fn config(&self, state: u128, line: usize) -> usize {
        (state >> (self.field_bits * line as u32)) as usize & ((1 << self.field_bits) - 1)
    }
}

/// Enumerates the component of a board. Returns None if the board is too large for it.
pub(super) fn component(
    board: &Board,
    lines: &[(Line, Arc<Group>)],
    checker: &LimitChecker,
) -> Option<Result<ComponentStates, Limit>> {
    if let Some(bundles) = Bundles::<u64>::new(board, lines) {
        return Some(bundles.component(checker));
    }
    Bundles::<u128>::new(board, lines).map(|bundles| bundles.component(checker))
}

/// A line with its crossings.
#[derive(Debug)]
struct CrossedLine<'a, K: PackedConfigs> {
    group: &'a Group,
    tables: &'a ClassTables<K::Set>,
    /// Position of its field in the key.
    shift: u32,
    /// By cell of the line: the line of the other orientation that crosses there, and its cell at the crossing.
    crossed: Vec<Option<(usize, u32)>>,
}

/// A line whose configuration is the same in all states of a bundle.
#[derive(Debug)]
struct FixedLine<'a, K: PackedConfigs> {
    line: CrossedLine<'a, K>,
    /// By configuration: the occupied cells of each free line, `MAX_LENGTH` bits per line.
    occupied: Vec<u128>,
}

/// Multiplicative hash of one or two words.
#[derive(Debug, Default)]
struct MultiplicativeHasher(u64);

impl Hasher for MultiplicativeHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are integers");
    }
    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed.rotate_left(32);
    }
    fn write_u128(&mut self, key: u128) {
        self.write_u64(key as u64);
        self.write_u64((key >> 64) as u64);
    }
}

/// The bundles of one board.
#[derive(Debug)]
struct Bundles<'a, K: PackedConfigs> {
    fixed: Vec<FixedLine<'a, K>>,
    /// The lines that move within a bundle.
    free: Vec<CrossedLine<'a, K>>,
    start: K,
    /// Position of the target line's field, and the set of its configurations with the target at the exit.
    target: (u32, u64),
}

impl<'a, K: PackedConfigs> Bundles<'a, K> {
    /// Creates the bundles of a board; `None` if the board is too large.
    fn new(board: &Board, lines: &'a [(Line, Arc<Group>)]) -> Option<Self> {
        if board.width().max(board.height()) > K::MAX_LENGTH || lines.len() > K::MAX_LINES {
            return None;
        }
        let product = |orientation| {
            let along = lines.iter().filter(|(line, _)| line.orientation == orientation);
            along.map(|(_, group)| group.configs.len() as f64).product::<f64>()
        };
        let (rows, columns) = (product(Orientation::Horizontal), product(Orientation::Vertical));
        let fixed_along = if rows <= columns { Orientation::Horizontal } else { Orientation::Vertical };
        let numbered = || lines.iter().zip(0..).map(|((line, group), i)| (K::FIELD_BITS * i, line, &**group));
        let is_fixed = |line: &Line| line.orientation == fixed_along;
        let free_lines = lines.iter().filter(|(line, _)| !is_fixed(line)).count();
        if free_lines > MAX_FREE_LINES.min(128 / usize::from(K::MAX_LENGTH)) {
            return None;
        }
        // By cell: the crossing line, as an index among the lines of the other orientation.
        let crossed_line = |(shift, line, group): (u32, &Line, &'a Group)| {
            let others: Vec<&Line> =
                numbered().map(|(_, other, _)| other).filter(|o| is_fixed(o) != is_fixed(line)).collect();
            let at = |cell: u8| {
                others.iter().position(|other| {
                    other.index == line.start + cell && (other.start..other.start + other.length).contains(&line.index)
                })
            };
            let crossed =
                (0..line.length).map(|cell| at(cell).map(|i| (i, u32::from(line.index - others[i].start)))).collect();
            CrossedLine { group, tables: K::class_tables(group), shift, crossed }
        };
        let fixed = numbered().filter(|(_, line, _)| is_fixed(line)).map(|numbered_line| {
            let line: CrossedLine<K> = crossed_line(numbered_line);
            let cells = |cells: u16| {
                let bits = Bits(cells.into()).filter_map(|cell| line.crossed[cell]);
                bits.fold(0, |all, (free, cell)| all | 1u128 << (u32::from(K::MAX_LENGTH) * free as u32 + cell))
            };
            let occupied = line.group.configs.iter().map(|config| cells(config.cells)).collect();
            FixedLine { line, occupied }
        });
        let free = numbered().filter(|(_, line, _)| !is_fixed(line)).map(crossed_line);
        let mut bundles = Bundles { fixed: fixed.collect(), free: free.collect(), start: K::ZERO, target: (0, 0) };
        for (shift, line, group) in numbered() {
            bundles.start = bundles.start.with_config(shift, group.start(board, line) as u32);
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
    fn component(&self, checker: &LimitChecker) -> Result<ComponentStates, Limit> {
        let mut known: HashSet<K, BuildHasherDefault<MultiplicativeHasher>> = HashSet::default();
        let mut found = Vec::new();
        let mut component = ComponentStates { states: 0, solved: Vec::new(), field_bits: K::FIELD_BITS };
        let mut solved_bundles = Vec::new();
        let start = self.bundle_of(self.start);
        known.insert(start);
        found.push(start);
        let mut next = 0;
        while let Some(&bundle) = found.get(next) {
            next += 1;
            let crossing = self.crossing(bundle);
            let mut classes = [0; MAX_FREE_LINES];
            for ((class, free), &crossing) in classes.iter_mut().zip(&self.free).zip(&crossing) {
                *class = free.class(bundle, crossing);
            }
            component.states +=
                classes[..self.free.len()].iter().map(|class| u64::from(class.count_ones())).product::<u64>();
            if self.target_configs(bundle, &classes) & self.target.1 != 0 {
                solved_bundles.push(bundle);
            }
            if next % BATCH == 0 {
                let bundles = (found.capacity() + solved_bundles.capacity()) * size_of::<K>();
                let known = hash_table_bytes(known.len(), known.capacity(), size_of::<K>());
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
        let bytes = solved_bundles.capacity() * size_of::<K>() + 2 * solved * size_of::<u128>();
        checker.check(0, bytes).map_or(Ok(()), Err)?;
        component.solved.reserve_exact(solved);
        let mut states = Vec::new();
        for bundle in solved_bundles {
            self.unbundle(bundle, &mut states);
            component.solved.extend(states.drain(..).map(Into::<u128>::into));
        }
        Ok(component)
    }

    /// Returns, for each free line, its cells that fixed lines occupy.
    #[inline(always)]
    fn crossing(&self, bundle: K) -> [u16; MAX_FREE_LINES] {
        let occupied = |fixed: &FixedLine<K>| fixed.occupied[bundle.config(fixed.line.shift) as usize];
        let all = self.fixed.iter().fold(0, |all, fixed| all | occupied(fixed));
        let (low, high) = (all as u64, (all >> 64) as u64);
        let length = u32::from(K::MAX_LENGTH);
        let mask = (1u64 << length) - 1;
        // The shifts of words are constants after unrolling, unlike those of the double word.
        std::array::from_fn(|i| {
            let shift = length * i as u32;
            let cells = match shift {
                0 => low,
                1..64 => low >> shift | high << (64 - shift),
                64..128 => high >> (shift - 64),
                _ => 0,
            };
            (cells & mask) as u16
        })
    }

    /// Returns the bundle of a state.
    fn bundle_of(&self, mut state: K) -> K {
        let crossing = self.crossing(state);
        for (free, &crossing) in self.free.iter().zip(&crossing) {
            state = state.with_config(free.shift, free.class(state, crossing).trailing_zeros());
        }
        state
    }

    /// Returns the configurations of the target's line in a bundle.
    fn target_configs(&self, bundle: K, classes: &[u64; MAX_FREE_LINES]) -> u64 {
        let free = self.free.iter().position(|free| free.shift == self.target.0);
        free.map_or_else(|| 1 << bundle.config(self.target.0), |free| classes[free])
    }

    /// Calls `visit` with the bundles that one step of a fixed line leads to.
    #[inline(always)]
    fn neighbours(
        &self,
        bundle: K,
        crossing: &[u16; MAX_FREE_LINES],
        classes: &[u64; MAX_FREE_LINES],
        mut visit: impl FnMut(K),
    ) {
        // By fixed line: the cells that free lines occupy in all states of the bundle.
        let mut blocked = [0u16; MAX_FIXED_LINES];
        for (free, &crossing) in self.free.iter().zip(crossing) {
            let always_occupied =
                free.tables.always_occupied[free.group.row(bundle.config(free.shift)) + crossing as usize];
            for cell in Bits(always_occupied.into()) {
                if let Some((fixed, at)) = free.crossed[cell] {
                    blocked[fixed] |= 1 << at;
                }
            }
        }
        for (FixedLine { line: fixed, .. }, blocked) in self.fixed.iter().zip(blocked) {
            let from = bundle.config(fixed.shift);
            let steps = fixed.tables.steps[fixed.group.row(from) + blocked as usize];
            for to in Bits(steps.into()) {
                let (before, after) = (fixed.group.configs[from as usize].cells, fixed.group.configs[to].cells);
                let mut moved = bundle.with_config(fixed.shift, to as u32);
                let at = |cells: u16| fixed.crossed[cells.trailing_zeros() as usize];
                if let Some((left, cell)) = at(before & !after) {
                    let free = &self.free[left];
                    let class = free.class(moved, crossing[left] & !(1 << cell));
                    moved = moved.with_config(free.shift, class.trailing_zeros());
                }
                let Some((entered, cell)) = at(after & !before) else {
                    visit(moved);
                    continue;
                };
                let free = &self.free[entered];
                let crossing = crossing[entered] | 1 << cell;
                // If the free line must leave the cell, its class may split.
                let free_at: u64 = free.tables.free_at[cell as usize].into();
                let mut rest = classes[entered] & free_at;
                while rest != 0 {
                    let first = rest.trailing_zeros();
                    let class: u64 = free.tables.classes[free.group.row(first.into()) + crossing as usize].into();
                    rest &= !class;
                    visit(moved.with_config(free.shift, class.trailing_zeros()));
                }
            }
        }
    }

    /// Returns the solved ones among the configurations of a free line in a bundle.
    fn solved_configs(&self, free: &CrossedLine<K>, bundle: K, crossing: u16) -> u64 {
        let class = free.class(bundle, crossing);
        if free.shift == self.target.0 { class & self.target.1 } else { class }
    }

    /// Number of solved states of a bundle.
    fn solved_states(&self, bundle: K) -> usize {
        let crossing = self.crossing(bundle);
        let free = self.free.iter().zip(&crossing);
        free.map(|(free, &crossing)| self.solved_configs(free, bundle, crossing).count_ones() as usize).product()
    }

    /// Appends the solved states of a bundle.
    fn unbundle(&self, bundle: K, states: &mut Vec<K>) {
        let crossing = self.crossing(bundle);
        let first = states.len();
        states.push(bundle);
        for (free, &crossing) in self.free.iter().zip(&crossing) {
            let end = states.len();
            let mut configs = Bits(self.solved_configs(free, bundle, crossing));
            let Some(lowest) = configs.next() else { continue };
            for config in configs {
                for i in first..end {
                    states.push(states[i].with_config(free.shift, config as u32));
                }
            }
            for state in &mut states[first..end] {
                *state = state.with_config(free.shift, lowest as u32);
            }
        }
    }
}

impl<K: PackedConfigs> CrossedLine<'_, K> {
    /// Returns the class of the line's configuration if fixed lines occupy these cells.
    #[inline(always)]
    fn class(&self, configs: K, crossing: u16) -> u64 {
        self.tables.classes[self.group.row(configs.config(self.shift)) + crossing as usize].into()
    }
}
