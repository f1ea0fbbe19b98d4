//! The JSON records: one object per line. Every field is documented here.

use crate::input::Entry;
use crate::searcher::Found;
use clearway_forge::grade::Grade;
use clearway_rush::exact::Analysis;
use clearway_rush::{Metric, Move, formats};
use clearway_search::{Limit, Verdict};
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// The answer to one board, as `clearway solve --json` prints it.
#[derive(Serialize)]
pub struct SolveRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// `solved`, `unsolvable` (proven: the whole component was visited) or `limit`.
    pub status: &'static str,
    /// Whether the solution is proven shortest in the metric; false if there is none.
    pub optimal: bool,
    /// What was made shortest: `moves` (a slide of any length counts 1) or `steps` (one cell counts 1).
    pub metric: &'static str,
    /// The number of slides of the solution, or null.
    pub moves: Option<u32>,
    /// The number of cells slid in the solution, or null.
    pub steps: Option<u32>,
    /// The solution: a vehicle, a sign (plus is right or down) and a number of cells a move; or null.
    pub solution: Option<Moves<'a>>,
    /// States whose successors were made.
    pub expanded: u64,
    /// Successors made, new or not.
    pub generated: u64,
    /// Wall-clock time of the search.
    pub seconds: f64,
    /// The engine that gave the answer, or the algorithm that was asked for.
    pub algorithm: &'a str,
    /// No solution is shorter than this in the metric; null if there is none at all.
    pub lower_bound: Option<u32>,
    /// Only with the status `limit`: `nodes`, `time`, `memory`, `interrupted`, or `incomplete` if the
    /// algorithm gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Only with `--analyze`: facts about all states that can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisRecord<'a>>,
}

impl<'a> SolveRecord<'a> {
    /// The record of an answer.
    pub fn new(entry: &'a Entry, metric: Metric, found: &'a Found, analysis: Option<&'a Analysis>) -> SolveRecord<'a> {
        let answer = &found.answer;
        let solution = answer.solution.as_ref();
        SolveRecord {
            name: entry.puzzle.name.as_deref(),
            board: formats::line(&entry.puzzle.board),
            status: answer.verdict.word(),
            optimal: found.optimal && answer.verdict == Verdict::Solved,
            metric: metric.word(),
            moves: solution.map(clearway_rush::Solution::moves),
            steps: solution.map(clearway_rush::Solution::steps),
            solution: solution.map(|solution| Moves(&solution.0)),
            expanded: answer.counters.expanded,
            generated: answer.counters.generated,
            seconds: answer.time.as_secs_f64(),
            algorithm: &found.algorithm,
            lower_bound: (answer.verdict != Verdict::Unsolvable).then_some(answer.lower_bound),
            limit: match answer.verdict {
                Verdict::Limit(limit) => Some(limit_word(limit)),
                Verdict::Solved | Verdict::Unsolvable => None,
            },
            analysis: analysis.map(AnalysisRecord::new),
        }
    }
}

/// Facts about all states that can be reached from a board, as `--analyze` gives them.
#[derive(Serialize)]
pub struct AnalysisRecord<'a> {
    /// The states that can be reached.
    pub states: u64,
    /// Those of them that are solved.
    pub goals: u64,
    /// The largest distance of any state to its nearest solved state.
    pub depth: u32,
    /// A board at that distance, in line format; null if no solved state can be reached.
    pub farthest: Option<String>,
    /// The number of different shortest solutions.
    pub optimal_solutions: u128,
    /// The number of states at each distance from their nearest solved state, from 0.
    pub histogram: &'a [u64],
    /// Only if the walk ended early: `nodes`, `time`, `memory` or `interrupted`. The facts are then those of the part
    /// that was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

impl<'a> AnalysisRecord<'a> {
    fn new(analysis: &'a Analysis) -> AnalysisRecord<'a> {
        AnalysisRecord {
            states: analysis.states,
            goals: analysis.goals,
            depth: analysis.depth,
            farthest: analysis.farthest.as_ref().map(formats::line),
            optimal_solutions: analysis.optimal_solutions,
            histogram: &analysis.histogram,
            limit: analysis.limit.map(limit_word),
        }
    }
}

/// The grade of one board, as `clearway grade --json` prints it.
#[derive(Serialize)]
pub struct GradeRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// The fields of [`Grade`], each documented there.
    #[serde(flatten)]
    pub grade: &'a Grade,
    /// A shortest solution in moves, or null.
    pub solution: Option<Moves<'a>>,
}

/// A picture of one board, as `clearway show --json` prints it.
#[derive(Serialize)]
pub struct ShowRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// Its picture, without colours; with `--strip` those of all boards of the solution.
    pub pictures: Vec<String>,
    /// Only with `--strip`: the moves between the pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Moves<'a>>,
}

/// What moves do to a board, as `clearway verify --json` prints it.
#[derive(Serialize)]
pub struct VerifyRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// Whether every move is possible.
    pub legal: bool,
    /// Whether the board is solved after the last move.
    pub solved: bool,
    /// The number of slides, or null if one is not possible.
    pub moves: Option<u32>,
    /// The number of cells slid, or null if a move is not possible.
    pub steps: Option<u32>,
    /// Only if a move is not possible: its place in the sequence, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// Only if a move is not possible: the move.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Only if a move is not possible: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One suite, as `clearway suites --json` prints it.
#[derive(Serialize)]
pub struct SuiteRecord {
    /// Its name.
    pub name: &'static str,
    /// The number of its boards.
    pub boards: usize,
    /// What it is.
    pub about: &'static str,
}

/// The result of `clearway bench --json`.
#[derive(Serialize)]
pub struct BenchRecord {
    /// The number of boards solved; a board in two metrics counts twice.
    pub boards: usize,
    /// The sum of the states expanded on all boards: the same on every machine and for any number of threads.
    pub signature: u64,
    /// The sum of the successors made.
    pub generated: u64,
    /// The sum of the states expanded by each algorithm of the laboratory on a set of its own, and over all of them.
    pub algorithms: Vec<AlgorithmSignature>,
    /// The number of threads.
    pub threads: usize,
    /// Wall-clock time of the whole run.
    pub seconds: f64,
    /// States expanded per second of that time.
    pub nodes_per_second: f64,
}

/// The signature of one algorithm of the laboratory.
#[derive(Serialize)]
pub struct AlgorithmSignature {
    /// The algorithm; `all` for the sum.
    pub algorithm: String,
    /// The boards it solved.
    pub solved: usize,
    /// The sum of the states expanded, solved or not.
    pub signature: u64,
    /// The sum of the times of its searches.
    pub seconds: f64,
}

/// A record as a line of text.
pub fn line(record: &impl Serialize) -> String {
    // A record holds nothing that JSON cannot express: no map with keys that are not strings, no failing serialiser.
    let mut text = serde_json::to_string(record).expect("records are always serialisable");
    text.push('\n');
    text
}

/// The word for a limit.
pub fn limit_word(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "nodes",
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Cancelled => "interrupted",
        Limit::Incomplete => "incomplete",
    }
}

/// Moves as an array of texts.
pub struct Moves<'a>(pub &'a [Move]);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Text<T>(T);
        impl<T: Display> Serialize for Text<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }
        serializer.collect_seq(self.0.iter().map(Text))
    }
}
