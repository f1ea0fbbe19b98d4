//! Lines and their configurations.
//!
//! A line is a maximal run of cells in one row or column between walls, with at least one vehicle. Its vehicles never change
//! their order, so a line is described by its *group* (its length and the ordered lengths of its vehicles) and its
//! *configuration*: one of the few placements of that group, numbered in lexicographic order.

use super::Metric;
use super::classes::ClassTables;
use crate::{Board, Orientation, SMALL_SIDE};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A line of a board.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub orientation: Orientation,
    /// Index of the row or column.
    pub index: u8,
    /// First cell, along the row or column.
    pub start: u8,
    /// Number of cells.
    pub length: u8,
    /// Indices of its vehicles in the board, in order along the line.
    pub vehicles: Vec<u8>,
}

/// Returns the lines of a board: those of rows from top to bottom, then those of columns from left to right.
pub(super) fn find_lines(board: &Board) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut order: Vec<u8> = (0..board.vehicles().len() as u8).collect();
    let at = |i: u8| board.vehicles()[i as usize];
    order.sort_unstable_by_key(|&i| (at(i).orientation, at(i).line(), at(i).position()));
    let wall = |orientation: Orientation, line: u8, p: u8| match orientation {
        Orientation::Horizontal => board.walls().contains(p, line),
        Orientation::Vertical => board.walls().contains(line, p),
    };
    for i in order {
        let v = at(i);
        if let Some(last) = lines.last_mut()
            && (last.orientation, last.index) == (v.orientation, v.line())
            && v.position() < last.start + last.length
        {
            last.vehicles.push(i);
            continue;
        }
        let is_wall = |&p: &u8| wall(v.orientation, v.line(), p);
        let start = (0..v.position()).rev().find(is_wall).map_or(0, |p| p + 1);
        let end = (v.position()..board.side_along(v.orientation)).find(is_wall);
        let end = end.unwrap_or(board.side_along(v.orientation));
        let (orientation, index) = (v.orientation, v.line());
        lines.push(Line { orientation, index, start, length: end - start, vehicles: vec![i] });
    }
    lines
}

/// A configuration: a placement of a group's vehicles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Configuration {
    /// Occupied cells; bit 0 is the first cell of the line.
    pub cells: u16,
    /// Position of each vehicle in the line.
    pub positions: [u8; 8],
}

/// A transition from one configuration to another, by moving one vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    /// Cells that must be free of crossing vehicles: those that the vehicle enters.
    pub required_free: u16,
    /// Resulting configuration.
    pub to: u16,
}

/// A group: everything about a line that does not depend on the board.
#[derive(Debug)]
pub(super) struct Group {
    pub length: u8,
    pub vehicle_lengths: Vec<u8>,
    pub configs: Vec<Configuration>,
    /// By configuration: transitions that move one vehicle by any number of cells.
    pub slides: Vec<Vec<Transition>>,
    /// By configuration: transitions that move one vehicle by one cell.
    pub steps: Vec<Vec<Transition>>,
    /// For lines of at most [`MAX_TABLE_LENGTH`] cells, slides and steps as tables: by configuration and by the cells that
    /// crossing vehicles occupy, the set of configurations one move away.
    pub tables: [Vec<u16>; 2],
    /// For the same lines, by metric and by the configurations before and after a move: the configurations that another move
    /// of the same vehicle reaches, and that are reachable without the first move.
    pub repeats: [Vec<u16>; 2],
    /// Classes of configurations, created when a board first needs them.
    narrow_classes: OnceLock<ClassTables<u16>>,
    wide_classes: OnceLock<ClassTables<u64>>,
}

/// Maximum length of a line whose successors are tabulated: all lines of a small board. Its groups have at most 15
/// configurations.
pub(super) const MAX_TABLE_LENGTH: u8 = SMALL_SIDE;
/// Maximum length of a line with tables of classes. Its groups have at most 35 configurations.
pub(super) const MAX_CLASS_LENGTH: u8 = 10;

impl Group {
    fn new(length: u8, vehicle_lengths: Vec<u8>) -> Group {
        let (slides, steps, tables, repeats) = (vec![], vec![], [vec![], vec![]], [vec![], vec![]]);
        let (configs, narrow_classes, wide_classes) = (vec![], OnceLock::new(), OnceLock::new());
        let mut group =
            Group { length, vehicle_lengths, configs, slides, steps, tables, repeats, narrow_classes, wide_classes };
        group.add_configs(0, 0, Configuration { cells: 0, positions: [0; 8] });
        for from in 0..group.configs.len() {
            let (slides, steps) = group.transitions_from(from);
            group.slides.push(slides);
            group.steps.push(steps);
        }
        if length <= MAX_TABLE_LENGTH {
            group.tables = [group.tabulate(&group.slides), group.tabulate(&group.steps)];
            group.repeats = group.tabulate_repeats();
        }
        group
    }

    /// Classes of configurations of a line of at most [`MAX_TABLE_LENGTH`] cells.
    pub fn narrow_classes(&self) -> &ClassTables<u16> {
        self.narrow_classes.get_or_init(|| ClassTables::new(self))
    }

    /// Classes of configurations of a line of at most [`MAX_CLASS_LENGTH`] cells.
    pub fn wide_classes(&self) -> &ClassTables<u64> {
        self.wide_classes.get_or_init(|| ClassTables::new(self))
    }

    /// Index of the first entry of a configuration in the tables.
    #[inline(always)]
    pub fn row(&self, config: u64) -> usize {
        (config as usize) << self.length
    }

