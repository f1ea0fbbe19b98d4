//! Tables for the terminal. Rows are printed as results arrive, so the column widths are fixed and longer entries overflow.

use crate::quantity;
use clearway_answers::SolveOutcome;
use clearway_rush::exact::Analysis;
use clearway_rush::{Metric, formats};
use clearway_search::Verdict;
use std::fmt::Write;

/// Width of the longest bar of a histogram, in characters.
const BAR: u64 = 40;

/// Width of the column of names, in characters.
const NAME: usize = 12;

/// Formats the header of the table of solved boards.
pub fn header() -> String {
    format!("{:<NAME$}  {:>5}  {:>5}  {:>12}  {:>8}\n", "name", "moves", "steps", "states", "time")
}

/// Formats the row of a board that was solved in a metric. The reason for a missing solution, or for one that is not proven optimal, is appended.
pub fn row(name: &str, metric: Metric, outcome: &SolveOutcome) -> String {
    let answer = &outcome.answer;
    let (moves, steps) = match &answer.solution {
        Some(solution) => (solution.moves().to_string(), solution.steps().to_string()),
        None => ("-".to_owned(), "-".to_owned()),
    };
    let states = quantity::count(answer.statistics.expanded);
    let time = quantity::time(answer.time);
    let bound = quantity::length(answer.lower_bound, metric);
    let remark = match answer.verdict {
        Verdict::Solved if outcome.optimal => String::new(),
        Verdict::Solved => format!("  not proven optimal; at least {bound} needed"),
        Verdict::Unsolvable => "  unsolvable".to_owned(),
        Verdict::Limit(limit) if answer.lower_bound == 0 => format!("  {limit}"),
        Verdict::Limit(limit) => format!("  {limit}; at least {bound} needed"),
    };
    format!("{name:<NAME$}  {moves:>5}  {steps:>5}  {states:>12}  {time:>8}{remark}\n")
}

/// Formats the analysis of all reachable states of a board.
pub fn analysis(analysis: &Analysis) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  {}{} reachable, {} of them solved",
        if analysis.is_partial { "at least " } else { "" },
        quantity::plural(analysis.states, "state"),
        quantity::count(analysis.goals)
    );
    if let Some(limit) = analysis.limit {
        let known = if analysis.is_partial { "the counts are incomplete" } else { "the remaining facts are unknown" };
        let _ = writeln!(text, "  {limit}: {known}");
    }
    if let Some((farthest, depth)) = analysis.farthest.as_ref().zip(analysis.depth) {
        let _ = writeln!(text, "  farthest from a solved state: {depth} away, {}", formats::line(farthest));
    }
    if let Some(count) = analysis.optimal_solutions.filter(|_| analysis.distance.is_some()) {
        let at_least = if analysis.is_saturated() { "at least " } else { "" };
        let _ = writeln!(text, "  different shortest solutions: {at_least}{}", quantity::count(count));
    }
    if !analysis.histogram.is_empty() {
        let _ = writeln!(text, "  distance        states");
    }
    let most = analysis.histogram.iter().copied().max().unwrap_or(0).max(1);
    for (distance, &states) in analysis.histogram.iter().enumerate() {
        let bar = "#".repeat((u128::from(states) * u128::from(BAR)).div_ceil(u128::from(most)) as usize);
        let _ = writeln!(text, "  {distance:>8}  {:>12}  {bar}", quantity::count(states));
    }
    text
}
