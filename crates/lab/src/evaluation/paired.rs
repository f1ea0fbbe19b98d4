//! Comparisons of policies board by board, with tests of significance.

use super::EvaluationTable;
use crate::compare::ComparisonRecord;
use crate::statistics::{Bootstrap, Interval, SignedRank, Summary, holm, median, sign_test, signed_rank};
use serde::Serialize;

/// Two searches on the same boards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// Name of the set of boards.
    pub suite: String,
    /// Name of the first search.
    pub first: String,
    /// Name of the second search.
    pub second: String,
    /// Boards that both, one, or none of them solve.
    pub solved: SolvedBoards,
    /// States expanded on the boards that both solve.
    pub nodes: PairedMeasure,
    /// Solution lengths on the boards that both solve.
    pub length: PairedMeasure,
}

/// Boards that two searches solve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolvedBoards {
    /// Number of boards that both solve.
    pub both: usize,
    /// Number of boards that only the first solves.
    pub only_first: usize,
    /// Number of boards that only the second solves.
    pub only_second: usize,
    /// p-value of the exact test of `McNemar`.
    pub p: f64,
    /// p-value adjusted for all tests of the comparison.
    pub adjusted_p: f64,
}

/// A quantity that two searches have on the same boards. Ratios are of the first to the second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedMeasure {
    /// Number of boards on which the first has less, the same, and more.
    pub less_equal_more: [usize; 3],
    /// Median of the ratios; null without boards.
    pub median_ratio: Option<f64>,
    /// Bootstrap interval of the median ratio, with a confidence of 95 %.
    pub interval: Option<Interval>,
    /// Wilcoxon's signed-rank test of the logarithms of the ratios; null without boards.
    pub test: Option<SignedRank>,
    /// Rank-biserial correlation: -1 if the first always has less, 1 if it always has more.
    pub effect: Option<f64>,
    /// p-value adjusted for all tests of the comparison.
    pub adjusted_p: Option<f64>,
}

/// Results of one search on all boards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchSummary {
    /// Label of the search in the tables.
    pub name: String,
    /// Canonical form of the search.
    pub algorithm: String,
    /// Number of boards solved.
    pub solved: usize,
    /// Number of boards not proven unsolvable.
    pub solvable: usize,
    /// States expanded per board, also on boards that it does not solve; null without boards.
    pub nodes: Option<Summary>,
    /// Mean solution length divided by the optimum, over the boards solved.
    pub length_ratio: Option<f64>,
    /// Mean time in seconds.
    pub seconds: Option<f64>,
}

impl EvaluationTable {
    /// Summarises each search.
    pub fn summaries(&self) -> Vec<SearchSummary> {
        let summary = |column: &super::Column| SearchSummary {
            name: column.name.clone(),
            algorithm: column.algorithm.clone(),
            solved: column.solved,
            solvable: column.solvable,
            nodes: Summary::new(&self.runs_of(&column.name).map(nodes).collect::<Vec<_>>()),
            length_ratio: column.length_ratio,
            seconds: column.seconds,
        };
        self.columns.iter().map(summary).collect()
    }

    /// Compares two searches board by board. The p-values are not adjusted yet: see [`adjust`].
    pub fn paired(&self, suite: &str, first: &str, second: &str) -> PairedComparison {
        let runs: Vec<(&ComparisonRecord, &ComparisonRecord)> = self.runs_of(first).zip(self.runs_of(second)).collect();
        let count = |wanted: (bool, bool)| runs.iter().filter(|(a, b)| (a.solved(), b.solved()) == wanted).count();
        let (only_first, only_second) = (count((true, false)), count((false, true)));
        let p = sign_test(only_first, only_second);
        let measure = |of: fn(&ComparisonRecord) -> f64| {
            let both = runs.iter().filter(|(a, b)| a.solved() && b.solved());
            PairedMeasure::new(&both.map(|(a, b)| (of(a), of(b))).collect::<Vec<_>>())
        };
        PairedComparison {
            suite: suite.to_owned(),
            first: first.to_owned(),
            second: second.to_owned(),
            solved: SolvedBoards { both: count((true, true)), only_first, only_second, p, adjusted_p: p },
            nodes: measure(nodes),
            length: measure(|run| run.length().unwrap_or(0).max(1).into()),
        }
    }
}

fn nodes(run: &ComparisonRecord) -> f64 {
    run.statistics.expanded.max(1) as f64
}

impl PairedMeasure {
    /// Compares positive quantities.
    fn new(pairs: &[(f64, f64)]) -> PairedMeasure {
        let ratios: Vec<f64> = pairs.iter().map(|(a, b)| a / b).collect();
        // The logarithms of ratios have the order of the ratios themselves. Unlike logarithms, a quotient is rounded the same on
        // every machine, and equal ratios stay equal.
        let difference = |(a, b): &(f64, f64)| if a > b { a / b } else { -b / a };
        let differences: Vec<f64> =
            pairs.iter().map(|pair| if pair.0.total_cmp(&pair.1).is_eq() { 0.0 } else { difference(pair) }).collect();
        let count = |wanted: fn(f64) -> bool| differences.iter().filter(|&&difference| wanted(difference)).count();
        let test = signed_rank(&differences);
        PairedMeasure {
            less_equal_more: [count(|d| d < 0.0), count(|d| d == 0.0), count(|d| d > 0.0)],
            median_ratio: (!ratios.is_empty()).then(|| median(&ratios)),
            interval: Bootstrap::default().interval(&ratios, median),
            test,
            effect: test.map(|test| test.effect()),
            adjusted_p: test.map(|test| test.p),
        }
    }
}

/// Adjusts the p-values of all tests in these comparisons together, by Holm's method.
pub fn adjust<'a>(comparisons: impl IntoIterator<Item = &'a mut PairedComparison>) {
    let mut places: Vec<&mut f64> = Vec::new();
    for PairedComparison { solved, nodes, length, .. } in comparisons {
        places.push(&mut solved.adjusted_p);
        places.extend([&mut nodes.adjusted_p, &mut length.adjusted_p].into_iter().flatten());
    }
    let p_values: Vec<f64> = places.iter().map(|place| **place).collect();
    places.into_iter().zip(holm(&p_values)).for_each(|(place, adjusted)| *place = adjusted);
}
