//! The options of every method that say what boards look like.

use crate::failure::Failure;
use clap::Args;
use clearway_forge::Shape;
use clearway_rush::{Side, Size};
use std::ops::RangeInclusive;

/// What boards look like.
#[derive(Clone, Debug, Args)]
pub struct ShapeArgs {
    /// The size of the boards: one side, or width and height, such as 6 or 7x5 [default: 6; of climb 8]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,

    /// The side of the exit: right, left, top or bottom
    #[arg(long, value_name = "SIDE", default_value = "right")]
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
        let (width, height) = self.size.map_or((usual, usual), Size::sides);
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
