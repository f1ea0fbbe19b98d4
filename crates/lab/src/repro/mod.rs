//! The tables of published works, reproduced: what they printed, what we count, and the ratio. One file each.

mod gp_rush;
mod it3105;
mod parts;
mod tiles;
mod traffic_jam;
mod van_dijk;

pub use parts::Parts;

use crate::compare::Entry;
use crate::page::{escape, page};
use crate::{Algorithm, LabOutcome, Table, parallel};
use clearway_policy::NamedPolicy;
use clearway_rush::formats::Puzzle;
use clearway_rush::heuristics::Context;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};
use clearway_search::Limits;
use clearway_util::log::LogError;
use parts::{KeptOutcome, part_of};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A published work and how its tables are reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// The work.
    pub work: &'static str,
    /// What can be compared with it and what cannot.
    pub comparable: &'static str,
    /// How many parts it has: searches, runs of evolution, and the like.
    parts: fn(&Setting) -> usize,
    run: fn(&Setting) -> Result<Findings, Stopped>,
}

/// Why an experiment has no tables.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// It was cancelled.
    #[error("the experiment was cancelled")]
    Cancelled,
    /// A finished part could not be kept.
    #[error(transparent)]
    Log(#[from] LogError),
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
    /// Told how many parts of the experiment are done of how many.
    pub progress: Arc<dyn Fn(usize, usize) + Send + Sync>,
    /// Where finished parts are kept, and taken from.
    pub parts: Parts,
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
            parts: Parts::default(),
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

    /// How many parts it has: searches, runs of evolution, and the like.
    pub fn parts(&self, setting: &Setting) -> usize {
        (self.parts)(setting)
    }

    /// Runs it, but for the parts that are kept already.
    pub fn run(&'static self, setting: &Setting) -> Result<Section, Stopped> {
        let (done, total, tell) = (AtomicUsize::new(0), self.parts(setting), Arc::clone(&setting.progress));
        let progress = Arc::new(move |_, _| tell(done.fetch_add(1, Ordering::Relaxed) + 1, total));
        let Findings { tables, appendix, plots } = (self.run)(&Setting { progress, ..setting.clone() })?;
        Ok(Section { experiment: self, tables, appendix, plots })
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
    /// Makes all searches, and gives what they found in the same order.
    fn all(&self, runs: &[Run]) -> Result<Vec<LabOutcome>, Stopped> {
        let memory = self.memory / self.threads.max(1);
        let work = |number: usize| {
            let run: &Run = &runs[number];
            let cancel = Some(self.cancel.clone());
            let limits = Limits { nodes: run.nodes, memory: Some(memory), cancel, ..Limits::default() };
            let context = Context { difficulty: run.difficulty, ..Context::default() };
            KeptOutcome::new(&run.algorithm.solve(&run.board, run.metric, &limits, &context), memory)
        };
        let known = |kept: KeptOutcome| kept.outcome(memory);
        let outcomes = self.in_order(runs.len(), |number| part_of(&runs[number]), known, work)?;
        Ok(outcomes)
    }

    /// Does the tasks with these numbers, but for those whose parts are known, and gives the results in order.
    fn in_order<K, T>(
        &self,
        tasks: usize,
        part: impl Fn(usize) -> String + Sync,
        usable: impl Fn(K) -> Option<T> + Sync,
        work: impl Fn(usize) -> Option<K> + Sync,
    ) -> Result<Vec<T>, Stopped>
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
                Some(known) => Some(Done::Known(known)),
                None => work(task).map(Done::New),
            }
        };
        let done = |task, result: &Done<K, T>| {
            (self.progress)(0, 0);
            if let Done::New(result) = result { self.parts.keep(part(task), result) } else { Ok(()) }
        };
        let keep = |_, result| {
            results.extend(match result {
                Done::Known(known) => Some(known),
                Done::New(new) => usable(new),
            });
            Ok(())
        };
        parallel::ordered(tasks, self.threads, work, done, keep)?;
        if results.len() < tasks { Err(Stopped::Cancelled) } else { Ok(results) }
    }
}

/// The result of a task: finished before, or now.
enum Done<K, T> {
    Known(T),
    New(K),
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
