//! The paper's observations, and whether our runs confirm them. Every verdict is computed from the numbers of the runs: from the
//! medians over all seeds, and from the runs of each seed alone. An observation that holds for some seeds only may be chance.

use super::{PaperFitness, RunHistory, SetupRuns, quartiles};
use crate::Table;

/// Published best fitness of A and B.
const PUBLISHED: f64 = 353.9;

/// Differences of fitness below this count as equal. A misplaced tile is worth 36, so this is about one tile on one of ten
/// boards.
const TOLERANCE: f64 = 4.0;

/// An observation of the paper.
struct Observation {
    text: &'static str,
    /// Our numbers.
    ours: String,
    agrees: bool,
}

/// Some of the runs of a setup.
struct Sample<'a>(Vec<&'a RunHistory>);

impl Sample<'_> {
    /// Median of a quantity over the runs.
    fn median(&self, of: impl Fn(&RunHistory) -> f64) -> f64 {
        quartiles(self.0.iter().map(|run| of(run)).collect())[1]
    }
}

pub fn table(setups: &[SetupRuns]) -> Table {
    let columns = ["observation", "ours", "agrees", "seeds that agree"];
    let mut table = Table::new("Observations of the paper (medians)", &columns);
    let seeds = setups.first().map_or(0, |setup| setup.runs.len());
    let all: Vec<Sample<'_>> = setups.iter().map(|setup| Sample(setup.runs.iter().collect())).collect();
    let by_seed: Vec<Vec<Observation>> = (0..seeds)
        .map(|seed| observations(&setups.iter().map(|setup| Sample(vec![&setup.runs[seed]])).collect::<Vec<_>>()))
        .collect();
    for (place, Observation { text, ours, agrees }) in observations(&all).into_iter().enumerate() {
        let agreeing = by_seed.iter().filter(|observations| observations[place].agrees).count();
        let agrees = if agrees { "yes" } else { "no" };
        table.rows.push(vec![text.to_owned(), ours, agrees.to_owned(), format!("{agreeing} of {seeds}")]);
    }
    table
}

fn observations(setups: &[Sample<'_>]) -> Vec<Observation> {
    let mut found = Vec::new();
    let [a, b, old, c, d] = setups else { return found };
    let mut check = |text: &'static str, ours: String, agrees: bool| found.push(Observation { text, ours, agrees });
    let best = |runs: &Sample<'_>| runs.median(|run| run.last().best_fitness());
    let fall = |runs: &Sample<'_>| runs.median(|run| run.first().best_fitness() - run.last().best_fitness());
    let near = |one: f64, other: f64| (one - other).abs() < TOLERANCE;

    check(
        "A, B: the best fitness ends at 353.9",
        format!("{:.1}, {:.1}", best(a), best(b)),
        near(best(a), PUBLISHED) && near(best(b), PUBLISHED),
    );
    let solved = || setups.iter().flat_map(|runs| &runs.0).map(|run| run.solved);
    check(
        "no program solves all test puzzles",
        format!("at most {} of 10", solved().max().unwrap_or(0)),
        solved().all(|solved| solved < 10),
    );
    let gap = |run: &RunHistory| run.last().mean_fitness() - run.last().best_fitness();
    check("A: the mean approaches the best", format!("{:.1} above it", a.median(gap)), a.median(gap) < 2.0 * TOLERANCE);
    check("B: 'and' does not help", format!("{:.1} lower than A", best(a) - best(b)), best(a) - best(b) < TOLERANCE);
    check(
        "C: removing the loop changes nothing",
        format!("{:.1} lower than B", best(b) - best(old)),
        near(best(b), best(old)),
    );
    check(
        "C: the new boards change the best fitness",
        format!("{:.1}, not {:.1}", best(c), best(old)),
        !near(best(c), best(old)),
    );
    check(
        "D: the best fitness falls by more than 60",
        format!("by {:.1}; in C by {:.1}", fall(d), fall(c)),
        fall(d) > 60.0,
    );
    check(
        "D: fair crossover is better than that of C",
        format!("{:.1}, not {:.1}", best(d), best(c)),
        best(d) < best(c) - TOLERANCE,
    );
    check(
        "D: the mean falls less than the best",
        format!("{:.1} above it at the end", d.median(gap)),
        d.median(gap) > d.median(|run| run.first().mean_fitness() - run.first().best_fitness()),
    );
    let growth = |runs: &Sample<'_>| runs.median(|run| run.last().mean_size / run.first().mean_size);
    let growths: Vec<f64> = setups.iter().map(growth).collect();
    let listed: Vec<String> = growths.iter().map(|growth| format!("x{growth:.0}")).collect();
    check("E: complexity grows everywhere", listed.join(", "), growths.iter().all(|&growth| growth > 1.0));

    let min = |runs: &Sample<'_>| runs.median(|run| run.least_unique().uniqueness);
    let when = |runs: &Sample<'_>| runs.median(|run| f64::from(run.least_unique().generation));
    let minima: Vec<String> = setups.iter().map(|runs| format!("{:.0} %", 100.0 * min(runs))).collect();
    let falls = |runs: &Sample<'_>| min(runs) < runs.median(|run| run.first().uniqueness);
    check("E: uniqueness falls everywhere", format!("to {}", minima.join(", ")), setups.iter().all(falls));
    let others = setups[..4].iter().map(min).fold(0.0, f64::max);
    check("E: D keeps the highest uniqueness", format!("{:.0} %", 100.0 * min(d)), min(d) > others);
    let mut by_minimum: Vec<&Sample<'_>> = setups.iter().collect();
    by_minimum.sort_by(|one, other| min(one).total_cmp(&min(other)));
    let whens: Vec<f64> = by_minimum.iter().map(|runs| when(runs)).collect();
    let listed: Vec<String> = whens.iter().map(|when| format!("{when:.0}")).collect();
    let falling = whens.windows(2).all(|pair| pair[0] >= pair[1]);
    check(
        "E: the lower the minimum, the later it occurs",
        format!("generations, from the lowest: {}", listed.join(", ")),
        falling,
    );
    found
}
