//! The report on a run of evolution: one page that needs nothing else.

use crate::frames::{Tested, scatters, tables};
use crate::page::{escape, page};
use crate::plot::lines;
use crate::runs::LogLine;
use crate::runs::report::{ACROSS, facts, origin, score_plot, series, shape_plots};
use clearway_gp::Generation;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A line of the log of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LoggedGeneration {
    /// The generation.
    #[serde(flatten)]
    pub generation: Generation,
    /// The nodes that its best individual needs on the test boards, in per cent of the baseline's, where it was tested.
    #[serde(default, rename = "test-nodes-percent", skip_serializing_if = "Option::is_none")]
    pub test_nodes_percent: Option<f64>,
}

impl LogLine for LoggedGeneration {
    fn of(generation: Generation) -> LoggedGeneration {
        LoggedGeneration { generation, test_nodes_percent: None }
    }

    fn generation(&self) -> &Generation {
        &self.generation
    }
}

/// Everything that is known about a run.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The head of the page.
    pub title: &'a str,
    /// What the score of an individual counts; more is better.
    pub score: &'a str,
    /// The generations, from the first to the last.
    pub generations: &'a [LoggedGeneration],
    /// The champion on the test boards.
    pub tests: &'a [Tested],
    /// The champion as a drawing: an SVG element.
    pub drawing: &'a str,
    /// The champion as text.
    pub policy: &'a str,
    /// The configuration as text.
    pub configuration: &'a str,
    /// The command that repeats the run.
    pub command: &'a str,
}

/// The page.
///
/// ```
/// use clearway_lab::evolve::{LoggedGeneration, Report, html};
/// let generations = [LoggedGeneration { generation: Default::default(), test_nodes_percent: None }];
/// let report = Report {
///     title: "A run",
///     score: "nodes saved, %",
///     generations: &generations,
///     tests: &[],
///     drawing: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
///     policy: "default h1",
///     configuration: "seed = 1",
///     command: "clearway evolve --seed 1",
/// };
/// assert!(html(&report).contains("clearway evolve --seed 1"));
/// ```
pub fn html(report: &Report) -> String {
    let of_test = |tested: &Tested| {
        let column = tested.table.column(&tested.policy)?;
        Some((format!("{:.2} %", column.nodes_percent?), format!("of the nodes on {}", tested.boards)))
    };
    let mut body = facts(report.generations, report.score, report.tests.iter().filter_map(of_test).collect());
    body += "<h2>Generations</h2>\n<div class=\"plots\">\n";
    body += &plots(report);
    body += "</div>\n";
    if !report.tests.is_empty() {
        body += "<h2>On boards it never saw</h2>\n";
        body += &tables(report.tests);
        body += "<h2>Board by board</h2>\n";
        body += &scatters(report.tests);
    }
    let _ = write!(
        body,
        "<h2>The champion</h2>\n<div class=\"drawing\">{}</div>\n<pre>{}</pre>\n{}",
        element(report.drawing),
        escape(report.policy.trim_end()),
        origin(report.command, report.configuration),
    );
    page(report.title, &body)
}

/// The drawing without what may only stand at the beginning of a file.
fn element(svg: &str) -> &str {
    svg.find("<svg").map_or("", |start| &svg[start..])
}

/// Score, test, size and variety over the generations.
fn plots(report: &Report) -> String {
    let mut plots = score_plot(report.generations, report.score);
    let test = series(report.generations, "best individual", |line| line.test_nodes_percent);
    if !test.points.is_empty() {
        plots += &lines("Nodes on the test boards", ACROSS, "per cent of the baseline's nodes", &[test], &[], None);
    }
    plots + &shape_plots(report.generations)
}
