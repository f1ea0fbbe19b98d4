//! Exact distances to the nearest solved state: from a table of all reachable states or, where those are too many, by a search
//! of limited effort for each state.

use clearway_rush::heuristics::{HeuristicContext, Perfect};
use clearway_rush::{Metric, Portfolio, RushDomain, Solver};
use clearway_search::{Domain, Limit, Limits, Verdict};
use clearway_util::parallel;
use std::collections::HashMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of searched distances that are kept for a board.
const KEPT: usize = 1 << 18;

/// The effort that may be spent on distances.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Maximum number of states in a table.
    pub max_states: u64,
    /// Maximum number of expanded nodes and conflicts of a search.
    pub node_limit: u64,
}

/// The distance of a state. `None` if it is unknown, infinite if no solved state is reachable.
pub type Distance = Option<f64>;

/// The distances of the states of a board.
pub enum Distances<const N: usize> {
    Table(Perfect<N>),
    Search(DistanceSearch<N>),
}

impl<const N: usize> Distances<N> {
    /// Computes the table of a board, unless it has too many states. Returns `None` if it is cancelled.
    pub fn new(domain: &RushDomain<N>, metric: Metric, effort: Effort, cancel: &Arc<AtomicBool>) -> Option<Self> {
        let limits = Limits { nodes: Some(effort.max_states), cancel: Some(cancel.clone()), ..Limits::default() };
        match Perfect::new(domain, &HeuristicContext { limits, ..HeuristicContext::default() }) {
            Ok(table) => Some(Distances::Table(table)),
            Err(error) if error.limit == Limit::Cancelled => None,
            Err(_) => Some(Distances::Search(DistanceSearch {
                metric,
                node_limit: effort.node_limit,
                known: Mutex::default(),
            })),
        }
    }
}

/// Searches distances with the solver for boards of any size, and keeps them.
pub struct DistanceSearch<const N: usize> {
    metric: Metric,
    node_limit: u64,
    known: Mutex<HashMap<[u64; N], Distance>>,
}

impl<const N: usize> DistanceSearch<N> {
    /// Finds the distance of a state. It is unknown if the search does not prove it within its limit, or is cancelled. The
    /// search runs on one thread and has no limit on time, so the result depends on nothing but the state.
    pub fn find(
        &self,
        domain: &RushDomain<N>,
        key: [u64; N],
        solver: &mut Solver,
        cancel: &Arc<AtomicBool>,
    ) -> Distance {
        if let Some(&distance) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return distance;
        }
        let limits = Limits { nodes: Some(self.node_limit), cancel: Some(cancel.clone()), ..Limits::default() };
        let board = domain.board_at(&domain.state(key));
        let answer = Portfolio::default().solve(solver, &board, self.metric, &limits, &mut |_| {});
        let distance = match (answer.verdict, answer.solution) {
            (Verdict::Unsolvable, _) => Some(f64::INFINITY),
            (Verdict::Solved, Some(solution)) => Some(f64::from(solution.length(self.metric))),
            _ => None,
        };
        if !cancel.load(Ordering::Relaxed) {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= KEPT {
                known.clear();
            }
            known.insert(key, distance);
        }
        distance
    }
}

/// Runs jobs, given by their numbers, on all cores. Returns the results in order.
pub fn on_all_cores<T: Send>(jobs: usize, work: impl Fn(&mut Solver, usize) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (jobs, never) = ((0..jobs).collect::<Vec<_>>(), AtomicBool::new(false));
    let results = parallel::map_init(cores, &jobs, &never, Solver::new, |solver, &job| work(solver, job));
    results.expect("the work is never cancelled")
}
