//! Tiles in a frame, as text and in memory.

use crate::{Fault, Move};
use rand::RngExt;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The sides of a frame, 2 to 5 cells each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    rows: u8,
    columns: u8,
}

impl Size {
    /// The longest side.
    pub const MOST: usize = 5;

    /// How many sizes there are.
    const COUNT: usize = (Size::MOST - 1) * (Size::MOST - 1);

    /// Its number among all sizes.
    const fn number(self) -> usize {
        (self.rows() - 2) * (Size::MOST - 1) + self.columns() - 2
    }

    /// A frame of so many rows and columns; none if a side is not 2 to 5.
    pub const fn new(rows: usize, columns: usize) -> Option<Size> {
        if rows < 2 || rows > Size::MOST || columns < 2 || columns > Size::MOST {
            return None;
        }
        Some(Size { rows: rows as u8, columns: columns as u8 })
    }

    /// Its rows.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Its columns.
    pub const fn columns(self) -> usize {
        self.columns as usize
    }

    /// Its cells, one more than there are tiles.
    pub const fn cells(self) -> usize {
        self.rows() * self.columns()
    }

    /// The steps from one cell to another, along rows and columns.
    #[inline]
    pub fn distance(self, a: usize, b: usize) -> usize {
        let columns = self.columns();
        (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns)
    }

    /// The size of a frame with so many cells that is most like a square, with more columns than rows.
    fn of_cells(cells: usize) -> Option<Size> {
        (2..=Size::MOST).rev().filter(|rows| cells.is_multiple_of(*rows)).find_map(|rows| {
            let columns = cells / rows;
            if rows <= columns { Size::new(rows, columns) } else { None }
        })
    }
}

