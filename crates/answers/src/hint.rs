//! Hints: the next move of a shortest solution, and its purpose.
//!
//! The purpose is derived from the solution. A move frees the cells that its vehicle leaves. The first later move that needs
//! one of these cells is the purpose of the move. That move has a purpose in turn, and so on up to the last move, which
//! brings a vehicle to the exit.

use clearway_rush::{Board, Metric, Move, Orientation, Portfolio, Solution, Solver, Vehicle, formats};
use clearway_search::{Limits, Verdict};
use serde::Serialize;

/// The next move and its purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hint {
    /// Board in line format.
    pub board: String,
    /// `solved` (a solution exists), `unsolvable` (proven) or `limit`.
    pub status: &'static str,
    /// Length of the solution in the requested metric; 0 if the board is already solved, null if no solution is known.
    pub moves: Option<u32>,
    /// Whether the solution is proven optimal. If not, the move is that of the best solution found within the limits.
    pub optimal: bool,
    /// Lower bound on the length of every solution; null if the board is unsolvable.
    pub lower_bound: Option<u32>,
    /// Next move: a vehicle, a sign (plus is right or down) and a number of cells; or null.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Label of the vehicle to move, or null.
    pub vehicle: Option<char>,
    /// The limit that ended the search without a solution: `nodes`, `time`, `memory`, `interrupted` or `incomplete`; or null.
    pub limit: Option<&'static str>,
    /// Purpose of the move, or why there is no move, in a sentence.
    pub why: String,
    /// The move, the move that it makes room for, the move that this one makes room for, and so on up to the exit.
    pub reasons: Vec<Reason>,
    /// Moves of the whole solution; empty if the board is already solved or no solution is known.
    pub solution: Vec<String>,
}

/// A move of the solution and its purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = HintReason))]
pub struct Reason {
    /// The move, such as `C+2`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Label of the vehicle that moves.
    pub vehicle: char,
    /// Purpose of the move. If it is a later move, that is the move of the next reason.
    pub purpose: MovePurpose,
    /// Purpose of the move, in a sentence.
    pub because: String,
}

/// Purpose of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum MovePurpose {
    /// The vehicle reaches the exit.
    Exit,
    /// No later move needs the cells that the move frees.
    Unneeded,
    /// The same vehicle moves again later.
    Again,
    /// The move clears the way to the exit for the vehicle that leaves.
    ExitPath,
    /// The move makes room for the vehicle that leaves, which is not yet its last move.
    TargetPath,
    /// The move makes room for another vehicle.
    Room,
}

