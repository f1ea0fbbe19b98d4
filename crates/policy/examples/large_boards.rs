//! Measures best-first search with a policy on the boards of the suite `large`, on one thread and in CPU time: how many states it
//! expands in a second, and how many boards it solves. Prints a line per board and, for each size, a row of the table in
//! `docs/RESULTS.md`.
//!
//! ```text
//! cargo run --release -p clearway-policy --example large_boards -- POLICY SECONDS SIZES [SEARCH...]
//! cargo run --release -p clearway-policy --example large_boards -- best-first-8x8 10 10x10,12x12,14x14 'wastar(policy, weight=1)'
//! ```

use clearway_policy::training::PolicySearch;
use clearway_policy::{NamedPolicy, Policy, PolicyHeuristic};
use clearway_rush::formats::Puzzle;
use clearway_rush::heuristics::Context;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, RushDomain, replay};
use clearway_search::{SearchStatistics, Verdict};

/// Memory of one search, in bytes.
const MEMORY: usize = 3 << 30;
/// Steps between two looks at the clock.
const BATCH: u32 = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [policy, seconds, sizes, searches @ ..] = &arguments[..] else {
        return Err("expected POLICY SECONDS SIZES [SEARCH...]".into());
    };
    let (policy, seconds) = (NamedPolicy::open(policy)?.policy, seconds.parse::<f64>()?);
    let default = vec!["wastar(policy, weight=1)".to_owned()];
    let boards = Suite::find("large").ok_or("no suite 'large'")?.puzzles();
    for text in if searches.is_empty() { &default } else { searches } {
        let search: PolicySearch = text.parse()?;
        for size in sizes.split(',') {
            let prefix = format!("{size}-");
            let named = |puzzle: &&Puzzle| puzzle.name.as_deref().is_some_and(|name| name.starts_with(&prefix));
            let mut sum = Sum::default();
            for puzzle in boards.iter().filter(named) {
                let run = match puzzle.board.vehicles().len() {
                    0..=32 => measure::<2>,
                    33..=64 => measure::<4>,
                    _ => measure::<8>,
                };
                let one = run(&puzzle.board, &policy, &search, seconds)?;
                sum.add(puzzle, &one);
                println!("{search}\t{}\t{one}", puzzle.name.as_deref().unwrap_or_default());
            }
            println!("{search}\t{size}\t{sum}");
        }
    }
    Ok(())
}

/// The result of one search.
struct Measured {
    /// Length of the plan, or the reason why there is none.
    result: Result<usize, &'static str>,
    statistics: SearchStatistics,
    seconds: f64,
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Measured { result, statistics: SearchStatistics { expanded, evaluated, .. }, seconds } = self;
        let result = result.map_or_else(str::to_owned, |length| length.to_string());
        let rate = *expanded as f64 / seconds;
        write!(f, "{result}\t{expanded} expanded\t{evaluated} evaluated\t{seconds:.2} s\t{rate:.0} expanded/s")
    }
}

fn measure<const N: usize>(
    board: &Board,
    policy: &Policy,
    search: &PolicySearch,
    seconds: f64,
) -> Result<Measured, Box<dyn std::error::Error>> {
    let started = cpu_seconds()?;
    let domain = RushDomain::<N>::new(board, Metric::Moves).ok_or("too many vehicles")?;
    let heuristic = PolicyHeuristic::new(policy, &domain, &Context::default())?;
    let mut search = search.algorithm().start(&domain, Some(heuristic)).ok_or("not a search of this crate")?;
    let result = loop {
        match (0..BATCH).find_map(|_| search.step()) {
            Some(Verdict::Solved) => {
                let moves = search.solution().unwrap_or_default();
                let replayed = replay(board, &domain.solution(&moves).0);
                assert!(replayed.is_ok_and(|replay| replay.solved), "the plan fails its replay");
                break Ok(moves.len());
            }
            Some(_) => break Err("unsolvable"),
            None if search.memory_usage_soon() > MEMORY => break Err("memory"),
            None if cpu_seconds()? - started > seconds => break Err("time"),
            None => {}
        }
    };
    Ok(Measured { result, statistics: search.statistics(), seconds: cpu_seconds()? - started })
}

/// CPU time of this thread, from Linux.
fn cpu_seconds() -> Result<f64, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("no CPU time")?.parse::<u64>()?;
    Ok(nanoseconds as f64 / 1e9)
}

/// Totals of one search over the boards of one size.
#[derive(Default)]
struct Sum {
    boards: u32,
    solved: u32,
    expanded: u64,
    evaluated: u64,
    seconds: f64,
    /// Sum of the lengths of the plans, relative to the best known.
    length_ratios: f64,
}

impl Sum {
    fn add(&mut self, puzzle: &Puzzle, one: &Measured) {
        self.boards += 1;
        self.expanded += one.statistics.expanded;
        self.evaluated += one.statistics.evaluated;
        self.seconds += one.seconds;
        if let (Ok(length), Some(best)) = (one.result, puzzle.moves) {
            self.solved += 1;
            self.length_ratios += length as f64 / f64::from(best.value());
        }
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Sum { boards, solved, expanded, evaluated, seconds, length_ratios } = self;
        let (length, rate) = (length_ratios / f64::from(*solved), *expanded as f64 / seconds);
        let rate_evaluated = *evaluated as f64 / seconds;
        write!(
            f,
            "{solved} of {boards} solved\tlength/best {length:.2}\t{expanded} expanded in {seconds:.1} s: {rate:.0}/s\t\
             {rate_evaluated:.0} evaluated/s"
        )
    }
}
