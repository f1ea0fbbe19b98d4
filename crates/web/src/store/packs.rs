//! Packs of puzzles, stored with their grades and solutions, so that nothing has to be computed again.

use clearway_api::packs::{StoredPack, merged};
use clearway_forge::grade::{HumanTime, Level};
use clearway_forge::pack::Entry;
use clearway_rush::formats::{self, Format};
use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, named_params, params};
use std::collections::BTreeMap;
use std::error::Error;

/// The statement that creates a table of puzzles, in which some values may be unknown or not.
macro_rules! puzzle_table {
    ($name:literal, $may_be_unknown:literal) => {
        concat!(
            "CREATE TABLE ",
            $name,
            " (
                pack INTEGER NOT NULL REFERENCES packs (id) ON DELETE CASCADE,
                place INTEGER NOT NULL,
                id TEXT NOT NULL,
                canonical TEXT NOT NULL,
                name TEXT,
                board TEXT NOT NULL,
                moves INTEGER NOT NULL,
                steps INTEGER ",
            $may_be_unknown,
            ", states INTEGER ",
            $may_be_unknown,
            ", depth INTEGER ",
            $may_be_unknown,
            ", level TEXT NOT NULL,
                human TEXT NOT NULL,
                minimal INTEGER NOT NULL,
                solution TEXT NOT NULL,
                PRIMARY KEY (pack, place)
            ) STRICT, WITHOUT ROWID;"
        )
    };
}

pub(super) const TABLES: &str = concat!(
    "CREATE TABLE packs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ'))
    ) STRICT;",
    puzzle_table!("puzzles", "NOT NULL")
);

/// Makes the values optional that are unknown for large boards.
pub(super) const LARGE_BOARDS: &str = concat!(
    puzzle_table!("new_puzzles", "NULL"),
    "INSERT INTO new_puzzles SELECT * FROM puzzles;
    DROP TABLE puzzles;
    ALTER TABLE new_puzzles RENAME TO puzzles;"
);

/// Shortens names: older versions stored them without a limit.
pub(super) const SHORT_NAMES: &str = "
    UPDATE puzzles SET name = substr(name, 1, 100) WHERE length(name) > 100;
";

/// Adds what packs of older versions lack. The number of solutions may exceed 64 bits, so it is stored as text.
pub(super) const MORE_FACTS: &str = "
    ALTER TABLE puzzles ADD COLUMN optimal_solutions TEXT;
    ALTER TABLE puzzles ADD COLUMN decisions REAL;
    ALTER TABLE puzzles ADD COLUMN license TEXT;
";

/// A pack without its puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackSummary {
    /// Id of the pack.
    pub id: i64,
    /// Name of the pack.
    pub name: String,
    /// Time of creation in UTC, such as 2030-01-31T12:00:00Z.
    pub created: String,
    /// Number of puzzles of each level; levels without puzzles are missing.
    pub levels: BTreeMap<Level, u64>,
}

/// The result of adding puzzles to a pack.
#[derive(Debug)]
pub enum Extended {
    /// The pack with the new puzzles.
    Done(StoredPack),
    /// The pack would have too many puzzles, and is unchanged.
    Full,
    /// There is no such pack.
    Missing,
}

impl PackSummary {
    /// Lists up to `limit` packs older than the pack `after`, newest first.
    pub fn list(connection: &Connection, after: Option<i64>, limit: usize) -> rusqlite::Result<Vec<PackSummary>> {
        let mut packs = connection.prepare_cached(
            "SELECT shown.id, shown.name, created, level, count(*)
             FROM (SELECT * FROM packs WHERE id < ? ORDER BY id DESC LIMIT ?) AS shown JOIN puzzles ON pack = shown.id
             GROUP BY shown.id, level ORDER BY shown.id DESC",
        )?;
        let mut rows = packs.query(params![after.unwrap_or(i64::MAX), limit as i64])?;
        let mut all: Vec<PackSummary> = Vec::new();
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            if all.last().is_none_or(|last| last.id != id) {
                all.push(PackSummary { id, name: row.get(1)?, created: row.get(2)?, levels: BTreeMap::new() });
            }
            if let Some(last) = all.last_mut() {
                last.levels.insert(level(row, 3)?, row.get(4)?);
            }
        }
        Ok(all)
    }
}

