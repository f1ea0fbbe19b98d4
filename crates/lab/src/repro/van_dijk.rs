//! Tables 4.1, 4.2, 4.4, 4.5, 4.6, 5.1, 5.2 and 6.1 of Jelle van Dijk's thesis, on boards similar to its own,
//! and two of its proposals for future work: a pruned queue in the hybrid solver, and several threads for one board.

use super::{Experiment, Findings, ReproError, ReproSettings, SearchRun, board, length};
use crate::table::{count, ratio};
use crate::{LabOutcome, Table};
use clearway_forge::random::{self, Fleet};
use clearway_forge::{Shape, rng};
use clearway_rush::{Board, Metric, Side, Solver};
use clearway_search::{Limit, Limits, Verdict};
use clearway_util::time::Instant;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub const EXPERIMENT: Experiment = Experiment {
    name: "van-dijk",
    work: "J. van Dijk: Performance optimization of Rush Hour board generation. BSc thesis, University of Amsterdam, 2018",
    comparable: "Only statistics of the original boards are known. The suite vandijk has seven random boards with the same numbers of cars and \
                 trucks and the same optima; for the first five, the plain searches also need about as many nodes. So the ratios \
                 between the searches and the orders of magnitude can be compared, but not single counts. Times are from another \
                 machine.",
    // Random boards, tables of the searches over paths, hybrid searches without and with pruning, three searches of the last
    // two boards, and two searches on several threads.
    parts: |setting| {
        let random = END_TO_END.iter().map(|(_, _, optima, _)| optima.len()).sum::<usize>();
        let threads = 2 * thread_numbers(setting).len();
        random + TABLES.len() * BOARDS.len() + 2 * HYBRID.len() + 2 * LAST_TWO.len() + threads
    },
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

fn run(setting: &ReproSettings) -> Result<Findings, ReproError> {
    let boards: Vec<Board> = BOARDS.iter().map(|(name, _)| board("vandijk", name)).collect();
    // The queues are long, so one search at a time gets all of the memory.
    let alone = ReproSettings { threads: 1, ..setting.clone() };
    let mut tables: Vec<Table> = END_TO_END.iter().map(|table| end_to_end(table, &alone)).collect::<Result<_, _>>()?;
    for table in &TABLES {
        tables.push(table.reproduce(&boards, &alone)?);
    }
    tables.push(hybrid(&boards, setting)?);
    tables.push(last_two(&boards, setting)?);
    tables.push(speed_up(&boards, setting, &alone)?);
    Ok(tables.into())
}

impl PublishedTable {
    fn reproduce(&self, boards: &[Board], setting: &ReproSettings) -> Result<Table, ReproError> {
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

fn hybrid(boards: &[Board], setting: &ReproSettings) -> Result<Table, ReproError> {
    let run = |&(place, cutoff, ..): &(usize, u32, u64, u64), prune: &str| {
        SearchRun::parse(&format!("hybrid(cutoff={cutoff}, depth=20{prune})"), &boards[place], Metric::Moves)
    };
    let [plain, pruned] = ["", ", prune=post"].map(|prune| HYBRID.iter().map(move |row| run(row, prune)));
    let outcomes = setting.run_all(&plain.chain(pruned).collect::<Vec<SearchRun>>())?;
    let (plain, pruned) = outcomes.split_at(HYBRID.len());
    let columns = [
        "board, cutoff",
        "nodes published",
        "ours",
        "ratio",
        "queue published",
        "ours",
        "moves",
        "seconds",
        "nodes, pruned",
        "queue, pruned",
        "seconds, pruned",
    ];
    let title = "Table 6.1: hybrid, maximum depth 20; pruned: equal states are removed from the queue (future work)";
    let mut table = Table::new(title, &columns);
    for ((&(place, cutoff, nodes, queue), outcome), pruned) in HYBRID.iter().zip(plain).zip(pruned) {
        let queue_len = |outcome: &LabOutcome| outcome.queue.map_or("-".to_owned(), count);
        table.rows.push(vec![
            format!("{}, {cutoff}", BOARDS[place].0),
            count(nodes),
            nodes_and_limit(outcome),
            ratio(outcome.statistics.expanded as f64, nodes as f64),
            count(queue),
            queue_len(outcome),
            length(outcome, Metric::Moves).map_or("-".to_owned(), |moves| moves.to_string()),
            ratio(outcome.time.as_secs_f64(), 1.0),
            nodes_and_limit(pruned),
            queue_len(pruned),
            ratio(pruned.time.as_secs_f64(), 1.0),
        ]);
    }
    Ok(table)
}

/// Tables 4.1 and 4.2: title, search, lengths of shortest solutions, and published milliseconds of the solver.
const END_TO_END: [(&str, &str, [u32; 4], [&str; 4]); 2] = [
    (
        "Table 4.1: DFS on random boards, from generation to solution",
        "dfs(depth=10)",
        [1, 2, 2, 6],
        ["< 1", "< 1", "1", "1048"],
    ),
    (
        "Table 4.2: BFS on random boards, from generation to solution",
        "bfs(tree, depth=10)",
        [2, 2, 4, 10],
        ["< 1", "< 1", "5", "135271"],
    ),
];

/// A random board, and the time to generate it.
struct RandomBoard {
    number: u64,
    board: Board,
    time: Duration,
}

/// Generates random boards as in Section 4.1, five cars and three trucks on 6x6, and returns for each of the given lengths the
/// first one with a shortest solution of that length that was not yet returned.
fn random_boards(optima: &[u32], setting: &ReproSettings) -> Result<Vec<RandomBoard>, ReproError> {
    let Ok(shape) = Shape::new(6, 6, Side::Right, None, 0) else { return Ok(Vec::new()) };
    let (mut solver, mut found): (Solver, Vec<Option<RandomBoard>>) =
        (Solver::new(), optima.iter().map(|_| None).collect());
    for number in 0.. {
        if found.iter().all(Option::is_some) {
            break;
        }
        if setting.cancel.load(Ordering::Relaxed) {
            return Err(ReproError::Cancelled);
        }
        let started = Instant::now();
        let board = random::board(shape, Fleet { cars: 5, trucks: 3 }, &mut rng::stream(BOARDS_SEED, number));
        let time = started.elapsed();
        let Ok(board) = board else { continue };
        let answer = solver.solve(&board, Metric::Moves, &Limits::default());
        let length = answer.solution.map(|solution| solution.moves());
        let place = (0..optima.len()).find(|&place| found[place].is_none() && length == Some(optima[place]));
        if let Some(place) = place {
            found[place] = Some(RandomBoard { number, board, time });
        }
    }
    Ok(found.into_iter().flatten().collect())
}

/// Seed of the random boards.
const BOARDS_SEED: u64 = 1;

fn end_to_end(
    &(title, search, optima, published): &(&str, &str, [u32; 4], [&str; 4]),
    setting: &ReproSettings,
) -> Result<Table, ReproError> {
    let boards = random_boards(&optima, setting)?;
    let run = |random: &RandomBoard| SearchRun {
        nodes: Some(MAX_END_TO_END),
        ..SearchRun::parse(search, &random.board, Metric::Moves)
    };
    let outcomes = setting.run_all(&boards.iter().map(run).collect::<Vec<SearchRun>>())?;
    let columns = ["optimum, board", "generator ms published", "ours", "solver ms published", "ours", "nodes", "moves"];
    let mut table = Table::new(title, &columns);
    let milliseconds = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e3);
    for (place, (outcome, random)) in outcomes.iter().zip(&boards).enumerate() {
        table.rows.push(vec![
            format!("{}, {}", optima[place], random.number),
            "0 to 1".to_owned(),
            milliseconds(random.time),
            published[place].to_owned(),
            milliseconds(outcome.time),
            nodes_and_limit(outcome),
            length(outcome, Metric::Moves).map_or("-".to_owned(), |moves| moves.to_string()),
        ]);
    }
    Ok(table)
}

/// Node limit on random boards.
const MAX_END_TO_END: u64 = 100_000_000;

/// Numbers of threads for one board: powers of two up to the number of threads of the experiment, at least two.
fn thread_numbers(setting: &ReproSettings) -> Vec<usize> {
    [1, 2, 4, 8, 16, 32, 64].into_iter().filter(|&threads| threads <= setting.threads.max(2)).collect()
}

/// One board on several threads, which the thesis proposes: the numbers of nodes are the same, and the time falls.
fn speed_up(boards: &[Board], setting: &ReproSettings, alone: &ReproSettings) -> Result<Table, ReproError> {
    let large = board("course", "9x9_4");
    let numbers = thread_numbers(setting);
    let runs = numbers.iter().flat_map(|threads| {
        let states = SearchRun {
            nodes: Some(MAX_STATES),
            ..SearchRun::parse(&format!("bfs(threads={threads})"), &large, Metric::Moves)
        };
        [states, SearchRun::parse(&format!("bfs(tree, threads={threads})"), &boards[2], Metric::Moves)]
    });
    let outcomes = alone.run_all(&runs.collect::<Vec<SearchRun>>())?;
    let columns =
        ["threads", "bfs, 9x9_4: states", "seconds", "speed-up", "bfs(tree), B3: nodes", "seconds", "speed-up"];
    let mut table = Table::new("One board on several threads (future work)", &columns);
    for (pair, threads) in outcomes.chunks(2).zip(numbers) {
        let mut row = vec![threads.to_string()];
        for (outcome, one) in pair.iter().zip(&outcomes) {
            let seconds = outcome.time.as_secs_f64();
            row.push(count(outcome.statistics.expanded));
            row.extend([format!("{seconds:.2}"), ratio(one.time.as_secs_f64(), seconds)]);
        }
        table.rows.push(row);
    }
    Ok(table)
}

/// Node limit of breadth-first search over states on several threads.
const MAX_STATES: u64 = 3_000_000;

/// Searches on the boards that the thesis could not solve.
const LAST_TWO: [&str; 3] = ["exact", "bfs", "astar(landmarks)"];

/// Boards that the thesis could not solve.
fn last_two(boards: &[Board], setting: &ReproSettings) -> Result<Table, ReproError> {
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
