//! Results of players.

use super::App;
use super::request::{Body, Path, Query, json};
use crate::error::{ApiError, BodyErrors, CommonErrors, Problem, StorageErrors};
use crate::store::{CompletedGame, ResultRow};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use clearway_api::{NewResult, Page, Paging, Replayed};
use clearway_rush::{Board, Solver, formats};
use clearway_search::Limits;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Maximum number of stored results of a player, and of all players together.
const MAX_PLAYER_RESULTS: u64 = 10_000;
const MAX_RESULTS: u64 = 1_000_000;
/// Maximum length of a player's name.
const MAX_PLAYER: usize = 64;

/// A player's best game on a board.
#[derive(Serialize, ToSchema)]
pub struct ResultRecord {
    /// The board in line format.
    board: String,
    /// Name of the board, or null if it has none.
    name: Option<String>,
    /// Length of a shortest solution in moves, or null if the solver reached a limit.
    optimum: Option<u32>,
    /// The player's best: the fewest moves, and among these the shortest time.
    best: Best,
    /// Whether the best has the minimum number of moves.
    perfect: bool,
    /// Number of times that the player has solved the board.
    solved: u64,
    /// Time of the last solution, in UTC.
    #[schema(format = DateTime)]
    last: String,
}

/// Moves and time of a game.
#[derive(Serialize, ToSchema)]
pub struct Best {
    /// Number of moves.
    moves: u32,
    /// Time in seconds.
    seconds: f64,
}

impl From<ResultRow> for ResultRecord {
    fn from(row: ResultRow) -> ResultRecord {
        let ResultRow { board, name, optimum, moves, seconds, solved, last, .. } = row;
        let perfect = optimum == Some(moves);
        ResultRecord { board, name, optimum, best: Best { moves, seconds }, perfect, solved, last }
    }
}

/// Assessment of a completed game.
#[derive(Serialize, ToSchema)]
pub struct ResultAnswer {
    /// Length of a shortest solution in moves, or null if the solver reached a limit.
    optimum: Option<u32>,
    /// Number of moves of the game.
    moves: u32,
    /// Whether this is the minimum number of moves.
    perfect: bool,
    /// Whether this is the player's best game on this board.
    best: bool,
}

/// Lists the results of a player, most recent first
#[utoipa::path(get, path = "/players/{player}/results", operation_id = "list_results", tag = "players",
    params(
        ("player" = String, Path, description = "Name of the player: 1 to 64 letters, digits, - or _", example = "ada"),
        Paging,
    ),
    responses((status = 200, description = "A page of results, one for each board", body = Page<ResultRecord>), CommonErrors))]
pub async fn results(
    State(app): State<Arc<App>>,
    Path(player): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response, ApiError> {
    check_player(&player)?;
    let (limit, after) = (paging.limit()?, paging.after::<ResultCursor>()?);
    let list = move |connection: &mut Connection| {
        let after = after.as_ref().map(|ResultCursor(last, id)| (last.as_str(), *id));
        let rows = ResultRow::list(connection, &player, after, limit + 1)?;
        json(&Page::new(
            rows,
            limit,
            |row| format!("{}~{}", row.last, row.id),
            |row| Ok::<_, ApiError>(ResultRecord::from(row)),
        )?)
    };
    app.store.run(list).await
}

/// Position in a list of results: the time and the id of a result.
struct ResultCursor(String, i64);

impl FromStr for ResultCursor {
    type Err = ();

    fn from_str(text: &str) -> Result<ResultCursor, ()> {
        let (last, id) = text.split_once('~').ok_or(())?;
        Ok(ResultCursor(last.to_owned(), id.parse().map_err(drop)?))
    }
}

/// Which results to delete.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DeleteQuery {
    /// The board whose result to delete, in line format. The default is all results of the player.
    #[param(max_length = 300, example = "4x4:.B...BAA........")]
    board: Option<String>,
}

/// Deletes results of a player
#[utoipa::path(delete, path = "/players/{player}/results", operation_id = "delete_results", tag = "players",
    params(
        ("player" = String, Path, description = "Name of the player: 1 to 64 letters, digits, - or _", example = "ada"),
        DeleteQuery,
    ),
    responses(
        (status = 204, description = "The results are deleted"),
        (status = 404, description = "There are no such results", body = Problem),
        CommonErrors,
    ))]
pub async fn delete(
    State(app): State<Arc<App>>,
    Path(player): Path<String>,
    Query(query): Query<DeleteQuery>,
) -> Result<StatusCode, ApiError> {
    check_player(&player)?;
    let delete = move |connection: &mut Connection| Ok(ResultRow::delete(connection, &player, query.board.as_deref())?);
    match app.store.run(delete).await? {
        0 => Err(ApiError::not_found("no such results")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Adds a result
///
/// The moves are replayed on the board, and refused if they do not solve it. The best result of a player is kept.
#[utoipa::path(post, path = "/players/{player}/results", operation_id = "add_result", tag = "players",
    request_body = NewResult,
    params(("player" = String, Path, description = "Name of the player: 1 to 64 letters, digits, - or _", example = "ada")),
    responses(
        (status = 200, description = "The result is stored", body = ResultAnswer),
        CommonErrors, BodyErrors, StorageErrors,
    ))]
pub async fn add(
    State(app): State<Arc<App>>,
    Path(player): Path<String>,
    Body(new): Body<NewResult>,
) -> Result<Response, ApiError> {
    check_player(&player)?;
    new.check()?;
    let seconds = new.seconds;
    let Replayed { puzzle, moves } = app.blocking.run(move || Ok(new.replay()?)).await?;
    let optimum = optimum(&app, &player, &puzzle.board).await?;
    let board = formats::line(&puzzle.board);
    let game = CompletedGame { player, board, name: puzzle.name, optimum, moves, seconds };
    let add = move |connection: &mut Connection| Ok(game.add(connection, MAX_PLAYER_RESULTS, MAX_RESULTS)?);
    let full = || ApiError::full("the result limit is reached").with_help("delete results that you no longer need");
    let best = app.store.run(add).await?.ok_or_else(full)?;
    json(&ResultAnswer { optimum, moves, perfect: optimum == Some(moves), best })
}

fn check_player(player: &str) -> Result<(), ApiError> {
    let is_allowed = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    if (1..=MAX_PLAYER).contains(&player.len()) && player.bytes().all(is_allowed) {
        return Ok(());
    }
    Err(ApiError::bad_request(format!("invalid player name; expected 1 to {MAX_PLAYER} letters, digits, - or _")))
}

/// Returns the length of a shortest solution in moves, from an earlier result or from the solver; none if the solver
/// reaches a limit.
async fn optimum(app: &App, player: &str, board: &Board) -> Result<Option<u32>, ApiError> {
    let (player, line) = (player.to_owned(), formats::line(board));
    let known = app.store.run(move |connection| Ok(ResultRow::optimum(connection, &player, &line)?)).await?;
    if known.is_some() {
        return Ok(known);
    }
    let board = board.clone();
    let work = move |solver: &mut Solver, limits: &Limits| Ok(clearway_api::optimum(&board, solver, limits));
    app.workers.search(&Limits::default(), work, Ok).await
}
