//! What players have done.

use super::App;
use super::board::BoardText;
use super::request::{Body, Page, Paging, Path, Query, json, name, within};
use super::solve::limit_of;
use crate::error::{ApiError, BodyRefused, Full, Problem, Refused};
use crate::store::{Played, ResultRow};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use clearway_lab::TypedMoves;
use clearway_rush::formats::Puzzle;
use clearway_rush::{Answer, Board, Metric, Solution, Solver, formats};
use clearway_search::{Limits, Verdict};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// How many boards are remembered of a player, and of all players together.
const MOST_RESULTS: u64 = 10_000;
const MOST_RESULTS_OF_ALL: u64 = 1_000_000;
/// The longest name of a player.
const LONGEST_PLAYER: usize = 64;
/// The longest time that somebody may take, in seconds: a year.
const LONGEST_TIME: f64 = 365.0 * 86_400.0;

/// A board that a player has solved.
#[derive(Serialize, ToSchema)]
pub struct ResultRecord {
    /// The board in line format.
    board: String,
    /// Its name, or null if it came without one.
    name: Option<String>,
    /// The fewest moves that solve it, or null if the solver could not find out.
    optimum: Option<u32>,
    /// The best of the player: the fewest moves, and of these the shortest time.
    best: Best,
    /// Whether the best has as few moves as possible.
    perfect: bool,
    /// How often the player has solved it.
    solved: u64,
    /// When that was last, in UTC.
    #[schema(format = DateTime)]
    last: String,
}

/// Moves and time.
#[derive(Serialize, ToSchema)]
pub struct Best {
    /// The moves.
    moves: u32,
    /// The time.
    seconds: f64,
}

impl From<ResultRow> for ResultRecord {
    fn from(row: ResultRow) -> ResultRecord {
        let ResultRow { board, name, optimum, moves, seconds, solved, last, .. } = row;
        let perfect = optimum == Some(moves);
        ResultRecord { board, name, optimum, best: Best { moves, seconds }, perfect, solved, last }
    }
}

/// A board that was solved, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewResult {
    /// The board as it stood at first, in any text format.
    #[schema(example = "4x4:.B...BAA........")]
    board: String,
    /// The moves that were made, from the first to the last.
    #[schema(example = json!(["A-1", "B+2", "A+2"]))]
    moves: Vec<String>,
    /// The time that was taken, at most a year.
    #[schema(minimum = 0, maximum = 31_536_000, example = 12.5)]
    seconds: f64,
}

/// How good it was.
#[derive(Serialize, ToSchema)]
pub struct ResultAnswer {
    /// The fewest moves that solve the board, or null if the solver could not find out.
    optimum: Option<u32>,
    /// The moves that were made.
    moves: u32,
    /// Whether these are as few as possible.
    perfect: bool,
    /// Whether it is the best of this player so far.
    best: bool,
}

/// What a player has solved, the last first
#[utoipa::path(get, path = "/players/{player}/results", operation_id = "list_results", tag = "players",
    params(
        ("player" = String, Path, description = "The player: 1 to 64 letters, digits, - or _", example = "ada"),
        Paging,
    ),
    responses((status = 200, description = "A page with a board each", body = Page<ResultRecord>), Refused))]
pub async fn results(
    State(app): State<Arc<App>>,
    Path(player): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response, ApiError> {
    check_player(&player)?;
    let (limit, after) = (paging.limit()?, paging.after::<Place>()?);
    let list = move |connection: &mut Connection| {
        let after = after.as_ref().map(|Place(last, id)| (last.as_str(), *id));
        let rows = ResultRow::list(connection, &player, after, limit + 1)?;
        json(&Page::new(rows, limit, |row| format!("{}~{}", row.last, row.id), |row| Ok(ResultRecord::from(row)))?)
    };
    app.store.run(list).await
}

/// Where a list of results goes on: behind this time and this number.
struct Place(String, i64);

impl FromStr for Place {
    type Err = ();

    fn from_str(text: &str) -> Result<Place, ()> {
        let (last, id) = text.split_once('~').ok_or(())?;
        Ok(Place(last.to_owned(), id.parse().map_err(drop)?))
    }
}

/// Which results to delete.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DeleteQuery {
    /// The board of the only result to delete, in line format; all of them if it is not given.
    #[param(max_length = 300, example = "4x4:.B...BAA........")]
    board: Option<String>,
}

