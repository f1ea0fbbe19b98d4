//! Boards of sliding tiles, in memory and as text.

use crate::{Move, SyntaxError};
use clearway_util::syntax::truncated;
use rand::RngExt;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Number of rows and columns of a board, 2 to 5 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    rows: u8,
    columns: u8,
}

impl Size {
    /// Maximum number of rows or columns.
    pub const MAX_SIDE: usize = 5;

    /// Number of different sizes.
    const COUNT: usize = (Size::MAX_SIDE - 1) * (Size::MAX_SIDE - 1);

    /// Index among all sizes.
    const fn number(self) -> usize {
        (self.rows() - 2) * (Size::MAX_SIDE - 1) + self.columns() - 2
    }

    /// Creates a size; `None` if a side is not 2 to 5.
    pub const fn new(rows: usize, columns: usize) -> Option<Size> {
        if rows < 2 || rows > Size::MAX_SIDE || columns < 2 || columns > Size::MAX_SIDE {
            return None;
        }
        Some(Size { rows: rows as u8, columns: columns as u8 })
    }

    /// Number of rows.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of columns.
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// Number of cells, one more than the number of tiles.
    pub const fn cells(self) -> usize {
        self.rows() * self.columns()
    }

    /// Manhattan distance between two cells.
    #[inline]
    pub fn distance(self, a: usize, b: usize) -> usize {
        let columns = self.columns();
        (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns)
    }

    /// Returns the size with this number of cells that is closest to a square, with at least as many columns as rows.
    fn from_cell_count(cells: usize) -> Option<Size> {
        (2..=Size::MAX_SIDE).rev().filter(|rows| cells.is_multiple_of(*rows)).find_map(|rows| {
            let columns = cells / rows;
            if rows <= columns { Size::new(rows, columns) } else { None }
        })
    }
}

impl fmt::Display for Size {
    /// Prints columns x rows, like all board sizes in this project.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// Marks a target outside of the board.
const OUTSIDE: u8 = u8::MAX;

/// For each size, the cell that the blank reaches from each cell by each of [`Move::ALL`]. Evaluating programs takes billions of
/// moves, and a division would cost more than the rest of a move.
static BLANK_TARGETS: [[[u8; 4]; Board::MAX_CELLS]; Size::COUNT] = {
    let mut steps = [[[OUTSIDE; 4]; Board::MAX_CELLS]; Size::COUNT];
    let mut rows = 2;
    while rows <= Size::MAX_SIDE {
        let mut columns = 2;
        while columns <= Size::MAX_SIDE {
            let number = Size { rows: rows as u8, columns: columns as u8 }.number();
            let mut cell = 0;
            while cell < rows * columns {
                let to = &mut steps[number][cell];
                if cell >= columns {
                    to[Move::Up as usize] = (cell - columns) as u8;
                }
                if cell + columns < rows * columns {
                    to[Move::Down as usize] = (cell + columns) as u8;
                }
                if cell % columns > 0 {
                    to[Move::Left as usize] = cell as u8 - 1;
                }
                if cell % columns < columns - 1 {
                    to[Move::Right as usize] = cell as u8 + 1;
                }
                cell += 1;
            }
            columns += 1;
        }
        rows += 1;
    }
    steps
};

/// A board: the position of each tile and of the blank.
///
/// ```
/// use clearway_tiles::Board;
/// let board = Board::parse("8 6 7 / 2 5 4 / 3 _ 1")?;
/// assert_eq!(board, Board::parse("867254301")?);
/// assert_eq!(board.to_string(), "867254301");
/// assert_eq!(Board::parse("123456788").unwrap_err().message, "duplicate tile 8");
/// # Ok::<(), clearway_tiles::SyntaxError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    blank: u8,
    /// Tile in each cell, row by row; 0 is the blank.
    cells: [u8; Board::MAX_CELLS],
}

impl Board {
    /// Number of cells of the largest board.
    pub const MAX_CELLS: usize = Size::MAX_SIDE * Size::MAX_SIDE;

