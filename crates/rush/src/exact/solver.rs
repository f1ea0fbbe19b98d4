//! The solver: selects the engine for a board, runs it, and verifies the result.

use super::best_first::{BestFirstOutcome, Buckets, search_small, search_wide};
use super::component::{self, Analysis};
use super::contracted::{self, ComponentStates};
use super::flood::flood;
use super::hardest::{self, HardestState};
use super::key::{Key, WideKey};
use super::line::{Group, Groups, Line, find_lines};
use super::memory::SearchMemory;
use super::reach::{has_relaxed_plan, is_exit_reachable, reachable_configs};
use super::small::SmallSpace;
use super::solutions::{self, SolutionGraph};
use super::wide::WideSpace;
use super::{Metric, StateSpace};
use crate::{Board, Move, Solution, replay};
use clearway_search::{Limit, LimitChecker, Limits, SearchStatistics, Verdict};
use std::sync::Arc;
use std::time::Duration;

/// Whether there is a state space for every size of board. Each is a copy of all tasks, so a WebAssembly module, which is downloaded,
/// has one for the search on the most common boards, and one of each kind that holds all boards.
const HAS_ALL_SPACES: bool = cfg!(not(target_family = "wasm"));

/// Result of the solver for one board.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How the search ended.
    pub verdict: Verdict,
    /// An optimal solution, if solved; verified by the [independent replay](crate::replay).
    pub solution: Option<Solution>,
    /// Lower bound on the solution length in the requested metric; the length itself if solved.
    pub lower_bound: u32,
    /// Statistics of the search.
    pub statistics: SearchStatistics,
    /// Size of the tables, in bytes.
    pub memory: usize,
    /// Name of the engine that found the solution or, without one, the verdict: `static`, `astar(blockers)`,
    /// `astar(landmarks)`, `abstraction` or `layers`.
    pub algorithm: &'static str,
    /// Name of the engine that proved the lower bound.
    pub bound_algorithm: &'static str,
    /// Wall-clock time.
    pub time: Duration,
}

/// The exact solver. It keeps its tables between boards: create one per thread and reuse it.
///
/// ```
/// use clearway_rush::{Metric, Solver, formats};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let answer = Solver::new().solve(&board, Metric::Moves, &Default::default());
/// assert_eq!(answer.solution.unwrap().moves(), 8);
/// ```
#[derive(Debug, Default)]
pub struct Solver {
    groups: Groups,
    narrow: SearchMemory<u64>,
    double: SearchMemory<u128>,
    wide: SearchMemory<WideKey>,
    buckets: Buckets,
}

