//! Conversion of boards to other formats.

use super::App;
use super::board::{BoardText, parse_field};
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_rush::formats::{Format, Writer, ansi, pddl, svg};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
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

/// Converts a board to another format, or to a picture
#[utoipa::path(post, path = "/convert", tag = "boards", request_body = ConvertRequest, responses(
    (status = 200, description = "The board in that format", body = Converted),
    CommonErrors, BodyErrors,
))]
pub async fn convert(State(app): State<Arc<App>>, Body(request): Body<ConvertRequest>) -> Result<Response, ApiError> {
    app.blocking.run(move || convert_board(request)).await
}

fn convert_board(request: ConvertRequest) -> Result<Response, ApiError> {
    let puzzle = request.board.read()?;
    let title = puzzle.name.clone();
    let (media_type, text) = match request.to.as_str() {
        "svg" => ("image/svg+xml", svg::board(&puzzle.board, &svg::SvgOptions { title, ..Default::default() })),
        "ansi" => ("text/plain", ansi::board(&puzzle.board, false)),
        "pddl" => ("text/plain", pddl::problem(&puzzle.board, title.as_deref().unwrap_or("board"))),
        "pddl-domain" => ("text/plain", pddl::domain()),
        name => {
            let format: Format = parse_field(name)?;
            let text = Writer::new(format).append(&puzzle).map_err(|error| ApiError::bad_request(error.to_string()))?;
            (if format == Format::Json { "application/json" } else { "text/plain" }, text)
        }
    };
    json(&Converted { format: request.to, media_type, text })
}
