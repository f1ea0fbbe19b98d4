//! Measures every estimate over all states of the components of a suite's boards: how often it exceeds the true distance, how
//! near it is, how it correlates, and how long it takes. Prints the tables of `docs/HEURISTICS.md`, which leaves out the features of a path.
//!
//! ```text
//! cargo run --release -p clearway-rush --example heuristics [SUITE [moves|steps]]
//! ```

use clearway_rush::heuristics::{ALL, HeuristicContext, Perfect, Role};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, RushDomain, RushMove, RushState};
use clearway_search::{Domain, Limits, Node};
use std::time::Instant;

/// The features of a path, which no state has by itself.
const OF_PATH: [&str; 9] = [
    "move-freed",
    "is-releasing-move",
    "is-move-to-secluded",
    "is-preferred-move",
    "is-first-move",
    "g",
    "phase-by-distance",
    "phase-by-blockers",
    "number-of-siblings",
];

/// What is known about one estimate, summed over boards.
#[derive(Clone, Copy, Default)]
struct Sums {
    boards: u32,
    states: u64,
    over: u64,
    most_over: f64,
    ratio: f64,
    /// One correlation for each board on which both numbers vary.
    correlation: f64,
    correlated: u32,
    build_seconds: f64,
    nanoseconds: f64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "cards".to_string());
    let metric = match arguments.next().as_deref() {
        None | Some("moves") => Metric::Moves,
        Some("steps") => Metric::Steps,
        Some(other) => return eprintln!("'{other}' is not a metric: moves or steps"),
    };
    let Some(suite) = Suite::find(&name) else { return eprintln!("there is no suite '{name}'") };
    let mut sums = vec![Sums::default(); ALL.len()];
    for puzzle in suite.puzzles() {
        let measured = match puzzle.board.vehicles().len() {
            0..=16 => measure::<1>(&puzzle.board, metric, &mut sums),
            17..=32 => measure::<2>(&puzzle.board, metric, &mut sums),
            _ => measure::<8>(&puzzle.board, metric, &mut sums),
        };
        if !measured {
            eprintln!("{}: left out, its component is too large", puzzle.name.as_deref().unwrap_or("a board"));
        }
    }
    println!("| heuristic | states above h* | most above | mean h/h* | correlation | ns | build, ms per board |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (info, sums) in ALL.iter().zip(sums) {
        let states = sums.states as f64;
        let over = if info.role == Role::Estimate {
            let percent = 100.0 * sums.over as f64 / states;
            let few = if sums.over > 0 && percent < 0.01 { "< 0.01".to_string() } else { format!("{percent:.2}") };
            format!("{few} % | {:.0} | {:.2}", sums.most_over, sums.ratio / states)
        } else {
            "- | - | -".to_string()
        };
        let correlation = if sums.correlated == 0 || OF_PATH.contains(&info.name) {
            "-".to_string()
        } else {
            format!("{:.2}", sums.correlation / f64::from(sums.correlated))
        };
        println!(
            "| `{}` | {over} | {correlation} | {:.0} | {:.1} |",
            info.name,
            sums.nanoseconds / states,
            1000.0 * sums.build_seconds / f64::from(sums.boards)
        );
    }
}

/// Adds one board; false if its component is too large.
fn measure<const N: usize>(board: &Board, metric: Metric, sums: &mut [Sums]) -> bool {
    let Some(domain) = RushDomain::<N>::new(board, metric) else { return false };
    let context = HeuristicContext {
        limits: Limits { memory: Some(1 << 30), ..Limits::default() },
        ..HeuristicContext::default()
    };
    let Ok(perfect) = Perfect::new(&domain, &context) else { return false };
    let mut keys: Vec<_> = perfect.keys().filter(|&key| perfect.distance(key).is_some_and(|d| d > 0.0)).collect();
    keys.sort_unstable();
    let states: Vec<RushState<N>> = keys.iter().map(|&key| domain.state(key)).collect();
    // Every state as if it had just been reached by some move, for the features that look at the last one.
    let lasts: Vec<Option<RushMove>> = (states.iter())
        .map(|state| {
            let mut moves = Vec::new();
            domain.moves(state, &mut moves);
            moves.last().map(|mv| RushMove { cells: -mv.cells, ..*mv })
        })
        .collect();
    let exact: Vec<f64> = keys.iter().filter_map(|&key| perfect.distance(key)).collect();
    for (info, sums) in ALL.iter().zip(sums) {
        let started = Instant::now();
        let Ok(mut heuristic) = info.build(&domain, &context) else { continue };
        sums.build_seconds += started.elapsed().as_secs_f64();
        let started = Instant::now();
        let estimates: Vec<f64> = (states.iter().zip(&lasts))
            .map(|(state, &last)| heuristic.estimate(&domain, &Node { state, g: 1, last, siblings: 1 }))
            .collect();
        sums.nanoseconds += started.elapsed().as_nanos() as f64;
        sums.boards += 1;
        sums.states += states.len() as u64;
        for (estimate, exact) in estimates.iter().zip(&exact) {
            sums.over += u64::from(estimate > exact);
            sums.most_over = sums.most_over.max(estimate - exact);
            sums.ratio += estimate / exact;
        }
        if let Some(correlation) = correlation(&estimates, &exact) {
            sums.correlation += correlation;
            sums.correlated += 1;
        }
    }
    true
}

/// Pearson's correlation; none if one of the two does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |f: fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| f(a - mean_a, b - mean_b)).sum::<f64>();
    let (together, alone) = (sum(|a, b| a * b), sum(|a, _| a * a) * sum(|_, b| b * b));
    (alone > 0.0).then(|| together / alone.sqrt())
}