impl Solver {
    /// Creates a solver with empty tables.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Finds an optimal solution of a board or proves that there is none, unless a limit is reached first.
    ///
    /// # Panics
    /// If the solution does not pass the independent replay, which would be a bug in the solver.
    pub fn solve(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Answer {
        self.solve_within(board, None, metric, limits)
    }

    /// Like [`solve`](Self::solve), among the states in which each vehicle stands within its range.
    pub(crate) fn solve_within(
        &mut self,
        board: &Board,
        ranges: Option<&[(u8, u8)]>,
        metric: Metric,
        limits: &Limits,
    ) -> Answer {
        let checker = limits.checker();
        let found = self.run_within(board, ranges, metric, &mut FindShortest { board, checker: &checker });
        let solution = (found.verdict == Verdict::Solved).then(|| solution_along(board, &found.path));
        if let Some(solution) = &solution {
            let length = if metric == Metric::Moves { solution.moves() } else { solution.steps() };
            let check = replay(board, &solution.0);
            assert!(
                check.is_ok_and(|check| check.solved) && length == found.lower_bound,
                "the solution {solution} does not pass the replay"
            );
        }
        Answer {
            verdict: found.verdict,
            solution,
            lower_bound: found.lower_bound,
            statistics: found.statistics,
            memory: found.memory,
            algorithm: found.algorithm,
            bound_algorithm: found.algorithm,
            time: checker.elapsed(),
        }
    }

    /// Enumerates the whole component of a board.
    pub fn analyze(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Analysis {
        self.run(board, metric, &mut AnalyzeComponent { board, checker: &limits.checker(), slack: None }).0
    }

    /// Enumerates the whole component of a board, and returns the graph of all solutions that exceed the optimum by at most
    /// `slack` moves. The graph is empty for an unsolvable board, and a limit if one was reached first.
    pub fn explore(&mut self, board: &Board, slack: u32, limits: &Limits) -> (Analysis, Result<SolutionGraph, Limit>) {
        let mut task = AnalyzeComponent { board, checker: &limits.checker(), slack: Some(slack) };
        let (facts, solutions) = self.run(board, Metric::Moves, &mut task);
        (facts, solutions.unwrap_or_else(|| Ok(SolutionGraph::default())))
    }

    /// Returns the hardest state that is reachable from a board, like [`analyze`](Self::analyze) but much faster.
    /// `None` if no solved state is reachable or a limit is reached first.
    ///
    /// ```
    /// use clearway_rush::{Metric, Solver, formats};
    /// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    /// let hardest = Solver::new().hardest(&board, Metric::Moves, &Default::default()).unwrap();
    /// assert_eq!(hardest.way.len(), hardest.depth as usize + 1);
    /// ```
    pub fn hardest(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Option<HardestState> {
        self.run(board, metric, &mut FindHardest { within: Enumeration::new(board, &limits.checker()) })
    }

    /// Returns all reachable states with the given distance to their nearest solved state, sorted: for each, the positions of the
    /// board's vehicles in their order. `None` if a limit is reached first.
    ///
    /// ```
    /// use clearway_rush::{Metric, Solver, formats};
    /// let board = formats::read_one("....AA....BB....", None).unwrap().board;
    /// let solved = Solver::new().states_at(&board, Metric::Moves, 0, &Default::default()).unwrap();
    /// assert_eq!(solved, [[2, 0], [2, 1], [2, 2]]);
    /// ```
    pub fn states_at(&mut self, board: &Board, metric: Metric, distance: u32, limits: &Limits) -> Option<Vec<Vec<u8>>> {
        let checker = limits.checker();
        let mut task = FindStatesAt { within: Enumeration::new(board, &checker), distance };
        let mut states = self.run(board, metric, &mut task)?;
        states.sort_unstable();
        Some(states)
    }

    /// Returns the eccentricity of a board: its distance (in the metric) to the farthest reachable state, solved or not. `None`
    /// if a limit is reached first.
    ///
    /// ```
    /// use clearway_rush::{Metric, Solver, formats};
    /// let board = formats::read_one("....AA....BB....", None).unwrap().board;
    /// let mut solver = Solver::new();
    /// assert_eq!(solver.eccentricity(&board, Metric::Moves, &Default::default()), Some(2));
    /// assert_eq!(solver.eccentricity(&board, Metric::Steps, &Default::default()), Some(4));
    /// ```
    pub fn eccentricity(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Option<u32> {
        self.run(board, metric, &mut FindEccentricity { checker: &limits.checker() })
    }

    /// Runs a task in the first state space that the board fits into, from the fastest to the widest.
    fn run<T: Task>(&mut self, board: &Board, metric: Metric, task: &mut T) -> T::Output {
        self.run_within(board, None, metric, task)
    }

    /// Runs a task on the states in which each vehicle stands within its range, if ranges are given.
    fn run_within<T: Task>(
        &mut self,
        board: &Board,
        ranges: Option<&[(u8, u8)]>,
        metric: Metric,
        task: &mut T,
    ) -> T::Output {
        let lines: Vec<_> = find_lines(board)
            .into_iter()
            .map(|line| {
                let group = self.groups.get(board, &line);
                (line, group)
            })
            .collect();
        let reached = reachable_configs(board, &lines, ranges);
        // Most small boards are solved before the second test would finish, so there it is left to the search.
        let is_hopeless = !is_exit_reachable(board, &lines, &reached) || board.is_large() && !has_relaxed_plan(board);
        if is_hopeless && let Some(output) = task.unsolvable_output() {
            return output;
        }
        if let Some(output) = task.prepare(&lines) {
            return output;
        }
        macro_rules! try_space {
            ($space:expr, $memory:ident) => {
                if let Some(space) = $space {
                    let tables = &mut Tables { memory: &mut self.$memory, buckets: &mut self.buckets };
                    let output = task.run(&space, tables);
                    self.$memory.release();
                    self.buckets.release();
                    if let Some(output) = output {
                        return output;
                    }
                }
            };
        }
        // The tables of small spaces contain all configurations.
        if ranges.is_none() {
            if HAS_ALL_SPACES || T::IS_SEARCH {
                try_space!(SmallSpace::<u64, 1, true>::new(board, &lines, metric), narrow);
            }
            if HAS_ALL_SPACES {
                try_space!(SmallSpace::<u64, 1, false>::new(board, &lines, metric), narrow);
                try_space!(SmallSpace::<u64, 4, false>::new(board, &lines, metric), narrow);
            }
            try_space!(SmallSpace::<u128, 4, false>::new(board, &lines, metric), double);
        }
        if HAS_ALL_SPACES {
            try_space!(WideSpace::<u64>::new(board, &lines, &reached, metric), narrow);
            try_space!(WideSpace::<u128>::new(board, &lines, &reached, metric), double);
        }
        try_space!(WideSpace::<WideKey>::new(board, &lines, &reached, metric), wide);
        unreachable!("the widest key holds every board at every depth")
    }
}

/// The tables of a solver that a task uses.
pub(super) struct Tables<'a, K> {
    memory: &'a mut SearchMemory<K>,
    buckets: &'a mut Buckets,
}

/// A state space that can be searched for a shortest solution.
pub(super) trait Searchable: StateSpace {
    /// Name of the engine in answers.
    const ALGORITHM: &'static str;

    /// Searches for an optimal solution. `is_hopeless` proves some boards unsolvable; spaces for which the solver has not run all
    /// static tests call it during the search.
    fn search(
        &self,
        tables: &mut Tables<Self::Key>,
        checker: &LimitChecker,
        is_hopeless: &dyn Fn() -> bool,
    ) -> BestFirstOutcome<Self::Key>;
}

impl<K: Key, const W: usize, const SIX: bool> Searchable for SmallSpace<K, W, SIX> {
    const ALGORITHM: &'static str = "astar(blockers)";

    fn search(
        &self,
        tables: &mut Tables<K>,
        checker: &LimitChecker,
        is_hopeless: &dyn Fn() -> bool,
    ) -> BestFirstOutcome<K> {
        search_small(self, tables.memory, tables.buckets, checker, is_hopeless)
    }
}

impl<K: Key> Searchable for WideSpace<K> {
    const ALGORITHM: &'static str = "astar(landmarks)";

    fn search(&self, tables: &mut Tables<K>, checker: &LimitChecker, _: &dyn Fn() -> bool) -> BestFirstOutcome<K> {
        search_wide(self, tables.memory, tables.buckets, checker)
    }
}

/// A task in a board's state space, independent of its type.
trait Task {
    type Output;
    /// Whether it is the search for a solution, which is to be fast everywhere.
    const IS_SEARCH: bool = false;

    /// Output for a board that the static tests prove unsolvable; `None` if the task needs a state space even then.
    fn unsolvable_output(&self) -> Option<Self::Output>;
    /// Does what needs no state space; returns the output if that settles the task.
    fn prepare(&mut self, _lines: &[(Line, Arc<Group>)]) -> Option<Self::Output> {
        None
    }
    /// Runs the task; `None` if the keys of the space are too narrow for the depth.
    fn run<S: Searchable>(&self, space: &S, tables: &mut Tables<S::Key>) -> Option<Self::Output>;
}

struct FindShortest<'a> {
    board: &'a Board,
    checker: &'a LimitChecker<'a>,
}

/// Outcome of a search, independent of the type of the space.
struct ShortestOutcome {
    verdict: Verdict,
    /// Positions of all vehicles, from the start to the solved state; empty without a solution.
    path: Vec<Vec<u8>>,
    statistics: SearchStatistics,
    lower_bound: u32,
    memory: usize,
    algorithm: &'static str,
}

impl Task for FindShortest<'_> {
    type Output = ShortestOutcome;
    const IS_SEARCH: bool = true;

    fn unsolvable_output(&self) -> Option<ShortestOutcome> {
        let (verdict, statistics) = (Verdict::Unsolvable, SearchStatistics::default());
        Some(ShortestOutcome { verdict, path: vec![], statistics, lower_bound: 0, memory: 0, algorithm: "static" })
    }

    fn run<S: Searchable>(&self, space: &S, tables: &mut Tables<S::Key>) -> Option<ShortestOutcome> {
        let found = space.search(tables, self.checker, &|| !has_relaxed_plan(self.board));
        if found.too_deep {
            return None;
        }
        let path = found.path.iter().map(|&state| {
            let mut positions = vec![0; self.board.vehicles().len()];
            space.positions(state, &mut positions);
            positions
        });
        Some(ShortestOutcome {
            verdict: found.verdict,
            path: path.collect(),
            statistics: found.statistics,
            lower_bound: found.lower_bound,
            memory: tables.memory.memory_usage(),
            algorithm: S::ALGORITHM,
        })
    }
}

struct AnalyzeComponent<'a> {
    board: &'a Board,
    checker: &'a LimitChecker<'a>,
    /// Maximum number of moves by which solutions may exceed the optimum, if the graph of solutions is requested.
    slack: Option<u32>,
}

