//! Counterexample-guided abstraction: solves subsets of the vehicles.
//!
//! The board with only some of its vehicles is at most as hard as the whole board: a solution of the whole board, without the
//! moves of the removed vehicles, solves the rest. So the optimum of a subset is a lower bound, and a subset without a solution
//! proves that the board has none. If the solution of a subset can be executed on the whole board, it is optimal. If a removed
//! vehicle is in its way, that vehicle is added, and the larger subset is solved.

use crate::exact::Solver;
use crate::plan::{Execution, Slide};
use crate::{Answer, Board, Cells, Metric, Solution, vehicle_ranges};
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
    /// this call together.
    pub fn run(&mut self, board: &Board, metric: Metric, solver: &mut Solver, limits: &Limits) -> AbstractionOutcome {
        let mut statistics = SearchStatistics::default();
        let mut memory = 0;
        let checker = limits.checker();
        loop {
            let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(statistics.expanded));
            let limits = Limits { nodes, ..limits.remaining_after(checker.elapsed()) };
            let answer = self.solve_part(board, metric, solver, &limits);
            statistics.add(&answer.statistics);
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
