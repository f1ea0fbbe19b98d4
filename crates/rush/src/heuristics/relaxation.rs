//! Relaxed plans, in which a free cell stays free, computed for all vehicles at once.

use super::cell_set::{CellSet, LargeCellSet, SmallCellSet};
use super::lines::{Lines, StaticVehicle};
use super::plan_statistics::PlanStatistics;
use crate::{Orientation, RushDomain, RushState};
use clearway_search::Domain;
use std::ops::Range;

/// Computes relaxed plans (delete relaxation): vehicles do not occupy the cells that they move to.
///
/// In this relaxation cells only become free, layer by layer, so every vehicle slides from its current position. A cell under a
/// vehicle becomes free by the shortest slide off it, in the direction that is possible in the earlier layer. The plan consists
/// of the slides that the target needs, the slides that those need, and so on, each counted once.
///
/// Except for the target's slide to the exit, every slide of a plan frees one cell, and no two slides free the same cell. A plan
/// is therefore a set of cells, with a direction (back or forward) for each. Everything is computed on such sets with shifts, for
/// all vehicles of one orientation and length at once.
#[derive(Clone, Debug)]
pub struct RelaxedPlanner(SizedPlanner);

/// The planner for the size of the board.
#[derive(Clone, Debug)]
enum SizedPlanner {
    Small(Box<CellSetPlanner<SmallCellSet>>),
    Large(Box<CellSetPlanner<LargeCellSet>>),
}

impl RelaxedPlanner {
    /// Creates the planner for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> RelaxedPlanner {
        let board = domain.board();
        if u32::from(board.width().max(board.height())) <= SmallCellSet::SIDE {
            RelaxedPlanner(SizedPlanner::Small(Box::new(CellSetPlanner::new(domain))))
        } else {
            RelaxedPlanner(SizedPlanner::Large(Box::new(CellSetPlanner::new(domain))))
        }
    }

    /// Number of slides of the relaxed plan from a state; 0 if the state is solved, `None` if there is no plan.
    #[inline]
    pub fn slides<const N: usize>(&mut self, state: &RushState<N>) -> Option<u32> {
        match &mut self.0 {
            SizedPlanner::Small(planner) => planner.slides(state),
            SizedPlanner::Large(planner) => planner.slides(state),
        }
    }

    /// Statistics of the relaxed plan from a state; all 0 if the state is solved, `None` if there is no plan.
    #[inline]
    pub fn statistics<const N: usize>(&mut self, state: &RushState<N>) -> Option<PlanStatistics> {
        match &mut self.0 {
            SizedPlanner::Small(planner) => planner.statistics(state),
            SizedPlanner::Large(planner) => planner.statistics(state),
        }
    }
}

/// The orientations and lengths of nearly all vehicles. Their classes come first, in this order, even if they are empty.
const COMMON: [(Orientation, u32); 4] = [
    (Orientation::Horizontal, 2),
    (Orientation::Horizontal, 3),
    (Orientation::Vertical, 2),
    (Orientation::Vertical, 3),
];

/// The vehicles of one orientation and length.
#[derive(Clone, Debug)]
struct VehicleClass<C> {
    orientation: Orientation,
    length: u32,
    /// Each vehicle, and the cell of its head (its first cell) at position 0. Vehicles moved by the plan of the start come first.
    vehicles: Vec<(u8, u8)>,
    /// Number of vehicles moved by the plan of the start.
    moved_at_start: usize,
    /// The heads of all vehicles in the current state.
    heads: C,
    /// The heads, in the current state, of the vehicles moved by the plan of the start.
    heads_at_start: C,
}

/// The planner for one representation of cell sets.
#[derive(Clone, Debug)]
struct CellSetPlanner<C> {
    classes: Vec<VehicleClass<C>>,
    is_exit_unreachable: bool,
    /// All cells of the board.
    board: C,
    /// `not_first[n]`: the cells of the board without the first n cells of each row.
    not_first: [C; 32],
    /// `not_last[n]`: the cells of the board without the last n cells of each row.
    not_last: [C; 32],
    /// The slide of the target to the exit, indexed by its position.
    exit_slides: [ExitSlide<C>; 16],
    goal: u8,
    is_exit_forth: bool,
    target_orientation: Orientation,
    start: Vec<u8>,
    is_target_moved_at_start: bool,
}