impl fmt::Display for Size {
    /// Columns first, as all boards of this project.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// What stands for a cell outside of the frame.
const OUTSIDE: u8 = u8::MAX;

/// Where the blank comes from a cell by each of [`Move::ALL`], for frames of all sizes: programs are judged by billions of
/// moves, and a division costs more than all the rest of one.
static STEPS: [[[u8; 4]; Board::MOST_CELLS]; Size::COUNT] = {
    let mut steps = [[[OUTSIDE; 4]; Board::MOST_CELLS]; Size::COUNT];
    let mut rows = 2;
    while rows <= Size::MOST {
        let mut columns = 2;
        while columns <= Size::MOST {
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

/// Where each tile lies.
///
/// ```
/// use clearway_tiles::Board;
/// let board = Board::parse("8 6 7 / 2 5 4 / 3 _ 1")?;
/// assert_eq!(board, Board::parse("867254301")?);
/// assert_eq!(board.to_string(), "867254301");
/// assert_eq!(Board::parse("123456788").unwrap_err().message, "tile 8 is there twice");
/// # Ok::<(), clearway_tiles::Fault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    blank: u8,
    /// The tile in each cell, row by row; 0 is the blank.
    cells: [u8; Board::MOST_CELLS],
}

impl Board {
    /// The cells of the largest frame.
    pub const MOST_CELLS: usize = Size::MOST * Size::MOST;

    /// The board with these tiles, row by row; none if they are not 0, 1, 2 and so on in some order.
    pub fn new(size: Size, tiles: &[u8]) -> Option<Board> {
        let complete = tiles.len() == size.cells() && (0..tiles.len()).all(|tile| tiles.contains(&(tile as u8)));
        let blank = tiles.iter().position(|&tile| tile == 0)? as u8;
        complete.then(|| {
            let mut cells = [0; Board::MOST_CELLS];
            cells[..tiles.len()].copy_from_slice(tiles);
            Board { size, blank, cells }
        })
    }

    /// The usual goal: the tiles in order, the blank last.
    pub fn ordered(size: Size) -> Board {
        let last = size.cells() - 1;
        let mut cells = [0; Board::MOST_CELLS];
        for (cell, tile) in cells[..last].iter_mut().zip(1..) {
            *cell = tile;
        }
        Board { size, blank: last as u8, cells }
    }

    /// A random board from which the goal can be reached, each as likely as the other.
    pub fn random(goal: &Board, rng: &mut impl rand::Rng) -> Board {
        let mut board = *goal;
        let count = goal.size.cells();
        for place in 0..count - 1 {
            let other = rng.random_range(place..count);
            board.cells.swap(place, other);
        }
        board.blank = board.cells[..count].iter().position(|&tile| tile == 0).unwrap_or(0) as u8;
        if !board.reaches(goal) {
            // Two tiles that change places change the parity; the blank is neither.
            let mut tiles = (0..count).filter(|&cell| cell != usize::from(board.blank));
            if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
                board.cells.swap(a, b);
            }
        }
        board
    }

    /// Reads a board: the tiles one after the other (`867254301`, from 10 on as letters: `a` is 10), or as numbers
    /// between spaces or commas; rows may end with a line break or with `/`. The blank is `0` or `_`.
    pub fn parse(text: &str) -> Result<Board, Fault> {
        Reader { text }.read()
    }

    /// The size of the frame.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The tiles, row by row; 0 is the blank.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..self.size.cells()]
    }

    /// The cell of the blank.
    #[inline]
    pub fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    /// Where the blank comes from a move; none if the frame is in the way.
    #[inline]
    pub fn target(&self, mv: Move) -> Option<usize> {
        let target = STEPS[self.size.number()][self.blank()][mv as usize];
        (target != OUTSIDE).then_some(usize::from(target))
    }

    /// Makes a move, and says whether it was possible; else nothing changes.
    #[inline]
    pub fn make(&mut self, mv: Move) -> bool {
        let Some(target) = self.target(mv) else { return false };
        self.cells[self.blank()] = self.cells[target];
        self.cells[target] = 0;
        self.blank = target as u8;
        true
    }

    /// Whether moves lead from here to another board: a move changes the parity of the order of the tiles and that of
    /// the blank's distance, so that their sum never changes (Johnson and Story, 1879).
    pub fn reaches(&self, goal: &Board) -> bool {
        if self.size != goal.size {
            return false;
        }
        let mut seats = [0; Board::MOST_CELLS];
        for (cell, &tile) in goal.cells().iter().enumerate() {
            seats[usize::from(tile)] = cell;
        }
        let mut seen = [false; Board::MOST_CELLS];
        let mut even = true;
        for first in 0..self.size.cells() {
            let mut cell = first;
            let mut length = 0;
            while !std::mem::replace(&mut seen[cell], true) {
                cell = seats[usize::from(self.cells[cell])];
                length += 1;
            }
            even ^= length > 0 && length % 2 == 0;
        }
        even == self.size.distance(self.blank(), goal.blank()).is_multiple_of(2)
    }
}

impl fmt::Display for Board {
    /// On one line: digits, and letters from 10 on; or where that would be read as a board of another size, rows of numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if Size::of_cells(self.cells().len()) != Some(self.size) {
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
    type Err = Fault;

    fn from_str(text: &str) -> Result<Board, Fault> {
        Board::parse(text)
    }
}

/// Reads the text of a board.
struct Reader<'a> {
    text: &'a str,
}

/// A tile of the text.
struct Found {
    tile: u8,
    span: Range<usize>,
}

const HELP: &str = "write the tiles row by row, the blank as 0 or _: 867254301, or 8 6 7 / 2 5 4 / 3 0 1";

