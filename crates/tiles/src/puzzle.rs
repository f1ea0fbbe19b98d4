//! A board and its goal, as a domain to search.

use crate::{Board, Move, Size};
use clearway_search::Domain;

/// A board to be brought to its goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    start: Board,
    goal: Board,
    /// The cell of each tile in the goal.
    homes: [u8; Board::MOST_CELLS],
    /// The column of each tile in the goal.
    columns: [u8; Board::MOST_CELLS],
    /// The distance of each tile from its place, by tile and cell.
    away: [[u8; Board::MOST_CELLS]; Board::MOST_CELLS],
}

/// Why there is nothing to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The sizes differ.
    #[error("the board is {board}, but the goal is {goal}")]
    Size {
        /// The board's size.
        board: Size,
        /// The goal's.
        goal: Size,
    },
    /// Half of all boards cannot be solved.
    #[error("the board cannot be solved: its tiles are an odd number of exchanges away from the goal")]
    Parity,
}

impl Puzzle {
    /// A board with the usual goal.
    pub fn new(start: Board) -> Result<Puzzle, PuzzleError> {
        Puzzle::with_goal(start, Board::ordered(start.size()))
    }

    /// A board with another goal.
    pub fn with_goal(start: Board, goal: Board) -> Result<Puzzle, PuzzleError> {
        let puzzle = Puzzle::unchecked(start, goal)?;
        if start.reaches(&goal) { Ok(puzzle) } else { Err(PuzzleError::Parity) }
    }

    /// A board with a goal that may be out of reach, for searches that are to find that out.
    pub fn unchecked(start: Board, goal: Board) -> Result<Puzzle, PuzzleError> {
        if start.size() != goal.size() {
            return Err(PuzzleError::Size { board: start.size(), goal: goal.size() });
        }
        let mut homes = [0; Board::MOST_CELLS];
        let mut columns = homes;
        for (cell, &tile) in goal.cells().iter().enumerate() {
            homes[usize::from(tile)] = cell as u8;
            columns[usize::from(tile)] = (cell % goal.size().columns()) as u8;
        }
        let mut away = [[0; Board::MOST_CELLS]; Board::MOST_CELLS];
        let count = goal.size().cells();
        for (tile, row) in away.iter_mut().enumerate().take(count) {
            for (cell, steps) in row.iter_mut().enumerate().take(count) {
                *steps = goal.size().distance(cell, usize::from(homes[tile])) as u8;
            }
        }
        Ok(Puzzle { start, goal, homes, columns, away })
    }

    /// The board at the start.
    pub fn board(&self) -> &Board {
        &self.start
    }

    /// The board at the end.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The steps from a cell to the place of a tile in the goal.
    #[inline]
    pub fn away(&self, tile: u8, cell: usize) -> usize {
        usize::from(self.away[usize::from(tile)][cell])
    }

    /// The same goal from another board of the same size that reaches it.
    #[must_use]
    pub fn from_board(&self, start: Board) -> Puzzle {
        Puzzle { start, ..self.clone() }
    }

    /// The column of a tile in the goal.
    #[inline]
    pub(crate) fn column(&self, tile: u8) -> usize {
        usize::from(self.columns[usize::from(tile)])
    }

    /// The cell of a tile in the goal.
    #[inline]
    pub fn home(&self, tile: u8) -> usize {
        usize::from(self.homes[usize::from(tile)])
    }
}

impl Domain for Puzzle {
    type State = Board;
    /// Five bits a cell.
    type Key = u128;
    type Move = Move;

    fn start(&self) -> Board {
        self.start
    }

    fn key(&self, state: &Board) -> u128 {
        state.cells().iter().rev().fold(0, |key, &tile| key << 5 | u128::from(tile))
    }

    fn state(&self, key: u128) -> Board {
        let count = self.start.size().cells();
        let mut cells = [0; Board::MOST_CELLS];
        for (cell, tile) in cells[..count].iter_mut().enumerate() {
            *tile = (key >> (5 * cell)) as u8 & 31;
        }
        Board::new(self.start.size(), &cells[..count]).unwrap_or(self.goal)
    }

    fn is_goal(&self, state: &Board) -> bool {
        *state == self.goal
    }

    /// The winning move first, if there is one.
    fn moves(&self, state: &Board, found: &mut Vec<Move>) {
        let wins = self.winning_move(state);
        found.extend(wins);
        found.extend(Move::ALL.into_iter().filter(|&mv| Some(mv) != wins && state.target(mv).is_some()));
    }

    fn apply(&self, state: &mut Board, mv: Move) {
        state.make(mv);
    }

    fn undo(&self, state: &mut Board, mv: Move) {
        state.make(mv.back());
    }

    fn same_piece(&self, first: Move, second: Move) -> bool {
        second == first.back()
    }

    fn winning_move(&self, state: &Board) -> Option<Move> {
        // Only a blank beside its place can be one move away.
        let near = self.start.size().distance(state.blank(), self.goal.blank()) == 1;
        let wins = |mv: &Move| {
            let mut next = *state;
            next.make(*mv) && next == self.goal
        };
        if near { Move::ALL.into_iter().find(wins) } else { None }
    }
}
