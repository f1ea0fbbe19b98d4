//! The table of the measurements: one column per log. Times are CPU time.

use super::record::{Header, MARKS, Measurement};
use clearway_util::median::median;
use std::collections::HashMap;
use std::fmt::Write;

/// A log: its header and its measurements.
pub type Log = (Header, Vec<Measurement>);

/// Index of the mark whose plan lengths are compared: 10 seconds.
const COMPARED: usize = 2;

/// Returns the rows of the table in Markdown. All logs must be of the same boards and metric, though a log need not hold all of them.
pub fn table(logs: &[Log]) -> String {
    let best = best_known(logs);
    let metric = logs.first().map_or("moves", |(header, _)| header.metric.as_str());
    let mut rows = vec![Row::new("", logs, |header, _| header.engine.clone())];
    rows.push(Row::new("boards", logs, |_, records| records.len().to_string()));
    rows.push(Row::new("with a known plan", logs, |_, records| {
        records.iter().filter(|record| best.contains_key(record.name.as_str())).count().to_string()
    }));
    for seconds in [1.0, 5.0] {
        rows.push(Row::new(&format!("first plan within {seconds} s, of these"), logs, |_, records| {
            let solvable = records.iter().filter(|record| best.contains_key(record.name.as_str()));
            share(solvable, |record| record.has_plan_within(seconds))
        }));
    }
    rows.push(Row::new("decided (a plan, or proven unsolvable) within 20 s", logs, |_, records| {
        let is_refuted = |record: &Measurement| record.is_unsolvable() && is_proven_within(record, 20.0);
        share(records.iter(), |record| record.has_plan_within(20.0) || is_refuted(record))
    }));
    rows.push(Row::new("proven unsolvable", logs, |_, records| {
        records.iter().filter(|record| record.is_unsolvable()).count().to_string()
    }));
    for seconds in [20.0, 60.0] {
        rows.push(Row::new(&format!("proven optimal in {metric} within {seconds} s"), logs, |header, records| {
            let solvable = records.iter().filter(|record| best.contains_key(record.name.as_str()));
            let proven = share(solvable, |record| record.is_proven_optimal() && is_proven_within(record, seconds));
            if header.time_limit < seconds { "-".to_owned() } else { proven }
        }));
    }
    rows.push(Row::new(
        &format!("plan after {} s, relative to the best known (mean)", MARKS[COMPARED]),
        logs,
        |_, all| {
            mean_ratio(all, &best).map_or("-".to_owned(), |(ratio, boards)| format!("{ratio:.3} ({boards} boards)"))
        },
    ));
    rows.push(Row::new("seconds of CPU time, of wall-clock time", logs, |_, records| {
        let sum = |part: fn(&Measurement) -> f64| records.iter().map(part).sum::<f64>();
        format!("{:.0}, {:.0}", sum(|record| record.cpu_seconds), sum(|record| record.seconds))
    }));
    markdown(&rows)
}

/// Returns the table by kind of board for one log, in Markdown.
pub fn by_kind((_, records): &Log) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for record in records {
        if !kinds.contains(&record.kind.as_str()) {
            kinds.push(&record.kind);
        }
    }
    let titles = ["boards", "plan", "optimal", "unsolvable", "open", "longest optimum", "median CPU s", "proven by"];
    let mut rows = vec![Row { title: "kind".to_owned(), cells: titles.map(str::to_owned).to_vec() }];
    for kind in kinds {
        let of_kind: Vec<&Measurement> = records.iter().filter(|record| record.kind == kind).collect();
        let count = |test: fn(&Measurement) -> bool| of_kind.iter().filter(|record| test(record)).count().to_string();
        let longest =
            of_kind.iter().filter(|record| record.is_proven_optimal()).filter_map(|record| record.length).max();
        rows.push(Row {
            title: kind.to_owned(),
            cells: vec![
                of_kind.len().to_string(),
                count(|record| record.length.is_some()),
                count(Measurement::is_proven_optimal),
                count(Measurement::is_unsolvable),
                count(|record| record.length.is_none() && !record.is_unsolvable()),
                longest.map_or("-".to_owned(), |length| length.to_string()),
                median(&mut of_kind.iter().map(|record| record.cpu_seconds).collect::<Vec<_>>())
                    .map_or("-".to_owned(), seconds),
                proofs_by_part(&of_kind),
            ],
        });
    }
    markdown(&rows)
}

