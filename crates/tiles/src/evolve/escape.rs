//! Searches for macros that improve a board.

use crate::program::Execution;
use crate::program::measure::Measure;
use crate::{Board, Move, Puzzle};

/// Number of boards to visit in the search for a shortcut.
const SHORTCUT_REACH: usize = 3_000;
/// Maximum number of moves of a macro that keeps tiles in order.
const MAX_ORDERED_MOVES: usize = 40;

/// Finds a shortest path from a board to a better one.
pub(super) fn escape_macro(puzzle: &Puzzle, measure: &Measure, reach: usize) -> Option<Vec<Move>> {
    let here = measure.evaluate(puzzle, puzzle.board());
    let neighbourhood = Neighbourhood::new(puzzle, reach, |board| measure.evaluate(puzzle, board) < here);
    neighbourhood.found.map(|index| neighbourhood.path(index))
}

/// Finds a shortest path from a board to a better one where all tiles before the first misplaced one are in place again. Such a
/// path depends on few tiles, so it helps on many boards; and the search is much deeper than a breadth-first one, because each tile
/// that left its place has to return.
pub(super) fn ordered_macro(puzzle: &Puzzle, measure: &Measure, reach: usize) -> Option<Vec<Move>> {
    let board = *puzzle.board();
    let homes = |tile: &u8| board.cells()[puzzle.home(*tile)] == *tile;
    let first = (1..board.size().cells() as u8).find(|tile| !homes(tile))?;
    let here = measure.evaluate(puzzle, &board);
    let mut search = OrderedSearch { puzzle, measure, first, here, left: reach, moves: Vec::new() };
    for depth in 1..=MAX_ORDERED_MOVES {
        match search.visit(board, 0, depth) {
            OrderedSearchOutcome::Found => return Some(search.moves),
            OrderedSearchOutcome::Exhausted => {}
            OrderedSearchOutcome::Limit => return None,
        }
    }
    None
}

/// Iterative deepening with the distances of the tiles that must return as lower bound.
struct OrderedSearch<'a> {
    puzzle: &'a Puzzle,
    measure: &'a Measure,
    /// Tiles with lower numbers must be in place at the end.
    first: u8,
    /// Measure of the start board.
    here: f64,
    /// Number of boards that may still be visited.
    left: usize,
    moves: Vec<Move>,
}

enum OrderedSearchOutcome {
    Found,
    Exhausted,
    Limit,
}

impl OrderedSearch<'_> {
    /// Searches all paths of exactly `depth` more moves. `away` is the sum of the distances of the tiles that must return.
    fn visit(&mut self, board: Board, away: usize, depth: usize) -> OrderedSearchOutcome {
        if depth == 0 {
            let better = self.measure.evaluate(self.puzzle, &board) < self.here;
            return if better { OrderedSearchOutcome::Found } else { OrderedSearchOutcome::Exhausted };
        }
        let back = self.moves.last().map(|mv| mv.inverse());
        for mv in Move::ALL.into_iter().filter(|&mv| Some(mv) != back) {
            let Some(target) = board.target(mv) else { continue };
            let tile = board.cells()[target];
            let mut away = away;
            if tile < self.first {
                away += self.puzzle.distance_home(tile, board.blank());
                away -= self.puzzle.distance_home(tile, target);
            }
            if away > depth - 1 {
                continue;
            }
            if self.left == 0 {
                return OrderedSearchOutcome::Limit;
            }
            self.left -= 1;
            let mut next = board;
            next.make(mv);
            self.moves.push(mv);
            match self.visit(next, away, depth - 1) {
                OrderedSearchOutcome::Exhausted => {}
                end => return end,
            }
            self.moves.pop();
        }
        OrderedSearchOutcome::Exhausted
    }
}

/// Finds the path from the middle of a solution to the best board nearby.
pub(super) fn shortcut_macro(run: &Execution, puzzle: &Puzzle, measure: &Measure) -> Option<Vec<Move>> {
    let mut board = *puzzle.board();
    for &mv in &run.moves[..run.moves.len() / 2] {
        board.make(mv);
    }
    let neighbourhood = Neighbourhood::new(&puzzle.with_start(board), SHORTCUT_REACH, |_| false);
    let value = |index: &usize| measure.evaluate(puzzle, &neighbourhood.boards[*index].board);
    let best = (0..neighbourhood.boards.len()).min_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some(neighbourhood.path(best)).filter(|moves| !moves.is_empty())
}

/// Boards around a board in breadth-first order.
struct Neighbourhood {
    boards: Vec<VisitedBoard>,
    /// Index of the board that was searched for.
    found: Option<usize>,
}

#[derive(Clone, Copy)]
struct VisitedBoard {
    board: Board,
    /// Index of the previous board and the move from there; `None` for the first board.
    before: Option<(usize, Move)>,
}

impl Neighbourhood {
    /// Visits boards until one is `wanted` or `max_boards` have been visited. Duplicates are not detected, except for moves
    /// straight back: the shortest cycle has twelve moves, so few boards are visited twice.
    fn new(puzzle: &Puzzle, max_boards: usize, mut wanted: impl FnMut(&Board) -> bool) -> Neighbourhood {
        let mut neighbourhood =
            Neighbourhood { boards: vec![VisitedBoard { board: *puzzle.board(), before: None }], found: None };
        let mut next = 0;
        while neighbourhood.boards.len() < max_boards {
            let VisitedBoard { board, before } = neighbourhood.boards[next];
            let back = before.map(|(_, mv)| mv.inverse());
            for mv in Move::ALL.into_iter().filter(|&mv| Some(mv) != back) {
                let mut board = board;
                if !board.make(mv) {
                    continue;
                }
                neighbourhood.boards.push(VisitedBoard { board, before: Some((next, mv)) });
                if wanted(&board) {
                    neighbourhood.found = Some(neighbourhood.boards.len() - 1);
                    return neighbourhood;
                }
            }
            next += 1;
        }
        neighbourhood
    }

    /// Returns the moves that lead to the board at an index.
    fn path(&self, mut index: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, mv)) = self.boards[index].before {
            moves.push(mv);
            index = before;
        }
        moves.reverse();
        moves
    }
}
