//! The suites that come with the program.

use super::App;
use super::request::{Page, Paging, Path, Query, json};
use crate::error::{ApiError, Problem, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::records::SuiteRecord;
use clearway_rush::formats::{self, Known, Puzzle};
use clearway_rush::suites::{self, Suite};
use serde::Serialize;
use std::sync::{Arc, LazyLock};
use utoipa::ToSchema;

/// Counting the boards takes a while; they never change.
static LIST: LazyLock<Vec<SuiteRecord>> = LazyLock::new(|| suites::all().iter().map(SuiteRecord::new).collect());

/// A suite with its boards.
#[derive(Serialize, ToSchema)]
pub struct SuiteBoards {
    /// Its name.
    #[schema(example = "cards")]
    name: &'static str,
    /// What it is.
    about: &'static str,
    /// Its boards.
    boards: Vec<SuiteBoard>,
}

/// A board of a suite.
#[derive(Serialize, ToSchema)]
pub struct SuiteBoard {
    /// Its name, or null if it has none.
    #[schema(example = "JAM01")]
    name: Option<String>,
    /// The board in line format.
    #[schema(example = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")]
    board: String,
    /// The length of a shortest solution in moves, or null if that is not proven.
    moves: Option<u32>,
    /// The length of a shortest solution in steps, or null if that is not proven.
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

/// The suites that come with the program
#[utoipa::path(get, path = "/suites", operation_id = "list_suites", tag = "puzzles", params(Paging), responses(
    (status = 200, description = "A page of suites", body = Page<SuiteRecord>),
    Refused,
))]
pub async fn list(State(app): State<Arc<App>>, Query(paging): Query<Paging>) -> Result<Response, ApiError> {
    let (limit, after) = (paging.limit()?, paging.after::<usize>()?.unwrap_or(0));
    let list = move || {
        let rows = LIST.iter().enumerate().skip(after).take(limit + 1).collect();
        json(&Page::new(rows, limit, |(place, _)| (place + 1).to_string(), |(_, suite)| Ok(suite))?)
    };
    app.blocking.run(list).await
}

/// A suite with its boards
#[utoipa::path(get, path = "/suites/{name}", operation_id = "show_suite", tag = "puzzles",
    params(("name" = String, Path, description = "The name of the suite", example = "cards")),
    responses(
        (status = 200, description = "The suite", body = SuiteBoards),
        (status = 404, description = "There is no such suite", body = Problem),
        Refused,
    ))]
pub async fn show(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, ApiError> {
    app.blocking.run(move || find(&name)).await
}

fn find(name: &str) -> Result<Response, ApiError> {
    let Some(suite) = Suite::find(name) else {
        let names: Vec<&str> = suites::all().iter().map(|suite| suite.name).collect();
        let error = ApiError::not_found(format!("there is no suite '{name}'"));
        return Err(error.with_help(format!("the suites are {}", names.join(", "))));
    };
    let boards = suite.puzzles().into_iter().map(SuiteBoard::from).collect();
    json(&SuiteBoards { name: suite.name, about: suite.about, boards })
}
