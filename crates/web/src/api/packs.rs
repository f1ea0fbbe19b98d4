//! Packs of puzzles that people keep.

use super::App;
use super::board::BoardText;
use super::entry::EntryRecord;
use super::request::{Body, Page, Paging, Path, Query, attachment, created, json, name};
use crate::error::{ApiError, BodyRefused, Full, Problem, Refused};
use crate::store::{PackSummary, StoredPack};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use clearway_forge::grade::Level;
use clearway_forge::pack::{Entry, NoEntry, PackFormat};
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

/// How many packs are kept.
const MOST_PACKS: u64 = 1_000;
/// How many boards a pack may be made of.
const MOST_BOARDS: usize = 500;
/// How many boards of a pack are graded at a time: the workers are for others too.
const AT_A_TIME: usize = 2;
/// How many times as long as a search the grading of a pack may take.
const PATIENCE: u32 = 3;

/// A pack without its puzzles.
#[derive(Serialize, ToSchema)]
pub struct PackRecord {
    /// Its number.
    id: i64,
    /// What it is called.
    name: String,
    /// When it was made, in UTC.
    #[schema(format = DateTime)]
    created: String,
    /// How many puzzles it has.
    puzzles: u64,
    /// How many of each level: a level that it has none of is left out.
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
    /// Its number.
    id: i64,
    /// What it is called.
    name: &'a str,
    /// When it was made, in UTC.
    #[schema(format = DateTime)]
    created: &'a str,
    /// Its puzzles, from easy to hard.
    puzzles: Vec<EntryRecord<'a>>,
}

impl<'a> From<&'a StoredPack> for PackWithPuzzles<'a> {
    fn from(pack: &'a StoredPack) -> PackWithPuzzles<'a> {
        let puzzles = pack.entries.iter().map(EntryRecord::from).collect();
        PackWithPuzzles { id: pack.id, name: &pack.name, created: &pack.created, puzzles }
    }
}

/// A pack to keep.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPack {
    /// What to call it.
    #[schema(min_length = 1, max_length = 100, example = "For a rainy day")]
    name: String,
    /// Its boards, each in any text format, in any order. Of boards that are the same puzzle the first is kept.
    #[schema(min_items = 1, max_items = 500, example = json!(["BB...CD..E.CDAAE.CD..E..F...GGF.HHH."]))]
    boards: Vec<String>,
}

/// All packs, the newest first
#[utoipa::path(get, path = "/packs", operation_id = "list_packs", tag = "packs", params(Paging), responses(
    (status = 200, description = "A page of packs", body = Page<PackRecord>),
    Refused,
))]
pub async fn list(State(app): State<Arc<App>>, Query(paging): Query<Paging>) -> Result<Response, ApiError> {
    let (limit, after) = (paging.limit()?, paging.after()?);
    let list = move |connection: &mut Connection| {
        let rows = PackSummary::list(connection, after, limit + 1)?;
        json(&Page::new(rows, limit, |pack| pack.id.to_string(), |pack| Ok(PackRecord::from(pack)))?)
    };
    app.store.run(list).await
}

/// Keeps boards as a pack
///
/// They are graded and sorted from easy to hard. Boards that are solved as they stand or that have no solution are refused.
#[utoipa::path(post, path = "/packs", operation_id = "make_pack", tag = "packs", request_body = NewPack, responses(
    (status = 201, description = "The pack", body = PackWithPuzzles,
        headers(("Location" = String, description = "Where the pack is"))),
    Refused, BodyRefused, Full,
))]
pub async fn make(State(app): State<Arc<App>>, Body(new): Body<NewPack>) -> Result<Response, ApiError> {
    let name = name("pack", &new.name)?.to_owned();
    let boards = app.blocking.run(move || read(&new.boards)).await?;
    let mut entries = grade(&app, boards).await?;
    let add = move |connection: &mut Connection| {
        let mut known = HashSet::new();
        entries.retain(|entry| known.insert(entry.canonical.clone()));
        entries.sort_by(Entry::by_difficulty);
        let pack = StoredPack::add(connection, &name, entries, MOST_PACKS)?;
        let full =
            || ApiError::full(format!("the limit of {MOST_PACKS} packs is reached")).with_help("delete one first");
        let pack = pack.ok_or_else(full)?;
        created(format!("/api/v1/packs/{}", pack.id), &PackWithPuzzles::from(&pack))
    };
    app.store.run(add).await
}

