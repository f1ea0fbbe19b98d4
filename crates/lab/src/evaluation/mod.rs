//! Evaluation of policies: several searches on held-out boards, each relative to iterative deepening without a heuristic: nodes,
//! seconds, boards solved, and solution lengths.

mod page;
mod paired;
mod paired_report;
mod table;

pub use page::{TestResult, csv, html};
pub(crate) use page::{scatters, tables};
pub use paired::{PairedComparison, PairedMeasure, SearchSummary, SolvedBoards, adjust};
pub use paired_report::{ComparedSet, paired_csv, paired_html, paired_latex};
pub(crate) use paired_report::{interval_text, p_text};
pub use table::{Column, EvaluationTable, HARD_NODES, HardBoards};
pub(crate) use table::{or_dash, percent};

use crate::ConfiguredAlgorithm;
use crate::compare::{
    Comparison, ComparisonError, ComparisonLog, ComparisonProgress, ComparisonRecord, Contestant, NamedBoard,
};
use clearway_policy::{NamedPolicy, Policy};
use clearway_rush::Metric;
use clearway_rush::formats::Puzzle;
use clearway_rush::suites::Suite;
use clearway_search::Limits;
use clearway_util::syntax::ExpressionError;
use std::fmt;
use std::sync::Arc;

/// A search that a policy guides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EvaluationSearch {
    /// IDA*; the policy orders successors.
    Order,
    /// IDA*; the policy prunes. The transposition table is cleared for each threshold.
    Prune,
    /// IDA*; the policy prunes. The transposition table is kept.
    Memo,
    /// Best-first search by path length plus the weighted policy, or by the policy alone.
    BestFirst(Option<f64>),
}

impl EvaluationSearch {
    /// All searches; best-first search uses the policy alone.
    pub const ALL: [EvaluationSearch; 4] =
        [EvaluationSearch::Order, EvaluationSearch::Prune, EvaluationSearch::Memo, EvaluationSearch::BestFirst(None)];

    /// Returns the search expression with a heuristic.
    ///
    /// ```
    /// use clearway_lab::evaluation::EvaluationSearch;
    /// assert_eq!(EvaluationSearch::Memo.expression("h1"), "ida(h1, prune, increment=5, memo=kept)");
    /// assert_eq!(EvaluationSearch::BestFirst(Some(3.0)).expression("h1"), "wastar(h1, weight=3)");
    /// ```
    pub fn expression(self, heuristic: &str) -> String {
        match self {
            EvaluationSearch::Order => format!("ida({heuristic}, order, increment=5)"),
            EvaluationSearch::Prune => format!("ida({heuristic}, prune, increment=5)"),
            EvaluationSearch::Memo => format!("ida({heuristic}, prune, increment=5, memo=kept)"),
            EvaluationSearch::BestFirst(Some(weight)) => format!("wastar({heuristic}, weight={weight})"),
            EvaluationSearch::BestFirst(None) => format!("greedy({heuristic})"),
        }
    }
}

impl fmt::Display for EvaluationSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluationSearch::Order => f.write_str("IDA* order"),
            EvaluationSearch::Prune => f.write_str("IDA* prune"),
            EvaluationSearch::Memo => f.write_str("IDA* prune, memo"),
            EvaluationSearch::BestFirst(Some(weight)) => write!(f, "best-first, weight {weight}"),
            EvaluationSearch::BestFirst(None) => f.write_str("best-first"),
        }
    }
}

/// Returns the reference columns. The first is the baseline, 100 %: iterative deepening without a heuristic and with increment 5.
/// The others are the same with increment 1; breadth-first search; A* with the best admissible heuristic; perfect ordering;
/// the three heuristics of GP-Rush; and hand-written rules. The last four guide the search of GP-Rush, which need not be that of a
/// policy; see [`same_search`].
pub fn standard() -> Vec<Contestant> {
    let guided = |name: &str, heuristic: &str| column(name, &EvaluationSearch::Prune.expression(heuristic));
    [
        column("None", "id(increment=5)"),
        column("None, increment 1", "id"),
        column("BFS", "bfs"),
        column("A*, best admissible", "astar(max(landmarks, pattern-database))"),
        column("perfect ordering", &EvaluationSearch::Order.expression("perfect")),
        guided("H1", "h1"),
        guided("H2", "h2"),
        guided("H3", "h3"),
        guided("Hc", "policy=hand"),
    ]
    .into()
}

