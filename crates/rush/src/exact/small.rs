//! The state space of boards up to 8x8, by table look-up.
//!
//! The successors of all lines are the bits of a few words. Each line owns as many bits as it has configurations, and one
//! look-up, by its configuration and by its cells that crossing vehicles occupy, gives the configurations one move away. So a
//! state is expanded without a loop over vehicles and without a test of individual cells.

use super::key::Key;
use super::line::{Group, Line, run};
use super::memory::SearchMemory;
use super::occupancy::OccupancyTable;
use super::{Metric, StateSpace};
use crate::{Board, Orientation};
use std::sync::Arc;

/// Location of a line's data in the packed state and in the tables.
#[derive(Clone, Copy, Debug)]
struct LineLayout {
    /// Start of its table in `successors`, by configuration and then by crossing cells.
    table: u32,
    /// Its field in the packed state, multiplied by the length of a table row.
    row_mask: u32,
    row_shift: u8,
    /// Its cells among those that the crossing lines occupy.
    crossing_shift: u8,
    crossing_mask: u16,
    /// Its first successor bit: the bit and the word.
    bit: u8,
    word: u8,
    /// Number of configurations, and length in cells.
    configs: u8,
    length: u8,
    /// Start of its table in `repeats`, by configuration before and after a move.
    repeats: u32,
}

/// Location of a line's data if its field has a fixed position.
#[derive(Clone, Copy, Debug, Default)]
struct SixLine {
    table: u32,
    word: u8,
    bit: u8,
}

impl LineLayout {
    /// The line's configuration in a packed state.
    fn config<K: Key>(&self, key: K) -> usize {
        key.field(self.row_shift.into(), self.row_mask) >> self.length
    }
}

/// The state space of one board, with `W` words of successor bits.
///
/// `SIX` is for 6x6 boards without walls, which are the most common: every line, empty or not, has three bits at a fixed
/// position, so that all shifts and masks of an expansion are compile-time constants.
#[derive(Debug)]
pub(super) struct SmallSpace<K, const W: usize, const SIX: bool> {
    start: K,
    lines: Vec<LineLayout>,
    /// Number of lines that are rows; they come first.
    rows: usize,
    /// Cells that rows occupy, laid out by column, and cells that columns occupy, laid out by row.
    occupied_by_rows: OccupancyTable,
    occupied_by_columns: OccupancyTable,
    /// By group, configuration and crossing cells: the configurations one move away.
    successors: Vec<u16>,
    /// By group and configurations before and after a move: the configurations that moving the same vehicle again would only
    /// repeat.
    repeats: Vec<u16>,
    /// By bit of the packed state: the line that it belongs to.
    line_of_bit: Vec<u8>,
    /// With `SIX`, the location of the table and the successor bits of each of the twelve lines.
    six: [SixLine; 12],
    /// By successor bit: the mask of the other lines' fields, and the new field of this line.
    replacements: Box<[[(K, K); 64]; W]>,
    target: TargetTables<W>,
    unpack: Vec<(Line, Arc<Group>)>,
}

/// Tables about the target's path to the exit.
#[derive(Debug)]
struct TargetTables<const W: usize> {
    line: usize,
    /// The successor bits at which the board is solved.
    goal: [u64; W],
    /// By the target line's configuration: the cells between the target and the exit.
    ahead: Vec<u16>,
    /// By the target line's configuration: the distance to the exit in the metric, ignoring vehicles on the path.
    distance: Vec<u32>,
    /// By configuration: the successor bits of the target line that bring the target nearer to the exit, and those that move
    /// it away. Zero in moves, where the target is always one move away.
    nearer: Vec<[u64; W]>,
    farther: Vec<[u64; W]>,
    /// By set of cells of the target's line: the successor bits of the lines that cross it there.
    crossing: Vec<[u64; W]>,
    /// The successor bits at which a crossing line occupies its cell of the target's line.
    covers: [u64; W],
}

/// The successors of a state, and how they change the estimate.
pub(super) struct SuccessorSet<const W: usize> {
    /// Lower bound on the distance to the goal: the target's own path, and one move for each vehicle on it.
    pub estimate: u32,
    pub successors: [u64; W],
    /// Successors whose estimate is smaller by one, and larger by one; it never changes by more.
    pub nearer: [u64; W],
    pub farther: [u64; W],
    /// Bit of a solved successor, if there is one.
    pub solved: Option<usize>,
}

impl<K: Key, const W: usize, const SIX: bool> SmallSpace<K, W, SIX> {
    /// Upper bound on the number of successors of a state.
    pub const MAX_SUCCESSORS: usize = 64 * W;