impl Reader<'_> {
    fn read(&self) -> Result<Board, Fault> {
        let mut rows: Vec<Vec<Found>> = Vec::new();
        let mut start = 0;
        for line in self.text.split(['\n', '/']) {
            let span = start..start + line.len();
            let row = self.row(span.clone())?;
            start += line.len() + 1;
            if !row.is_empty() {
                rows.push(row);
            }
            if rows.len() > Board::MOST_CELLS {
                return Err(self.fault(span, "there are too many rows"));
            }
        }
        let size = self.size(&rows)?;
        let found: Vec<Found> = rows.into_iter().flatten().collect();
        for (number, Found { tile, span }) in found.iter().enumerate() {
            let most = size.cells() - 1;
            if usize::from(*tile) > most {
                let message = format!("tile {tile} is too large: a board of {size} has the tiles 1 to {most}");
                return Err(self.fault(span.clone(), message));
            }
            if found[..number].iter().any(|other| other.tile == *tile) {
                let what = if *tile == 0 { "the blank".to_owned() } else { format!("tile {tile}") };
                return Err(self.fault(span.clone(), format!("{what} is there twice")));
            }
        }
        let tiles: Vec<u8> = found.iter().map(|found| found.tile).collect();
        Board::new(size, &tiles).ok_or_else(|| self.fault(0..self.text.len(), "tiles are missing"))
    }

    /// The tiles in a part of the text.
    fn row(&self, span: Range<usize>) -> Result<Vec<Found>, Fault> {
        let mut row = Vec::new();
        let line = &self.text[span.clone()];
        let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
        let words: Vec<&str> = line.split(is_gap).filter(|word| !word.is_empty()).collect();
        // One long word is a row of tiles of one character each; words are numbers.
        let alone = words.len() == 1 && words[0].chars().count() > 2;
        for word in words {
            let at = span.start + (word.as_ptr() as usize - line.as_ptr() as usize);
            if alone {
                for (place, character) in word.char_indices() {
                    let span = at + place..at + place + character.len_utf8();
                    let digit = character.to_digit(36).filter(|&digit| digit < Board::MOST_CELLS as u32);
                    let tile = if character == '_' { Some(0) } else { digit };
                    let tile = tile.ok_or_else(|| self.fault(span.clone(), format!("'{character}' is no tile")))?;
                    row.push(Found { tile: tile as u8, span });
                }
            } else {
                let span = at..at + word.len();
                let number = word.parse::<u8>().ok().filter(|&tile| usize::from(tile) < Board::MOST_CELLS);
                let tile = if word == "_" { Some(0) } else { number };
                let tile = tile.ok_or_else(|| self.fault(span.clone(), format!("'{}' is no tile", short(word))))?;
                row.push(Found { tile, span });
            }
            if row.len() > Board::MOST_CELLS {
                return Err(self.fault(span, "there are more tiles than a board of 5x5 has"));
            }
        }
        Ok(row)
    }

    fn size(&self, rows: &[Vec<Found>]) -> Result<Size, Fault> {
        let whole = 0..self.text.len();
        match rows {
            [] => Err(self.fault(whole, "there are no tiles")),
            [row] => Size::of_cells(row.len()).ok_or_else(|| {
                self.fault(whole, format!("{} tiles do not fill a frame of 2x2 to 5x5 cells", row.len()))
            }),
            [first, others @ ..] => {
                if let Some(row) = others.iter().find(|row| row.len() != first.len()) {
                    let span = row[0].span.start..row[row.len() - 1].span.end;
                    let message = format!("this row has {} tiles, the first has {}", row.len(), first.len());
                    return Err(self.fault(span, message));
                }
                Size::new(rows.len(), first.len()).ok_or_else(|| {
                    let message = format!("{} rows of {} are too few or too many", rows.len(), first.len());
                    self.fault(whole, message).with_help("a board has 2 to 5 rows and columns")
                })
            }
        }
    }

    #[expect(clippy::unused_self, reason = "all faults of a text are made in one place")]
    fn fault(&self, span: Range<usize>, message: impl Into<String>) -> Fault {
        Fault::new(span, message).with_help(HELP)
    }
}

/// The beginning of a word, for a message.
fn short(word: &str) -> String {
    let mut letters = word.chars();
    let beginning: String = letters.by_ref().take(12).collect();
    if letters.next().is_some() { format!("{beginning}...") } else { beginning }
}