/// Deletes results of a player
#[utoipa::path(delete, path = "/players/{player}/results", operation_id = "delete_results", tag = "players",
    params(
        ("player" = String, Path, description = "The player: 1 to 64 letters, digits, - or _", example = "ada"),
        DeleteQuery,
    ),
    responses(
        (status = 204, description = "They are deleted"),
        (status = 404, description = "There are no such results", body = Problem),
        Refused,
    ))]
pub async fn delete(
    State(app): State<Arc<App>>,
    Path(player): Path<String>,
    Query(query): Query<DeleteQuery>,
) -> Result<StatusCode, ApiError> {
    check_player(&player)?;
    let delete = move |connection: &mut Connection| Ok(ResultRow::delete(connection, &player, query.board.as_deref())?);
    match app.store.run(delete).await? {
        0 => Err(ApiError::not_found("there are no such results")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Keeps a result
///
/// The moves are made on the board, and refused if they do not solve it. The best of a player is kept.
#[utoipa::path(post, path = "/players/{player}/results", operation_id = "add_result", tag = "players",
    request_body = NewResult,
    params(("player" = String, Path, description = "The player: 1 to 64 letters, digits, - or _", example = "ada")),
    responses(
        (status = 200, description = "It is kept", body = ResultAnswer),
        Refused, BodyRefused, Full,
    ))]
pub async fn add(
    State(app): State<Arc<App>>,
    Path(player): Path<String>,
    Body(new): Body<NewResult>,
) -> Result<Response, ApiError> {
    check_player(&player)?;
    let seconds = new.seconds;
    within("seconds", Some(seconds), 0.0..=LONGEST_TIME)?;
    let (puzzle, moves) = app.blocking.run(move || replay(new)).await?;
    let optimum = optimum(&app, &player, &puzzle.board).await?;
    let board = formats::line(&puzzle.board);
    let played = Played { player, board, name: puzzle.name, optimum, moves, seconds };
    let add = move |connection: &mut Connection| Ok(played.add(connection, MOST_RESULTS, MOST_RESULTS_OF_ALL)?);
    let full = || ApiError::full("the result limit is reached").with_help("delete results that are not needed");
    let best = app.store.run(add).await?.ok_or_else(full)?;
    json(&ResultAnswer { optimum, moves, perfect: optimum == Some(moves), best })
}

/// The board, and the number of moves that solve it.
fn replay(new: NewResult) -> Result<(Puzzle, u32), ApiError> {
    let puzzle = BoardText::from(new.board).read()?;
    puzzle.name.as_deref().map(|text| name("board", text)).transpose()?;
    let refused = |report: miette::Report| ApiError::of_report(report.as_ref());
    let made =
        TypedMoves::parse(&new.moves.join(" ")).and_then(|typed| typed.replay(&puzzle.board)).map_err(refused)?;
    if !made.solved {
        return Err(ApiError::bad_request("the board is not solved after the last move"));
    }
    Ok((puzzle, made.moves))
}

fn check_player(player: &str) -> Result<(), ApiError> {
    let is_fine = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    if (1..=LONGEST_PLAYER).contains(&player.len()) && player.bytes().all(is_fine) {
        return Ok(());
    }
    Err(ApiError::bad_request(format!("a player has a name of 1 to {LONGEST_PLAYER} letters, digits, - or _")))
}

/// The fewest moves that solve a board, from what is remembered or from the solver; none if it cannot find out.
async fn optimum(app: &App, player: &str, board: &Board) -> Result<Option<u32>, ApiError> {
    let (player, line) = (player.to_owned(), formats::line(board));
    let known = app.store.run(move |connection| Ok(ResultRow::optimum(connection, &player, &line)?)).await?;
    if known.is_some() {
        return Ok(known);
    }
    let board = board.clone();
    let work = move |solver: &mut Solver, limits: &Limits| {
        let answer = solver.solve(&board, Metric::Moves, limits);
        let ended_by = limit_of(answer.verdict);
        Ok((answer, ended_by))
    };
    let moves = |answer: Answer| {
        Ok(answer.solution.as_ref().filter(|_| answer.verdict == Verdict::Solved).map(Solution::moves))
    };
    app.workers.search(&Limits::default(), work, moves).await
}