impl Task for AnalyzeComponent<'_> {
    type Output = (Analysis, Option<Result<SolutionGraph, Limit>>);

    fn unsolvable_output(&self) -> Option<Self::Output> {
        None
    }

    fn run<S: Searchable>(&self, space: &S, tables: &mut Tables<S::Key>) -> Option<Self::Output> {
        let facts = component::analyze(space, self.board, tables.memory, self.checker);
        if facts.histogram.len() as u32 > S::Key::max_depth() {
            return None;
        }
        let solutions = self.slack.map(|slack| match (facts.limit, facts.distance) {
            (Some(limit), _) => Err(limit),
            (None, None) => Ok(SolutionGraph::default()),
            (None, Some(distance)) => {
                solutions::build(space, self.board, distance.saturating_add(slack), tables.memory, self.checker)
            }
        });
        Some((facts, solutions))
    }
}

/// The component of a board, which is enumerated before its state space is built if the board is small enough for that.
struct Enumeration<'a> {
    board: &'a Board,
    checker: &'a LimitChecker<'a>,
    component: Option<ComponentStates>,
}

impl<'a> Enumeration<'a> {
    fn new(board: &'a Board, checker: &'a LimitChecker<'a>) -> Enumeration<'a> {
        Enumeration { board, checker, component: None }
    }

    /// Enumerates the component. Returns the output of a task that this settles: `unsolvable` if no state is solved, the default if a
    /// limit was reached.
    fn settle<T: Default>(&mut self, lines: &[(Line, Arc<Group>)], unsolvable: T) -> Option<T> {
        self.component = contracted::component(self.board, lines, self.checker)?.ok();
        match &self.component {
            Some(component) if component.solved.is_empty() => Some(unsolvable),
            Some(_) => None,
            None => Some(T::default()),
        }
    }
}

struct FindHardest<'a> {
    within: Enumeration<'a>,
}

