//! Boards in other formats.

use super::App;
use super::board::{BoardText, word};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_rush::formats::{Format, Writer, ansi, pddl, svg};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to write in another format.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Convert {
    #[serde(flatten)]
    board: BoardText,
    /// The format: line, grid, van-dijk, it3105, course, traffic-jam, json, tsv, svg, ansi, pddl or pddl-domain.
    #[schema(example = "grid")]
    to: String,
}

/// A board in the format asked for.
#[derive(Serialize, ToSchema)]
pub struct Converted {
    /// The format.
    format: String,
    /// Its media type.
    media_type: &'static str,
    /// The board.
    text: String,
}

/// Writes a board in another format, or as a picture
#[utoipa::path(post, path = "/convert", tag = "boards", request_body = Convert, responses(
    (status = 200, description = "The board in that format", body = Converted),
    Refused, BodyRefused,
))]
pub async fn convert(State(app): State<Arc<App>>, Body(request): Body<Convert>) -> Result<Response, ApiError> {
    app.blocking.run(move || write(request)).await
}

fn write(request: Convert) -> Result<Response, ApiError> {
    let puzzle = request.board.read()?;
    let title = puzzle.name.clone();
    let (media_type, text) = match request.to.as_str() {
        "svg" => ("image/svg+xml", svg::board(&puzzle.board, &svg::SvgOptions { title, ..Default::default() })),
        "ansi" => ("text/plain", ansi::board(&puzzle.board, false)),
        "pddl" => ("text/plain", pddl::problem(&puzzle.board, title.as_deref().unwrap_or("board"))),
        "pddl-domain" => ("text/plain", pddl::domain()),
        name => {
            let format: Format = word(name)?;
            let text = Writer::new(format).append(&puzzle).map_err(|error| ApiError::of_report(&error))?;
            (if format == Format::Json { "application/json" } else { "text/plain" }, text)
        }
    };
    json(&Converted { format: request.to, media_type, text })
}