/// Adds a pack; none if there are already `max` packs.
pub fn add(
    connection: &mut Connection,
    name: &str,
    entries: Vec<Entry>,
    max: u64,
) -> rusqlite::Result<Option<StoredPack>> {
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let count: u64 = change.query_row("SELECT count(*) FROM packs", [], |row| row.get(0))?;
    if count >= max {
        return Ok(None);
    }
    let (id, created) =
        change.query_row("INSERT INTO packs (name) VALUES (?) RETURNING id, created", [name], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    for (place, entry) in entries.iter().enumerate() {
        insert(&change, id, place, entry)?;
    }
    change.commit()?;
    Ok(Some(StoredPack { id, name: name.to_owned(), created, entries }))
}

/// Finds a pack by its id.
pub fn find(connection: &mut Connection, id: i64) -> rusqlite::Result<Option<StoredPack>> {
    let read = connection.transaction()?;
    let found = read.query_row("SELECT name, created FROM packs WHERE id = ?", [id], |row| {
        Ok(StoredPack { id, name: row.get(0)?, created: row.get(1)?, entries: Vec::new() })
    });
    let Some(mut pack) = found.optional()? else { return Ok(None) };
    pack.entries = entries(&read, id)?;
    Ok(Some(pack))
}

/// Adds puzzles to a pack, except those that it has already, and sorts it from easy to hard; at most `max` puzzles fit.
pub fn extend(connection: &mut Connection, id: i64, more: Vec<Entry>, max: usize) -> rusqlite::Result<Extended> {
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found =
        change.query_row("SELECT name, created FROM packs WHERE id = ?", [id], |row| Ok((row.get(0)?, row.get(1)?)));
    let Some((name, created)) = found.optional()? else { return Ok(Extended::Missing) };
    let all = merged(entries(&change, id)?, more);
    if all.len() > max {
        return Ok(Extended::Full);
    }
    change.execute("DELETE FROM puzzles WHERE pack = ?", [id])?;
    for (place, entry) in all.iter().enumerate() {
        insert(&change, id, place, entry)?;
    }
    change.commit()?;
    Ok(Extended::Done(StoredPack { id, name, created, entries: all }))
}

/// Deletes a pack; returns whether it existed.
pub fn delete(connection: &mut Connection, id: i64) -> rusqlite::Result<bool> {
    Ok(connection.execute("DELETE FROM packs WHERE id = ?", params![id])? > 0)
}

/// Predicts the times of all puzzles again, and sorts the packs by them: older versions used another model, whose times grew
/// exponentially, and sorted packs by moves.
pub(super) fn predict_times_again(connection: &Connection) -> rusqlite::Result<()> {
    let mut packs = connection.prepare("SELECT id FROM packs")?;
    let packs: Vec<i64> = packs.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for pack in packs {
        let mut entries = entries(connection, pack)?;
        for entry in &mut entries {
            entry.human = predicted_again(entry);
            entry.level = Level::from_seconds(entry.human.seconds);
        }
        entries.sort_by(Entry::by_difficulty);
        // The new places are negative at first, because each place is unique. Columns that later versions add are missing here.
        let mut update = connection.prepare_cached(
            "UPDATE puzzles SET place = ?, level = ?, human = ? WHERE pack = ? AND canonical = ? AND place >= 0",
        )?;
        for (place, entry) in (1i64..).zip(&entries) {
            update.execute(params![-place, entry.level.as_str(), human_text(entry)?, pack, entry.canonical])?;
        }
        connection.execute("UPDATE puzzles SET place = -1 - place WHERE pack = ?", [pack])?;
    }
    Ok(())
}

/// Predicts the time of a puzzle from its old prediction. The number of vehicles that move is not stored, but it follows from the
/// old time, whose logarithm was linear in moves, depth and vehicles. Without a depth, the model has not changed.
fn predicted_again(Entry { board, moves, depth, human, .. }: &Entry) -> HumanTime {
    let Some(depth) = *depth else { return human.clone() };
    let vehicles = (human.seconds.ln() - 1.401 - 0.0962 * f64::from(*moves) - 0.0348 * f64::from(depth)) / 0.1101;
    let vehicles = vehicles.clamp(1.0, board.vehicles().len() as f64);
    // The ranges of the data have not changed; the vehicles would be inexact at their ends.
    HumanTime { beyond: human.beyond.clone(), ..HumanTime::predict(board, *moves, depth, vehicles) }
}

fn entries(connection: &Connection, pack: i64) -> rusqlite::Result<Vec<Entry>> {
    let mut puzzles = connection.prepare_cached("SELECT * FROM puzzles WHERE pack = ? ORDER BY place")?;
    puzzles.query_map([pack], entry)?.collect()
}

fn insert(connection: &Connection, pack: i64, place: usize, entry: &Entry) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO puzzles VALUES (:pack, :place, :id, :canonical, :name, :board, :moves, :steps, :states, :depth,
         :level, :human, :minimal, :solution, :optimal_solutions, :decisions, :license)",
    )?;
    statement.execute(named_params! {
        ":pack": pack,
        ":place": place,
        ":id": entry.id,
        ":canonical": entry.canonical,
        ":name": entry.name,
        ":board": formats::line(&entry.board),
        ":moves": entry.moves,
        ":steps": entry.steps,
        ":states": entry.states,
        ":depth": entry.depth,
        ":level": entry.level.as_str(),
        ":human": human_text(entry)?,
        ":minimal": entry.minimal,
        ":solution": entry.solution.to_string(),
        ":optimal_solutions": entry.optimal_solutions.map(|number| number.to_string()),
        ":decisions": entry.decisions,
        ":license": entry.license,
    })?;
    Ok(())
}

