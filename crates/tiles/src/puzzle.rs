//! A board and its goal, as a search domain.

use crate::{Board, Move, Size};
use clearway_search::Domain;

/// A start board and a goal board of the same size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    start: Board,
    goal: Board,
    /// Cell of each tile in the goal.
    homes: [u8; Board::MAX_CELLS],
    /// Column of each tile in the goal.
    columns: [u8; Board::MAX_CELLS],
    /// Manhattan distance to the goal position, by tile and cell.
    distances: [[u8; Board::MAX_CELLS]; Board::MAX_CELLS],
}

/// Error for a board and a goal that do not form a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The board and the goal have different sizes.
    #[error("the board is {board}, but the goal is {goal}")]
    DifferentSizes {
        /// Size of the board.
        board: Size,
        /// Size of the goal.
        goal: Size,
    },
    /// The goal is not reachable, which is the case for half of all boards.
    #[error("the board is unsolvable: its tiles are an odd number of swaps away from the goal")]
    Unsolvable,
}

impl Puzzle {
    /// Creates a puzzle with the standard goal.
    pub fn new(start: Board) -> Result<Puzzle, PuzzleError> {
        Puzzle::with_goal(start, Board::ordered(start.size()))
    }

    /// Creates a puzzle with another goal.
    pub fn with_goal(start: Board, goal: Board) -> Result<Puzzle, PuzzleError> {
        let puzzle = Puzzle::unchecked(start, goal)?;
        if start.can_reach(&goal) { Ok(puzzle) } else { Err(PuzzleError::Unsolvable) }
    }

    /// Creates a puzzle without a check that the goal is reachable, for searches that determine this themselves.
    pub fn unchecked(start: Board, goal: Board) -> Result<Puzzle, PuzzleError> {
        if start.size() != goal.size() {
            return Err(PuzzleError::DifferentSizes { board: start.size(), goal: goal.size() });
        }
        let mut homes = [0; Board::MAX_CELLS];
        let mut columns = homes;
        for (cell, &tile) in goal.cells().iter().enumerate() {
            homes[usize::from(tile)] = cell as u8;
            columns[usize::from(tile)] = (cell % goal.size().columns()) as u8;
        }
        let mut distances = [[0; Board::MAX_CELLS]; Board::MAX_CELLS];
        let count = goal.size().cells();
        for (tile, row) in distances.iter_mut().enumerate().take(count) {
            for (cell, steps) in row.iter_mut().enumerate().take(count) {
                *steps = goal.size().distance(cell, usize::from(homes[tile])) as u8;
            }
        }
        Ok(Puzzle { start, goal, homes, columns, distances })
    }

    /// Start board.
    pub fn board(&self) -> &Board {
        &self.start
    }

    /// Goal board.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Manhattan distance from a cell to the goal position of a tile.
    #[inline]
    pub fn distance_home(&self, tile: u8, cell: usize) -> usize {
        usize::from(self.distances[usize::from(tile)][cell])
    }

    /// Returns the puzzle with the same goal and another start. The start must have the same size and reach the goal.
    #[must_use]
    pub fn with_start(&self, start: Board) -> Puzzle {
        Puzzle { start, ..self.clone() }
    }

    /// Column of a tile in the goal.
    #[inline]
    pub(crate) fn column(&self, tile: u8) -> usize {
        usize::from(self.columns[usize::from(tile)])
    }

    /// Cell of a tile in the goal.
    #[inline]
    pub fn home(&self, tile: u8) -> usize {
        usize::from(self.homes[usize::from(tile)])
    }
}

impl Domain for Puzzle {
    type State = Board;
    /// Five bits per cell.
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
        let mut cells = [0; Board::MAX_CELLS];
        for (cell, tile) in cells[..count].iter_mut().enumerate() {
            *tile = (key >> (5 * cell)) as u8 & 31;
        }
        Board::new(self.start.size(), &cells[..count]).unwrap_or(self.goal)
    }

    fn is_goal(&self, state: &Board) -> bool {
        *state == self.goal
    }

    /// Generates the moves, with the winning move first if there is one.
    fn moves(&self, state: &Board, found: &mut Vec<Move>) {
        let wins = self.winning_move(state);
        found.extend(wins);
        found.extend(Move::ALL.into_iter().filter(|&mv| Some(mv) != wins && state.target(mv).is_some()));
    }

    fn apply(&self, state: &mut Board, mv: Move) {
        state.make(mv);
    }

    fn undo(&self, state: &mut Board, mv: Move) {
        state.make(mv.inverse());
    }

    /// The tile on each cell.
    fn variables(&self, state: &Board, values: &mut Vec<u8>) {
        values.extend_from_slice(state.cells());
    }

    fn same_piece(&self, first: Move, second: Move) -> bool {
        second == first.inverse()
    }

    fn winning_move(&self, state: &Board) -> Option<Move> {
        // A goal that is one move away has its blank next to the current one.
        let near = self.start.size().distance(state.blank(), self.goal.blank()) == 1;
        let wins = |mv: &Move| {
            let mut next = *state;
            next.make(*mv) && next == self.goal
        };
        if near { Move::ALL.into_iter().find(wins) } else { None }
    }
}
