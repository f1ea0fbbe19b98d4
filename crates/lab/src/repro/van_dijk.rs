//! Tables 4.4, 4.5, 4.6, 5.1, 5.2 and 6.1 of Jelle van Dijk's thesis, on seven boards similar to its own.

use super::{Experiment, Findings, ReproError, SearchRun, Setting, board, length};
use crate::table::{count, ratio};
use crate::{LabOutcome, Table};
use clearway_rush::{Board, Metric};
use clearway_search::{Limit, Verdict};

pub const EXPERIMENT: Experiment = Experiment {
    name: "van-dijk",
    work: "J. van Dijk: Performance optimization of Rush Hour board generation. BSc thesis, University of Amsterdam, 2018",
    comparable: "Only statistics of the original boards are known. The suite vandijk has seven random boards with the same numbers of cars and \
                 trucks and the same optima; for the first five, the plain searches also need about as many nodes. So the ratios \
                 between the searches and the orders of magnitude can be compared, but not single counts. Times are from another \
                 machine.",
    // Tables of the searches over paths, hybrid searches, and three searches of the last two boards.
    parts: |_| TABLES.len() * BOARDS.len() + HYBRID.len() + 2 * LAST_TWO.len(),
    run,
};

/// Boards: name and optimum.
const BOARDS: [(&str, u32); 7] = [("B1", 4), ("B2", 6), ("B3", 8), ("B4", 10), ("B5", 12), ("B6", 16), ("B7", 20)];

/// Node limit on the last two boards, which the searches over paths cannot solve with any amount of memory.
const MAX_NODES: u64 = 30_000_000;

/// A row of the thesis: nodes, nanoseconds per node, and the length of the queue at the end.
#[derive(Clone, Copy)]
struct Published {
    nodes: u64,
    ns: f64,
    queue: Option<u64>,
}

const fn published(nodes: u64, ns: f64, queue: u64) -> Published {
    Published { nodes, ns, queue: if queue == 0 { None } else { Some(queue) } }
}

/// A table of the thesis. Searches without a row did not complete.
struct PublishedTable {
    title: &'static str,
    /// Search for a board with the given optimum.
    search: fn(u32) -> String,
    rows: &'static [Published],
}

const TABLES: [PublishedTable; 6] = [
    PublishedTable {
        title: "Table 4.4: BFS",
        search: |_| "bfs(tree)".to_owned(),
        rows: &[
            published(6_997, 2570.0, 53_051),
            published(217_398, 1740.0, 1_709_014),
            published(6_543_626, 1430.0, 53_890_174),
            published(3_984_420, 1010.0, 18_466_224),
            published(2_557_036, 1250.0, 15_183_928),
        ],
    },
    PublishedTable {
        title: "Table 4.5: DFS, maximum depth 20",
        search: |_| "dfs(depth=20)".to_owned(),
        rows: &[
            published(905_604, 420.0, 0),
            published(9_059_932, 350.0, 0),
            published(25_463_507, 260.0, 0),
            published(24_900_099, 280.0, 0),
            published(11_803_006, 350.0, 0),
        ],
    },
    PublishedTable {
        title: "Table 4.6: DFS, maximum depth = optimum",
        search: |optimum| format!("dfs(depth={optimum})"),
        rows: &[
            published(6_997, 710.0, 0),
            published(217_398, 530.0, 0),
            published(6_543_626, 280.0, 0),
            published(3_984_420, 340.0, 0),
            published(2_557_036, 410.0, 0),
        ],
    },
    PublishedTable {
        title: "Table 5.1: BFS, queue pruned before",
        search: |_| "bfs(tree, prune=pre)".to_owned(),
        rows: &[published(6_858, 2_198_020.0, 51_889)],
    },
    PublishedTable {
        title: "Table 5.1: BFS, queue pruned after",
        search: |_| "bfs(tree, prune=post)".to_owned(),
        rows: &[published(6_445, 279_750.0, 48_837)],
    },
    PublishedTable {
        title: "Table 5.2: BFS with early detection",
        search: |_| "bfs(tree, early)".to_owned(),
        rows: &[
            published(809, 2470.0, 6_187),
            published(24_524, 2370.0, 192_873),
            published(712_380, 1530.0, 5_831_245),
            published(724_120, 1170.0, 35_831_245),
            published(379_267, 1610.0, 2_177_768),
        ],
    },
];

/// Table 6.1: board, cutoff, nodes, and length of the queue at the cutoff.
const HYBRID: [(usize, u32, u64, u64); 15] = [
    (0, 2, 689_533, 98),
    (1, 2, 7_087_724, 89),
    (1, 4, 165_570_841, 7_153),
    (2, 2, 40_467_749, 95),
    (2, 4, 20_042_950, 7_485),
    (2, 6, 36_548_327, 616_006),
    (3, 2, 34_459_235, 16),
    (3, 4, 38_468_192, 379),
    (3, 6, 22_028_530, 9_797),
    (3, 8, 34_354_806, 275_736),
    (4, 2, 5_560_972, 5),
    (4, 4, 2_204_078, 27),
    (4, 6, 2_660_821, 241),
    (4, 8, 10_438_198, 5_761),
    (4, 10, 10_896_821, 231_397),
];