/// The slide of the target to the exit from a position.
#[derive(Clone, Copy, Debug, Default)]
struct ExitSlide<C> {
    /// The cell of the target's head before the slide.
    head: C,
    /// The cells that the target enters.
    enters: C,
    /// The cells that it occupies afterwards.
    end: C,
    /// The cell that only this slide frees: no shorter slide of the target towards the exit does. Empty if the slide is longer
    /// than the target.
    frees: C,
    /// Length of the slide in cells.
    cells: u32,
}

/// The slides of a plan, except for the target's slide to the exit.
#[derive(Clone, Copy, Debug, Default)]
struct Slides<C> {
    /// The cells freed by slides back.
    back: C,
    /// The cells freed by slides forward.
    forward: C,
}

/// Evaluates an expression for each class, with three bindings: the number of bits from one cell of a vehicle to the next, the
/// length of the vehicles, and the class. For the common classes the first two are constants.
macro_rules! for_each_class {
    ($planner:expr, |$step:ident, $length:ident, $class:ident| $body:expr) => {{
        let (common, others) = $planner.classes.split_at(COMMON.len());
        for_each_class!(@one common[0], 1, 2, $step, $length, $class, $body);
        for_each_class!(@one common[1], 1, 3, $step, $length, $class, $body);
        for_each_class!(@one common[2], C::SIDE, 2, $step, $length, $class, $body);
        for_each_class!(@one common[3], C::SIDE, 3, $step, $length, $class, $body);
        for class in others {
            for_each_class!(@one class, step::<C>(class.orientation), class.length, $step, $length, $class, $body);
        }
    }};
    (@one $one:expr, $its_step:expr, $its_length:expr, $step:ident, $length:ident, $class:ident, $body:expr) => {{
        let ($step, $length, $class): (u32, u32, &VehicleClass<C>) = ($its_step, $its_length, &$one);
        $body
    }};
}

