//! Frames: what a policy is measured in. Several searches on held-out boards, each beside iterative deepening without a
//! heuristic: nodes, seconds, boards solved, and the lengths of the solutions.

mod page;
mod table;

pub use page::{Tested, csv, html};
pub(crate) use page::{scatters, tables};
pub(crate) use table::or_dash;
pub use table::{Beyond, Column, FrameTable, HARD_NODES};

use crate::Algorithm;
use crate::compare::{Comparison, Contestant, Entry, Log, LogError, Progress};
use clearway_policy::{NamedPolicy, Policy};
use clearway_rush::Metric;
use clearway_rush::suites::Suite;
use clearway_search::Limits;
use clearway_search::spec::SpecError;
use std::fmt;
use std::sync::Arc;

/// The search that a policy guides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frame {
    /// IDA*, where the policy orders successors.
    Order,
    /// IDA*, where the policy prunes, with a table that is cleared for each bound.
    Prune,
    /// The same, with a table that is kept.
    Memo,
    /// Best-first search: the weight of the policy beside the length of the path, or the policy alone.
    BestFirst(Option<f64>),
}

impl Frame {
    /// All of them, best-first search by the policy alone.
    pub const ALL: [Frame; 4] = [Frame::Order, Frame::Prune, Frame::Memo, Frame::BestFirst(None)];

    /// The algorithm with a heuristic in this frame, as an expression.
    ///
    /// ```
    /// use clearway_lab::frames::Frame;
    /// assert_eq!(Frame::Memo.expression("h1"), "ida(h1, prune, increment=5, memo=kept)");
    /// assert_eq!(Frame::BestFirst(Some(3.0)).expression("h1"), "wastar(h1, weight=3)");
    /// ```
    pub fn expression(self, heuristic: &str) -> String {
        match self {
            Frame::Order => format!("ida({heuristic}, order, increment=5)"),
            Frame::Prune => format!("ida({heuristic}, prune, increment=5)"),
            Frame::Memo => format!("ida({heuristic}, prune, increment=5, memo=kept)"),
            Frame::BestFirst(Some(weight)) => format!("wastar({heuristic}, weight={weight})"),
            Frame::BestFirst(None) => format!("greedy({heuristic})"),
        }
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Frame::Order => f.write_str("IDA* order"),
            Frame::Prune => f.write_str("IDA* prune"),
            Frame::Memo => f.write_str("IDA* prune, memo"),
            Frame::BestFirst(Some(weight)) => write!(f, "best-first, weight {weight}"),
            Frame::BestFirst(None) => f.write_str("best-first"),
        }
    }
}

/// The columns that everything is measured beside: no heuristic by bounds that grow by 5, which comes first and is 100 %;
/// by bounds that grow by 1; breadth-first search; A* with the best admissible heuristic; what perfect ordering would
/// leave; the three heuristics of GP-Rush, and rules written by hand.
pub fn standard() -> Vec<Contestant> {
    let guided = |name: &str, heuristic: &str| column(name, &Frame::Prune.expression(heuristic));
    [
        column("None", "id(increment=5)"),
        column("None, increment 1", "id"),
        column("BFS", "bfs"),
        column("A*, best admissible", "astar(max(landmarks, pattern-database))"),
        column("perfect ordering", &Frame::Order.expression("perfect")),
        guided("H1", "h1"),
        guided("H2", "h2"),
        guided("H3", "h3"),
        guided("Hc", "policy=hand"),
    ]
    .into()
}

/// A policy in the search that it says it is made for, under a name, and then in all other frames. Fails if that search
/// cannot be read.
///
/// ```
/// use clearway_lab::frames::policy;
/// use clearway_policy::NamedPolicy;
/// let columns = policy("GP", &NamedPolicy::open("hand").unwrap()).unwrap();
/// let names: Vec<&str> = columns.iter().map(|column| column.label.as_str()).collect();
/// assert_eq!(names, ["GP", "GP, IDA* order", "GP, IDA* prune, memo", "GP, best-first"]);
/// ```
pub fn policy(name: &str, policy: &NamedPolicy) -> Result<Vec<Contestant>, SpecError> {
    let mut columns = vec![Contestant { label: name.to_owned(), algorithm: Algorithm::of_policy(policy, None)? }];
    for frame in Frame::ALL {
        let search = Some(frame.expression("policy"));
        let framed = NamedPolicy {
            policy: Arc::new(Policy { search, ..Policy::clone(&policy.policy) }),
            name: policy.name.clone(),
        };
        let algorithm = Algorithm::of_policy(&framed, None)?;
        if algorithm.to_string() != columns[0].algorithm.to_string() {
            columns.push(Contestant { label: format!("{name}, {frame}"), algorithm });
        }
    }
    Ok(columns)
}

/// # Panics
/// If the text names no algorithm; a test reads all of them.
fn column(name: &str, text: &str) -> Contestant {
    let algorithm: Algorithm = text.parse().unwrap_or_else(|error| panic!("{error}"));
    Contestant { label: name.to_owned(), algorithm }
}

/// The boards of an embedded suite. None if there is no suite of that name.
pub fn suite(name: &str) -> Option<Vec<Entry>> {
    let puzzles = Suite::find(name)?.puzzles();
    Some(puzzles.into_iter().map(|puzzle| Entry { name: puzzle.name, board: puzzle.board }).collect())
}

/// Measures all columns on all boards, in moves. The first column is the baseline. There is no limit on nodes unless one is
/// given, so that the baseline solves every board that it can; where the limits cancel, what was measured until then is
/// the result.
///
/// ```
/// use clearway_lab::frames::{measure, standard, suite};
/// let boards = suite("cards").unwrap()[..3].to_vec();
/// let table = measure(boards, standard(), 1, &Default::default(), |_| {});
/// assert_eq!(table.columns[0].name, "None");
/// assert!(table.columns[3].nodes_percent.unwrap() < 20.0, "A* expands less");
/// ```
pub fn measure(
    boards: Vec<Entry>,
    columns: Vec<Contestant>,
    threads: usize,
    limits: &Limits,
    progress: impl Fn(Progress),
) -> FrameTable {
    // Iterative deepening would have a limit of its own if there were none.
    let limits = Limits { nodes: limits.nodes.or(Some(u64::MAX)), ..limits.clone() };
    let comparison = Comparison { boards, algorithms: columns, metric: Metric::Moves, limits, threads };
    let mut runs = Vec::new();
    let take = |run| {
        runs.push(run);
        Ok(())
    };
    match comparison.run(&mut Log::default(), progress, take) {
        Ok(()) => FrameTable::new(&comparison.algorithms, comparison.boards.len(), runs),
        Err(LogError::File(_) | LogError::Take(_)) => {
            unreachable!("nothing is written, and every run is taken")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_can_be_read_and_the_baseline_comes_first() {
        let columns = standard();
        assert_eq!((columns.len(), columns[0].label.as_str()), (9, "None"));
        for frame in Frame::ALL.into_iter().chain([Frame::BestFirst(Some(2.5))]) {
            assert!(frame.expression("h1 + 2*h3").parse::<Algorithm>().is_ok(), "{frame}");
        }
    }

    #[test]
    fn the_suites_are_found() {
        assert_eq!(suite("test-8x8").map(|boards| boards.len()), Some(30));
        assert_eq!(suite("none"), None);
    }
}
