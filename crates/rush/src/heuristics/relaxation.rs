//! Relaxed plans, in which a free cell stays free.

use super::cell_set::{CellSet, LargeCellSet, MediumCellSet, SmallCellSet};
use super::lines::{Direction, Lines, StaticVehicle};
use super::occupants::Occupants;
use super::packed_positions::PackedPositions;
use super::plan_statistics::PlanStatistics;
use super::relaxed_reachability::RelaxedReachability;
use crate::vehicle_set::VehicleSet;
use crate::{Metric, Orientation, RushDomain, RushMove, RushState};
use clearway_search::Domain;
use std::ops::Range;

/// Computes relaxed plans (delete relaxation): vehicles do not occupy the cells that they move to.
///
/// In this relaxation cells only become free, layer by layer, so every vehicle slides from its current position. A cell under a
/// vehicle becomes free by the shortest slide off it, in the direction that is possible in the earlier layer. The plan consists
/// of the slides that the target needs, the slides that those need, and so on, each counted once.
///
/// Except for the target's slide to the exit, every slide of a plan frees one cell, and no two slides free the same cell. The
/// layers are computed on sets of cells, for all vehicles of one orientation and length at once; then the plan is extracted cell
/// by cell.
#[derive(Clone, Debug)]
pub struct RelaxedPlanner(SizedPlanner);

/// The planner for the size of the board.
#[derive(Clone, Debug)]
enum SizedPlanner {
    Small(Box<CellSetPlanner<SmallCellSet>>),
    Medium(Box<CellSetPlanner<MediumCellSet>>),
    Large(Box<CellSetPlanner<LargeCellSet>>),
}

/// Calls a method of the planner for the size of the board.
macro_rules! sized {
    ($planner:expr, $method:ident($($argument:expr),*)) => {
        match &mut $planner.0 {
            SizedPlanner::Small(planner) => planner.$method($($argument),*),
            SizedPlanner::Medium(planner) => planner.$method($($argument),*),
            SizedPlanner::Large(planner) => planner.$method($($argument),*),
        }
    };
}

impl RelaxedPlanner {
    /// Creates the planner for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> RelaxedPlanner {
        let side = u32::from(domain.board().width().max(domain.board().height()));
        RelaxedPlanner(if side <= SmallCellSet::SIDE {
            SizedPlanner::Small(Box::new(CellSetPlanner::new(domain)))
        } else if side <= MediumCellSet::SIDE {
            SizedPlanner::Medium(Box::new(CellSetPlanner::new(domain)))
        } else {
            SizedPlanner::Large(Box::new(CellSetPlanner::new(domain)))
        })
    }

    /// Number of slides of the relaxed plan from a state; 0 if the state is solved, `None` if there is no plan.
    #[inline]
    pub fn slides<const N: usize>(&mut self, state: &RushState<N>) -> Option<u32> {
        sized!(self, slides(state))
    }

    /// Statistics of the relaxed plan from a state; all 0 if the state is solved, `None` if there is no plan.
    #[inline]
    pub fn statistics<const N: usize>(&mut self, state: &RushState<N>) -> Option<PlanStatistics> {
        sized!(self, statistics(state))
    }

    /// Marks the moves that do what a slide of the relaxed plan from a state does, or more: in moves, the slides of the same
    /// vehicle in the same direction that are at least as long; in steps, the steps of the vehicle in that direction.
    pub fn mark_moves<const N: usize>(
        &mut self,
        state: &RushState<N>,
        metric: Metric,
        moves: &[RushMove],
        marks: &mut [bool],
    ) {
        sized!(self, mark_moves(state, metric, moves, marks));
    }
}

/// A vehicle, and what the planner needs to know about it.
#[derive(Clone, Copy, Debug)]
struct PlannedVehicle {
    orientation: Orientation,
    length: u8,
    /// Its line, as an index into the prefixes.
    line: u8,
    /// The first cell of its line.
    origin: u8,
    /// Its position at the start.
    start: u8,
    /// Whether the plan of the start moves it.
    is_moved_at_start: bool,
}

/// The planner for one representation of cell sets.
#[derive(Clone, Debug)]
struct CellSetPlanner<C> {
    reachability: RelaxedReachability<C>,
    /// The vehicles on the cells in the state that was planned for last.
    occupants: Occupants,
    vehicles: Vec<PlannedVehicle>,
    /// For each row, then for each column: the sets of its first 0, 1, 2, ... cells.
    prefixes: Vec<[C; 17]>,
    is_exit_unreachable: bool,
    /// The slide of the target to the exit, indexed by its position.
    exit_slides: [ExitSlide<C>; 16],
    goal: u8,
    exit_direction: Direction,
    start: PackedPositions,
    /// The slides of the plan, except for the target's slide to the exit.
    slides: Vec<RelaxedSlide<C>>,
    /// Whether there is a plan; `None` if it is not computed yet.
    is_plan: Option<bool>,
}

/// A slide of a plan.
#[derive(Clone, Copy, Debug)]
struct RelaxedSlide<C> {
    vehicle: u8,
    /// Position after the slide.
    to: u8,
    /// Length in cells.
    cells: u8,
    direction: Direction,
    /// The cells that the vehicle enters.
    enters: C,
}

