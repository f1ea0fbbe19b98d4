//! What was measured, for other programs and as a page.

use super::FrameTable;
use crate::compare::Record;
use crate::page::{escape, page};
use crate::plot::{Point, scatter};
use crate::table::csv_cell;
use std::fmt::Write as _;

/// A policy on boards that it never saw.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// What the boards are called.
    pub boards: String,
    /// What was measured.
    pub table: FrameTable,
    /// The name of the policy's column; the first column is the baseline.
    pub policy: String,
}

/// All numbers as CSV: one line for each column on each set of boards.
pub fn csv(tests: &[Tested]) -> String {
    let mut text = String::from(
        "boards,search,algorithm,count,solved,solvable,nodes_percent,total_percent,nodes,evaluated,seconds,seconds_percent,\
         length_ratio,hard,hard_solved\n",
    );
    for tested in tests {
        for c in &tested.table.columns {
            let words = [&tested.boards, &c.name, &c.algorithm].map(|word| csv_cell(word)).join(",");
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

/// A self-contained page: a table and a scatter plot for each set of boards.
pub fn html(title: &str, tests: &[Tested]) -> String {
    page(title, &format!("{}<h2>Board by board</h2>\n{}", tables(tests), scatters(tests)))
}

/// What was measured, as tables.
pub fn tables(tests: &[Tested]) -> String {
    let mut body = String::from(
        "<p>Nodes: the mean over all boards of the states expanded, in per cent of those of the \
         first row on the same board; of totals: all states expanded in per cent of all of the first row. Seconds: the mean, \
         with the time that the heuristic's tables take; of time: all of it in per cent of the first row's. Length/optimum: \
         the mean over the boards solved. Hard: of the boards that the first row does not solve in 1,500,000 nodes, those \
         solved in as many.</p>\n",
    );
    for tested in tests {
        let html = tested.table.table(&tested.boards).to_html();
        let cell = format!("<tr><td>{}</td>", escape(&tested.policy));
        body += &html.replace(&cell, &cell.replacen("<tr>", "<tr class=\"ours\">", 1));
    }
    body
}

/// The policy's nodes against the baseline's, board by board.
pub fn scatters(tests: &[Tested]) -> String {
    let mut body = String::from(
        "<p>A point for each board that both solved: below the diagonal the policy expands \
         less.</p>\n<div class=\"plots\">\n",
    );
    for tested in tests {
        let Some(base) = tested.table.columns.first() else { continue };
        let pairs = tested.table.runs_of(&base.name).zip(tested.table.runs_of(&tested.policy));
        let solved = (1..).zip(pairs).filter(|(_, (base, ours))| base.solved() && ours.solved());
        let point = |(number, (base, ours)): (u32, (&Record, &Record))| {
            let name = base.name.clone().unwrap_or_else(|| format!("#{number}"));
            let lengths =
                ours.moves.zip(ours.optimum).map(|(moves, optimum)| format!(" ({moves} moves, optimum {optimum})"));
            Point {
                x: base.expanded.max(1) as f64,
                y: ours.expanded.max(1) as f64,
                name: name + &lengths.unwrap_or_default(),
            }
        };
        let (x, y) = (format!("{}, nodes", base.name), format!("{}, nodes", tested.policy));
        let plot = scatter(&x, &y, &solved.map(point).collect::<Vec<_>>());
        let _ = writeln!(body, "<div><h3>{}</h3>\n{plot}</div>", escape(&tested.boards));
    }
    body + "</div>\n"
}
