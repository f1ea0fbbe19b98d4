//! Boards inside larger boards: surrounded by empty cells, or by vehicles that cannot move.

use super::draft::Draft;
use crate::Shape;
use clearway_rush::{Board, Orientation, Vehicle, labels};
use clearway_util::rng::Rng;
use rand::RngExt;

/// Why a board cannot be wrapped into a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages describe the fields
#[non_exhaustive]
pub enum WrapError {
    #[error("a board of {width}x{height} does not fit into one of {into_width}x{into_height}")]
    TooLarge { width: u8, height: u8, into_width: u8, into_height: u8 },
    #[error("the exit of the board is {exit}; expected {expected}")]
    OtherExit { exit: clearway_rush::Exit, expected: clearway_rush::Exit },
    #[error(
        "the target of a board of {width}x{height} cannot be moved from line {line} to line {expected}: the border is too narrow"
    )]
    LineOutOfReach { width: u8, height: u8, line: u8, expected: u8 },
}

/// Surrounds a board with a border of empty cells. The board is centred along the target's line; across it, the line of the
/// target determines its position.
pub(super) fn wrap(shape: Shape, board: &Board) -> Result<Board, WrapError> {
    let place = Place::new(shape, board, |spare| spare / 2)?;
    place.board(shape, board, Vec::new())
}

/// Surrounds a board with rows and columns full of vehicles, none of which can ever move. The component of the result is that of
/// the board: the new vehicles keep the others inside, and the target leaves through the exit as before. Fails if the board
/// does not fit into the shape, or cannot be moved to its edge.
pub(super) fn seal(shape: Shape, board: &Board, rng: &mut Rng) -> Result<Board, WrapError> {
    // The board touches the edge with the exit.
    let place = Place::new(shape, board, |spare| if shape.side().is_forward() { spare } else { 0 })?;
    let (right, down) = (place.right, place.down);
    let (inner_columns, inner_rows) = (right..right + board.width(), down..down + board.height());
    let mut border = Vec::new();
    // Lines along the target's line are full from edge to edge; those across it are as long as the board, which leaves no gap
    // at the corners.
    for y in (0..shape.height()).filter(|y| !inner_rows.contains(y)) {
        let cells = if shape.side().orientation() == Orientation::Horizontal {
            0..shape.width()
        } else {
            inner_columns.clone()
        };
        border.extend(full_line(Orientation::Horizontal, y, cells, rng));
    }
    for x in (0..shape.width()).filter(|x| !inner_columns.contains(x)) {
        let cells =
            if shape.side().orientation() == Orientation::Horizontal { inner_rows.clone() } else { 0..shape.height() };
        border.extend(full_line(Orientation::Vertical, x, cells, rng));
    }
    place.board(shape, board, border)
}

/// Returns vehicles that fill a run of at least two cells of a line.
fn full_line(orientation: Orientation, line: u8, cells: std::ops::Range<u8>, rng: &mut Rng) -> Vec<Vehicle> {
    let (mut vehicles, mut position) = (Vec::new(), cells.start);
    while position < cells.end {
        let left = cells.end - position;
        let length = match left {
            2 | 4 => 2,
            3 => 3,
            _ => rng.random_range(2..=3),
        };
        vehicles.push(Vehicle { label: 'B', x: line, y: line, length, orientation }.at(position));
        position += length;
    }
    vehicles
}

/// Position of a board inside a larger one.
struct Place {
    right: u8,
    down: u8,
}

impl Place {
    /// Finds the place of a board: across the target's line from the lines of the targets, along it by `along`, given the number
    /// of additional cells.
    fn new(shape: Shape, board: &Board, along: impl Fn(u8) -> u8) -> Result<Place, WrapError> {
        let (width, height, line) = (board.width(), board.height(), board.exit_line());
        let (into_width, into_height, expected) = (shape.width(), shape.height(), shape.line());
        let (Some(spare_width), Some(spare_height)) = (into_width.checked_sub(width), into_height.checked_sub(height))
        else {
            return Err(WrapError::TooLarge { width, height, into_width, into_height });
        };
        if board.exit() != shape.exit() {
            return Err(WrapError::OtherExit { exit: board.exit(), expected: shape.exit() });
        }
        let is_row = shape.side().orientation() == Orientation::Horizontal;
        let spare = if is_row { spare_height } else { spare_width };
        let across = expected.checked_sub(line).filter(|&across| across <= spare);
        let across = across.ok_or(WrapError::LineOutOfReach { width, height, line, expected })?;
        let (right, down) = if is_row { (along(spare_width), across) } else { (across, along(spare_height)) };
        Ok(Place { right, down })
    }

