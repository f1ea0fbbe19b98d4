//! Grading: how hard a board is, for people and for machines.
//!
//! - `solutions`: what shortest and nearly shortest solutions are like
//! - `blockers`: who stands in whose way
//! - `human`: the time that people need, as a model predicts it; `level`: its name
//! - `machine`: the nodes that two plain searches need
//! - `reasons`: why it is hard, in words

mod blockers;
mod human;
mod level;
mod machine;
mod reasons;
mod solutions;

pub use human::{Beyond, HumanTime};
pub use level::Level;
pub use machine::{Machine, Nodes};
pub use reasons::Reason;

use crate::minimal;
use clearway_rush::{Board, Metric, Solution, Solver};
use clearway_search::{Limit, Limits, Verdict};
use serde::{Deserialize, Serialize};

/// How a board was graded: whether it has a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Status {
    /// It has one.
    Solved,
    /// It is proven to have none.
    Unsolvable,
    /// A limit was reached before either was known.
    Limit,
}

impl Status {
    /// Its word in tables and JSON: `solved`, `unsolvable` or `limit`.
    pub fn word(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Unsolvable => "unsolvable",
            Status::Limit => "limit",
        }
    }
}

/// How hard a board is. What could not be found out within the limits is absent, and `unfinished` names the limit.
///
/// What is said about shortest solutions is the mean over all of them, each as likely as any other. Numbers of moves
/// count slides of any length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Grade {
    /// Whether the board has a solution.
    pub status: Status,
    /// How hard it is for people, in a word; absent for a board that is solved as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The moves of a shortest solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// No solution has fewer moves than this: only where a limit was reached before one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_at_least: Option<u32>,
    /// The fewest steps (cells slid) of a solution: not the steps of the one with the fewest moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// The states that can be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The moves from the state farthest from any solved one to the nearest of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of different shortest solutions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<u128>,
    /// Whether there are more than that: the number is then 2^128 - 1, the largest there is room for. Left out if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optimal_solutions_saturated: bool,
    /// The moves of a shortest solution at which there is something to decide: the first, and each before which some
    /// vehicle can move other than the one that moves and the one that has just moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<f64>,
    /// How many moves two solutions that are at most one move longer than the shortest, drawn at random, have in common
    /// before they part for the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_start: Option<f64>,
    /// The vehicles on the board.
    pub vehicle_count: u32,
    /// The different vehicles that move in a shortest solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vehicles_moved: Option<f64>,
    /// The moves of a shortest solution that take the target away from the exit or put a vehicle in its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterintuitive: Option<f64>,
    /// The bits it takes to tell the good moves of a shortest solution from all others: the sum of log2(legal moves /
    /// moves that are on a shortest solution).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_information: Option<f64>,
    /// The longest chain of vehicles each of which blocks the one before, from the target on.
    pub blocker_depth: u32,
    /// The time that people need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human: Option<HumanTime>,
    /// The work of a machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// The labels of the vehicles each of which could be removed without making the board easier; none for a minimal
    /// board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removable: Option<Vec<char>>,
    /// What could not be finished.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<Unfinished>,
}

/// A part of the work that a limit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Unfinished {
    /// Which part.
    pub part: Part,
    /// The limit.
    #[serde(with = "LimitName")]
    #[cfg_attr(feature = "openapi", schema(value_type = LimitName))]
    pub limit: Limit,
}

/// The parts of the work of grading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Part {
    /// A solution with the fewest moves.
    Moves,
    /// A solution with the fewest steps.
    Steps,
    /// The walk over all states, and with it all that follows from it.
    Component,
    /// What shortest solutions are like, and with it the time that people need.
    Solutions,
    /// Which vehicles can be removed.
    Removable,
    /// The work of a machine, for another reason than that enough of its nodes were counted.
    Machine,
}

/// A limit's name in JSON.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Limit", rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Limit))]
enum LimitName {
    Nodes,
    Time,
    Memory,
    #[serde(rename = "interrupted")]
    Cancelled,
    Incomplete,
}

/// A grade, and the shortest solution that was found on the way.
#[derive(Clone, Debug)]
pub struct Graded {
    /// The grade.
    pub grade: Grade,
    /// A solution with the fewest moves, if one was found; replayed before it was given.
    pub solution: Option<Solution>,
}

/// Grades boards; says which parts of a grade are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Grader {
    machine_nodes: Option<u64>,
    removable: bool,
}

impl Default for Grader {
    fn default() -> Grader {
        Grader::new()
    }
}

impl Grader {
    /// The most nodes that a machine's search expands, unless told otherwise: as in GP-Rush.
    pub const MACHINE_NODES: u64 = 1_500_000;

    /// Gives complete grades.
    pub fn new() -> Grader {
        Grader { machine_nodes: Some(Grader::MACHINE_NODES), removable: true }
    }

    /// Counts a machine's nodes up to this many.
    #[must_use]
    pub fn with_machine_nodes(self, most: u64) -> Grader {
        Grader { machine_nodes: Some(most), ..self }
    }

    /// Leaves out the work of a machine, which takes by far the most time.
    #[must_use]
    pub fn without_machine(self) -> Grader {
        Grader { machine_nodes: None, ..self }
    }

    /// Leaves out which vehicles can be removed, for boards that are known to be minimal.
    #[must_use]
    pub fn without_removable(self) -> Grader {
        Grader { removable: false, ..self }
    }

    /// Grades a board. The limit on time is one for everything together, those on nodes and memory hold for each
    /// search.
    pub fn grade(&self, board: &Board, solver: &mut Solver, limits: &Limits) -> Graded {
        let mut graded = Graded { grade: Grade::of_unknown(board), solution: None };
        self.go_on(&mut graded, board, solver, limits);
        graded
    }

