//! Packs of puzzles that users save: their boards, their grades, and their files. Where they are stored is left to others.

use crate::RequestError;
use crate::board::BoardText;
use crate::entry::EntryRecord;
use crate::request::valid_name;
use clearway_forge::grade::Level;
use clearway_forge::pack::{Entry, EntryError, Language, PackFormat, Paper, Printing};
use clearway_rush::Solver;
use clearway_rush::formats::Puzzle;
use clearway_search::{Limit, Limits};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use utoipa::{IntoParams, ToSchema};

pub use clearway_forge::pack::schema;

/// Maximum number of stored packs.
pub const MAX_PACKS: u64 = 1_000;
/// Maximum number of boards in a request for a pack, and in a pack that boards are added to.
pub const MAX_BOARDS: usize = 500;
/// Time limit for grading a pack, as a multiple of that of a search.
pub const TIME_FACTOR: u32 = 3;

/// A pack without its puzzles.
#[derive(Serialize, ToSchema)]
pub struct PackRecord {
    /// Id of the pack.
    pub id: i64,
    /// Name of the pack.
    pub name: String,
    /// Time of creation, in UTC.
    #[schema(format = DateTime)]
    pub created: String,
    /// Number of puzzles.
    pub puzzles: u64,
    /// Number of puzzles of each level; levels without puzzles are omitted.
    pub levels: BTreeMap<Level, u64>,
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

/// A pack with its puzzles, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredPack {
    /// Id of the pack.
    pub id: i64,
    /// Name of the pack.
    pub name: String,
    /// Time of creation in UTC, such as 2030-01-31T12:00:00Z.
    pub created: String,
    /// The puzzles, from easy to hard.
    pub entries: Vec<Entry>,
}

/// A pack to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPack {
    /// Name of the pack.
    #[schema(min_length = 1, max_length = 100, example = "For a rainy day")]
    pub name: String,
    /// The boards, each in any text format, in any order. Of boards that are the same puzzle, the first is kept.
    #[schema(min_items = 1, max_items = 500, example = json!(["BB...CD..E.CDAAE.CD..E..F...GGF.HHH."]))]
    pub boards: Vec<String>,
    /// The licence of all boards, as an SPDX identifier. The default is none.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100, example = "CC0-1.0")]
    pub license: Option<String>,
}

impl NewPack {
    /// Returns the name and the licence, without surrounding whitespace.
    pub fn names(&self) -> Result<(String, Option<String>), RequestError> {
        let name = valid_name("pack", &self.name)?.to_owned();
        let license = self.license.as_deref().map(|text| valid_name("license", text).map(str::to_owned)).transpose()?;
        Ok((name, license))
    }
}

/// Boards to add to a pack.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoreBoards {
    /// The boards, each in any text format, in any order. Puzzles that the pack has already are left out.
    #[schema(min_items = 1, max_items = 500, example = json!(["BB...CD..E.CDAAE.CD..E..F...GGF.HHH."]))]
    pub boards: Vec<String>,
}

/// Parses the boards of a pack.
pub fn read_boards(boards: &[String]) -> Result<Vec<Puzzle>, RequestError> {
    if !(1..=MAX_BOARDS).contains(&boards.len()) {
        let error = format!("boards must have 1 to {MAX_BOARDS} entries, not {}", boards.len());
        return Err(RequestError::bad_request(error));
    }
    let read = |(number, board): (usize, &String)| {
        let read = || {
            let puzzle = BoardText::from(board.clone()).read()?;
            puzzle.name.as_deref().map(|text| valid_name("board", text)).transpose()?;
            Ok(puzzle)
        };
        read().map_err(|error: RequestError| error.with_context(&format!("board {number}")))
    };
    (1..).zip(boards).map(read).collect()
}

/// The result of grading a board: the puzzle, or why it cannot be in a pack.
pub type GradedEntry = Result<Entry, EntryError>;

/// Grades a board. Also returns the limit that ended the work, if any.
pub fn grade_board(puzzle: &Puzzle, solver: &mut Solver, limits: &Limits) -> (GradedEntry, Option<Limit>) {
    let graded = Entry::new(puzzle.board.clone(), solver, limits);
    let ended_by = match graded {
        Err(EntryError::Limit(limit)) => Some(limit),
        _ => None,
    };
    (graded.map(|entry| Entry { name: puzzle.name.clone(), ..entry }), ended_by)
}

