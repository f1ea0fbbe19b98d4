//! Summaries of a comparison by algorithm and by board.

use super::ComparisonRecord;
use crate::Table;
use crate::table::{count, ratio};
use clearway_util::median::middle;

/// Summary of one algorithm over all boards.
#[derive(Clone, Debug, PartialEq)]
pub struct AlgorithmSummary {
    /// Label of the algorithm.
    pub algorithm: String,
    /// Number of boards.
    pub boards: usize,
    /// Number of boards solved within the limits.
    pub solved: usize,
    /// Number of boards proven unsolvable.
    pub unsolvable: usize,
    /// Total number of states expanded, over all boards.
    pub total: u64,
    /// Mean number of states expanded.
    pub mean: f64,
    /// Median number of states expanded.
    pub median: u64,
    /// States expanded by this and by the first algorithm, on the boards that both solved or proved unsolvable.
    pub expanded_with_first: (u64, u64),
    /// Sum of the solution lengths, divided by the sum of the optima of the same boards.
    pub length_ratio: Option<f64>,
    /// Total time in seconds.
    pub seconds: f64,
}

/// Summarises all algorithms, in the order of their first appearance. The records must be in the order of the boards.
pub fn summaries(records: &[ComparisonRecord]) -> Vec<AlgorithmSummary> {
    let names = names(records);
    let records_of = |name: &str| records.iter().filter(|record| record.algorithm == *name).collect::<Vec<_>>();
    let first = names.first().map(|name| records_of(name)).unwrap_or_default();
    names.iter().map(|name| summary(name, &records_of(name), &first)).collect()
}

/// Labels of the algorithms, in the order of their first appearance.
pub(super) fn names(records: &[ComparisonRecord]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for record in records {
        if !names.contains(&record.algorithm) {
            names.push(record.algorithm.clone());
        }
    }
    names
}

fn summary(name: &str, records: &[&ComparisonRecord], first: &[&ComparisonRecord]) -> AlgorithmSummary {
    let mut expanded: Vec<u64> = records.iter().map(|record| record.statistics.expanded).collect();
    let total = expanded.iter().sum();
    expanded.sort_unstable();
    let answered = |record: &&ComparisonRecord| record.status != "limit";
    let both = records.iter().zip(first).filter(|(ours, first)| answered(ours) && answered(first));
    let lengths = records.iter().filter_map(|record| Some((record.length()?, record.optimum?)));
    let (found, best) = lengths.fold((0u64, 0u64), |sum, (f, b)| (sum.0 + u64::from(f), sum.1 + u64::from(b)));
    AlgorithmSummary {
        algorithm: name.to_owned(),
        boards: records.len(),
        solved: records.iter().filter(|record| record.solved()).count(),
        unsolvable: records.iter().filter(|record| record.status == "unsolvable").count(),
        total,
        mean: total as f64 / records.len().max(1) as f64,
        median: median(&expanded),
        expanded_with_first: both
            .fold((0, 0), |sum, (ours, first)| (sum.0 + ours.statistics.expanded, sum.1 + first.statistics.expanded)),
        length_ratio: (best > 0).then(|| found as f64 / best as f64),
        seconds: records.iter().map(|record| record.seconds).sum(),
    }
}

/// Median of sorted numbers; the mean of the two middle ones, rounded down, if their number is even.
fn median(sorted: &[u64]) -> u64 {
    middle(sorted).map_or(0, |(low, high)| u64::midpoint(low, high))
}

/// Returns a table with a row for each algorithm.
pub fn summary_table(summaries: &[AlgorithmSummary]) -> Table {
    let columns = ["algorithm", "solved", "total", "mean", "median", "of first", "length/optimum", "seconds"];
    let mut table = Table::new("states expanded by each algorithm, over all boards", &columns);
    for summary in summaries {
        let (ours, first) = summary.expanded_with_first;
        let share = if first == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * ours as f64 / first as f64) };
        table.rows.push(vec![
            summary.algorithm.clone(),
            format!("{}/{}", summary.solved, summary.boards - summary.unsolvable),
            count(summary.total),
            count(summary.mean.round() as u64),
            count(summary.median),
            share,
            summary.length_ratio.map_or("-".to_owned(), |found| format!("{found:.3}")),
            ratio(summary.seconds, 1.0),
        ]);
    }
    table
}

/// Returns a table with a row for each board and a numbered column for each algorithm, and the legend of the numbers.
pub fn board_table(records: &[ComparisonRecord]) -> (Table, String) {
    let names = names(records);
    let legend: Vec<String> = (1..).zip(&names).map(|(i, name)| format!("[{i}] {name}\n")).collect();
    let numbers: Vec<String> = (1..=names.len()).map(|i| format!("[{i}]")).collect();
    let columns: Vec<&str> = ["board", "optimum"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let mut table = Table::new("", &columns);
    for (number, runs) in (1..).zip(records.chunks(names.len().max(1))) {
        let title = runs[0].name.clone().unwrap_or_else(|| format!("#{number}"));
        let unsolvable = runs.iter().any(|run| run.status == "unsolvable");
        let unknown = if unsolvable { "none" } else { "?" };
        let optimum = runs[0].optimum.map_or(unknown.to_owned(), |optimum| optimum.to_string());
        let printable = |c: char| if c.is_control() { '?' } else { c };
        table
            .rows
            .push([title.chars().map(printable).collect(), optimum].into_iter().chain(runs.iter().map(cell)).collect());
    }
    (table, legend.concat())
}

/// States expanded, followed by the excess length of the solution or the limit that stopped the run.
fn cell(record: &ComparisonRecord) -> String {
    let remark = match (record.status.as_str(), record.length(), record.optimum) {
        ("limit", ..) => format!(" {}!", record.limit.as_deref().unwrap_or("limit")),
        (_, Some(length), Some(optimum)) if length > optimum => format!(" +{}", length - optimum),
        _ => String::new(),
    };
    count(record.statistics.expanded) + &remark
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn an_even_number_of_values_has_a_median() {
        assert_eq!([&[][..], &[5], &[1, 9], &[1, 2, 9]].map(median), [0, 5, 5, 2]);
    }
}
