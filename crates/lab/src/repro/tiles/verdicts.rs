//! What the paper saw, and whether our runs show it too: every answer comes from their numbers.

use super::{Fitness, History, Outcome};
use crate::Table;

/// The paper's best fitness in A and B.
const PUBLISHED: f64 = 353.9;

/// Fitness within so much of another counts as the same: a tile that is in its place or not is worth 36, so among ten
/// boards this is about one tile.
const SAME: f64 = 4.0;

pub fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new("What the paper saw (medians)", &["observation", "ours", "agrees"]);
    let [a, b, old, c, d] = outcomes else { return table };
    let mut say = |observation: &str, ours: String, agrees: bool| {
        let agrees = if agrees { "yes" } else { "no" };
        table.rows.push(vec![observation.to_owned(), ours, agrees.to_owned()]);
    };
    let best = |outcome: &Outcome| outcome.median(|run| run.last().best_fitness());
    let fall = |outcome: &Outcome| outcome.median(|run| run.first().best_fitness() - run.last().best_fitness());
    let near = |one: f64, other: f64| (one - other).abs() < SAME;

    say(
        "A, B: the best fitness ends at 353.9",
        format!("{:.1}, {:.1}", best(a), best(b)),
        near(best(a), PUBLISHED) && near(best(b), PUBLISHED),
    );
    let solved = || outcomes.iter().flat_map(|outcome| &outcome.runs).map(|run| run.solved);
    say(
        "no program solves all test puzzles",
        format!("at most {} of 10", solved().max().unwrap_or(0)),
        solved().all(|solved| solved < 10),
    );
    let gap = |run: &History| run.last().mean_fitness() - run.last().best_fitness();
    say("A: the mean comes to the best", format!("{:.1} above it", a.median(gap)), a.median(gap) < 2.0 * SAME);
    say("B: and does not help", format!("{:.1} lower than A", best(a) - best(b)), best(a) - best(b) < SAME);
    say(
        "C: without the loop nothing changes",
        format!("{:.1} lower than B", best(b) - best(old)),
        near(best(b), best(old)),
    );
    say("C: other boards, another best", format!("{:.1}, not {:.1}", best(c), best(old)), !near(best(c), best(old)));
    say(
        "D: the best fitness falls by more than 60",
        format!("by {:.1}; in C by {:.1}", fall(d), fall(c)),
        fall(d) > 60.0,
    );
    say(
        "D: fair crossover beats the descent of C",
        format!("{:.1}, not {:.1}", best(d), best(c)),
        best(d) < best(c) - SAME,
    );
    say(
        "D: the mean falls less than the best",
        format!("{:.1} above it at the end", d.median(gap)),
        d.median(gap) > d.median(|run| run.first().mean_fitness() - run.first().best_fitness()),
    );
    let growth = |outcome: &Outcome| outcome.median(|run| run.last().mean_size / run.first().mean_size);
    let growths: Vec<f64> = outcomes.iter().map(growth).collect();
    let listed: Vec<String> = growths.iter().map(|growth| format!("x{growth:.0}")).collect();
    say("E: complexity grows everywhere", listed.join(", "), growths.iter().all(|&growth| growth > 1.0));

    let least = |outcome: &Outcome| outcome.median(|run| run.least_unique().uniqueness);
    let when = |outcome: &Outcome| outcome.median(|run| f64::from(run.least_unique().generation));
    let leasts: Vec<String> = outcomes.iter().map(|outcome| format!("{:.0} %", 100.0 * least(outcome))).collect();
    let falls = |outcome: &Outcome| least(outcome) < outcome.median(|run| run.first().uniqueness);
    say("E: uniqueness falls everywhere", format!("to {}", leasts.join(", ")), outcomes.iter().all(falls));
    let others = outcomes[..4].iter().map(least).fold(0.0, f64::max);
    say("E: D keeps the highest uniqueness", format!("{:.0} %", 100.0 * least(d)), least(d) > others);
    let mut by_least: Vec<&Outcome> = outcomes.iter().collect();
    by_least.sort_by(|one, other| least(one).total_cmp(&least(other)));
    let whens: Vec<f64> = by_least.iter().map(|outcome| when(outcome)).collect();
    let listed: Vec<String> = whens.iter().map(|when| format!("{when:.0}")).collect();
    let falling = whens.windows(2).all(|pair| pair[0] >= pair[1]);
    say("E: the lower its least, the later", format!("from the lowest: {}", listed.join(", ")), falling);
    table
}