/// The slide of the target to the exit from a position.
#[derive(Clone, Copy, Debug, Default)]
struct ExitSlide<C> {
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

impl<C: CellSet> CellSetPlanner<C> {
    fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let (lines, start) = (Lines::new(domain), domain.start());
        let vehicle = |(i, fixed): (usize, &StaticVehicle)| PlannedVehicle {
            orientation: fixed.orientation,
            length: fixed.length,
            line: fixed.orientation as u8 * 16 + fixed.line,
            origin: cell::<C>(fixed.orientation, fixed.line, 0) as u8,
            start: start.position(i),
            is_moved_at_start: false,
        };
        let vehicles: Vec<PlannedVehicle> = lines.vehicles().iter().enumerate().map(vehicle).collect();
        let positions: Vec<u8> = vehicles.iter().map(|vehicle| vehicle.start).collect();
        let mut planner = CellSetPlanner {
            reachability: RelaxedReachability::new(domain),
            occupants: Occupants::new(domain, C::SIDE),
            vehicles,
            prefixes: (0..32).map(prefixes).collect(),
            is_exit_unreachable: lines.is_exit_unreachable(),
            exit_slides: std::array::from_fn(|position| exit_slide(&lines, position as u8)),
            goal: lines.goal(),
            exit_direction: lines.exit_direction(),
            start: PackedPositions::new(&positions),
            slides: Vec::new(),
            is_plan: None,
        };
        if planner.plan(&start).is_some() {
            planner.vehicles[0].is_moved_at_start = true;
            for slide in &planner.slides {
                planner.vehicles[slide.vehicle as usize].is_moved_at_start = true;
            }
        }
        planner
    }

    fn slides<const N: usize>(&mut self, state: &RushState<N>) -> Option<u32> {
        if state.position(0) == self.goal {
            return Some(0);
        }
        if (C::from_rows(&state.occupied_cells()[0]) & self.exit_slide(state).enters).is_empty() {
            return Some(1);
        }
        self.plan(state)?;
        Some(1 + self.slides.len() as u32)
    }

    fn statistics<const N: usize>(&mut self, state: &RushState<N>) -> Option<PlanStatistics> {
        if state.position(0) == self.goal {
            return Some(PlanStatistics::default());
        }
        self.plan(state)?;
        let exit_slide = self.exit_slide(state);
        let target = self.vehicles[0];
        // The cells that slides of each orientation enter.
        let mut entered = [C::default(); 2];
        entered[target.orientation as usize] = exit_slide.enters;
        for slide in &self.slides {
            entered[self.vehicles[slide.vehicle as usize].orientation as usize] |= slide.enters;
        }
        let is_conflict =
            |orientation: Orientation, end: C| u32::from(!(end & entered[orientation.across() as usize]).is_empty());
        let displacement = |vehicle: usize| u32::from(state.position(vehicle).abs_diff(self.vehicles[vehicle].start));
        let mut statistics = PlanStatistics {
            slides: 1 + self.slides.len() as u32,
            cells: exit_slide.cells,
            vehicles: 1,
            conflicts: is_conflict(target.orientation, exit_slide.end),
            turns: 0,
            cells_of_start: exit_slide.cells * u32::from(target.is_moved_at_start),
            settled: self.start.distance(state) - displacement(0),
        };
        // The vehicles that the plan moves back, and those that it moves forward.
        let mut moved: [VehicleSet; 2] = [0; 2];
        moved[self.exit_direction as usize] = 1;
        for &RelaxedSlide { vehicle, to, cells, direction, .. } in &self.slides {
            let vehicle = vehicle as usize;
            let fixed = self.vehicles[vehicle];
            statistics.cells += u32::from(cells);
            statistics.cells_of_start += u32::from(cells) * u32::from(fixed.is_moved_at_start);
            statistics.conflicts += is_conflict(fixed.orientation, self.run(fixed, to..to + fixed.length));
            if (moved[0] | moved[1]) >> vehicle & 1 == 0 {
                statistics.vehicles += 1;
                statistics.settled -= displacement(vehicle);
            }
            moved[direction as usize] |= 1 << vehicle;
        }
        statistics.turns = (moved[0] & moved[1]).count_ones();
        Some(statistics)
    }

    fn mark_moves<const N: usize>(
        &mut self,
        state: &RushState<N>,
        metric: Metric,
        moves: &[RushMove],
        marks: &mut [bool],
    ) {
        if state.position(0) == self.goal || self.plan(state).is_none() {
            return;
        }
        let exit_slide = self.exit_slide(state);
        for (mv, mark) in moves.iter().zip(marks) {
            let does = |vehicle: u8, direction: Direction, cells: u32| {
                mv.vehicle == vehicle
                    && (mv.cells > 0) == (direction == Direction::Forward)
                    && (metric == Metric::Steps || u32::from(mv.cells.unsigned_abs()) >= cells)
            };
            *mark |= does(0, self.exit_direction, exit_slide.cells)
                || self.slides.iter().any(|slide| does(slide.vehicle, slide.direction, slide.cells.into()));
        }
    }