/// Returns the heuristics of GP-Rush and the hand-written rules in the search of a policy, or in the default search of policies,
/// so that only the guidance differs. As policies, they have the defaults that searches have for policies. Fails if the search
/// is invalid.
pub fn same_search(search: Option<&str>) -> Result<Vec<Contestant>, ExpressionError> {
    let heuristics = ["h1", "h2", "h3"].map(|name| (name, format!("DEFAULT {name}")));
    let policies = heuristics.map(|(name, text)| NamedPolicy::parse(name, &text).ok());
    let named = policies.into_iter().chain([NamedPolicy::shipped("hand")]).flatten();
    let contestant = |(label, policy): (&str, NamedPolicy)| {
        let policy = Policy { search: search.map(str::to_owned), ..Policy::clone(&policy.policy) };
        let named = NamedPolicy { name: label.to_owned(), policy: Arc::new(policy) };
        let algorithm = ConfiguredAlgorithm::from_policy(&named, None)?;
        Ok::<_, ExpressionError>(Contestant { label: format!("{label}, same search"), algorithm })
    };
    ["H1", "H2", "H3", "Hc"].into_iter().zip(named).map(contestant).collect()
}

/// Returns columns for a policy: in the search that it names, under the given name, and in all other searches. Fails if the
/// search that it names is invalid.
///
/// ```
/// use clearway_lab::evaluation::policy;
/// use clearway_policy::NamedPolicy;
/// let columns = policy("GP", &NamedPolicy::open("hand").unwrap()).unwrap();
/// let names: Vec<&str> = columns.iter().map(|column| column.label.as_str()).collect();
/// assert_eq!(names, ["GP", "GP, IDA* order", "GP, IDA* prune, memo", "GP, best-first"]);
/// ```
pub fn policy(name: &str, policy: &NamedPolicy) -> Result<Vec<Contestant>, ExpressionError> {
    let mut columns =
        vec![Contestant { label: name.to_owned(), algorithm: ConfiguredAlgorithm::from_policy(policy, None)? }];
    for search in EvaluationSearch::ALL {
        let algorithm = in_search(policy, &search.expression("policy"))?;
        if algorithm.to_string() != columns[0].algorithm.to_string() {
            columns.push(Contestant { label: format!("{name}, {search}"), algorithm });
        }
    }
    Ok(columns)
}

/// Returns a policy in a search other than its own: an expression with the word `policy` in the place of the heuristic.
pub fn in_search(policy: &NamedPolicy, search: &str) -> Result<ConfiguredAlgorithm, ExpressionError> {
    let other = Policy { search: Some(search.to_owned()), ..Policy::clone(&policy.policy) };
    ConfiguredAlgorithm::from_policy(&NamedPolicy { name: policy.name.clone(), policy: Arc::new(other) }, None)
}

/// # Panics
/// If the text is not an algorithm; a test parses all of them.
fn column(name: &str, text: &str) -> Contestant {
    let algorithm: ConfiguredAlgorithm = text.parse().unwrap_or_else(|error| panic!("{error}"));
    Contestant { label: name.to_owned(), algorithm }
}

/// Returns the boards of an embedded suite; `None` if there is no suite of that name.
pub fn suite(name: &str) -> Option<Vec<NamedBoard>> {
    let puzzles = Suite::find(name)?.puzzles();
    Some(puzzles.into_iter().map(|puzzle| NamedBoard { name: puzzle.name, board: puzzle.board }).collect())
}

