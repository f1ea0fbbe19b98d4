//! Lines of the enumeration: all placements of vehicles of 2 and 3 cells in a row or column, and the slides between them.
//!
//! A *group* is what no move changes: the lengths of a line's vehicles, in order. A *configuration* is a placement of a group.
//! Configurations that occupy all cells of a line are excluded, because none of their vehicles could ever move.

use clearway_rush::Metric;

/// Lengths of the enumerated vehicles.
const LENGTHS: std::ops::RangeInclusive<u8> = 2..=3;

/// Maximum number of vehicles in a line of 8 cells.
const MAX_VEHICLES: usize = 4;

/// Configuration: a placement of the vehicles of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Configuration {
    /// Cells occupied by vehicles; bit 0 is the first cell of the line.
    pub cells: u8,
    pub group: u8,
    pub vehicles: u8,
    /// Position and length of each vehicle.
    pub at: [(u8, u8); MAX_VEHICLES],
}

impl Configuration {
    /// Returns the position and length of each vehicle.
    pub fn vehicles(&self) -> &[(u8, u8)] {
        &self.at[..self.vehicles as usize]
    }

    fn push(&self, position: u8, length: u8) -> Configuration {
        let mut longer = *self;
        longer.at[self.vehicles as usize] = (position, length);
        longer.vehicles += 1;
        longer.cells |= run(position, length);
        longer
    }
}

/// Slide of one vehicle, which leads from one configuration to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineSlide {
    pub to: u8,
    /// Cells that the vehicle enters.
    pub enters: u8,
}

/// Configurations of a line of some length with some walls, ordered by group and, within a group, lexicographically by the
/// positions of the vehicles.
#[derive(Debug)]
pub(super) struct LineConfigurations {
    pub configs: Vec<Configuration>,
    pub groups: usize,
    /// For each configuration: the slides that count as one in the metric.
    pub slides: Vec<Vec<LineSlide>>,
    /// For each configuration: the slides of one cell forward.
    pub steps: Vec<Vec<LineSlide>>,
    /// For each configuration and vehicle: the configuration without that vehicle.
    smaller: Vec<Vec<u8>>,
}

impl LineConfigurations {
    /// Creates a line without the target. No vehicle covers the cells of `walls`.
    pub fn new(length: u8, walls: u8, metric: Metric) -> LineConfigurations {
        let mut configs = Vec::new();
        place(length, walls, 0, Configuration::default(), &mut configs);
        LineConfigurations::from_configs(configs, length, walls, metric)
    }

    /// Creates the line of the target, which is alone in it, has 2 cells, and is between the last wall and the exit at the end
    /// of the line.
    pub fn with_target(length: u8, walls: u8, metric: Metric) -> LineConfigurations {
        let first = 8 - walls.leading_zeros() as u8;
        let configs =
            (first..(length - 1).max(first)).map(|position| Configuration::default().push(position, 2)).collect();
        LineConfigurations::from_configs(configs, length, walls, metric)
    }

    fn from_configs(mut configs: Vec<Configuration>, length: u8, walls: u8, metric: Metric) -> LineConfigurations {
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
        LineConfigurations { configs, groups: groups.len(), slides, steps, smaller }
    }

    /// Returns the configuration without a vehicle.
    pub fn without(&self, config: u8, vehicle: usize) -> u8 {
        self.smaller[config as usize][vehicle]
    }
}

/// Returns the key that identifies the group of a configuration: for each vehicle, the number of walls before it, which it
/// cannot pass, and its length.
fn group_of(config: &Configuration, walls: u8) -> Vec<(u8, u8)> {
    let segment = |position: u8| (walls & run(0, position)).count_ones() as u8;
    config.vehicles().iter().map(|&(position, length)| (segment(position), length)).collect()
}

/// Returns, for each vehicle, the configuration without it. (The target is never removed, so its value is meaningless.)
fn smaller_of(config: &Configuration, configs: &[Configuration]) -> Vec<u8> {
    let without = |vehicle: usize| {
        let others = config.vehicles().iter().enumerate().filter(|&(other, _)| other != vehicle);
        let left = others.fold(Configuration::default(), |left, (_, &(position, length))| left.push(position, length));
        configs.iter().position(|other| other.at == left.at).unwrap_or_default() as u8
    };
    (0..config.vehicles().len()).map(without).collect()
}

fn place(length: u8, walls: u8, first: u8, config: Configuration, found: &mut Vec<Configuration>) {
    found.push(config);
    for position in first..length {
        for vehicle in LENGTHS.filter(|vehicle| position + vehicle <= length && walls & run(position, *vehicle) == 0) {
            place(length, walls, position + vehicle, config.push(position, vehicle), found);
        }
    }
}

fn slides_from(configs: &[Configuration], from: usize, walls: u8, metric: Metric) -> (Vec<LineSlide>, Vec<LineSlide>) {
    let (mut slides, mut steps) = (Vec::new(), Vec::new());
    let config = &configs[from];
    for (vehicle, &(position, length)) in config.vehicles().iter().enumerate() {
        for (to, other) in configs.iter().enumerate().filter(|(_, other)| other.group == config.group) {
            let (end, mut moved) = (other.at[vehicle].0, config.at);
            moved[vehicle].0 = end;
            let swept = run(position.min(end), position.abs_diff(end) + length);
            if end == position || moved != other.at || swept & walls != 0 {
                continue;
            }
            let slide = LineSlide { to: to as u8, enters: swept & !run(position, length) };
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

/// Returns a mask of `length` bits from `first` on.
pub(super) fn run(first: u8, length: u8) -> u8 {
    (((1u16 << length) - 1) << first) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_six_has_six_groups_that_can_move() {
        let line = LineConfigurations::new(6, 0, Metric::Moves);
        let sizes: Vec<usize> =
            (0..line.groups).map(|group| line.configs.iter().filter(|c| c.group as usize == group).count()).collect();
        // Nothing; 2; 3; 2 2; 2 3; 3 2. (3 3 and 2 2 2 would fill it.)
        assert_eq!(sizes, [1, 5, 4, 6, 3, 3]);
        assert_eq!(line.slides[1].len(), 4);
        assert_eq!(line.steps[1].len(), 1);
        assert_eq!(LineConfigurations::new(6, 0, Metric::Steps).slides[1].len(), 1);
    }

    #[test]
    fn a_wall_divides_a_line() {
        let line = LineConfigurations::new(5, 0b00100, Metric::Moves);
        // Nothing; 2 on the left; 2 on the right. (Both would fill it.)
        assert_eq!((line.groups, line.configs.len()), (3, 3));
        assert!(line.slides.iter().all(Vec::is_empty));
        let target = LineConfigurations::with_target(6, 0b00_0010, Metric::Moves);
        assert_eq!(target.configs.iter().map(|config| config.at[0].0).collect::<Vec<_>>(), [2, 3, 4]);
        assert!(LineConfigurations::with_target(6, 0b01_0000, Metric::Moves).configs.is_empty());
    }

    #[test]
    fn removing_a_vehicle_leaves_the_others_in_place() {
        let line = LineConfigurations::new(6, 0, Metric::Moves);
        for (number, config) in line.configs.iter().enumerate() {
            for (vehicle, &(position, length)) in config.vehicles().iter().enumerate() {
                let left = line.configs[line.without(number as u8, vehicle) as usize];
                assert_eq!(left.cells, config.cells & !run(position, length));
            }
        }
    }
}
