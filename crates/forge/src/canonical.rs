//! Canonical form of a puzzle. Mirrored and rotated boards, boards with other labels, and other states of the same component
//! are all the same puzzle. The board that represents it is defined as follows:
//!
//! 1. The exit is on the right, for a target labelled `A`. (Where any vehicle of the exit's line may leave, the target is the
//!    one nearest to the exit, since vehicles of a line cannot pass each other.)
//! 2. Of the board and its image with top and bottom exchanged, the one with the exit further up is taken. If both exits are
//!    in the same row, it is the one whose walls and vehicles come first, by line and length, rows before columns. If these
//!    are equal too, it is the one whose board, constructed by the following rules, comes first as text.
//! 3. Of all reachable states, the one farthest from a solution (in moves) is taken; of several, the one whose vehicle
//!    positions come first, compared in the order target, rows, columns.
//! 4. The other vehicles are labelled `B`, `C`, ... in reading order.
//!
//! Boards with a side of more than eight cells have too many states for the third rule: each state is a puzzle of its own.

use crate::turn;
use clearway_rush::{Board, Exit, Metric, Orientation, Portfolio, Side, Solver, formats, labels};
use clearway_search::{Limit, Limits, Verdict};
use clearway_util::hash::fnv1a;

/// Canonical form of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// Board that represents the puzzle.
    pub board: Board,
    /// Length of its shortest solution, in moves.
    pub moves: u32,
    /// Number of reachable states, if they were explored. The board is the hardest of them then.
    pub states: Option<u64>,
}

/// Computes the canonical form of the puzzle that a board belongs to. Returns None if the board is unsolvable, or if every
/// state of its component is solved. Explores the whole component of a board of up to 8x8.
///
/// ```
/// use clearway_forge::canonical::canonical;
/// use clearway_rush::{Solver, formats};
/// let mut id = |text| {
///     let board = formats::read_one(text, None).unwrap().board;
///     canonical(&mut Solver::new(), &board, &Default::default()).unwrap().unwrap().id()
/// };
/// let card = id("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.");
/// assert_eq!(card, id(".BB..CD..E.CDAAE.CD..E..F..GG.F.HHH."), "another state");
/// assert_eq!(card, id("F.HHH.F...GGD..E..DAAE.ZD..E.ZBB...Z"), "upside down, with other labels");
/// ```
pub fn canonical(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Option<Canonical>, Limit> {
    let upright = for_target(&turn::facing(board, Side::Right));
    let upside_down = turn::flipped(&upright);
    let candidates = match invariants(&upright).cmp(&invariants(&upside_down)) {
        std::cmp::Ordering::Less => vec![upright],
        std::cmp::Ordering::Greater => vec![upside_down],
        std::cmp::Ordering::Equal => vec![upright, upside_down],
    };
    let mut best: Option<Canonical> = None;
    for candidate in candidates {
        let find = if candidate.is_large() { as_it_is } else { hardest };
        let Some(form) = find(solver, &candidate, limits)? else { return Ok(None) };
        if best.as_ref().is_none_or(|best| form.text() < best.text()) {
            best = Some(form);
        }
    }
    Ok(best)
}

impl Canonical {
    /// Returns the text that identifies the puzzle: `WxH:cells`, the line format with its size.
    pub fn text(&self) -> String {
        let line = formats::line(&self.board);
        let cells = line.split_once(':').map_or(line.as_str(), |(_, cells)| cells);
        format!("{}x{}:{cells}", self.board.width(), self.board.height())
    }

    /// Returns the id of the puzzle: the 64-bit FNV-1a hash of its [text](Self::text), as 16 hexadecimal digits. It is the
    /// same on every machine.
    pub fn id(&self) -> String {
        format!("{:016x}", fnv1a(self.text().as_bytes()))
    }

    /// Returns the board turned so that its exit is on `side`, and mirrored if that brings the exit to `line`.
    pub fn facing(&self, side: Side, line: u8) -> Board {
        let board = turn::facing(&self.board, side);
        if board.exit_line() == line {
            return relabelled(&board);
        }
        let other = match side.orientation() {
            Orientation::Horizontal => turn::flipped(&board),
            Orientation::Vertical => turn::mirrored(&board),
        };
        relabelled(if other.exit_line() == line { &other } else { &board })
    }
}

/// Replaces an exit that any vehicle of its line may use by one for the target.
fn for_target(board: &Board) -> Board {
    let Exit::Any(side, _) = board.exit() else { return board.clone() };
    let vehicles = labelled_in_order(board);
    Board::new(board.width(), board.height(), *board.walls(), vehicles, Exit::Target(side))
        .expect("the first vehicle lies along the exit's line")
}

/// Properties that no move changes: the exit's line, the walls, and the lines and lengths of the vehicles.
type Invariants = (u8, Vec<(u8, u8)>, Vec<(Orientation, u8, u8)>);

fn invariants(board: &Board) -> Invariants {
    let mut vehicles = board.vehicles().to_vec();
    vehicles.sort_unstable_by_key(|v| (v.orientation, v.line(), v.position()));
    let vehicles = vehicles.into_iter().map(|v| (v.orientation, v.line(), v.length)).collect();
    (board.exit_line(), board.walls().iter().map(|(x, y)| (y, x)).collect(), vehicles)
}

/// Returns the state of the component that is farthest from a solution.
fn hardest(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Option<Canonical>, Limit> {
    // States are compared in the order of the board's vehicles, so this order must be the same for all boards of the puzzle.
    let analysis = solver.analyze(&board.clone().ordered_by_line(), Metric::Moves, limits);
    if let Some(limit) = analysis.limit {
        return Err(limit);
    }
    let farthest = analysis.farthest.zip(analysis.depth.filter(|&depth| depth > 0));
    let states = Some(analysis.states);
    Ok(farthest.map(|(board, moves)| Canonical { board: relabelled(&board), moves, states }))
}

/// Returns the board in its own state.
fn as_it_is(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Option<Canonical>, Limit> {
    let answer = Portfolio::default().solve(solver, board, Metric::Moves, limits, &mut |_| {});
    match answer.verdict {
        Verdict::Limit(limit) => Err(limit),
        Verdict::Solved if !board.is_solved() => {
            Ok(Some(Canonical { board: relabelled(board), moves: answer.lower_bound, states: None }))
        }
        _ => Ok(None),
    }
}

/// Labels the vehicles of a board in reading order, the target as `A`.
fn relabelled(board: &Board) -> Board {
    let vehicles = labelled_in_order(board);
    Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit())
        .expect("there is a label for every vehicle")
}

fn labelled_in_order(board: &Board) -> Vec<clearway_rush::Vehicle> {
    let mut vehicles = board.vehicles().to_vec();
    vehicles[1..].sort_unstable_by_key(|v| (v.y, v.x));
    for (vehicle, &label) in vehicles.iter_mut().zip(labels()) {
        vehicle.label = label;
    }
    vehicles
}
