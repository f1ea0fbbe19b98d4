//! Grading: the difficulty of a board, for people and for machines.
//!
//! - `solutions`: averages over shortest and nearly shortest solutions
//! - `blockers`: vehicles that block each other
//! - `human`: the predicted time that people need; `time_model`: models that predict it; `level`: difficulty levels
//! - `machine`: the nodes that two searches without a heuristic expand
//! - `reasons`: explanations of the difficulty in words; `theme`: what is special about a puzzle

mod blockers;
mod human;
mod level;
mod machine;
mod reasons;
mod solutions;
mod theme;
mod time_model;

pub(crate) use human::TimeParts;
pub use human::{Beyond, HumanTime};
pub use level::Level;
pub use machine::{Machine, NodeCount};
pub use reasons::DifficultyReason;
pub use theme::Theme;
pub use time_model::{DataRange, MovesModel, TimeModel};

use crate::minimal;
use clearway_rush::{Board, Metric, Portfolio, Solution, Solver};
use clearway_search::{Limit, Limits, Verdict};
use serde::{Deserialize, Serialize};

/// Whether a board has a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Status {
    /// A shortest solution was found.
    Solved,
    /// The board is proven to have no solution.
    Unsolvable,
    /// A limit was reached before a solution was proven shortest, or before any was found.
    Limit,
}

impl Status {
    /// Returns the name used in tables and JSON: `solved`, `unsolvable` or `limit`.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Unsolvable => "unsolvable",
            Status::Limit => "limit",
        }
    }
}

/// Difficulty of a board. Values that could not be computed within the limits are absent, and `unfinished` names the limit.
///
/// Values about shortest solutions are averages over all of them with equal weights. A slide of any length counts as one move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Grade {
    /// Whether the board has a solution.
    pub status: Status,
    /// Difficulty level for people; absent for a board that is already solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Number of moves of a shortest solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Lower bound on the number of moves; present only if a limit was reached before a shortest solution was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_at_least: Option<u32>,
    /// Number of moves of the best solution so far; present only if a limit was reached before it was proven shortest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_at_most: Option<u32>,
    /// Minimum number of steps (cells slid) of a solution. A solution with the fewest moves may have more steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Number of reachable states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Largest distance, in moves, of a reachable state to its nearest solved state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Number of different shortest solutions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<u128>,
    /// Whether the number of shortest solutions exceeds 2^128 - 1, which is then given instead. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optimal_solutions_saturated: bool,
    /// Number of moves of a shortest solution that are decisions: the first, and each one before which some vehicle can move
    /// other than the one that moves and the one that has just moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<f64>,
    /// Expected length of the common prefix, in moves, of two random solutions that are at most one move longer than the
    /// shortest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_start: Option<f64>,
    /// Number of vehicles on the board.
    pub vehicle_count: u32,
    /// Number of different vehicles that move in a shortest solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vehicles_moved: Option<f64>,
    /// Number of moves of a shortest solution that take the target away from the exit or a vehicle into its path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterintuitive: Option<f64>,
    /// Bits needed to identify the moves of a shortest solution among all legal moves: the sum of log2(legal moves / moves that
    /// are on a shortest solution).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_information: Option<f64>,
    /// Length of the longest chain of vehicles, starting at the target, in which each vehicle is blocked by the next.
    pub blocker_depth: u32,
    /// What is special about the puzzle. Omitted if nothing is, or if its shortest solutions are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<Theme>,
    /// Predicted time that people need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human: Option<HumanTime>,
    /// Nodes expanded by two searches without a heuristic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Labels of the vehicles each of which can be removed alone without making the board easier; empty for a minimal board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removable: Option<Vec<char>>,
    /// Parts of the grade that a limit ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<Unfinished>,
}

/// Part of the grading that a limit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Unfinished {
    /// Part that is not finished.
    pub part: GradePart,
    /// Limit that ended it.
    pub limit: Limit,
}

/// Part of the grading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum GradePart {
    /// Search for a solution with the fewest moves.
    Moves,
    /// Search for a solution with the fewest steps.
    Steps,
    /// Exploration of all states, which many values depend on.
    Component,
    /// Averages over shortest solutions, which the predicted time depends on.
    Solutions,
    /// Search for removable vehicles.
    Removable,
    /// Searches without a heuristic, if ended by a limit other than the grader's own limit on their nodes.
    Machine,
}

