//! The cost of one evaluation of each heuristic that needs no table of states, on one thread.

use clearway_benches::measure::Clock;
use clearway_benches::random::Random;
use clearway_benches::report;
use clearway_rush::formats::KnownLength;
use clearway_rush::heuristics::{ALL, BoxedHeuristic, HeuristicContext};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, RushDomain, RushMove, RushState};
use clearway_search::{Domain, Node};
use std::hint::black_box;

const ROUNDS: usize = 15;
const BOARDS: usize = 40;
const STATES: usize = 500;
/// Heuristics built from all states of a component or of an abstraction of it, which are not measured.
const TABLES: [&str; 2] = ["perfect", "pattern-database"];

fn main() {
    if !report::is_bench_run() {
        return;
    }
    println!("one thread, CPU time, nanoseconds per evaluation: median of {ROUNDS} rounds");
    println!("{BOARDS} boards of each size, {STATES} states of a random walk on each\n");
    let mut columns = Vec::new();
    for (suite, least) in [("catalogue-sample", 10), ("train-8x8", 20)] {
        let puzzles = Suite::find(suite).expect("the suite is embedded").puzzles();
        let is_hard = |moves| matches!(moves, Some(KnownLength::Exactly(moves)) if moves >= least);
        let boards: Vec<Board> = puzzles.into_iter().filter(|p| is_hard(p.moves)).map(|p| p.board).collect();
        let step = boards.len() / BOARDS;
        let boards = boards.iter().step_by(step).take(BOARDS);
        let mut sums = vec![Vec::new(); ALL.len()];
        for (index, board) in boards.enumerate() {
            match board.vehicles().len() {
                0..=16 => measure::<1>(board, index as u64, &mut sums),
                _ => measure::<2>(board, index as u64, &mut sums),
            }
        }
        columns.push(sums);
    }
    println!("{:<22} {:>7} {:>7}", "", "6x6", "8x8");
    for (i, info) in ALL.iter().enumerate().filter(|(_, info)| !TABLES.contains(&info.name)) {
        let [small, large] = [0, 1].map(|size: usize| {
            let times: &Vec<f64> = &columns[size][i];
            times.iter().sum::<f64>() / times.len() as f64
        });
        println!("{:<22} {small:>7.1} {large:>7.1}", info.name);
    }
}

/// Measures the nanoseconds per state that each heuristic takes on a board, and adds them to `sums`.
fn measure<const N: usize>(board: &Board, index: u64, sums: &mut [Vec<f64>]) {
    let domain = RushDomain::<N>::new(board, Metric::Moves).expect("the board is small");
    let mut random = Random::new(1, index);
    let (mut state, mut moves, mut walk) = (domain.start(), Vec::new(), Vec::new());
    while walk.len() < STATES {
        moves.clear();
        domain.moves(&state, &mut moves);
        let last = moves[random.below(moves.len())];
        domain.apply(&mut state, last);
        if !domain.is_goal(&state) {
            walk.push((state, last));
        }
    }
    random.shuffle(&mut walk);
    for (info, sums) in ALL.iter().zip(sums).filter(|(info, _)| !TABLES.contains(&info.name)) {
        let mut heuristic = info.build(&domain, &HeuristicContext::default()).expect("the heuristic needs no table");
        let mut times: Vec<f64> = (0..ROUNDS).map(|_| round(&domain, &mut heuristic, &walk)).collect();
        times.sort_by(f64::total_cmp);
        sums.push(times[ROUNDS / 2]);
    }
}

/// Evaluates all states, and returns the nanoseconds per state.
fn round<const N: usize>(
    domain: &RushDomain<N>,
    heuristic: &mut BoxedHeuristic<N>,
    states: &[(RushState<N>, RushMove)],
) -> f64 {
    let ((), time) = Clock::Cpu.time(|| {
        for (state, last) in states {
            let node = Node { state: black_box(state), g: 1, last: Some(*last), siblings: 1 };
            black_box(heuristic.estimate(domain, &node));
        }
    });
    time.as_nanos() as f64 / states.len() as f64
}
