//! The moves of the blank, their text form, and the independent replay.

use crate::{Board, SyntaxError};
use std::fmt;
use std::ops::Range;

/// A move of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Move {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
}

impl Move {
    /// All moves.
    pub const ALL: [Move; 4] = [Move::Up, Move::Down, Move::Left, Move::Right];

    /// Returns the move that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Move {
        match self {
            Move::Up => Move::Down,
            Move::Down => Move::Up,
            Move::Left => Move::Right,
            Move::Right => Move::Left,
        }
    }

    /// Returns the letter of the move: u, d, l or r.
    pub const fn letter(self) -> char {
        match self {
            Move::Up => 'u',
            Move::Down => 'd',
            Move::Left => 'l',
            Move::Right => 'r',
        }
    }

    /// Returns the move of a letter, in lower or upper case.
    pub const fn from_letter(letter: char) -> Option<Move> {
        match letter {
            'u' | 'U' => Some(Move::Up),
            'd' | 'D' => Some(Move::Down),
            'l' | 'L' => Some(Move::Left),
            'r' | 'R' => Some(Move::Right),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// Formats moves as a word such as `lur`.
pub fn text(moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.letter()).collect()
}

/// Parses a word of moves; spaces and commas between moves are ignored.
///
/// ```
/// use clearway_tiles::{Move, moves};
/// assert_eq!(moves::parse("l, u r")?, [Move::Left, Move::Up, Move::Right]);
/// assert_eq!(moves::parse("lux").unwrap_err().message, "'x' is not a move");
/// # Ok::<(), clearway_tiles::SyntaxError>(())
/// ```
pub fn parse(text: &str) -> Result<Vec<Move>, SyntaxError> {
    letters(text)
        .map(|(at, letter)| {
            Move::from_letter(letter).ok_or_else(|| {
                SyntaxError::new(at..at + letter.len_utf8(), format!("'{letter}' is not a move"))
                    .with_help("expected u (up), d (down), l (left) or r (right)")
            })
        })
        .collect()
}

/// Returns the range of bytes of the move with this index; the end of the text if there are fewer moves.
pub fn place(text: &str, number: usize) -> Range<usize> {
    letters(text).nth(number).map_or(text.len()..text.len(), |(at, letter)| at..at + letter.len_utf8())
}

/// Iterates over the letters of moves with their byte positions.
fn letters(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != ',')
}

/// Returns the board after the moves, or the index of the first impossible move.
///
/// Solutions are verified with this function. It shares no code with the solvers: it moves tiles in rows and columns.
pub fn replay(board: &Board, moves: &[Move]) -> Result<Board, usize> {
    let size = board.size();
    let mut rows: Vec<Vec<u8>> = board.cells().chunks(size.columns()).map(<[u8]>::to_vec).collect();
    for (number, mv) in moves.iter().enumerate() {
        let blank = rows.iter().enumerate().find_map(|(y, row)| row.iter().position(|&tile| tile == 0).map(|x| (x, y)));
        let (x, y) = blank.ok_or(number)?;
        let (dx, dy): (isize, isize) = match mv {
            Move::Up => (0, -1),
            Move::Down => (0, 1),
            Move::Left => (-1, 0),
            Move::Right => (1, 0),
        };
        let (to_x, to_y) = (x.checked_add_signed(dx).ok_or(number)?, y.checked_add_signed(dy).ok_or(number)?);
        let tile = *rows.get(to_y).and_then(|row| row.get(to_x)).ok_or(number)?;
        rows[to_y][to_x] = 0;
        rows[y][x] = tile;
    }
    Board::new(size, &rows.concat()).ok_or(moves.len())
}