    fn tabulate(&self, transitions: &[Vec<Transition>]) -> Vec<u16> {
        let reached = |from: &[Transition], crossing: u16| {
            from.iter().filter(|one| one.required_free & crossing == 0).fold(0, |set, one| set | 1 << one.to)
        };
        transitions.iter().flat_map(|from| (0..1 << self.length).map(|crossing| reached(from, crossing))).collect()
    }

    fn tabulate_repeats(&self) -> [Vec<u16>; 2] {
        let pairs = || (0..self.configs.len()).flat_map(|from| (0..self.configs.len()).map(move |to| (from, to)));
        let moved = |from: usize, to: usize| {
            let differ = |v: &usize| self.configs[from].positions[*v] != self.configs[to].positions[*v];
            let mut vehicles = (0..self.vehicle_lengths.len()).filter(differ);
            vehicles.next().filter(|_| vehicles.next().is_none())
        };
        // With slides, the vehicle could have moved directly to any further position; with steps, only a step back is a repeat.
        let slides = pairs().map(|(from, to)| {
            let again = |other: &usize| moved(from, to).is_some() && moved(from, to) == moved(to, *other);
            (0..self.configs.len()).filter(again).fold(0, |set, other| set | 1 << other)
        });
        let steps = pairs().map(|(from, to)| if moved(from, to).is_some() { 1 << from } else { 0 });
        [slides.collect(), steps.collect()]
    }

    /// Transitions from each configuration in a metric.
    pub fn transitions(&self, metric: Metric) -> &[Vec<Transition>] {
        match metric {
            Metric::Moves => &self.slides,
            Metric::Steps => &self.steps,
        }
    }

    /// Tables of successors and of repeats in a metric.
    pub fn tables(&self, metric: Metric) -> (&[u16], &[u16]) {
        (&self.tables[metric as usize], &self.repeats[metric as usize])
    }

    /// Appends all configurations in which the vehicles from `vehicle` on are placed from cell `first` on.
    fn add_configs(&mut self, vehicle: usize, first: u8, config: Configuration) {
        let Some(&length) = self.vehicle_lengths.get(vehicle) else {
            self.configs.push(config);
            return;
        };
        let after: u8 = self.vehicle_lengths[vehicle + 1..].iter().sum();
        for position in first..=self.length - after - length {
            let mut next = config;
            next.cells |= run(position, length);
            next.positions[vehicle] = position;
            self.add_configs(vehicle + 1, position + length, next);
        }
    }

    /// Returns the slides and the steps from a configuration.
    fn transitions_from(&self, from: usize) -> (Vec<Transition>, Vec<Transition>) {
        let (mut slides, mut steps) = (Vec::new(), Vec::new());
        let config = self.configs[from];
        for (vehicle, &length) in self.vehicle_lengths.iter().enumerate() {
            let position = config.positions[vehicle];
            let own = run(position, length);
            for (to, other) in self.configs.iter().enumerate() {
                let end = other.positions[vehicle];
                let mut moved = config.positions;
                moved[vehicle] = end;
                if end == position || moved != other.positions {
                    continue;
                }
                let swept = run(position.min(end), position.abs_diff(end) + length);
                let transition = Transition { required_free: swept & !own, to: to as u16 };
                slides.push(transition);
                if position.abs_diff(end) == 1 {
                    steps.push(transition);
                }
            }
        }
        (slides, steps)
    }

    /// Returns the configuration in which the vehicles have these positions in the line.
    pub fn config_at(&self, positions: impl Iterator<Item = u8>) -> usize {
        let mut wanted = [0; 8];
        for (slot, position) in wanted.iter_mut().zip(positions) {
            *slot = position;
        }
        self.configs.partition_point(|config| config.positions < wanted)
    }

    /// Returns the configuration of a line in the start state of the board.
    pub fn start(&self, board: &Board, line: &Line) -> usize {
        self.config_at(line.vehicles.iter().map(|&i| board.vehicles()[i as usize].position() - line.start))
    }
}

/// Returns a mask of `length` bits from `first` on.
pub(super) fn run(first: u8, length: u8) -> u16 {
    (((1u32 << length) - 1) << first) as u16
}

/// Cache of groups. Most boards share a few, so a solver computes each only once.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// By the length of the line and of its vehicles, 5 bits each.
    known: HashMap<u64, Arc<Group>>,
}

impl Groups {
    /// Returns the group of a line.
    pub fn get(&mut self, board: &Board, line: &Line) -> Arc<Group> {
        let lengths = || line.vehicles.iter().map(|&i| board.vehicles()[i as usize].length);
        let key = lengths().fold(u64::from(line.length), |key, length| key << 5 | u64::from(length));
        self.known.entry(key).or_insert_with(|| Arc::new(Group::new(line.length, lengths().collect()))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of ways to choose `k` of `n` items.
    fn binomial(n: usize, k: usize) -> usize {
        (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
    }

    #[test]
    fn a_group_has_one_configuration_per_distribution_of_its_free_cells() {
        for (length, vehicles) in
            [(6, vec![2]), (6, vec![2, 3]), (9, vec![2, 2]), (16, vec![2, 2, 2, 2]), (6, vec![3, 3])]
        {
            let free = length - vehicles.iter().sum::<u8>();
            let expected = binomial(free as usize + vehicles.len(), vehicles.len());
            let group = Group::new(length, vehicles);
            assert_eq!(group.configs.len(), expected);
            for (i, config) in group.configs.iter().enumerate() {
                assert_eq!(group.config_at(config.positions.into_iter().take(group.vehicle_lengths.len())), i);
                for transition in &group.slides[i] {
                    let back = &group.slides[transition.to as usize];
                    assert!(back.iter().any(|back| back.to as usize == i), "slides are reversible");
                    assert_eq!(transition.required_free & config.cells, 0);
                }
            }
        }
    }
}
