//! Results of an evaluation as CSV and as a page.

use super::EvaluationTable;
use crate::compare::ComparisonRecord;
use crate::page::page;
use crate::plot::{Point, scatter};
use clearway_util::text::csv_field;
use clearway_util::text::escape_xml;
use std::fmt::Write as _;

/// Result of a policy on a set of boards.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    /// Name of the set of boards.
    pub boards: String,
    /// Results of the policy and of the searches beside it, one column each.
    pub table: EvaluationTable,
    /// Name of the column of the policy. The first column is the baseline.
    pub policy: String,
}

/// Returns all numbers as CSV: one line for each column on each set of boards.
pub fn csv(tests: &[TestResult]) -> String {
    let mut text = String::from(
        "boards,search,algorithm,count,solved,solvable,nodes_percent,total_percent,nodes,evaluated,seconds,seconds_percent,\
         length_ratio,hard,hard_solved\n",
    );
    for tested in tests {
        for c in &tested.table.columns {
            let words = [&tested.boards, &c.name, &c.algorithm].map(|word| csv_field(word)).join(",");
            let counts = [tested.table.boards, c.solved, c.solvable].map(|count| count.to_string()).join(",");
            let numbers = [c.nodes_percent, c.total_percent, c.nodes, c.evaluated, c.seconds, c.seconds_percent]
                .map(|number| number.map_or(String::new(), |number| number.to_string()))
                .join(",");
            let ratio = c.length_ratio.map_or(String::new(), |ratio| ratio.to_string());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{words},{counts},{numbers},{ratio},{},{}", c.beyond.boards, c.beyond.solved);
        }
    }
    text
}

/// Returns a self-contained page with a table and a scatter plot for each set of boards.
pub fn html(title: &str, tests: &[TestResult]) -> String {
    page(title, &format!("{}<h2>Board by board</h2>\n{}", tables(tests), scatters(tests)))
}

/// Tables as HTML, with an explanation of their columns.
pub fn tables(tests: &[TestResult]) -> String {
    let mut body = String::from(
        "<p>Nodes: states expanded as a percentage of those of the first row on the same board, averaged over all boards. Of \
         totals: total states expanded as a percentage of the total of the first row. Seconds: mean time, including the time to \
         build the tables of the heuristic. Of time: total time as a percentage of that of the first row. Length/optimum: \
         averaged over the boards solved. Hard: boards that the first row does not solve within 1,500,000 nodes, and how many \
         of them are solved within that number.</p>\n",
    );
    for tested in tests {
        let html = tested.table.table(&tested.boards).to_html();
        let cell = format!("<tr><td>{}</td>", escape_xml(&tested.policy));
        body += &html.replace(&cell, &cell.replacen("<tr>", "<tr class=\"ours\">", 1));
    }
    body
}

/// Scatter plots as HTML: nodes of the policy against nodes of the baseline.
pub fn scatters(tests: &[TestResult]) -> String {
    let mut body = String::from(
        "<p>One point per board solved by both. Below the diagonal, the policy expands fewer \
         states.</p>\n<div class=\"plots\">\n",
    );
    for tested in tests {
        let Some(base) = tested.table.columns.first() else { continue };
        let pairs = tested.table.runs_of(&base.name).zip(tested.table.runs_of(&tested.policy));
        let solved = (1..).zip(pairs).filter(|(_, (base, ours))| base.solved() && ours.solved());
        let point = |(number, (base, ours)): (u32, (&ComparisonRecord, &ComparisonRecord))| {
            let name = base.name.clone().unwrap_or_else(|| format!("#{number}"));
            let metric = &ours.metric;
            let lengths = ours.length().zip(ours.optimum);
            let lengths = lengths.map(|(length, optimum)| format!(" ({length} {metric}, optimum {optimum})"));
            Point {
                x: base.statistics.expanded.max(1) as f64,
                y: ours.statistics.expanded.max(1) as f64,
                name: name + &lengths.unwrap_or_default(),
            }
        };
        let (x, y) = (format!("{}, nodes", base.name), format!("{}, nodes", tested.policy));
        let plot = scatter(&x, &y, &solved.map(point).collect::<Vec<_>>());
        let _ = writeln!(body, "<div><h3>{}</h3>\n{plot}</div>", escape_xml(&tested.boards));
    }
    body + "</div>\n"
}
