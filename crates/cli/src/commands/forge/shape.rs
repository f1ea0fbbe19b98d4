//! The shape of generated boards, as a person types it.

use crate::failure::Failure;
use clap::Args;
use clap::builder::PossibleValuesParser;
use clearway_forge::Shape;
use clearway_rush::Side;

/// What all boards have in common.
#[derive(Clone, Debug, Args)]
pub struct ShapeArgs {
    /// The size of the boards: a side from 4 to 16, or two, such as 7x5
    #[arg(long, value_name = "N|WxH", value_parser = parse_sides, default_value = "6")]
    size: (u8, u8),

    /// The side of the exit
    #[arg(long, value_name = "SIDE", value_parser = side_names(), default_value = "right")]
    exit: String,

    /// The target's row or column, from 0 [default: in the middle]
    #[arg(long, value_name = "N")]
    line: Option<u8>,

    /// How many cells are walls
    #[arg(long, value_name = "N", default_value_t = 0)]
    walls: u8,
}

impl ShapeArgs {
    /// The shape, if there can be boards of it.
    pub fn shape(&self) -> Result<Shape, Failure> {
        let (width, height) = self.size;
        let side = Side::from_word(&self.exit).unwrap_or(Side::Right);
        Shape::new(width, height, side, self.line, self.walls)
            .map_err(|error| Failure::usage(error.to_string(), "change --size, --line or --walls"))
    }
}

fn side_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Side::ALL.iter().map(|side| side.word()))
}

fn parse_sides(text: &str) -> Result<(u8, u8), String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let sides = width.parse().ok().zip(height.parse().ok());
    sides.ok_or_else(|| format!("'{text}' is not a size: a side such as 6, or width and height such as 7x5"))
}
