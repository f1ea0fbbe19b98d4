//! The generators on one thread: random boards solved or proven unsolvable per second, and minimal puzzles generated per second.

use clearway_benches::measure::Clock;
use clearway_benches::report::{self, Good};
use clearway_forge::generate::{self, Request};
use clearway_forge::minimal::removable;
use clearway_forge::random::{self, Fleet};
use clearway_forge::{GeneratedPuzzle, Shape, rng};
use clearway_rush::{Board, Metric, Orientation, Side, Solver};
use clearway_search::{Limits, Verdict};
use std::collections::HashSet;
use std::ops::RangeInclusive;

const SEED: u64 = 20_260_101;
const RANDOM_BOARDS: u64 = 200_000;
const ATTEMPTS: u64 = 4_000;

fn main() {
    if !report::is_bench_run() {
        return;
    }
    let shape = Shape::new(6, 6, Side::Right, None, 0).expect("the shape is valid");
    println!("one thread, CPU time, 6x6\n");
    random_boards(shape);
    puzzles(shape, 20..=51, 20..=20, Some(20.0));
    puzzles(shape, 30..=40, 30..=40, None);
}

/// Measures random boards of 9 cars (including the target) and 4 trucks, each solved or proven unsolvable.
fn random_boards(shape: Shape) {
    let mut solver = Solver::new();
    let (solvable, time) = Clock::Cpu.time(|| {
        let decide = |index: &u64| {
            let board = random::board(shape, Fleet { cars: 9, trucks: 4 }, &mut rng::stream(SEED, *index));
            let board = board.expect("there is room for 13 vehicles");
            let answer = solver.solve(&board, Metric::Moves, &Limits::default());
            assert!(!matches!(answer.verdict, Verdict::Limit(_)), "without limits every board is decided");
            answer.verdict == Verdict::Solved
        };
        (0..RANDOM_BOARDS).filter(decide).count()
    });
    let share = 100.0 * solvable as f64 / RANDOM_BOARDS as f64;
    let rate = RANDOM_BOARDS as f64 / time.as_secs_f64();
    let what = format!("random boards decided, {share:.1} % of them solvable");
    report::bar(&what, rate, Good::AtLeast, 25_000.0, "boards per second");
}

/// Returns the lengths of the vehicles in each line, in order, which are the same for all states of a component. Two components
/// may share them, but puzzles that differ in them are different.
fn invariants(board: &Board) -> Vec<(Orientation, u8, u8)> {
    let mut vehicles = board.vehicles().to_vec();
    vehicles.sort_unstable_by_key(|vehicle| (vehicle.orientation, vehicle.line(), vehicle.position()));
    vehicles.iter().map(|vehicle| (vehicle.orientation, vehicle.line(), vehicle.length)).collect()
}

/// Measures the generation of different minimal puzzles. Each one is verified, outside of the measured time.
fn puzzles(shape: Shape, moves: RangeInclusive<u32>, aims: RangeInclusive<u32>, bar: Option<f64>) {
    let mut solver = Solver::new();
    let request = Request { aims, ..Request::new(moves.clone()) };
    let (generated, time) = Clock::Cpu.time(|| {
        let attempt = |index| generate::puzzle(shape, &request, SEED, index, &mut solver, &Limits::default()).puzzle;
        (0..ATTEMPTS).filter_map(attempt).collect::<Vec<GeneratedPuzzle>>()
    });
    let mut different = HashSet::new();
    for GeneratedPuzzle { board, moves: length, states } in &generated {
        let facts = solver.analyze(board, Metric::Moves, &Limits::default());
        assert_eq!((facts.distance, facts.depth, Some(facts.states)), (Some(*length), Some(*length), *states));
        assert_eq!(removable(&mut solver, board, &Limits::default()), Ok(vec![]));
        different.insert((invariants(board), facts.histogram));
    }
    let rate = different.len() as f64 / time.as_secs_f64();
    let (from, to) = moves.into_inner();
    let what = format!("minimal puzzles of {from} to {to} moves");
    match bar {
        Some(bar) => report::bar(&what, rate, Good::AtLeast, bar, "different puzzles per second"),
        None => println!("        {what}: {rate:.1} different puzzles per second"),
    }
}
