//! The page about a run that evolves policies.

use super::population_plots::population_plots;
use crate::evaluation::{TestResult, percent, scatters, tables};
use crate::plot::lines;
use crate::runs::LogLine;
use crate::runs::report::{RunReport, X_AXIS, series};
use clearway_gp::{Generation, OperatorSuccess};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line of the log of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub struct LoggedGeneration {
    /// Statistics of the generation.
    #[serde(flatten)]
    pub generation: Generation,
    /// Nodes that its best individual needs on the test boards, as a percentage of the baseline's; only where it was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_nodes_percent: Option<f64>,
    /// Whether the boards are others than those of the previous generation, so that the scores are not comparable.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new_sample: bool,
    /// Number of individuals with different results on the boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviours: Option<u32>,
    /// Children of each operator, and how many of them are better than their first parent; only where the boards are those of
    /// the previous generation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<OperatorSuccess>,
    /// Number of individuals whose estimates can depend on each heuristic.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub terminals: BTreeMap<String, u32>,
}

impl LogLine for LoggedGeneration {
    fn from_generation(generation: Generation) -> LoggedGeneration {
        LoggedGeneration { generation, ..LoggedGeneration::default() }
    }

    fn generation(&self) -> &Generation {
        &self.generation
    }
}

/// Content of the page about a run that evolves policies.
///
/// ```
/// use clearway_lab::evolve::{LoggedGeneration, PolicyReport};
/// let generations = [LoggedGeneration::default()];
/// let report = PolicyReport {
///     title: "A run",
///     score: "nodes saved, %",
///     generations: &generations,
///     tests: &[],
///     drawing: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
///     policy: "default h1",
///     configuration: "seed = 1",
///     command: "clearway evolve --seed 1",
///     time_plot: "",
/// };
/// assert!(report.to_html().contains("clearway evolve --seed 1"));
/// ```
#[derive(Clone, Debug)]
pub struct PolicyReport<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Meaning of the score of an individual; higher is better.
    pub score: &'a str,
    /// Generations in order.
    pub generations: &'a [LoggedGeneration],
    /// Results of the champion on the test boards.
    pub tests: &'a [TestResult],
    /// Champion as a drawing: an SVG document or element, or an empty text.
    pub drawing: &'a str,
    /// Champion as text.
    pub policy: &'a str,
    /// Configuration as text.
    pub configuration: &'a str,
    /// Command that repeats the run.
    pub command: &'a str,
    /// HTML of the plot of times; may be empty.
    pub time_plot: &'a str,
}

impl PolicyReport<'_> {
    /// Renders the page, which is self-contained.
    pub fn to_html(&self) -> String {
        let fact = |tested: &TestResult| {
            let column = tested.table.column(&tested.policy)?;
            let label = format!("of the baseline's nodes on {}, mean over boards", tested.boards);
            Some((percent(column.nodes_percent?), label))
        };
        let report = RunReport {
            title: self.title,
            score: self.score,
            generations: self.generations,
            facts: self.tests.iter().filter_map(fact).collect(),
            marks: self.generations.iter().filter(|line| line.new_sample).map(number).collect(),
            plots: self.test_plot() + &population_plots(self.generations) + self.time_plot,
            tests: self.test_sections(),
            drawing: format!("<div class=\"drawing\">{}</div>\n", svg_element(self.drawing)),
            champion: self.policy,
            configuration: self.configuration,
            command: self.command,
        };
        report.to_html()
    }

    /// Plot of the nodes on the test boards; empty if no generation was tested.
    fn test_plot(&self) -> String {
        let test = series(self.generations, "best individual", |line| line.test_nodes_percent);
        if test.points.is_empty() {
            return String::new();
        }
        lines("Nodes on some of the test boards", X_AXIS, "per cent of the baseline's, mean over boards", &[test], &[])
    }

    /// Tables and scatter plots of the tests; empty without tests.
    fn test_sections(&self) -> String {
        if self.tests.is_empty() {
            return String::new();
        }
        let (tables, scatters) = (tables(self.tests), scatters(self.tests));
        format!("<h2>Test boards</h2>\n{tables}<h2>Board by board</h2>\n{scatters}")
    }
}

/// Number of a generation, as an x value.
fn number(line: &LoggedGeneration) -> f64 {
    f64::from(line.generation.generation)
}

/// The SVG element of a document, without the declaration that may only be at the start of a file.
fn svg_element(document: &str) -> &str {
    document.find("<svg").map_or("", |start| &document[start..])
}
