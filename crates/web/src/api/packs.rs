//! Packs of puzzles that users save.

use super::App;
use super::board::BoardText;
use super::entry::EntryRecord;
use super::request::{Body, Page, Paging, Path, Query, attachment, created, json, valid_name};
use crate::error::{ApiError, BodyErrors, CommonErrors, NoSuchPack, StorageErrors};
use crate::store::{Extended, PackSummary, StoredPack};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use clearway_forge::grade::Level;
use clearway_forge::pack::{Entry, EntryError, PackFormat, Paper, Printing};
use clearway_rush::Solver;
use clearway_rush::formats::Puzzle;
use clearway_search::{Limit, Limits};
use futures_util::{StreamExt, TryStreamExt, stream};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Instant;
use utoipa::{IntoParams, ToSchema};

/// Maximum number of stored packs.
const MAX_PACKS: u64 = 1_000;
/// Maximum number of boards in a request for a pack, and in a pack that boards are added to.
const MAX_BOARDS: usize = 500;
/// Number of boards of a pack that are graded concurrently; few, to leave workers for other requests.
const CONCURRENT_GRADES: usize = 2;
/// Time limit for grading a pack, as a multiple of that of a search.
const TIME_FACTOR: u32 = 3;

/// A pack without its puzzles.
#[derive(Serialize, ToSchema)]
pub struct PackRecord {
    /// Id of the pack.
    id: i64,
    /// Name of the pack.
    name: String,
    /// Time of creation, in UTC.
    #[schema(format = DateTime)]
    created: String,
    /// Number of puzzles.
    puzzles: u64,
    /// Number of puzzles of each level; levels without puzzles are omitted.
    levels: BTreeMap<Level, u64>,
}

impl From<PackSummary> for PackRecord {
    fn from(pack: PackSummary) -> PackRecord {
        let PackSummary { id, name, created, levels } = pack;
        PackRecord { id, name, created, puzzles: levels.values().sum(), levels }
    }
}

/// A pack with its puzzles.
#[derive(Serialize, ToSchema)]
pub struct PackWithPuzzles<'a> {
    /// Id of the pack.
    id: i64,
    /// Name of the pack.
    name: &'a str,
    /// Time of creation, in UTC.
    #[schema(format = DateTime)]
    created: &'a str,
    /// The puzzles, from easy to hard.
    puzzles: Vec<EntryRecord<'a>>,
}

impl<'a> From<&'a StoredPack> for PackWithPuzzles<'a> {
    fn from(pack: &'a StoredPack) -> PackWithPuzzles<'a> {
        let puzzles = pack.entries.iter().map(EntryRecord::from).collect();
        PackWithPuzzles { id: pack.id, name: &pack.name, created: &pack.created, puzzles }
    }
}

/// A pack to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPack {
    /// Name of the pack.
    #[schema(min_length = 1, max_length = 100, example = "For a rainy day")]
    name: String,
    /// The boards, each in any text format, in any order. Of boards that are the same puzzle, the first is kept.
    #[schema(min_items = 1, max_items = 500, example = json!(["BB...CD..E.CDAAE.CD..E..F...GGF.HHH."]))]
    boards: Vec<String>,
    /// The licence of all boards, as an SPDX identifier. The default is none.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100, example = "CC0-1.0")]
    license: Option<String>,
}

