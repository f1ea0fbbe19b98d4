//! The generators on one thread: random boards decided a second, and minimal puzzles made a second.

use clearway_benches::measure::Clock;
use clearway_benches::report::{self, Good};
use clearway_forge::backward::{self, Request};
use clearway_forge::minimal::removable;
use clearway_forge::random::{self, Fleet};
use clearway_forge::{Puzzle, Shape, rng};
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
    let shape = Shape::new(6, 6, Side::Right, None, 0).expect("6x6 is a shape");
    println!("one thread, CPU time, 6x6\n");
    random_boards(shape);
    puzzles(shape, 20..=51, 20..=20, Some(20.0));
    puzzles(shape, 30..=40, 30..=40, None);
}

/// Random boards of 9 cars, the target among them, and 4 trucks: each solved, or proven unsolvable.
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
    report::bar(&what, rate, Good::AtLeast, 25_000.0, "boards a second");
}

/// What all states of a component have in common: the lengths of the vehicles in each line, in their order. Two
/// components may share it, so that puzzles told apart by it are different, whichever of its states stands for each.
fn makeup(board: &Board) -> Vec<(Orientation, u8, u8)> {
    let mut vehicles = board.vehicles().to_vec();
    vehicles.sort_unstable_by_key(|vehicle| (vehicle.orientation, vehicle.line(), vehicle.position()));
    vehicles.iter().map(|vehicle| (vehicle.orientation, vehicle.line(), vehicle.length)).collect()
}

/// Different minimal puzzles; every one is checked, outside of the time that counts.
fn puzzles(shape: Shape, moves: RangeInclusive<u32>, aims: RangeInclusive<u32>, bar: Option<f64>) {
    let mut solver = Solver::new();
    let request = Request { aims, ..Request::new(moves.clone()) };
    let (made, time) = Clock::Cpu.time(|| {
        let attempt = |index| backward::puzzle(shape, &request, SEED, index, &mut solver, &Limits::default()).puzzle;
        (0..ATTEMPTS).filter_map(attempt).collect::<Vec<Puzzle>>()
    });
    let mut different = HashSet::new();
    for Puzzle { board, moves: length, states } in &made {
        let facts = solver.analyze(board, Metric::Moves, &Limits::default());
        assert_eq!((facts.distance, facts.depth, facts.states), (Some(*length), Some(*length), *states));
        assert_eq!(removable(&mut solver, board, &Limits::default()), Ok(vec![]));
        different.insert((makeup(board), facts.histogram));
    }
    let rate = different.len() as f64 / time.as_secs_f64();
    let (from, to) = moves.into_inner();
    let what = format!("minimal puzzles of {from} to {to} moves");
    match bar {
        Some(bar) => report::bar(&what, rate, Good::AtLeast, bar, "different ones a second"),
        None => println!("        {what}: {rate:.1} different ones a second"),
    }
}
