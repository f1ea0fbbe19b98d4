//! Options for the shape of generated boards.

use crate::failure::Failure;
use clap::Args;
use clearway_forge::{Shape, ShapeError};
use clearway_rush::{Side, Size};
use std::ops::RangeInclusive;

/// The shape of generated boards.
#[derive(Clone, Debug, Args)]
pub struct ShapeArgs {
    /// Board size: one side, or width and height, such as 6 or 7x5 [default: 6; for climb 8]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,

    /// Side of the exit: right, left, top or bottom
    #[arg(long, value_name = "SIDE", default_value = "right")]
    pub exit: Side,

    /// Row or column of the exit, counted from 0 [default: the middle, or the one before it]
    #[arg(long, value_name = "N")]
    pub line: Option<u8>,

    /// Number of wall cells
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub walls: u8,
}

impl ShapeArgs {
    /// Returns the shape. `default_side` is the side of the square board if no size is given.
    pub fn shape(&self, default_side: u8) -> Result<Shape, Failure> {
        let (width, height) = self.size.map_or((default_side, default_side), Size::sides);
        let shape = Shape::new(width, height, self.exit, self.line, self.walls);
        shape.map_err(|error| Failure::usage(error.to_string(), help(error, "--size")))
    }
}

/// Returns how to fix an invalid shape. `size` is the option that determined its size.
pub fn help(error: ShapeError, size: &str) -> String {
    match error {
        ShapeError::UnsupportedSize { .. } => format!("use a size such as {size} 8 or {size} 10x12"),
        ShapeError::LineOutOfRange { last, .. } => format!("use --line with a number from 0 to {last}, or omit it"),
        ShapeError::TooManyWalls { most, .. } => format!("use --walls with a number from 0 to {most}"),
        _ => "see the command's --help for valid sizes, exits, lines and walls".to_owned(),
    }
}

/// Returns the range of solution lengths from `--from` to `--to`, in moves.
pub fn lengths(from: u32, to: u32) -> Result<RangeInclusive<u32>, Failure> {
    if from > to {
        let message = format!("--from {from} is greater than --to {to}");
        return Err(Failure::usage(message, "--from is the minimum number of moves, --to the maximum"));
    }
    Ok(from..=to)
}