/// Returns the rows of the table for walled boards in Markdown.
pub fn walled_table(logs: &[Log]) -> String {
    let proofs =
        |records: &[Measurement]| -> Vec<f64> { records.iter().filter_map(|record| record.proof_seconds).collect() };
    let ratios = |records: &[Measurement]| -> Vec<f64> {
        let ratio = |record: &Measurement| Some(record.proof_seconds? / record.bare_seconds?);
        records.iter().filter_map(ratio).collect()
    };
    let cell = |value: Option<f64>, show: fn(f64) -> String| value.map_or("-".to_owned(), show);
    let largest = |values: Vec<f64>| values.into_iter().reduce(f64::max);
    let ratio = |value: f64| format!("{value:.1}");
    markdown(&[
        Row::new("", logs, |header, _| header.engine.clone()),
        Row::new("proven optimal", logs, |_, records| share(records.iter(), Measurement::is_proven_optimal)),
        Row::new("median seconds to the proof", logs, |_, records| cell(median(&mut proofs(records)), seconds)),
        Row::new("maximum seconds to the proof", logs, |_, records| cell(largest(proofs(records)), seconds)),
        Row::new("ratio to the bare board, median", logs, |_, records| cell(median(&mut ratios(records)), ratio)),
        Row::new("ratio to the bare board, maximum", logs, |_, records| cell(largest(ratios(records)), ratio)),
    ])
}

/// Keeps the boards that all logs hold, so that the columns can be compared.
pub fn keep_common(logs: &mut [Log]) {
    let names: Vec<Vec<String>> =
        logs.iter().map(|(_, records)| records.iter().map(|record| record.name.clone()).collect()).collect();
    for (_, records) in logs {
        records.retain(|record| names.iter().all(|names| names.contains(&record.name)));
    }
}

/// Length of the best plan of each board that any engine found.
fn best_known(logs: &[Log]) -> HashMap<&str, u32> {
    let mut best = HashMap::new();
    for record in logs.iter().flat_map(|(_, records)| records) {
        if let Some(length) = record.length {
            let entry = best.entry(record.name.as_str()).or_insert(length);
            *entry = length.min(*entry);
        }
    }
    best
}

fn is_proven_within(record: &Measurement, seconds: f64) -> bool {
    record.proof_seconds.is_some_and(|proof| proof <= seconds)
}

/// Mean ratio of the plans after ten seconds to the best known ones, and the number of boards that have such a plan.
fn mean_ratio(records: &[Measurement], best: &HashMap<&str, u32>) -> Option<(f64, usize)> {
    let ratio = |record: &Measurement| {
        // A search that has ended needs no more time.
        let length = record.length_after[COMPARED]?;
        let best = f64::from(*best.get(record.name.as_str())?);
        // A board may be solved from the start.
        Some(if best == 0.0 { 1.0 } else { f64::from(length) / best })
    };
    let ratios: Vec<f64> = records.iter().filter_map(ratio).collect();
    (!ratios.is_empty()).then(|| (ratios.iter().sum::<f64>() / ratios.len() as f64, ratios.len()))
}

/// Numbers of proofs by each part of the engine, the most frequent first.
fn proofs_by_part(records: &[&Measurement]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let proofs = records.iter().filter(|record| record.proof_seconds.is_some());
    for part in proofs.filter_map(|record| record.bound_by.as_deref()) {
        match counts.iter_mut().find(|(name, _)| *name == part) {
            Some((_, count)) => *count += 1,
            None => counts.push((part, 1)),
        }
    }
    counts.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

fn share<'a>(records: impl Iterator<Item = &'a Measurement>, test: impl Fn(&Measurement) -> bool) -> String {
    let (mut passed, mut all) = (0, 0);
    for record in records {
        all += 1;
        passed += usize::from(test(record));
    }
    if all == 0 { "-".to_owned() } else { format!("{passed} of {all} ({:.1} %)", 100.0 * passed as f64 / all as f64) }
}

