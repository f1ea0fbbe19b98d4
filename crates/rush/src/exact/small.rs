//! The state space of boards up to 8x8, by table look-up.
//!
//! The successors of all lines are the bits of a few words: each line owns as many bits as it has configurations, and
//! one look-up, by its configuration and by its cells that crossing vehicles take, gives those one move away. So a
//! state is expanded without a loop over vehicles and without a test of any cell.

use super::key::Key;
use super::line::{Group, LONGEST_TABLE, Line};
use super::{Metric, Space};
use crate::{Board, Orientation};
use std::rc::Rc;

/// Where a line's data lie.
#[derive(Clone, Copy, Debug)]
struct LineAt {
    /// Its field in the packed state.
    shift: u32,
    bits: u32,
    /// Its first entry in `cells`.
    cells: u32,
    /// Its successor table in `successors`.
    table: u32,
    /// Its cells in the occupancy of the crossing lines.
    crossing_shift: u32,
    length: u32,
    /// Its first bit in the successor words.
    word: u32,
    bit: u32,
}

/// The state space of one board, with `W` words of successor bits.
#[derive(Debug)]
pub(super) struct Small<K, const W: usize> {
    start: K,
    lines: Vec<LineAt>,
    /// How many of the lines are rows; they come first.
    rows: usize,
    /// By line and configuration: the cells taken, laid out for the crossing lines.
    cells: Vec<u64>,
    /// By group, configuration and crossing cells: the configurations one move away.
    successors: Vec<u16>,
    /// By successor bit: the fields of the other lines, and the field of this one.
    keep: Vec<K>,
    set: Vec<K>,
    target: Target<W>,
    unpack: Vec<(Line, Rc<Group>)>,
}

/// What the search has to know about the way to the exit.
#[derive(Debug)]
struct Target<const W: usize> {
    line: usize,
    /// The successor bits at which the board is solved.
    goal: [u64; W],
    /// By the target line's configuration: the cells between the target and the exit.
    ahead: Vec<u16>,
    /// By the target line's configuration: what is left to go, in the metric, if nothing were in the way.
    distance: Vec<u32>,
    /// By configuration: the bits of the target line that bring the target nearer, and those that take it away.
    /// Only counted in steps: by moves the target is always one move away.
    nearer: Vec<[u64; W]>,
    farther: Vec<[u64; W]>,
    /// By a set of cells of the target's line: the bits of the lines that cross it there.
    crossing: Vec<[u64; W]>,
    /// The successor bits at which a crossing line takes its cell of the target's line.
    covers: [u64; W],
}

/// A state's successors, sorted by how they change the estimate.
pub(super) struct Expansion<const W: usize> {
    /// A lower bound of the distance to the goal: the target's own way, and a move for each vehicle in it.
    pub estimate: u32,
    /// The successor bits by change of the estimate: one less, the same, one more.
    pub classes: [[u64; W]; 3],
    /// The bit of a solved successor.
    pub solved: Option<usize>,
}

