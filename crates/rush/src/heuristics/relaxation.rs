//! The board on which a cell, once free, stays free, for all vehicles at once.

use super::cell_set::{CellSet, Large, Small};
use super::lines::{Fixed, Lines};
use super::plan_numbers::PlanNumbers;
use crate::{Orientation, RushDomain, RushState};
use clearway_search::Domain;
use std::ops::Range;

/// The relaxed plans of a board (delete relaxation): vehicles take up no room at the places they move to.
///
/// In such a world cells only become free, layer by layer, so every vehicle slides from where it stands now. A cell under a
/// vehicle becomes free by the shortest slide off it, to the side where that was possible in the earlier layer. The plan
/// is what the target needs, what those slides need, and so on, each slide counted once.
///
/// But for the target's slide to the exit, every slide of a plan frees one cell, and no two the same: so a plan is a set of cells,
/// and for each of them whether its vehicle goes back or forth. All is computed on such sets, by shifts, for all vehicles of one
/// orientation and length at once.
#[derive(Clone, Debug)]
pub struct RelaxedPlans(Relaxation);

#[derive(Clone, Debug)]
enum Relaxation {
    Small(Box<Relaxed<Small>>),
    Large(Box<Relaxed<Large>>),
}

impl RelaxedPlans {
    /// The plans of a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> RelaxedPlans {
        let board = domain.board();
        if u32::from(board.width().max(board.height())) <= Small::SIDE {
            RelaxedPlans(Relaxation::Small(Box::new(Relaxed::new(domain))))
        } else {
            RelaxedPlans(Relaxation::Large(Box::new(Relaxed::new(domain))))
        }
    }

    /// The number of slides of the plan from a state; 0 if the target is out, none if there is no plan.
    #[inline]
    pub fn slides<const N: usize>(&mut self, state: &RushState<N>) -> Option<u32> {
        match &mut self.0 {
            Relaxation::Small(relaxed) => relaxed.slides(state),
            Relaxation::Large(relaxed) => relaxed.slides(state),
        }
    }

    /// What is to be said about the plan from a state; all 0 if the target is out, none if there is no plan.
    #[inline]
    pub fn numbers<const N: usize>(&mut self, state: &RushState<N>) -> Option<PlanNumbers> {
        match &mut self.0 {
            Relaxation::Small(relaxed) => relaxed.numbers(state),
            Relaxation::Large(relaxed) => relaxed.numbers(state),
        }
    }
}

/// The orientations and lengths that nearly all vehicles have; their classes come first, in this order, also if they are empty.
const USUAL: [(Orientation, u32); 4] = [
    (Orientation::Horizontal, 2),
    (Orientation::Horizontal, 3),
    (Orientation::Vertical, 2),
    (Orientation::Vertical, 3),
];

/// The vehicles of one orientation and length.
#[derive(Clone, Debug)]
struct Class<C> {
    orientation: Orientation,
    length: u32,
    /// Each vehicle, and the cell of its head when it is at position 0: first those that the plan at the start moves.
    vehicles: Vec<(u8, u8)>,
    moved_at_start: usize,
    /// The heads in the state looked at: of all its vehicles, and of those that the plan at the start moves.
    heads: C,
    heads_at_start: C,
}

#[derive(Clone, Debug)]
struct Relaxed<C> {
    classes: Vec<Class<C>>,
    is_shut: bool,
    /// All cells of the board.
    board: C,
    /// By number: the cells of the board that are not among so many first ones of their row, and not among so many last ones.
    not_first: [C; 32],
    not_last: [C; 32],
    /// By position of the target: its slide to the exit.
    ways: [Way<C>; 16],
    goal: u8,
    is_out_forth: bool,
    target_orientation: Orientation,
    start: Vec<u8>,
    is_target_moved_at_start: bool,
}

/// The slide of the target to the exit from one position.
#[derive(Clone, Copy, Debug, Default)]
struct Way<C> {
    /// The cell of the target's head before it.
    head: C,
    /// The cells that it enters, and those on which it ends.
    enters: C,
    end: C,
    /// The cell that no shorter slide out frees, if it goes no farther than the target is long.
    frees: C,
    cells: u32,
}

/// The slides of a plan, but for the target's slide to the exit: the cells that slides back free, and those that slides
/// forth do.
#[derive(Clone, Copy, Debug, Default)]
struct Slides<C> {
    back: C,
    forth: C,
}