/// Returns the puzzle, or the error of the board with this number.
pub fn accepted(number: usize, graded: GradedEntry) -> Result<Entry, RequestError> {
    graded.map_err(|why| RequestError::bad_request(format!("board {number}: {why}")))
}

/// Adds puzzles to those of a pack, except those that it has already, and sorts all of them from easy to hard.
pub fn merged(known: Vec<Entry>, more: Vec<Entry>) -> Vec<Entry> {
    let mut seen = HashSet::new();
    let mut all: Vec<Entry> =
        known.into_iter().chain(more).filter(|entry| seen.insert(entry.canonical.clone())).collect();
    all.sort_by(Entry::by_difficulty);
    all
}

/// The error for a pack that would have too many puzzles.
pub fn too_many_puzzles() -> RequestError {
    RequestError::new(507, format!("a pack has at most {MAX_BOARDS} puzzles"))
}

/// The error for a missing pack.
pub fn not_found(id: i64) -> RequestError {
    RequestError::not_found(format!("pack {id} not found"))
}

/// The format of a pack.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// The format: jsonl (also json), txt, csv, html (a page with pictures), svg or pdf (cards to print). The default is
    /// jsonl.
    #[param(example = "pdf")]
    #[serde(default)]
    format: Option<String>,
    /// The paper of svg and pdf: a4 (the default) or letter.
    #[param(example = "letter")]
    #[serde(default)]
    paper: Option<String>,
    /// Whether pdf draws the boards as black lines on white.
    #[serde(default)]
    black_and_white: bool,
    /// The language of the words in html, svg and pdf: en (the default), de or fr.
    #[param(example = "de")]
    #[serde(default)]
    language: Option<String>,
}

/// How to write the file of a pack.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// Format of the file.
    pub format: PackFormat,
    printing: Printing,
}

/// A file of a pack.
#[derive(Clone, Debug)]
pub struct PackFile {
    /// Name of the file.
    pub name: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Its contents.
    pub contents: Vec<u8>,
    /// Characters that the fonts of the format do not have.
    pub missing: String,
}

impl FileQuery {
    /// Parses the query.
    pub fn parse(&self) -> Result<FileFormat, RequestError> {
        let format = match self.format.as_deref() {
            None | Some("json") => PackFormat::Jsonl,
            Some(name) => PackFormat::from_name(name).ok_or_else(|| {
                let names = PackFormat::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
                let error = RequestError::bad_request(format!("unknown format '{name}'"));
                error.with_help(format!("expected one of {names}"))
            })?,
        };
        let name = self.paper.as_deref().unwrap_or("a4");
        let paper = Paper::from_name(name).ok_or_else(|| {
            let names = Paper::ALL.map(Paper::as_str).join(", ");
            RequestError::bad_request(format!("unknown paper '{name}'")).with_help(format!("expected one of {names}"))
        })?;
        let name = self.language.as_deref().unwrap_or("en");
        let language = Language::from_name(name).ok_or_else(|| {
            let names = Language::ALL.map(Language::as_str).join(", ");
            RequestError::bad_request(format!("unknown language '{name}'"))
                .with_help(format!("expected one of {names}"))
        })?;
        Ok(FileFormat { format, printing: Printing { paper, black_and_white: self.black_and_white, language } })
    }
}

impl FileFormat {
    /// Writes a pack. Drawing the cards of a large one takes a while.
    pub fn file(self, pack: &StoredPack) -> PackFile {
        let FileFormat { format, printing } = self;
        PackFile {
            name: format!("{}.{}", pack.name, format.name()),
            media_type: media_type(format),
            contents: format.print(&pack.entries, &pack.name, printing),
            missing: format.missing_characters(&pack.entries, &pack.name).into_iter().collect(),
        }
    }
}

fn media_type(format: PackFormat) -> &'static str {
    match format {
        PackFormat::Jsonl => "application/jsonl",
        PackFormat::Txt => "text/plain; charset=utf-8",
        PackFormat::Csv => "text/csv; charset=utf-8",
        PackFormat::Html => "text/html; charset=utf-8",
        PackFormat::Svg => "image/svg+xml",
        #[cfg(feature = "pdf")]
        PackFormat::Pdf => "application/pdf",
        _ => "application/octet-stream",
    }
}
