//! The options of every method that say what boards look like.

use crate::failure::Failure;
use clap::Args;
use clearway_forge::Shape;
use clearway_rush::Side;
use std::ops::RangeInclusive;

/// What boards look like.
#[derive(Clone, Debug, Args)]
pub struct ShapeArgs {
    /// The size of the boards: one side, or width and height, such as 6 or 7x5 [default: 6; of climb 8]
    #[arg(long, value_name = "N|WxH", value_parser = parse_size)]
    pub size: Option<(u8, u8)>,

    /// The side of the exit: right, left, top or bottom
    #[arg(long, value_name = "SIDE", default_value = "right", value_parser = parse_side)]
    pub exit: Side,

    /// The row or column of the exit, counted from 0 [default: the middle, or the one before it]
    #[arg(long, value_name = "N")]
    pub line: Option<u8>,

    /// The number of cells that are walls
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub walls: u8,
}

impl ShapeArgs {
    /// The shape, if it is possible; a square of some side unless a size was asked for.
    pub fn shape(&self, usual: u8) -> Result<Shape, Failure> {
        let (width, height) = self.size.unwrap_or((usual, usual));
        let shape = Shape::new(width, height, self.exit, self.line, self.walls);
        shape.map_err(|error| Failure::usage(error.to_string(), "see --size, --exit, --line and --walls"))
    }
}

/// The lengths from --from to --to.
pub fn lengths(from: u32, to: u32) -> Result<RangeInclusive<u32>, Failure> {
    if from > to {
        let message = format!("no puzzle has at least {from} and at most {to} moves");
        return Err(Failure::usage(message, "--from is the fewest moves, --to the most"));
    }
    Ok(from..=to)
}

fn parse_size(text: &str) -> Result<(u8, u8), String> {
    let side = |text: &str| text.parse::<u8>().ok();
    let size = match text.split_once(['x', 'X']) {
        Some((width, height)) => side(width).zip(side(height)),
        None => side(text).map(|side| (side, side)),
    };
    size.ok_or_else(|| format!("'{text}' is not a size: one side, or width and height, are expected: 6 or 7x5"))
}

fn parse_side(text: &str) -> Result<Side, String> {
    Side::from_word(text).ok_or_else(|| format!("'{text}' is not a side: right, left, top or bottom is expected"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_sides_are_read() {
        assert_eq!((parse_size("6"), parse_size("7x5")), (Ok((6, 6)), Ok((7, 5))));
        for wrong in ["", "x", "6x", "-6", "6x6x6", "999"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_side("top"), Ok(Side::Top));
        assert!(parse_side("top:2").is_err());
    }
}
