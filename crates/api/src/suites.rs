//! The embedded suites.

use crate::RequestError;
use crate::request::{Page, Paging};
use clearway_answers::records::SuiteRecord;
use clearway_rush::formats::{self, KnownLength, Puzzle};
use clearway_rush::suites::{self, Suite};
use serde::Serialize;
use utoipa::ToSchema;

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
        let proven = |known: Option<KnownLength>| match known {
            Some(KnownLength::Exactly(length)) => Some(length),
            Some(KnownLength::AtMost(_)) | None => None,
        };
        SuiteBoard {
            board: formats::line(&puzzle.board),
            name: puzzle.name,
            moves: proven(puzzle.moves),
            steps: proven(puzzle.steps),
        }
    }
}

/// Returns a page of the list of suites.
pub fn list(paging: &Paging) -> Result<Page<SuiteRecord>, RequestError> {
    let (limit, after) = (paging.limit()?, paging.after::<usize>()?.unwrap_or(0));
    let rows = suites::all().iter().enumerate().skip(after).take(limit + 1).collect();
    Page::new(rows, limit, |(index, _)| (index + 1).to_string(), |(_, suite)| Ok(SuiteRecord::new(suite)))
}

/// Returns a suite with its boards.
pub fn show(name: &str) -> Result<SuiteBoards, RequestError> {
    let Some(suite) = Suite::find(name) else {
        let names: Vec<&str> = suites::all().iter().map(|suite| suite.name).collect();
        let error = RequestError::not_found(format!("unknown suite '{name}'"));
        return Err(error.with_help(format!("expected one of {}", names.join(", "))));
    };
    let boards = suite.puzzles().into_iter().map(SuiteBoard::from).collect();
    Ok(SuiteBoards { name: suite.name, about: suite.about, boards })
}
