//! The portfolio compared with the exact solver on small boards, one thread, in one run: it must be no slower.

use clearway_benches::measure::{Clock, Field};
use clearway_benches::report::{self, Good};
use clearway_rush::Portfolio;
use clearway_rush::suites::Suite;

const ROUNDS: usize = 5;
/// Maximum ratio of the mean times. The last percents are noise.
const BAR: f64 = 1.03;

fn main() -> std::io::Result<()> {
    if !report::is_bench_run() {
        return Ok(());
    }
    let hard = Suite::find("hard-8x8").expect("the suite is embedded").puzzles();
    let mut field = Field::default();
    let groups = [("list, 1 to 51 moves", clearway_benches::list()?), ("hard-8x8", hard)].map(|(name, boards)| {
        let exact = field.add(boards.iter().cloned());
        (name, exact, field.add_for(Some(Portfolio::default()), boards))
    });
    field.run(ROUNDS, Clock::Cpu);

    println!("one thread, boards interleaved, path included, CPU time, median of {ROUNDS} rounds\n");
    report::header();
    for (name, exact, portfolio) in groups {
        let [exact, portfolio] = [exact, portfolio].map(|group| field.summary(group));
        report::row(&format!("{name}, exact"), &exact);
        report::row(&format!("{name}, portfolio"), &portfolio);
        assert_eq!(exact.expanded, portfolio.expanded, "both expand the same states");
        report::bar(name, portfolio.mean_us / exact.mean_us, Good::AtMost, BAR, "times as long");
    }
    Ok(())
}
