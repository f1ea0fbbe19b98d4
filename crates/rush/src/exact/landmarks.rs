//! The landmark bound: the number of vehicles that *must* move before the target can leave.
//!
//! The vehicles on the target's path must leave it. A vehicle can leave a cell in at most two directions. Vehicles that block the
//! only possible direction, or both directions, must move as well, and so on. Where both directions are possible and are
//! blocked by different vehicles, one of the two sets must move: over choices that share no vehicle, the smaller sets add up.
//! Each vehicle that must move needs at least one move (or, in steps, its distance), so the bound is admissible.

use super::Metric;
use super::key::Key;
use super::line::run;
use super::wide::{NO_VEHICLE, OccupiedCells, WideLine, WideSpace};
use crate::vehicle_set::{VehicleSet, vehicles_of_choices};

/// The estimate of a dead end, from which the target can never leave.
pub(super) const DEAD_END: u32 = u32::MAX;

/// An impossible direction: the set of all vehicles, which is neutral in intersections.
const IMPOSSIBLE: VehicleSet = VehicleSet::MAX;

/// The requirement that a vehicle leaves a cell of its line.
#[derive(Clone, Copy, Debug)]
struct Landmark {
    line: u8,
    /// Index of the vehicle in the line.
    place: u8,
    cell: u8,
}

/// Tables and scratch space of the bound for one board.
#[derive(Debug)]
pub(super) struct LandmarkBound {
    /// By axis, index of the row or column, and cell: the line that the cell belongs to.
    line_at: [[[u8; 16]; 16]; 2],
    /// By line: the id of its first vehicle.
    first: Vec<u8>,
    /// By vehicle: the smallest and the largest position it can ever have.
    range: Vec<(u8, u8)>,
    /// By vehicle: the cells that it must leave, and the minimum distance that it must move.
    must_leave: Vec<u16>,
    distance: Vec<u8>,
    open: Vec<Landmark>,
    choices: Vec<(VehicleSet, VehicleSet)>,
}

/// A state in unpacked form.
struct View<'a, K> {
    lines: &'a [WideLine<K>],
    configs: &'a [u16],
    occupied: &'a OccupiedCells,
}

impl<K> View<'_, K> {
    fn position(&self, line: usize, place: usize) -> u8 {
        self.lines[line].configs[self.configs[line] as usize].positions[place]
    }
}

/// The two directions along a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Back,
    Forward,
}

impl LandmarkBound {
    pub fn new<K: Key>(space: &WideSpace<K>) -> Self {
        let mut bound = LandmarkBound {
            line_at: [[[NO_VEHICLE; 16]; 16]; 2],
            first: Vec::new(),
            range: Vec::new(),
            must_leave: Vec::new(),
            distance: Vec::new(),
            open: Vec::new(),
            choices: Vec::new(),
        };
        for (index, line) in space.lines.iter().enumerate() {
            let first = line.line.start as usize;
            bound.line_at[line.axis][line.line.index as usize][first..first + line.line.length as usize]
                .fill(index as u8);
            bound.first.push(bound.range.len() as u8);
            for place in 0..line.lengths.len() {
                let positions = || line.configs.iter().map(|config| config.positions[place]);
                let (min, max) = (positions().min(), positions().max());
                bound.range.push((min.unwrap_or_default(), max.unwrap_or_default()));
            }
        }
        bound.must_leave = vec![0; bound.range.len()];
        bound.distance = vec![0; bound.range.len()];
        bound
    }

    /// Returns a lower bound on the distance from a state to a solved state; [`DEAD_END`] if none is reachable.
    pub fn estimate<K: Key>(&mut self, space: &WideSpace<K>, configs: &[u16], occupied: &OccupiedCells) -> u32 {
        let in_steps = space.metric == Metric::Steps;
        let view = View { lines: &space.lines, configs, occupied };
        self.must_leave.fill(0);
        self.distance.fill(1);
        self.open.clear();
        self.choices.clear();
        let (line, place) = space.target;
        let position = view.position(line, place);
        if position == space.goal {
            return 0;
        }
        let (direction, goal) =
            (if space.forward { Direction::Forward } else { Direction::Back }, i16::from(space.goal));
        let Some(mut forced) = self.require_path(&view, line, place, goal, direction) else { return DEAD_END };
        while let Some(landmark) = self.open.pop() {
            let id = self.first[landmark.line as usize] + landmark.place;
            forced |= 1 << id;
            if self.must_leave[id as usize] >> landmark.cell & 1 == 1 {
                continue;
            }
            self.must_leave[id as usize] |= 1 << landmark.cell;
            let back = self.choice(&view, landmark, Direction::Back);
            let forward = self.choice(&view, landmark, Direction::Forward);
            let only = match (back, forward) {
                (IMPOSSIBLE, IMPOSSIBLE) => return DEAD_END,
                (IMPOSSIBLE, _) => Direction::Forward,
                (_, IMPOSSIBLE) => Direction::Back,
                _ => {
                    forced |= back & forward;
                    self.choices.push((back, forward));
                    if in_steps {
                        let position = i16::from(view.position(landmark.line.into(), landmark.place.into()));
                        let away = |direction| position_to_leave(&view, landmark, direction).abs_diff(position) as u8;
                        let shorter = away(Direction::Back).min(away(Direction::Forward));
                        self.distance[id as usize] = self.distance[id as usize].max(shorter);
                    }
                    continue;
                }
            };
            let goal = position_to_leave(&view, landmark, only);
            match self.require_path(&view, landmark.line.into(), landmark.place.into(), goal, only) {
                Some(more) => forced |= more,
                None => return DEAD_END,
            }
        }
        self.sum(forced, in_steps)
    }

