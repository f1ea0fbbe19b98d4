//! The boards to enumerate, divided into tasks.

use super::bit_layout::{BitLayout, row_groups};
use crate::Shape;
use clearway_rush::{Board, Cells, Exit, Metric, Orientation, Side, Vehicle, labels};

/// Maximum width and height of a board that can be enumerated.
const MAX_SIDE: u8 = 7;

/// Maximum number of placements of the walls.
const MAX_PLACEMENTS: usize = 100_000;

/// Maximum number of tasks of a shard.
const MAX_TASKS: u64 = 10_000_000;

/// Plan of an enumeration: all puzzles of a shape, with vehicles of 2 and 3 cells, and the target alone in its line.
///
/// The work is divided into independent tasks.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::enumerate::EnumerationPlan;
/// use clearway_rush::{Metric, Side};
/// let plan = EnumerationPlan::new(Shape::new(6, 6, Side::Right, None, 0)?, Metric::Moves, 0)?;
/// assert_eq!(plan.tasks(), 6u64.pow(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EnumerationPlan {
    shape: Shape,
    metric: Metric,
    at_least: u32,
    representative: Representative,
    /// Size and row of the target of the board as it is searched: turned so that the exit is on the right.
    width: usize,
    height: usize,
    target_row: usize,
    placements: Vec<Placement>,
    tasks: u64,
}

/// Choice of the hardest state that represents a component. The component is listed if that state is minimal.
///
/// Several states may be equally hard. They are ordered by the configurations of the rows, and then of the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Representative {
    /// The first without removable vehicles.
    ///
    /// So a component is listed if any of its hardest states is minimal, independent of their order.
    #[default]
    Minimal,
    /// The first; the component is left out if that board has removable vehicles.
    ///
    /// Such a component is not listed even if another of its hardest states is minimal.
    First,
}

impl Representative {
    /// Returns the name used on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Representative::Minimal => "minimal",
            Representative::First => "first",
        }
    }
}

/// Placement of the walls.
#[derive(Clone, Debug)]
struct Placement {
    walls: Cells,
    first_task: u64,
    /// Number of groups of each row.
    groups: Vec<u64>,
}

/// Why a plan or a shard is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages describe the fields
#[non_exhaustive]
pub enum EnumerationPlanError {
    #[error(
        "too many boards of {width}x{height} to enumerate; both sides must be at most {MAX_SIDE} (7x7 takes thousands of core-hours)"
    )]
    TooLarge { width: u8, height: u8 },
    #[error("{walls} walls have more than {MAX_PLACEMENTS} placements, which is too many; use fewer walls")]
    TooManyPlacements { walls: u8 },
    #[error("shard {shard} of {shards} does not exist: shards are numbered from 1 to {shards}")]
    NoSuchShard { shard: u64, shards: u64 },
    #[error("a shard of {tasks} tasks is too large: use at least {shards} shards")]
    LargeShard { tasks: u64, shards: u64 },
}