    /// Creates the space of a board; `None` if the board is too large for it, or for `K` and `W`.
    pub fn new(board: &Board, lines: &[(Line, Arc<Group>)], metric: Metric) -> Option<Self> {
        let is_six = board.width() == 6 && board.height() == 6 && board.walls().is_empty();
        if board.is_large() || SIX && !is_six {
            return None;
        }
        let mut space = SmallSpace {
            start: K::ZERO,
            lines: Vec::with_capacity(lines.len()),
            rows: lines.iter().take_while(|(line, _)| line.orientation == Orientation::Horizontal).count(),
            occupied_by_rows: OccupancyTable::default(),
            occupied_by_columns: OccupancyTable::default(),
            successors: Vec::new(),
            repeats: Vec::new(),
            line_of_bit: vec![0; 8 * size_of::<K>() + 1],
            six: [SixLine::default(); 12],
            replacements: Box::new([[(K::ZERO, K::ZERO); 64]; W]),
            target: TargetTables::empty(),
            unpack: Vec::new(),
        };
        let (mut shift, mut word, mut bit) = (K::DEPTH_BITS, 0, 0);
        let mut tables: Vec<(*const Group, (u32, u32))> = Vec::new();
        if SIX {
            space.successors.resize(64, 0); // the table of an empty line
            space.occupied_by_rows = OccupancyTable::fixed(K::DEPTH_BITS);
            space.occupied_by_columns = OccupancyTable::fixed(K::DEPTH_BITS + 18);
        }
        for (line, group) in lines {
            let configs = group.configs.len() as u32;
            let mut bits = configs.next_power_of_two().trailing_zeros();
            let place = line.index as usize + if line.orientation == Orientation::Horizontal { 0 } else { 6 };
            if SIX {
                (shift, bits) = (K::DEPTH_BITS + 3 * place as u32, 3);
            }
            if bit + configs > 64 {
                (word, bit) = (word + 1, 0);
            }
            if shift + bits > K::LAST_SHIFT || word as usize >= W {
                return None;
            }
            let address = Arc::as_ptr(group);
            let table = tables.iter().find(|known| known.0 == address).map(|known| known.1);
            let (table, repeats) = table.unwrap_or_else(|| {
                let first = (space.successors.len() as u32, space.repeats.len() as u32);
                tables.push((address, first));
                let (successors, repeats) = group.tables(metric);
                space.successors.extend_from_slice(successors);
                space.repeats.extend_from_slice(repeats);
                first
            });
            space.line_of_bit[shift as usize..(shift + bits) as usize].fill(space.lines.len() as u8);
            let crossing_side =
                if line.orientation == Orientation::Horizontal { board.width() } else { board.height() };
            let occupied = if line.orientation == Orientation::Horizontal {
                &mut space.occupied_by_rows
            } else {
                &mut space.occupied_by_columns
            };
            let cells = group.configs.iter().map(|config| crossing_cells(board, line, config.cells));
            if SIX {
                occupied.fill_fixed(line.index.into(), cells);
            } else {
                occupied.add_line(shift, bits, cells);
            }
            space.lines.push(LineLayout {
                table,
                row_mask: ((1 << bits) - 1) << line.length,
                row_shift: shift as u8 - line.length, // not negative, because of the depth bits below the state
                crossing_shift: line.index * crossing_side + line.start,
                crossing_mask: run(0, line.length),
                bit: bit as u8,
                word: word as u8,
                configs: configs as u8,
                length: line.length,
                repeats,
            });
            if SIX {
                space.six[place] = SixLine { table, word: word as u8, bit: bit as u8 };
            }
            for config in 0..configs {
                space.replacements[word as usize][(bit + config) as usize] =
                    (K::all_but(shift, bits), K::ZERO.with_field(shift, config as usize));
            }
            space.start = space.start.with_field(shift, group.start(board, line));
            (shift, bit) = (shift + bits, bit + configs);
        }
        space.unpack = lines.to_vec();
        space.target = TargetTables::new(board, &space, metric);
        Some(space)
    }

    /// Returns the successor bits of every line, except for those that only repeat successors of the parent, and the cells of
    /// the target's line that crossing vehicles occupy.
    #[inline(always)]
    fn new_successor_bits(&self, key: K, parent: K) -> ([u64; W], u16) {
        let (mut words, occupied) = self.successor_bits(key);
        let line = &self.lines[self.line_of_bit[key.first_difference(parent)] as usize];
        let pair = line.config(parent) * line.configs as usize + line.config(key);
        words[line.word as usize % W] &= !(u64::from(self.repeats[line.repeats as usize + pair]) << line.bit);
        (words, occupied)
    }