impl<C: CellSet> CellSetPlanner<C> {
    fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let board = domain.board();
        let (width, height) = (u32::from(board.width()), u32::from(board.height()));
        let columns = |from: u32, to: u32| {
            let cells = (0..height).flat_map(|y| (from..to).map(move |x| y * C::SIDE + x));
            cells.fold(C::default(), |set, cell| set | C::one(cell))
        };
        let (start, is_exit_forth) = (domain.start(), board.exit().side().is_forward());
        let mut planner = CellSetPlanner {
            classes: classes(&lines),
            is_exit_unreachable: lines.is_exit_unreachable(),
            board: columns(0, width),
            not_first: std::array::from_fn(|count| columns((count as u32).min(width), width)),
            not_last: std::array::from_fn(|count| columns(0, width.saturating_sub(count as u32))),
            exit_slides: std::array::from_fn(|position| exit_slide(&lines, is_exit_forth, position as u8)),
            goal: lines.goal(),
            is_exit_forth,
            target_orientation: lines.vehicles()[0].orientation,
            start: (0..lines.vehicles().len()).map(|vehicle| start.position(vehicle)).collect(),
            is_target_moved_at_start: false,
        };
        planner.find_heads(&start);
        if let Some(slides) = planner.plan(&start) {
            let moved = planner.moved(slides, start.position(0));
            let is_moved = |class: &VehicleClass<C>, &(vehicle, first): &(u8, u8)| {
                let cell = u32::from(first) + u32::from(start.position(vehicle.into())) * step::<C>(class.orientation);
                (moved.back | moved.forward).contains(cell)
            };
            let sorted = planner.classes.iter().map(|class| {
                let (first, then): (Vec<_>, Vec<_>) = class.vehicles.iter().partition(|one| is_moved(class, one));
                (first.len(), [first, then].concat())
            });
            for ((count, vehicles), class) in sorted.collect::<Vec<_>>().into_iter().zip(&mut planner.classes) {
                (class.moved_at_start, class.vehicles) = (count, vehicles);
            }
            planner.is_target_moved_at_start = true;
        }
        planner
    }

    #[inline(always)]
    fn slides<const N: usize>(&mut self, state: &RushState<N>) -> Option<u32> {
        if state.position(0) == self.goal {
            return Some(0);
        }
        let entered = self.exit_slides[state.position(0) as usize & 15].enters;
        if (C::from_rows(&state.occupied_cells()[0]) & entered).is_empty() {
            return Some(1);
        }
        self.find_heads(state);
        let slides = self.plan(state)?;
        Some(1 + (slides.back | slides.forward).count())
    }

    #[inline(always)]
    fn statistics<const N: usize>(&mut self, state: &RushState<N>) -> Option<PlanStatistics> {
        let position = state.position(0);
        if position == self.goal {
            return Some(PlanStatistics::default());
        }
        self.find_heads(state);
        let slides = self.plan(state)?;
        let exit_slide = self.exit_slides[position as usize & 15];
        let moved = self.moved(slides, position);
        // far[n]: the cells freed by slides of n cells or more.
        let mut far = [C::default(); 17];
        let (mut needed, mut of_start) = ([C::default(); 2], C::default());
        needed[self.target_orientation as usize] = exit_slide.enters;
        for_each_class!(self, |step, length, class| {
            slides.add_far(&mut far, class.heads, length, step);
            needed[class.orientation as usize] |= slides.entered(class.heads, length, step);
            of_start |= first_cells(class.heads_at_start, length, step);
        });
        let across = needed[1 - self.target_orientation as usize];
        let mut conflicts = C::default();
        let is_exit_slide_conflict = !(exit_slide.end & across).is_empty();
        for_each_class!(self, |step, length, class| {
            let across = needed[1 - class.orientation as usize];
            conflicts |= slides.ending_among(across, class.heads, length, step);
        });
        let (mut cells, mut cells_of_start) =
            (exit_slide.cells, exit_slide.cells * u32::from(self.is_target_moved_at_start));
        for far in far[1..].iter().take_while(|far| !far.is_empty()) {
            cells += far.count();
            cells_of_start += (*far & of_start).count();
        }
        let mut settled = 0;
        for class in &self.classes {
            let step = step::<C>(class.orientation);
            for &(vehicle, first) in &class.vehicles {
                let (position, start) = (state.position(vehicle as usize), self.start[vehicle as usize]);
                let is_moved = (moved.back | moved.forward).contains(u32::from(first) + u32::from(position) * step);
                settled += u32::from(position.abs_diff(start)) * u32::from(!is_moved);
            }
        }
        Some(PlanStatistics {
            slides: 1 + (slides.back | slides.forward).count(),
            cells,
            vehicles: (moved.back | moved.forward).count(),
            conflicts: conflicts.count() + u32::from(is_exit_slide_conflict),
            turns: (moved.back & moved.forward).count(),
            cells_of_start,
            settled,
        })
    }

    /// The plan from a state, after [`find_heads`](Self::find_heads); `None` if there is no plan.
    #[inline(always)]
    fn plan<const N: usize>(&self, state: &RushState<N>) -> Option<Slides<C>> {
        if self.is_exit_unreachable {
            return None;
        }
        let taken = C::from_rows(&state.occupied_cells()[0]);
        let exit_slide = self.exit_slides[state.position(0) as usize & 15];
        let mut open = exit_slide.enters & taken;
        let by_back = self.free_cells(!taken & self.board, exit_slide.enters)?;
        // A cell that the target's slide to the exit frees does not need another slide.
        let by_exit_slide = if self.is_exit_forth { exit_slide.frees & !by_back } else { exit_slide.frees & by_back };
        let mut known = open | by_exit_slide;
        while !open.is_empty() {
            let slides = Slides { back: open & by_back, forward: open & !by_back };
            let mut entered = C::default();
            for_each_class!(self, |step, length, class| {
                entered |= slides.entered(class.heads, length, step);
            });
            open = entered & taken & !known;
            known |= open;
        }
        let known = known & !by_exit_slide;
        Some(Slides { back: known & by_back, forward: known & !by_back })
    }

    /// Frees cells, layer by layer, until all cells in `needed` are free; `None` if that is impossible. Returns the cells freed
    /// by slides back; the others are freed by slides forward.
    #[inline(always)]
    fn free_cells(&self, mut free: C, needed: C) -> Option<C> {
        let mut by_back = C::default();
        while !(needed & !free).is_empty() {
            let mut vacated = Slides::default();
            for_each_class!(self, |step, length, class| {
                let (before, after) = (|by| self.before(free, by, step), |by| self.after(free, by, step));
                add_vacated(&mut vacated, class.heads, length, step, before, after);
            });
            let fresh = (vacated.back | vacated.forward) & !free;
            if fresh.is_empty() {
                return None;
            }
            by_back |= vacated.back & fresh;
            free |= fresh;
        }
        Some(by_back)
    }

    /// The cells of the board for which the cell `by` cells before them is in the set.
    #[inline(always)]
    fn before(&self, set: C, by: u32, step: u32) -> C {
        if step == 1 { set << by & self.not_first[by as usize & 31] } else { set << (by * step) }
    }

    /// The cells of the board for which the cell `by` cells after them is in the set.
    #[inline(always)]
    fn after(&self, set: C, by: u32, step: u32) -> C {
        if step == 1 { set >> by & self.not_last[by as usize & 31] } else { set >> (by * step) }
    }

    /// Computes the heads of all vehicles in a state.
    #[inline(always)]
    fn find_heads<const N: usize>(&mut self, state: &RushState<N>) {
        for class in &mut self.classes {
            let step = step::<C>(class.orientation);
            let heads = |vehicles: &[(u8, u8)]| {
                vehicles.iter().fold(C::default(), |heads, &(vehicle, first)| {
                    heads | C::one(u32::from(first) + u32::from(state.position(vehicle as usize)) * step)
                })
            };
            let (moved, others) = class.vehicles.split_at(class.moved_at_start);
            class.heads_at_start = heads(moved);
            class.heads = class.heads_at_start | heads(others);
        }
    }

    /// The heads of the vehicles that a plan moves back, and of those that it moves forward, including the target.
    #[inline(always)]
    fn moved(&self, slides: Slides<C>, target: u8) -> Slides<C> {
        let mut moved = Slides::default();
        let head = self.exit_slides[target as usize & 15].head;
        if self.is_exit_forth {
            moved.forward = head;
        } else {
            moved.back = head;
        }
        for_each_class!(self, |step, length, class| {
            for i in 0..length {
                moved.back |= slides.back >> (i * step) & class.heads;
                moved.forward |= slides.forward >> (i * step) & class.heads;
            }
        });
        moved
    }
}