    /// Creates a board from its tiles, row by row; `None` if they are not a permutation of 0, 1, 2 and so on.
    pub fn new(size: Size, tiles: &[u8]) -> Option<Board> {
        let complete = tiles.len() == size.cells() && (0..tiles.len()).all(|tile| tiles.contains(&(tile as u8)));
        let blank = tiles.iter().position(|&tile| tile == 0)? as u8;
        complete.then(|| {
            let mut cells = [0; Board::MAX_CELLS];
            cells[..tiles.len()].copy_from_slice(tiles);
            Board { size, blank, cells }
        })
    }

    /// Returns the standard goal: the tiles in order, the blank last.
    pub fn ordered(size: Size) -> Board {
        let last = size.cells() - 1;
        let mut cells = [0; Board::MAX_CELLS];
        for (cell, tile) in cells[..last].iter_mut().zip(1..) {
            *cell = tile;
        }
        Board { size, blank: last as u8, cells }
    }

    /// Returns a random board from which the goal is reachable, uniformly distributed.
    pub fn random(goal: &Board, rng: &mut impl rand::Rng) -> Board {
        let mut board = *goal;
        let count = goal.size.cells();
        for place in 0..count - 1 {
            let other = rng.random_range(place..count);
            board.cells.swap(place, other);
        }
        board.blank = board.cells[..count].iter().position(|&tile| tile == 0).unwrap_or(0) as u8;
        if !board.can_reach(goal) {
            // Swapping two tiles, neither of them the blank, changes the parity.
            let mut tiles = (0..count).filter(|&cell| cell != usize::from(board.blank));
            if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
                board.cells.swap(a, b);
            }
        }
        board
    }

    /// Parses a board: one character per tile (`867254301`, with letters from 10 on: `a` is 10), or numbers separated by spaces
    /// or commas. Rows may be separated by line breaks or `/`. The blank is `0` or `_`.
    pub fn parse(text: &str) -> Result<Board, SyntaxError> {
        BoardParser { text }.parse()
    }

    /// Size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Tiles, row by row; 0 is the blank.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..self.size.cells()]
    }

    /// Cell of the blank.
    #[inline]
    pub fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    /// Returns the cell that the blank reaches by a move; `None` if the move would leave the board.
    #[inline]
    pub fn target(&self, mv: Move) -> Option<usize> {
        let target = BLANK_TARGETS[self.size.number()][self.blank()][mv as usize];
        (target != OUTSIDE).then_some(usize::from(target))
    }

    /// Makes a move and returns true; returns false and changes nothing if the move is impossible.
    #[inline]
    pub fn make(&mut self, mv: Move) -> bool {
        let Some(target) = self.target(mv) else { return false };
        self.cells[self.blank()] = self.cells[target];
        self.cells[target] = 0;
        self.blank = target as u8;
        true
    }

    /// Whether `goal` is reachable from this board. A move changes both the parity of the permutation and that of the blank's
    /// distance, so the parity of their sum is invariant (Johnson and Story, 1879).
    pub fn can_reach(&self, goal: &Board) -> bool {
        if self.size != goal.size {
            return false;
        }
        let mut homes = [0; Board::MAX_CELLS];
        for (cell, &tile) in goal.cells().iter().enumerate() {
            homes[usize::from(tile)] = cell;
        }
        let mut seen = [false; Board::MAX_CELLS];
        let mut even = true;
        for first in 0..self.size.cells() {
            let mut cell = first;
            let mut length = 0;
            while !std::mem::replace(&mut seen[cell], true) {
                cell = homes[usize::from(self.cells[cell])];
                length += 1;
            }
            even ^= length > 0 && length % 2 == 0;
        }
        even == self.size.distance(self.blank(), goal.blank()).is_multiple_of(2)
    }
}

impl fmt::Display for Board {
    /// Prints one character per tile, with letters from 10 on, or rows of numbers if that would parse as a different size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if Size::from_cell_count(self.cells().len()) != Some(self.size) {
            let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
            return f.write_str(&self.cells().chunks(self.size.columns()).map(row).collect::<Vec<_>>().join(" / "));
        }
        self.cells().iter().try_for_each(|&tile| {
            let digit = char::from_digit(u32::from(tile), 36).unwrap_or('?');
            write!(f, "{digit}")
        })
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

impl FromStr for Board {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Board, SyntaxError> {
        Board::parse(text)
    }
}

/// Parser of the text of a board.
struct BoardParser<'a> {
    text: &'a str,
}

/// A tile and its range of bytes in the text.
struct TileToken {
    tile: u8,
    span: Range<usize>,
}