    /// Returns the successor bits of every line, and the cells of the target's line that crossing vehicles occupy.
    #[inline(always)]
    fn successor_bits(&self, key: K) -> ([u64; W], u16) {
        if SIX {
            return self.successor_bits_six(key);
        }
        let (by_row, by_column) = (self.occupied_by_columns.cells(key), self.occupied_by_rows.cells(key));
        let (rows, columns) = self.lines.split_at(self.rows);
        let mut words = [0; W];
        let mut look_up = |lines: &[LineLayout], occupied: u64| {
            for line in lines {
                let crossing = (occupied >> line.crossing_shift) as u16 & line.crossing_mask;
                let row = key.field(line.row_shift.into(), line.row_mask);
                let found = self.successors[line.table as usize + row + crossing as usize];
                words[line.word as usize % W] |= u64::from(found) << line.bit;
            }
        };
        look_up(rows, by_row);
        look_up(columns, by_column);
        let target = &self.lines[self.target.line];
        let occupied = if self.target.line < self.rows { by_row } else { by_column };
        (words, (occupied >> target.crossing_shift) as u16 & target.crossing_mask)
    }

    /// The same for `SIX`, with fixed positions.
    #[inline(always)]
    fn successor_bits_six(&self, key: K) -> ([u64; W], u16) {
        let by_row = self.occupied_by_columns.cells_six(key, K::DEPTH_BITS + 18);
        let by_column = self.occupied_by_rows.cells_six(key, K::DEPTH_BITS);
        let mut words = [0; W];
        // Not a loop, because code that is optimized for size would keep it.
        macro_rules! look_up {
            ($occupied:ident: $($place:literal)*) => {$(
                let line = &self.six[$place];
                let crossing = ($occupied >> ($place % 6 * 6)) as usize & 63;
                let row = key.field(K::DEPTH_BITS + 3 * $place - 6, 7 << 6);
                let found = self.successors[line.table as usize + row + crossing];
                words[line.word as usize % W] |= u64::from(found) << line.bit;
            )*};
        }
        look_up!(by_row: 0 1 2 3 4 5);
        look_up!(by_column: 6 7 8 9 10 11);
        let target = &self.lines[self.target.line];
        let occupied = if self.target.line < self.rows { by_row } else { by_column };
        (words, (occupied >> target.crossing_shift) as u16 & 63)
    }

    /// Expands a state that was reached from `parent`; the start is its own parent.
    #[inline(always)]
    pub fn expand(&self, key: K, parent: K) -> SuccessorSet<W> {
        let (words, occupied) = self.new_successor_bits(key, parent);
        let target = &self.lines[self.target.line];
        let config = target.config(key);
        let ahead = self.target.ahead[config];
        let blocking = occupied & ahead;
        let blocking_lines = &self.target.crossing[blocking as usize];
        let other_lines = &self.target.crossing[(ahead & !blocking) as usize];
        let (nearer, farther) = (&self.target.nearer[config], &self.target.farther[config]);
        let covers = &self.target.covers;
        SuccessorSet {
            estimate: self.target.distance[config] + blocking.count_ones(),
            successors: words,
            nearer: std::array::from_fn(|w| words[w] & (blocking_lines[w] & !covers[w] | nearer[w])),
            farther: std::array::from_fn(|w| words[w] & (other_lines[w] & covers[w] | farther[w])),
            solved: first_bit(&words, &self.target.goal),
        }
    }

    /// By successor bit of a word: the bits of the state to keep, and the bits to set.
    #[inline(always)]
    pub fn replacements(&self, word: usize) -> &[(K, K); 64] {
        &self.replacements[word]
    }

    /// Returns the successor with a bit.
    #[inline(always)]
    pub fn successor(&self, key: K, bit: usize) -> K {
        let (keep, set) = self.replacements[bit / 64][bit % 64];
        key.replace(keep, set)
    }
}

#[inline(always)]
fn first_bit<const W: usize>(words: &[u64; W], goal: &[u64; W]) -> Option<usize> {
    (0..W).find(|&w| words[w] & goal[w] != 0).map(|w| w * 64 + (words[w] & goal[w]).trailing_zeros() as usize)
}

/// Returns the cells that a line occupies in a configuration, laid out so that a crossing line reads its cells with one shift.
fn crossing_cells(board: &Board, line: &Line, cells: u16) -> u64 {
    // The cells of rows are read by columns, so they are stored column by column; and vice versa.
    let side = if line.orientation == Orientation::Horizontal { board.height() } else { board.width() };
    let occupied = (0..line.length).filter(|i| cells >> i & 1 == 1);
    occupied.fold(0, |all, i| all | 1 << ((line.start + i) * side + line.index))
}

impl<const W: usize> TargetTables<W> {
    fn empty() -> Self {
        let (goal, covers) = ([0; W], [0; W]);
        let (ahead, distance) = (vec![], vec![]);
        TargetTables { line: 0, goal, ahead, distance, nearer: vec![], farther: vec![], crossing: vec![], covers }
    }

