//! `clearway bench`: signatures and speeds of the exact solver and of the search algorithms, each on a fixed set of boards.

use crate::args::BenchArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json::{self, AlgorithmSignature, BenchRecord};
use crate::output::Context;
use crate::panics::Panic;
use crate::pipeline::{self, ResultConsumer, Titled};
use crate::quantity;
use clearway_lab::compare::{self, Comparison, ComparisonLog, Contestant};
use clearway_rush::Board;
use clearway_rush::exact::{Answer, Metric, Solver};
use clearway_rush::suites::Suite;
use clearway_search::Limits;
use std::io::Write;
use std::time::{Duration, Instant};

/// The suites of the set, and the prefix of the names of the boards to use. Each board is solved in both metrics. The large
/// boards of the course suite are left out because they would take most of the time.
const SET: [(&str, &str); 7] = [
    ("cards", ""),
    ("it3105", ""),
    ("traffic-jam", ""),
    ("walls", ""),
    ("servais", ""),
    ("course", "6x6_"),
    ("course", "9x9_4"),
];

/// More than any board of the set needs: ends the bench even if a change of the solver makes a board much harder.
const NODE_LIMIT: u64 = 20_000_000;

/// All search algorithms, each at least once. They run on the boards of one small suite.
const ALGORITHMS: [&str; 18] = [
    "exact",
    "portfolio",
    "layers(first)",
    "bfs",
    "bfs(tree, early)",
    "bfs(tree, prune=post)",
    "dfs",
    "dfs(depth=20)",
    "hybrid(cutoff=6)",
    "astar(landmarks)",
    "wastar(h1, weight=3)",
    "greedy(h2)",
    "id(increment=5)",
    "ida(h1, prune, increment=5)",
    "ida(h3, both, increment=5, memo=kept)",
    "ibex(two-level)",
    "beam(blockers, width=100)",
    "random-walk(seed=1, steps=20000)",
];
/// All options of all algorithms, each at least once with a value other than its default, and a policy. They run on the same boards.
const OPTIONS: [&str; 19] = [
    "portfolio(first)",
    "portfolio(within=2)",
    "layers(first, within=2)",
    "bfs(order=it3105, threads=2)",
    "bfs(tree, depth=6, threads=2)",
    "dfs(order=traffic-jam)",
    "dfs(depth=12)",
    "hybrid(cutoff=4, depth=12, prune=pre)",
    "astar(h1, reopen=no, shortcut=yes, ties=last, order=it3105)",
    "astar(relaxed-plan, deferred=yes, preferred=yes, novelty=2, ranked=yes, neighbourhood=500)",
    "wastar(h1, weight=3, reopen=no, shortcut=yes, ties=first, order=traffic-jam)",
    "wastar(relaxed-plan, weight=5, deferred=yes, preferred=yes, novelty=1, ranked=yes, neighbourhood=500)",
    "greedy(h2, reopen=no, shortcut=yes, ties=last, order=it3105)",
    "greedy(relaxed-plan, deferred=yes, preferred=yes, novelty=2, ranked=yes, neighbourhood=500)",
    "id(growth=2, memo=kept, reopen=no, shortcut=yes, macros=yes)",
    "ida(h1, order, growth=2, reopen=no, shortcut=yes, macros=yes)",
    "beam(h1, width=30)",
    "random-walk(seed=2, steps=5000)",
    "wastar(policy=best-first-8x8)",
];
const ALGORITHM_SUITE: &str = "it3105";
/// Tree searches would not end on the harder boards.
const ALGORITHM_NODES: u64 = 40_000;

/// One board in one metric.
struct Task {
    row: usize,
    board: Board,
    metric: Metric,
}

impl Titled for Task {
    fn title(&self) -> String {
        clearway_rush::formats::line(&self.board)
    }
}

/// Totals over several tasks.
#[derive(Clone, Copy, Default)]
struct Sum {
    boards: usize,
    expanded: u64,
    generated: u64,
    time: Duration,
}

impl Sum {
    fn add(&mut self, answer: &Answer) {
        self.boards += 1;
        self.expanded += answer.statistics.expanded;
        self.generated += answer.statistics.generated;
        self.time += answer.time;
    }
}