impl GradePart {
    /// Subject and verb of a sentence about the values of this part.
    pub const fn subject(self) -> &'static str {
        match self {
            GradePart::Moves => "a shortest solution is",
            GradePart::Steps => "the fewest steps are",
            GradePart::Component => "everything that depends on all states is",
            GradePart::Solutions => "the properties of shortest solutions are",
            GradePart::Removable => "the removable vehicles are",
            GradePart::Machine => "the difficulty for machines is",
        }
    }
}

/// Grade of a board with its solution.
#[derive(Clone, Debug)]
pub struct Graded {
    /// Grade of the board.
    pub grade: Grade,
    /// Solution with the fewest moves, if one was found; verified by the independent replay. If a limit was reached first, the
    /// best one so far, which has [`Grade::moves_at_most`] moves.
    pub solution: Option<Solution>,
}

/// Grades boards. Expensive parts of the grade can be switched off.
#[derive(Clone, Copy, Debug)]
pub struct Grader {
    machine_nodes: Option<u64>,
    removable: bool,
    component: bool,
    time_model: TimeModel,
}

impl Default for Grader {
    fn default() -> Grader {
        Grader::new()
    }
}

impl Grader {
    /// Default node limit of each search without a heuristic, as in GP-Rush.
    pub const MACHINE_NODES: u64 = 1_500_000;

    /// Creates a grader that computes complete grades.
    pub fn new() -> Grader {
        Grader {
            machine_nodes: Some(Grader::MACHINE_NODES),
            removable: true,
            component: true,
            time_model: TimeModel::default(),
        }
    }

    /// Sets the node limit of each search without a heuristic.
    #[must_use]
    pub fn with_machine_nodes(self, max_nodes: u64) -> Grader {
        Grader { machine_nodes: Some(max_nodes), ..self }
    }

    /// Skips the searches without a heuristic, which take by far the most time.
    #[must_use]
    pub fn without_machine(self) -> Grader {
        Grader { machine_nodes: None, ..self }
    }

    /// Skips the search for removable vehicles, for boards that are known to be minimal.
    #[must_use]
    pub fn without_removable(self) -> Grader {
        Grader { removable: false, ..self }
    }

    /// Skips the exploration of all states, for boards that have too many.
    #[must_use]
    pub fn without_component(self) -> Grader {
        Grader { component: false, ..self }
    }

    /// Predicts times with another model.
    #[must_use]
    pub fn with_time_model(self, time_model: TimeModel) -> Grader {
        Grader { time_model, ..self }
    }

    /// Grades a board. The time limit holds for everything together, the node and memory limits hold for each search.
    pub fn grade(&self, board: &Board, solver: &mut Solver, limits: &Limits) -> Graded {
        let mut graded = Graded { grade: Grade::unknown(board), solution: None };
        self.resume(&mut graded, board, solver, limits);
        graded
    }

    /// Continues a grade that has unfinished parts, within new limits. Known values are kept.
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
    /// grader.resume(&mut graded, &board, &mut solver, &Limits::default());
    /// assert_eq!((graded.grade.depth, graded.grade.unfinished.len()), (Some(9), 0));
    /// ```
    pub fn resume(&self, graded: &mut Graded, board: &Board, solver: &mut Solver, limits: &Limits) {
        let checker = limits.checker();
        let remaining = || limits.remaining_after(checker.elapsed());
        let Graded { grade, solution } = graded;
        let before = std::mem::take(&mut grade.unfinished);
        if grade.status == Status::Limit {
            *solution = grade.solve(board, solution.take(), solver, &remaining());
        }
        if grade.status == Status::Solved {
            if grade.steps.is_none() {
                let answer = Portfolio::default().solve(solver, board, Metric::Steps, &remaining(), &mut |_| {});
                match answer.verdict {
                    // The best solution so far may be longer than necessary.
                    Verdict::Limit(limit) => grade.add_unfinished(GradePart::Steps, limit),
                    _ => grade.steps = answer.solution.map(|solution| solution.steps()),
                }
            }
            if self.component && grade.vehicles_moved.is_none() {
                grade.explore(board, &self.time_model, solver, &remaining());
            }
            if let Some(moves) = grade.moves.filter(|&moves| moves > 0)
                && grade.human.is_none()
                && board.is_large()
            {
                grade.set_human(self.time_model.predict_from_moves(board, moves));
            }
            if self.removable && grade.removable.is_none() {
                match minimal::removable(solver, board, &remaining()) {
                    Ok(labels) => grade.removable = Some(labels),
                    Err(limit) => grade.add_unfinished(GradePart::Removable, limit),
                }
            }
        }
        let is_cut_off = before.iter().any(|unfinished| unfinished.part == GradePart::Machine);
        if let Some(max_nodes) = self.machine_nodes
            && grade.status != Status::Unsolvable
            && (grade.machine.is_none() || is_cut_off)
        {
            let (machine, limit) = Machine::measure(board, max_nodes, remaining);
            grade.machine = Some(grade.machine.map_or(machine, |before| before.combined(machine)));
            if let Some(limit) = limit {
                grade.add_unfinished(GradePart::Machine, limit);
            }
        }
    }
}

