//! Comparisons as CSV, and as a page with tables and plots.

use super::ComparisonRecord;
use super::summary::{board_table, names, summaries, summary_table};
use crate::page::page;
use crate::plot::{Curve, Point, bars, curves, scatter};
use clearway_util::text::csv_field;
use clearway_util::text::escape_xml;
use std::fmt::Write as _;

/// Returns the records as CSV: one line for each board and algorithm.
pub fn csv(records: &[ComparisonRecord]) -> String {
    let mut text = String::from(
        "name,board,algorithm,canonical,metric,status,limit,moves,steps,optimum,expanded,generated,evaluated,goal_tests,\
         reopened,duplicates,peak_open,peak_memory,until_last_jump,queue,seconds,table_size\n",
    );
    for r in records {
        let words = [&r.board, &r.algorithm, &r.canonical, &r.metric, &r.status].map(|word| csv_field(word)).join(",");
        let name = csv_field(r.name.as_deref().unwrap_or_default());
        let limit = r.limit.as_deref().unwrap_or_default();
        let maybe = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let lengths = [r.moves, r.steps, r.optimum].map(|length| maybe(length.map(u64::from))).join(",");
        let statistics = [
            r.statistics.expanded,
            r.statistics.generated,
            r.statistics.evaluated,
            r.statistics.goal_tests,
            r.statistics.reopened,
            r.statistics.duplicates,
            r.statistics.peak_open,
            r.statistics.peak_memory,
            r.statistics.until_last_jump,
        ]
        .map(|counter| counter.to_string())
        .join(",");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name},{words},{limit},{lengths},{statistics},{},{},{}",
            maybe(r.queue),
            r.seconds,
            r.statistics.table_size
        );
    }
    text
}

/// Returns a self-contained page: tables, a bar chart of the algorithms, the boards solved by number of states, and a scatter
/// plot for each pair of algorithms.
pub fn html(records: &[ComparisonRecord]) -> String {
    let names = names(records);
    let boards = records.len() / names.len().max(1);
    let metric = records.first().map_or("moves", |record| record.metric.as_str());
    let all = summaries(records);
    let mut body = format!(
        "<p>{} on {}. Lengths are in {metric}; the exact solver provides the optimum. A cell with the name of a \
         limit marks a run that stopped at this limit; +2 marks a solution that is longer than the optimum by 2.</p>\n",
        plural(names.len(), "algorithm"),
        plural(boards, "board")
    );
    body += "<h2>Summary</h2>\n";
    body += &summary_table(&all).to_html();
    let _ = writeln!(
        body,
        "<p>Solved: boards solved within the limits, out of those not proven unsolvable. Total, mean and median: states expanded, \
         over all boards, solved or not. Of first: states expanded relative to {}, on the boards that both solved or proved \
         unsolvable.</p>",
        escape_xml(names.first().map_or("the first algorithm", String::as_str))
    );
    body += "<div class=\"plots\">\n";
    let totals: Vec<(String, u64)> = all.iter().map(|summary| (summary.algorithm.clone(), summary.total)).collect();
    body += &bars("Total states expanded", &totals);
    body += &solved_curves(records, &names, boards);
    body += "</div>\n";
    if names.len() > 1 {
        body += "<h2>Pairs</h2>\n<p>One point per board solved by both. Below the diagonal, the algorithm on the \
                 vertical axis expands fewer states.</p>\n<div class=\"plots\">\n";
        for (i, x) in names.iter().enumerate() {
            for (j, y) in names.iter().enumerate().skip(i + 1) {
                body += &scatter(x, y, &pairs(records, names.len(), i, j));
            }
        }
        body += "</div>\n";
    }
    let (table, _) = board_table(records);
    body += "<h2>Board by board</h2>\n<ol>\n";
    for name in &names {
        let _ = writeln!(body, "<li>{}</li>", escape_xml(name));
    }
    body += "</ol>\n";
    body += &table.to_html();
    page("Comparison of search algorithms", &body)
}

fn plural(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Plot of the number of boards that each algorithm solves within a number of states.
fn solved_curves(records: &[ComparisonRecord], names: &[String], boards: usize) -> String {
    let curve = |name: &String| {
        let solved = records.iter().filter(|record| record.algorithm == *name && record.solved());
        let mut nodes: Vec<u64> = solved.map(|record| record.statistics.expanded).collect();
        nodes.sort_unstable();
        let corners = (1..).zip(nodes).map(|(solved, nodes)| (nodes.max(1) as f64, f64::from(solved)));
        Curve { name: name.clone(), corners: corners.collect() }
    };
    let all: Vec<Curve> = names.iter().map(curve).collect();
    curves("Boards solved by number of states expanded", "states expanded", boards as u64, &all)
}

/// Points of a scatter plot: boards solved by both algorithms.
fn pairs(records: &[ComparisonRecord], algorithms: usize, i: usize, j: usize) -> Vec<Point> {
    let boards = (1..).zip(records.chunks(algorithms)).filter(|(_, runs)| runs.len() == algorithms);
    let solved = boards.filter(|(_, runs)| runs[i].solved() && runs[j].solved());
    solved
        .map(|(number, runs)| Point {
            x: runs[i].statistics.expanded.max(1) as f64,
            y: runs[j].statistics.expanded.max(1) as f64,
            name: runs[i].name.clone().unwrap_or_else(|| format!("#{number}")),
        })
        .collect()
}
