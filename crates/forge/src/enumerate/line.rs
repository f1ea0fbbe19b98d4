//! Lines as the enumeration sees them: every way to put vehicles of 2 and 3 cells into a row or column, and which of
//! them fit around the vehicles that cross it.
//!
//! A *group* is what never changes while one plays: the lengths of a line's vehicles, in order. A *configuration* is a
//! placement of a group. A line whose cells are all taken is left out: nothing in it could ever move.

use clearway_rush::Metric;

/// The lengths of the vehicles that are enumerated.
const LENGTHS: std::ops::RangeInclusive<u8> = 2..=3;

/// The most vehicles in a line of 8 cells.
const MOST: usize = 4;

/// A placement of a group's vehicles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Config {
    /// The cells taken by vehicles, bit 0 the first of the line.
    pub cells: u8,
    pub group: u8,
    pub vehicles: u8,
    /// Where each vehicle stands, and its length.
    pub at: [(u8, u8); MOST],
}

impl Config {
    /// The vehicles: position and length.
    pub fn vehicles(&self) -> &[(u8, u8)] {
        &self.at[..self.vehicles as usize]
    }

    fn push(&self, position: u8, length: u8) -> Config {
        let mut longer = *self;
        longer.at[self.vehicles as usize] = (position, length);
        longer.vehicles += 1;
        longer.cells |= run(position, length);
        longer
    }
}

/// A slide of one vehicle from a configuration to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    pub to: u8,
    /// The cells that the vehicle enters on its way.
    pub enters: u8,
}

/// Everything about a line of some length with some walls: its configurations, group by group, each group's in
/// lexicographic order of the positions.
#[derive(Debug)]
pub(super) struct Line {
    pub configs: Vec<Config>,
    pub groups: usize,
    /// By configuration: the slides of the metric.
    pub slides: Vec<Vec<Slide>>,
    /// By configuration: the slides of one cell forward.
    pub steps: Vec<Vec<Slide>>,
    /// By configuration and vehicle: the configuration without that vehicle.
    smaller: Vec<Vec<u8>>,
}

impl Line {
    /// The line of a length whose `walls` are taken by nobody.
    pub fn new(length: u8, walls: u8, metric: Metric) -> Line {
        let mut configs = Vec::new();
        place(length, walls, 0, Config::default(), &mut configs);
        Line::of(configs, length, walls, metric)
    }

    /// The line of the target: it alone, of 2 cells, somewhere between the last wall and the exit at the line's end.
    pub fn of_target(length: u8, walls: u8, metric: Metric) -> Line {
        let first = 8 - walls.leading_zeros() as u8;
        let configs = (first..(length - 1).max(first)).map(|position| Config::default().push(position, 2)).collect();
        Line::of(configs, length, walls, metric)
    }

    fn of(mut configs: Vec<Config>, length: u8, walls: u8, metric: Metric) -> Line {
        configs.retain(|config| config.vehicles == 0 || config.cells | walls != run(0, length));
        let mut groups: Vec<Vec<(u8, u8)>> = configs.iter().map(|config| group_of(config, walls)).collect();
        groups.sort_unstable_by_key(|group| (group.len(), group.clone()));
        groups.dedup();
        for config in &mut configs {
            let own = group_of(config, walls);
            config.group = groups.iter().position(|group| *group == own).unwrap_or_default() as u8;
        }
        configs.sort_unstable_by_key(|config| (config.group, config.at));
        let (slides, steps) = (0..configs.len()).map(|from| slides_from(&configs, from, walls, metric)).unzip();
        let smaller = configs.iter().map(|config| smaller_of(config, &configs)).collect();
        Line { configs, groups: groups.len(), slides, steps, smaller }
    }

    /// The configuration that is left of one if a vehicle is taken away.
    pub fn without(&self, config: u8, vehicle: usize) -> u8 {
        self.smaller[config as usize][vehicle]
    }
}

