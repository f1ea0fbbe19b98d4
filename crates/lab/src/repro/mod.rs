//! The tables of published works, reproduced: what they printed, what we count, and the ratio. One file each.

mod gp_rush;
mod it3105;
mod tiles;
mod traffic_jam;
mod van_dijk;

use crate::compare::Entry;
use crate::page::{escape, page};
use crate::{Algorithm, LabOutcome, Table, parallel};
use clearway_policy::NamedPolicy;
use clearway_rush::formats::Puzzle;
use clearway_rush::heuristics::Context;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};
use clearway_search::Limits;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A published work and how its tables are reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// The work.
    pub work: &'static str,
    /// What can be compared with it and what cannot.
    pub comparable: &'static str,
    run: fn(&Setting) -> Findings,
}

/// All experiments.
pub static ALL: &[Experiment] =
    &[it3105::EXPERIMENT, van_dijk::EXPERIMENT, traffic_jam::EXPERIMENT, gp_rush::EXPERIMENT, tiles::EXPERIMENT];

/// How the experiments are run.
#[derive(Clone)]
pub struct Setting {
    /// How many searches, or runs of evolution, are made at a time.
    pub threads: usize,
    /// Ends all of them when it is set.
    pub cancel: Arc<AtomicBool>,
    /// Told how many are done of how many.
    pub progress: Arc<dyn Fn(usize, usize) + Send + Sync>,
    /// The bytes that all searches together may take.
    pub memory: usize,
    /// The boards of the 6x6 column of GP-Rush's tables; its own choice if there are none.
    pub six_by_six: Vec<Entry>,
    /// A champion for the GP columns of GP-Rush's tables; those that come with the program if there is none.
    pub champion: Option<NamedPolicy>,
    /// How much is bred for the curves of the tiles.
    pub bred: Bred,
}

impl Default for Setting {
    /// Two threads and a gigabyte.
    fn default() -> Setting {
        Setting {
            threads: 2,
            cancel: Arc::default(),
            progress: Arc::new(|_, _| {}),
            memory: 1 << 30,
            six_by_six: Vec::new(),
            champion: None,
            bred: Bred::default(),
        }
    }
}

/// How much an experiment breeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bred {
    /// Runs, each with a seed of its own.
    pub seeds: u32,
    /// The first seed; the others follow it.
    pub first: u64,
    /// The generations of a run.
    pub generations: u32,
}

impl Default for Bred {
    /// Ten runs as long as those that were published.
    fn default() -> Bred {
        Bred { seeds: 10, first: 1, generations: 51 }
    }
}

/// What an experiment finds.
#[derive(Clone, Debug, Default)]
struct Findings {
    tables: Vec<Table>,
    /// Too long to be printed, but kept in files.
    appendix: Vec<Table>,
    /// Plots for the page.
    plots: Vec<String>,
}

impl From<Vec<Table>> for Findings {
    fn from(tables: Vec<Table>) -> Findings {
        Findings { tables, ..Findings::default() }
    }
}

/// What an experiment gave.
#[derive(Clone, Debug)]
pub struct Section {
    /// The experiment.
    pub experiment: &'static Experiment,
    /// Its tables.
    pub tables: Vec<Table>,
    appendix: Vec<Table>,
    plots: Vec<String>,
}

impl Experiment {
    /// The experiment of that name.
    pub fn find(name: &str) -> Option<&'static Experiment> {
        ALL.iter().find(|experiment| experiment.name == name)
    }

    /// Runs it.
    pub fn run(&'static self, setting: &Setting) -> Section {
        let Findings { tables, appendix, plots } = (self.run)(setting);
        Section { experiment: self, tables, appendix, plots }
    }
}

impl Section {
    /// For a terminal.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.experiment.work, self.experiment.comparable);
        for table in &self.tables {
            let _ = write!(text, "\n{}", table.to_text());
        }
        text
    }

    /// The files of its tables, those first that are printed: names and contents.
    pub fn files(&self) -> Vec<(String, String)> {
        let name = |number: usize| format!("{}-{number}.csv", self.experiment.name);
        let tables = self.tables.iter().chain(&self.appendix);
        (1..).zip(tables).map(|(number, table)| (name(number), table.to_csv())).collect()
    }

    fn to_html(&self) -> String {
        let (work, comparable) = (escape(self.experiment.work), escape(self.experiment.comparable));
        let tables: String = self.tables.iter().map(Table::to_html).collect();
        let mut html = format!("<h2 id=\"{}\">{work}</h2>\n<p>{comparable}</p>\n{tables}", self.experiment.name);
        if !self.plots.is_empty() {
            let _ = write!(html, "<div class=\"plots\">\n{}</div>\n", self.plots.concat());
        }
        html
    }
}

/// One page with all sections.
pub fn report(sections: &[Section]) -> String {
    let body: String = sections.iter().map(Section::to_html).collect();
    page("Published tables, reproduced", &body)
}

/// A search of an experiment.
struct Run {
    algorithm: Algorithm,
    board: Board,
    metric: Metric,
    nodes: Option<u64>,
    difficulty: f64,
}

impl Run {
    /// # Panics
    /// If the text names no algorithm; the experiments' tests run all of them.
    fn new(algorithm: &str, board: &Board, metric: Metric) -> Run {
        Run::of(algorithm.parse().unwrap_or_else(|error| panic!("{error}")), board, metric)
    }

    fn of(algorithm: Algorithm, board: &Board, metric: Metric) -> Run {
        Run { algorithm, board: board.clone(), metric, nodes: None, difficulty: 0.0 }
    }
}

impl Setting {
    /// Makes all searches, and gives what they found in the same order; fewer if they were cancelled.
    fn all(&self, runs: &[Run]) -> Vec<LabOutcome> {
        let memory = Some(self.memory / self.threads.max(1));
        let work = |number: usize| {
            let run: &Run = &runs[number];
            let limits = Limits { nodes: run.nodes, memory, cancel: Some(self.cancel.clone()), ..Limits::default() };
            let context = Context { difficulty: run.difficulty, ..Context::default() };
            Some(run.algorithm.solve(&run.board, run.metric, &limits, &context))
        };
        self.in_order(runs.len(), work)
    }

    /// Does the tasks with these numbers, and gives the results in order; fewer if they were cancelled.
    fn in_order<T: Send>(&self, tasks: usize, work: impl Fn(usize) -> Option<T> + Sync) -> Vec<T> {
        let mut results = Vec::new();
        let mut count = 0;
        let done = |_, _: &T| {
            count += 1;
            (self.progress)(count, tasks);
            Ok(())
        };
        let keep = |_, result| {
            results.push(result);
            Ok(())
        };
        let kept: Result<(), std::convert::Infallible> = parallel::ordered(tasks, self.threads, work, done, keep);
        match kept {
            Ok(()) => results,
        }
    }
}

/// The board of a suite with a name.
///
/// # Panics
/// If there is none; the experiments' tests look for all that they use.
fn board(suite: &str, name: &str) -> Board {
    let puzzles = Suite::find(suite).map(Suite::puzzles).unwrap_or_default();
    let found = puzzles.into_iter().find(|puzzle: &Puzzle| puzzle.name.as_deref() == Some(name));
    found.unwrap_or_else(|| panic!("the suite {suite} has no board {name}")).board
}

/// The length of the solution found in a metric.
fn length(outcome: &LabOutcome, metric: Metric) -> Option<u32> {
    outcome.solution.as_ref().map(|solution| solution.length(metric))
}
