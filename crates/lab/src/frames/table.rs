//! What was measured, column by column.

use crate::Table;
use crate::compare::{Contestant, Record};
use crate::table::{count, ratio};
use serde::{Deserialize, Serialize};

/// Boards on which the baseline needs more nodes than this are hard: the limit of GP-Rush.
pub const HARD_NODES: u64 = clearway_search::deepening::NODE_LIMIT;

/// Several algorithms on the same boards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameTable {
    /// The boards measured.
    pub boards: usize,
    /// The boards left out because the measurement was cancelled.
    pub left_out: usize,
    /// An algorithm each; the first is the baseline.
    pub columns: Vec<Column>,
    /// All runs: for each board one of every column.
    pub runs: Vec<Record>,
}

/// One algorithm on all boards. What is a mean over boards is unknown as long as no board was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The algorithm, in its canonical form.
    pub algorithm: String,
    /// Boards with a solution that it found.
    pub solved: usize,
    /// Boards that are not proven unsolvable.
    pub solvable: usize,
    /// The mean over all boards of the states expanded, in per cent of the baseline's.
    pub nodes_percent: Option<f64>,
    /// All states expanded, in per cent of the baseline's.
    pub total_percent: Option<f64>,
    /// The mean number of states expanded.
    pub nodes: Option<f64>,
    /// The mean number of states that the heuristic was asked for.
    pub evaluated: Option<f64>,
    /// The mean time, with that of building the heuristic's tables.
    pub seconds: Option<f64>,
    /// All time, in per cent of the baseline's.
    pub seconds_percent: Option<f64>,
    /// The mean length of the solutions found, divided by the optimum; none if none was found.
    pub length_ratio: Option<f64>,
    /// What became of the boards that are hard for the baseline.
    pub beyond: Beyond,
}

/// The boards on which the baseline needs more than [`HARD_NODES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = HardBoards))]
pub struct Beyond {
    /// How many there are.
    pub boards: usize,
    /// How many are solved with at most so many nodes.
    pub solved: usize,
}

impl FrameTable {
    /// The table of the runs of some of the boards; those of a board that was not finished are dropped.
    pub(super) fn new(contestants: &[Contestant], boards: usize, mut runs: Vec<Record>) -> FrameTable {
        let measured = runs.len() / contestants.len().max(1);
        runs.truncate(measured * contestants.len());
        let of = |place: usize| -> Vec<&Record> { runs.iter().skip(place).step_by(contestants.len()).collect() };
        let base = of(0);
        let is_solvable = |runs: &[Record]| runs.iter().all(|run| run.status != "unsolvable");
        let solvable: Vec<bool> = runs.chunks(contestants.len().max(1)).map(is_solvable).collect();
        let column = |(place, contestant): (usize, &Contestant)| column(contestant, &of(place), &base, &solvable);
        let columns = contestants.iter().enumerate().map(column);
        FrameTable { boards: measured, left_out: boards - measured, columns: columns.collect(), runs }
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The runs of a column, in the order of the boards.
    pub fn runs_of(&self, name: &str) -> impl Iterator<Item = &Record> {
        let place = self.columns.iter().position(|column| column.name == name).unwrap_or(self.runs.len());
        self.runs.iter().skip(place).step_by(self.columns.len().max(1))
    }

    /// How many boards were not reached, in words; nothing if all were.
    pub(crate) fn missing(&self) -> String {
        match self.left_out {
            0 => String::new(),
            1 => " (1 board was not reached)".to_owned(),
            many => format!(" ({many} boards were not reached)"),
        }
    }

    /// A row for each column. The title says if boards were left out.
    pub fn table(&self, title: &str) -> Table {
        let base = self.columns.first().map_or("the first", |column| &column.name);
        let heads = [
            "search",
            "nodes",
            "of totals",
            "mean nodes",
            "evaluated",
            "seconds",
            "of time",
            "solved",
            "length/optimum",
            "hard",
        ];
        let what = format!("per cent of {base}, board by board, and of all boards together");
        let mut table = Table::new(format!("{title}{}: {what}", self.missing()), &heads);
        for column in &self.columns {
            table.rows.push(vec![
                column.name.clone(),
                or_dash(column.nodes_percent, percent),
                or_dash(column.total_percent, percent),
                or_dash(column.nodes, |nodes| count(nodes.round() as u64)),
                or_dash(column.evaluated, |evaluated| count(evaluated.round() as u64)),
                or_dash(column.seconds, seconds),
                or_dash(column.seconds_percent, percent),
                format!("{}/{}", column.solved, column.solvable),
                or_dash(column.length_ratio, |ratio| format!("{ratio:.3}")),
                hard(column.beyond),
            ]);
        }
        table
    }
}

/// The column of an algorithm, from its runs, those of the baseline, and which boards are not proven unsolvable.
fn column(contestant: &Contestant, runs: &[&Record], base: &[&Record], solvable: &[bool]) -> Column {
    let pairs = || runs.iter().zip(base);
    // Of no board at all nothing is known.
    let known = |number: f64| (!runs.is_empty()).then_some(number);
    let count = runs.len() as f64;
    let nodes = |runs: &[&Record]| runs.iter().map(|run| run.expanded as f64).sum::<f64>();
    let time = |runs: &[&Record]| runs.iter().map(|run| run.seconds).sum::<f64>();
    let shares = pairs().map(|(run, base)| 100.0 * run.expanded as f64 / base.expanded.max(1) as f64);
    let ratios: Vec<f64> = runs
        .iter()
        .filter_map(|run| Some(f64::from(run.moves?) / f64::from(run.optimum.filter(|&optimum| optimum > 0)?)))
        .collect();
    let is_hard = |base: &Record| base.expanded > HARD_NODES || (base.expanded == HARD_NODES && !base.solved());
    let hard = || pairs().zip(solvable).filter(|((_, base), solvable)| **solvable && is_hard(base));
    let is_done = |run: &Record| run.solved() && run.expanded <= HARD_NODES;
    Column {
        name: contestant.label.clone(),
        algorithm: contestant.algorithm.to_string(),
        solved: runs.iter().filter(|run| run.solved()).count(),
        solvable: solvable.iter().filter(|solvable| **solvable).count(),
        nodes_percent: known(shares.sum::<f64>() / count),
        total_percent: known(100.0 * nodes(runs) / nodes(base).max(1.0)),
        nodes: known(nodes(runs) / count),
        evaluated: known(runs.iter().map(|run| run.evaluated as f64).sum::<f64>() / count),
        seconds: known(time(runs) / count),
        seconds_percent: known(100.0 * time(runs) / time(base).max(f64::MIN_POSITIVE)),
        length_ratio: (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64),
        beyond: Beyond { boards: hard().count(), solved: hard().filter(|((run, _), _)| is_done(run)).count() },
    }
}

/// A number as text; a dash for one that is unknown.
pub(crate) fn or_dash(number: Option<f64>, text: impl Fn(f64) -> String) -> String {
    number.map_or("-".to_owned(), text)
}

fn percent(share: f64) -> String {
    format!("{} %", ratio(share, 1.0))
}

fn seconds(seconds: f64) -> String {
    let decimals = match seconds {
        1.0.. => 2,
        0.01.. => 4,
        _ => 6,
    };
    format!("{seconds:.decimals$}")
}

/// How many of the hard boards are solved; nothing if there are none.
fn hard(beyond: Beyond) -> String {
    if beyond.boards == 0 { "-".to_owned() } else { format!("{}/{}", beyond.solved, beyond.boards) }
}
