//! The report on a run of evolution: one page that needs nothing else.

use crate::frames::{Tested, scatters, tables};
use crate::page::{escape, page};
use crate::plot::{Band, Series, lines};
use crate::table::count;
use clearway_gp::Generation;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A line of the log of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedGeneration {
    /// The generation.
    #[serde(flatten)]
    pub generation: Generation,
    /// The nodes that its best individual needs on the test boards, in per cent of the baseline's, where it was tested.
    #[serde(default, rename = "test-nodes-percent", skip_serializing_if = "Option::is_none")]
    pub test_nodes_percent: Option<f64>,
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
    let mut body = facts(report);
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
        "<h2>The champion</h2>\n<div class=\"drawing\">{}</div>\n<pre>{}</pre>\n\
         <h2>The run</h2>\n<p>This repeats it:</p>\n<pre>{}</pre>\n<p>Its configuration:</p>\n<pre>{}</pre>\n",
        element(report.drawing),
        escape(report.policy.trim_end()),
        escape(report.command),
        escape(report.configuration.trim_end()),
    );
    page(report.title, &body)
}

/// The drawing without what may only stand at the beginning of a file.
fn element(svg: &str) -> &str {
    svg.find("<svg").map_or("", |start| &svg[start..])
}

/// The run in a few numbers.
fn facts(report: &Report) -> String {
    let sum = |of: fn(&Generation) -> u64| {
        report.generations.iter().map(|logged| of(&logged.generation)).fold(0, u64::saturating_add)
    };
    let seconds: f64 = report.generations.iter().map(|logged| logged.generation.seconds).sum();
    let mut facts = vec![
        (count(report.generations.len() as u64), "generations".to_owned()),
        (count(sum(|generation| generation.evaluations)), "evaluations".to_owned()),
        (count(sum(|generation| generation.nodes)), "nodes searched".to_owned()),
        (duration(seconds), "of breeding".to_owned()),
    ];
    if let Some(last) = report.generations.last() {
        facts.push((format!("{:.2}", last.generation.best), format!("best score: {}", report.score)));
    }
    for tested in report.tests {
        if let Some(column) = tested.table.column(&tested.policy) {
            facts.push((format!("{:.2} %", column.nodes_percent), format!("of the nodes on {}", tested.boards)));
        }
    }
    let items =
        facts.iter().map(|(number, what)| format!("<li><b>{}</b><span>{}</span></li>\n", escape(number), escape(what)));
    format!("<ul class=\"facts\">\n{}</ul>\n", items.collect::<String>())
}

fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// Score, test, size and variety over the generations.
fn plots(report: &Report) -> String {
    let series = |name: &str, of: &dyn Fn(&LoggedGeneration) -> Option<f64>| {
        let point = |logged: &LoggedGeneration| Some((f64::from(logged.generation.generation), of(logged)?));
        Series { name: name.to_owned(), points: report.generations.iter().filter_map(point).collect() }
    };
    let number = |name: &str, of: fn(&Generation) -> f64| series(name, &|logged| Some(of(&logged.generation)));
    let edge = |logged: &LoggedGeneration| {
        let generation = &logged.generation;
        (f64::from(generation.generation), generation.quartiles[0], generation.quartiles[2])
    };
    let quartiles = Band {
        name: "the middle half of the population".to_owned(),
        edges: report.generations.iter().map(edge).collect(),
    };
    let score = [number("best", |generation| generation.best), number("mean", |generation| generation.mean)];
    let size = [
        number("best individual", |generation| generation.best_size.into()),
        number("mean of the population", |generation| generation.mean_size),
    ];
    let depth = [
        number("best individual", |generation| generation.best_depth.into()),
        number("mean of the population", |generation| generation.mean_depth),
    ];
    let variety = [
        number("different individuals", |generation| 100.0 * generation.uniqueness),
        number("judgements from the cache", |generation| {
            100.0 * generation.cached as f64 / f64::from(generation.individuals.max(1))
        }),
    ];
    let across = "generation";
    let mut plots = lines("Score", across, report.score, &score, Some(&quartiles), scale(report.generations));
    let test = series("best individual", &|logged| logged.test_nodes_percent);
    if !test.points.is_empty() {
        plots += &lines("Nodes on the test boards", across, "per cent of the baseline's nodes", &[test], None, None);
    }
    plots += &lines("Size", across, "nodes of all trees", &size, None, None);
    plots += &lines("Depth", across, "depth of the deepest tree", &depth, None, None);
    plots += &lines("Variety", across, "per cent", &variety, None, None);
    plots
}

/// How much of the scores there is to see: the best of all generations, and what the lower quartile usually is, with room
/// below. Without this the few that are very bad, and with them the mean, would leave nothing of the others.
fn scale(generations: &[LoggedGeneration]) -> Option<(f64, f64)> {
    let best = || generations.iter().map(|logged| logged.generation.best);
    let mut lower: Vec<f64> = generations.iter().map(|logged| logged.generation.quartiles[0]).collect();
    lower.sort_by(f64::total_cmp);
    let usual = *lower.get(lower.len() / 2)?;
    let (least, most) = (best().fold(usual, f64::min), best().fold(usual, f64::max));
    Some((least - (most - least) / 2.0, most))
}