/// Totals of each row of the table (a suite in one metric), and of all rows.
struct Sums {
    rows: Vec<Sum>,
    all: Sum,
}

impl ResultConsumer<(usize, Answer)> for Sums {
    type Error = Failure;

    fn take(&mut self, (row, answer): (usize, Answer)) -> Result<(), Failure> {
        self.rows[row].add(&answer);
        self.all.add(&answer);
        Ok(())
    }

    /// Fails, because the signature would be wrong without the board.
    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        Err(Failure::Report(ExitCode::Internal, panic.report()))
    }

    fn idle(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// Solves the set and prints the signatures and speeds.
pub fn run(args: &BenchArgs, context: &Context) -> CommandResult {
    let threads = context.global.threads.map_or(1, usize::from);
    let (titles, tasks) = tasks();
    let mut sums = Sums { rows: vec![Sum::default(); titles.len()], all: Sum::default() };
    let limits = Limits { nodes: Some(NODE_LIMIT), cancel: Some(context.interrupt.flag()), ..Limits::default() };
    let make_worker = move || {
        let (mut solver, limits) = (Solver::new(), limits.clone());
        move |task: Task| (task.row, solver.solve(&task.board, task.metric, &limits))
    };
    let started = Instant::now();
    pipeline::run(tasks.into_iter(), threads, make_worker, &context.interrupt, &mut sums)?;
    let seconds = started.elapsed().as_secs_f64();
    let (algorithms, options) = (run_all(&ALGORITHMS, threads, context)?, run_all(&OPTIONS, threads, context)?);
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    let all = sums.all;
    let nodes_per_second = all.expanded as f64 / seconds;
    let mut out = context.stdout();
    if args.signature {
        out.write_all(signature(&titles, &sums, &[algorithms, options]).as_bytes())?;
    } else if context.global.json {
        let record = BenchRecord {
            boards: all.boards,
            signature: all.expanded,
            generated: all.generated,
            algorithms,
            options,
            threads,
            seconds,
            nodes_per_second,
        };
        out.write_all(json::line(&record).as_bytes())?;
    } else {
        writeln!(out, "{:<20}  {:>6}  {:>12}  {:>8}", "suite", "boards", "states", "time")?;
        for (title, sum) in titles.iter().zip(&sums.rows) {
            let (states, time) = (quantity::count(sum.expanded), quantity::time(sum.time));
            writeln!(out, "{title:<20}  {:>6}  {states:>12}  {time:>8}", sum.boards)?;
        }
        for (title, sums) in [("algorithm", &algorithms), ("options of algorithms", &options)] {
            let title = format!("{title}, on the {ALGORITHM_SUITE} suite");
            let width = sums.iter().map(|sum| sum.algorithm.len()).max().unwrap_or_default();
            writeln!(out, "\n{title:<width$}  {:>6}  {:>12}  {:>8}", "solved", "states", "time")?;
            for sum in sums {
                let time = quantity::time(Duration::from_secs_f64(sum.seconds));
                let states = quantity::count(sum.signature);
                writeln!(out, "{:<width$}  {:>6}  {states:>12}  {time:>8}", sum.algorithm, sum.solved)?;
            }
        }
        writeln!(out)?;
        writeln!(out, "signature         {}", all.expanded)?;
        writeln!(out, "nodes per second  {}", quantity::count(nodes_per_second as u64))?;
    }
    out.flush()?;
    Ok(ExitCode::Done)
}

/// Formats the signatures, which are the same in every run: a line per suite and metric (boards, states expanded), then a
/// line per algorithm in each list (boards solved, states expanded).
fn signature(titles: &[String], sums: &Sums, lists: &[Vec<AlgorithmSignature>]) -> String {
    let suites = titles.iter().map(String::as_str).zip(&sums.rows).chain([("all", &sums.all)]);
    let suites = suites.map(|(title, sum)| format!("exact\t{title}\t{}\t{}\n", sum.boards, sum.expanded));
    let algorithms = lists
        .iter()
        .flatten()
        .map(|sum| format!("{ALGORITHM_SUITE}\t{}\t{}\t{}\n", sum.algorithm, sum.solved, sum.signature));
    suites.chain(algorithms).collect()
}

/// Runs search algorithms; returns the signature of each, and their sum.
fn run_all(algorithms: &[&str], threads: usize, context: &Context) -> Result<Vec<AlgorithmSignature>, Failure> {
    let puzzles = Suite::find(ALGORITHM_SUITE).map(Suite::puzzles).unwrap_or_default();
    let boards = puzzles.into_iter().map(|puzzle| compare::NamedBoard { name: puzzle.name, board: puzzle.board });
    let contestant = |text: &str| Ok(Contestant { label: text.to_owned(), algorithm: text.parse()? });
    let contestants: Result<_, clearway_util::syntax::ExpressionError> =
        algorithms.iter().copied().map(contestant).collect();
    let comparison = Comparison {
        boards: boards.collect(),
        algorithms: contestants.map_err(|error| Failure::usage(error.to_string(), ""))?,
        metric: Metric::Moves,
        limits: Limits { nodes: Some(ALGORITHM_NODES), cancel: Some(context.interrupt.flag()), ..Limits::default() },
        threads,
    };
    let mut records = Vec::new();
    let taken = comparison.run(
        &mut ComparisonLog::default(),
        |_| {},
        |record| {
            records.push(record);
            Ok(())
        },
    );
    taken.map_err(|error| Failure::usage(error.to_string(), ""))?;
    let sums = compare::summaries(&records);
    let mut signatures: Vec<AlgorithmSignature> = sums
        .iter()
        .map(|sum| AlgorithmSignature {
            algorithm: sum.algorithm.clone(),
            solved: sum.solved,
            signature: sum.total,
            seconds: sum.seconds,
        })
        .collect();
    signatures.push(AlgorithmSignature {
        algorithm: "all".to_owned(),
        solved: sums.iter().map(|sum| sum.solved).sum(),
        signature: sums.iter().map(|sum| sum.total).sum(),
        seconds: sums.iter().map(|sum| sum.seconds).sum(),
    });
    Ok(signatures)
}

/// Returns the titles of the rows, and the tasks.
fn tasks() -> (Vec<String>, Vec<Task>) {
    let (mut titles, mut tasks) = (Vec::new(), Vec::new());
    for (name, prefix) in SET {
        let Some(suite) = Suite::find(name) else { continue };
        for metric in [Metric::Moves, Metric::Steps] {
            let chosen = |name: &Option<String>| name.as_ref().is_some_and(|name| name.starts_with(prefix));
            let boards =
                suite.puzzles().into_iter().filter(|puzzle| chosen(&puzzle.name)).map(|puzzle| puzzle.board.clone());
            tasks.extend(boards.map(|board| Task { row: titles.len(), board, metric }));
            titles.push(format!("{name}{}{prefix} {}", if prefix.is_empty() { "" } else { " " }, metric.as_str()));
        }
    }
    (titles, tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_set_has_boards() {
        let (titles, tasks) = tasks();
        assert_eq!(titles.len(), 2 * SET.len());
        for (row, title) in titles.iter().enumerate() {
            assert!(tasks.iter().any(|task| task.row == row), "{title}");
        }
    }

    #[test]
    fn every_algorithm_has_a_signature() {
        let benched: Vec<clearway_lab::ConfiguredAlgorithm> =
            ALGORITHMS.iter().map(|text| text.parse().unwrap()).collect();
        for info in clearway_search::spec::ALGORITHMS {
            assert!(benched.iter().any(|algorithm| std::ptr::eq(algorithm.spec().info(), *info)), "{}", info.example);
        }
    }

    #[test]
    fn every_option_is_changed_in_a_signature() {
        let benched: Vec<clearway_lab::ConfiguredAlgorithm> =
            ALGORITHMS.iter().chain(&OPTIONS).map(|text| text.parse().unwrap()).collect();
        for info in clearway_search::spec::ALGORITHMS {
            for option in info.options {
                let changes = |algorithm: &clearway_lab::ConfiguredAlgorithm| {
                    std::ptr::eq(algorithm.spec().info(), *info) && algorithm.changes(option)
                };
                assert!(benched.iter().any(changes), "no expression sets {} of {}", option.name, info.title());
            }
        }
        assert!(benched.iter().any(|algorithm| algorithm.policy().is_some()));
    }
}