fn run(setting: &Setting) -> Result<Findings, ReproError> {
    let boards: Vec<Board> = BOARDS.iter().map(|(name, _)| board("vandijk", name)).collect();
    // The queues are long, so one search at a time gets all of the memory.
    let alone = Setting { threads: 1, ..setting.clone() };
    let mut tables: Vec<Table> =
        TABLES.iter().map(|table| table.reproduce(&boards, &alone)).collect::<Result<_, _>>()?;
    tables.push(hybrid(&boards, setting)?);
    tables.push(last_two(&boards, setting)?);
    Ok(tables.into())
}

impl PublishedTable {
    fn reproduce(&self, boards: &[Board], setting: &Setting) -> Result<Table, ReproError> {
        let runs: Vec<SearchRun> = (BOARDS.iter().zip(boards))
            .map(|(&(name, optimum), board)| {
                let run = SearchRun::parse(&(self.search)(optimum), board, Metric::Moves);
                SearchRun { nodes: matches!(name, "B6" | "B7").then_some(MAX_NODES), ..run }
            })
            .collect();
        let columns = [
            "board",
            "nodes published",
            "ours",
            "ratio",
            "queue published",
            "ours",
            "ns per node published",
            "ours",
            "moves",
        ];
        let mut table = Table::new(self.title, &columns);
        for (place, outcome) in setting.run_all(&runs)?.iter().enumerate() {
            let published = self.rows.get(place);
            let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
            let nodes = outcome.statistics.expanded;
            let ns = outcome.time.as_nanos() as f64 / nodes.max(1) as f64;
            table.rows.push(vec![
                BOARDS[place].0.to_owned(),
                published.map_or("did not complete".to_owned(), |published| count(published.nodes)),
                nodes_and_limit(outcome),
                or_dash(published.map(|published| ratio(nodes as f64, published.nodes as f64))),
                or_dash(published.and_then(|published| published.queue).map(count)),
                or_dash(outcome.queue.map(count)),
                or_dash(published.map(|published| count(published.ns as u64))),
                count(ns.round() as u64),
                or_dash(length(outcome, Metric::Moves).map(|moves| moves.to_string())),
            ]);
        }
        Ok(table)
    }
}

/// Nodes, and the reason if the search stopped without an answer.
fn nodes_and_limit(outcome: &LabOutcome) -> String {
    let nodes = count(outcome.statistics.expanded);
    match outcome.verdict {
        Verdict::Solved => nodes,
        Verdict::Limit(Limit::Memory) => format!("{nodes}, out of memory"),
        _ => format!("{nodes}, stopped"),
    }
}

fn hybrid(boards: &[Board], setting: &Setting) -> Result<Table, ReproError> {
    let run = |&(place, cutoff, ..): &(usize, u32, u64, u64)| {
        SearchRun::parse(&format!("hybrid(cutoff={cutoff}, depth=20)"), &boards[place], Metric::Moves)
    };
    let runs: Vec<SearchRun> = HYBRID.iter().map(run).collect();
    let columns = ["board, cutoff", "nodes published", "ours", "ratio", "queue published", "ours", "moves", "seconds"];
    let mut table = Table::new("Table 6.1: hybrid, maximum depth 20", &columns);
    for (&(place, cutoff, nodes, queue), outcome) in HYBRID.iter().zip(setting.run_all(&runs)?) {
        table.rows.push(vec![
            format!("{}, {cutoff}", BOARDS[place].0),
            count(nodes),
            nodes_and_limit(&outcome),
            ratio(outcome.statistics.expanded as f64, nodes as f64),
            count(queue),
            outcome.queue.map_or("-".to_owned(), count),
            length(&outcome, Metric::Moves).map_or("-".to_owned(), |moves| moves.to_string()),
            ratio(outcome.time.as_secs_f64(), 1.0),
        ]);
    }
    Ok(table)
}

/// Searches on the boards that the thesis could not solve.
const LAST_TWO: [&str; 3] = ["exact", "bfs", "astar(landmarks)"];

/// Boards that the thesis could not solve.
fn last_two(boards: &[Board], setting: &Setting) -> Result<Table, ReproError> {
    let runs: Vec<SearchRun> = boards[5..]
        .iter()
        .flat_map(|board| LAST_TWO.iter().map(move |text| SearchRun::parse(text, board, Metric::Moves)))
        .collect();
    let columns = ["board, search", "expanded", "moves", "milliseconds"];
    let mut table = Table::new("Boards that the thesis could not solve, by searches over states", &columns);
    for (i, outcome) in setting.run_all(&runs)?.iter().enumerate() {
        table.rows.push(vec![
            format!("{}, {}", BOARDS[5 + i / LAST_TWO.len()].0, LAST_TWO[i % LAST_TWO.len()]),
            nodes_and_limit(outcome),
            length(outcome, Metric::Moves).map_or("-".to_owned(), |moves| moves.to_string()),
            ratio(outcome.time.as_secs_f64() * 1e3, 1.0),
        ]);
    }
    Ok(table)
}