/// Boards to add to a pack.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoreBoards {
    /// The boards, each in any text format, in any order. Puzzles that the pack has already are left out.
    #[schema(min_items = 1, max_items = 500, example = json!(["BB...CD..E.CDAAE.CD..E..F...GGF.HHH."]))]
    boards: Vec<String>,
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
        json(&Page::new(rows, limit, |pack| pack.id.to_string(), |pack| Ok(PackRecord::from(pack)))?)
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
    let name = valid_name("pack", &new.name)?.to_owned();
    let license = new.license.as_deref().map(|text| valid_name("license", text).map(str::to_owned)).transpose()?;
    let boards = app.blocking.run(move || read_boards(&new.boards)).await?;
    let mut entries = grade_boards(&app, boards).await?;
    for entry in &mut entries {
        entry.license.clone_from(&license);
    }
    let add = move |connection: &mut Connection| {
        let mut seen = HashSet::new();
        entries.retain(|entry| seen.insert(entry.canonical.clone()));
        entries.sort_by(Entry::by_difficulty);
        let pack = StoredPack::add(connection, &name, entries, MAX_PACKS)?;
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
    let boards = app.blocking.run(move || read_boards(&more.boards)).await?;
    let entries = grade_boards(&app, boards).await?;
    let add = move |connection: &mut Connection| match StoredPack::extend(connection, id, entries, MAX_BOARDS)? {
        Extended::Done(pack) => json(&PackWithPuzzles::from(&pack)),
        Extended::Full => Err(ApiError::full(format!("a pack has at most {MAX_BOARDS} puzzles"))),
        Extended::Missing => Err(pack_not_found(id)),
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
    let existed = app.store.run(move |connection| Ok(StoredPack::delete(connection, id)?)).await?;
    if existed { Ok(StatusCode::NO_CONTENT) } else { Err(pack_not_found(id)) }
}

/// The format of a pack.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// The format: jsonl (also json), txt, csv, html (a page with pictures), svg or pdf (cards to print). The default is
    /// jsonl.
    #[param(example = "pdf")]
    format: Option<String>,
    /// The paper of svg and pdf: a4 (the default) or letter.
    #[param(example = "letter")]
    paper: Option<String>,
    /// Whether pdf draws the boards as black lines on white.
    #[serde(default)]
    black_and_white: bool,
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
    let format = match query.format.as_deref() {
        None | Some("json") => PackFormat::Jsonl,
        Some(name) => PackFormat::from_name(name).ok_or_else(|| {
            let names = PackFormat::ALL.map(PackFormat::name).join(", ");
            ApiError::bad_request(format!("unknown format '{name}'")).with_help(format!("expected one of {names}"))
        })?,
    };
    let unknown_paper = |name: &str| {
        let names = Paper::ALL.map(Paper::as_str).join(", ");
        ApiError::bad_request(format!("unknown paper '{name}'")).with_help(format!("expected one of {names}"))
    };
    let name = query.paper.as_deref().unwrap_or("a4");
    let paper = Paper::from_name(name).ok_or_else(|| unknown_paper(name))?;
    let printing = Printing { paper, black_and_white: query.black_and_white };
    let pack = app.store.run(move |connection| find(connection, id)).await?;
    // Drawing the cards of a large pack takes a while.
    let draw = move || {
        let file = format!("{}.{}", pack.name, format.name());
        let contents = format.print(&pack.entries, &pack.name, printing);
        let mut response = attachment(&file, media_type(format), contents);
        let missing: String = format.missing_characters(&pack.entries, &pack.name).into_iter().collect();
        if !missing.is_empty() {
            let list = missing.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
            response
                .headers_mut()
                .insert("missing-characters", HeaderValue::from_str(&list).map_err(ApiError::internal)?);
        }
        Ok(response)
    };
    app.blocking.run(draw).await
}

fn media_type(format: PackFormat) -> &'static str {
    match format {
        PackFormat::Jsonl => "application/jsonl",
        PackFormat::Txt => "text/plain; charset=utf-8",
        PackFormat::Csv => "text/csv; charset=utf-8",
        PackFormat::Html => "text/html; charset=utf-8",
        PackFormat::Svg => "image/svg+xml",
        PackFormat::Pdf => "application/pdf",
        _ => "application/octet-stream",
    }
}

fn find(connection: &mut Connection, id: i64) -> Result<StoredPack, ApiError> {
    StoredPack::find(connection, id)?.ok_or_else(|| pack_not_found(id))
}

fn pack_not_found(id: i64) -> ApiError {
    ApiError::not_found(format!("pack {id} not found"))
}

fn read_boards(boards: &[String]) -> Result<Vec<Puzzle>, ApiError> {
    if !(1..=MAX_BOARDS).contains(&boards.len()) {
        let error = format!("boards must have 1 to {MAX_BOARDS} entries, not {}", boards.len());
        return Err(ApiError::bad_request(error));
    }
    let read = |(number, board): (usize, &String)| {
        let read = || {
            let puzzle = BoardText::from(board.clone()).read()?;
            puzzle.name.as_deref().map(|text| valid_name("board", text)).transpose()?;
            Ok(puzzle)
        };
        read().map_err(|error: ApiError| error.with_context(&format!("board {number}")))
    };
    (1..).zip(boards).map(read).collect()
}

/// Grades the boards, in their order, within a common time limit.
async fn grade_boards(app: &App, boards: Vec<Puzzle>) -> Result<Vec<Entry>, ApiError> {
    let (started, time_limit) = (Instant::now(), app.workers.time_limit().saturating_mul(TIME_FACTOR));
    let one = |(number, puzzle): (usize, Puzzle)| async move {
        let limits = Limits { time: Some(time_limit.saturating_sub(started.elapsed())), ..Limits::default() };
        let board = puzzle.board;
        let work = move |solver: &mut Solver, limits: &Limits| {
            let graded = Entry::new(board.clone(), solver, limits);
            let ended_by = ended_by(&graded);
            Ok((graded, ended_by))
        };
        let entry = move |graded: Result<Entry, EntryError>| match graded {
            Ok(entry) => Ok(Entry { name: puzzle.name.clone(), ..entry }),
            Err(why) => Err(ApiError::bad_request(format!("board {number}: {why}"))),
        };
        app.workers.search(&limits, work, entry).await
    };
    stream::iter((1..).zip(boards)).map(one).buffered(CONCURRENT_GRADES).try_collect().await
}

fn ended_by(graded: &Result<Entry, EntryError>) -> Option<Limit> {
    match graded {
        Err(EntryError::Limit(limit)) => Some(*limit),
        _ => None,
    }
}
