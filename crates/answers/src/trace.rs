//! Traces of searches: the states that an algorithm expands, and the successors that it generates.
//!
//! The algorithms are not instrumented. They search a domain that records its calls ([`Recorder`]); after each step, the
//! search statistics show whether a state was expanded.

use crate::graph::digits;
use clearway_lab::ConfiguredAlgorithm;
use clearway_lab::compare::Contestant;
use clearway_rush::heuristics::{BuildError, HeuristicContext};
use clearway_rush::{Board, Metric, RushDomain, Solution, formats, replay, with_words};
use clearway_search::recorder::{RecordedHeuristic, Recorder};
use clearway_search::{Limit, Limits, SearchStatistics, Verdict, spec};
use serde::Serialize;

/// A search, expansion by expansion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trace {
    /// Board in line format.
    pub board: String,
    /// Algorithm, as given in the request.
    pub algorithm: String,
    /// Canonical form of the algorithm.
    pub canonical: String,
    /// Metric of lengths: `moves` or `steps`.
    pub metric: &'static str,
    /// Labels of the vehicles, in the order of positions.
    pub vehicles: String,
    /// `solved`, `unsolvable` (proven) or `limit`.
    pub status: &'static str,
    /// Present only with the status `limit`: `nodes`, `time`, `memory`, `interrupted`, or `incomplete` if the algorithm gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Present only if the search could not start: the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Expansions in order. A state that is expanded several times appears several times.
    pub expansions: Vec<Expansion>,
    /// Whether a limit stopped the search.
    pub cut: bool,
    /// Solution found, or null.
    pub solution: Option<Vec<String>>,
    /// Search statistics.
    #[serde(flatten)]
    pub statistics: SearchStatistics,
}

/// An expanded state and its successors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Expansion {
    /// Positions of the vehicles: one base-36 digit per vehicle, its column or row.
    pub state: String,
    /// Positions of the successors generated, in order, without duplicates. Searches over paths queue all of them at once.
    pub found: Vec<String>,
}

/// Why a search cannot be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The algorithm is one of the solvers, which do not expand states one by one.
    #[error("{name} is a solver that cannot be traced step by step; use a search such as astar(blockers)")]
    NotTraceable {
        /// Name of the algorithm.
        name: &'static str,
    },
}

/// Runs an algorithm on a board for at most `max_expansions` expansions, and records each of them.
///
/// ```
/// use clearway_answers::trace;
/// use clearway_lab::compare::Contestant;
/// use clearway_rush::{Metric, formats};
/// let board = formats::read_one("4x4:...BAA.B........", None).unwrap().board;
/// let bfs = Contestant { label: "BFS".to_owned(), algorithm: "bfs".parse().unwrap() };
/// let trace = trace(&board, &bfs, Metric::Moves, 1_000, &Default::default()).unwrap();
/// assert_eq!((trace.vehicles.as_str(), trace.expansions[0].state.as_str()), ("AB", "00"));
/// assert_eq!(trace.expansions[0].found, ["10", "02", "01"]);
/// assert_eq!(trace.solution.unwrap(), ["B+2", "A+2"]);
/// ```
///
/// # Panics
/// If the solution found fails the independent replay, which would be a bug in the algorithm.
pub fn trace(
    board: &Board,
    contestant: &Contestant,
    metric: Metric,
    max_expansions: u64,
    limits: &Limits,
) -> Result<Trace, TraceError> {
    let algorithm = &contestant.algorithm;
    if algorithm.spec().belongs_to_domain() {
        return Err(TraceError::NotTraceable { name: algorithm.spec().info().name });
    }
    let nodes = limits.nodes.map_or(max_expansions, |nodes| nodes.min(max_expansions));
    let limits = Limits { nodes: Some(nodes), ..limits.clone() };
    let run = with_words!(board, N in [1, 2, 8] => run_in::<N>);
    let (recording, note) = match run(algorithm, board, metric, &limits) {
        Ok(recording) => (recording, None),
        Err(error) => (Recording::empty(error.limit), Some(error.to_string())),
    };
    if let Some(solution) = &recording.solution {
        let result = replay(board, &solution.0);
        assert!(result.is_ok_and(|replay| replay.solved), "{algorithm}: the solution {solution} fails its replay");
    }
    Ok(Trace {
        board: formats::line(board),
        algorithm: contestant.label.clone(),
        canonical: algorithm.to_string(),
        metric: metric.as_str(),
        vehicles: board.vehicles().iter().map(|vehicle| vehicle.label).collect(),
        status: recording.verdict.as_str(),
        limit: match recording.verdict {
            Verdict::Limit(limit) => Some(limit.as_str()),
            Verdict::Solved | Verdict::Unsolvable => None,
        },
        note,
        expansions: recording.expansions,
        cut: recording.cut,
        solution: recording.solution.map(|solution| solution.0.iter().map(ToString::to_string).collect()),
        statistics: recording.statistics,
    })
}

/// A recorded search.
struct Recording {
    verdict: Verdict,
    cut: bool,
    solution: Option<Solution>,
    statistics: SearchStatistics,
    expansions: Vec<Expansion>,
}

impl Recording {
    /// A search that a limit stopped before it started.
    fn empty(limit: Limit) -> Recording {
        let (verdict, statistics) = (Verdict::Limit(limit), SearchStatistics::default());
        Recording { verdict, cut: true, solution: None, statistics, expansions: Vec::new() }
    }
}

/// Maximum number of steps between two checks of the limits.
const BATCH: u64 = 256;

fn run_in<const N: usize>(
    algorithm: &ConfiguredAlgorithm,
    board: &Board,
    metric: Metric,
    limits: &Limits,
) -> Result<Recording, BuildError> {
    let domain = RushDomain::<N>::new(board, metric).expect("a board has at most 128 vehicles");
    let context = HeuristicContext { limits: Limits { nodes: None, ..limits.clone() }, ..HeuristicContext::default() };
    let queues_moves = matches!(algorithm.spec(), spec::Algorithm::TreeBfs(_) | spec::Algorithm::Hybrid(_));
    let recorder = Recorder::new(&domain, queues_moves);
    // Several threads give the same result, but would not expand the states in order.
    let mut single = *algorithm.spec();
    let has_threads = single.set("threads", "1").is_ok();
    let sequential = ConfiguredAlgorithm::new(single, algorithm.heuristic().cloned()).filter(|_| has_threads);
    let algorithm = sequential.as_ref().unwrap_or(algorithm);
    let mut search = algorithm
        .start(&recorder, |heuristic| Ok(RecordedHeuristic(algorithm.build(heuristic, &domain, &context)?)))?;
    let checker = limits.checker();
    let mut expanded = 0;
    let (verdict, cut) = 'search: loop {
        if let Some(limit) = checker.check(expanded, search.memory_usage()) {
            break (Verdict::Limit(limit), true);
        }
        for _ in 0..checker.nodes_until_check(expanded, BATCH) {
            let verdict = search.step();
            let before = std::mem::replace(&mut expanded, search.statistics().expanded);
            recorder.end_step(expanded > before);
            if let Some(verdict) = verdict {
                break 'search (verdict, false);
            }
        }
    };
    let solution = search.solution().map(|moves| domain.solution(&moves));
    let statistics = search.statistics();
    drop(search);
    let text = |key| digits(&domain, key);
    let expansions = recorder
        .into_expansions()
        .into_iter()
        .map(|(state, found)| Expansion { state: text(state), found: found.into_iter().map(text).collect() });
    Ok(Recording { verdict, cut, solution, statistics, expansions: expansions.collect() })
}
