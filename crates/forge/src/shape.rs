//! What a generated board looks like.

use clearway_rush::{Exit, Orientation, Side};

/// The sides a generated board may have.
pub const SIDES: std::ops::RangeInclusive<u8> = 4..=16;

/// What all boards of a generator have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    width: u8,
    height: u8,
    exit: Side,
    line: u8,
    walls: u8,
}

/// What is wrong with a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what each field is
pub enum ShapeError {
    #[error("boards of {width}x{height} are not made: both sides must be from {} to {}", SIDES.start(), SIDES.end())]
    Size { width: u8, height: u8 },
    #[error("the exit is at line {line}, but the {} side has lines 0 to {last}", side.word())]
    Line { side: Side, line: u8, last: u8 },
    #[error("{walls} walls leave no room for vehicles on {width}x{height}: at most {most} are possible")]
    Walls { walls: u8, most: u8, width: u8, height: u8 },
}

impl Shape {
    /// A shape. Without a line the exit is in the middle of its side, above it if that is between two lines: the third
    /// row of 6x6.
    ///
    /// ```
    /// use clearway_forge::Shape;
    /// use clearway_rush::Side;
    /// assert_eq!(Shape::new(6, 6, Side::Right, None, 0)?.line(), 2);
    /// # Ok::<(), clearway_forge::ShapeError>(())
    /// ```
    pub fn new(width: u8, height: u8, exit: Side, line: Option<u8>, walls: u8) -> Result<Shape, ShapeError> {
        if !SIDES.contains(&width) || !SIDES.contains(&height) {
            return Err(ShapeError::Size { width, height });
        }
        let lines = if exit.orientation() == Orientation::Horizontal { height } else { width };
        let line = line.unwrap_or((lines - 1) / 2);
        if line >= lines {
            return Err(ShapeError::Line { side: exit, line, last: lines - 1 });
        }
        let most = ((width as u16 * height as u16) / 2).min(u8::MAX.into()) as u8;
        if walls > most {
            return Err(ShapeError::Walls { walls, most, width, height });
        }
        Ok(Shape { width, height, exit, line, walls })
    }

    /// The number of columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The side of the exit.
    pub fn side(&self) -> Side {
        self.exit
    }

    /// The exit as a board has it.
    pub fn exit(&self) -> Exit {
        Exit::Target(self.exit)
    }

    /// The target's row or column.
    pub fn line(&self) -> u8 {
        self.line
    }

    /// The number of cells of that row or column.
    pub fn line_cells(&self) -> u8 {
        if self.exit.orientation() == Orientation::Horizontal { self.width } else { self.height }
    }

    /// The number of cells that are walls.
    pub fn walls(&self) -> u8 {
        self.walls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_shapes_are_refused_with_what_is_possible() {
        let refused = |width, height, line, walls| Shape::new(width, height, Side::Top, line, walls).unwrap_err();
        assert_eq!(refused(3, 6, None, 0).to_string(), "boards of 3x6 are not made: both sides must be from 4 to 16");
        assert_eq!(refused(5, 6, Some(5), 0).to_string(), "the exit is at line 5, but the top side has lines 0 to 4");
        assert!(matches!(refused(4, 4, None, 9), ShapeError::Walls { most: 8, .. }));
    }
}