impl Task for FindHardest<'_> {
    type Output = Option<HardestState>;

    fn unsolvable_output(&self) -> Option<Option<HardestState>> {
        Some(None)
    }

    fn prepare(&mut self, lines: &[(Line, Arc<Group>)]) -> Option<Self::Output> {
        self.within.settle(lines, None)
    }

    fn run<S: Searchable>(&self, space: &S, tables: &mut Tables<S::Key>) -> Option<Option<HardestState>> {
        let Enumeration { board, checker, component } = &self.within;
        let found = hardest::hardest(space, board, component.as_ref(), tables.memory, checker);
        found.as_ref().is_none_or(|found| found.depth < S::Key::max_depth()).then_some(found)
    }
}

struct FindStatesAt<'a> {
    within: Enumeration<'a>,
    distance: u32,
}

impl Task for FindStatesAt<'_> {
    type Output = Option<Vec<Vec<u8>>>;

    fn unsolvable_output(&self) -> Option<Self::Output> {
        Some(Some(Vec::new()))
    }

    fn prepare(&mut self, lines: &[(Line, Arc<Group>)]) -> Option<Self::Output> {
        self.within.settle(lines, Some(Vec::new()))
    }

    fn run<S: Searchable>(&self, space: &S, tables: &mut Tables<S::Key>) -> Option<Self::Output> {
        let Enumeration { board, checker, component } = &self.within;
        (self.distance < S::Key::max_depth())
            .then(|| hardest::at_distance(space, board, component.as_ref(), self.distance, tables.memory, checker))
    }
}

struct FindEccentricity<'a> {
    checker: &'a LimitChecker<'a>,
}

impl Task for FindEccentricity<'_> {
    type Output = Option<u32>;

    fn unsolvable_output(&self) -> Option<Option<u32>> {
        None
    }

    fn run<S: Searchable>(&self, space: &S, tables: &mut Tables<S::Key>) -> Option<Option<u32>> {
        let (layers, limit) = flood(space, vec![space.start()], tables.memory, self.checker);
        let depth = layers.len().saturating_sub(1) as u32;
        (depth < S::Key::max_depth()).then_some(limit.is_none().then_some(depth))
    }
}

/// Returns the moves along a path; consecutive steps of a vehicle in one direction become one move.
fn solution_along(board: &Board, path: &[Vec<u8>]) -> Solution {
    let mut moves: Vec<Move> = Vec::new();
    for pair in path.windows(2) {
        for ((vehicle, &from), &to) in board.vehicles().iter().zip(&pair[0]).zip(&pair[1]) {
            let (label, cells) = (vehicle.label, to as i8 - from as i8);
            match moves.last_mut() {
                _ if cells == 0 => {}
                Some(last) if last.label == label && (last.cells > 0) == (cells > 0) => last.cells += cells,
                _ => moves.push(Move { label, cells }),
            }
        }
    }
    Solution(moves)
}