impl EnumerationPlan {
    /// Creates a plan for the boards of a shape. Each component is represented by its first minimal hardest state in the metric.
    /// Puzzles whose solutions are shorter than `at_least` are not listed.
    pub fn new(shape: Shape, metric: Metric, at_least: u32) -> Result<EnumerationPlan, EnumerationPlanError> {
        let (width, height) = (shape.width(), shape.height());
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(EnumerationPlanError::TooLarge { width, height });
        }
        let is_across = shape.side().orientation() == Orientation::Horizontal;
        let (width, height) = if is_across { (width, height) } else { (height, width) };
        let (width, height, target_row) = (width as usize, height as usize, shape.line() as usize);
        let mut walls = Vec::new();
        if !place_walls(width, height, shape.walls(), 0, Cells::default(), &mut walls) {
            return Err(EnumerationPlanError::TooManyPlacements { walls: shape.walls() });
        }
        let (mut placements, mut tasks) = (Vec::new(), 0);
        for walls in walls {
            let groups = row_groups(width, height, target_row, &walls);
            let count: u64 = groups.iter().product();
            if count > 0 {
                placements.push(Placement { walls, first_task: tasks, groups });
                tasks += count;
            }
        }
        Ok(EnumerationPlan {
            shape,
            metric,
            at_least,
            representative: Representative::default(),
            width,
            height,
            target_row,
            placements,
            tasks,
        })
    }

    /// Changes the choice of the state that represents a component.
    #[must_use]
    pub fn with_representative(self, representative: Representative) -> EnumerationPlan {
        EnumerationPlan { representative, ..self }
    }

    /// Returns the shape of the boards.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the metric of the lengths of solutions.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the minimum length of a listed puzzle.
    pub fn at_least(&self) -> u32 {
        self.at_least
    }

    /// Returns the choice of the state that represents a component.
    pub fn representative(&self) -> Representative {
        self.representative
    }

    /// Returns the number of tasks.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// Returns the tasks of one of `shards` equal shards, which are numbered from 1.
    ///
    /// The order mixes large and small tasks, so that all shards take about the same time and progress is even. Tasks with the
    /// same walls are adjacent.
    pub fn shard(&self, shard: u64, shards: u64) -> Result<Vec<u64>, EnumerationPlanError> {
        if shard == 0 || shard > shards {
            return Err(EnumerationPlanError::NoSuchShard { shard, shards });
        }
        if self.tasks / shards > MAX_TASKS {
            let (tasks, shards) = (self.tasks / shards, self.tasks.div_ceil(MAX_TASKS));
            return Err(EnumerationPlanError::LargeShard { tasks, shards });
        }
        let mut tasks = Vec::new();
        for placement in &self.placements {
            let (first, count) = (placement.first_task, placement.groups.iter().product::<u64>());
            let step = mixing_step(count);
            let mixed = |number: u64| first + (u128::from(number) * u128::from(step) % u128::from(count)) as u64;
            // Offset of the first task of this placement that belongs to the shard.
            let offset = (shard - 1 + shards - first % shards) % shards;
            tasks.extend((offset..count).step_by(shards as usize).map(mixed));
        }
        Ok(tasks)
    }

    /// Returns the placement of the walls of a task, and the group of each row.
    pub(super) fn task(&self, task: u64) -> (usize, Vec<u8>) {
        let placement = self.placements.partition_point(|placement| placement.first_task <= task) - 1;
        let mut rest = task - self.placements[placement].first_task;
        let mut digit = |&groups: &u64| {
            let group = rest % groups;
            rest /= groups;
            group as u8
        };
        let mut groups: Vec<u8> = self.placements[placement].groups.iter().rev().map(&mut digit).collect();
        groups.reverse();
        (placement, groups)
    }

    /// Returns the number of placements of the walls.
    pub(super) fn placements(&self) -> usize {
        self.placements.len()
    }

    /// Creates the layout for a placement of the walls, turned as it is searched.
    pub(super) fn layout(&self, placement: usize) -> BitLayout {
        BitLayout::new(self.width, self.height, self.target_row, self.placements[placement].walls, self.metric)
    }

    /// Creates a board with these vehicles (the target first), turned back so that the exit is on the side of the shape.
    pub(super) fn board(&self, walls: &Cells, vehicles: &[(u8, u8, u8, Orientation)]) -> Option<Board> {
        let mut turned: Vec<Vehicle> = vehicles.iter().map(|&vehicle| self.turn_vehicle(vehicle)).collect();
        // Vehicles are labelled in reading order, but the target is always first.
        turned[1..].sort_unstable_by_key(|vehicle| (vehicle.y, vehicle.x));
        for (vehicle, &label) in turned.iter_mut().zip(labels()) {
            vehicle.label = label;
        }
        let walls = walls.iter().map(|(x, y)| self.turn(x, y)).collect();
        let exit = Exit::Target(self.shape.side());
        Board::new(self.shape.width(), self.shape.height(), walls, turned, exit).ok()
    }

    /// Returns the column, on the board as it is searched, of a vehicle perpendicular to the target's line.
    pub(super) fn column_of(&self, vehicle: Vehicle) -> usize {
        let far = self.width as u8 - 1;
        usize::from(match self.shape.side() {
            Side::Right => vehicle.x,
            Side::Left => far - vehicle.x,
            Side::Bottom => vehicle.y,
            Side::Top => far - vehicle.y,
        })
    }

    fn turn_vehicle(&self, (x, y, length, orientation): (u8, u8, u8, Orientation)) -> Vehicle {
        let is_across = orientation == Orientation::Horizontal;
        let (dx, dy) = if is_across { (length - 1, 0) } else { (0, length - 1) };
        let ((x, y), (last_x, last_y)) = (self.turn(x, y), self.turn(x + dx, y + dy));
        let is_across = is_across == (self.shape.side().orientation() == Orientation::Horizontal);
        let orientation = if is_across { Orientation::Horizontal } else { Orientation::Vertical };
        Vehicle { label: '?', x: x.min(last_x), y: y.min(last_y), length, orientation }
    }

    /// Maps a cell of the board as it is searched to the board of the shape.
    fn turn(&self, x: u8, y: u8) -> (u8, u8) {
        let far = self.width as u8 - 1;
        match self.shape.side() {
            Side::Right => (x, y),
            Side::Left => (far - x, y),
            Side::Bottom => (y, x),
            Side::Top => (y, far - x),
        }
    }
}

/// Returns a step of about the golden section of a count and coprime to it, so that it visits every number.
fn mixing_step(count: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let mut step = (count as f64 * 0.618) as u64 | 1;
    while gcd(step, count) > 1 {
        step += 2;
    }
    step
}

/// Adds all placements of `count` further walls on the cells from `first` on to `found`. Returns false if there are too many.
fn place_walls(width: usize, height: usize, count: u8, first: usize, walls: Cells, found: &mut Vec<Cells>) -> bool {
    if count == 0 {
        found.push(walls);
        return found.len() <= MAX_PLACEMENTS;
    }
    (first..width * height).all(|cell| {
        let more = walls.iter().chain([((cell % width) as u8, (cell / width) as u8)]).collect();
        place_walls(width, height, count - 1, cell + 1, more, found)
    })
}
