//! Table of the IT3105 report: breadth-first, depth-first and best-first search on four boards, in steps.

use super::{Experiment, Findings, ReproError, SearchRun, Setting, board, length};
use crate::Table;
use crate::table::{count, ratio};
use clearway_rush::Metric;

pub const EXPERIMENT: Experiment = Experiment {
    name: "it3105",
    work: "L. Henriksen, I. Vallestad: IT3105 AI Programming, Module 1, Rush Hour Puzzle. 2017",
    comparable: "Breadth-first and best-first search return optimal solutions, so their lengths must agree. The report does not define \
                 when a node counts as generated; ours are the distinct states generated, and differ because of the order of moves and \
                 tie-breaking. The lengths and nodes of depth-first search depend on the order of moves, which the report does not \
                 give: they are not expected to agree, and do not.",
    parts: |_| SEARCHES.len() * BOARDS.len(),
    run,
};

const BOARDS: [&str; 4] = ["easy-3", "medium-1", "hard-3", "expert-2"];

/// Published nodes and length for a board.
type Published = (u64, u32);

/// Searches: name in the report, our expression, and the published values for the boards.
const SEARCHES: [(&str, &str, [Published; 4]); 3] = [
    ("breadth-first", "bfs", [(100, 16), (805, 24), (2038, 33), (10934, 73)]),
    ("depth-first", "dfs", [(107, 42), (1128, 278), (3035, 795), (10153, 2338)]),
    ("best-first (A*)", "astar(distance-blockers)", [(89, 16), (656, 24), (1063, 33), (7089, 73)]),
];

fn run(setting: &Setting) -> Result<Findings, ReproError> {
    let boards: Vec<_> = BOARDS.iter().map(|name| board("it3105", name)).collect();
    let runs: Vec<SearchRun> = SEARCHES
        .iter()
        .flat_map(|&(_, text, _)| boards.iter().map(move |board| SearchRun::parse(text, board, Metric::Steps)))
        .collect();
    let outcomes = setting.run_all(&runs)?;
    let columns = ["search and board", "nodes published", "ours", "ratio", "length published", "ours", "expanded"];
    let mut table = Table::new("Section 3: nodes generated and steps", &columns);
    for (i, outcome) in outcomes.iter().enumerate() {
        let (name, _, published) = SEARCHES[i / BOARDS.len()];
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
    Ok(vec![table].into())
}
