//! The independent replay. It shares no code with any solver or with [`Board::apply`](crate::Board::apply): vehicles are
//! painted on a grid of characters and pushed cell by cell, and the goal test inspects the cells at the edge.

use crate::{Board, Exit, Move, MoveError, Orientation, Side};

/// Result of a sequence of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Whether the board is solved after the last move.
    pub solved: bool,
    /// Number of moves: a slide over any distance counts 1.
    pub moves: u32,
    /// Number of steps: each cell counts 1.
    pub steps: u32,
}

/// An illegal move in a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {} ({mv}) is not possible: {reason}", index + 1)]
#[non_exhaustive]
pub struct ReplayError {
    /// Index of the move in the sequence, from 0.
    pub index: usize,
    /// Move that is illegal.
    pub mv: Move,
    /// Reason why it is illegal.
    #[source]
    pub reason: MoveError,
}

/// Applies the moves in order and returns whether they solve the board, or the first illegal move.
///
/// ```
/// use clearway_rush::{formats, replay, Solution};
/// let puzzle = formats::read_one("4x3:...BAA.B....", None).unwrap();
/// let moves: Solution = "B+1 A+2".parse().unwrap();
/// assert!(replay(&puzzle.board, &moves.0).is_err(), "B still covers the exit's row");
/// ```
pub fn replay(board: &Board, moves: &[Move]) -> Result<Replay, ReplayError> {
    let mut grid = PaintedGrid::paint(board);
    let mut steps = 0;
    for (index, &mv) in moves.iter().enumerate() {
        grid.slide(mv).map_err(|reason| ReplayError { index, mv, reason })?;
        steps += u32::from(mv.cells.unsigned_abs());
    }
    Ok(Replay { solved: grid.is_solved(board.exit()), moves: moves.len() as u32, steps })
}

const WALL: char = '#';
const FREE: char = ' ';

struct PaintedGrid {
    width: usize,
    height: usize,
    cells: Vec<char>,
}

impl PaintedGrid {
    fn paint(board: &Board) -> PaintedGrid {
        let (width, height) = (board.width() as usize, board.height() as usize);
        let mut cells = vec![FREE; width * height];
        for (x, y) in board.walls().iter() {
            cells[y as usize * width + x as usize] = WALL;
        }
        for vehicle in board.vehicles() {
            let stride = if vehicle.orientation == Orientation::Horizontal { 1 } else { width };
            let first = vehicle.y as usize * width + vehicle.x as usize;
            for i in 0..vehicle.length as usize {
                cells[first + i * stride] = vehicle.label;
            }
        }
        PaintedGrid { width, height, cells }
    }

    /// Indices of the cells of a vehicle in order, and whether it is horizontal.
    fn find(&self, label: char) -> Option<(Vec<usize>, bool)> {
        let cells: Vec<usize> = (0..self.cells.len()).filter(|&i| self.cells[i] == label).collect();
        let is_horizontal = cells.get(1)? - cells[0] == 1;
        Some((cells, is_horizontal))
    }

    fn slide(&mut self, mv: Move) -> Result<(), MoveError> {
        let label = mv.label;
        if self.find(label).is_none() || label == WALL || label == FREE {
            return Err(MoveError::NoSuchVehicle { label });
        }
        if mv.cells == 0 {
            return Err(MoveError::ZeroCells { label });
        }
        for _ in 0..mv.cells.unsigned_abs() {
            self.push(label, mv.cells > 0)?;
        }
        Ok(())
    }

    /// Pushes a vehicle by one cell.
    fn push(&mut self, label: char, forward: bool) -> Result<(), MoveError> {
        let (cells, is_horizontal) = self.find(label).ok_or(MoveError::NoSuchVehicle { label })?;
        let (front, back) =
            if forward { (cells[cells.len() - 1], cells[0]) } else { (cells[0], cells[cells.len() - 1]) };
        let (x, y) = (front % self.width, front / self.width);
        let next = match (is_horizontal, forward) {
            (true, true) if x + 1 < self.width => front + 1,
            (true, false) if x > 0 => front - 1,
            (false, true) if y + 1 < self.height => front + self.width,
            (false, false) if y > 0 => front - self.width,
            _ => return Err(MoveError::OffGrid { label }),
        };
        let (x, y) = ((next % self.width) as u8, (next / self.width) as u8);
        match self.cells[next] {
            FREE => {
                self.cells[next] = label;
                self.cells[back] = FREE;
                Ok(())
            }
            WALL => Err(MoveError::Wall { label, x, y }),
            by => Err(MoveError::Blocked { label, by, x, y }),
        }
    }

    /// Inspects the edge: the target, or any vehicle in the direction of the exit, must cover a cell there.
    fn is_solved(&self, exit: Exit) -> bool {
        let edge = |side: Side, line: usize| match side {
            Side::Right => line * self.width + self.width - 1,
            Side::Left => line * self.width,
            Side::Top => line,
            Side::Bottom => (self.height - 1) * self.width + line,
        };
        let touches = |side: Side, line: usize, wanted: Option<char>| {
            let label = self.cells[edge(side, line)];
            label != FREE
                && label != WALL
                && wanted.is_none_or(|wanted| wanted == label)
                && self
                    .find(label)
                    .is_some_and(|(_, is_horizontal)| is_horizontal == (side.orientation() == Orientation::Horizontal))
        };
        match exit {
            Exit::Any(side, line) => touches(side, line as usize, None),
            Exit::Target(side) => {
                let lines = if side.orientation() == Orientation::Horizontal { self.height } else { self.width };
                (0..lines).any(|line| touches(side, line, Some('A')))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solution, formats};

    fn run(text: &str) -> Result<Replay, ReplayError> {
        let board = formats::read_one("4x5:...BAA.B............", None).unwrap().board;
        replay(&board, &text.parse::<Solution>().unwrap().0)
    }

    #[test]
    fn a_solution_is_recognised() {
        assert_eq!(run("B+2 A+2").unwrap(), Replay { solved: true, moves: 2, steps: 4 });
        assert_eq!(run("B+2 A+1").unwrap(), Replay { solved: false, moves: 2, steps: 3 });
        assert_eq!(run("").unwrap(), Replay { solved: false, moves: 0, steps: 0 });
    }

    #[test]
    fn the_illegal_move_and_its_reason_are_reported() {
        let error = run("B+1 A+2").unwrap_err();
        assert_eq!(error.to_string(), "move 2 (A+2) is not possible: vehicle A is blocked by B at column 3, row 1");
        assert_eq!(run("B+4").unwrap_err().reason, MoveError::OffGrid { label: 'B' });
        assert_eq!(run("C+4").unwrap_err().reason, MoveError::NoSuchVehicle { label: 'C' });
    }
}