    /// Goes on with a grade that has unfinished parts, within other limits than before. What is known stays.
    ///
    /// ```
    /// use clearway_forge::grade::Grader;
    /// use clearway_rush::{Solver, formats};
    /// use clearway_search::Limits;
    /// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    /// let (grader, mut solver) = (Grader::new(), Solver::new());
    /// let few = Limits { nodes: Some(1_000), ..Limits::default() };
    /// let mut graded = grader.grade(&board, &mut solver, &few);
    /// assert_eq!((graded.grade.moves, graded.grade.depth), (Some(8), None));
    /// grader.go_on(&mut graded, &board, &mut solver, &Limits::default());
    /// assert_eq!((graded.grade.depth, graded.grade.unfinished.len()), (Some(9), 0));
    /// ```
    pub fn go_on(&self, graded: &mut Graded, board: &Board, solver: &mut Solver, limits: &Limits) {
        let watch = limits.watch();
        let rest = || limits.after(watch.elapsed());
        let Graded { grade, solution } = graded;
        let before = std::mem::take(&mut grade.unfinished);
        if grade.status == Status::Limit {
            *solution = grade.solve(board, solver, &rest());
        }
        if grade.status == Status::Solved {
            if grade.steps.is_none() {
                let answer = solver.solve(board, Metric::Steps, &rest());
                grade.steps = answer.solution.map(|solution| solution.steps());
                if let Verdict::Limit(limit) = answer.verdict {
                    grade.stop(Part::Steps, limit);
                }
            }
            if grade.vehicles_moved.is_none() {
                grade.walk(board, solver, &rest());
            }
            if self.removable && grade.removable.is_none() {
                match minimal::removable(solver, board, &rest()) {
                    Ok(labels) => grade.removable = Some(labels),
                    Err(limit) => grade.stop(Part::Removable, limit),
                }
            }
        }
        let is_cut_off = before.iter().any(|unfinished| unfinished.part == Part::Machine);
        if let Some(most) = self.machine_nodes
            && grade.status != Status::Unsolvable
            && (grade.machine.is_none() || is_cut_off)
        {
            let (machine, limit) = Machine::measure(board, most, rest);
            grade.machine = Some(grade.machine.map_or(machine, |before| before.or_more(machine)));
            if let Some(limit) = limit {
                grade.stop(Part::Machine, limit);
            }
        }
    }
}

/// A complete grade of a board.
///
/// ```
/// use clearway_forge::grade::{Level, grade};
/// use clearway_rush::{Solver, formats};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let grade = grade(&board, &mut Solver::new(), &Default::default()).grade;
/// assert_eq!((grade.moves, grade.level), (Some(8), Some(Level::Beginner)));
/// ```
pub fn grade(board: &Board, solver: &mut Solver, limits: &Limits) -> Graded {
    Grader::new().grade(board, solver, limits)
}

impl Grade {
    /// What is known before any search.
    fn of_unknown(board: &Board) -> Grade {
        Grade {
            status: Status::Limit,
            level: None,
            moves: None,
            moves_at_least: None,
            steps: None,
            states: None,
            depth: None,
            optimal_solutions: None,
            optimal_solutions_saturated: false,
            decisions: None,
            common_start: None,
            vehicle_count: board.vehicles().len() as u32,
            vehicles_moved: None,
            counterintuitive: None,
            search_information: None,
            blocker_depth: blockers::depth(board),
            human: None,
            machine: None,
            removable: None,
            unfinished: Vec::new(),
        }
    }

    fn stop(&mut self, part: Part, limit: Limit) {
        self.unfinished.push(Unfinished { part, limit });
    }

    /// Finds a shortest solution, or that there is none.
    fn solve(&mut self, board: &Board, solver: &mut Solver, limits: &Limits) -> Option<Solution> {
        let answer = solver.solve(board, Metric::Moves, limits);
        let bound_before = self.moves_at_least.take().unwrap_or_default();
        self.moves = answer.solution.as_ref().map(Solution::moves);
        self.status = match answer.verdict {
            Verdict::Solved => Status::Solved,
            Verdict::Unsolvable => Status::Unsolvable,
            Verdict::Limit(limit) => {
                self.moves_at_least = Some(answer.lower_bound.max(bound_before));
                self.stop(Part::Moves, limit);
                Status::Limit
            }
        };
        answer.solution
    }

    /// Finds out what takes a look at all states.
    fn walk(&mut self, board: &Board, solver: &mut Solver, limits: &Limits) {
        let watch = limits.watch();
        let (facts, solutions) = solver.explore(board, solutions::SLACK, limits);
        if let Some(limit) = facts.limit {
            return self.stop(Part::Component, limit);
        }
        self.states = Some(facts.states);
        self.depth = facts.depth;
        self.optimal_solutions = facts.optimal_solutions;
        self.optimal_solutions_saturated = facts.is_saturated();
        let means = solutions.and_then(|solutions| {
            let common_start = solutions::common_start(&solutions, &watch)?;
            Ok((solutions::means(board, &solutions, &watch)?, common_start))
        });
        let (means, common_start) = match means {
            Ok(means) => means,
            Err(limit) => return self.stop(Part::Solutions, limit),
        };
        self.decisions = Some(means.decisions);
        self.common_start = Some(common_start);
        self.vehicles_moved = Some(means.vehicles);
        self.counterintuitive = Some(means.counterintuitive);
        self.search_information = Some(means.search_information);
        if let Some((moves, depth)) = facts.distance.filter(|&moves| moves > 0).zip(facts.depth) {
            let human = HumanTime::predict(board, moves, depth, means.vehicles);
            self.level = Some(Level::of_seconds(human.seconds));
            self.human = Some(human);
        }
    }
}
