//! Conversion of boards to other formats.

use crate::RequestError;
use crate::board::{BoardText, parse_field};
use clearway_rush::formats::{OutputFormat, Writer, ansi, pddl, svg};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A board to convert.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    #[serde(flatten)]
    board: BoardText,
    /// The target format: line, grid, van-dijk, it3105, course, traffic-jam, json, tsv, svg, ansi, pddl or pddl-domain.
    #[schema(example = "grid")]
    to: String,
}

/// A board in the requested format.
#[derive(Serialize, ToSchema)]
pub struct Converted {
    /// Name of the format.
    format: String,
    /// The media type of the format.
    media_type: &'static str,
    /// The board in this format.
    text: String,
}

/// Converts a board to another format, or to a picture.
pub fn convert(request: ConvertRequest) -> Result<Converted, RequestError> {
    let puzzle = request.board.read()?;
    let title = puzzle.name.clone();
    let format: OutputFormat = parse_field(&request.to)?;
    let text = match format {
        OutputFormat::Board(format) => {
            Writer::new(format).append(&puzzle).map_err(|error| RequestError::bad_request(error.to_string()))?
        }
        OutputFormat::Svg => svg::board(&puzzle.board, &svg::SvgOptions { title, ..Default::default() }),
        OutputFormat::Pddl => pddl::problem(&puzzle.board, title.as_deref().unwrap_or("board")),
        OutputFormat::PddlDomain => pddl::domain(),
        _ => ansi::board(&puzzle.board, false),
    };
    Ok(Converted { format: request.to, media_type: format.media_type(), text })
}
