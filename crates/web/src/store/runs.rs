//! Runs of evolution: what is not in their folders.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, named_params, params};
use serde::Serialize;
use utoipa::ToSchema;

pub(super) const TABLES: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),
        state TEXT NOT NULL,
        error TEXT,
        settings TEXT NOT NULL,
        training TEXT,
        tests TEXT
    ) STRICT;
";

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It breeds.
    Running,
    /// It was stopped, or the server was; it can be resumed.
    Stopped,
    /// It has made all its generations, or spent its budget, and its champion was tested.
    Done,
    /// It could not go on.
    Failed,
}

const STATES: [(RunState, &str); 4] = [
    (RunState::Running, "running"),
    (RunState::Stopped, "stopped"),
    (RunState::Done, "done"),
    (RunState::Failed, "failed"),
];

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its number.
    pub id: i64,
    /// When it was begun.
    pub created: String,
    /// What it does.
    pub state: RunState,
    /// Why it could not go on.
    pub error: Option<String>,
    /// Its settings as TOML, so that it can begin again if it was ended before it had written them itself.
    pub settings: String,
    /// The champion on the training boards, as JSON.
    pub training: Option<String>,
    /// The champion on the test boards, as JSON.
    pub tests: Option<String>,
}

impl RunRow {
    /// Up to `limit` runs, the newest first, from the one before the run `after`.
    pub fn list(connection: &Connection, after: Option<i64>, limit: usize) -> rusqlite::Result<Vec<RunRow>> {
        let mut runs = connection.prepare_cached("SELECT * FROM runs WHERE id < ? ORDER BY id DESC LIMIT ?")?;
        runs.query_map(params![after.unwrap_or(i64::MAX), limit as i64], run)?.collect()
    }

    /// The run of a number.
    pub fn find(connection: &mut Connection, id: i64) -> rusqlite::Result<Option<RunRow>> {
        connection.prepare_cached("SELECT * FROM runs WHERE id = ?")?.query_row([id], run).optional()
    }

    /// A new run, which runs; none if there are as many as there may be.
    pub fn add(connection: &mut Connection, settings: &str, most: u64) -> rusqlite::Result<Option<RunRow>> {
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let count: u64 = change.query_row("SELECT count(*) FROM runs", [], |row| row.get(0))?;
        if count >= most {
            return Ok(None);
        }
        let new = change.query_row(
            "INSERT INTO runs (state, settings) VALUES (?, ?) RETURNING *",
            params![RunState::Running, settings],
            run,
        )?;
        change.commit()?;
        Ok(Some(new))
    }

    /// Keeps what has become of a run.
    pub fn save(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let mut update = connection.prepare_cached(
            "UPDATE runs SET state = :state, error = :error, settings = :settings, training = :training, tests = :tests
             WHERE id = :id",
        )?;
        update.execute(named_params! {
            ":id": self.id,
            ":state": self.state,
            ":error": self.error,
            ":settings": self.settings,
            ":training": self.training,
            ":tests": self.tests,
        })?;
        Ok(())
    }

    /// Forgets a run.
    pub fn delete(connection: &mut Connection, id: i64) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM runs WHERE id = ?", [id]).map(|_| ())
    }
}

/// What ran when the last server ended is stopped.
pub(super) fn stop_all(connection: &mut Connection) -> rusqlite::Result<()> {
    let states = params![RunState::Stopped, RunState::Running];
    connection.execute("UPDATE runs SET state = ? WHERE state = ?", states).map(|_| ())
}

fn run(row: &Row) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get("id")?,
        created: row.get("created")?,
        state: row.get("state")?,
        error: row.get("error")?,
        settings: row.get("settings")?,
        training: row.get("training")?,
        tests: row.get("tests")?,
    })
}

impl ToSql for RunState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let word = STATES.iter().find(|(state, _)| state == self).map_or("", |(_, word)| word);
        Ok(word.into())
    }
}

impl FromSql for RunState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<RunState> {
        let found = value.as_str()?;
        let state = STATES.iter().find(|(_, word)| *word == found);
        state.map(|(state, _)| *state).ok_or(FromSqlError::InvalidType)
    }
}
