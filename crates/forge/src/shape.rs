//! Size, exit and walls of generated boards.

use clearway_rush::{Exit, Orientation, SMALL_SIDE, Side};

/// Allowed widths and heights of a generated board.
pub const SIDES: std::ops::RangeInclusive<u8> = 4..=16;

/// Properties shared by all boards of a generator: size, exit, and number of walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    width: u8,
    height: u8,
    exit: Side,
    line: u8,
    walls: u8,
}

/// Why a shape is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages describe the fields
#[non_exhaustive]
pub enum ShapeError {
    #[error("unsupported board size {width}x{height}: both sides must be from {} to {}", SIDES.start(), SIDES.end())]
    UnsupportedSize { width: u8, height: u8 },
    #[error("exit line {line} is out of range: the {} side has lines 0 to {last}", side.as_str())]
    LineOutOfRange { side: Side, line: u8, last: u8 },
    #[error("{walls} walls are too many for a board of {width}x{height}: at most {most} are allowed")]
    TooManyWalls { walls: u8, most: u8, width: u8, height: u8 },
}

impl Shape {
    /// Creates a shape. Without a line, the exit is in the middle of its side; if the middle is between two lines, it is in
    /// the one with the smaller number: the third row of 6x6.
    ///
    /// It is an error if a side is not 4 to 16, the line is off the board, or the walls take more than half of the cells.
    ///
    /// ```
    /// use clearway_forge::Shape;
    /// use clearway_rush::Side;
    /// assert_eq!(Shape::new(6, 6, Side::Right, None, 0)?.line(), 2);
    /// # Ok::<(), clearway_forge::ShapeError>(())
    /// ```
    pub fn new(width: u8, height: u8, exit: Side, line: Option<u8>, walls: u8) -> Result<Shape, ShapeError> {
        if !SIDES.contains(&width) || !SIDES.contains(&height) {
            return Err(ShapeError::UnsupportedSize { width, height });
        }
        let lines = if exit.orientation() == Orientation::Horizontal { height } else { width };
        let line = line.unwrap_or((lines - 1) / 2);
        if line >= lines {
            return Err(ShapeError::LineOutOfRange { side: exit, line, last: lines - 1 });
        }
        let most = ((width as u16 * height as u16) / 2).min(u8::MAX.into()) as u8;
        if walls > most {
            return Err(ShapeError::TooManyWalls { walls, most, width, height });
        }
        Ok(Shape { width, height, exit, line, walls })
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Returns the side of the exit.
    pub fn side(&self) -> Side {
        self.exit
    }

    /// Returns the exit of the boards, which only the target may use.
    pub fn exit(&self) -> Exit {
        Exit::Target(self.exit)
    }

    /// Returns the row or column of the target, counted from 0.
    pub fn line(&self) -> u8 {
        self.line
    }

    /// Returns the number of cells in the target's row or column.
    pub fn line_cells(&self) -> u8 {
        if self.exit.orientation() == Orientation::Horizontal { self.width } else { self.height }
    }

    /// Returns whether the boards are [large](clearway_rush::Board::is_large): their components are usually too large to explore.
    pub fn is_large(&self) -> bool {
        self.width.max(self.height) > SMALL_SIDE
    }

    /// Returns whether boards of this shape can be [framed](crate::climb::ClimbOptions::frame) in another one.
    pub fn fits_into(&self, other: Shape) -> bool {
        let room = |inner: u8, outer: u8| outer.checked_sub(inner);
        let (Some(width), Some(height)) = (room(self.width, other.width), room(self.height, other.height)) else {
            return false;
        };
        let across = if self.exit.orientation() == Orientation::Horizontal { height } else { width };
        self.exit == other.exit && other.line.checked_sub(self.line).is_some_and(|before| before <= across)
    }

    /// Returns the number of wall cells.
    pub fn walls(&self) -> u8 {
        self.walls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_for_invalid_shapes_name_the_allowed_range() {
        let error = |width, height, line, walls| Shape::new(width, height, Side::Top, line, walls).unwrap_err();
        assert_eq!(error(3, 6, None, 0).to_string(), "unsupported board size 3x6: both sides must be from 4 to 16");
        assert_eq!(error(5, 6, Some(5), 0).to_string(), "exit line 5 is out of range: the top side has lines 0 to 4");
        assert!(matches!(error(4, 4, None, 9), ShapeError::TooManyWalls { most: 8, .. }));
    }
}