impl<K: Key, const W: usize> Small<K, W> {
    /// The space of a board, if it is small enough and `K` and `W` are wide enough.
    pub fn new(board: &Board, lines: &[(Line, Rc<Group>)], metric: Metric) -> Option<Self> {
        if board.width().max(board.height()) > LONGEST_TABLE {
            return None;
        }
        let mut space = Small {
            start: K::ZERO,
            lines: Vec::with_capacity(lines.len()),
            rows: lines.iter().take_while(|(line, _)| line.orientation == Orientation::Horizontal).count(),
            cells: Vec::new(),
            successors: Vec::new(),
            keep: vec![K::ZERO; 64 * W],
            set: vec![K::ZERO; 64 * W],
            target: Target::empty(),
            unpack: Vec::new(),
        };
        let (mut shift, mut word, mut bit) = (K::DEPTH_BITS, 0, 0);
        let mut tables: Vec<(*const Group, u32)> = Vec::new();
        for (line, group) in lines {
            let configs = group.configs.len() as u32;
            let bits = configs.next_power_of_two().trailing_zeros();
            if bit + configs > 64 {
                (word, bit) = (word + 1, 0);
            }
            if shift + bits > K::DEPTH_BITS + K::STATE_BITS || word as usize >= W {
                return None;
            }
            let address = Rc::as_ptr(group);
            let table = tables.iter().find(|known| known.0 == address).map(|known| known.1);
            let table = table.unwrap_or_else(|| {
                let first = space.successors.len() as u32;
                tables.push((address, first));
                space.successors.extend_from_slice(group.table(metric));
                first
            });
            let cells = space.cells.len() as u32;
            let crossing_side =
                if line.orientation == Orientation::Horizontal { board.width() } else { board.height() };
            space.cells.extend(group.configs.iter().map(|config| crossing_cells(board, line, config.cells)));
            let crossing_shift = u32::from(line.index * crossing_side + line.start);
            let length = u32::from(line.length);
            space.lines.push(LineAt { shift, bits, cells, table, crossing_shift, length, word, bit });
            for config in 0..configs {
                let index = (word * 64 + bit + config) as usize;
                space.keep[index] = K::all_but(shift, bits);
                space.set[index] = K::ZERO.with_field(shift, config as usize);
            }
            space.start = space.start.with_field(shift, group.start(board, line));
            (shift, bit) = (shift + bits, bit + configs);
        }
        space.unpack = lines.to_vec();
        space.target = Target::new(board, &space, metric);
        Some(space)
    }

    /// The cells taken by columns, laid out by row, and by rows, laid out by column.
    #[inline(always)]
    fn occupancy(&self, key: K) -> (u64, u64) {
        let cells = |lines: &[LineAt]| {
            lines.iter().fold(0, |all, line| all | self.cells[line.cells as usize + key.field(line.shift, line.bits)])
        };
        let (rows, columns) = self.lines.split_at(self.rows);
        (cells(columns), cells(rows))
    }

    /// The successor bits of every line, and the cells of the target's line that crossing vehicles take.
    #[inline(always)]
    fn successor_bits(&self, key: K) -> ([u64; W], u16) {
        let (by_row, by_column) = self.occupancy(key);
        let mut words = [0; W];
        let mut look_up = |lines: &[LineAt], taken: u64| {
            for line in lines {
                let crossing = (taken >> line.crossing_shift) as usize & ((1 << line.length) - 1);
                let entry = line.table as usize + (key.field(line.shift, line.bits) << line.length | crossing);
                words[line.word as usize % W] |= u64::from(self.successors[entry]) << line.bit;
            }
        };
        let (rows, columns) = self.lines.split_at(self.rows);
        look_up(rows, by_row);
        look_up(columns, by_column);
        let target = &self.lines[self.target.line];
        let taken = if self.target.line < self.rows { by_row } else { by_column };
        (words, (taken >> target.crossing_shift) as u16 & ((1 << target.length) - 1) as u16)
    }

    /// Expands a state for breadth-first search: its successor bits, and the bit of a solved one.
    #[inline(always)]
    pub fn expand_plain(&self, key: K) -> ([u64; W], Option<usize>) {
        let (words, _) = self.successor_bits(key);
        let solved = first_bit(&words, &self.target.goal);
        (words, solved)
    }

    /// Expands a state for best-first search.
    #[inline(always)]
    pub fn expand(&self, key: K) -> Expansion<W> {
        let (words, taken) = self.successor_bits(key);
        let target = &self.lines[self.target.line];
        let config = key.field(target.shift, target.bits);
        let ahead = self.target.ahead[config];
        let blocking = taken & ahead;
        let blocking_lines = &self.target.crossing[blocking as usize];
        let other_lines = &self.target.crossing[(ahead & !blocking) as usize];
        let (nearer, farther) = (&self.target.nearer[config], &self.target.farther[config]);
        let mut classes = [[0; W]; 3];
        for w in 0..W {
            let covers = self.target.covers[w];
            classes[0][w] = words[w] & (blocking_lines[w] & !covers | nearer[w]);
            classes[2][w] = words[w] & (other_lines[w] & covers | farther[w]);
            classes[1][w] = words[w] & !classes[0][w] & !classes[2][w];
        }
        let estimate = self.target.distance[config] + blocking.count_ones();
        Expansion { estimate, classes, solved: first_bit(&words, &self.target.goal) }
    }