/// What identifies the group of a configuration: each vehicle's length, and the wall before it that it cannot pass.
fn group_of(config: &Config, walls: u8) -> Vec<(u8, u8)> {
    let segment = |position: u8| (walls & run(0, position)).count_ones() as u8;
    config.vehicles().iter().map(|&(position, length)| (segment(position), length)).collect()
}

/// By vehicle: the configuration that is left without it. (The target, alone in its line, is never taken away.)
fn smaller_of(config: &Config, configs: &[Config]) -> Vec<u8> {
    let without = |vehicle: usize| {
        let others = config.vehicles().iter().enumerate().filter(|&(other, _)| other != vehicle);
        let left = others.fold(Config::default(), |left, (_, &(position, length))| left.push(position, length));
        configs.iter().position(|other| other.at == left.at).unwrap_or_default() as u8
    };
    (0..config.vehicles().len()).map(without).collect()
}

fn place(length: u8, walls: u8, first: u8, config: Config, found: &mut Vec<Config>) {
    found.push(config);
    for position in first..length {
        for vehicle in LENGTHS.filter(|vehicle| position + vehicle <= length && walls & run(position, *vehicle) == 0) {
            place(length, walls, position + vehicle, config.push(position, vehicle), found);
        }
    }
}

fn slides_from(configs: &[Config], from: usize, walls: u8, metric: Metric) -> (Vec<Slide>, Vec<Slide>) {
    let (mut slides, mut steps) = (Vec::new(), Vec::new());
    let config = &configs[from];
    for (vehicle, &(position, length)) in config.vehicles().iter().enumerate() {
        for (to, other) in configs.iter().enumerate().filter(|(_, other)| other.group == config.group) {
            let (end, mut moved) = (other.at[vehicle].0, config.at);
            moved[vehicle].0 = end;
            let way = run(position.min(end), position.abs_diff(end) + length);
            if end == position || moved != other.at || way & walls != 0 {
                continue;
            }
            let slide = Slide { to: to as u8, enters: way & !run(position, length) };
            if metric == Metric::Moves || position.abs_diff(end) == 1 {
                slides.push(slide);
            }
            if end == position + 1 {
                steps.push(slide);
            }
        }
    }
    (slides, steps)
}

/// `length` bits from `first` on.
pub(super) fn run(first: u8, length: u8) -> u8 {
    (((1u16 << length) - 1) << first) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_six_has_six_groups_that_can_move() {
        let line = Line::new(6, 0, Metric::Moves);
        let sizes: Vec<usize> =
            (0..line.groups).map(|group| line.configs.iter().filter(|c| c.group as usize == group).count()).collect();
        // Nothing; 2; 3; 2 2; 2 3; 3 2. (3 3 and 2 2 2 would fill it.)
        assert_eq!(sizes, [1, 5, 4, 6, 3, 3]);
        assert_eq!(line.slides[1].len(), 4);
        assert_eq!(line.steps[1].len(), 1);
        assert_eq!(Line::new(6, 0, Metric::Steps).slides[1].len(), 1);
    }

    #[test]
    fn a_wall_parts_a_line() {
        let line = Line::new(5, 0b00100, Metric::Moves);
        // Nothing; 2 on the left; 2 on the right. (Both would fill it.)
        assert_eq!((line.groups, line.configs.len()), (3, 3));
        assert!(line.slides.iter().all(Vec::is_empty));
        let target = Line::of_target(6, 0b00_0010, Metric::Moves);
        assert_eq!(target.configs.iter().map(|config| config.at[0].0).collect::<Vec<_>>(), [2, 3, 4]);
        assert!(Line::of_target(6, 0b01_0000, Metric::Moves).configs.is_empty());
    }

    #[test]
    fn without_a_vehicle_the_others_stay() {
        let line = Line::new(6, 0, Metric::Moves);
        for (number, config) in line.configs.iter().enumerate() {
            for (vehicle, &(position, length)) in config.vehicles().iter().enumerate() {
                let left = line.configs[line.without(number as u8, vehicle) as usize];
                assert_eq!(left.cells, config.cells & !run(position, length));
            }
        }
    }
}
