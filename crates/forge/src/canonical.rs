//! Which puzzles are the same. Mirror images, turned boards, other labels and other states of the same component are
//! one puzzle, and this is the board that stands for it:
//!
//! 1. The exit is on the right, for a target labelled `A`. (Where any vehicle of the exit's line may leave, that is the
//!    one nearest to the exit: vehicles of a line cannot pass each other.)
//! 2. Of the board and its image with top and bottom exchanged, the one with the exit further up; if that is no
//!    difference, the one whose walls and vehicles come first, by line and length, rows before columns; if that is none
//!    either, the one whose board, made as below, comes first as text.
//! 3. Of the states that can be reached, the one farthest from a solution, in moves; of several, the one whose vehicles
//!    stand first, the target before rows and rows before columns.
//! 4. The other vehicles are labelled `B`, `C`, ... in reading order.

use crate::turn;
use clearway_rush::{Board, Exit, Metric, Orientation, Side, Solver, formats, labels};
use clearway_search::{Limit, Limits};

/// The board that stands for a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The board.
    pub board: Board,
    /// The length of its shortest solutions, in moves: the largest distance of any state to its nearest solved state.
    pub moves: u32,
    /// The number of states that can be reached.
    pub states: u64,
}

/// The board that stands for the puzzle that a board belongs to. None if that is unsolvable, or solved from whichever
/// state one begins with.
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
    let candidates = match features(&upright).cmp(&features(&upside_down)) {
        std::cmp::Ordering::Less => vec![upright],
        std::cmp::Ordering::Greater => vec![upside_down],
        std::cmp::Ordering::Equal => vec![upright, upside_down],
    };
    let mut best: Option<Canonical> = None;
    for candidate in candidates {
        let Some(hardest) = hardest(solver, candidate, limits)? else { return Ok(None) };
        if best.as_ref().is_none_or(|best| hardest.text() < best.text()) {
            best = Some(hardest);
        }
    }
    Ok(best)
}

impl Canonical {
    /// What identifies the puzzle as text: `WxH:cells`, the line format with its size.
    pub fn text(&self) -> String {
        let line = formats::line(&self.board);
        let cells = line.split_once(':').map_or(line.as_str(), |(_, cells)| cells);
        format!("{}x{}:{cells}", self.board.width(), self.board.height())
    }

    /// The puzzle's id: the FNV-1a hash of 64 bits of its [text](Self::text), in 16 hexadecimal digits. It is the same
    /// on every machine.
    pub fn id(&self) -> String {
        let hash = self
            .text()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    /// The board turned so that its exit is on a side and, where the puzzle can be mirrored to have it so, in a line.
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

/// The same board with a target, where any vehicle of a line may leave.
fn for_target(board: &Board) -> Board {
    let Exit::Any(side, _) = board.exit() else { return board.clone() };
    let vehicles = label_in_order(board);
    Board::new(board.width(), board.height(), *board.walls(), vehicles, Exit::Target(side))
        .expect("the first vehicle lies towards the exit")
}

/// What no move changes: where the exit is, the walls, and the lines and lengths of the vehicles.
type Features = (u8, Vec<(u8, u8)>, Vec<(Orientation, u8, u8)>);

fn features(board: &Board) -> Features {
    let mut vehicles = board.vehicles().to_vec();
    vehicles.sort_unstable_by_key(|v| (v.orientation, v.line(), v.position()));
    let vehicles = vehicles.into_iter().map(|v| (v.orientation, v.line(), v.length)).collect();
    (board.exit_line(), board.walls().iter().map(|(x, y)| (y, x)).collect(), vehicles)
}

/// The state of the component that is farthest from a solution.
fn hardest(solver: &mut Solver, board: Board, limits: &Limits) -> Result<Option<Canonical>, Limit> {
    // The states are compared in the order of the board's vehicles, which must be the same for each of them.
    let analysis = solver.analyze(&board.ordered_by_line(), Metric::Moves, limits);
    if let Some(limit) = analysis.limit {
        return Err(limit);
    }
    let farthest = analysis.farthest.zip(analysis.depth.filter(|&depth| depth > 0));
    Ok(farthest.map(|(board, moves)| Canonical { board: relabelled(&board), moves, states: analysis.states }))
}

/// The board with its vehicles labelled in reading order, the target `A`.
fn relabelled(board: &Board) -> Board {
    let vehicles = label_in_order(board);
    Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit())
        .expect("there is a label for every vehicle")
}

fn label_in_order(board: &Board) -> Vec<clearway_rush::Vehicle> {
    let mut vehicles = board.vehicles().to_vec();
    vehicles[1..].sort_unstable_by_key(|v| (v.y, v.x));
    for (vehicle, &label) in vehicles.iter_mut().zip(labels()) {
        vehicle.label = label;
    }
    vehicles
}