    /// The state behind a successor bit.
    #[inline(always)]
    pub fn successor(&self, key: K, bit: usize) -> K {
        key.replace(self.keep[bit], self.set[bit])
    }

    /// The most successors a state can have.
    pub fn most_successors(&self) -> usize {
        64 * W
    }
}

#[inline(always)]
fn first_bit<const W: usize>(words: &[u64; W], goal: &[u64; W]) -> Option<usize> {
    (0..W).find(|&w| words[w] & goal[w] != 0).map(|w| w * 64 + (words[w] & goal[w]).trailing_zeros() as usize)
}

/// The cells that a line takes in a configuration, laid out so that crossing lines read theirs with one shift.
fn crossing_cells(board: &Board, line: &Line, cells: u16) -> u64 {
    // A row's cells are read by columns, which lie one after the other, and the other way round.
    let side = if line.orientation == Orientation::Horizontal { board.height() } else { board.width() };
    let taken = (0..line.length).filter(|i| cells >> i & 1 == 1);
    taken.fold(0, |all, i| all | 1 << ((line.start + i) * side + line.index))
}

impl<const W: usize> Target<W> {
    fn empty() -> Self {
        let (goal, covers) = ([0; W], [0; W]);
        let (ahead, distance) = (vec![], vec![]);
        Target { line: 0, goal, ahead, distance, nearer: vec![], farther: vec![], crossing: vec![], covers }
    }

    fn new<K: Key>(board: &Board, space: &Small<K, W>, metric: Metric) -> Self {
        let mut target = Self::empty();
        target.line = space.unpack.iter().position(|(line, _)| line.vehicles.contains(&0)).unwrap_or_default();
        let (line, group) = &space.unpack[target.line];
        let at = &space.lines[target.line];
        let place = line.vehicles.iter().position(|&i| i == 0).unwrap_or_default();
        let bits_of = |at: &LineAt, configs: &dyn Fn(usize) -> bool| {
            let mut words = [0; W];
            let count = (space.cells_end(at) - at.cells) as usize;
            for config in (0..count).filter(|&config| configs(config)) {
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
            // Cells beyond a wall are never crossed in this line; such a board is unsolvable and found so.
            let ahead = if forward { u32::MAX << front } else { (1 << (position(config) - line.start)) - 1 };
            target.ahead.push(ahead as u16 & ((1u32 << line.length) - 1) as u16);
            target.distance.push(if metric == Metric::Moves { u32::from(gap > 0) } else { gap.into() });
            let by_steps = metric == Metric::Steps;
            let near = |other: usize| position(other).abs_diff(goal);
            target.nearer.push(bits_of(at, &|other| by_steps && near(other) < gap));
            target.farther.push(bits_of(at, &|other| by_steps && near(other) > gap));
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

impl<K: Key, const W: usize> Small<K, W> {
    fn cells_end(&self, at: &LineAt) -> u32 {
        let next = self.lines.iter().find(|other| other.cells > at.cells);
        next.map_or(self.cells.len() as u32, |next| next.cells)
    }
}

impl<K: Key, const W: usize> Space for Small<K, W> {
    type Key = K;

    fn start(&self) -> K {
        self.start
    }

    fn is_solved(&self, key: K) -> bool {
        let target = &self.lines[self.target.line];
        let bit = target.bit as usize + key.field(target.shift, target.bits);
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

    fn positions(&self, key: K, positions: &mut [u8]) {
        for (at, (line, group)) in self.lines.iter().zip(&self.unpack) {
            let config = &group.configs[key.field(at.shift, at.bits)];
            for (&vehicle, position) in line.vehicles.iter().zip(config.positions) {
                positions[vehicle as usize] = line.start + position;
            }
        }
    }
}
