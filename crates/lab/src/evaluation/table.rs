//! Results of an evaluation, by column.

use crate::Table;
use crate::compare::{ComparisonRecord, Contestant};
use crate::table::{count, ratio};
use serde::{Deserialize, Serialize};

/// Boards on which the baseline needs more nodes than this are hard. It is the node limit of GP-Rush.
pub const HARD_NODES: u64 = clearway_search::deepening::NODE_LIMIT;

/// Results of several algorithms on the same boards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvaluationTable {
    /// Number of boards measured.
    pub boards: usize,
    /// Number of boards left out because the measurement was cancelled.
    pub left_out: usize,
    /// One column per algorithm; the first is the baseline.
    pub columns: Vec<Column>,
    /// All runs, by board and then by column.
    pub runs: Vec<ComparisonRecord>,
}

/// Results of one algorithm on all boards. Means are unknown if no board was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Column {
    /// Label of the algorithm in the tables.
    pub name: String,
    /// Canonical form of the algorithm.
    pub algorithm: String,
    /// Number of boards solved.
    pub solved: usize,
    /// Number of boards not proven unsolvable.
    pub solvable: usize,
    /// States expanded as a percentage of the baseline's on the same board, averaged over all boards.
    pub nodes_percent: Option<f64>,
    /// Total states expanded, as a percentage of the baseline's total.
    pub total_percent: Option<f64>,
    /// Mean number of states expanded.
    pub nodes: Option<f64>,
    /// Mean number of states evaluated by the heuristic.
    pub evaluated: Option<f64>,
    /// Mean time in seconds, including the time to build the tables of the heuristic.
    pub seconds: Option<f64>,
    /// Total time, as a percentage of the baseline's.
    pub seconds_percent: Option<f64>,
    /// Solution length divided by the optimum or the best known length, averaged over the boards solved; null if no board was
    /// solved.
    pub length_ratio: Option<f64>,
    /// Boards that are hard for the baseline.
    pub beyond: HardBoards,
}

/// Boards on which the baseline needs more nodes than [`HARD_NODES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HardBoards {
    /// Number of such boards.
    pub boards: usize,
    /// Number of them solved within [`HARD_NODES`] nodes.
    pub solved: usize,
}

impl EvaluationTable {
    /// Creates the table from runs in the order of the boards. The runs of an incomplete last board are dropped.
    pub(super) fn new(contestants: &[Contestant], boards: usize, mut runs: Vec<ComparisonRecord>) -> EvaluationTable {
        let measured = runs.len() / contestants.len().max(1);
        runs.truncate(measured * contestants.len());
        let runs_at =
            |place: usize| -> Vec<&ComparisonRecord> { runs.iter().skip(place).step_by(contestants.len()).collect() };
        let base = runs_at(0);
        let is_solvable = |runs: &[ComparisonRecord]| runs.iter().all(|run| run.status != "unsolvable");
        let solvable: Vec<bool> = runs.chunks(contestants.len().max(1)).map(is_solvable).collect();
        let column = |(place, contestant): (usize, &Contestant)| column(contestant, &runs_at(place), &base, &solvable);
        let columns = contestants.iter().enumerate().map(column);
        EvaluationTable { boards: measured, left_out: boards - measured, columns: columns.collect(), runs }
    }

    /// Returns the column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Returns the runs of a column, in the order of the boards.
    pub fn runs_of(&self, name: &str) -> impl Iterator<Item = &ComparisonRecord> {
        let place = self.columns.iter().position(|column| column.name == name).unwrap_or(self.runs.len());
        self.runs.iter().skip(place).step_by(self.columns.len().max(1))
    }

    /// Whether a limit stopped any run.
    pub fn has_limit(&self) -> bool {
        self.runs.iter().any(|run| run.status == "limit")
    }

    /// Note on the boards that were left out; empty if there are none.
    pub(crate) fn left_out_note(&self) -> String {
        match self.left_out {
            0 => String::new(),
            1 => " (1 board not measured)".to_owned(),
            many => format!(" ({many} boards not measured)"),
        }
    }

    /// Returns a table with a row for each algorithm. The title mentions boards that were left out.
    pub fn table(&self, title: &str) -> Table {
        let base = self.columns.first().map_or("the first", |column| &column.name);
        let headings = [
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
        let what = format!("per cent of {base}, mean over the boards and of totals");
        let mut table = Table::new(format!("{title}{}: {what}", self.left_out_note()), &headings);
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

/// Returns the column of an algorithm, from its runs, those of the baseline, and whether each board may be solvable.
fn column(
    contestant: &Contestant,
    runs: &[&ComparisonRecord],
    base: &[&ComparisonRecord],
    solvable: &[bool],
) -> Column {
    let pairs = || runs.iter().zip(base);
    // Means over no boards are unknown.
    let known = |number: f64| (!runs.is_empty()).then_some(number);
    let count = runs.len() as f64;
    let nodes = |runs: &[&ComparisonRecord]| runs.iter().map(|run| run.statistics.expanded as f64).sum::<f64>();
    let time = |runs: &[&ComparisonRecord]| runs.iter().map(|run| run.seconds).sum::<f64>();
    let shares =
        pairs().map(|(run, base)| 100.0 * run.statistics.expanded as f64 / base.statistics.expanded.max(1) as f64);
    let ratios: Vec<f64> = runs
        .iter()
        .filter_map(|run| Some(f64::from(run.length()?) / f64::from(run.optimum.filter(|&optimum| optimum > 0)?)))
        .collect();
    let is_hard = |base: &ComparisonRecord| {
        base.statistics.expanded > HARD_NODES || (base.statistics.expanded == HARD_NODES && !base.solved())
    };
    let hard = || pairs().zip(solvable).filter(|((_, base), solvable)| **solvable && is_hard(base));
    let is_done = |run: &ComparisonRecord| run.solved() && run.statistics.expanded <= HARD_NODES;
    Column {
        name: contestant.label.clone(),
        algorithm: contestant.algorithm.to_string(),
        solved: runs.iter().filter(|run| run.solved()).count(),
        solvable: solvable.iter().filter(|solvable| **solvable).count(),
        nodes_percent: known(shares.sum::<f64>() / count),
        total_percent: known(100.0 * nodes(runs) / nodes(base).max(1.0)),
        nodes: known(nodes(runs) / count),
        evaluated: known(runs.iter().map(|run| run.statistics.evaluated as f64).sum::<f64>() / count),
        seconds: known(time(runs) / count),
        seconds_percent: known(100.0 * time(runs) / time(base).max(f64::MIN_POSITIVE)),
        length_ratio: (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64),
        beyond: HardBoards { boards: hard().count(), solved: hard().filter(|((run, _), _)| is_done(run)).count() },
    }
}

/// Formats a number; a dash if it is unknown.
pub(crate) fn or_dash(number: Option<f64>, text: impl Fn(f64) -> String) -> String {
    number.map_or("-".to_owned(), text)
}

/// Formats a percentage. All tables and texts use it, so that they agree.
pub(crate) fn percent(share: f64) -> String {
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

/// Formats the share of hard boards solved; a dash if there are none.
fn hard(beyond: HardBoards) -> String {
    if beyond.boards == 0 { "-".to_owned() } else { format!("{}/{}", beyond.solved, beyond.boards) }
}
