//! Reproductions of published tables: the published values, ours, and their ratio. One file per work.

mod gp_rush;
mod it3105;
mod parts;
mod tiles;
mod traffic_jam;
mod van_dijk;

pub use parts::Parts;

use crate::compare::NamedBoard;
use crate::page::page;
use crate::{ConfiguredAlgorithm, LabOutcome, Table};
use clearway_policy::NamedPolicy;
use clearway_rush::formats::Puzzle;
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};
use clearway_search::Limits;
use clearway_util::log::LogError;
use clearway_util::parallel;
use clearway_util::text::escape_xml;
use parts::{LoggedOutcome, part_key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A published work and how its tables are reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Name on the command line.
    pub name: &'static str,
    /// Published work.
    pub work: &'static str,
    /// Notes on which values are comparable and which are not.
    pub comparable: &'static str,
    /// Number of parts: searches, evolution runs and measurements.
    parts: fn(&ReproSettings) -> usize,
    run: fn(&ReproSettings) -> Result<Findings, ReproError>,
}

/// Why an experiment has no tables.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproError {
    /// The experiment was cancelled.
    #[error("the experiment was cancelled")]
    Cancelled,
    /// A finished part could not be logged.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// All experiments.
pub static ALL: &[Experiment] =
    &[it3105::EXPERIMENT, van_dijk::EXPERIMENT, traffic_jam::EXPERIMENT, gp_rush::EXPERIMENT, tiles::EXPERIMENT];

/// Settings of the experiments.
#[derive(Clone)]
pub struct ReproSettings {
    /// Number of searches or evolution runs in parallel.
    pub threads: usize,
    /// Set to stop the experiment.
    pub cancel: Arc<AtomicBool>,
    /// Called with the number of finished parts and the total.
    pub progress: Arc<dyn Fn(usize, usize) + Send + Sync>,
    /// Log of finished parts.
    pub parts: Parts,
    /// Memory limit of all searches together, in bytes.
    pub memory: usize,
    /// Boards for the 6x6 column of GP-Rush's tables; the suite `test-6x6` if empty.
    pub six_by_six: Vec<NamedBoard>,
    /// Champion for the rows GP of GP-Rush's tables; the shipped champions if `None`.
    pub champion: Option<NamedPolicy>,
    /// Metric of GP-Rush's tables.
    pub metric: Metric,
    /// Evolution runs of the tiles experiment.
    pub evolution_runs: EvolutionRuns,
}

impl Default for ReproSettings {
    /// Two threads and 1 GiB of memory.
    fn default() -> ReproSettings {
        ReproSettings {
            threads: 2,
            cancel: Arc::default(),
            progress: Arc::new(|_, _| {}),
            parts: Parts::default(),
            memory: 1 << 30,
            six_by_six: Vec::new(),
            champion: None,
            metric: Metric::Moves,
            evolution_runs: EvolutionRuns::default(),
        }
    }
}

/// Number and length of the evolution runs of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvolutionRuns {
    /// Number of runs, each with its own seed.
    pub seeds: u32,
    /// First seed; the others are consecutive.
    pub first: u64,
    /// Number of generations per run.
    pub generations: u32,
}

impl Default for EvolutionRuns {
    /// Ten runs of the published length.
    fn default() -> EvolutionRuns {
        EvolutionRuns { seeds: 10, first: 1, generations: 51 }
    }
}

/// Results of an experiment.
#[derive(Clone, Debug, Default)]
struct Findings {
    tables: Vec<Table>,
    /// Tables that are too long to print, and only written to files.
    appendix: Vec<Table>,
    /// Plots for the report.
    plots: Vec<String>,
}

impl From<Vec<Table>> for Findings {
    fn from(tables: Vec<Table>) -> Findings {
        Findings { tables, ..Findings::default() }
    }
}

/// An experiment with its results.
#[derive(Clone, Debug)]
pub struct Section {
    /// Experiment that was repeated.
    pub experiment: &'static Experiment,
    /// Tables to print.
    pub tables: Vec<Table>,
    appendix: Vec<Table>,
    plots: Vec<String>,
}

impl Experiment {
    /// Finds an experiment by name.
    pub fn find(name: &str) -> Option<&'static Experiment> {
        ALL.iter().find(|experiment| experiment.name == name)
    }

    /// Number of parts: searches, evolution runs and measurements.
    pub fn parts(&self, setting: &ReproSettings) -> usize {
        (self.parts)(setting)
    }

    /// Runs the experiment, except for parts that are already logged.
    pub fn run(&'static self, setting: &ReproSettings) -> Result<Section, ReproError> {
        let (done, total, report) = (AtomicUsize::new(0), self.parts(setting), Arc::clone(&setting.progress));
        let progress = Arc::new(move |_, _| report(done.fetch_add(1, Ordering::Relaxed) + 1, total));
        let Findings { tables, appendix, plots } = (self.run)(&ReproSettings { progress, ..setting.clone() })?;
        Ok(Section { experiment: self, tables, appendix, plots })
    }
}

