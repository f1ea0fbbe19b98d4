//! Formats grades: a row of a table, a card, or a line of CSV.

use crate::quantity;
use clearway_answers::records::GradeRecord;
use clearway_forge::grade::{DataRange, Grade, Graded, HumanTime, NodeCount, Status};
use clearway_rush::formats::ansi;
use clearway_rush::{Board, Metric};
use clearway_util::text::csv_field;
use std::fmt::Write;

/// Width of the column of names, in characters.
const NAME: usize = 12;
/// Width of the column of predicted times.
const TIME: usize = 27;

/// Formats the header of the table.
pub fn header() -> String {
    format!(
        "{:<NAME$}  {:<12}  {:>5}  {:>5}  {:>9}  {:>5}  {:>8}  {:>TIME$}  {:>10}  {:>10}\n",
        "name", "level", "moves", "steps", "states", "depth", "vehicles", "time", "id", "bfs"
    )
}

/// Placeholder for an unknown value.
const UNKNOWN: &str = "-";

fn or_unknown<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), text)
}

/// Formats the row of a board, followed by remarks.
pub fn row(name: &str, grade: &Grade) -> String {
    let level = grade.level.map_or(UNKNOWN, |level| level.as_str());
    let number = |n: Option<u32>| or_unknown(n, |n| n.to_string());
    let states = or_unknown(grade.states, quantity::count);
    let vehicles = or_unknown(grade.vehicles_moved, decimal);
    let time = or_unknown(grade.human.as_ref(), HumanTime::to_string);
    let [id, bfs] = [grade.machine.map(|machine| machine.id), grade.machine.map(|machine| machine.bfs)]
        .map(|nodes| or_unknown(nodes, |nodes| format!("{}{}", if nodes.at_least { ">" } else { "" }, count(nodes))));
    let mut text = format!("{name:<NAME$}  {level:<12}  {:>5}  {:>5}", number(grade.moves), number(grade.steps));
    // Writing to a string cannot fail.
    let _ =
        write!(text, "  {states:>9}  {:>5}  {vehicles:>8}  {time:>TIME$}  {id:>10}  {bfs:>10}", number(grade.depth));
    for remark in remarks(grade) {
        let _ = write!(text, "  {remark}");
    }
    text + "\n"
}

fn remarks(grade: &Grade) -> Vec<String> {
    let mut remarks = Vec::new();
    if grade.status == Status::Unsolvable {
        remarks.push("unsolvable".to_owned());
    } else if grade.moves == Some(0) {
        remarks.push("already solved".to_owned());
    }
    remarks.extend(grade.removable.as_ref().filter(|labels| !labels.is_empty()).map(|labels| {
        let labels: Vec<String> = labels.iter().map(char::to_string).collect();
        format!("removable: {}", labels.join(" "))
    }));
    remarks.extend(grade.unfinished.first().map(|unfinished| format!("{}{}", unfinished.limit, bound(grade))));
    remarks
}

