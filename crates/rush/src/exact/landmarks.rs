//! The landmark bound: how many vehicles *must* move before the target is out.
//!
//! The vehicles in the target's way must leave it. A vehicle that must leave a cell has at most two ways to; whatever
//! stands in the only way that exists, or in both, must move as well, and so on. Where both ways exist and differ, one
//! of the two sets must move: over choices that share no vehicle the smaller sets add up. Each vehicle that must move
//! needs at least one move (or, in steps, its distance), so the bound never exceeds the true length.

use super::Metric;
use super::key::Key;
use super::line::run;
use super::wide::{NOBODY, Taken, Wide, WideLine};

/// The estimate of a state from which the target can never get out.
pub(super) const DEAD: u32 = u32::MAX;

/// A set of vehicles.
type Set = u128;
/// "Cannot be": larger than every set, and so neutral where sets are intersected.
const IMPOSSIBLE: Set = Set::MAX;

/// "This vehicle must leave this cell of its line."
#[derive(Clone, Copy, Debug)]
struct Demand {
    line: u8,
    place: u8,
    cell: u8,
}

/// The bound's tables and scratch space for one board.
#[derive(Debug)]
pub(super) struct Landmarks {
    /// By axis, line index and cell: which line that cell belongs to.
    line_at: [[[u8; 16]; 16]; 2],
    /// By line: the number of its first vehicle.
    first: Vec<u8>,
    /// By vehicle: the least and greatest position it can ever take.
    range: Vec<(u8, u8)>,
    /// By vehicle: the cells it was asked to leave, and the least distance it has to go.
    asked: Vec<u16>,
    distance: Vec<u8>,
    open: Vec<Demand>,
    choices: Vec<(Set, Set)>,
}

/// A state as the bound sees it.
struct View<'a, K> {
    lines: &'a [WideLine<K>],
    configs: &'a [u16],
    taken: &'a Taken,
}

impl<K> View<'_, K> {
    fn position(&self, line: usize, place: usize) -> u8 {
        self.lines[line].configs[self.configs[line] as usize].positions[place]
    }
}

/// The two ways along a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    Forth,
}

impl Landmarks {
    pub fn new<K: Key>(space: &Wide<K>) -> Self {
        let mut marks = Landmarks {
            line_at: [[[NOBODY; 16]; 16]; 2],
            first: Vec::new(),
            range: Vec::new(),
            asked: Vec::new(),
            distance: Vec::new(),
            open: Vec::new(),
            choices: Vec::new(),
        };
        for (index, line) in space.lines.iter().enumerate() {
            let first = line.line.start as usize;
            marks.line_at[line.axis][line.line.index as usize][first..first + line.line.length as usize]
                .fill(index as u8);
            marks.first.push(marks.range.len() as u8);
            for place in 0..line.lengths.len() {
                let positions = || line.configs.iter().map(|config| config.positions[place]);
                let (least, most) = (positions().min(), positions().max());
                marks.range.push((least.unwrap_or_default(), most.unwrap_or_default()));
            }
        }
        marks.asked = vec![0; marks.range.len()];
        marks.distance = vec![0; marks.range.len()];
        marks
    }

    /// A lower bound of the distance to a solved state from one that is not solved; [`DEAD`] if there is none.
    pub fn estimate<K: Key>(&mut self, space: &Wide<K>, configs: &[u16], taken: &Taken) -> u32 {
        let by_steps = space.metric == Metric::Steps;
        let view = View { lines: &space.lines, configs, taken };
        self.asked.fill(0);
        self.distance.fill(1);
        self.open.clear();
        self.choices.clear();
        let (line, place) = space.target;
        let position = view.position(line, place);
        if position == space.goal {
            return 0;
        }
        let (way, goal) = (if space.forward { Way::Forth } else { Way::Back }, i16::from(space.goal));
        let Some(mut forced) = self.demand_way(&view, line, place, goal, way) else { return DEAD };
        while let Some(demand) = self.open.pop() {
            let id = self.first[demand.line as usize] + demand.place;
            forced |= 1 << id;
            if self.asked[id as usize] >> demand.cell & 1 == 1 {
                continue;
            }
            self.asked[id as usize] |= 1 << demand.cell;
            let back = self.choice(&view, demand, Way::Back);
            let forth = self.choice(&view, demand, Way::Forth);
            let only = match (back, forth) {
                (IMPOSSIBLE, IMPOSSIBLE) => return DEAD,
                (IMPOSSIBLE, _) => Way::Forth,
                (_, IMPOSSIBLE) => Way::Back,
                _ => {
                    forced |= back & forth;
                    self.choices.push((back, forth));
                    if by_steps {
                        let position = i16::from(view.position(demand.line.into(), demand.place.into()));
                        let away = |way| way_out(&view, demand, way).abs_diff(position) as u8;
                        let least = away(Way::Back).min(away(Way::Forth));
                        self.distance[id as usize] = self.distance[id as usize].max(least);
                    }
                    continue;
                }
            };
            let goal = way_out(&view, demand, only);
            match self.demand_way(&view, demand.line.into(), demand.place.into(), goal, only) {
                Some(more) => forced |= more,
                None => return DEAD,
            }
        }
        self.sum(forced, by_steps)
    }