impl<C: CellSet> Slides<C> {
    /// The cells that the slides of vehicles with these heads enter.
    ///
    /// To leave its cell i, a vehicle slides back over the cells that are i + 1 to `length` cells before cell i, or forward over
    /// those that are `length` - i to `length` cells after it.
    #[inline(always)]
    fn entered(self, heads: C, length: u32, step: u32) -> C {
        let bodies = first_cells(heads, length, step);
        let mut entered = C::default();
        for i in 0..length {
            let by = (i + 1) * step;
            entered |= (self.back & first_cells(heads, i + 1, step)) >> by;
            entered |= (self.forward & bodies & !first_cells(heads, length - i - 1, step)) << by;
        }
        entered
    }

    /// Adds the slides of vehicles with these heads to `far`, where `far[n]` collects slides of at least n cells.
    #[inline(always)]
    fn add_far(self, far: &mut [C; 17], heads: C, length: u32, step: u32) {
        let bodies = first_cells(heads, length, step);
        for i in 0..length {
            let back = self.back & first_cells(heads, length - i, step);
            let forward = self.forward & bodies & !first_cells(heads, i, step);
            far[i as usize + 1] |= back | forward;
        }
    }

    /// The slides of vehicles with these heads after which the vehicle occupies a cell of a set.
    #[inline(always)]
    fn ending_among(self, set: C, heads: C, length: u32, step: u32) -> C {
        let (mut before, mut after) = (C::default(), C::default());
        for i in 0..length {
            before |= set << ((i + 1) * step);
            after |= set >> ((i + 1) * step);
        }
        (self.back & before | self.forward & after) & first_cells(heads, length, step)
    }
}

