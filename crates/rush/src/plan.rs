//! Plans that need not be shortest: execution on a board, and the removal of moves that are not needed.

use crate::{Board, Metric, Move, Orientation, Vehicle};

/// A slide of a vehicle, by its index on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slide {
    pub vehicle: usize,
    /// Number of cells; positive is right or down.
    pub cells: i8,
}

/// A sequence of slides.
pub(crate) type Plan = Vec<Slide>;

/// A board on which slides are executed quickly.
#[derive(Clone, Debug)]
pub(crate) struct Execution<'a> {
    board: &'a Board,
    /// By cell: the vehicle that covers it, [`FREE`] or [`WALL`].
    grid: [u8; 256],
    positions: Vec<u8>,
}

const FREE: u8 = 255;
const WALL: u8 = 254;

impl<'a> Execution<'a> {
    pub fn new(board: &'a Board) -> Execution<'a> {
        let mut grid = [FREE; 256];
        for (x, y) in board.walls().iter() {
            grid[y as usize * 16 + x as usize] = WALL;
        }
        for (index, vehicle) in board.vehicles().iter().enumerate() {
            for (x, y) in vehicle.cells() {
                grid[y as usize * 16 + x as usize] = index as u8;
            }
        }
        let positions = board.vehicles().iter().map(Vehicle::position).collect();
        Execution { board, grid, positions }
    }

    pub fn positions(&self) -> &[u8] {
        &self.positions
    }

    fn cell(&self, vehicle: usize, along: u8) -> usize {
        let vehicle = &self.board.vehicles()[vehicle];
        match vehicle.orientation {
            Orientation::Horizontal => vehicle.line() as usize * 16 + along as usize,
            Orientation::Vertical => along as usize * 16 + vehicle.line() as usize,
        }
    }

    /// Returns the vehicles in the way of a slide, nearest first; `None` if a wall or the edge is in the way.
    pub fn obstacles(&self, slide: Slide) -> Option<Vec<usize>> {
        let vehicle = &self.board.vehicles()[slide.vehicle];
        let (position, length) = (self.positions[slide.vehicle] as i16, vehicle.length as i16);
        let side = self.board.side_along(vehicle.orientation) as i16;
        let mut found = Vec::new();
        for distance in 1..=i16::from(slide.cells.unsigned_abs()) {
            let entered = if slide.cells > 0 { position + length - 1 + distance } else { position - distance };
            if !(0..side).contains(&entered) {
                return None;
            }
            match self.grid[self.cell(slide.vehicle, entered as u8)] {
                FREE => {}
                WALL => return None,
                other if found.last() == Some(&(other as usize)) => {}
                other => found.push(other as usize),
            }
        }
        Some(found)
    }

    /// Executes a slide; returns whether it was possible.
    pub fn slide(&mut self, slide: Slide) -> bool {
        let is_free = self.obstacles(slide).is_some_and(|obstacles| obstacles.is_empty());
        if is_free {
            let (from, length) = (self.positions[slide.vehicle], self.board.vehicles()[slide.vehicle].length);
            let to = from.wrapping_add_signed(slide.cells);
            for along in from..from + length {
                self.grid[self.cell(slide.vehicle, along)] = FREE;
            }
            for along in to..to + length {
                self.grid[self.cell(slide.vehicle, along)] = slide.vehicle as u8;
            }
            self.positions[slide.vehicle] = to;
        }
        is_free
    }

    pub fn is_solved(&self) -> bool {
        self.positions[0] == self.board.goal_position()
    }
}

/// Returns whether a plan solves a board.
pub(crate) fn solves(board: &Board, plan: &[Slide]) -> bool {
    let mut execution = Execution::new(board);
    plan.iter().all(|&slide| execution.slide(slide)) && execution.is_solved()
}

/// Removes moves that are not needed: repeatedly joins two moves of a vehicle, or drops one, where the rest of the plan still
/// solves the board. In steps, moves also end earlier where the vehicle would only have to come back. The plan must solve the
/// board.
pub(crate) fn tidy(board: &Board, mut plan: Plan, metric: Metric) -> Plan {
    // What comes after the goal is first reached is not needed.
    let mut execution = Execution::new(board);
    if execution.is_solved() {
        return Plan::new();
    }
    if let Some(end) = plan.iter().position(|&slide| execution.slide(slide) && execution.is_solved()) {
        plan.truncate(end + 1);
    }
    let trimmed = |plan: &Plan| if metric == Metric::Steps { trim_once(board, plan) } else { None };
    while let Some(shorter) = shorten_once(board, &plan).or_else(|| trimmed(&plan)) {
        plan = shorter;
    }
    plan
}

/// Returns a plan of fewer steps, if a vehicle may stop one cell earlier, from where it moves back or no more.
fn trim_once(board: &Board, plan: &[Slide]) -> Option<Plan> {
    let trimmed = |first: usize| {
        let Slide { vehicle, cells } = plan[first];
        let mut candidate = plan.to_vec();
        candidate[first].cells -= cells.signum();
        if let Some(next) = candidate[first + 1..].iter_mut().find(|slide| slide.vehicle == vehicle) {
            if next.cells.signum() == cells.signum() {
                return None;
            }
            next.cells += cells.signum();
        }
        candidate.retain(|slide| slide.cells != 0);
        solves(board, &candidate).then_some(candidate)
    };
    (0..plan.len()).find_map(trimmed)
}

/// Returns a plan with fewer slides, if joining or dropping moves of one vehicle gives one.
fn shorten_once(board: &Board, plan: &[Slide]) -> Option<Plan> {
    for first in 0..plan.len() {
        let Slide { vehicle, cells } = plan[first];
        let second = (first + 1..plan.len()).find(|&at| plan[at].vehicle == vehicle);
        let mut candidates = Vec::new();
        if let Some(second) = second {
            let joined = Slide { vehicle, cells: cells + plan[second].cells };
            for (kept, dropped) in [(first, second), (second, first)] {
                let mut candidate = plan.to_vec();
                candidate[kept] = joined;
                candidate.remove(dropped);
                candidate.retain(|slide| slide.cells != 0);
                candidates.push(candidate);
            }
        } else {
            let mut candidate = plan.to_vec();
            candidate.remove(first);
            candidates.push(candidate);
        }
        if let Some(shorter) = candidates.into_iter().find(|candidate| solves(board, candidate)) {
            return Some(shorter);
        }
    }
    None
}

/// The state of a board after a plan that can be executed.
pub(crate) fn state_after(board: &Board, plan: &[Slide]) -> Board {
    let mut execution = Execution::new(board);
    for &slide in plan {
        execution.slide(slide);
    }
    board.with_positions(execution.positions()).expect("an executed plan leads to a valid board")
}

/// A solution as slides of vehicles by their index.
pub(crate) fn from_moves(board: &Board, moves: &[Move]) -> Plan {
    let vehicle = |label| board.vehicle_labelled(label).expect("the moves are those of this board's vehicles");
    moves.iter().map(|mv| Slide { vehicle: vehicle(mv.label), cells: mv.cells }).collect()
}

/// The plan as moves of labelled vehicles.
pub(crate) fn to_moves(board: &Board, plan: &[Slide]) -> Vec<Move> {
    plan.iter().map(|slide| Move { label: board.vehicles()[slide.vehicle].label, cells: slide.cells }).collect()
}

/// Length of a plan in a metric.
pub(crate) fn length(plan: &[Slide], metric: Metric) -> u32 {
    match metric {
        Metric::Moves => plan.len() as u32,
        Metric::Steps => plan.iter().map(|slide| u32::from(slide.cells.unsigned_abs())).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    #[test]
    fn steps_that_are_not_needed_are_removed() {
        let board = formats::read_one("............AA..B.....B.............", None).unwrap().board;
        let (a, b) = (|cells| Slide { vehicle: 0, cells }, |cells| Slide { vehicle: 1, cells });
        let tidy = |plan: &[Slide], metric| {
            assert!(solves(&board, plan));
            tidy(&board, plan.to_vec(), metric)
        };
        assert_eq!(tidy(&[b(2), a(4)], Metric::Moves), [b(2), a(4)]);
        assert_eq!(tidy(&[b(2), a(4)], Metric::Steps), [b(1), a(4)]);
        assert_eq!(tidy(&[b(-2), a(1), a(3)], Metric::Steps), [b(-2), a(4)]);
        assert_eq!(tidy(&[b(2), a(3), b(-1), a(1)], Metric::Steps), [b(1), a(4)]);
    }
}