    /// Adds up the vehicles that must move, and over independent choices the smaller of the two sets.
    fn sum(&self, forced: Set, by_steps: bool) -> u32 {
        let mut bound = forced.count_ones();
        if by_steps {
            let ids = (0..self.distance.len()).filter(|id| forced >> id & 1 == 1);
            bound = ids.map(|id| u32::from(self.distance[id])).sum();
        }
        let mut used = forced;
        for &(back, forth) in &self.choices {
            let (back, forth) = (back & !forced, forth & !forced);
            if back != 0 && forth != 0 && (back | forth) & used == 0 {
                bound += back.count_ones().min(forth.count_ones());
                used |= back | forth;
            }
        }
        bound
    }

    /// The vehicles that must move if this one leaves a cell by this way. Only those that it meets itself: following
    /// their own ways out as well was measured to save few states and to cost several times the time.
    fn choice<K>(&self, view: &View<K>, demand: Demand, way: Way) -> Set {
        let mut set = 0;
        let possible = self.walk(
            view,
            demand.line.into(),
            demand.place.into(),
            way_out(view, demand, way),
            way,
            |step| match step {
                Step::Pushed { id, .. } => set |= 1 << id,
                Step::Crossed(other) => set |= 1 << (self.first[other.line as usize] + other.place),
            },
        );
        if possible { set } else { IMPOSSIBLE }
    }

    /// Demands what it takes for a vehicle to get to a position; the vehicles pushed, or `None` if it never can.
    fn demand_way<K>(&mut self, view: &View<K>, line: usize, place: usize, goal: i16, way: Way) -> Option<Set> {
        let (mut set, mut open) = (0, std::mem::take(&mut self.open));
        let mut distance = std::mem::take(&mut self.distance);
        let possible = self.walk(view, line, place, goal, way, |step| match step {
            Step::Pushed { id, cells } => {
                set |= 1 << id;
                distance[id as usize] = distance[id as usize].max(cells);
            }
            Step::Crossed(demand) => open.push(demand),
        });
        (self.open, self.distance) = (open, distance);
        possible.then_some(set)
    }

    /// Follows a vehicle to a position: the vehicles of its own line that it pushes ahead, itself first, and the
    /// crossing vehicles that stand on the cells they all have to enter. False if the line is too short for it.
    fn walk<K>(
        &self,
        view: &View<K>,
        line: usize,
        mut place: usize,
        mut goal: i16,
        way: Way,
        mut visit: impl FnMut(Step),
    ) -> bool {
        let lengths = &view.lines[line].lengths;
        let (axis, index) = (view.lines[line].axis, view.lines[line].line.index);
        loop {
            let id = self.first[line] + place as u8;
            let (least, most) = self.range[id as usize];
            let possible = if way == Way::Back { goal >= i16::from(least) } else { goal <= i16::from(most) };
            if !possible {
                return false;
            }
            let position = view.position(line, place);
            let cells = (i16::from(position) - goal).unsigned_abs() as u8;
            let entered = match way {
                Way::Back if goal < i16::from(position) => run(goal as u8, cells),
                Way::Forth if goal > i16::from(position) => run(position + lengths[place], cells),
                _ => return true,
            };
            visit(Step::Pushed { id, cells });
            let mut blocked = entered & view.taken[axis][index as usize];
            while blocked != 0 {
                let cell = blocked.trailing_zeros() as u8;
                blocked &= blocked - 1;
                let other = self.line_at[1 - axis][cell as usize][index as usize];
                let config = view.configs[other as usize] as usize;
                let place = view.lines[other as usize].configs[config].owner[index as usize];
                visit(Step::Crossed(Demand { line: other, place, cell: index }));
            }
            match way {
                Way::Back if place > 0 => {
                    place -= 1;
                    goal -= i16::from(lengths[place]);
                }
                Way::Forth if place + 1 < lengths.len() => {
                    goal += i16::from(lengths[place]);
                    place += 1;
                }
                _ => return true,
            }
        }
    }
}

/// Where a vehicle must get to in order to leave a cell by one way.
fn way_out<K>(view: &View<K>, demand: Demand, way: Way) -> i16 {
    let length = view.lines[demand.line as usize].lengths[demand.place as usize];
    i16::from(demand.cell) + if way == Way::Back { -i16::from(length) } else { 1 }
}

/// What a vehicle meets on its way.
enum Step {
    /// A vehicle of the line, itself or one it pushes, must go so many cells.
    Pushed { id: u8, cells: u8 },
    /// A crossing vehicle must leave a cell.
    Crossed(Demand),
}