/// Formats the card of a board. `known` is the range that the model of the time was fitted to.
pub fn card(name: &str, board: &Board, graded: &Graded, known: &DataRange, colour: bool) -> String {
    let grade = &graded.grade;
    let mut text = format!("{}\n{name}: {}\n", ansi::board(board, colour), verdict(grade));
    if let Some(human) = &grade.human {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  people need {human:#}");
        if human.extrapolates() {
            let _ = writeln!(text, "  outside the range that the model was fitted to: {}", beyond(human, known));
        }
    }
    if let Some(machine) = grade.machine {
        let at_least = |nodes: NodeCount| format!("{}{}", if nodes.at_least { "at least " } else { "" }, count(nodes));
        let (id, bfs) = (at_least(machine.id), at_least(machine.bfs));
        let _ = writeln!(text, "  a machine needs {id} nodes (id) or {bfs} (bfs)");
    }
    text.push('\n');
    for (label, value, note) in facts(grade) {
        if let Some(value) = value {
            let _ = writeln!(text, "  {:<58}  {value}", format!("{label}: {note}"));
        }
    }
    match grade.removable.as_deref() {
        Some([]) => text += "  minimal: removing any vehicle makes it easier\n",
        Some(labels) => {
            let labels: Vec<String> = labels.iter().map(char::to_string).collect();
            let _ = writeln!(text, "  not minimal: any one of these vehicles can be removed: {}", labels.join(" "));
        }
        None => {}
    }
    for unfinished in &grade.unfinished {
        let _ = writeln!(text, "  {} unknown: {}", unfinished.part.subject(), unfinished.limit);
    }
    let reasons = grade.reasons();
    if grade.level.is_some() {
        text += "\ncompared with the forty cards of the standard game:\n";
        for reason in &reasons {
            let _ = writeln!(text, "  {} {}", if reason.harder { "harder:" } else { "easier:" }, reason.text);
        }
        if reasons.is_empty() {
            text += "  within the middle half of them in every respect\n";
        }
    }
    if let Some(solution) = graded.solution.as_ref().filter(|solution| solution.moves() > 0) {
        let _ = writeln!(text, "\n{solution}");
    }
    text
}

fn verdict(grade: &Grade) -> String {
    match (grade.status, grade.level) {
        (Status::Unsolvable, _) => "unsolvable: the target can never leave".to_owned(),
        (Status::Limit, _) if grade.moves_at_most.is_some() => format!("solvable{}", bound(grade)),
        (Status::Limit, _) => format!("not known to be solvable{}", bound(grade)),
        (Status::Solved, _) if grade.moves == Some(0) => "already solved".to_owned(),
        (Status::Solved, Some(level)) => level.to_string(),
        (Status::Solved, None) => "solvable, level unknown".to_owned(),
    }
}

/// Formats the bounds on the moves, for boards whose search reached a limit.
fn bound(grade: &Grade) -> String {
    let moves = |moves| quantity::length(moves, Metric::Moves);
    let least = grade.moves_at_least.filter(|&moves| moves > 0);
    match (grade.moves_at_most, least) {
        (Some(most), Some(least)) => format!("; at most {} needed, at least {least}", moves(most)),
        (Some(most), None) => format!("; at most {} needed", moves(most)),
        (None, Some(least)) => format!("; at least {} needed", moves(least)),
        (None, None) => String::new(),
    }
}

fn optimal_solutions(grade: &Grade) -> Option<String> {
    let at_least = if grade.optimal_solutions_saturated { "at least " } else { "" };
    grade.optimal_solutions.map(|count| format!("{at_least}{}", quantity::count(count)))
}

/// Returns the facts of a card: label, value and explanation.
fn facts(grade: &Grade) -> Vec<(&'static str, Option<String>, &'static str)> {
    let number = |n: Option<u32>| n.map(quantity::count);
    let moved = grade.vehicles_moved.map(|moved| format!("{} of {}", decimal(moved), grade.vehicle_count));
    vec![
        ("moves", number(grade.moves), "the fewest slides"),
        ("steps", number(grade.steps), "the fewest cells"),
        ("states", grade.states.map(quantity::count), "reachable"),
        ("depth", number(grade.depth), "moves from the farthest state"),
        ("optimal solutions", optimal_solutions(grade), "with the fewest moves"),
        ("decisions", grade.decisions.map(decimal), "moves that are not forced"),
        ("common start", grade.common_start.map(decimal), "moves until good solutions diverge"),
        ("vehicles moved", moved, "different ones"),
        ("counterintuitive", grade.counterintuitive.map(decimal), "moves against intuition"),
        ("search information", grade.search_information.map(decimal), "bits to identify good moves"),
        ("blocker depth", Some(grade.blocker_depth.to_string()), "longest chain of blockers"),
    ]
}

fn beyond(human: &HumanTime, known: &DataRange) -> String {
    human.beyond.iter().map(|&beyond| known.in_words(beyond)).collect::<Vec<_>>().join(", ")
}

fn count(nodes: NodeCount) -> String {
    quantity::count(nodes.nodes)
}

fn decimal(n: f64) -> String {
    format!("{n:.1}")
}

/// A column of the CSV file: its name and value.
type Column = (&'static str, fn(&GradeRecord) -> String);

/// The columns. Unknown values are empty; a number that is a lower bound has the prefix `>`.
const COLUMNS: [Column; 25] = [
    ("name", |record| csv_field(record.name.unwrap_or_default())),
    ("board", |record| record.board.clone()),
    ("status", |record| record.grade.status.as_str().to_owned()),
    ("level", |record| field(record.grade.level)),
    ("moves", |record| field(record.grade.moves)),
    ("steps", |record| field(record.grade.steps)),
    ("states", |record| field(record.grade.states)),
    ("depth", |record| field(record.grade.depth)),
    ("optimal_solutions", |record| solution_bound(record.grade)),
    ("decisions", |record| field(record.grade.decisions)),
    ("common_start", |record| field(record.grade.common_start)),
    ("vehicle_count", |record| record.grade.vehicle_count.to_string()),
    ("vehicles_moved", |record| field(record.grade.vehicles_moved)),
    ("counterintuitive", |record| field(record.grade.counterintuitive)),
    ("search_information", |record| field(record.grade.search_information)),
    ("blocker_depth", |record| record.grade.blocker_depth.to_string()),
    ("seconds", |record| field(record.grade.human.as_ref().map(|human| human.seconds))),
    ("seconds_low", |record| field(record.grade.human.as_ref().map(|human| human.low))),
    ("seconds_high", |record| field(record.grade.human.as_ref().map(|human| human.high))),
    ("extrapolates", |record| field(record.grade.human.as_ref().map(HumanTime::extrapolates))),
    ("id_nodes", |record| field(record.grade.machine.map(|machine| node_bound(machine.id)))),
    ("bfs_nodes", |record| field(record.grade.machine.map(|machine| node_bound(machine.bfs)))),
    ("removable", |record| record.grade.removable.iter().flatten().collect()),
    ("moves_at_least", |record| field(record.grade.moves_at_least)),
    ("moves_at_most", |record| field(record.grade.moves_at_most)),
];

/// Formats the header of the CSV file.
pub fn csv_header() -> String {
    COLUMNS.map(|(name, _)| name).join(",") + "\n"
}

/// Formats a line of the CSV file.
pub fn csv_row(record: &GradeRecord) -> String {
    COLUMNS.map(|(_, value)| value(record)).join(",") + "\n"
}

fn field<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn solution_bound(grade: &Grade) -> String {
    let more = if grade.optimal_solutions_saturated { ">" } else { "" };
    grade.optimal_solutions.map_or_else(String::new, |count| format!("{more}{count}"))
}

fn node_bound(nodes: NodeCount) -> String {
    format!("{}{}", if nodes.at_least { ">" } else { "" }, nodes.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::{Solver, formats};
    use clearway_search::Limits;

    #[test]
    fn a_saturated_number_of_solutions_is_marked() {
        let board = formats::read_one("4x4:BB.CAA.CD...DEE.", None).unwrap().board;
        let mut graded = clearway_forge::grade::grade(&board, &mut Solver::new(), &Limits::default());
        let mut count = |count: u128, is_saturated| {
            graded.grade.optimal_solutions = Some(count);
            graded.grade.optimal_solutions_saturated = is_saturated;
            let row = csv_row(&GradeRecord::new(None, &board, &graded));
            let column = COLUMNS.iter().position(|(name, _)| *name == "optimal_solutions").unwrap();
            row.split(',').nth(column).unwrap().to_owned()
        };
        assert_eq!(count(3, false), "3");
        assert_eq!(count(u128::MAX, true), format!(">{}", u128::MAX));
    }
}
