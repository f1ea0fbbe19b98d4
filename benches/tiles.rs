//! Sliding tiles on one thread: the distance table of the 8-puzzle, a pattern database of the 15-puzzle, and the optimal solver
//! on 100 random boards of it.

use clearway_benches::measure::Clock;
use clearway_benches::report::{self, Good};
use clearway_gp::rng;
use clearway_search::{Limits, Verdict};
use clearway_tiles::exact::DistanceTable;
use clearway_tiles::heuristics::PatternDatabase;
use clearway_tiles::optimal::{OptimalAnswer, Solver};
use clearway_tiles::{Board, Puzzle, Size};
use std::hint::black_box;
use std::time::Duration;

const ROUNDS: usize = 15;
const BOARDS: u32 = 100;

fn main() {
    if !report::is_bench_run() {
        return;
    }
    let three = Board::ordered(Size::new(3, 3).expect("a size"));
    let mut times: Vec<Duration> =
        (0..ROUNDS).map(|_| Clock::Cpu.time(|| black_box(DistanceTable::new(black_box(&three)))).1).collect();
    times.sort_unstable();
    let table = times[ROUNDS / 2].as_secs_f64() * 1e3;
    report::bar("all 181,440 distances of the 8-puzzle", table, Good::AtMost, 20.0, "ms");

    let four = Board::ordered(Size::new(4, 4).expect("a size"));
    let build = || PatternDatabase::new(four.size(), 15, &[0, 4, 5, 8, 9, 12], &|| true);
    let (_, time) = Clock::Cpu.time(|| black_box(build()));
    report::bar("a database of six tiles, one of two for the 15-puzzle", time.as_secs_f64(), Good::AtMost, 2.0, "s");

    // The boards of `clearway tiles random --size 4x4 --count 100 --seed 1`.
    let boards: Vec<Board> = (0..BOARDS).map(|index| Board::random(&four, &mut rng::stream(1, 0, index))).collect();
    let mut solver = Solver::new();
    let mut solve = |board: &Board| -> (OptimalAnswer, Duration) {
        let puzzle = Puzzle::new(*board).expect("random boards can be solved");
        let (answer, time) = Clock::Cpu.time(|| solver.solve(&puzzle, &Limits::default()));
        assert_eq!(answer.verdict, Verdict::Solved, "{board}");
        (answer, time)
    };
    // The first board that needs the databases builds them; this is not measured.
    let first = boards.iter().map(|board| solve(board).0).find(|answer| answer.statistics.peak_memory > 0);
    first.expect("a board needs the databases");

    let answers: Vec<(OptimalAnswer, Duration)> = boards.iter().map(&mut solve).collect();
    let count = f64::from(BOARDS);
    let seconds: f64 = answers.iter().map(|(_, time)| time.as_secs_f64()).sum();
    let slowest = answers.iter().map(|(_, time)| time.as_secs_f64()).fold(0.0, f64::max);
    let sum =
        |value: &dyn Fn(&OptimalAnswer) -> u64| answers.iter().map(|(answer, _)| value(answer)).sum::<u64>() as f64;
    let (expanded, generated) = (sum(&|answer| answer.statistics.expanded), sum(&|answer| answer.statistics.generated));
    println!("\n{BOARDS} random boards of the 15-puzzle, one thread, CPU time");
    println!("mean length      {:>12.2}", sum(&|answer| u64::from(answer.lower_bound)) / count);
    println!("mean expanded    {:>12.0}", expanded / count);
    println!("mean generated   {:>12.0}", generated / count);
    println!("slowest          {slowest:>12.4} s");
    println!("expanded         {:>12.1} million per second\n", expanded / seconds / 1e6);
    report::bar("mean time per board", seconds / count, Good::AtMost, 0.2, "s");
}
