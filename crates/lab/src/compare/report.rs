//! The records of a comparison as CSV, and as a page with tables and plots.

use super::Record;
use super::summary::{board_table, names, summaries, summary_table};
use crate::page::{escape, page};
use crate::plot::{Curve, Point, bars, curves, scatter};
use crate::table::csv_cell;
use std::fmt::Write as _;

/// One line for each board and algorithm, under the names of the fields.
pub fn csv(records: &[Record]) -> String {
    let mut text = String::from(
        "name,board,algorithm,canonical,metric,status,limit,moves,steps,optimum,expanded,generated,evaluated,goal_tests,\
         reopened,duplicates,peak_open,peak_memory,until_last_jump,queue,seconds\n",
    );
    for r in records {
        let words = [&r.board, &r.algorithm, &r.canonical, &r.metric, &r.status].map(|word| csv_cell(word)).join(",");
        let name = csv_cell(r.name.as_deref().unwrap_or_default());
        let limit = r.limit.as_deref().unwrap_or_default();
        let maybe = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let lengths = [r.moves, r.steps, r.optimum].map(|length| maybe(length.map(u64::from))).join(",");
        let counters = [
            r.expanded,
            r.generated,
            r.evaluated,
            r.goal_tests,
            r.reopened,
            r.duplicates,
            r.peak_open,
            r.peak_memory,
            r.until_last_jump,
        ]
        .map(|counter| counter.to_string())
        .join(",");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name},{words},{limit},{lengths},{counters},{},{}", maybe(r.queue), r.seconds);
    }
    text
}

/// A self-contained page: the tables, a bar for each algorithm, a scatter plot for each pair of them, and the boards
/// solved against the nodes needed.
pub fn html(records: &[Record]) -> String {
    let names = names(records);
    let boards = records.len() / names.len().max(1);
    let metric = records.first().map_or("moves", |record| record.metric.as_str());
    let all = summaries(records);
    let mut body = format!(
        "<p>{} on {}. Lengths are counted in {metric}; the optimum is that of the exact solver. A run ended \
         at a limit where a board's cell says which; +2 marks a solution that is longer than the optimum by 2.</p>\n",
        plural(names.len(), "algorithm"),
        plural(boards, "board")
    );
    body += "<h2>Summary</h2>\n";
    body += &summary_table(&all).to_html();
    let _ = writeln!(
        body,
        "<p>Solved: boards solved within the limits, of those not proven unsolvable. Total, mean and median: states expanded, \
         over all boards, whether solved or not. Of first: states expanded compared with {}, on the boards that both answered.</p>",
        escape(names.first().map_or("the first", String::as_str))
    );
    body += "<div class=\"plots\">\n";
    let totals: Vec<(String, u64)> = all.iter().map(|summary| (summary.algorithm.clone(), summary.total)).collect();
    body += &bars("States expanded in total", &totals);
    body += &solved_curves(records, &names, boards);
    body += "</div>\n";
    if names.len() > 1 {
        body += "<h2>Pairs</h2>\n<p>A point for each board that both solved: below the diagonal the algorithm on the \
                 vertical axis expands less.</p>\n<div class=\"plots\">\n";
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
        let _ = writeln!(body, "<li>{}</li>", escape(name));
    }
    body += "</ol>\n";
    body += &table.to_html();
    page("Search algorithms compared", &body)
}

fn plural(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// How many boards each algorithm solves within a number of nodes.
fn solved_curves(records: &[Record], names: &[String], boards: usize) -> String {
    let curve = |name: &String| {
        let solved = records.iter().filter(|record| record.algorithm == *name && record.solved());
        let mut nodes: Vec<u64> = solved.map(|record| record.expanded).collect();
        nodes.sort_unstable();
        let corners = (1..).zip(nodes).map(|(solved, nodes)| (nodes.max(1) as f64, f64::from(solved)));
        Curve { name: name.clone(), corners: corners.collect() }
    };
    let all: Vec<Curve> = names.iter().map(curve).collect();
    curves("Boards solved within a number of states expanded", "states expanded", boards as u64, &all)
}

/// The boards that two algorithms both solved.
fn pairs(records: &[Record], algorithms: usize, i: usize, j: usize) -> Vec<Point> {
    let boards = (1..).zip(records.chunks(algorithms)).filter(|(_, runs)| runs.len() == algorithms);
    let solved = boards.filter(|(_, runs)| runs[i].solved() && runs[j].solved());
    solved
        .map(|(number, runs)| Point {
            x: runs[i].expanded.max(1) as f64,
            y: runs[j].expanded.max(1) as f64,
            name: runs[i].name.clone().unwrap_or_else(|| format!("#{number}")),
        })
        .collect()
}
