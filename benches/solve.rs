//! The exact solver on one thread: the list, the forty cards, random boards, and single boards with their own bars.

use clearway_benches::board_draft::random_board;
use clearway_benches::catalogue::HARDEST;
use clearway_benches::measure::{Clock, Field};
use clearway_benches::random::Random;
use clearway_benches::report::{self, Good};
use clearway_rush::formats::{self, KnownLength, Puzzle};
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, Solver};
use clearway_search::{Limits, Verdict};
use std::collections::HashSet;

/// Board of 15 moves in the largest component: 541,934 states.
const SHALLOW: &str = "BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...";
const ROUNDS: usize = 7;
const RANDOM_BOARDS: usize = 1_000;
/// Large boards: name, moves, and the bar in seconds.
const LARGE: [(&str, u32, f64); 3] = [("9x9_4", 27, 0.3), ("9x9_5", 22, 4.0), ("9x9_6", 18, 6.0)];
/// Bar for the memory of the tables of a large board.
const LARGE_MEGABYTES: f64 = 300.0;

fn main() -> std::io::Result<()> {
    if !report::is_bench_run() {
        return Ok(());
    }
    let (random, unsolvable) = random_boards();
    let mut field = Field::default();
    let list = field.add(clearway_benches::list()?);
    let cards = field.add(suite("cards"));
    let random = field.add(random);
    let deep = field.add_recurring(known(HARDEST, 51));
    let shallow = field.add_recurring(known(SHALLOW, 15));
    field.run(ROUNDS, Clock::Cpu);

    println!("one thread, boards interleaved, path included, CPU time, median of {ROUNDS} rounds\n");
    report::header();
    let groups = [
        ("list, 1 to 51 moves", list),
        ("forty cards", cards),
        ("random, 9 cars and 4 trucks", random),
        ("the board of 51 moves", deep.clone()),
        ("15 moves in 541,934 states", shallow.clone()),
    ];
    for (name, group) in groups {
        report::row(name, &field.summary(group));
    }
    let share = 100.0 * unsolvable as f64 / (unsolvable + RANDOM_BOARDS) as f64;
    println!("{share:.0} % of the generated random boards were unsolvable, and are not included above\n");

    let (deep, shallow) = (field.summary(deep), field.summary(shallow));
    report::bar("the board of 51 moves", deep.ns_per_state(), Good::AtMost, 90.0, "ns per expanded state");
    report::bar("15 moves compared with 51", shallow.mean_us / deep.mean_us, Good::AtMost, 2.0, "times the time");
    for (name, moves, seconds) in LARGE {
        large(name, moves, seconds);
    }
    Ok(())
}

fn suite(name: &str) -> Vec<Puzzle> {
    Suite::find(name).expect("the suite is embedded").puzzles()
}

fn known(text: &str, moves: u32) -> Puzzle {
    let puzzle = formats::read_one(text, None).expect("the board can be read");
    Puzzle { moves: Some(KnownLength::Exactly(moves)), ..puzzle }
}

/// Generates different solvable random boards, with their lengths computed from the whole component. Also returns the number of
/// unsolvable boards.
fn random_boards() -> (Vec<Puzzle>, usize) {
    let (mut random, mut solver) = (Random::new(1_000, 0), Solver::new());
    let (mut found, mut seen, mut unsolvable) = (Vec::new(), HashSet::new(), 0);
    while found.len() < RANDOM_BOARDS {
        let board = random_board(9, 4, &mut random);
        if !seen.insert(formats::line(&board)) {
            continue;
        }
        if solver.solve(&board, Metric::Moves, &Limits::default()).verdict == Verdict::Unsolvable {
            unsolvable += 1;
            continue;
        }
        let moves = solver.analyze(&board, Metric::Moves, &Limits::default()).distance.map(KnownLength::Exactly);
        found.push(Puzzle { moves, ..Puzzle::new(board) });
    }
    (found, unsolvable)
}

/// Measures the first search of a new solver on a large board.
fn large(name: &str, moves: u32, seconds: f64) {
    let is_named = |puzzle: &Puzzle| puzzle.name.as_deref() == Some(name);
    let board = suite("course").into_iter().find(is_named).expect("the board is in its suite").board;
    let (answer, time) = Clock::Cpu.time(|| Solver::new().solve(&board, Metric::Moves, &Limits::default()));
    assert_eq!((answer.verdict, answer.lower_bound), (Verdict::Solved, moves), "{name}");
    let expanded = answer.statistics.expanded;
    let what = format!("{name}, {moves} moves, {expanded} states, {}", answer.algorithm);
    report::bar(&what, time.as_secs_f64(), Good::AtMost, seconds, "s");
    report::bar(&format!("{name}, tables"), answer.memory as f64 / 1e6, Good::AtMost, LARGE_MEGABYTES, "MB");
}
