//! PDDL: boards as planning problems, and plans as moves.
//!
//! The encoding is STRIPS with typing. One action moves one vehicle by one cell, so the length of a plan counts *steps*, and an
//! optimal planner minimises steps.
//!
//! The position of a vehicle is the coordinate of its first cell along its line. Coordinates, rather than cells, keep the
//! grounding small for planners that enumerate parameters naively: the parameters of an action are a vehicle, three coordinates
//! along its line and the line itself, a few thousand combinations on 6x6.

use crate::{Board, MAX_SIDE, Move, Orientation, Solution};
use std::fmt::Write;

/// The four actions: name, orientation of the vehicle, and whether the action increases the vehicle's coordinate.
const ACTIONS: [(&str, Orientation, bool); 4] = [
    ("right", Orientation::Horizontal, true),
    ("left", Orientation::Horizontal, false),
    ("down", Orientation::Vertical, true),
    ("up", Orientation::Vertical, false),
];

/// Writes the domain, which is the same for every board. The length of a plan counts steps.
pub fn domain() -> String {
    let mut text = String::from(
        "; Rush Hour. One action moves one vehicle by one cell: a plan's length counts steps.
(define (domain rush-hour)
  (:requirements :strips :typing)
  (:types
    vehicle coordinate - object
    horizontal vertical - vehicle
    column row - coordinate)
  (:predicates
    ; the first (left or top) cell of ?v is at ?first
    (at ?v - vehicle ?first - coordinate)
    ; there is neither a vehicle nor a wall
    (free ?x - column ?y - row)
    ; ?v slides along this row or column
    (lies ?v - vehicle ?line - coordinate)
    ; ?b is one to the right of ?a, or one below
    (next ?a ?b - coordinate)
    ; when the first cell of ?v is at ?first, the cell after its last is at ?beyond
    (ahead ?v - vehicle ?first ?beyond - coordinate))
",
    );
    for (name, orientation, forward) in ACTIONS {
        let (kind, along, across, beyond_cell, first_cell) = match orientation {
            Orientation::Horizontal => ("horizontal", "column", "row", "?beyond ?line", "?first ?line"),
            Orientation::Vertical => ("vertical", "row", "column", "?line ?beyond", "?line ?first"),
        };
        let (from, to, enters, leaves) = if forward {
            ("?first", "?second", beyond_cell, first_cell)
        } else {
            ("?second", "?first", first_cell, beyond_cell)
        };
        let _ = write!(
            text,
            "
  (:action {name}
    :parameters (?v - {kind} ?line - {across} ?first ?second ?beyond - {along})
    :precondition (and (lies ?v ?line) (next ?first ?second) (ahead ?v ?first ?beyond)
                       (at ?v {from}) (free {enters}))
    :effect (and (at ?v {to}) (not (at ?v {from}))
                 (free {leaves}) (not (free {enters}))))
"
        );
    }
    text.push_str(")\n");
    text
}

/// Writes a board as a problem of the [`domain`]. Characters that a PDDL name cannot contain become `-` in the problem's name.
///
/// Objects are `c0`, `c1`, ... for columns, `r0`, `r1`, ... for rows and `v0-a`, `v1-b`, ... for vehicles: the number is the
/// vehicle's index in [`Board::vehicles`], the letter is its label in lower case, left out if it is not ASCII.
pub fn problem(board: &Board, name: &str) -> String {
    let mut text = format!("(define (problem {})\n  (:domain rush-hour)\n  (:objects", problem_name(name));
    let names: Vec<String> = (0..board.vehicles().len()).map(|index| vehicle_name(board, index)).collect();
    let of_kind = |wanted| names.iter().zip(board.vehicles()).filter(move |(_, v)| v.orientation == wanted);
    for (kind, orientation) in [("horizontal", Orientation::Horizontal), ("vertical", Orientation::Vertical)] {
        let members: Vec<&str> = of_kind(orientation).map(|(name, _)| name.as_str()).collect();
        if !members.is_empty() {
            let _ = write!(text, "\n    {} - {kind}", members.join(" "));
        }
    }
    for (letter, kind, count) in [('c', "column", board.width()), ('r', "row", board.height())] {
        let members: Vec<String> = (0..count).map(|i| format!("{letter}{i}")).collect();
        let _ = write!(text, "\n    {} - {kind}", members.join(" "));
    }
    text.push_str(")\n  (:init");
    for (letter, count) in [('c', board.width()), ('r', board.height())] {
        text.push_str("\n   ");
        for i in 1..count {
            let _ = write!(text, " (next {letter}{} {letter}{i})", i - 1);
        }
    }
    for (name, vehicle) in names.iter().zip(board.vehicles()) {
        let (along, across) = coordinate_letters(vehicle.orientation);
        let (line, position) = (vehicle.line(), vehicle.position());
        let _ = write!(text, "\n    (lies {name} {across}{line}) (at {name} {along}{position})");
        for first in 0..board.side_along(vehicle.orientation) - vehicle.length {
            let _ = write!(text, " (ahead {name} {along}{first} {along}{})", first + vehicle.length);
        }
    }
    for y in 0..board.height() {
        let free: Vec<u8> =
            (0..board.width()).filter(|&x| !board.walls().contains(x, y) && board.vehicle_at(x, y).is_none()).collect();
        if !free.is_empty() {
            text.push_str("\n   ");
        }
        for x in free {
            let _ = write!(text, " (free c{x} r{y})");
        }
    }
    let (along, _) = coordinate_letters(board.target().orientation);
    let _ = write!(text, ")\n  (:goal (and (at {} {along}{}))))\n", names[0], board.goal_position());
    text
}

fn coordinate_letters(orientation: Orientation) -> (char, char) {
    match orientation {
        Orientation::Horizontal => ('c', 'r'),
        Orientation::Vertical => ('r', 'c'),
    }
}

fn vehicle_name(board: &Board, index: usize) -> String {
    let label = board.vehicles()[index].label;
    if label.is_ascii() { format!("v{index}-{}", label.to_ascii_lowercase()) } else { format!("v{index}") }
}

fn problem_name(name: &str) -> String {
    let tidy: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    // A PDDL name starts with a letter.
    if tidy.starts_with(|c: char| c.is_ascii_alphabetic()) { tidy } else { format!("board-{tidy}") }
}

/// A line of a plan that is not an action of the [`domain`] for a vehicle of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid action '{text}' in line {line} of the plan; expected a step of a vehicle of this board, such as (right v0-a ...)"
)]
#[non_exhaustive]
pub struct PlanError {
    /// Line of the plan, from 1.
    pub line: usize,
    /// The text of the line without comments, at most 80 characters.
    pub text: String,
}