    /// Returns the larger board, with more vehicles after those of the board.
    fn board(&self, shape: Shape, board: &Board, border: Vec<Vehicle>) -> Result<Board, WrapError> {
        let (width, height, into_width, into_height) = (board.width(), board.height(), shape.width(), shape.height());
        let too_large = WrapError::TooLarge { width, height, into_width, into_height };
        let walls = board.walls().iter().map(|(x, y)| (x + self.right, y + self.down)).collect();
        let moved = |vehicle: &Vehicle| Vehicle { x: vehicle.x + self.right, y: vehicle.y + self.down, ..*vehicle };
        let vehicles: Vec<Vehicle> = board.vehicles().iter().map(moved).chain(border).collect();
        if vehicles.len() > labels().len() {
            return Err(too_large);
        }
        Draft::new(shape, walls, vehicles).board().map_err(|_| too_large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{minimal, turn};
    use clearway_rush::suites::Suite;
    use clearway_rush::{Metric, Side, Solver};
    use clearway_search::Limits;
    use clearway_util::rng::stream;

    #[test]
    fn a_sealed_board_has_the_component_of_the_board() {
        let (mut solver, limits, mut rng) = (Solver::new(), Limits::default(), stream(1, 0));
        let cards = Suite::find("cards").unwrap().puzzles();
        for (card, side) in [(0, Side::Right), (7, Side::Left), (11, Side::Top), (22, Side::Bottom)] {
            let board = turn::facing(&cards[card].board, side);
            let inner = solver.hardest(&board, Metric::Moves, &limits).unwrap();
            for more in 1..=4 {
                let line = board.exit_line() + more / 2;
                let shape = Shape::new(6 + more, 6 + more, side, Some(line), 0).unwrap();
                let sealed = seal(shape, &board, &mut rng).unwrap();
                let cells: usize = sealed.vehicles()[board.vehicles().len()..].iter().map(|v| v.length as usize).sum();
                assert_eq!(cells, usize::from((6 + more) * (6 + more) - 36), "the border is full");
                let outer = solver.hardest(&sealed, Metric::Moves, &limits).unwrap();
                assert_eq!((outer.states, outer.depth), (inner.states, inner.depth), "{side:?} {more}");
            }
        }
    }

    /// The border of a sealed board has few gaps, so its component is small enough to be enumerated state by state.
    #[test]
    fn the_contracted_enumeration_of_large_boards_finds_every_state() {
        let (mut solver, limits, mut rng) = (Solver::new(), Limits::default(), stream(2, 0));
        let cards = Suite::find("cards").unwrap().puzzles();
        let mut larger = 0;
        for (card, size) in [(0, 9), (4, 9), (9, 10), (14, 10), (20, 9), (24, 10)] {
            let board = &cards[card].board;
            let shape = Shape::new(size, size, Side::Right, Some(4), 0).unwrap();
            let sealed = seal(shape, board, &mut rng).unwrap();
            let last = sealed.vehicles().len() - 1;
            let open = minimal::without(&sealed, last).unwrap();
            let hardest = solver.hardest(&open, Metric::Moves, &limits).unwrap();
            let facts = solver.analyze(&open, Metric::Moves, &limits);
            assert_eq!((hardest.states, Some(hardest.depth)), (facts.states, facts.depth));
            assert_eq!(open.with_positions(&hardest.way[0]).ok(), facts.farthest);
            larger += u32::from(hardest.states > solver.analyze(board, Metric::Moves, &limits).states);
        }
        assert!(larger >= 3, "gaps in the border add states");
    }

    #[test]
    fn boards_that_do_not_fit_are_rejected() {
        let card = &Suite::find("cards").unwrap().puzzles()[0].board;
        let seal_into = |shape: Shape| seal(shape, card, &mut stream(0, 0)).map(|_| ());
        let shape = |side, exit, line| Shape::new(side, side, exit, line, 0).unwrap();
        assert!(matches!(seal_into(shape(5, Side::Right, None)), Err(WrapError::TooLarge { .. })));
        assert!(matches!(seal_into(shape(8, Side::Left, None)), Err(WrapError::OtherExit { .. })));
        assert!(matches!(seal_into(shape(8, Side::Right, Some(7))), Err(WrapError::LineOutOfReach { .. })));
        assert_eq!(seal_into(shape(16, Side::Right, None)), Ok(()));
    }
}