/// Formats seconds with three significant digits.
fn seconds(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        0.1.. => format!("{value:.3}"),
        _ => format!("{value:.5}"),
    }
}

struct Row {
    title: String,
    cells: Vec<String>,
}

impl Row {
    fn new(title: &str, logs: &[Log], cell: impl Fn(&Header, &[Measurement]) -> String) -> Row {
        Row { title: title.to_owned(), cells: logs.iter().map(|(header, records)| cell(header, records)).collect() }
    }
}

/// Writes a table whose first row is the header.
fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    for (index, Row { title, cells }) in rows.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {title} | {} |", cells.join(" | "));
        if index == 0 {
            let _ = writeln!(text, "|{}", " --- |".repeat(cells.len() + 1));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use clearway_rush::Metric;

    fn logs() -> Vec<Log> {
        let header = |engine, limit| Header::new("recipe", 1, engine, Metric::Moves, limit, 3_000);
        vec![
            (
                header("portfolio", 60.0),
                vec![
                    record("a", Some((0.5, 10)), Some(2.0)),
                    record("b", Some((3.0, 30)), Some(40.0)),
                    record("c", None, Some(0.1)),
                    record("d", Some((9.0, 22)), None),
                ],
            ),
            (
                header("astar", 20.0),
                vec![record("a", Some((0.25, 10)), Some(0.25)), record("d", Some((4.0, 20)), None)],
            ),
        ]
    }

    #[test]
    fn the_table_compares_engines() {
        let expected = "\
            |  | portfolio | astar |\n\
            | --- | --- | --- |\n\
            | boards | 4 | 2 |\n\
            | with a known plan | 3 | 2 |\n\
            | first plan within 1 s, of these | 1 of 3 (33.3 %) | 1 of 2 (50.0 %) |\n\
            | first plan within 5 s, of these | 2 of 3 (66.7 %) | 2 of 2 (100.0 %) |\n\
            | decided (a plan, or proven unsolvable) within 20 s | 4 of 4 (100.0 %) | 2 of 2 (100.0 %) |\n\
            | proven unsolvable | 1 | 0 |\n\
            | proven optimal in moves within 20 s | 1 of 3 (33.3 %) | 1 of 2 (50.0 %) |\n\
            | proven optimal in moves within 60 s | 2 of 3 (66.7 %) | - |\n\
            | plan after 10 s, relative to the best known (mean) | 1.033 (3 boards) | 1.000 (2 boards) |\n\
            | seconds of CPU time, of wall-clock time | 5, 6 | 2, 3 |\n";
        assert_eq!(table(&logs()), expected);
    }

    #[test]
    fn common_boards_are_in_all_logs() {
        let mut logs = logs();
        keep_common(&mut logs);
        let names = |(_, records): &Log| records.iter().map(|record| record.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&logs[0]), ["a", "d"]);
        assert_eq!(names(&logs[0]), names(&logs[1]));
    }

    #[test]
    fn walled_boards_are_compared_with_the_bare_ones() {
        let mut log = logs().remove(0);
        log.1.truncate(2);
        for record in &mut log.1 {
            record.bare_seconds = Some(0.5);
        }
        let text = walled_table(&[log]);
        assert!(text.contains("| median seconds to the proof | 21.0 |\n"), "{text}");
        assert!(text.contains("| ratio to the bare board, maximum | 80.0 |\n"), "{text}");
    }

    #[test]
    fn every_kind_has_a_row() {
        let text = by_kind(&logs()[0]);
        assert_eq!(text.lines().nth(2), Some("| 9x9-75 | 4 | 3 | 2 | 1 | 0 | 30 | 1.25 |  |"));
    }
}