/// Reads a plan for a board's [`problem`], one action per line as planners write them; text before the parenthesis and comments
/// after `;` are skipped. Consecutive steps of a vehicle in one direction are joined into one move. The moves are not checked;
/// use [`replay`](crate::replay) for that.
///
/// ```
/// use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle, formats::pddl};
/// let target = Vehicle { label: 'A', x: 0, y: 1, length: 2, orientation: Orientation::Horizontal };
/// let board = Board::new(4, 3, Cells::default(), vec![target], Exit::Target(Side::Right)).unwrap();
/// let plan = "(right v0-a r1 c0 c1 c2)\n(right v0-a r1 c1 c2 c3)\n; cost = 2 (unit cost)\n";
/// assert_eq!(pddl::read_plan(&board, plan)?.to_string(), "A+2");
/// # Ok::<(), pddl::PlanError>(())
/// ```
pub fn read_plan(board: &Board, plan: &str) -> Result<Solution, PlanError> {
    let mut moves: Vec<Move> = Vec::new();
    for (index, whole) in plan.lines().enumerate() {
        let line = whole.split(';').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let step = read_step(board, line)
            .ok_or_else(|| PlanError { line: index + 1, text: line.chars().take(80).collect() })?;
        match moves.last_mut() {
            Some(last) if continues(*last, step) => last.cells += step.cells,
            _ => moves.push(step),
        }
    }
    Ok(Solution(moves))
}

/// Whether a step continues a slide. Moves are limited to the longest that is possible on any board.
fn continues(slide: Move, step: Move) -> bool {
    slide.label == step.label
        && slide.cells.signum() == step.cells
        && slide.cells.unsigned_abs() < MAX_SIDE.saturating_sub(1)
}

fn read_step(board: &Board, line: &str) -> Option<Move> {
    let (_, action) = line.split_once('(')?;
    let action = action.split_once(')')?.0.to_ascii_lowercase();
    let mut words = action.split_ascii_whitespace();
    let name = words.next()?;
    let &(_, orientation, forward) = ACTIONS.iter().find(|(action, ..)| *action == name)?;
    let object = words.next()?;
    let index: usize = object.strip_prefix('v')?.split('-').next()?.parse().ok()?;
    let vehicle = board.vehicles().get(index).filter(|v| v.orientation == orientation)?;
    Some(Move { label: vehicle.label, cells: if forward { 1 } else { -1 } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, Exit, Side, Vehicle};

    fn board() -> Board {
        let vehicles = vec![
            Vehicle { label: 'A', x: 0, y: 1, length: 2, orientation: Orientation::Horizontal },
            Vehicle { label: 'Ω', x: 3, y: 0, length: 2, orientation: Orientation::Vertical },
        ];
        Board::new(4, 5, Cells::default(), vehicles, Exit::Target(Side::Right)).unwrap()
    }

    #[test]
    fn a_plan_becomes_moves_with_slides_joined() {
        let plan = "0: (DOWN V1 C3 R0 R1 R2)\n1: (down v1 c3 r1 r2 r3)\n\n(up v1 c3 r1 r2 r3) ; back\n(right v0-a r1 c0 c1 c2)";
        assert_eq!(read_plan(&board(), plan).unwrap().to_string(), "Ω+2 Ω-1 A+1");
    }

    #[test]
    fn invalid_steps_are_rejected_with_their_line() {
        for bad in
            ["(right)", "(right v9)", "(right v1)", "(jump v0-a)", "right v0-a", "(right v0-a", "()", "(right va)"]
        {
            let error = read_plan(&board(), &format!("(right v0-a)\n{bad}")).unwrap_err();
            assert_eq!((error.line, error.text.as_str()), (2, bad));
        }
    }

    #[test]
    fn long_slides_do_not_overflow() {
        let plan = "(right v0-a)\n".repeat(1000);
        let solution = read_plan(&board(), &plan).unwrap();
        assert_eq!(solution.steps(), 1000);
        assert!(solution.0.iter().all(|mv| mv.to_string().parse() == Ok(*mv)));
    }

    #[test]
    fn every_name_becomes_a_valid_pddl_name() {
        assert_eq!(problem_name("JAM-01 (easy)"), "JAM-01--easy-");
        assert_eq!(problem_name("9x9_4"), "board-9x9_4");
        assert_eq!(problem_name(""), "board-");
    }
}
