//! Runs an algorithm on a board.

use super::Algorithm;
use super::estimator::{Estimator, cache_bytes};
use clearway_rush::heuristics::{BoxedHeuristic, BuildError, Context};
use clearway_rush::{Board, Metric, RushDomain, Solution, Solver, replay};
use clearway_search::bfs::Bfs;
use clearway_search::spec::HeuristicSpec;
use clearway_search::{Counters, Domain, Heuristic, Limits, Search, Verdict, run};
use std::time::{Duration, Instant};

/// What an algorithm found.
#[derive(Clone, Debug)]
pub struct LabOutcome {
    /// Solved, unsolvable, or a limit.
    pub verdict: Verdict,
    /// The solution found, replayed before it was given; also if a limit ended the search for a better one.
    pub solution: Option<Solution>,
    /// The proven lower bound: no solution is shorter in the metric. A solution of that length is a shortest one.
    pub lower_bound: u32,
    /// What was counted.
    pub counters: Counters,
    /// The nodes left in the queue of a search over paths: at its end, or when depth-first search took over.
    pub queue: Option<u64>,
    /// Why the search did not even begin, if so.
    pub note: Option<String>,
    /// Wall-clock time, with that of building the heuristic's tables.
    pub time: Duration,
}

impl Algorithm {
    /// Runs it on a board, with the [default node limit](clearway_search::spec::Algorithm::default_node_limit) of the
    /// algorithm unless a limit is given. Tables of heuristics keep to the limits on time and memory.
    ///
    /// # Panics
    /// If the solution found does not pass the independent replay, which would be a fault of the algorithm.
    pub fn solve(&self, board: &Board, metric: Metric, limits: &Limits, context: &Context) -> LabOutcome {
        let started = Instant::now();
        let outcome = match board.vehicles().len() {
            _ if self.is_exact() => exact(board, metric, limits),
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
        let nodes = limits.nodes.or(self.spec().default_node_limit());
        let context = Context { limits: Limits { nodes: context.limits.nodes, ..limits.clone() }, ..context.clone() };
        // What the policy keeps is not there for the search.
        let kept = if self.keeps_numbers() { cache_bytes(limits.memory) } else { 0 };
        let memory = limits.memory.map(|memory| memory - kept);
        match self.start(&domain, |heuristic| self.build(heuristic, &domain, &context)) {
            Ok(mut search) => {
                let outcome = run(search.as_mut(), &Limits { nodes, memory, ..limits.clone() });
                LabOutcome {
                    verdict: outcome.verdict,
                    solution: outcome.solution.map(|moves| domain.solution(&moves)),
                    lower_bound: search.lower_bound(self.is_admissible(metric)),
                    counters: outcome.counters,
                    queue: search.queue_len(),
                    note: None,
                    time: Duration::ZERO,
                }
            }
            Err(error) => LabOutcome {
                verdict: Verdict::Limit(error.limit),
                solution: None,
                lower_bound: 0,
                counters: Counters::default(),
                queue: None,
                note: Some(error.to_string()),
                time: Duration::ZERO,
            },
        }
    }

    /// Whether it is guided by a policy and evaluates the same states again and again, so that the policy caches what it
    /// knows of them.
    fn keeps_numbers(&self) -> bool {
        self.spec().revisits_states() && self.heuristic().is_some_and(Estimator::is_learned)
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

    /// Starts the search, with a heuristic built for the domain. Breadth-first search stands for the exact solver, which
    /// is not a search of this kind.
    pub(crate) fn start<'a, D: Domain, H: Heuristic<D> + 'a>(
        &self,
        domain: &'a D,
        build: impl Fn(&Estimator) -> Result<H, BuildError>,
    ) -> Result<Box<dyn Search<D> + 'a>, BuildError> {
        let heuristic = self.heuristic().map(build).transpose()?;
        let search = self.spec().start(domain, heuristic);
        Ok(search.unwrap_or_else(|| Box::new(Bfs::new(domain))))
    }
}

fn exact(board: &Board, metric: Metric, limits: &Limits) -> LabOutcome {
    let answer = Solver::new().solve(board, metric, limits);
    LabOutcome {
        verdict: answer.verdict,
        solution: answer.solution,
        lower_bound: answer.lower_bound,
        counters: Counters { peak_memory: answer.memory as u64, ..answer.counters },
        queue: None,
        note: None,
        time: answer.time,
    }
}