impl Section {
    /// Renders the section for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.experiment.work, self.experiment.comparable);
        for table in &self.tables {
            let _ = write!(text, "\n{}", table.to_text());
        }
        text
    }

    /// Names and contents of the CSV files, those of the printed tables first.
    pub fn files(&self) -> Vec<(String, String)> {
        let name = |number: usize| format!("{}-{number}.csv", self.experiment.name);
        let tables = self.tables.iter().chain(&self.appendix);
        (1..).zip(tables).map(|(number, table)| (name(number), table.to_csv())).collect()
    }

    fn to_html(&self) -> String {
        let (work, comparable) = (escape_xml(self.experiment.work), escape_xml(self.experiment.comparable));
        let tables: String = self.tables.iter().map(Table::to_html).collect();
        let mut html = format!("<h2 id=\"{}\">{work}</h2>\n<p>{comparable}</p>\n{tables}", self.experiment.name);
        if !self.plots.is_empty() {
            let _ = write!(html, "<div class=\"plots\">\n{}</div>\n", self.plots.concat());
        }
        html
    }
}

/// Returns a page with all sections.
pub fn report(sections: &[Section]) -> String {
    let body: String = sections.iter().map(Section::to_html).collect();
    page("Published tables, reproduced", &body)
}

/// A search of an experiment.
struct SearchRun {
    algorithm: ConfiguredAlgorithm,
    board: Board,
    metric: Metric,
    nodes: Option<u64>,
    difficulty: f64,
}

impl SearchRun {
    /// # Panics
    /// If the text is not an algorithm; tests of the experiments run all of them.
    fn parse(algorithm: &str, board: &Board, metric: Metric) -> SearchRun {
        SearchRun::new(algorithm.parse().unwrap_or_else(|error| panic!("{error}")), board, metric)
    }

    fn new(algorithm: ConfiguredAlgorithm, board: &Board, metric: Metric) -> SearchRun {
        SearchRun { algorithm, board: board.clone(), metric, nodes: None, difficulty: 0.0 }
    }
}

impl ReproSettings {
    /// Executes all searches and returns their outcomes in the same order.
    fn run_all(&self, runs: &[SearchRun]) -> Result<Vec<LabOutcome>, ReproError> {
        let memory = self.memory / self.threads.max(1);
        let work = |number: usize| {
            let run: &SearchRun = &runs[number];
            let cancel = Some(self.cancel.clone());
            let limits = Limits { nodes: run.nodes, memory: Some(memory), cancel, ..Limits::default() };
            let context = HeuristicContext { difficulty: run.difficulty, ..HeuristicContext::default() };
            LoggedOutcome::new(&run.algorithm.solve(&run.board, run.metric, &limits, &context), memory)
        };
        let known = |logged: LoggedOutcome| logged.into_outcome(memory);
        let outcomes = self.in_order(runs.len(), |number| part_key(&runs[number]), known, work)?;
        Ok(outcomes)
    }

    /// Executes `tasks` numbered tasks, except those whose parts are logged, and returns the results in order. `usable` converts
    /// a logged or new result, or rejects a logged one.
    fn in_order<K, T>(
        &self,
        tasks: usize,
        part: impl Fn(usize) -> String + Sync,
        usable: impl Fn(K) -> Option<T> + Sync,
        work: impl Fn(usize) -> Option<K> + Sync,
    ) -> Result<Vec<T>, ReproError>
    where
        K: Serialize + DeserializeOwned + Send,
        T: Send,
    {
        let mut results = Vec::new();
        let work = |task: usize| {
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            match self.parts.known(&part(task)).and_then(&usable) {
                Some(known) => Some(TaskResult::Known(known)),
                None => work(task).map(TaskResult::New),
            }
        };
        let done = |task, result: &TaskResult<K, T>| {
            (self.progress)(0, 0);
            if let TaskResult::New(result) = result { self.parts.append(part(task), result) } else { Ok(()) }
        };
        let keep = |_, result| {
            results.extend(match result {
                TaskResult::Known(known) => Some(known),
                TaskResult::New(new) => usable(new),
            });
            Ok(())
        };
        parallel::ordered(tasks, self.threads, work, done, keep)?;
        if results.len() < tasks { Err(ReproError::Cancelled) } else { Ok(results) }
    }
}

/// Where the result of a task comes from.
enum TaskResult<K, T> {
    /// From the log.
    Known(T),
    /// From this run.
    New(K),
}

/// Returns a board of a suite by name.
///
/// # Panics
/// If there is none; tests of the experiments use all of them.
fn board(suite: &str, name: &str) -> Board {
    let puzzles = Suite::find(suite).map(Suite::puzzles).unwrap_or_default();
    let found = puzzles.into_iter().find(|puzzle: &Puzzle| puzzle.name.as_deref() == Some(name));
    found.unwrap_or_else(|| panic!("the suite {suite} has no board {name}")).board
}

/// Length of the solution found, in a metric.
fn length(outcome: &LabOutcome, metric: Metric) -> Option<u32> {
    outcome.solution.as_ref().map(|solution| solution.length(metric))
}
