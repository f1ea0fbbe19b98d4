//! `clearway bench`: a fixed set of boards, one signature, one speed.

use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::json::{self, BenchRecord};
use crate::output::{self, Context};
use crate::pipeline::{self, Consumer};
use crate::quantity;
use clearway_rush::Board;
use clearway_rush::exact::{Answer, Metric, Solver};
use clearway_rush::suites::Suite;
use clearway_search::Limits;
use std::io::Write;
use std::time::Instant;

/// The suites of the set: all of their boards, or those whose names begin so. Each is solved in both metrics. The
/// large boards of the course suite would take all of the time and are left out.
const SET: [(&str, &str); 7] = [
    ("cards", ""),
    ("it3105", ""),
    ("traffic-jam", ""),
    ("walls", ""),
    ("servais", ""),
    ("course", "6x6_"),
    ("course", "9x9_4"),
];

/// No board of the set needs as many; should a change of the solver make one, the bench still ends.
const NODE_LIMIT: u64 = 20_000_000;

/// One board in one metric.
struct Task {
    row: usize,
    board: Board,
    metric: Metric,
}

/// The sum over some tasks.
#[derive(Clone, Copy, Default)]
struct Sum {
    boards: usize,
    expanded: u64,
    generated: u64,
    time: std::time::Duration,
}

impl Sum {
    fn add(&mut self, answer: &Answer) {
        self.boards += 1;
        self.expanded += answer.counters.expanded;
        self.generated += answer.counters.generated;
        self.time += answer.time;
    }
}

/// The sums of every row of the table: a suite in a metric.
struct Sums {
    rows: Vec<Sum>,
    all: Sum,
}

impl Consumer<(usize, Answer)> for Sums {
    type Error = Failure;

    fn take(&mut self, (row, answer): (usize, Answer)) -> Result<(), Failure> {
        self.rows[row].add(&answer);
        self.all.add(&answer);
        Ok(())
    }

    fn idle(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// Solves the set.
pub fn run(context: &Context) -> Outcome {
    let threads = context.global.threads.map_or(1, usize::from);
    let (titles, tasks) = set();
    let mut sums = Sums { rows: vec![Sum::default(); titles.len()], all: Sum::default() };
    let limits = Limits { nodes: Some(NODE_LIMIT), cancel: Some(context.interrupt.flag()), ..Limits::default() };
    let make_worker = move || {
        let (mut solver, limits) = (Solver::new(), limits.clone());
        move |task: Task| (task.row, solver.solve(&task.board, task.metric, &limits))
    };
    let started = Instant::now();
    pipeline::run(tasks.into_iter(), threads, make_worker, &context.interrupt, &mut sums)?;
    let seconds = started.elapsed().as_secs_f64();
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    let all = sums.all;
    let nodes_per_second = all.expanded as f64 / seconds;
    let mut out = output::stdout();
    if context.global.json {
        let record = BenchRecord {
            boards: all.boards,
            signature: all.expanded,
            generated: all.generated,
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
        writeln!(out)?;
        writeln!(out, "signature         {}", all.expanded)?;
        writeln!(out, "nodes per second  {}", quantity::count(nodes_per_second as u64))?;
    }
    out.flush()?;
    Ok(ExitCode::Done)
}

/// The titles of the rows, and the tasks.
fn set() -> (Vec<String>, Vec<Task>) {
    let (mut titles, mut tasks) = (Vec::new(), Vec::new());
    for (name, prefix) in SET {
        let Some(suite) = Suite::find(name) else { continue };
        for metric in [Metric::Moves, Metric::Steps] {
            let chosen = |name: &Option<String>| name.as_ref().is_some_and(|name| name.starts_with(prefix));
            let boards =
                suite.puzzles().into_iter().filter(|puzzle| chosen(&puzzle.name)).map(|puzzle| puzzle.board.clone());
            tasks.extend(boards.map(|board| Task { row: titles.len(), board, metric }));
            titles.push(format!("{name}{}{prefix} {}", if prefix.is_empty() { "" } else { " " }, metric.word()));
        }
    }
    (titles, tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_set_has_boards() {
        let (titles, tasks) = set();
        assert_eq!(titles.len(), 2 * SET.len());
        for (row, title) in titles.iter().enumerate() {
            assert!(tasks.iter().any(|task| task.row == row), "{title}");
        }
    }
}
