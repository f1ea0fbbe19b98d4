//! Table of the IT3105 report: breadth-first, depth-first and best-first search on four boards, in steps.

use super::{Experiment, Findings, ReproError, ReproSettings, SearchRun, board, length};
use crate::Table;
use crate::table::{count, ratio};
use clearway_rush::Metric;

pub const EXPERIMENT: Experiment = Experiment {
    name: "it3105",
    work: "L. Henriksen, I. Vallestad: IT3105 AI Programming, Module 1, Rush Hour Puzzle. 2017",
    comparable: "The report does not give the order of moves. With the order in which the files of the course list the vehicles, each moved back \
                 before it is moved forward, all of its numbers are reproduced exactly: nodes are the distinct states generated, \
                 breadth-first search takes the first node of the list and depth-first search the last, and of several nodes with the \
                 same f, A* takes the first. The second table shows the same searches in the order of this program.",
    parts: |_| 2 * SEARCHES.len() * BOARDS.len(),
    run,
};

const BOARDS: [&str; 4] = ["easy-3", "medium-1", "hard-3", "expert-2"];

/// Published nodes and length for a board.
type Published = (u64, u32);

/// A search of the report.
struct PublishedSearch {
    name: &'static str,
    /// The same search, in the order of the report and in that of this program.
    ours: [&'static str; 2],
    /// Published values for the boards.
    published: [Published; 4],
}

const SEARCHES: [PublishedSearch; 3] = [
    PublishedSearch {
        name: "breadth-first",
        ours: ["bfs(order=it3105)", "bfs"],
        published: [(100, 16), (805, 24), (2038, 33), (10934, 73)],
    },
    PublishedSearch {
        name: "depth-first",
        ours: ["dfs(order=it3105)", "dfs"],
        published: [(107, 42), (1128, 278), (3035, 795), (10153, 2338)],
    },
    PublishedSearch {
        name: "best-first (A*)",
        ours: ["astar(distance-blockers, ties=first, order=it3105)", "astar(distance-blockers)"],
        published: [(89, 16), (656, 24), (1063, 33), (7089, 73)],
    },
];

fn run(setting: &ReproSettings) -> Result<Findings, ReproError> {
    let titles = ["Section 3: nodes generated and steps", "The same searches in the order of this program"];
    let tables: Result<Vec<Table>, ReproError> =
        titles.iter().enumerate().map(|(order, title)| reproduce(setting, title, order)).collect();
    Ok(tables?.into())
}

/// Runs all searches in the order of the report (0) or in that of this program (1).
fn reproduce(setting: &ReproSettings, title: &str, order: usize) -> Result<Table, ReproError> {
    let boards: Vec<_> = BOARDS.iter().map(|name| board("it3105", name)).collect();
    let runs: Vec<SearchRun> = SEARCHES
        .iter()
        .flat_map(|search| boards.iter().map(move |board| SearchRun::parse(search.ours[order], board, Metric::Steps)))
        .collect();
    let outcomes = setting.run_all(&runs)?;
    let columns = ["search and board", "nodes published", "ours", "ratio", "length published", "ours", "expanded"];
    let mut table = Table::new(title, &columns);
    for (i, outcome) in outcomes.iter().enumerate() {
        let PublishedSearch { name, published, .. } = &SEARCHES[i / BOARDS.len()];
        let (nodes, steps) = published[i % BOARDS.len()];
        let c = &outcome.statistics;
        let ours = c.generated - c.duplicates;
        table.rows.push(vec![
            format!("{name}, {}", BOARDS[i % BOARDS.len()]),
            count(nodes),
            count(ours),
            ratio(ours as f64, nodes as f64),
            steps.to_string(),
            length(outcome, Metric::Steps).map_or("-".to_owned(), |steps| steps.to_string()),
            count(c.expanded),
        ]);
    }
    Ok(table)
}