/// Evaluates an expression for each class, for the usual ones with constants instead of variables: the vehicles' distance
/// from one cell to the next, their length, and the class.
macro_rules! for_each_class {
    ($relaxed:expr, |$step:ident, $length:ident, $class:ident| $body:expr) => {{
        let (usual, others) = $relaxed.classes.split_at(USUAL.len());
        for_each_class!(@one usual[0], 1, 2, $step, $length, $class, $body);
        for_each_class!(@one usual[1], 1, 3, $step, $length, $class, $body);
        for_each_class!(@one usual[2], C::SIDE, 2, $step, $length, $class, $body);
        for_each_class!(@one usual[3], C::SIDE, 3, $step, $length, $class, $body);
        for class in others {
            for_each_class!(@one class, step::<C>(class.orientation), class.length, $step, $length, $class, $body);
        }
    }};
    (@one $one:expr, $its_step:expr, $its_length:expr, $step:ident, $length:ident, $class:ident, $body:expr) => {{
        let ($step, $length, $class): (u32, u32, &Class<C>) = ($its_step, $its_length, &$one);
        $body
    }};
}

impl<C: CellSet> Relaxed<C> {
    fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let board = domain.board();
        let (width, height) = (u32::from(board.width()), u32::from(board.height()));
        let columns = |from: u32, to: u32| {
            let cells = (0..height).flat_map(|y| (from..to).map(move |x| y * C::SIDE + x));
            cells.fold(C::default(), |set, cell| set | C::one(cell))
        };
        let (start, is_out_forth) = (domain.start(), board.exit().side().is_forward());
        let mut relaxed = Relaxed {
            classes: classes(&lines),
            is_shut: lines.is_shut(),
            board: columns(0, width),
            not_first: std::array::from_fn(|count| columns((count as u32).min(width), width)),
            not_last: std::array::from_fn(|count| columns(0, width.saturating_sub(count as u32))),
            ways: std::array::from_fn(|position| way(&lines, is_out_forth, position as u8)),
            goal: lines.goal(),
            is_out_forth,
            target_orientation: lines.vehicles()[0].orientation,
            start: (0..lines.vehicles().len()).map(|vehicle| start.position(vehicle)).collect(),
            is_target_moved_at_start: false,
        };
        relaxed.find_heads(&start);
        if let Some(slides) = relaxed.plan(&start) {
            let moved = relaxed.moved(slides, start.position(0));
            let is_moved = |class: &Class<C>, &(vehicle, first): &(u8, u8)| {
                let cell = u32::from(first) + u32::from(start.position(vehicle.into())) * step::<C>(class.orientation);
                (moved.back | moved.forth).has(cell)
            };
            let sorted = relaxed.classes.iter().map(|class| {
                let (first, then): (Vec<_>, Vec<_>) = class.vehicles.iter().partition(|one| is_moved(class, one));
                (first.len(), [first, then].concat())
            });
            for ((count, vehicles), class) in sorted.collect::<Vec<_>>().into_iter().zip(&mut relaxed.classes) {
                (class.moved_at_start, class.vehicles) = (count, vehicles);
            }
            relaxed.is_target_moved_at_start = true;
        }
        relaxed
    }

    #[inline(always)]
    fn slides<const N: usize>(&mut self, state: &RushState<N>) -> Option<u32> {
        if state.position(0) == self.goal {
            return Some(0);
        }
        let way = self.ways[state.position(0) as usize & 15].enters;
        if (C::from_rows(&state.taken_cells()[0]) & way).is_empty() {
            return Some(1);
        }
        self.find_heads(state);
        let slides = self.plan(state)?;
        Some(1 + (slides.back | slides.forth).count())
    }

    #[inline(always)]
    fn numbers<const N: usize>(&mut self, state: &RushState<N>) -> Option<PlanNumbers> {
        let position = state.position(0);
        if position == self.goal {
            return Some(PlanNumbers::default());
        }
        self.find_heads(state);
        let slides = self.plan(state)?;
        let way = self.ways[position as usize & 15];
        let moved = self.moved(slides, position);
        // By number: the cells that are freed by slides of so many cells or more.
        let mut far = [C::default(); 17];
        let (mut needed, mut of_start) = ([C::default(); 2], C::default());
        needed[self.target_orientation as usize] = way.enters;
        for_each_class!(self, |step, length, class| {
            slides.add_far(&mut far, class.heads, length, step);
            needed[class.orientation as usize] |= slides.entered(class.heads, length, step);
            of_start |= first_cells(class.heads_at_start, length, step);
        });
        let across = needed[1 - self.target_orientation as usize];
        let mut conflicts = C::default();
        let is_out_conflict = !(way.end & across).is_empty();
        for_each_class!(self, |step, length, class| {
            let across = needed[1 - class.orientation as usize];
            conflicts |= slides.ending_among(across, class.heads, length, step);
        });
        let (mut cells, mut cells_of_start) = (way.cells, way.cells * u32::from(self.is_target_moved_at_start));
        for far in far[1..].iter().take_while(|far| !far.is_empty()) {
            cells += far.count();
            cells_of_start += (*far & of_start).count();
        }
        let mut settled = 0;
        for class in &self.classes {
            let step = step::<C>(class.orientation);
            for &(vehicle, first) in &class.vehicles {
                let (position, start) = (state.position(vehicle as usize), self.start[vehicle as usize]);
                let is_moved = (moved.back | moved.forth).has(u32::from(first) + u32::from(position) * step);
                settled += u32::from(position.abs_diff(start)) * u32::from(!is_moved);
            }
        }
        Some(PlanNumbers {
            slides: 1 + (slides.back | slides.forth).count(),
            cells,
            vehicles: (moved.back | moved.forth).count(),
            conflicts: conflicts.count() + u32::from(is_out_conflict),
            turns: (moved.back & moved.forth).count(),
            cells_of_start,
            settled,
        })
    }

    /// The plan from a state whose heads were found; none if there is none.
    #[inline(always)]
    fn plan<const N: usize>(&self, state: &RushState<N>) -> Option<Slides<C>> {
        if self.is_shut {
            return None;
        }
        let taken = C::from_rows(&state.taken_cells()[0]);
        let way = self.ways[state.position(0) as usize & 15];
        let mut open = way.enters & taken;
        let by_back = self.free_the_way(!taken & self.board, way.enters)?;
        // What the target's slide out frees is not freed by a slide more.
        let of_way_out = if self.is_out_forth { way.frees & !by_back } else { way.frees & by_back };
        let mut known = open | of_way_out;
        while !open.is_empty() {
            let slides = Slides { back: open & by_back, forth: open & !by_back };
            let mut entered = C::default();
            for_each_class!(self, |step, length, class| {
                entered |= slides.entered(class.heads, length, step);
            });
            open = entered & taken & !known;
            known |= open;
        }
        let known = known & !of_way_out;
        Some(Slides { back: known & by_back, forth: known & !by_back })
    }

    /// Frees cells until the target can slide out, none if it never can: the cells that slides back free; slides
    /// forth free the others.
    #[inline(always)]
    fn free_the_way(&self, mut free: C, way: C) -> Option<C> {
        let mut by_back = C::default();
        while !(way & !free).is_empty() {
            let mut left = Slides::default();
            for_each_class!(self, |step, length, class| {
                let (before, after) = (|by| self.before(free, by, step), |by| self.after(free, by, step));
                add_left(&mut left, class.heads, length, step, before, after);
            });
            let fresh = (left.back | left.forth) & !free;
            if fresh.is_empty() {
                return None;
            }
            by_back |= left.back & fresh;
            free |= fresh;
        }
        Some(by_back)
    }

    /// The cells of the board before which, by so many, a cell of the set is.
    #[inline(always)]
    fn before(&self, set: C, by: u32, step: u32) -> C {
        if step == 1 { set << by & self.not_first[by as usize & 31] } else { set << (by * step) }
    }

    /// The cells of the board after which, by so many, a cell of the set is.
    #[inline(always)]
    fn after(&self, set: C, by: u32, step: u32) -> C {
        if step == 1 { set >> by & self.not_last[by as usize & 31] } else { set >> (by * step) }
    }

    /// Finds the heads of the vehicles.
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

    /// The heads of the vehicles that a plan moves back, and of those that it moves forth, the target among them.
    #[inline(always)]
    fn moved(&self, slides: Slides<C>, target: u8) -> Slides<C> {
        let mut moved = Slides::default();
        let out = self.ways[target as usize & 15].head;
        if self.is_out_forth {
            moved.forth = out;
        } else {
            moved.back = out;
        }
        for_each_class!(self, |step, length, class| {
            for i in 0..length {
                moved.back |= slides.back >> (i * step) & class.heads;
                moved.forth |= slides.forth >> (i * step) & class.heads;
            }
        });
        moved
    }
}

