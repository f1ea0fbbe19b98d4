//! What the records of a comparison come to, algorithm by algorithm.

use super::Record;
use crate::Table;
use crate::table::{count, ratio};

/// One algorithm over all boards.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The algorithm, as it was asked for.
    pub algorithm: String,
    /// The boards it was run on.
    pub boards: usize,
    /// Those it solved within the limits.
    pub solved: usize,
    /// Those it proved unsolvable.
    pub unsolvable: usize,
    /// The states expanded, over all boards: their sum, mean and median.
    pub total: u64,
    /// See `total`.
    pub mean: f64,
    /// See `total`.
    pub median: u64,
    /// The sum over the boards that this and the first algorithm both answered, and the first one's sum over the same.
    pub beside_first: (u64, u64),
    /// The sum of the lengths of its solutions, divided by the sum of the optima of the same boards.
    pub length_ratio: Option<f64>,
    /// The sum of the times.
    pub seconds: f64,
}

/// The summaries of all algorithms, in the order in which they first appear. Records are in the order of the boards.
pub fn summaries(records: &[Record]) -> Vec<Summary> {
    let names = names(records);
    let of = |name: &str| records.iter().filter(|record| record.algorithm == *name).collect::<Vec<_>>();
    let first = names.first().map(|name| of(name)).unwrap_or_default();
    names.iter().map(|name| summary(name, &of(name), &first)).collect()
}

/// The algorithms, in the order in which they first appear.
pub(super) fn names(records: &[Record]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for record in records {
        if !names.contains(&record.algorithm) {
            names.push(record.algorithm.clone());
        }
    }
    names
}

fn summary(name: &str, records: &[&Record], first: &[&Record]) -> Summary {
    let mut expanded: Vec<u64> = records.iter().map(|record| record.expanded).collect();
    let total = expanded.iter().sum();
    expanded.sort_unstable();
    let answered = |record: &&Record| record.status != "limit";
    let both = records.iter().zip(first).filter(|(ours, first)| answered(ours) && answered(first));
    let lengths = records.iter().filter_map(|record| Some((record.length()?, record.optimum?)));
    let (found, best) = lengths.fold((0u64, 0u64), |sum, (f, b)| (sum.0 + u64::from(f), sum.1 + u64::from(b)));
    Summary {
        algorithm: name.to_owned(),
        boards: records.len(),
        solved: records.iter().filter(|record| record.solved()).count(),
        unsolvable: records.iter().filter(|record| record.status == "unsolvable").count(),
        total,
        mean: total as f64 / records.len().max(1) as f64,
        median: median(&expanded),
        beside_first: both.fold((0, 0), |sum, (ours, first)| (sum.0 + ours.expanded, sum.1 + first.expanded)),
        length_ratio: (best > 0).then(|| found as f64 / best as f64),
        seconds: records.iter().map(|record| record.seconds).sum(),
    }
}

/// The middle of sorted numbers; the mean of the two in the middle, rounded down, if there are two.
fn median(sorted: &[u64]) -> u64 {
    match sorted.len() {
        0 => 0,
        n if n % 2 == 1 => sorted[n / 2],
        n => u64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// A row for each algorithm.
pub fn summary_table(summaries: &[Summary]) -> Table {
    let columns = ["algorithm", "solved", "total", "mean", "median", "of first", "length/optimum", "seconds"];
    let mut table = Table::new("states expanded by each algorithm, over all boards", &columns);
    for summary in summaries {
        let (ours, first) = summary.beside_first;
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

/// A row for each board, a column for each algorithm; the columns are numbered as in the legend that comes with it.
pub fn board_table(records: &[Record]) -> (Table, String) {
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

/// The states expanded; and how much longer than needed the solution is, or why there is none.
fn cell(record: &Record) -> String {
    let remark = match (record.status.as_str(), record.length(), record.optimum) {
        ("limit", ..) => format!(" {}!", record.limit.as_deref().unwrap_or("limit")),
        (_, Some(length), Some(optimum)) if length > optimum => format!(" +{}", length - optimum),
        _ => String::new(),
    };
    count(record.expanded) + &remark
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!([&[][..], &[5], &[1, 9], &[1, 2, 9]].map(median), [0, 5, 5, 2]);
    }
}
