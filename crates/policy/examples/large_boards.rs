//! Measures best-first search with policies on large boards, on one thread and in CPU time: how many states it expands in a second,
//! how many boards it solves, how long the plans are, and how long it takes relative to the first plan of the portfolio. Prints a
//! line per board and, for each set of boards, a row of the table in `docs/RESULTS.md`.
//!
//! ```text
//! cargo run --profile dist -p clearway-policy --example large_boards -- SECONDS BOARDS SEARCH...
//! cargo run --profile dist -p clearway-policy --example large_boards -- 10 test-10x10,test-12x12,test-14x14 portfolio any-size
//! cargo run --profile dist -p clearway-policy --example large_boards -- 10 10x10 'best-first-8x8 wastar(policy, weight=1)'
//! ```
//!
//! BOARDS are suites, or sizes of boards of the suite `large`. A SEARCH is `portfolio`, a policy to use in its own search, a policy
//! followed by a space and a search, or an expression such as `wastar(relaxed-plan, weight=3)`. Searches after `portfolio` are
//! compared with its first plan.

use clearway_policy::training::PolicySearch;
use clearway_policy::{NamedPolicy, Policy, PolicyHeuristic};
use clearway_rush::formats::Puzzle;
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Portfolio, RushDomain, Solver, StopRule, replay};
use clearway_search::{Limits, SearchStatistics, Verdict};
use clearway_util::median::median;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// Memory of one search, in bytes.
const MEMORY: usize = 3 << 30;
/// Steps between two looks at the clock.
const BATCH: u32 = 256;

/// What to measure.
enum Contestant {
    /// The first plan of the portfolio.
    Portfolio,
    /// A policy in a search.
    Policy(Arc<Policy>, PolicySearch),
}

impl Contestant {
    fn parse(text: &str) -> Result<Contestant, Box<dyn Error>> {
        if text == "portfolio" {
            return Ok(Contestant::Portfolio);
        }
        let (name, search) = text.split_once(' ').map_or((text, None), |(name, search)| (name, Some(search)));
        let named = NamedPolicy::open(name)?;
        let search = match search {
            Some(search) => search.parse()?,
            None => named.policy.search.as_deref().ok_or("the policy has no search of its own")?.parse()?,
        };
        Ok(Contestant::Policy(named.policy, search))
    }