impl<C: CellSet> Slides<C> {
    /// The cells that the slides of vehicles with these heads enter.
    ///
    /// A vehicle leaves its cell i by going back over the cells that are i + 1 to `length` before it, or forth over those
    /// that are `length` - i to `length` after it.
    #[inline(always)]
    fn entered(self, heads: C, length: u32, step: u32) -> C {
        let bodies = first_cells(heads, length, step);
        let mut entered = C::default();
        for i in 0..length {
            let by = (i + 1) * step;
            entered |= (self.back & first_cells(heads, i + 1, step)) >> by;
            entered |= (self.forth & bodies & !first_cells(heads, length - i - 1, step)) << by;
        }
        entered
    }

    /// Adds the slides of vehicles with these heads, by the number of cells that they go at least.
    #[inline(always)]
    fn add_far(self, far: &mut [C; 17], heads: C, length: u32, step: u32) {
        let bodies = first_cells(heads, length, step);
        for i in 0..length {
            let back = self.back & first_cells(heads, length - i, step);
            let forth = self.forth & bodies & !first_cells(heads, i, step);
            far[i as usize + 1] |= back | forth;
        }
    }

    /// The slides of vehicles with these heads that end on cells of a set.
    #[inline(always)]
    fn ending_among(self, set: C, heads: C, length: u32, step: u32) -> C {
        let (mut before, mut after) = (C::default(), C::default());
        for i in 0..length {
            before |= set << ((i + 1) * step);
            after |= set >> ((i + 1) * step);
        }
        (self.back & before | self.forth & after) & first_cells(heads, length, step)
    }
}

