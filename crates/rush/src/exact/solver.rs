//! The solver: picks the engine for a board, runs it, and checks what comes out.

use super::best_first::{Buckets, Found, search_small, search_wide};
use super::component::{self, Analysis};
use super::flood::flood;
use super::hardest::{self, Hardest};
use super::key::{Key, WideKey};
use super::line::{Groups, LONGEST_TABLE, lines_of};
use super::memory::Memory;
use super::reach::{exit_in_reach, has_relaxed_plan, reachable};
use super::small::Small;
use super::solutions::{self, Solutions};
use super::wide::Wide;
use super::{Metric, Space};
use crate::{Board, Move, Solution, replay};
use clearway_search::{Counters, Limit, Limits, Verdict, Watch};
use std::time::Duration;

/// What the solver found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Solved, unsolvable, or a limit.
    pub verdict: Verdict,
    /// A shortest solution, when solved; [replayed](crate::replay) before it was given.
    pub solution: Option<Solution>,
    /// No solution is shorter than this, in the metric asked for; the length itself when solved.
    pub lower_bound: u32,
    /// What was expanded and generated.
    pub counters: Counters,
    /// The bytes the tables took.
    pub memory: usize,
    /// The name of the engine that gave the answer.
    pub algorithm: &'static str,
    /// Wall-clock time.
    pub time: Duration,
}

/// The solver. It keeps its tables between boards: make one per thread and use it for many.
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
    narrow: Memory<u64>,
    double: Memory<u128>,
    wide: Memory<WideKey>,
    buckets: Buckets,
}

