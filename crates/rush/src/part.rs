//! Parts of a board: some of its vehicles, on the cells that they can ever cover.
//!
//! Next to the exit, a part may end before the whole board does, where from there on only the target ever covers a cell. What
//! takes the target to the edge of the part then takes it to the exit, in the same move.

use crate::exact::Solver;
use crate::{Answer, Board, Exit, MIN_SIDE, Metric, Move, Orientation, Side, Solution, Vehicle, vehicle_ranges};
use clearway_search::Limits;

/// A part of a board. It is at most as hard as the whole board: a solution of the whole board, without the moves of the other
/// vehicles, solves it.
#[derive(Clone, Debug)]
pub(crate) struct BoardPart {
    pub board: Board,
    /// Ranges of its vehicles on the whole board, as positions on the part.
    pub ranges: Vec<(u8, u8)>,
    /// Number of cells between its edge and the exit of the whole board.
    corridor: u8,
}

/// The cells from the first to the last, along one axis.
#[derive(Clone, Copy)]
struct Span {
    first: u8,
    last: u8,
}

impl Span {
    fn contains(self, cell: u8) -> bool {
        (self.first..=self.last).contains(&cell)
    }

    fn overlaps(self, other: Span) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    fn joined(self, other: Span) -> Span {
        Span { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// Adds cells before the first or, where there are none, after the last, up to the smallest side of a board.
    fn padded(self) -> Span {
        let last = self.last.max(MIN_SIDE - 1);
        Span { first: self.first.min(last + 1 - MIN_SIDE), last }
    }

    /// The same cells, counted from the other end of a side.
    fn reversed(self, side: u8) -> Span {
        Span { first: side - 1 - self.last, last: side - 1 - self.first }
    }
}

/// Columns and rows that a vehicle can ever cover.
fn sweep(vehicle: Vehicle, (first, last): (u8, u8)) -> (Span, Span) {
    let along = Span { first, last: last + vehicle.length - 1 };
    let across = Span { first: vehicle.line(), last: vehicle.line() };
    match vehicle.orientation {
        Orientation::Horizontal => (along, across),
        Orientation::Vertical => (across, along),
    }
}

impl BoardPart {
    /// The vehicles that can ever make a difference to the target: those whose cells it can cover, those whose cells these can
    /// cover, and so on. The optimum of this part is that of the whole board. Returns `None` if this is the whole board.
    pub fn independent(board: &Board) -> Option<BoardPart> {
        let ranges = vehicle_ranges(board);
        let sweeps: Vec<_> =
            board.vehicles().iter().zip(&ranges).map(|(vehicle, &range)| sweep(*vehicle, range)).collect();
        let mut included = vec![false; sweeps.len()];
        included[0] = true;
        let mut open = vec![0];
        while let Some(vehicle) = open.pop() {
            let (columns, rows) = sweeps[vehicle];
            for (other, &(other_columns, other_rows)) in sweeps.iter().enumerate() {
                if !included[other] && columns.overlaps(other_columns) && rows.overlaps(other_rows) {
                    included[other] = true;
                    open.push(other);
                }
            }
        }
        let part = BoardPart::new(board, &ranges, &included)?;
        let size = |board: &Board| (board.width(), board.height(), board.vehicles().len());
        (size(&part.board) != size(board)).then_some(part)
    }

    /// The included vehicles, the target among them, of a board with these ranges. The cells that the others always cover become
    /// walls. Returns `None` if the board is solved, or if the target cannot reach the exit.
    pub fn new(board: &Board, ranges: &[(u8, u8)], included: &[bool]) -> Option<BoardPart> {
        let (target, goal) = (board.target(), board.goal_position());
        if board.is_solved() || !(ranges[0].0..=ranges[0].1).contains(&goal) {
            return None;
        }
        let is_included = |&vehicle: &usize| included[vehicle];
        let others =
            (1..ranges.len()).filter(is_included).map(|vehicle| sweep(board.vehicles()[vehicle], ranges[vehicle]));
        // The target needs at least one cell on its way, so that the part is not solved.
        let (position, end) = (target.position(), target.position() + target.length - 1);
        let own = if goal > position {
            Span { first: ranges[0].0, last: end + 1 }
        } else {
            Span { first: position - 1, last: ranges[0].1 + target.length - 1 }
        };
        let across = Span { first: target.line(), last: target.line() };
        let own = match target.orientation {
            Orientation::Horizontal => (own, across),
            Orientation::Vertical => (across, own),
        };
        let (columns, rows) = others.fold(own, |(columns, rows), (c, r)| (columns.joined(c), rows.joined(r)));
        // Padding leaves the edge at the exit where it is, if possible.
        let pad = |span: Span, side: u8, is_first: bool| {
            if is_first { span.reversed(side).padded().reversed(side) } else { span.padded() }
        };
        let columns = pad(columns, board.width(), board.exit().side() == Side::Left);
        let rows = pad(rows, board.height(), board.exit().side() == Side::Top);
        let corridor = match board.exit().side() {
            Side::Right => board.width() - 1 - columns.last,
            Side::Bottom => board.height() - 1 - rows.last,
            Side::Left => columns.first,
            Side::Top => rows.first,
        };
        let mut walls: Vec<(u8, u8)> = board.walls().iter().collect();
        let mut vehicles = Vec::new();
        for ((vehicle, &(first, last)), &included) in board.vehicles().iter().zip(ranges).zip(included) {
            if included {
                vehicles.push(Vehicle { x: vehicle.x - columns.first, y: vehicle.y - rows.first, ..*vehicle });
            } else if last < first + vehicle.length {
                let (leftmost, rightmost) = (vehicle.at(first), vehicle.at(last));
                walls.extend(leftmost.cells().filter(|&cell| rightmost.cells().any(|other| other == cell)));
            }
        }
        walls.retain(|&(x, y)| columns.contains(x) && rows.contains(y));
        let walls = walls.into_iter().map(|(x, y)| (x - columns.first, y - rows.first)).collect();
        let exit = match board.exit() {
            Exit::Target(side) => Exit::Target(side),
            Exit::Any(side, line) if side.orientation() == Orientation::Horizontal => {
                Exit::Any(side, line - rows.first)
            }
            Exit::Any(side, line) => Exit::Any(side, line - columns.first),
        };
        let (width, height) = (columns.last + 1 - columns.first, rows.last + 1 - rows.first);
        let part =
            Board::new(width, height, walls, vehicles, exit).expect("a board without some of its vehicles is a board");
        let range = |vehicle: &Vehicle| {
            let (first, last) = ranges[board.vehicle_labelled(vehicle.label).expect("a vehicle of the board")];
            let span = if vehicle.orientation == Orientation::Horizontal { columns } else { rows };
            (first.max(span.first) - span.first, last.min(span.last + 1 - vehicle.length) - span.first)
        };
        let ranges = part.vehicles().iter().map(range).collect();
        Some(BoardPart { board: part, ranges, corridor })
    }

    /// Solves the part with A*. Small parts are searched much faster, with tables that do not know the ranges.
    pub fn solve(&self, solver: &mut Solver, metric: Metric, limits: &Limits) -> Answer {
        let ranges = self.board.is_large().then_some(&self.ranges[..]);
        solver.solve_within(&self.board, ranges, metric, limits)
    }

    /// The solution of the whole board that a solution of the part leads to, where the other vehicles are not in the way: the
    /// last move of the target goes on to the exit.
    pub fn extended(&self, solution: &Solution) -> Solution {
        let mut moves = solution.0.clone();
        let target = self.board.target().label;
        moves.truncate(moves.iter().rposition(|mv| mv.label == target).map_or(0, |last| last + 1));
        if let Some(Move { cells, .. }) = moves.last_mut() {
            *cells += cells.signum() * self.corridor as i8;
        }
        Solution(moves)
    }

    /// The lower bound on the length of solutions of the whole board that a bound for the part leads to.
    pub fn extended_bound(&self, bound: u32, metric: Metric) -> u32 {
        match metric {
            Metric::Moves => bound,
            Metric::Steps => bound + u32::from(self.corridor),
        }
    }
}