/// The vehicles of a board by class.
fn classes<C: CellSet>(lines: &Lines) -> Vec<Class<C>> {
    let class = |orientation, length| Class {
        orientation,
        length,
        vehicles: Vec::new(),
        moved_at_start: 0,
        heads: C::default(),
        heads_at_start: C::default(),
    };
    let mut classes: Vec<Class<C>> = USUAL.iter().map(|&(orientation, length)| class(orientation, length)).collect();
    for (i, &vehicle) in lines.vehicles().iter().enumerate() {
        let (orientation, length) = (vehicle.orientation, u32::from(vehicle.length));
        let is_its = |class: &Class<C>| class.orientation == orientation && class.length == length;
        let at = classes.iter().position(is_its).unwrap_or_else(|| {
            classes.push(class(orientation, length));
            classes.len() - 1
        });
        classes[at].vehicles.push((i as u8, cell::<C>(vehicle, 0) as u8));
    }
    classes
}

/// The slide of the target to the exit from a position.
fn way<C: CellSet>(lines: &Lines, is_forth: bool, position: u8) -> Way<C> {
    let (target, goal) = (lines.vehicles()[0], lines.goal());
    let run = |cells: Range<u8>| cells.fold(C::default(), |set, at| set | C::one(cell::<C>(target, at)));
    let length = target.length;
    if position > goal && is_forth || u32::from(position + length) > C::SIDE {
        return Way::default();
    }
    let body = run(position..position + length);
    let (enters, frees) = if is_forth {
        (run(position + length..goal + length), run(goal.saturating_sub(1)..goal))
    } else {
        (run(goal..position), run(goal + length..goal + length + 1))
    };
    let cells = u32::from(goal.abs_diff(position));
    Way { head: run(position..position + 1), enters, end: run(goal..goal + length), frees: frees & body, cells }
}

/// The cell of a vehicle's head at a position.
fn cell<C: CellSet>(vehicle: Fixed, position: u8) -> u32 {
    match vehicle.orientation {
        Orientation::Horizontal => u32::from(vehicle.line) * C::SIDE + u32::from(position),
        Orientation::Vertical => u32::from(position) * C::SIDE + u32::from(vehicle.line),
    }
}

/// From one cell of a line to the next.
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

/// Adds the cells that vehicles with these heads can leave: by the shorter of two slides if both are possible, back if they
/// are equal.
///
/// `before` gives the cells before which, by so many, a cell is free; `after` those after which one is.
#[inline(always)]
fn add_left<C: CellSet>(
    left: &mut Slides<C>,
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
        let (back, forth) = if length - i <= i + 1 {
            (able_back, able_forth & !able_back)
        } else {
            (able_back & !able_forth, able_forth)
        };
        left.back |= back << (i * step);
        left.forth |= forth << (i * step);
    }
}
