//! Counterexample-guided abstraction: solves subsets of the vehicles.
//!
//! The board with only some of its vehicles is at most as hard as the whole board: a solution of the whole board, without the
//! moves of the removed vehicles, solves the rest. So the optimum of a subset is a lower bound, and a subset without a solution
//! proves that the board has none. If the solution of a subset can be executed on the whole board, it is optimal. If a removed
//! vehicle is in its way, that vehicle is added, and the larger subset is solved.

use crate::exact::Solver;
use crate::plan::{Execution, Slide};
use crate::portfolio::SMALL_SIDE;
use crate::{Answer, Board, Cells, Exit, MIN_SIDE, Metric, Orientation, Side, Solution, Vehicle, vehicle_ranges};
use clearway_search::{Limit, Limits, SearchStatistics, Verdict};

/// State of the refinement, kept between calls.
#[derive(Clone, Debug)]
pub(crate) struct Abstraction {
    ranges: Vec<(u8, u8)>,
    /// By vehicle: whether it is part of the subset.
    included: Vec<bool>,
    /// Largest optimum of a subset so far, or bound on it.
    lower_bound: u32,
}

/// Outcome of a call.
#[derive(Clone, Debug)]
pub(crate) struct AbstractionOutcome {
    /// The solution of the whole board, which is optimal; unsolvable; or the limit of the subset that was not solved.
    pub verdict: Verdict,
    pub solution: Option<Solution>,
    pub statistics: SearchStatistics,
    pub memory: usize,
}

impl Abstraction {
    /// Starts with the target and the vehicles between it and the exit.
    pub fn new(board: &Board) -> Abstraction {
        let mut included = vec![false; board.vehicles().len()];
        included[0] = true;
        let slide = Slide { vehicle: 0, cells: board.goal_position() as i8 - board.target().position() as i8 };
        for blocker in Execution::new(board).obstacles(slide).unwrap_or_default() {
            included[blocker] = true;
        }
        Abstraction { ranges: vehicle_ranges(board), included, lower_bound: 0 }
    }

    /// Starts with the target and the given vehicles.
    pub fn with_vehicles(board: &Board, vehicles: &[usize]) -> Abstraction {
        let included = (0..board.vehicles().len()).map(|vehicle| vehicle == 0 || vehicles.contains(&vehicle)).collect();
        Abstraction { ranges: vehicle_ranges(board), included, lower_bound: 0 }
    }

    /// Solves the board with only the vehicles of the subset.
    pub fn solve_part(&self, board: &Board, metric: Metric, solver: &mut Solver, limits: &Limits) -> Answer {
        let (part, ranges) = self.part(board);
        solver.solve_within(&part, Some(&ranges), metric, limits)
    }

    /// Lower bound on the length of every solution of the whole board.
    pub fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    /// Refines the subset until it is decided, or until a subset exceeds the limits. The node limit applies to all subsets of
    /// this call together; `small_nodes` nodes of a small part count as one.
    pub fn run(
        &mut self,
        board: &Board,
        metric: Metric,
        solver: &mut Solver,
        limits: &Limits,
        small_nodes: u64,
    ) -> AbstractionOutcome {
        let mut statistics = SearchStatistics::default();
        let mut memory = 0;
        let mut left = limits.nodes.unwrap_or(u64::MAX);
        let checker = limits.checker();
        loop {
            let limits = limits.remaining_after(checker.elapsed());
            // Small parts are searched much faster, with tables that do not know the ranges.
            let (answer, weight) = match self.small_part(board) {
                Some(part) => {
                    let nodes = Some(left.saturating_mul(small_nodes));
                    (solver.solve(&part, metric, &Limits { nodes, ..limits }), small_nodes)
                }
                None => (self.solve_part(board, metric, solver, &Limits { nodes: Some(left), ..limits }), 1),
            };
            statistics.add(&answer.statistics);
            left = left.saturating_sub(answer.statistics.expanded.div_ceil(weight));
            memory = memory.max(answer.memory);
            let outcome = |verdict, solution| AbstractionOutcome { verdict, solution, statistics, memory };
            if answer.verdict != Verdict::Unsolvable {
                self.lower_bound = self.lower_bound.max(answer.lower_bound);
            }
            let Some(solution) = answer.solution else { return outcome(answer.verdict, None) };
            match self.first_obstacles(board, &solution) {
                None => return outcome(Verdict::Solved, Some(solution)),
                // Every vehicle of the whole board is part of the subset, or its cells are walls of the part.
                Some(obstacles) if obstacles.is_empty() => {
                    return outcome(Verdict::Limit(Limit::Incomplete), None);
                }
                Some(obstacles) => obstacles.into_iter().for_each(|vehicle| self.included[vehicle] = true),
            }
        }
    }

