//! The embedded suites.

use super::App;
use super::request::{Page, Paging, Path, Query, json};
use crate::error::{ApiError, CommonErrors, Problem};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::records::SuiteRecord;
use clearway_rush::formats::{self, Known, Puzzle};
use clearway_rush::suites::{self, Suite};
use serde::Serialize;
use std::sync::{Arc, LazyLock};
use utoipa::ToSchema;

/// Computed once, because counting the boards takes a while.
static LIST: LazyLock<Vec<SuiteRecord>> = LazyLock::new(|| suites::all().iter().map(SuiteRecord::new).collect());

/// A suite with its boards.
#[derive(Serialize, ToSchema)]
pub struct SuiteBoards {
    /// Name of the suite.
    #[schema(example = "cards")]
    name: &'static str,
    /// Description of the suite.
    about: &'static str,
    /// Boards of the suite.
    boards: Vec<SuiteBoard>,
}

/// A board of a suite.
#[derive(Serialize, ToSchema)]
pub struct SuiteBoard {
    /// Name of the board, or null if it has none.
    #[schema(example = "JAM01")]
    name: Option<String>,
    /// The board in line format.
    #[schema(example = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")]
    board: String,
    /// Length of a shortest solution in moves, or null if it is not proven.
    moves: Option<u32>,
    /// Length of a shortest solution in steps, or null if it is not proven.
    steps: Option<u32>,
}

impl From<Puzzle> for SuiteBoard {
    fn from(puzzle: Puzzle) -> SuiteBoard {
        let proven = |known: Option<Known>| match known {
            Some(Known::Exactly(length)) => Some(length),
            Some(Known::AtMost(_)) | None => None,
        };
        SuiteBoard {
            board: formats::line(&puzzle.board),
            name: puzzle.name,
            moves: proven(puzzle.moves),
            steps: proven(puzzle.steps),
        }
    }
}

/// Lists the embedded suites
#[utoipa::path(get, path = "/suites", operation_id = "list_suites", tag = "puzzles", params(Paging), responses(
    (status = 200, description = "A page of suites", body = Page<SuiteRecord>),
    CommonErrors,
))]
pub async fn list(State(app): State<Arc<App>>, Query(paging): Query<Paging>) -> Result<Response, ApiError> {
    let (limit, after) = (paging.limit()?, paging.after::<usize>()?.unwrap_or(0));
    let list = move || {
        let rows = LIST.iter().enumerate().skip(after).take(limit + 1).collect();
        json(&Page::new(rows, limit, |(index, _)| (index + 1).to_string(), |(_, suite)| Ok(suite))?)
    };
    app.blocking.run(list).await
}

/// Returns a suite with its boards
#[utoipa::path(get, path = "/suites/{name}", operation_id = "show_suite", tag = "puzzles",
    params(("name" = String, Path, description = "Name of the suite", example = "cards")),
    responses(
        (status = 200, description = "The suite", body = SuiteBoards),
        (status = 404, description = "The suite does not exist", body = Problem),
        CommonErrors,
    ))]
pub async fn show(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, ApiError> {
    app.blocking.run(move || find(&name)).await
}

fn find(name: &str) -> Result<Response, ApiError> {
    let Some(suite) = Suite::find(name) else {
        let names: Vec<&str> = suites::all().iter().map(|suite| suite.name).collect();
        let error = ApiError::not_found(format!("unknown suite '{name}'"));
        return Err(error.with_help(format!("expected one of {}", names.join(", "))));
    };
    let boards = suite.puzzles().into_iter().map(SuiteBoard::from).collect();
    json(&SuiteBoards { name: suite.name, about: suite.about, boards })
}
