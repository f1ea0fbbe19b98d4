//! The page about a run that evolves programs for tiles.

use super::champion::{ProgramTestResult, summary};
use super::settings::ProgramSettings;
use crate::plot::lines;
use crate::runs::LogLine;
use crate::runs::report::{RunReport, X_AXIS, series};
use crate::table::count;
use clearway_gp::Generation;
use serde::{Deserialize, Serialize};

/// A line of the log of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedProgramGeneration {
    /// Statistics of the generation.
    #[serde(flatten)]
    pub generation: Generation,
    /// Number of boards solved by its best individual, of those that it was evaluated on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<usize>,
    /// Number of boards that it was evaluated on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<usize>,
}

impl LogLine for LoggedProgramGeneration {
    fn from_generation(generation: Generation) -> LoggedProgramGeneration {
        LoggedProgramGeneration { generation, solved: None, boards: None }
    }

    fn generation(&self) -> &Generation {
        &self.generation
    }
}

impl LoggedProgramGeneration {
    /// Percentage of the boards solved by its best individual.
    fn solved_percent(&self) -> Option<f64> {
        Some(100.0 * self.solved? as f64 / self.boards.filter(|&boards| boards > 0)? as f64)
    }
}

/// Content of the page about a run that evolves programs.
pub(super) struct ProgramReport<'a> {
    pub settings: &'a ProgramSettings,
    /// Generations in order.
    pub generations: &'a [LoggedProgramGeneration],
    /// Results of the champion on the test boards.
    pub tests: &'a [ProgramTestResult],
    /// Champion as text.
    pub program: &'a str,
}

impl ProgramReport<'_> {
    /// Renders the page, which is self-contained.
    pub fn to_html(&self) -> String {
        let ProgramReport { settings, generations, tests, program } = *self;
        let (columns, rows) = (settings.breeding.columns, settings.breeding.rows);
        let fact = |examined: &ProgramTestResult| {
            let (solved, boards) = (count(examined.exam.solved as u64), count(examined.exam.boards as u64));
            (format!("{solved} of {boards}"), format!("{} boards solved", examined.name))
        };
        let solved = series(generations, "best individual", LoggedProgramGeneration::solved_percent);
        let report = RunReport {
            title: &format!("Programs for {columns}x{rows} tiles, seed {}", settings.seed()),
            score: match settings.breeding.learning {
                Some(_) => "solution length or penalty, negated",
                None => "measure of the final board, negated",
            },
            generations,
            facts: tests.iter().map(fact).collect(),
            marks: Vec::new(),
            plots: lines("Boards solved", X_AXIS, "per cent of the boards evaluated", &[solved], &[]),
            tests: if tests.is_empty() {
                String::new()
            } else {
                format!("<h2>Test boards</h2>\n{}", summary(tests).to_html())
            },
            drawing: String::new(),
            champion: program,
            // The settings were serialised when the run was started, so this cannot fail.
            configuration: &toml::to_string(settings).unwrap_or_default(),
            command: &settings.command,
        };
        report.to_html()
    }
}
