//! Lines and their configurations.
//!
//! A line is a run of cells of one row or column between walls, with at least one vehicle. Its vehicles never change
//! their order, so a line is a *group* (its length and the ordered lengths of its vehicles) and a *configuration*: one
//! of the few placements of that group, numbered in lexicographic order.

use super::Metric;
use crate::{Board, Orientation};
use std::collections::HashMap;
use std::sync::Arc;

/// A line of a board.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub orientation: Orientation,
    /// The row or column.
    pub index: u8,
    /// The first cell, along the line.
    pub start: u8,
    /// The number of cells.
    pub length: u8,
    /// The indices of its vehicles in the board, from the first along the line.
    pub vehicles: Vec<u8>,
}

/// The lines of a board: the rows' from top to bottom, then the columns' from left to right.
pub(super) fn lines_of(board: &Board) -> Vec<Line> {
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

/// A placement of a group's vehicles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Config {
    /// The cells taken, bit 0 the first of the line.
    pub cells: u16,
    /// The position of each vehicle in the line.
    pub positions: [u8; 8],
}

/// A way from one configuration to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    /// The cells of the line that must be free of crossing vehicles: those that the vehicle enters.
    pub needs: u16,
    /// The configuration it leads to.
    pub to: u16,
}

/// Everything about a group that does not depend on the board it stands on.
#[derive(Debug)]
pub(super) struct Group {
    pub length: u8,
    pub vehicle_lengths: Vec<u8>,
    pub configs: Vec<Config>,
    /// By configuration: one vehicle, any number of cells.
    pub slides: Vec<Vec<Slide>>,
    /// By configuration: one vehicle, one cell.
    pub steps: Vec<Vec<Slide>>,
    /// For lines of at most [`LONGEST_TABLE`] cells, slides and steps as tables: by configuration and by the cells
    /// taken by crossing vehicles, the set of configurations one move away.
    pub tables: [Vec<u16>; 2],
    /// For the same lines, by metric, configuration before and configuration after a move: the configurations that
    /// another move of the same vehicle leads to, and that could be had without the first.
    pub repeats: [Vec<u16>; 2],
    /// For the same lines, by configuration and by the cells taken by crossing vehicles: the configurations that slides
    /// connect it with, itself among them, and the cells that are taken in all of those.
    pub classes: Vec<u16>,
    pub always: Vec<u16>,
    /// By cell: the configurations that leave it free.
    pub leaving: Vec<u16>,
}

/// The longest line whose successors are tabulated: the group with the most configurations then has 15.
pub(super) const LONGEST_TABLE: u8 = 8;

impl Group {
    fn new(length: u8, vehicle_lengths: Vec<u8>) -> Group {
        let (slides, steps, tables, repeats) = (vec![], vec![], [vec![], vec![]], [vec![], vec![]]);
        let (configs, classes, always, leaving) = (vec![], vec![], vec![], vec![]);
        let mut group =
            Group { length, vehicle_lengths, configs, slides, steps, tables, repeats, classes, always, leaving };
        group.place(0, 0, Config { cells: 0, positions: [0; 8] });
        for from in 0..group.configs.len() {
            let (slides, steps) = group.ways_from(from);
            group.slides.push(slides);
            group.steps.push(steps);
        }
        if length <= LONGEST_TABLE {
            group.tables = [group.tabulate(&group.slides), group.tabulate(&group.steps)];
            group.repeats = group.tabulate_repeats();
            group.tabulate_classes();
        }
        group
    }

    fn tabulate_classes(&mut self) {
        for config in 0..self.configs.len() {
            for crossing in 0..1 << self.length {
                let (mut class, mut grown) = (0, 1u16 << config);
                while class != grown {
                    class = grown;
                    let steps = |from: usize| self.tables[1][self.row(from as u64) + crossing];
                    grown = (0..self.configs.len())
                        .filter(|from| class >> from & 1 == 1)
                        .fold(class, |all, from| all | steps(from));
                }
                let taken = (0..self.configs.len()).filter(|other| class >> other & 1 == 1);
                self.always.push(taken.fold(u16::MAX, |all, other| all & self.configs[other].cells));
                self.classes.push(class);
            }
        }
        let free = |cell: u8| {
            (0..self.configs.len())
                .filter(|&config| self.configs[config].cells >> cell & 1 == 0)
                .fold(0, |set, config| set | 1 << config)
        };
        self.leaving = (0..self.length).map(free).collect();
    }

    /// Where a configuration's row begins in the tables.
    #[inline(always)]
    pub fn row(&self, config: u64) -> usize {
        (config as usize) << self.length
    }

    fn tabulate(&self, ways: &[Vec<Slide>]) -> Vec<u16> {
        let reached = |ways: &[Slide], crossing: u16| {
            ways.iter().filter(|way| way.needs & crossing == 0).fold(0, |set, way| set | 1 << way.to)
        };
        ways.iter().flat_map(|ways| (0..1 << self.length).map(|crossing| reached(ways, crossing))).collect()
    }