impl Solver {
    /// A solver with empty tables.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// A shortest solution of a board, or a proof that there is none, or the limit that was reached.
    ///
    /// # Panics
    /// If the solution found does not pass the independent replay, which would be a fault of the solver.
    pub fn solve(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Answer {
        let watch = limits.watch();
        let found = self.run(board, metric, &Shortest { board, watch: &watch });
        let solution = (found.verdict == Verdict::Solved).then(|| solution_through(board, &found.stations));
        if let Some(solution) = &solution {
            let length = if metric == Metric::Moves { solution.moves() } else { solution.steps() };
            let check = replay(board, &solution.0);
            assert!(
                check.is_ok_and(|check| check.solved) && length == found.lower_bound,
                "the solution {solution} does not pass its replay"
            );
        }
        Answer {
            verdict: found.verdict,
            solution,
            lower_bound: found.lower_bound,
            counters: found.counters,
            memory: found.memory,
            algorithm: found.algorithm,
            time: watch.elapsed(),
        }
    }

    /// Walks the whole component of a board.
    pub fn analyze(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Analysis {
        self.run(board, metric, &WholeComponent { board, watch: &limits.watch(), slack: None }).0
    }

    /// Walks the whole component of a board, and lays out its solutions of up to `slack` moves more than the shortest:
    /// none for an unsolvable board, a limit where there was no time or room to do so.
    pub fn explore(&mut self, board: &Board, slack: u32, limits: &Limits) -> (Analysis, Result<Solutions, Limit>) {
        let task = WholeComponent { board, watch: &limits.watch(), slack: Some(slack) };
        let (facts, solutions) = self.run(board, Metric::Moves, &task);
        (facts, solutions.unwrap_or_else(|| Ok(Solutions::default())))
    }

    /// The hardest state that can be reached from a board. Much quicker than [`analyze`](Self::analyze), and with the same
    /// answer, but for a limit: it gives none.
    ///
    /// ```
    /// use clearway_rush::{Metric, Solver, formats};
    /// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    /// let hardest = Solver::new().hardest(&board, Metric::Moves, &Default::default()).unwrap();
    /// assert_eq!(hardest.way.len(), hardest.depth as usize + 1);
    /// ```
    pub fn hardest(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Option<Hardest> {
        self.run(board, metric, &HardestState { board, watch: &limits.watch() })
    }

    /// All states that can be reached from a board and are at a distance from their nearest solved state: the positions of
    /// the board's vehicles, in their order. None if a limit is reached first.
    ///
    /// ```
    /// use clearway_rush::{Metric, Solver, formats};
    /// let board = formats::read_one("....AA....BB....", None).unwrap().board;
    /// let solved = Solver::new().states_at(&board, Metric::Moves, 0, &Default::default()).unwrap();
    /// assert_eq!(solved, [[2, 0], [2, 1], [2, 2]]);
    /// ```
    pub fn states_at(&mut self, board: &Board, metric: Metric, distance: u32, limits: &Limits) -> Option<Vec<Vec<u8>>> {
        let mut states = self.run(board, metric, &AtDistance { board, watch: &limits.watch(), distance })?;
        states.sort_unstable();
        Some(states)
    }

    /// How many moves (in the metric) the farthest state that can be reached from a board is away from it, solved or not;
    /// none if a limit is reached first.
    ///
    /// ```
    /// use clearway_rush::{Metric, Solver, formats};
    /// let board = formats::read_one("....AA....BB....", None).unwrap().board;
    /// let mut solver = Solver::new();
    /// assert_eq!(solver.eccentricity(&board, Metric::Moves, &Default::default()), Some(2));
    /// assert_eq!(solver.eccentricity(&board, Metric::Steps, &Default::default()), Some(4));
    /// ```
    pub fn eccentricity(&mut self, board: &Board, metric: Metric, limits: &Limits) -> Option<u32> {
        self.run(board, metric, &Farthest { watch: &limits.watch() })
    }

    /// Runs a task in the first space that the board fits into, from the fastest to the widest.
    fn run<T: Task>(&mut self, board: &Board, metric: Metric, task: &T) -> T::Output {
        let lines: Vec<_> = lines_of(board)
            .into_iter()
            .map(|line| {
                let group = self.groups.of(board, &line);
                (line, group)
            })
            .collect();
        let reached = reachable(board, &lines);
        // Boards for the search with tables are small, and most are solved before the second test would be done: there
        // it is left to the search.
        let is_large = board.width().max(board.height()) > LONGEST_TABLE;
        let is_hopeless = !exit_in_reach(board, &lines, &reached) || is_large && !has_relaxed_plan(board);
        if is_hopeless && let Some(output) = task.out_of_reach() {
            return output;
        }
        macro_rules! try_space {
            ($space:expr, $memory:ident) => {
                if let Some(space) = $space {
                    let output = task.run(&space, &mut self.$memory, &mut self.buckets);
                    self.$memory.release();
                    self.buckets.release();
                    if let Some(output) = output {
                        return output;
                    }
                }
            };
        }
        try_space!(Small::<u64, 1, true>::new(board, &lines, metric), narrow);
        try_space!(Small::<u64, 1, false>::new(board, &lines, metric), narrow);
        try_space!(Small::<u64, 4, false>::new(board, &lines, metric), narrow);
        try_space!(Small::<u128, 4, false>::new(board, &lines, metric), double);
        try_space!(Wide::<u64>::new(board, &lines, &reached, metric), narrow);
        try_space!(Wide::<u128>::new(board, &lines, &reached, metric), double);
        try_space!(Wide::<WideKey>::new(board, &lines, &reached, metric), wide);
        unreachable!("the widest key holds every board at every depth")
    }
}

/// A state space that can be searched for a shortest solution.
pub(super) trait Searchable: Space {
    /// The name of the search in answers.
    const ALGORITHM: &'static str;

    /// Searches for a shortest solution. Spaces for which the static tests are not all made beforehand make up for that by
    /// `is_hopeless`, which proves some boards unsolvable.
    fn search(
        &self,
        memory: &mut Memory<Self::Key>,
        buckets: &mut Buckets,
        watch: &Watch,
        is_hopeless: &dyn Fn() -> bool,
    ) -> Found<Self::Key>;
}

impl<K: Key, const W: usize, const SIX: bool> Searchable for Small<K, W, SIX> {
    const ALGORITHM: &'static str = "astar(blockers)";

    fn search(
        &self,
        memory: &mut Memory<K>,
        buckets: &mut Buckets,
        watch: &Watch,
        is_hopeless: &dyn Fn() -> bool,
    ) -> Found<K> {
        search_small(self, memory, buckets, watch, is_hopeless)
    }
}

impl<K: Key> Searchable for Wide<K> {
    const ALGORITHM: &'static str = "astar(landmarks)";

    fn search(&self, memory: &mut Memory<K>, buckets: &mut Buckets, watch: &Watch, _: &dyn Fn() -> bool) -> Found<K> {
        search_wide(self, memory, buckets, watch)
    }
}

/// Something to do in a board's state space, whichever type that has.
trait Task {
    type Output;

    /// The output for a board whose target can never reach the exit, if no space is needed for it.
    fn out_of_reach(&self) -> Option<Self::Output>;
    /// The output, unless the space is too narrow for it.
    fn run<S: Searchable>(&self, space: &S, memory: &mut Memory<S::Key>, buckets: &mut Buckets)
    -> Option<Self::Output>;
}

struct Shortest<'a> {
    board: &'a Board,
    watch: &'a Watch<'a>,
}

/// A search's end, in terms that do not depend on the space.
struct Shortened {
    verdict: Verdict,
    /// The positions of all vehicles, from the start to the solved state.
    stations: Vec<Vec<u8>>,
    counters: Counters,
    lower_bound: u32,
    memory: usize,
    algorithm: &'static str,
}

impl Task for Shortest<'_> {
    type Output = Shortened;

    fn out_of_reach(&self) -> Option<Shortened> {
        let (verdict, counters) = (Verdict::Unsolvable, Counters::default());
        Some(Shortened { verdict, stations: vec![], counters, lower_bound: 0, memory: 0, algorithm: "static" })
    }

    fn run<S: Searchable>(&self, space: &S, memory: &mut Memory<S::Key>, buckets: &mut Buckets) -> Option<Shortened> {
        let found = space.search(memory, buckets, self.watch, &|| !has_relaxed_plan(self.board));
        if found.too_deep {
            return None;
        }
        let stations = found.path.iter().map(|&state| {
            let mut positions = vec![0; self.board.vehicles().len()];
            space.positions(state, &mut positions);
            positions
        });
        Some(Shortened {
            verdict: found.verdict,
            stations: stations.collect(),
            counters: found.counters,
            lower_bound: found.lower_bound,
            memory: memory.bytes(),
            algorithm: S::ALGORITHM,
        })
    }
}

struct WholeComponent<'a> {
    board: &'a Board,
    watch: &'a Watch<'a>,
    /// How much longer than the shortest the solutions are that are wanted too, if any are.
    slack: Option<u32>,
}