fn human_text(entry: &Entry) -> rusqlite::Result<String> {
    serde_json::to_string(&entry.human).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn entry(row: &Row) -> rusqlite::Result<Entry> {
    let text = |name: &str| row.get::<_, String>(name);
    Ok(Entry {
        id: row.get("id")?,
        canonical: row.get("canonical")?,
        name: row.get("name")?,
        board: formats::read_one(&text("board")?, Some(Format::Line)).map_err(|error| invalid_column(5, error))?.board,
        moves: row.get("moves")?,
        steps: row.get("steps")?,
        states: row.get("states")?,
        depth: row.get("depth")?,
        level: level(row, 10)?,
        human: serde_json::from_str(&text("human")?).map_err(|error| invalid_column(11, error))?,
        minimal: row.get("minimal")?,
        solution: text("solution")?.parse().map_err(|error| invalid_column(13, error))?,
        optimal_solutions: newer::<String>(row, "optimal_solutions")?
            .map(|number| number.parse())
            .transpose()
            .map_err(|error| invalid_column(14, error))?,
        decisions: newer(row, "decisions")?,
        license: newer(row, "license")?,
        origin: None,
    })
}

/// Returns a value that may be missing, because an older version made the row or even the table.
fn newer<T: FromSql>(row: &Row, name: &str) -> rusqlite::Result<Option<T>> {
    match row.get(name) {
        Err(rusqlite::Error::InvalidColumnName(_)) => Ok(None),
        found => found,
    }
}

fn level(row: &Row, column: usize) -> rusqlite::Result<Level> {
    let name: String = row.get(column)?;
    Level::from_name(&name).ok_or_else(|| invalid_column(column, format!("unknown level '{name}'")))
}

/// The error of a column whose content is invalid.
fn invalid_column(column: usize, error: impl Into<Box<dyn Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
}
