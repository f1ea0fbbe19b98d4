//! Goal tests of the Traffic Jam report, and the mistake that it describes: A* that never updates a known state.

use super::{Experiment, Findings, ReproError, SearchRun, Setting, board, length};
use crate::Table;
use crate::table::{count, ratio};
use clearway_rush::Metric;
use clearway_rush::formats::Puzzle;
use clearway_rush::suites::Suite;

pub const EXPERIMENT: Experiment = Experiment {
    name: "traffic-jam",
    work: "G. Chen: Artificial Intelligence Project 1 Report, Traffic Jam Puzzle. 2016",
    comparable: "The boards of the report are reconstructed from its printed solutions, and the lengths must agree. Goal tests depend on the \
                 order of moves within the last layer and, for A*, on tie-breaking; the report specifies neither.",
    parts: |_| SEARCHES.len() * BOARDS.len() + 2 * 2 * cards().len(),
    run,
};

const BOARDS: [&str; 3] = ["A", "B", "C"];
const LENGTHS: [u32; 3] = [8, 24, 11];

/// Searches: name, our expression, and the published goal tests on the boards. The report's heuristic counts the blocking
/// vehicles, without the leaving vehicle itself.
const SEARCHES: [(&str, &str, [Option<u64>; 3]); 3] = [
    ("BFS", "bfs", [Some(917), Some(2384), Some(385)]),
    ("A*", "astar(blockers - 1)", [Some(533), Some(2189), Some(366)]),
    ("A* with the mistake", "astar(blockers - 1, reopen=no)", [None, None, None]),
];

fn run(setting: &Setting) -> Result<Findings, ReproError> {
    Ok(vec![goal_tests(setting)?, mistake(setting)?].into())
}

fn cards() -> Vec<Puzzle> {
    Suite::find("cards").map(Suite::puzzles).unwrap_or_default()
}

fn goal_tests(setting: &Setting) -> Result<Table, ReproError> {
    let boards: Vec<_> = BOARDS.iter().map(|name| board("traffic-jam", name)).collect();
    let runs: Vec<SearchRun> = SEARCHES
        .iter()
        .flat_map(|&(_, text, _)| boards.iter().map(move |board| SearchRun::parse(text, board, Metric::Moves)))
        .collect();
    let columns = ["search and board", "goal tests published", "ours", "ratio", "length published", "ours"];
    let mut table = Table::new("Figure 1: goal tests and moves", &columns);
    for (i, outcome) in setting.run_all(&runs)?.iter().enumerate() {
        let ((name, _, published), place) = (SEARCHES[i / BOARDS.len()], i % BOARDS.len());
        let ours = outcome.statistics.goal_tests;
        table.rows.push(vec![
            format!("{name}, {}", BOARDS[place]),
            published[place].map_or("-".to_owned(), count),
            count(ours),
            published[place].map_or("-".to_owned(), |published| ratio(ours as f64, published as f64)),
            LENGTHS[place].to_string(),
            length(outcome, Metric::Moves).map_or("-".to_owned(), |moves| moves.to_string()),
        ]);
    }
    Ok(table)
}

/// Cost of the mistake on the forty cards, in both metrics.
fn mistake(setting: &Setting) -> Result<Table, ReproError> {
    let columns = ["metric", "boards", "longer solutions", "maximum excess", "expanded", "with the mistake"];
    let mut table = Table::new("The mistake on the cards, with the same heuristic", &columns);
    let cards = cards();
    for metric in [Metric::Moves, Metric::Steps] {
        let runs: Vec<SearchRun> = [SEARCHES[1], SEARCHES[2]]
            .iter()
            .flat_map(|&(_, text, _)| cards.iter().map(move |card| SearchRun::parse(text, &card.board, metric)))
            .collect();
        let outcomes = setting.run_all(&runs)?;
        let (right, wrong) = outcomes.split_at(cards.len());
        let excess: Vec<u32> = right
            .iter()
            .zip(wrong)
            .filter_map(|(right, wrong)| length(wrong, metric)?.checked_sub(length(right, metric)?))
            .collect();
        let expanded = |all: &[crate::LabOutcome]| all.iter().map(|outcome| outcome.statistics.expanded).sum::<u64>();
        table.rows.push(vec![
            metric.as_str().to_owned(),
            cards.len().to_string(),
            excess.iter().filter(|&&excess| excess > 0).count().to_string(),
            excess.iter().max().copied().unwrap_or(0).to_string(),
            count(expanded(right)),
            count(expanded(wrong)),
        ]);
    }
    Ok(table)
}