/// Grades a board completely, with the default options.
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
    /// Creates a grade with the values that need no search.
    fn unknown(board: &Board) -> Grade {
        Grade {
            status: Status::Limit,
            level: None,
            moves: None,
            moves_at_least: None,
            moves_at_most: None,
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
            themes: Vec::new(),
            human: None,
            machine: None,
            removable: None,
            unfinished: Vec::new(),
        }
    }

    fn add_unfinished(&mut self, part: GradePart, limit: Limit) {
        self.unfinished.push(Unfinished { part, limit });
    }

    /// Finds a shortest solution, or proves that there is none. At a limit, returns the best solution so far; `before` is the one
    /// that was known before.
    fn solve(
        &mut self,
        board: &Board,
        before: Option<Solution>,
        solver: &mut Solver,
        limits: &Limits,
    ) -> Option<Solution> {
        let answer = Portfolio::default().solve(solver, board, Metric::Moves, limits, &mut |_| {});
        let bound = answer.lower_bound.max(self.moves_at_least.take().unwrap_or_default());
        self.moves_at_most = None;
        let best = answer.solution.into_iter().chain(before).min_by_key(Solution::moves);
        // The proof may be in the two searches together.
        let is_proven = best.as_ref().is_some_and(|solution| solution.moves() <= bound);
        self.status = match answer.verdict {
            Verdict::Unsolvable => Status::Unsolvable,
            Verdict::Limit(limit) if !is_proven => {
                self.moves_at_least = Some(bound);
                self.moves_at_most = best.as_ref().map(Solution::moves);
                self.add_unfinished(GradePart::Moves, limit);
                return best;
            }
            _ => Status::Solved,
        };
        self.moves = best.as_ref().map(Solution::moves);
        best
    }

    /// Computes the values that need an exploration of all states.
    fn explore(&mut self, board: &Board, time_model: &TimeModel, solver: &mut Solver, limits: &Limits) {
        let checker = limits.checker();
        let (facts, solutions) = solver.explore(board, solutions::SLACK, limits);
        if let Some(limit) = facts.limit {
            return self.add_unfinished(GradePart::Component, limit);
        }
        self.states = Some(facts.states);
        self.depth = facts.depth;
        self.optimal_solutions = facts.optimal_solutions;
        self.optimal_solutions_saturated = facts.is_saturated();
        let averages = solutions.and_then(|solutions| {
            let common_start = solutions::common_start(&solutions, &checker)?;
            Ok((solutions::averages(board, &solutions, &checker)?, common_start))
        });
        let (averages, common_start) = match averages {
            Ok(averages) => averages,
            Err(limit) => return self.add_unfinished(GradePart::Solutions, limit),
        };
        self.decisions = Some(averages.decisions);
        self.common_start = Some(common_start);
        self.vehicles_moved = Some(averages.vehicles);
        self.counterintuitive = Some(averages.counterintuitive);
        self.search_information = Some(averages.search_information);
        if let Some((moves, depth)) = facts.distance.filter(|&moves| moves > 0).zip(facts.depth) {
            self.themes = Theme::find(board, self.optimal_solutions, &averages);
            self.set_human(time_model.predict(board, moves, depth, averages.vehicles));
        }
    }

    fn set_human(&mut self, human: HumanTime) {
        self.level = Some(Level::from_seconds(human.seconds));
        self.human = Some(human);
    }
}