/// Groups the vehicles of a board into classes.
fn classes<C: CellSet>(lines: &Lines) -> Vec<VehicleClass<C>> {
    let class = |orientation, length| VehicleClass {
        orientation,
        length,
        vehicles: Vec::new(),
        moved_at_start: 0,
        heads: C::default(),
        heads_at_start: C::default(),
    };
    let mut classes: Vec<VehicleClass<C>> =
        COMMON.iter().map(|&(orientation, length)| class(orientation, length)).collect();
    for (i, &vehicle) in lines.vehicles().iter().enumerate() {
        let (orientation, length) = (vehicle.orientation, u32::from(vehicle.length));
        let matches = |class: &VehicleClass<C>| class.orientation == orientation && class.length == length;
        let at = classes.iter().position(matches).unwrap_or_else(|| {
            classes.push(class(orientation, length));
            classes.len() - 1
        });
        classes[at].vehicles.push((i as u8, cell::<C>(vehicle, 0) as u8));
    }
    classes
}

/// The slide of the target to the exit from a position; empty if the position is impossible.
fn exit_slide<C: CellSet>(lines: &Lines, is_forth: bool, position: u8) -> ExitSlide<C> {
    let (target, goal) = (lines.vehicles()[0], lines.goal());
    let run = |cells: Range<u8>| cells.fold(C::default(), |set, at| set | C::one(cell::<C>(target, at)));
    let length = target.length;
    if position > goal && is_forth || u32::from(position + length) > C::SIDE {
        return ExitSlide::default();
    }
    let body = run(position..position + length);
    let (enters, frees) = if is_forth {
        (run(position + length..goal + length), run(goal.saturating_sub(1)..goal))
    } else {
        (run(goal..position), run(goal + length..goal + length + 1))
    };
    let cells = u32::from(goal.abs_diff(position));
    ExitSlide { head: run(position..position + 1), enters, end: run(goal..goal + length), frees: frees & body, cells }
}

/// The cell of a vehicle's head when it is at a position.
fn cell<C: CellSet>(vehicle: StaticVehicle, position: u8) -> u32 {
    match vehicle.orientation {
        Orientation::Horizontal => u32::from(vehicle.line) * C::SIDE + u32::from(position),
        Orientation::Vertical => u32::from(position) * C::SIDE + u32::from(vehicle.line),
    }
}

/// Number of bits from one cell of a line to the next.
#[inline(always)]
fn step<C: CellSet>(orientation: Orientation) -> u32 {
    if orientation == Orientation::Horizontal { 1 } else { C::SIDE }
}

/// The first `count` cells of vehicles with these heads.
#[inline(always)]
fn first_cells<C: CellSet>(heads: C, count: u32, step: u32) -> C {
    let mut cells = C::default();
    for i in 0..count {
        cells |= heads << (i * step);
    }
    cells
}

/// Adds the cells that vehicles with these heads can vacate: by the shorter slide if both directions are possible, back if both
/// are equally long.
///
/// `before(n)` gives the cells for which the cell n cells before them is free; `after(n)` those for which the cell n cells after
/// them is.
#[inline(always)]
fn add_vacated<C: CellSet>(
    vacated: &mut Slides<C>,
    heads: C,
    length: u32,
    step: u32,
    before: impl Fn(u32) -> C,
    after: impl Fn(u32) -> C,
) {
    let mut able_back = [heads; 17];
    for i in 0..length {
        able_back[i as usize + 1] = able_back[i as usize] & before(i + 1);
    }
    let mut able_forth = heads;
    for i in 0..length {
        able_forth = able_forth & after(length + i);
        let able_back = able_back[(length - i) as usize];
        let (back, forward) = if length - i <= i + 1 {
            (able_back, able_forth & !able_back)
        } else {
            (able_back & !able_forth, able_forth)
        };
        vacated.back |= back << (i * step);
        vacated.forward |= forward << (i * step);
    }
}