/// A pack with its puzzles
#[utoipa::path(get, path = "/packs/{id}", operation_id = "show_pack", tag = "packs",
    params(("id" = i64, Path, description = "The pack's number")),
    responses(
        (status = 200, description = "The pack", body = PackWithPuzzles),
        (status = 404, description = "There is no such pack", body = Problem),
        Refused,
    ))]
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    app.store.run(move |connection| json(&PackWithPuzzles::from(&find(connection, id)?))).await
}

/// Forgets a pack
#[utoipa::path(delete, path = "/packs/{id}", operation_id = "delete_pack", tag = "packs",
    params(("id" = i64, Path, description = "The pack's number")),
    responses(
        (status = 204, description = "It is forgotten"),
        (status = 404, description = "There is no such pack", body = Problem),
        Refused,
    ))]
pub async fn delete(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<StatusCode, ApiError> {
    let was_there = app.store.run(move |connection| Ok(StoredPack::delete(connection, id)?)).await?;
    if was_there { Ok(StatusCode::NO_CONTENT) } else { Err(no_such_pack(id)) }
}

/// In what format a pack is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// The format: jsonl (also json), txt, csv, html (a page with pictures), svg or pdf (cards to print).
    #[param(example = "pdf")]
    format: Option<String>,
}

/// A pack as a file
#[utoipa::path(get, path = "/packs/{id}/file", operation_id = "pack_file", tag = "packs",
    params(("id" = i64, Path, description = "The pack's number"), FileQuery),
    responses(
        (status = 200, description = "The file, as an attachment; jsonl if no format was asked for", content(
            ("application/jsonl"), ("text/plain"), ("text/csv"), ("text/html"), ("image/svg+xml"), ("application/pdf"),
        )),
        (status = 404, description = "There is no such pack", body = Problem),
        Refused,
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
            ApiError::bad_request(format!("there is no format '{name}'")).with_help(format!("formats: {names}"))
        })?,
    };
    let pack = app.store.run(move |connection| find(connection, id)).await?;
    // The cards of a large pack take a moment to draw.
    let draw = move || {
        let file = format!("{}.{}", pack.name, format.name());
        Ok(attachment(&file, media_type(format), format.write(&pack.entries, &pack.name)))
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
    }
}

fn find(connection: &mut Connection, id: i64) -> Result<StoredPack, ApiError> {
    StoredPack::find(connection, id)?.ok_or_else(|| no_such_pack(id))
}

fn no_such_pack(id: i64) -> ApiError {
    ApiError::not_found(format!("there is no pack {id}"))
}

fn read(boards: &[String]) -> Result<Vec<Puzzle>, ApiError> {
    if !(1..=MOST_BOARDS).contains(&boards.len()) {
        let error = format!("a pack is made of 1 to {MOST_BOARDS} boards, not of {}", boards.len());
        return Err(ApiError::bad_request(error));
    }
    let read = |(number, board): (usize, &String)| {
        let read = || {
            let puzzle = BoardText::from(board.clone()).read()?;
            puzzle.name.as_deref().map(|text| name("board", text)).transpose()?;
            Ok(puzzle)
        };
        read().map_err(|error: ApiError| error.about(&format!("board {number}")))
    };
    (1..).zip(boards).map(read).collect()
}

/// What is known of each board, in their order. Together they may take a few times as long as one search.
async fn grade(app: &App, boards: Vec<Puzzle>) -> Result<Vec<Entry>, ApiError> {
    let (started, most) = (Instant::now(), app.workers.longest().saturating_mul(PATIENCE));
    let one = |(number, puzzle): (usize, Puzzle)| async move {
        let limits = Limits { time: Some(most.saturating_sub(started.elapsed())), ..Limits::default() };
        let board = puzzle.board;
        let work = move |solver: &mut Solver, limits: &Limits| {
            let graded = Entry::of(board.clone(), solver, limits);
            let ended_by = ended_by(&graded);
            Ok((graded, ended_by))
        };
        let entry = move |graded: Result<Entry, NoEntry>| match graded {
            Ok(entry) => Ok(Entry { name: puzzle.name.clone(), ..entry }),
            Err(why) => Err(ApiError::bad_request(format!("board {number}: {why}"))),
        };
        app.workers.search(&limits, work, entry).await
    };
    stream::iter((1..).zip(boards)).map(one).buffered(AT_A_TIME).try_collect().await
}

fn ended_by(graded: &Result<Entry, NoEntry>) -> Option<Limit> {
    match graded {
        Err(NoEntry::Limit(limit)) => Some(*limit),
        _ => None,
    }
}