    fn measure(&self, board: &Board, seconds: f64) -> Result<Measured, Box<dyn Error>> {
        match self {
            Contestant::Portfolio => first_plan(board, seconds),
            Contestant::Policy(policy, search) => {
                let measure = match board.vehicles().len() {
                    0..=32 => measure::<2>,
                    33..=64 => measure::<4>,
                    _ => measure::<8>,
                };
                measure(board, policy, search, seconds)
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, sets, searches @ ..] = &arguments[..] else {
        return Err("expected SECONDS BOARDS SEARCH...".into());
    };
    let seconds = seconds.parse::<f64>()?;
    let mut first_plans: HashMap<String, f64> = HashMap::new();
    for text in searches {
        let contestant = Contestant::parse(text)?;
        let mut total = Sum::default();
        for set in sets.split(',') {
            let mut sum = Sum::default();
            for puzzle in boards(set)? {
                let name = puzzle.name.clone().unwrap_or_default();
                let one = contestant.measure(&puzzle.board, seconds)?;
                println!("{text}\t{name}\t{one}");
                if let (Contestant::Portfolio, Ok(_)) = (&contestant, one.result) {
                    first_plans.insert(name.clone(), one.seconds);
                }
                for sum in [&mut sum, &mut total] {
                    sum.add(&puzzle, &one, first_plans.get(&name).copied());
                }
            }
            println!("{text}\t{set}\t{sum}");
        }
        println!("{text}\tall\t{total}");
    }
    Ok(())
}

/// Returns the boards of a suite, or those of a size of the suite `large`.
fn boards(set: &str) -> Result<Vec<Puzzle>, Box<dyn Error>> {
    if let Some(suite) = Suite::find(set) {
        return Ok(suite.puzzles());
    }
    let prefix = format!("{set}-");
    let named = |puzzle: &&Puzzle| puzzle.name.as_deref().is_some_and(|name| name.starts_with(&prefix));
    let large = Suite::find("large").ok_or("no suite 'large'")?.puzzles();
    let found: Vec<Puzzle> = large.iter().filter(named).cloned().collect();
    if found.is_empty() { Err(format!("no boards '{set}'").into()) } else { Ok(found) }
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
        write!(f, "{result}\t{expanded} expanded\t{evaluated} evaluated\t{seconds:.4} s\t{rate:.0} expanded/s")
    }
}

/// Measures the first plan of the portfolio.
fn first_plan(board: &Board, seconds: f64) -> Result<Measured, Box<dyn Error>> {
    let started = cpu_seconds()?;
    let portfolio = Portfolio { stop: StopRule::First, ..Portfolio::default() };
    // The limit applies to wall-clock time, which may pass faster.
    let limits =
        Limits { time: Some(Duration::from_secs_f64(3.0 * seconds)), memory: Some(MEMORY), ..Limits::default() };
    let answer = portfolio.solve(&mut Solver::new(), board, Metric::Moves, &limits, &mut |_| {});
    let used = cpu_seconds()? - started;
    let result = answer.solution.filter(|_| used <= seconds).map(|solution| solution.0.len()).ok_or("time");
    Ok(Measured { result, statistics: answer.statistics, seconds: used })
}

fn measure<const N: usize>(
    board: &Board,
    policy: &Policy,
    search: &PolicySearch,
    seconds: f64,
) -> Result<Measured, Box<dyn Error>> {
    let started = cpu_seconds()?;
    let domain = RushDomain::<N>::new(board, Metric::Moves).ok_or("too many vehicles")?;
    let heuristic = PolicyHeuristic::new(policy, &domain, &HeuristicContext::default())?;
    let mut search = search.algorithm().start(&domain, Some(heuristic)).ok_or("not a search of this crate")?;
    let end = loop {
        match (0..BATCH).find_map(|_| search.step()) {
            Some(Verdict::Solved) => break "solved",
            Some(_) => break "unsolvable",
            None if search.memory_usage_soon() > MEMORY => break "memory",
            None if cpu_seconds()? - started > seconds => break "time",
            None => {}
        }
    };
    let seconds = cpu_seconds()? - started;
    let result = search.solution().map(|moves| {
        let replayed = replay(board, &domain.solution(&moves).0);
        assert!(replayed.is_ok_and(|replay| replay.solved), "the plan fails its replay");
        moves.len()
    });
    Ok(Measured { result: result.ok_or(end), statistics: search.statistics(), seconds })
}

/// CPU time of this thread, from Linux.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("no CPU time")?.parse::<u64>()?;
    Ok(nanoseconds as f64 / 1e9)
}

/// Totals of one search over a set of boards.
#[derive(Default)]
struct Sum {
    boards: u32,
    expanded: u64,
    evaluated: u64,
    seconds: f64,
    /// Lengths of the plans, relative to the best known.
    lengths: Vec<f64>,
    /// Times of all searches in seconds.
    times: Vec<f64>,
    /// Times relative to the first plan of the portfolio; infinite without a plan.
    time_ratios: Vec<f64>,
}

impl Sum {
    fn add(&mut self, puzzle: &Puzzle, one: &Measured, first_plan: Option<f64>) {
        self.boards += 1;
        self.expanded += one.statistics.expanded;
        self.evaluated += one.statistics.evaluated;
        self.seconds += one.seconds;
        self.times.push(one.seconds);
        if let (Ok(length), Some(best)) = (one.result, puzzle.moves) {
            self.lengths.push(length as f64 / f64::from(best.value()));
        }
        if let Some(first_plan) = first_plan {
            self.time_ratios.push(if one.result.is_ok() { one.seconds / first_plan } else { f64::INFINITY });
        }
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Sum { boards, expanded, evaluated, seconds, lengths, times, time_ratios } = self;
        let (solved, length) = (lengths.len(), lengths.iter().sum::<f64>() / lengths.len() as f64);
        let (rate, rate_evaluated) = (*expanded as f64 / seconds, *evaluated as f64 / seconds);
        write!(
            f,
            "{solved} of {boards} solved\tlength/best {length:.3}\tmedian {:.4} s",
            median(&mut times.clone()).unwrap_or_default()
        )?;
        if let Some(ratio) = median(&mut time_ratios.clone()) {
            write!(f, "\ttime/portfolio {ratio:.2}")?;
        }
        write!(f, "\t{expanded} expanded in {seconds:.1} s: {rate:.0}/s\t{rate_evaluated:.0} evaluated/s")
    }
}
