//! A search step by step: which states an algorithm expands, and which successors it makes of them.
//!
//! No algorithm knows of it. It searches a domain that notes what it is asked ([`recorder`]), and after each step its own
//! counters tell whether a state was expanded.

mod recorder;

use crate::Algorithm;
use crate::compare::Contestant;
use crate::graph::digits;
use crate::records::limit_word;
use clearway_rush::heuristics::{BuildError, Context};
use clearway_rush::{Board, Metric, RushDomain, Solution, formats, replay};
use clearway_search::{Counters, Limit, Limits, Verdict, spec};
use recorder::{Recorded, Recorder};
use serde::Serialize;

/// A search, expansion by expansion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trace {
    /// The board in line format.
    pub board: String,
    /// The algorithm, as it was asked for.
    pub algorithm: String,
    /// The algorithm in its canonical form.
    pub canonical: String,
    /// What lengths count: `moves` or `steps`.
    pub metric: &'static str,
    /// The labels of the vehicles, in the order of positions.
    pub vehicles: String,
    /// `solved`, `unsolvable` (proven) or `limit`.
    pub status: &'static str,
    /// Only with the status `limit`: `nodes`, `time`, `memory`, `interrupted`, or `incomplete` if the algorithm gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Only if the search could not begin: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The states whose successors were made, in order. Searches that go over the same states again and again show them
    /// again and again.
    pub expansions: Vec<Expansion>,
    /// Whether the search was stopped before its end.
    pub cut: bool,
    /// The solution found, or null.
    pub solution: Option<Vec<String>>,
    /// States whose successors were made: the number of expansions.
    pub expanded: u64,
    /// Nodes generated, new or not: the start and all successors.
    pub generated: u64,
    /// States for which the heuristic was asked.
    pub evaluated: u64,
    /// States for which it was asked whether they are goals.
    pub goal_tests: u64,
    /// States expanded again because a shorter way to them was found.
    pub reopened: u64,
    /// Successors left out because they were known already.
    pub duplicates: u64,
    /// The most states that waited to be expanded at one time.
    pub peak_open: u64,
    /// Expanded until the estimated total last grew: what tie-breaking cannot change.
    pub until_last_jump: u64,
}

/// A state whose successors were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Expansion {
    /// Where the vehicles stand: a digit (base 36) a vehicle, its column or row.
    pub state: String,
    /// The same for the successors that were made, in order, each once; searches over paths queue them all at once.
    pub found: Vec<String>,
}

/// Why a search cannot be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The exact solver was asked for.
    #[error(
        "exact cannot be followed step by step: it packs states and leaves out what it can prove needless; \
         astar(blockers) is the search that comes nearest to it"
    )]
    Exact,
}

/// Runs an algorithm on a board for at most so many expansions, and tells each.
///
/// ```
/// use clearway_lab::{compare::Contestant, trace};
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
/// If the solution found does not pass the independent replay, which would be a fault of the algorithm.
pub fn trace(
    board: &Board,
    contestant: &Contestant,
    metric: Metric,
    most_expansions: u64,
    limits: &Limits,
) -> Result<Trace, TraceError> {
    let algorithm = &contestant.algorithm;
    if algorithm.is_exact() {
        return Err(TraceError::Exact);
    }
    let nodes = limits.nodes.map_or(most_expansions, |nodes| nodes.min(most_expansions));
    let limits = Limits { nodes: Some(nodes), ..limits.clone() };
    let run = match board.vehicles().len() {
        0..=16 => run_in::<1>,
        17..=32 => run_in::<2>,
        _ => run_in::<8>,
    };
    let (seen, note) = match run(algorithm, board, metric, &limits) {
        Ok(seen) => (seen, None),
        Err(error) => (Seen::nothing(error.limit), Some(error.to_string())),
    };
    if let Some(solution) = &seen.solution {
        let check = replay(board, &solution.0);
        assert!(check.is_ok_and(|check| check.solved), "{algorithm}: the solution {solution} does not pass its replay");
    }
    let counters = seen.counters;
    Ok(Trace {
        board: formats::line(board),
        algorithm: contestant.label.clone(),
        canonical: algorithm.to_string(),
        metric: metric.word(),
        vehicles: board.vehicles().iter().map(|vehicle| vehicle.label).collect(),
        status: seen.verdict.word(),
        limit: match seen.verdict {
            Verdict::Limit(limit) => Some(limit_word(limit)),
            Verdict::Solved | Verdict::Unsolvable => None,
        },
        note,
        expansions: seen.expansions,
        cut: seen.cut,
        solution: seen.solution.map(|solution| solution.0.iter().map(ToString::to_string).collect()),
        expanded: counters.expanded,
        generated: counters.generated,
        evaluated: counters.evaluated,
        goal_tests: counters.goal_tests,
        reopened: counters.reopened,
        duplicates: counters.duplicates,
        peak_open: counters.peak_open,
        until_last_jump: counters.until_last_jump,
    })
}

/// What was seen of a search.
struct Seen {
    verdict: Verdict,
    cut: bool,
    solution: Option<Solution>,
    counters: Counters,
    expansions: Vec<Expansion>,
}

impl Seen {
    /// A search that a limit ended before it began.
    fn nothing(limit: Limit) -> Seen {
        let (verdict, counters) = (Verdict::Limit(limit), Counters::default());
        Seen { verdict, cut: true, solution: None, counters, expansions: Vec::new() }
    }
}

/// How many steps are made between two looks at the clock.
const BATCH: u64 = 256;

fn run_in<const N: usize>(
    algorithm: &Algorithm,
    board: &Board,
    metric: Metric,
    limits: &Limits,
) -> Result<Seen, BuildError> {
    let domain = RushDomain::<N>::new(board, metric).expect("a board has at most 128 vehicles");
    let context = Context { limits: Limits { nodes: None, ..limits.clone() }, ..Context::default() };
    let queues = matches!(algorithm.spec(), spec::Algorithm::TreeBfs(_) | spec::Algorithm::Hybrid(_));
    let recorder = Recorder::new(&domain, queues);
    let mut search =
        algorithm.start(&recorder, |heuristic| Ok(Recorded(algorithm.build(heuristic, &domain, &context)?)))?;
    let watch = limits.watch();
    let mut expanded = 0;
    let (verdict, cut) = 'search: loop {
        if let Some(limit) = watch.check(expanded, search.bytes()) {
            break (Verdict::Limit(limit), true);
        }
        for _ in 0..watch.nodes_until_check(expanded, BATCH) {
            let verdict = search.step();
            let before = std::mem::replace(&mut expanded, search.counters().expanded);
            recorder.end_step(expanded > before);
            if let Some(verdict) = verdict {
                break 'search (verdict, false);
            }
        }
    };
    let solution = search.solution().map(|moves| domain.solution(&moves));
    let counters = search.counters();
    drop(search);
    let text = |key| digits(&domain, key);
    let expansions = recorder
        .into_expansions()
        .into_iter()
        .map(|(state, found)| Expansion { state: text(state), found: found.into_iter().map(text).collect() });
    Ok(Seen { verdict, cut, solution, counters, expansions: expansions.collect() })
}