    /// Returns the sum of the moves of all vehicles that must move and, over independent choices, the size of the smaller set.
    fn sum(&self, forced: VehicleSet, in_steps: bool) -> u32 {
        let mut bound = forced.count_ones();
        if in_steps {
            let ids = (0..self.distance.len()).filter(|id| forced >> id & 1 == 1);
            bound = ids.map(|id| u32::from(self.distance[id])).sum();
        }
        bound + vehicles_of_choices(&self.choices, forced)
    }

    /// Returns the vehicles that must move if this one leaves a cell in this direction, limited to those that it meets itself.
    /// According to measurements, following their own paths as well saves few states and takes several times as long.
    fn choice<K>(&self, view: &View<K>, landmark: Landmark, direction: Direction) -> VehicleSet {
        let mut set = 0;
        let possible = self.walk(
            view,
            landmark.line.into(),
            landmark.place.into(),
            position_to_leave(view, landmark, direction),
            direction,
            |event| match event {
                WalkEvent::Pushed { id, .. } => set |= 1 << id,
                WalkEvent::Crossed(other) => set |= 1 << (self.first[other.line as usize] + other.place),
            },
        );
        if possible { set } else { IMPOSSIBLE }
    }

    /// Adds the landmarks that are necessary for a vehicle to reach a position. Returns the vehicles that are pushed, or `None`
    /// if the vehicle can never reach it.
    fn require_path<K>(
        &mut self,
        view: &View<K>,
        line: usize,
        place: usize,
        goal: i16,
        direction: Direction,
    ) -> Option<VehicleSet> {
        let (mut set, mut open) = (0, std::mem::take(&mut self.open));
        let mut distance = std::mem::take(&mut self.distance);
        let possible = self.walk(view, line, place, goal, direction, |event| match event {
            WalkEvent::Pushed { id, cells } => {
                set |= 1 << id;
                distance[id as usize] = distance[id as usize].max(cells);
            }
            WalkEvent::Crossed(landmark) => open.push(landmark),
        });
        (self.open, self.distance) = (open, distance);
        possible.then_some(set)
    }

    /// Follows a vehicle to a position: visits the vehicles of its own line that it pushes ahead, itself first, and the crossing
    /// vehicles on the cells that all of these must enter. Returns false if the position is out of reach.
    fn walk<K>(
        &self,
        view: &View<K>,
        line: usize,
        mut place: usize,
        mut goal: i16,
        direction: Direction,
        mut visit: impl FnMut(WalkEvent),
    ) -> bool {
        let lengths = &view.lines[line].lengths;
        let (axis, index) = (view.lines[line].axis, view.lines[line].line.index);
        loop {
            let id = self.first[line] + place as u8;
            let (min, max) = self.range[id as usize];
            let is_possible =
                if direction == Direction::Back { goal >= i16::from(min) } else { goal <= i16::from(max) };
            if !is_possible {
                return false;
            }
            let position = view.position(line, place);
            let cells = (i16::from(position) - goal).unsigned_abs() as u8;
            let entered = match direction {
                Direction::Back if goal < i16::from(position) => run(goal as u8, cells),
                Direction::Forward if goal > i16::from(position) => run(position + lengths[place], cells),
                _ => return true,
            };
            visit(WalkEvent::Pushed { id, cells });
            let mut blocked = entered & view.occupied[axis][index as usize];
            while blocked != 0 {
                let cell = blocked.trailing_zeros() as u8;
                blocked &= blocked - 1;
                let other = self.line_at[1 - axis][cell as usize][index as usize];
                let config = view.configs[other as usize] as usize;
                let place = view.lines[other as usize].configs[config].owner[index as usize];
                visit(WalkEvent::Crossed(Landmark { line: other, place, cell: index }));
            }
            match direction {
                Direction::Back if place > 0 => {
                    place -= 1;
                    goal -= i16::from(lengths[place]);
                }
                Direction::Forward if place + 1 < lengths.len() => {
                    goal += i16::from(lengths[place]);
                    place += 1;
                }
                _ => return true,
            }
        }
    }
}

/// Returns the position that a vehicle must reach to leave a cell in one direction.
fn position_to_leave<K>(view: &View<K>, landmark: Landmark, direction: Direction) -> i16 {
    let length = view.lines[landmark.line as usize].lengths[landmark.place as usize];
    i16::from(landmark.cell) + if direction == Direction::Back { -i16::from(length) } else { 1 }
}

/// An event on the path of a vehicle.
enum WalkEvent {
    /// A vehicle of the line, itself or a pushed one, must move by this number of cells.
    Pushed { id: u8, cells: u8 },
    /// A crossing vehicle must leave a cell.
    Crossed(Landmark),
}
