//! Packs of puzzles that users save.

use super::App;
use super::request::{Body, Path, Query, attachment, created, json};
use crate::error::{ApiError, BodyErrors, CommonErrors, NoSuchPack, StorageErrors};
use crate::store::{self, Extended, PackSummary};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use clearway_api::packs::{
    self, FileQuery, MAX_BOARDS, MAX_PACKS, MoreBoards, NewPack, PackRecord, PackWithPuzzles, StoredPack, TIME_FACTOR,
    merged, read_boards,
};
use clearway_api::{Page, Paging};
use clearway_forge::pack::Entry;
use clearway_rush::Solver;
use clearway_rush::formats::Puzzle;
use clearway_search::Limits;
use futures_util::{StreamExt, TryStreamExt, stream};
use rusqlite::Connection;
use std::sync::Arc;
use std::time::Instant;

/// Number of boards of a pack that are graded concurrently; few, to leave workers for other requests.
const CONCURRENT_GRADES: usize = 2;

impl From<PackSummary> for PackRecord {
    fn from(pack: PackSummary) -> PackRecord {
        let PackSummary { id, name, created, levels } = pack;
        PackRecord { id, name, created, puzzles: levels.values().sum(), levels }
    }
}

/// Lists all packs, newest first
#[utoipa::path(get, path = "/packs", operation_id = "list_packs", tag = "packs", params(Paging), responses(
    (status = 200, description = "A page of packs", body = Page<PackRecord>),
    CommonErrors,
))]
pub async fn list(State(app): State<Arc<App>>, Query(paging): Query<Paging>) -> Result<Response, ApiError> {
    let (limit, after) = (paging.limit()?, paging.after()?);
    let list = move |connection: &mut Connection| {
        let rows = PackSummary::list(connection, after, limit + 1)?;
        json(&Page::new(rows, limit, |pack| pack.id.to_string(), |pack| Ok::<_, ApiError>(PackRecord::from(pack)))?)
    };
    app.store.run(list).await
}

/// Saves boards as a pack
///
/// The boards are graded and sorted from easy to hard, by the predicted time that people need. Boards that are already solved or
/// unsolvable are refused.
#[utoipa::path(post, path = "/packs", operation_id = "make_pack", tag = "packs", request_body = NewPack, responses(
    (status = 201, description = "The pack", body = PackWithPuzzles,
        headers(("Location" = String, description = "Path of the pack"))),
    CommonErrors, BodyErrors, StorageErrors,
))]
pub async fn create(State(app): State<Arc<App>>, Body(new): Body<NewPack>) -> Result<Response, ApiError> {
    let (name, license) = new.names()?;
    let boards = app.blocking.run(move || Ok(read_boards(&new.boards)?)).await?;
    let mut entries = grade_boards(&app, boards).await?;
    for entry in &mut entries {
        entry.license.clone_from(&license);
    }
    let add = move |connection: &mut Connection| {
        let pack = store::packs::add(connection, &name, merged(Vec::new(), entries), MAX_PACKS)?;
        let full =
            || ApiError::full(format!("the limit of {MAX_PACKS} packs is reached")).with_help("delete one first");
        let pack = pack.ok_or_else(full)?;
        created(format!("/api/v1/packs/{}", pack.id), &PackWithPuzzles::from(&pack))
    };
    app.store.run(add).await
}

/// Adds boards to a pack
///
/// The boards are graded, and the pack is sorted from easy to hard again. Puzzles that it has already are left out.
#[utoipa::path(post, path = "/packs/{id}/boards", operation_id = "extend_pack", tag = "packs",
    params(("id" = i64, Path, description = "Id of the pack")), request_body = MoreBoards, responses(
    (status = 200, description = "The pack", body = PackWithPuzzles),
    NoSuchPack, CommonErrors, BodyErrors, StorageErrors,
))]
pub async fn extend(
    State(app): State<Arc<App>>,
    Path(id): Path<i64>,
    Body(more): Body<MoreBoards>,
) -> Result<Response, ApiError> {
    let boards = app.blocking.run(move || Ok(read_boards(&more.boards)?)).await?;
    let entries = grade_boards(&app, boards).await?;
    let add = move |connection: &mut Connection| match store::packs::extend(connection, id, entries, MAX_BOARDS)? {
        Extended::Done(pack) => json(&PackWithPuzzles::from(&pack)),
        Extended::Full => Err(packs::too_many_puzzles().into()),
        Extended::Missing => Err(packs::not_found(id).into()),
    };
    app.store.run(add).await
}