impl Task for WholeComponent<'_> {
    type Output = (Analysis, Option<Result<Solutions, Limit>>);

    fn out_of_reach(&self) -> Option<Self::Output> {
        None
    }

    fn run<S: Searchable>(&self, space: &S, memory: &mut Memory<S::Key>, _: &mut Buckets) -> Option<Self::Output> {
        let facts = component::analyze(space, self.board, memory, self.watch);
        if facts.histogram.len() as u32 > S::Key::max_depth() {
            return None;
        }
        let solutions = self.slack.map(|slack| match (facts.limit, facts.distance) {
            (Some(limit), _) => Err(limit),
            (None, None) => Ok(Solutions::default()),
            (None, Some(distance)) => {
                solutions::lay_out(space, self.board, distance.saturating_add(slack), memory, self.watch)
            }
        });
        Some((facts, solutions))
    }
}

struct HardestState<'a> {
    board: &'a Board,
    watch: &'a Watch<'a>,
}

impl Task for HardestState<'_> {
    type Output = Option<Hardest>;

    fn out_of_reach(&self) -> Option<Option<Hardest>> {
        Some(None)
    }

    fn run<S: Searchable>(&self, space: &S, memory: &mut Memory<S::Key>, _: &mut Buckets) -> Option<Option<Hardest>> {
        let found = hardest::hardest(space, self.board, memory, self.watch);
        found.as_ref().is_none_or(|found| found.depth < S::Key::max_depth()).then_some(found)
    }
}

struct AtDistance<'a> {
    board: &'a Board,
    watch: &'a Watch<'a>,
    distance: u32,
}

impl Task for AtDistance<'_> {
    type Output = Option<Vec<Vec<u8>>>;

    fn out_of_reach(&self) -> Option<Self::Output> {
        Some(Some(Vec::new()))
    }

    fn run<S: Searchable>(&self, space: &S, memory: &mut Memory<S::Key>, _: &mut Buckets) -> Option<Self::Output> {
        (self.distance < S::Key::max_depth())
            .then(|| hardest::at_distance(space, self.board, self.distance, memory, self.watch))
    }
}

struct Farthest<'a> {
    watch: &'a Watch<'a>,
}

impl Task for Farthest<'_> {
    type Output = Option<u32>;

    fn out_of_reach(&self) -> Option<Option<u32>> {
        None
    }

    fn run<S: Searchable>(&self, space: &S, memory: &mut Memory<S::Key>, _: &mut Buckets) -> Option<Option<u32>> {
        let (layers, limit) = flood(space, vec![space.start()], memory, self.watch);
        let depth = layers.len().saturating_sub(1) as u32;
        (depth < S::Key::max_depth()).then_some(limit.is_none().then_some(depth))
    }
}

/// The moves between stations; steps of one vehicle in one direction make one move.
fn solution_through(board: &Board, stations: &[Vec<u8>]) -> Solution {
    let mut moves: Vec<Move> = Vec::new();
    for pair in stations.windows(2) {
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