    /// Computes the slides of the plan from a state, unless it was called for the same state before. `None` if there is no
    /// plan.
    fn plan<const N: usize>(&mut self, state: &RushState<N>) -> Option<()> {
        let CellSetPlanner { reachability, occupants, is_plan, .. } = self;
        occupants.update(state, |vehicle, from, to| {
            reachability.slide(vehicle, from, to);
            *is_plan = None;
        });
        let is_plan = self.is_plan.unwrap_or_else(|| self.extract(state).is_some());
        self.is_plan = Some(is_plan);
        is_plan.then_some(())
    }

    fn extract<const N: usize>(&mut self, state: &RushState<N>) -> Option<()> {
        self.slides.clear();
        if self.is_exit_unreachable {
            return None;
        }
        let taken = C::from_rows(&state.occupied_cells()[0]);
        let exit_slide = self.exit_slide(state);
        let by_back = self.reachability.free_cells(!taken & self.reachability.board(), exit_slide.enters)?;
        // A cell that the target's slide to the exit frees does not need another slide.
        let by_exit_slide = match self.exit_direction {
            Direction::Forward => exit_slide.frees & !by_back,
            Direction::Back => exit_slide.frees & by_back,
        };
        let mut open = exit_slide.enters & taken;
        let mut known = open | by_exit_slide;
        while let Some(cell) = open.pop_first() {
            // Walls never become free, so there is a vehicle on the cell.
            let Some(vehicle) = self.occupants.at(cell as u8) else { continue };
            let direction = if by_back.contains(cell) { Direction::Back } else { Direction::Forward };
            let slide = self.slide_off(vehicle, state.position(vehicle), cell, direction);
            let blocked = slide.enters & taken & !known;
            known |= blocked;
            open |= blocked;
            self.slides.push(slide);
        }
        Some(())
    }

    /// The shortest slide of a vehicle from a position off a cell.
    #[inline(always)]
    fn slide_off(&self, vehicle: usize, position: u8, cell: u32, direction: Direction) -> RelaxedSlide<C> {
        let fixed = self.vehicles[vehicle];
        let length = fixed.length;
        let offset = cell - u32::from(fixed.origin);
        let place = (if fixed.orientation == Orientation::Horizontal { offset } else { offset / C::SIDE }) as u8;
        let (to, enters) = match direction {
            Direction::Back => (place - length, place - length..position),
            Direction::Forward => (place + 1, position + length..place + 1 + length),
        };
        let enters = self.run(fixed, enters);
        RelaxedSlide { vehicle: vehicle as u8, to, cells: to.abs_diff(position), direction, enters }
    }

    /// Cells of a vehicle's line.
    #[inline(always)]
    fn run(&self, vehicle: PlannedVehicle, cells: Range<u8>) -> C {
        let prefixes = &self.prefixes[vehicle.line as usize & 31];
        prefixes[cells.end as usize] & !prefixes[cells.start as usize]
    }

    #[inline(always)]
    fn exit_slide<const N: usize>(&self, state: &RushState<N>) -> ExitSlide<C> {
        self.exit_slides[state.position(0) as usize & 15]
    }
}

/// The sets of the first cells of a line: a row, or from 16 on a column. Lines and cells off the grid are empty.
fn prefixes<C: CellSet>(line: u8) -> [C; 17] {
    let (orientation, line) =
        if line < 16 { (Orientation::Horizontal, line) } else { (Orientation::Vertical, line - 16) };
    let mut set = C::default();
    std::array::from_fn(|count| {
        if count > 0 && count as u32 <= C::SIDE && u32::from(line) < C::SIDE {
            set |= C::one(cell::<C>(orientation, line, count as u8 - 1));
        }
        set
    })
}

/// The slide of the target to the exit from a position; empty if the position is impossible.
fn exit_slide<C: CellSet>(lines: &Lines, position: u8) -> ExitSlide<C> {
    let (target, goal) = (lines.vehicles()[0], lines.goal());
    let is_forward = lines.exit_direction() == Direction::Forward;
    let run = |cells: Range<u8>| {
        cells.fold(C::default(), |set, at| set | C::one(cell::<C>(target.orientation, target.line, at)))
    };
    let length = target.length;
    if position > goal && is_forward || u32::from(position + length) > C::SIDE {
        return ExitSlide::default();
    }
    let body = run(position..position + length);
    let (enters, frees) = if is_forward {
        (run(position + length..goal + length), run(goal.saturating_sub(1)..goal))
    } else {
        (run(goal..position), run(goal + length..goal + length + 1))
    };
    let cells = u32::from(goal.abs_diff(position));
    ExitSlide { enters, end: run(goal..goal + length), frees: frees & body, cells }
}

/// A cell of a line, given its place in the line.
fn cell<C: CellSet>(orientation: Orientation, line: u8, place: u8) -> u32 {
    match orientation {
        Orientation::Horizontal => u32::from(line) * C::SIDE + u32::from(place),
        Orientation::Vertical => u32::from(place) * C::SIDE + u32::from(line),
    }
}
