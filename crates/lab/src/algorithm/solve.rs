//! Runs an algorithm on a board.

use super::estimator::{Estimator, cache_bytes};
use super::{Algorithm, DEEPENING_NODES};
use clearway_rush::heuristics::{BoxedHeuristic, BuildError, Context};
use clearway_rush::{Board, Metric, RushDomain, RushMove, Solution, Solver, replay};
use clearway_search::astar::AStar;
use clearway_search::beam::Beam;
use clearway_search::bfs::Bfs;
use clearway_search::deepening::Deepening;
use clearway_search::dfs::{GraphDfs, TreeDfs};
use clearway_search::hybrid::Hybrid;
use clearway_search::ibex::Ibex;
use clearway_search::random_walk::RandomWalk;
use clearway_search::tree_bfs::TreeBfs;
use clearway_search::{Counters, Domain, Heuristic, Limits, Outcome, Search, Verdict, Zero, run};
use std::time::{Duration, Instant};

/// What an algorithm found.
#[derive(Clone, Debug)]
pub struct LabOutcome {
    /// Solved, unsolvable, or a limit.
    pub verdict: Verdict,
    /// The solution found, replayed before it was given; also if a limit ended the search for a better one.
    pub solution: Option<Solution>,
    /// What was counted.
    pub counters: Counters,
    /// The nodes left in the queue of a search over paths: at its end, or when depth-first search took over.
    pub queue: Option<u64>,
    /// Why the search did not even begin, if so.
    pub note: Option<String>,
    /// Wall-clock time, with that of building the heuristic's tables.
    pub time: Duration,
}

/// An outcome, and the nodes left in a queue.
type Found = (Outcome<RushMove>, Option<u64>);

impl Algorithm {
    /// Runs it on a board. Iterative deepening expands [at most 1,500,000 nodes](crate::DEEPENING_NODES) unless a limit
    /// is given. Tables of heuristics keep to the limits on time and memory.
    ///
    /// # Panics
    /// If the solution found does not pass the independent replay, which would be a fault of the algorithm.
    pub fn solve(&self, board: &Board, metric: Metric, limits: &Limits, context: &Context) -> LabOutcome {
        let started = Instant::now();
        let outcome = match board.vehicles().len() {
            _ if *self == Algorithm::Exact => exact(board, metric, limits),
            0..=16 => self.solve_in::<1>(board, metric, limits, context),
            17..=32 => self.solve_in::<2>(board, metric, limits, context),
            _ => self.solve_in::<8>(board, metric, limits, context),
        };
        if let Some(solution) = &outcome.solution {
            let check = replay(board, &solution.0);
            assert!(check.is_ok_and(|check| check.solved), "{self}: the solution {solution} does not pass its replay");
        }
        LabOutcome { time: started.elapsed(), ..outcome }
    }

    fn solve_in<const N: usize>(
        &self,
        board: &Board,
        metric: Metric,
        limits: &Limits,
        context: &Context,
    ) -> LabOutcome {
        let domain = RushDomain::<N>::new(board, metric).expect("a board has at most 128 vehicles");
        let nodes = match self {
            Algorithm::Deepening(..) => limits.nodes.or(Some(DEEPENING_NODES)),
            _ => limits.nodes,
        };
        let context = Context { limits: Limits { nodes: context.limits.nodes, ..limits.clone() }, ..context.clone() };
        // What the policy keeps is not there for the search.
        let kept = if self.keeps_numbers() { cache_bytes(limits.memory) } else { 0 };
        let memory = limits.memory.map(|memory| memory - kept);
        match self.search(&domain, &Limits { nodes, memory, ..limits.clone() }, &context) {
            Ok((outcome, queue)) => LabOutcome {
                verdict: outcome.verdict,
                solution: outcome.solution.map(|moves| domain.solution(&moves)),
                counters: outcome.counters,
                queue,
                note: None,
                time: Duration::ZERO,
            },
            Err(error) => LabOutcome {
                verdict: Verdict::Limit(error.limit),
                solution: None,
                counters: Counters::default(),
                queue: None,
                note: Some(error.to_string()),
                time: Duration::ZERO,
            },
        }
    }

    /// Whether it is guided by a policy and comes back to the same states again and again, so that the policy keeps what
    /// it knows of them.
    fn keeps_numbers(&self) -> bool {
        let comes_back = matches!(self, Algorithm::Deepening(..) | Algorithm::Ibex(_));
        comes_back && self.heuristic().is_some_and(Estimator::is_policy)
    }

    fn search<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        limits: &Limits,
        context: &Context,
    ) -> Result<Found, BuildError> {
        match self {
            Algorithm::TreeBfs(options) => {
                let mut search = TreeBfs::new(domain, *options);
                let outcome = run(&mut search, limits);
                Ok((outcome, Some(search.queue_len())))
            }
            Algorithm::Hybrid(options) => {
                let mut search = Hybrid::new(domain, *options);
                let outcome = run(&mut search, limits);
                Ok((outcome, Some(search.queue_len())))
            }
            _ => {
                let mut search = self.begin(domain, |heuristic| self.build(heuristic, domain, context))?;
                Ok((run(search.as_mut(), limits), None))
            }
        }
    }

    /// The heuristic for a board.
    pub(crate) fn build<const N: usize>(
        &self,
        heuristic: &Estimator,
        domain: &RushDomain<N>,
        context: &Context,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        heuristic.build(domain, context, self.keeps_numbers())
    }

    /// The search, before its first step, with a heuristic made for the domain. Breadth-first search stands for the exact
    /// solver, which is no search of this kind.
    pub(crate) fn begin<'a, D: Domain, H: Heuristic<D> + 'a>(
        &self,
        domain: &'a D,
        build: impl Fn(&Estimator) -> Result<H, BuildError>,
    ) -> Result<Box<dyn Search<D> + 'a>, BuildError> {
        Ok(match self {
            Algorithm::Exact | Algorithm::Bfs => Box::new(Bfs::new(domain)),
            Algorithm::TreeBfs(options) => Box::new(TreeBfs::new(domain, *options)),
            Algorithm::Hybrid(options) => Box::new(Hybrid::new(domain, *options)),
            Algorithm::GraphDfs => Box::new(GraphDfs::new(domain)),
            Algorithm::TreeDfs(depth) => Box::new(TreeDfs::new(domain, *depth)),
            Algorithm::AStar(heuristic, options, _) => Box::new(AStar::new(domain, build(heuristic)?, *options)),
            Algorithm::Deepening(None, options) => Box::new(Deepening::new(domain, None::<Zero>, *options)),
            Algorithm::Deepening(Some(heuristic), options) => {
                Box::new(Deepening::new(domain, Some(build(heuristic)?), *options))
            }
            Algorithm::Ibex(heuristic) => Box::new(Ibex::new(domain, build(heuristic)?)),
            Algorithm::Beam(heuristic, width) => Box::new(Beam::new(domain, build(heuristic)?, *width as usize)),
            Algorithm::RandomWalk(seed, steps) => Box::new(RandomWalk::new(domain, *seed, *steps)),
        })
    }
}

fn exact(board: &Board, metric: Metric, limits: &Limits) -> LabOutcome {
    let answer = Solver::new().solve(board, metric, limits);
    LabOutcome {
        verdict: answer.verdict,
        solution: answer.solution,
        counters: Counters { peak_memory: answer.memory as u64, ..answer.counters },
        queue: None,
        note: None,
        time: answer.time,
    }
}
