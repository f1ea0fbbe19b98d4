//! A hint: the next move of a shortest solution, and what it is good for.
//!
//! The reason comes from the solution itself. A move makes room: the cells that its vehicle leaves. The first later move
//! that needs one of them is what it was made for; that move in turn was made for a later one, and so on to the last,
//! which takes the leaving vehicle out.

use clearway_rush::{Board, Metric, Move, Orientation, Solution, Solver, Vehicle, formats};
use clearway_search::{Limits, Verdict};
use serde::Serialize;

/// What to do next, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hint {
    /// The board in line format.
    pub board: String,
    /// `solved` (there is a way out), `unsolvable` (proven) or `limit`.
    pub status: &'static str,
    /// The length of a shortest solution from here, in the metric asked for; 0 if the board is solved as it stands, null if
    /// no solution is known.
    pub moves: Option<u32>,
    /// The next move: a vehicle, a sign (plus is right or down) and a number of cells; or null.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The label of the vehicle to move, or null.
    pub vehicle: Option<char>,
    /// What the move is good for, or why there is none, in a sentence.
    pub why: String,
    /// The move and what it makes room for, which in turn makes room for something, and so on to the exit.
    pub reasons: Vec<Reason>,
    /// The whole solution; empty if there is nothing to do or no solution is known.
    pub solution: Vec<String>,
}

/// A move of the solution, and what it is good for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = HintReason))]
pub struct Reason {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The label of the vehicle that makes it.
    pub vehicle: char,
    /// What it is good for, in a sentence.
    pub because: String,
}

/// The next move of a shortest solution of a board.
///
/// ```
/// use clearway_rush::{Metric, Solver, formats};
/// let board = formats::read_one("4x4:...BAA.B........", None).unwrap().board;
/// let hint = clearway_lab::hint(&board, Metric::Moves, &mut Solver::new(), &Default::default());
/// assert_eq!((hint.moves, hint.mv.as_deref()), (Some(2), Some("B+2")));
/// assert_eq!(hint.why, "Car B goes down 2 and clears the way out for car A.");
/// ```
pub fn hint(board: &Board, metric: Metric, solver: &mut Solver, limits: &Limits) -> Hint {
    let answer = solver.solve(board, metric, limits);
    let mut hint = Hint {
        board: formats::line(board),
        status: answer.verdict.word(),
        moves: answer.solution.is_some().then_some(answer.lower_bound),
        mv: None,
        vehicle: None,
        why: String::new(),
        reasons: Vec::new(),
        solution: Vec::new(),
    };
    match (answer.verdict, answer.solution) {
        (Verdict::Limit(limit), _) => hint.why = format!("No way out was found: {limit}."),
        (_, None) => hint.why.push_str("There is no way out, whatever one does."),
        (_, Some(Solution(moves))) => match moves.first() {
            None => hint.why = format!("{} is at the exit: nothing is left to do.", capital(&name(*board.target()))),
            Some(first) => {
                hint.reasons = reasons(board, &moves);
                hint.mv = Some(first.to_string());
                hint.vehicle = Some(first.label);
                hint.why.clone_from(&hint.reasons[0].because);
                hint.solution = moves.iter().map(ToString::to_string).collect();
            }
        },
    }
    hint
}

/// A move, and its vehicle before and after it.
#[derive(Clone, Copy, Debug)]
struct Slide {
    mv: Move,
    before: Vehicle,
    after: Vehicle,
}

impl Slide {
    /// Whether it covers, on its way or at its end, a cell that an earlier one left.
    fn needs_room_of(&self, earlier: &Slide) -> bool {
        let (from, to) = (self.before.position(), self.after.position());
        let mut swept = (from.min(to)..=from.max(to)).flat_map(|position| self.before.at(position).cells());
        swept.any(|cell| {
            let left = earlier.before.cells().any(|left| left == cell);
            left && earlier.after.cells().all(|kept| kept != cell)
        })
    }

    /// As in 'left 2'.
    fn way(&self) -> String {
        let direction = match (self.before.orientation, self.mv.cells > 0) {
            (Orientation::Horizontal, true) => "right",
            (Orientation::Horizontal, false) => "left",
            (Orientation::Vertical, true) => "down",
            (Orientation::Vertical, false) => "up",
        };
        format!("{direction} {}", self.mv.cells.unsigned_abs())
    }
}

/// The first move and what it is made for, what that is made for, and so on.
fn reasons(board: &Board, moves: &[Move]) -> Vec<Reason> {
    let slides = slides(board, moves);
    let mut reasons = Vec::new();
    let mut next = Some(0);
    while let Some(at) = next {
        let slide = &slides[at];
        let used_by = purpose(&slides, at);
        let because = because(&slides, at, used_by);
        reasons.push(Reason { mv: slide.mv.to_string(), vehicle: slide.mv.label, because });
        next = used_by;
    }
    reasons
}

fn slides(board: &Board, moves: &[Move]) -> Vec<Slide> {
    let mut vehicles = board.vehicles().to_vec();
    let slide = |&mv: &Move| {
        let vehicle = vehicles.iter_mut().find(|vehicle| vehicle.label == mv.label)?;
        let before = *vehicle;
        *vehicle = before.at(before.position().wrapping_add_signed(mv.cells));
        Some(Slide { mv, before, after: *vehicle })
    };
    moves.iter().filter_map(slide).collect()
}

/// The number of the move that a move is made for: the first that needs its room, or else the next of its vehicle.
fn purpose(slides: &[Slide], at: usize) -> Option<usize> {
    let later = at + 1..slides.len();
    let is_other = |&j: &usize| slides[j].mv.label != slides[at].mv.label;
    let user = later.clone().filter(is_other).find(|&j| slides[j].needs_room_of(&slides[at]));
    user.or_else(|| later.clone().find(|j| !is_other(j)))
}

fn because(slides: &[Slide], at: usize, used_by: Option<usize>) -> String {
    let slide = &slides[at];
    let last = slides.len() - 1;
    let leaving = slides[last].mv.label;
    let does = format!("{} goes {}", capital(&name(slide.before)), slide.way());
    let Some(used_by) = used_by else {
        return if at == last {
            format!("{does} and is at the exit.")
        } else {
            format!("{does}. That is a part of a shortest way out, though no later move needs its room.")
        };
    };
    let user = &slides[used_by];
    let who = name(user.before);
    if user.mv.label == slide.mv.label {
        format!("{does}: a part of its way. Later it goes on, {}.", user.way())
    } else if used_by == last {
        format!("{does} and clears the way out for {who}.")
    } else if user.mv.label == leaving {
        format!("{does}, out of the way of {who}, which can then go {}.", user.way())
    } else {
        format!("{does} and makes room for {who}, which can then go {}.", user.way())
    }
}

/// As in 'car B'; what is longer than two cells is a truck.
fn name(vehicle: Vehicle) -> String {
    format!("{} {}", if vehicle.length > 2 { "truck" } else { "car" }, vehicle.label)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
