//! Goal tests of the Traffic Jam report, and the mistake that it describes: A* that never updates a known state.

use super::{Experiment, Findings, ReproError, ReproSettings, SearchRun, board, length};
use crate::table::{count, ratio};
use crate::{LabOutcome, Table};
use clearway_rush::formats::Puzzle;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};

pub const EXPERIMENT: Experiment = Experiment {
    name: "traffic-jam",
    work: "G. Chen: Artificial Intelligence Project 1 Report, Traffic Jam Puzzle. 2016",
    comparable: "The boards of the report are reconstructed from its printed solutions, and the lengths must agree. The vehicles are moved in \
                 the order of their letters in the report, the leaving one last; on board C the report letters them by column. The goal \
                 tests of A* also depend on which of several nodes with the same f comes first, which the report does not give: a heap \
                 decides. Here the last one does. With this rule the mistake that the report describes shows on one of its boards, as \
                 the report says; with the other rules, on none or on two.",
    parts: |_| (1 + 2 * TIES.len()) * BOARDS.len() + 2 * 2 * cards().len(),
    run,
};

const BOARDS: [&str; 3] = ["A", "B", "C"];
const LENGTHS: [u32; 3] = [8, 24, 11];

/// Rules for ties in A*.
const TIES: [&str; 3] = ["last", "h", "first"];

/// Searches: name, and the published goal tests on the boards and on average.
const SEARCHES: [(&str, [u64; 3], &str); 2] =
    [("BFS", [917, 2384, 385], "1,228.67"), ("A*", [533, 2189, 366], "1,029.33")];

/// A* of the report. Its heuristic counts the blocking vehicles, without the leaving vehicle itself.
fn astar(ties: &str, with_mistake: bool) -> String {
    let reopen = if with_mistake { ", reopen=no" } else { "" };
    format!("astar(blockers - 1{reopen}, ties={ties}, order=traffic-jam)")
}

fn run(setting: &ReproSettings) -> Result<Findings, ReproError> {
    let astar = astar_on_boards(setting)?;
    Ok(vec![goal_tests(setting, &astar[..BOARDS.len()])?, mistake_on_boards(&astar), mistake_on_cards(setting)?].into())
}

fn cards() -> Vec<Puzzle> {
    Suite::find("cards").map(Suite::puzzles).unwrap_or_default()
}

fn boards() -> Vec<Board> {
    BOARDS.iter().map(|name| board("traffic-jam", name)).collect()
}

/// A* with each rule for ties, without and with the mistake, on each board.
fn astar_on_boards(setting: &ReproSettings) -> Result<Vec<LabOutcome>, ReproError> {
    let boards = boards();
    let texts = TIES.iter().flat_map(|ties| [astar(ties, false), astar(ties, true)]);
    let runs: Vec<SearchRun> = texts
        .flat_map(|text| boards.iter().map(|board| SearchRun::parse(&text, board, Metric::Moves)).collect::<Vec<_>>())
        .collect();
    setting.run_all(&runs)
}

fn goal_tests(setting: &ReproSettings, astar: &[LabOutcome]) -> Result<Table, ReproError> {
    let boards = boards();
    let bfs = |board| SearchRun::parse("bfs(order=traffic-jam)", board, Metric::Moves);
    let bfs = setting.run_all(&boards.iter().map(bfs).collect::<Vec<_>>())?;
    let columns = ["search and board", "goal tests published", "ours", "ratio", "length published", "ours"];
    let mut table = Table::new("Figure 1: goal tests and moves", &columns);
    for (outcomes, (name, published, average)) in [&bfs[..], astar].into_iter().zip(SEARCHES) {
        for (place, outcome) in outcomes.iter().enumerate() {
            let ours = outcome.statistics.goal_tests;
            table.rows.push(vec![
                format!("{name}, {}", BOARDS[place]),
                count(published[place]),
                count(ours),
                ratio(ours as f64, published[place] as f64),
                LENGTHS[place].to_string(),
                length(outcome, Metric::Moves).map_or("-".to_owned(), |moves| moves.to_string()),
            ]);
        }
        let total: u64 = outcomes.iter().map(|outcome| outcome.statistics.goal_tests).sum();
        let (mean, hundredths) = (total / 3, (total % 3 * 100 + 1) / 3);
        table.rows.push(vec![
            format!("{name}, average"),
            average.to_owned(),
            format!("{}.{hundredths:02}", count(mean)),
            ratio(total as f64, published.iter().sum::<u64>() as f64),
            "-".to_owned(),
            "-".to_owned(),
        ]);
    }
    Ok(table)
}

/// Lengths with the mistake on the boards of the report, by the rule for ties.
fn mistake_on_boards(outcomes: &[LabOutcome]) -> Table {
    let columns = ["ties", "A", "B", "C", "boards longer, published", "ours", "goal tests, A, B, C"];
    let mut table = Table::new("The mistake on the boards of the report: moves, and moves with the mistake", &columns);
    for (outcomes, ties) in outcomes.chunks(2 * BOARDS.len()).zip(TIES) {
        let (right, wrong) = outcomes.split_at(BOARDS.len());
        let lengths: Vec<_> = excesses(right, wrong, Metric::Moves);
        let mut row = vec![ties.to_owned()];
        row.extend(lengths.iter().map(|(right, excess)| format!("{right}, {}", right + excess)));
        row.extend(["1".to_owned(), lengths.iter().filter(|(_, excess)| *excess > 0).count().to_string()]);
        let tests: Vec<String> = right.iter().map(|outcome| count(outcome.statistics.goal_tests)).collect();
        row.push(tests.join(" "));
        table.rows.push(row);
    }
    table
}

/// Optimal lengths, and how much longer the solutions with the mistake are.
fn excesses(right: &[LabOutcome], wrong: &[LabOutcome], metric: Metric) -> Vec<(u32, u32)> {
    let excess = |(right, wrong): (&LabOutcome, &LabOutcome)| {
        let optimum = length(right, metric)?;
        Some((optimum, length(wrong, metric)?.checked_sub(optimum)?))
    };
    right.iter().zip(wrong).filter_map(excess).collect()
}

/// Cost of the mistake on the forty cards, in both metrics.
fn mistake_on_cards(setting: &ReproSettings) -> Result<Table, ReproError> {
    let columns = ["metric", "boards", "longer solutions", "maximum excess", "expanded", "with the mistake", "on"];
    let mut table = Table::new("The mistake on the cards, with the same heuristic", &columns);
    let cards = cards();
    for metric in [Metric::Moves, Metric::Steps] {
        let runs: Vec<SearchRun> = [astar("last", false), astar("last", true)]
            .iter()
            .flat_map(|text| cards.iter().map(move |card| SearchRun::parse(text, &card.board, metric)))
            .collect();
        let outcomes = setting.run_all(&runs)?;
        let (right, wrong) = outcomes.split_at(cards.len());
        let excesses = excesses(right, wrong, metric);
        let names: Vec<&str> = (cards.iter().zip(&excesses))
            .filter(|(_, (_, excess))| *excess > 0)
            .map(|(card, _)| card.name.as_deref().unwrap_or_default())
            .collect();
        let expanded = |all: &[LabOutcome]| all.iter().map(|outcome| outcome.statistics.expanded).sum::<u64>();
        table.rows.push(vec![
            metric.as_str().to_owned(),
            cards.len().to_string(),
            names.len().to_string(),
            excesses.iter().map(|(_, excess)| *excess).max().unwrap_or(0).to_string(),
            count(expanded(right)),
            count(expanded(wrong)),
            names.join(" "),
        ]);
    }
    Ok(table)
}