/// Returns the next move of a shortest solution of a board, with its purpose. If a limit is reached first, the move is that of
/// the best solution found.
///
/// ```
/// use clearway_rush::{Metric, Solver, formats};
/// let board = formats::read_one("4x4:...BAA.B........", None).unwrap().board;
/// let hint = clearway_answers::hint(&board, Metric::Moves, &mut Solver::new(), &Default::default());
/// assert_eq!((hint.moves, hint.mv.as_deref()), (Some(2), Some("B+2")));
/// assert_eq!(hint.why, "Car B moves down 2 and clears the way to the exit for car A.");
/// ```
pub fn hint(board: &Board, metric: Metric, solver: &mut Solver, limits: &Limits) -> Hint {
    let answer = Portfolio::default().solve(solver, board, metric, limits, &mut |_| {});
    let length = answer.solution.as_ref().map(|solution| solution.length(metric));
    let mut hint = Hint {
        board: formats::line(board),
        status: answer.verdict.as_str(),
        moves: length,
        optimal: length == Some(answer.lower_bound),
        lower_bound: (answer.verdict != Verdict::Unsolvable).then_some(answer.lower_bound),
        mv: None,
        vehicle: None,
        limit: None,
        why: String::new(),
        reasons: Vec::new(),
        solution: Vec::new(),
    };
    match (answer.verdict, answer.solution) {
        (Verdict::Limit(limit), None) => {
            hint.limit = Some(limit.as_str());
            hint.why = format!("No solution was found: {limit}.");
        }
        (_, None) => hint.why.push_str("This board has no solution."),
        (_, Some(Solution(moves))) => match moves.first() {
            None => hint.why = format!("{} is at the exit: the board is solved.", capitalised(&name(*board.target()))),
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

/// A move, with the vehicle before and after it.
#[derive(Clone, Copy, Debug)]
struct Slide {
    mv: Move,
    before: Vehicle,
    after: Vehicle,
}

impl Slide {
    /// Whether the vehicle sweeps or ends on a cell that an earlier move freed.
    fn needs_cells_of(&self, earlier: &Slide) -> bool {
        let (from, to) = (self.before.position(), self.after.position());
        let mut swept = (from.min(to)..=from.max(to)).flat_map(|position| self.before.at(position).cells());
        swept.any(|cell| {
            let was_covered = earlier.before.cells().any(|covered| covered == cell);
            was_covered && earlier.after.cells().all(|covered| covered != cell)
        })
    }

    /// Direction and distance, such as 'left 2'.
    fn direction(&self) -> String {
        let direction = match (self.before.orientation, self.mv.cells > 0) {
            (Orientation::Horizontal, true) => "right",
            (Orientation::Horizontal, false) => "left",
            (Orientation::Vertical, true) => "down",
            (Orientation::Vertical, false) => "up",
        };
        format!("{direction} {}", self.mv.cells.unsigned_abs())
    }
}

/// The first move, its purpose, the purpose of that move, and so on.
fn reasons(board: &Board, moves: &[Move]) -> Vec<Reason> {
    let slides = slides(board, moves);
    let mut reasons = Vec::new();
    let mut next = Some(0);
    while let Some(at) = next {
        let slide = &slides[at];
        next = user(&slides, at);
        let purpose = purpose(&slides, at, next);
        let because = sentence(&slides, at, purpose, next);
        reasons.push(Reason { mv: slide.mv.to_string(), vehicle: slide.mv.label, purpose, because });
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

/// Index of the move that is the purpose of a move: the first that needs a freed cell, or else the next of the same vehicle.
fn user(slides: &[Slide], at: usize) -> Option<usize> {
    let later = at + 1..slides.len();
    let is_other = |&j: &usize| slides[j].mv.label != slides[at].mv.label;
    let user = later.clone().filter(is_other).find(|&j| slides[j].needs_cells_of(&slides[at]));
    user.or_else(|| later.clone().find(|j| !is_other(j)))
}

/// Purpose of a move whose user is known.
fn purpose(slides: &[Slide], at: usize, user: Option<usize>) -> MovePurpose {
    let last = slides.len() - 1;
    let label = |index: usize| slides[index].mv.label;
    match user {
        None if at == last => MovePurpose::Exit,
        None => MovePurpose::Unneeded,
        Some(user) if label(user) == label(at) => MovePurpose::Again,
        Some(user) if user == last => MovePurpose::ExitPath,
        Some(user) if label(user) == label(last) => MovePurpose::TargetPath,
        Some(_) => MovePurpose::Room,
    }
}

/// Describes a move and its purpose.
fn sentence(slides: &[Slide], at: usize, purpose: MovePurpose, user: Option<usize>) -> String {
    let action = format!("{} moves {}", capitalised(&name(slides[at].before)), slides[at].direction());
    let described = |user: Option<usize>| {
        user.map(|user| (name(slides[user].before), slides[user].direction())).unwrap_or_default()
    };
    let (who, then) = described(user);
    match purpose {
        MovePurpose::Exit => format!("{action} and reaches the exit."),
        MovePurpose::Unneeded => {
            format!("{action} as part of the solution, although no later move needs the cells that it frees.")
        }
        MovePurpose::Again => {
            // The purpose of the later move is that of both.
            let next = user.and_then(|later| self::user(slides, later));
            let (who, _) = described(next);
            let end = match user.map(|later| self::purpose(slides, later, next)) {
                Some(MovePurpose::Exit) => " to reach the exit".to_owned(),
                Some(MovePurpose::ExitPath) => format!(" to clear the way to the exit for {who}"),
                Some(MovePurpose::TargetPath) => format!(" to get out of the way of {who}"),
                Some(MovePurpose::Room) => format!(" to make room for {who}"),
                Some(MovePurpose::Again | MovePurpose::Unneeded) | None => String::new(),
            };
            format!("{action}, and later {then}{end}.")
        }
        MovePurpose::ExitPath => format!("{action} and clears the way to the exit for {who}."),
        MovePurpose::TargetPath => format!("{action}, out of the way of {who}, which can then move {then}."),
        MovePurpose::Room => format!("{action} and makes room for {who}, which can then move {then}."),
    }
}

/// Name such as 'car B'; a vehicle of more than two cells is a truck.
fn name(vehicle: Vehicle) -> String {
    format!("{} {}", if vehicle.length > 2 { "truck" } else { "car" }, vehicle.label)
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