/// Boards on which policies are evaluated, with reference lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationBoards {
    /// Boards, in the order of `known`.
    pub entries: Vec<NamedBoard>,
    /// Length of the best known solution of each board in the metric. It is the reference where the exact solver reaches a limit.
    pub known: Vec<Option<u32>>,
    /// Metric of lengths.
    pub metric: Metric,
}

impl EvaluationBoards {
    /// Boards in a metric, with their known lengths.
    pub fn new(puzzles: &[Puzzle], metric: Metric) -> EvaluationBoards {
        let entry = |puzzle: &Puzzle| NamedBoard { name: puzzle.name.clone(), board: puzzle.board.clone() };
        let known = |puzzle: &Puzzle| Some(puzzle.known_length(metric)?.value());
        let (entries, known) = (puzzles.iter().map(entry).collect(), puzzles.iter().map(known).collect());
        EvaluationBoards { entries, known, metric }
    }
}

impl From<Vec<NamedBoard>> for EvaluationBoards {
    /// Boards in moves, without known solutions.
    fn from(entries: Vec<NamedBoard>) -> EvaluationBoards {
        EvaluationBoards { known: vec![None; entries.len()], entries, metric: Metric::Moves }
    }
}

/// Measures all columns on all boards. The first column is the baseline. By default there is no node limit, so that the
/// baseline solves every board. If the limits cancel the measurement, the result covers the boards measured so far.
///
/// ```
/// use clearway_lab::evaluation::{measure, standard, suite};
/// let boards = suite("cards").unwrap()[..3].to_vec();
/// let table = measure(boards, standard(), 1, &Default::default(), |_| {});
/// assert_eq!(table.columns[0].name, "None");
/// assert!(table.columns[3].nodes_percent.unwrap() < 20.0, "A* expands less");
/// ```
pub fn measure(
    boards: impl Into<EvaluationBoards>,
    columns: Vec<Contestant>,
    threads: usize,
    limits: &Limits,
    progress: impl Fn(ComparisonProgress),
) -> EvaluationTable {
    // An explicit limit replaces the default node limit of iterative deepening.
    let limits = Limits { nodes: limits.nodes.or(Some(u64::MAX)), ..limits.clone() };
    let EvaluationBoards { entries: boards, known, metric } = boards.into();
    let comparison = Comparison { boards, algorithms: columns, metric, limits, threads };
    let mut runs: Vec<ComparisonRecord> = Vec::new();
    let collect = |mut run: ComparisonRecord| {
        let board = runs.len() / comparison.algorithms.len();
        run.optimum = run.optimum.or_else(|| known.get(board).copied().flatten());
        runs.push(run);
        Ok(())
    };
    match comparison.run(&mut ComparisonLog::default(), progress, collect) {
        Ok(()) => EvaluationTable::new(&comparison.algorithms, comparison.boards.len(), runs),
        Err(ComparisonError::File(_) | ComparisonError::Take(_)) => {
            unreachable!("nothing is written to a file, and the callback cannot fail")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_columns_parse_and_the_baseline_is_first() {
        let columns = standard();
        assert_eq!((columns.len(), columns[0].label.as_str()), (9, "None"));
        for search in EvaluationSearch::ALL.into_iter().chain([EvaluationSearch::BestFirst(Some(2.5))]) {
            assert!(search.expression("h1 + 2*h3").parse::<ConfiguredAlgorithm>().is_ok(), "{search}");
        }
        let same = same_search(Some("wastar(policy, weight=2)")).unwrap();
        let texts: Vec<String> = same.iter().map(|column| format!("{}: {}", column.label, column.algorithm)).collect();
        let expected =
            ["H1", "H2", "H3", "Hc"].map(|name| format!("{name}, same search: wastar(policy={name}, weight=2)"));
        assert_eq!(texts, expected);
    }

    #[test]
    fn suites_are_found_by_name() {
        assert_eq!(suite("test-8x8").map(|boards| boards.len()), Some(30));
        assert_eq!(suite("none"), None);
    }
}