/// Returns a pack with its puzzles
#[utoipa::path(get, path = "/packs/{id}", operation_id = "show_pack", tag = "packs",
    params(("id" = i64, Path, description = "Id of the pack")),
    responses((status = 200, description = "The pack", body = PackWithPuzzles), NoSuchPack, CommonErrors))]
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    app.store.run(move |connection| json(&PackWithPuzzles::from(&find(connection, id)?))).await
}

/// Deletes a pack
#[utoipa::path(delete, path = "/packs/{id}", operation_id = "delete_pack", tag = "packs",
    params(("id" = i64, Path, description = "Id of the pack")),
    responses((status = 204, description = "The pack is deleted"), NoSuchPack, CommonErrors))]
pub async fn delete(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<StatusCode, ApiError> {
    let existed = app.store.run(move |connection| Ok(store::packs::delete(connection, id)?)).await?;
    if existed { Ok(StatusCode::NO_CONTENT) } else { Err(packs::not_found(id).into()) }
}

/// Downloads a pack as a file
///
/// The fonts of pdf have the characters of Windows-1252. Others in the name of the pack or of a puzzle become question marks; the
/// header `missing-characters` lists them, percent-encoded as UTF-8.
#[utoipa::path(get, path = "/packs/{id}/file", operation_id = "pack_file", tag = "packs",
    params(("id" = i64, Path, description = "Id of the pack"), FileQuery),
    responses(
        (status = 200, description = "The file, as an attachment", content(
            ("application/jsonl"), ("text/plain"), ("text/csv"), ("text/html"), ("image/svg+xml"), ("application/pdf"),
        )),
        NoSuchPack, CommonErrors,
    ))]
pub async fn file(
    State(app): State<Arc<App>>,
    Path(id): Path<i64>,
    Query(query): Query<FileQuery>,
) -> Result<Response, ApiError> {
    let format = query.parse()?;
    let pack = app.store.run(move |connection| find(connection, id)).await?;
    // Drawing the cards of a large pack takes a while.
    let draw = move || {
        let file = format.file(&pack);
        let mut response = attachment(&file.name, file.media_type, file.contents);
        if !file.missing.is_empty() {
            let list = file.missing.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
            let list = HeaderValue::from_str(&list).map_err(ApiError::internal)?;
            response.headers_mut().insert("missing-characters", list);
        }
        Ok(response)
    };
    app.blocking.run(draw).await
}

fn find(connection: &mut Connection, id: i64) -> Result<StoredPack, ApiError> {
    store::packs::find(connection, id)?.ok_or_else(|| packs::not_found(id).into())
}

/// Grades the boards, in their order, within a common time limit.
async fn grade_boards(app: &App, boards: Vec<Puzzle>) -> Result<Vec<Entry>, ApiError> {
    let (started, time_limit) = (Instant::now(), app.workers.time_limit().saturating_mul(TIME_FACTOR));
    let one = |(number, puzzle): (usize, Puzzle)| async move {
        let limits = Limits { time: Some(time_limit.saturating_sub(started.elapsed())), ..Limits::default() };
        let work = move |solver: &mut Solver, limits: &Limits| Ok(packs::grade_board(&puzzle, solver, limits));
        let entry = move |graded| Ok(packs::accepted(number, graded)?);
        app.workers.search(&limits, work, entry).await
    };
    stream::iter((1..).zip(boards)).map(one).buffered(CONCURRENT_GRADES).try_collect().await
}