    fn new<K: Key, const SIX: bool>(board: &Board, space: &SmallSpace<K, W, SIX>, metric: Metric) -> Self {
        let mut target = Self::empty();
        target.line = space.unpack.iter().position(|(line, _)| line.vehicles.contains(&0)).unwrap_or_default();
        let (line, group) = &space.unpack[target.line];
        let at = &space.lines[target.line];
        let place = line.vehicles.iter().position(|&i| i == 0).unwrap_or_default();
        let bits_of = |at: &LineLayout, configs: &dyn Fn(usize) -> bool| {
            let mut words = [0; W];
            for config in (0..at.configs as usize).filter(|&config| configs(config)) {
                words[at.word as usize] |= 1 << (at.bit as usize + config);
            }
            words
        };
        let position = |config: usize| group.configs[config].positions[place] + line.start;
        let (goal, forward) = (board.goal_position(), board.exit().side().is_forward());
        target.goal = bits_of(at, &|config| position(config) == goal);
        for config in 0..group.configs.len() {
            let gap = position(config).abs_diff(goal);
            let front = if forward { position(config) - line.start + board.target().length } else { 0 };
            // Cells beyond a wall do not belong to this line; such a board is unsolvable, and the search proves it.
            let ahead = if forward { u32::MAX << front } else { (1 << (position(config) - line.start)) - 1 };
            target.ahead.push(ahead as u16 & ((1u32 << line.length) - 1) as u16);
            target.distance.push(if metric == Metric::Moves { u32::from(gap > 0) } else { gap.into() });
            let in_steps = metric == Metric::Steps;
            let distance = |other: usize| position(other).abs_diff(goal);
            target.nearer.push(bits_of(at, &|other| in_steps && distance(other) < gap));
            target.farther.push(bits_of(at, &|other| in_steps && distance(other) > gap));
        }
        let crosses = |cell: u8, other: &Line| {
            other.orientation != line.orientation
                && other.index == line.start + cell
                && (other.start..other.start + other.length).contains(&line.index)
        };
        let mut crossing_at = vec![[0; W]; line.length as usize];
        for (at, (other, other_group)) in space.lines.iter().zip(&space.unpack) {
            let Some(cell) = (0..line.length).find(|&cell| crosses(cell, other)) else { continue };
            crossing_at[cell as usize] = bits_of(at, &|_| true);
            let covers =
                bits_of(at, &|config| other_group.configs[config].cells >> (line.index - other.start) & 1 == 1);
            (0..W).for_each(|w| target.covers[w] |= covers[w]);
        }
        target.crossing = vec![[0; W]; 1 << line.length];
        for set in 1..1usize << line.length {
            let lowest = set.trailing_zeros() as usize;
            let rest = target.crossing[set & (set - 1)];
            target.crossing[set] = std::array::from_fn(|w| rest[w] | crossing_at[lowest][w]);
        }
        target
    }
}

impl<K: Key, const W: usize, const SIX: bool> StateSpace for SmallSpace<K, W, SIX> {
    type Key = K;

    fn start(&self) -> K {
        self.start
    }

    fn is_solved(&self, key: K) -> bool {
        let target = &self.lines[self.target.line];
        let bit = target.bit as usize + target.config(key);
        self.target.goal[target.word as usize] >> bit & 1 == 1
    }

    fn successors(&self, key: K, found: &mut Vec<K>) {
        let (words, _) = self.successor_bits(key);
        for (w, mut word) in words.into_iter().enumerate() {
            while word != 0 {
                found.push(self.successor(key, w * 64 + word.trailing_zeros() as usize));
                word &= word - 1;
            }
        }
    }

    #[inline(always)]
    fn add_successors(&self, from: usize, depth: u32, memory: &mut SearchMemory<K>) {
        let (state, parent) = (memory.states[from].state(), memory.parent(from as u32));
        let (words, _) = self.new_successor_bits(state, parent);
        for (w, word) in words.into_iter().enumerate() {
            memory.add_successors(state.at_depth(depth), word, self.replacements(w), from as u32);
        }
    }

    fn max_successors(&self) -> usize {
        Self::MAX_SUCCESSORS
    }

    fn pack(&self, config: impl Fn(usize) -> usize) -> Option<K> {
        let lines = self.lines.iter().enumerate();
        let with_line = |key: K, (i, line): (usize, &LineLayout)| {
            key.with_field(u32::from(line.row_shift + line.length), config(i))
        };
        Some(lines.fold(K::ZERO, with_line))
    }

    fn positions(&self, key: K, positions: &mut [u8]) {
        for (at, (line, group)) in self.lines.iter().zip(&self.unpack) {
            let config = &group.configs[at.config(key)];
            for (&vehicle, position) in line.vehicles.iter().zip(config.positions) {
                positions[vehicle as usize] = line.start + position;
            }
        }
    }
}
