//! Running an algorithm on a board.

use super::ConfiguredAlgorithm;
use super::estimator::{Estimator, cache_bytes};
use clearway_rush::heuristics::{BoxedHeuristic, BuildError, HeuristicContext};
use clearway_rush::{Board, EngineSet, Metric, Portfolio, RushDomain, Solution, Solver, StopRule, replay, with_words};
use clearway_search::anytime::AnytimeOptions;
use clearway_search::bfs::Bfs;
#[cfg(target_family = "wasm")]
use clearway_search::recorder::{RecordedHeuristic, Recorder};
use clearway_search::spec::{self, HeuristicSpec};
use clearway_search::{Domain, Heuristic, Limits, Search, SearchStatistics, Verdict, run};
use clearway_util::time::Instant;
use std::time::Duration;

/// Outcome of an algorithm on a board.
#[derive(Clone, Debug)]
pub struct LabOutcome {
    /// Solved, unsolvable, or the limit that stopped the search.
    pub verdict: Verdict,
    /// Solution found, verified by replay. May exist even if a limit stopped the search for a better one.
    pub solution: Option<Solution>,
    /// Proven lower bound on the length of every solution, in the metric. A solution of this length is optimal.
    pub lower_bound: u32,
    /// Statistics of the search.
    pub statistics: SearchStatistics,
    /// Number of nodes in the queue of a search over paths: at its end, or when depth-first search took over.
    pub queue: Option<u64>,
    /// Why the search could not start, if it could not.
    pub note: Option<String>,
    /// Wall-clock time, including the time to build the tables of the heuristic.
    pub time: Duration,
}

impl ConfiguredAlgorithm {
    /// Solves a board. Without a node limit, the
    /// [default node limit](clearway_search::spec::Algorithm::default_node_limit) of the algorithm applies. The limits on time
    /// and memory also apply to the tables of heuristics.
    ///
    /// # Panics
    /// If the solution found fails the independent replay, which would be a bug in the algorithm.
    pub fn solve(&self, board: &Board, metric: Metric, limits: &Limits, context: &HeuristicContext) -> LabOutcome {
        let started = Instant::now();
        let outcome = if self.spec().belongs_to_domain() {
            self.solve_with_engines(board, metric, limits)
        } else {
            with_words!(board, N in [1, 2, 4, 8] => self.solve_in::<N>(board, metric, limits, context))
        };
        if let Some(solution) = &outcome.solution {
            let result = replay(board, &solution.0);
            assert!(result.is_ok_and(|replay| replay.solved), "{self}: the solution {solution} fails its replay");
        }
        LabOutcome { time: started.elapsed(), ..outcome }
    }

    fn solve_in<const N: usize>(
        &self,
        board: &Board,
        metric: Metric,
        limits: &Limits,
        context: &HeuristicContext,
    ) -> LabOutcome {
        let domain = RushDomain::<N>::new(board, metric).expect("a board has at most 128 vehicles");
        let nodes = limits.nodes.or(self.spec().default_node_limit());
        let context =
            HeuristicContext { limits: Limits { nodes: context.limits.nodes, ..limits.clone() }, ..context.clone() };
        // The cache of the policy is part of the memory of the search.
        let cache = if self.caches_policy() { cache_bytes(limits.memory) } else { 0 };
        let memory = limits.memory.map(|memory| memory - cache);
        #[cfg(not(target_family = "wasm"))]
        let (searched, build) = (&domain, |heuristic: &Estimator| self.build(heuristic, &domain, &context));
        // The searches are compiled once for each type of domain. A WebAssembly module, which is downloaded, has only those that
        // can be traced.
        #[cfg(target_family = "wasm")]
        let (searched, build) = (&Recorder::silent(&domain), |heuristic: &Estimator| {
            Ok(RecordedHeuristic(self.build(heuristic, &domain, &context)?))
        });
        match self.start(searched, build) {
            Ok(mut search) => {
                let outcome = run(search.as_mut(), &Limits { nodes, memory, ..limits.clone() });
                LabOutcome {
                    verdict: outcome.verdict,
                    solution: outcome.solution.map(|moves| domain.solution(&moves)),
                    lower_bound: search.lower_bound(self.is_admissible(metric)),
                    statistics: outcome.statistics,
                    queue: search.queue_len(),
                    note: None,
                    time: Duration::ZERO,
                }
            }
            Err(error) => LabOutcome {
                verdict: Verdict::Limit(error.limit),
                solution: None,
                // Nothing was searched.
                lower_bound: u32::from(!board.is_solved()),
                statistics: SearchStatistics::default(),
                queue: None,
                note: Some(error.to_string()),
                time: Duration::ZERO,
            },
        }
    }

    /// Whether the search is guided by a policy and revisits states, so that the policy caches its values.
    fn caches_policy(&self) -> bool {
        self.spec().revisits_states() && self.heuristic().is_some_and(Estimator::is_learned)
    }

    /// Builds the heuristic for a board.
    pub fn build<const N: usize>(
        &self,
        heuristic: &Estimator,
        domain: &RushDomain<N>,
        context: &HeuristicContext,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        heuristic.build(domain, context, self.caches_policy())
    }

    /// Starts the search on a domain. `build` builds the heuristic. Solvers that belong to the domain are not step-by-step
    /// searches; breadth-first search replaces them.
    pub fn start<'a, D: Domain, H: Heuristic<D> + 'a>(
        &self,
        domain: &'a D,
        build: impl Fn(&Estimator) -> Result<H, BuildError>,
    ) -> Result<Box<dyn Search<D> + 'a>, BuildError> {
        let heuristic = self.heuristic().map(build).transpose()?;
        let search = self.spec().start(domain, heuristic);
        Ok(search.unwrap_or_else(|| Box::new(Bfs::new(domain))))
    }
}

impl ConfiguredAlgorithm {
    /// Solves a board with the exact solver or the portfolio.
    fn solve_with_engines(&self, board: &Board, metric: Metric, limits: &Limits) -> LabOutcome {
        let mut solver = Solver::new();
        let portfolio = |options: AnytimeOptions, engines| {
            let stop = if options.first { StopRule::First } else { StopRule::Within(options.within) };
            Portfolio { stop, engines, ..Portfolio::default() }
        };
        let answer = match *self.spec() {
            spec::Algorithm::Portfolio(options) => {
                portfolio(options, EngineSet::All).solve(&mut solver, board, metric, limits, &mut |_| {})
            }
            spec::Algorithm::Layers(options) => {
                portfolio(options, EngineSet::Layers).solve(&mut solver, board, metric, limits, &mut |_| {})
            }
            _ => solver.solve(board, metric, limits),
        };
        LabOutcome {
            verdict: answer.verdict,
            solution: answer.solution,
            lower_bound: answer.lower_bound,
            statistics: SearchStatistics { peak_memory: answer.memory as u64, ..answer.statistics },
            queue: None,
            note: None,
            time: answer.time,
        }
    }
}
