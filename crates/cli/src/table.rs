//! Tables for people: rows are printed as they come, so the widths are fixed beforehand and a longer entry sticks out.

use crate::quantity;
use clearway_rush::exact::{Analysis, Answer};
use clearway_rush::formats;
use clearway_search::Verdict;
use std::fmt::Write;

/// The longest bar of a histogram.
const BAR: u64 = 40;

/// How wide the column of names is.
const NAME: usize = 12;

/// The line above the rows of solved boards.
pub fn header() -> String {
    format!("{:<NAME$}  {:>5}  {:>5}  {:>12}  {:>8}\n", "name", "moves", "steps", "states", "time")
}

/// The row of one answer. A board without a solution says so behind its row.
pub fn row(name: &str, answer: &Answer) -> String {
    let (moves, steps) = match &answer.solution {
        Some(solution) => (solution.moves().to_string(), solution.steps().to_string()),
        None => ("-".to_owned(), "-".to_owned()),
    };
    let states = quantity::count(answer.counters.expanded);
    let time = quantity::time(answer.time);
    let remark = match answer.verdict {
        Verdict::Solved => String::new(),
        Verdict::Unsolvable => "  unsolvable".to_owned(),
        Verdict::Limit(limit) if answer.lower_bound == 0 => format!("  {limit}"),
        Verdict::Limit(limit) => format!("  {limit}; at least {} needed", answer.lower_bound),
    };
    format!("{name:<NAME$}  {moves:>5}  {steps:>5}  {states:>12}  {time:>8}{remark}\n")
}

/// The facts about all states of a board.
pub fn analysis(analysis: &Analysis) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  {}{} can be reached, {} of them solved",
        if analysis.is_partial { "at least " } else { "" },
        quantity::of(analysis.states, "state"),
        quantity::count(analysis.goals)
    );
    if let Some(limit) = analysis.limit {
        let known = if analysis.is_partial { "these states were seen before" } else { "what is missing is unknown" };
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