    fn tabulate_repeats(&self) -> [Vec<u16>; 2] {
        let pairs = || (0..self.configs.len()).flat_map(|from| (0..self.configs.len()).map(move |to| (from, to)));
        let moved = |from: usize, to: usize| {
            let differ = |v: &usize| self.configs[from].positions[*v] != self.configs[to].positions[*v];
            let mut vehicles = (0..self.vehicle_lengths.len()).filter(differ);
            vehicles.next().filter(|_| vehicles.next().is_none())
        };
        // By slides, wherever the vehicle goes next it could have gone at once; by steps, only back.
        let slides = pairs().map(|(from, to)| {
            let again = |other: &usize| moved(from, to).is_some() && moved(from, to) == moved(to, *other);
            (0..self.configs.len()).filter(again).fold(0, |set, other| set | 1 << other)
        });
        let steps = pairs().map(|(from, to)| if moved(from, to).is_some() { 1 << from } else { 0 });
        [slides.collect(), steps.collect()]
    }

    /// The ways from each configuration in a metric.
    pub fn ways(&self, metric: Metric) -> &[Vec<Slide>] {
        match metric {
            Metric::Moves => &self.slides,
            Metric::Steps => &self.steps,
        }
    }

    /// The table of successors and that of repeats in a metric.
    pub fn tables(&self, metric: Metric) -> (&[u16], &[u16]) {
        (&self.tables[metric as usize], &self.repeats[metric as usize])
    }

    fn place(&mut self, vehicle: usize, first: u8, config: Config) {
        let Some(&length) = self.vehicle_lengths.get(vehicle) else {
            self.configs.push(config);
            return;
        };
        let after: u8 = self.vehicle_lengths[vehicle + 1..].iter().sum();
        for position in first..=self.length - after - length {
            let mut next = config;
            next.cells |= run(position, length);
            next.positions[vehicle] = position;
            self.place(vehicle + 1, position + length, next);
        }
    }

    fn ways_from(&self, from: usize) -> (Vec<Slide>, Vec<Slide>) {
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
                let way = Slide { needs: swept & !own, to: to as u16 };
                slides.push(way);
                if position.abs_diff(end) == 1 {
                    steps.push(way);
                }
            }
        }
        (slides, steps)
    }

    /// The configuration in which the vehicles stand at these positions of the line.
    pub fn config_at(&self, positions: impl Iterator<Item = u8>) -> usize {
        let mut wanted = [0; 8];
        for (slot, position) in wanted.iter_mut().zip(positions) {
            *slot = position;
        }
        self.configs.partition_point(|config| config.positions < wanted)
    }

    /// The configuration of a line as the board stands.
    pub fn start(&self, board: &Board, line: &Line) -> usize {
        self.config_at(line.vehicles.iter().map(|&i| board.vehicles()[i as usize].position() - line.start))
    }
}

/// `length` bits from `first` on.
pub(super) fn run(first: u8, length: u8) -> u16 {
    (((1u32 << length) - 1) << first) as u16
}

/// The groups met so far. Most boards share a few, so that a solver works each out once.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Keyed by the line's length and the vehicles', 5 bits each.
    known: HashMap<u64, Arc<Group>>,
}

impl Groups {
    pub fn of(&mut self, board: &Board, line: &Line) -> Arc<Group> {
        let lengths = || line.vehicles.iter().map(|&i| board.vehicles()[i as usize].length);
        let key = lengths().fold(u64::from(line.length), |key, length| key << 5 | u64::from(length));
        self.known.entry(key).or_insert_with(|| Arc::new(Group::new(line.length, lengths().collect()))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Placements of vehicles in order: the free cells are spread over the gaps.
    fn binomial(n: usize, k: usize) -> usize {
        (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
    }

    #[test]
    fn a_group_has_as_many_configurations_as_there_are_ways_to_spread_its_gaps() {
        for (length, vehicles) in
            [(6, vec![2]), (6, vec![2, 3]), (9, vec![2, 2]), (16, vec![2, 2, 2, 2]), (6, vec![3, 3])]
        {
            let free = length - vehicles.iter().sum::<u8>();
            let expected = binomial(free as usize + vehicles.len(), vehicles.len());
            let group = Group::new(length, vehicles);
            assert_eq!(group.configs.len(), expected);
            for (i, config) in group.configs.iter().enumerate() {
                assert_eq!(group.config_at(config.positions.into_iter().take(group.vehicle_lengths.len())), i);
                for way in &group.slides[i] {
                    let back = &group.slides[way.to as usize];
                    assert!(back.iter().any(|back| back.to as usize == i), "slides can be taken back");
                    assert_eq!(way.needs & config.cells, 0);
                }
            }
        }
    }
}
