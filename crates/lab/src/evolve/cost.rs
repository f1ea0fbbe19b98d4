//! The cost of a run on boards that are searched directly, estimated before the first generation.

use super::run::Run;
use clearway_policy::CompiledPolicy;
use clearway_policy::training::{Scratch, TrainingBoard};
use clearway_util::time::Instant;
use std::time::Duration;

/// Maximum cost of a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostEstimate {
    /// Number of boards that are searched directly.
    pub boards: usize,
    /// Number of boards of which all states are prepared.
    pub prepared: usize,
    /// Maximum memory of the run in bytes.
    pub memory: usize,
    /// Maximum number of nodes that a generation expands.
    pub nodes: u64,
    /// Time that this number of nodes takes, estimated from a few searches.
    pub time: Duration,
}

/// Number of boards that are searched for the estimate.
const BOARDS: usize = 4;
/// Maximum number of nodes of each of these searches.
const NODES: u64 = 300;

impl Run {
    /// Estimates the maximum cost of a generation on this number of threads. `None` if no board is searched directly.
    pub fn cost_estimate(&self, threads: usize) -> Option<CostEstimate> {
        let (problem, config) = (self.evolution.problem(), &self.settings.breeding);
        let direct = || problem.boards().iter().filter(|board| board.arena().is_none());
        let boards = direct().count();
        if boards == 0 {
            return None;
        }
        // Individuals are stopped at the nodes of the baseline, as far as they are limited to a multiple of the usual nodes.
        let most = |board: &TrainingBoard| {
            let most = config.nodes.min(board.max_nodes);
            if config.cap > 0.0 { most.min(board.baseline) } else { most }
        };
        let all: f64 = problem.boards().iter().map(|board| most(board) as f64).sum();
        let searches = f64::from(config.evolution.population) * config.sample.min(problem.boards().len()) as f64;
        let nodes = all / problem.boards().len() as f64 * searches;
        let program = CompiledPolicy::new(&problem.fit().policy());
        let (started, mut expanded) = (Instant::now(), 0);
        for board in direct().step_by(boards.div_ceil(BOARDS)) {
            expanded += board.trial(&config.search, &program, &mut Scratch::default(), NODES).nodes;
        }
        let at_a_time = self.kind.memory.max_searches(threads);
        let per_node = started.elapsed().as_secs_f64() / expanded.max(1) as f64 / at_a_time as f64;
        Some(CostEstimate {
            boards,
            prepared: problem.boards().len() - boards,
            memory: self.kind.memory.expected(threads),
            nodes: nodes as u64,
            time: Duration::try_from_secs_f64(nodes * per_node).unwrap_or(Duration::MAX),
        })
    }
}