const HELP: &str = "write the tiles row by row, the blank as 0 or _: 867254301, or 8 6 7 / 2 5 4 / 3 0 1";

impl BoardParser<'_> {
    fn parse(&self) -> Result<Board, SyntaxError> {
        let mut rows: Vec<Vec<TileToken>> = Vec::new();
        let mut start = 0;
        for line in self.text.split(['\n', '/']) {
            let span = start..start + line.len();
            let row = self.row(span.clone())?;
            start += line.len() + 1;
            if !row.is_empty() {
                rows.push(row);
            }
            if rows.len() > Board::MAX_CELLS {
                return Err(error(span, "too many rows"));
            }
        }
        let size = self.size(&rows)?;
        let found: Vec<TileToken> = rows.into_iter().flatten().collect();
        for (number, TileToken { tile, span }) in found.iter().enumerate() {
            let most = size.cells() - 1;
            if usize::from(*tile) > most {
                let message = format!("tile {tile} is too large; a {size} board has tiles 1 to {most}");
                return Err(error(span.clone(), message));
            }
            if found[..number].iter().any(|other| other.tile == *tile) {
                let what = if *tile == 0 { "blank".to_owned() } else { format!("tile {tile}") };
                return Err(error(span.clone(), format!("duplicate {what}")));
            }
        }
        let tiles: Vec<u8> = found.iter().map(|found| found.tile).collect();
        Board::new(size, &tiles).ok_or_else(|| error(0..self.text.len(), "missing tiles"))
    }

    /// Parses the tiles in a range of the text.
    fn row(&self, span: Range<usize>) -> Result<Vec<TileToken>, SyntaxError> {
        let mut row = Vec::new();
        let line = &self.text[span.clone()];
        let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
        let words: Vec<&str> = line.split(is_gap).filter(|word| !word.is_empty()).collect();
        // A single long word has one character per tile; otherwise each word is a number.
        let alone = words.len() == 1 && words[0].chars().count() > 2;
        for word in words {
            let at = span.start + (word.as_ptr() as usize - line.as_ptr() as usize);
            if alone {
                for (place, character) in word.char_indices() {
                    let span = at + place..at + place + character.len_utf8();
                    let digit = character.to_digit(36).filter(|&digit| digit < Board::MAX_CELLS as u32);
                    let tile = if character == '_' { Some(0) } else { digit };
                    let tile = tile.ok_or_else(|| error(span.clone(), format!("'{character}' is not a tile")))?;
                    row.push(TileToken { tile: tile as u8, span });
                }
            } else {
                let span = at..at + word.len();
                let number = word.parse::<u8>().ok().filter(|&tile| usize::from(tile) < Board::MAX_CELLS);
                let tile = if word == "_" { Some(0) } else { number };
                let tile = tile.ok_or_else(|| error(span.clone(), format!("'{}' is not a tile", truncated(word))))?;
                row.push(TileToken { tile, span });
            }
            if row.len() > Board::MAX_CELLS {
                return Err(error(span, "too many tiles; a board has at most 5x5 cells"));
            }
        }
        Ok(row)
    }

    fn size(&self, rows: &[Vec<TileToken>]) -> Result<Size, SyntaxError> {
        let whole = 0..self.text.len();
        match rows {
            [] => Err(error(whole, "the board has no tiles")),
            [row] => Size::from_cell_count(row.len())
                .ok_or_else(|| error(whole, format!("{} tiles do not fill a board of 2x2 to 5x5 cells", row.len()))),
            [first, others @ ..] => {
                if let Some(row) = others.iter().find(|row| row.len() != first.len()) {
                    let span = row[0].span.start..row[row.len() - 1].span.end;
                    let message = format!("this row has {} tiles, but the first row has {}", row.len(), first.len());
                    return Err(error(span, message));
                }
                Size::new(rows.len(), first.len()).ok_or_else(|| {
                    let message = format!("unsupported board size: {} rows of {} tiles", rows.len(), first.len());
                    error(whole, message).with_help("a board has 2 to 5 rows and columns")
                })
            }
        }
    }
}

/// Creates an error with the general help.
fn error(span: Range<usize>, message: impl Into<String>) -> SyntaxError {
    SyntaxError::new(span, message).with_help(HELP)
}
