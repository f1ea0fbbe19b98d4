//! The report on a run: one page that needs nothing else.

use super::champion::{Examined, summary};
use super::settings::Settings;
use crate::page::{escape, page};
use crate::plot::lines;
use crate::runs::LogLine;
use crate::runs::report::{ACROSS, facts, origin, score_plot, series, shape_plots};
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
    /// The boards that its best individual solves, of those that it was judged on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<usize>,
    /// The boards that it was judged on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<usize>,
}

impl LogLine for LoggedGeneration {
    fn of(generation: Generation) -> LoggedGeneration {
        LoggedGeneration { generation, solved: None, boards: None }
    }

    fn generation(&self) -> &Generation {
        &self.generation
    }
}

impl LoggedGeneration {
    /// How many per cent of the boards its best individual solves.
    fn solved_percent(&self) -> Option<f64> {
        Some(100.0 * self.solved? as f64 / self.boards.filter(|&boards| boards > 0)? as f64)
    }
}

/// Everything that is known about a run.
pub(super) struct Report<'a> {
    pub settings: &'a Settings,
    /// The generations, from the first to the last.
    pub generations: &'a [LoggedGeneration],
    /// The champion examined.
    pub tests: &'a [Examined],
    /// The champion as text.
    pub program: &'a str,
}

/// The page.
pub(super) fn html(report: &Report) -> String {
    let Report { settings, generations, tests, program } = report;
    let score = match settings.breeding.learning {
        Some(_) => "minus the moves of a solution, or more than any for a board that is not solved",
        None => "minus the measure that is left of a board",
    };
    let solved = |examined: &Examined| {
        let Examined { exam, .. } = examined;
        (
            format!("{} of {}", count(exam.solved as u64), count(exam.boards as u64)),
            format!("boards: {}", examined.name),
        )
    };
    let mut body = facts(generations, score, tests.iter().map(solved).collect());
    body += "<h2>Generations</h2>\n<div class=\"plots\">\n";
    body += &score_plot(generations, score);
    let curve = series(generations, "best individual", LoggedGeneration::solved_percent);
    body += &lines("Boards solved", ACROSS, "per cent of the boards it was judged on", &[curve], &[], None);
    body += &shape_plots(generations);
    body += "</div>\n";
    if !tests.is_empty() {
        body += "<h2>Examined</h2>\n";
        body += &summary(tests).to_html();
    }
    // Writing to a string cannot fail.
    let _ = write!(body, "<h2>The champion</h2>\n<pre>{}</pre>\n", escape(program.trim_end()));
    // Settings hold nothing that TOML cannot express, or the run would not have begun.
    body += &origin(&settings.command, &toml::to_string(settings).unwrap_or_default());
    page(
        &format!(
            "Programs for tiles of {}x{}, seed {}",
            settings.breeding.columns,
            settings.breeding.rows,
            settings.seed()
        ),
        &body,
    )
}