    /// The board without the vehicles outside the subset, and the ranges of its vehicles on the whole board. The cells that
    /// the others always cover become walls.
    fn part(&self, board: &Board) -> (Board, Vec<(u8, u8)>) {
        let mut walls: Vec<(u8, u8)> = board.walls().iter().collect();
        let mut vehicles = Vec::new();
        for ((vehicle, &(first, last)), &included) in board.vehicles().iter().zip(&self.ranges).zip(&self.included) {
            if included {
                vehicles.push(*vehicle);
            } else if last < first + vehicle.length {
                let (leftmost, rightmost) = (vehicle.at(first), vehicle.at(last));
                walls.extend(leftmost.cells().filter(|&cell| rightmost.cells().any(|other| other == cell)));
            }
        }
        let walls: Cells = walls.into_iter().collect();
        let part = Board::new(board.width(), board.height(), walls, vehicles, board.exit())
            .expect("a board without some of its vehicles is a board");
        let range = |label| self.ranges[board.vehicle_labelled(label).expect("a vehicle of the board")];
        let ranges = part.vehicles().iter().map(|vehicle| range(vehicle.label)).collect();
        (part, ranges)
    }

    /// The board with only the vehicles of the subset, cut down to the cells that they can ever cover; `None` if that is not
    /// small.
    fn small_part(&self, board: &Board) -> Option<Board> {
        let (part, ranges) = self.part(board);
        let cells = || {
            let ends = part.vehicles().iter().zip(&ranges);
            ends.flat_map(|(vehicle, &(first, last))| vehicle.at(first).cells().chain(vehicle.at(last).cells()))
        };
        let (left, top) = (cells().map(|(x, _)| x).min()?, cells().map(|(_, y)| y).min()?);
        let (right, bottom) = (cells().map(|(x, _)| x).max()?, cells().map(|(_, y)| y).max()?);
        let (width, height) = ((right - left + 1).max(MIN_SIDE), (bottom - top + 1).max(MIN_SIDE));
        let reaches_exit = match board.exit().side() {
            Side::Right => right + 1 == board.width() && left + width == board.width(),
            Side::Bottom => bottom + 1 == board.height() && top + height == board.height(),
            Side::Left => left == 0,
            Side::Top => top == 0,
        };
        if !reaches_exit || width.max(height) > SMALL_SIDE {
            return None;
        }
        let is_inside = |x: u8, y: u8| (left..left + width).contains(&x) && (top..top + height).contains(&y);
        let walls = part.walls().iter().filter(|&(x, y)| is_inside(x, y)).map(|(x, y)| (x - left, y - top)).collect();
        let vehicles =
            part.vehicles().iter().map(|&vehicle| Vehicle { x: vehicle.x - left, y: vehicle.y - top, ..vehicle });
        let exit = match board.exit() {
            Exit::Target(side) => Exit::Target(side),
            Exit::Any(side, line) if side.orientation() == Orientation::Horizontal => Exit::Any(side, line - top),
            Exit::Any(side, line) => Exit::Any(side, line - left),
        };
        Board::new(width, height, walls, vehicles.collect(), exit).ok()
    }

    /// The vehicles outside the subset that are in the way of the first move that cannot be executed; `None` if all can.
    fn first_obstacles(&self, board: &Board, solution: &Solution) -> Option<Vec<usize>> {
        let mut execution = Execution::new(board);
        for mv in &solution.0 {
            let vehicle = board.vehicle_labelled(mv.label).expect("the vehicles of a part are those of the board");
            let slide = Slide { vehicle, cells: mv.cells };
            if !execution.slide(slide) {
                let obstacles = execution.obstacles(slide).unwrap_or_default();
                return Some(obstacles.into_iter().filter(|&vehicle| !self.included[vehicle]).collect());
            }
        }
        None
    }
}
