//! Runs of evolution: the data that is not in their folders.

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

/// Where a run is in its life, as the database stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// The run is in progress.
    Running,
    /// The run or the server was stopped; the run can be resumed.
    Stopped,
    /// All generations are complete or the budget is spent, and the champion is tested.
    Done,
    /// The run ended with an error.
    Failed,
}

const STATES: [(RunState, &str); 4] = [
    (RunState::Running, "running"),
    (RunState::Stopped, "stopped"),
    (RunState::Done, "done"),
    (RunState::Failed, "failed"),
];

/// A row of the table of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Id of the run.
    pub id: i64,
    /// Time of creation in UTC.
    pub created: String,
    /// State of the run.
    pub state: RunState,
    /// Error that ended the run, if it failed.
    pub error: Option<String>,
    /// Settings as TOML, so that a run that ended before it wrote its folder can start again.
    pub settings: String,
    /// Results of the champion on the training boards, as JSON.
    pub training: Option<String>,
    /// Results of the champion on the test boards, as JSON.
    pub tests: Option<String>,
}

impl RunRow {
    /// Lists up to `limit` runs older than the run `after`, newest first.
    pub fn list(connection: &Connection, after: Option<i64>, limit: usize) -> rusqlite::Result<Vec<RunRow>> {
        let mut runs = connection.prepare_cached("SELECT * FROM runs WHERE id < ? ORDER BY id DESC LIMIT ?")?;
        runs.query_map(params![after.unwrap_or(i64::MAX), limit as i64], run)?.collect()
    }

    /// Finds a run by its id.
    pub fn find(connection: &mut Connection, id: i64) -> rusqlite::Result<Option<RunRow>> {
        connection.prepare_cached("SELECT * FROM runs WHERE id = ?")?.query_row([id], run).optional()
    }

    /// Adds a run in the state `Running`; none if there are already `max` runs.
    pub fn add(connection: &mut Connection, settings: &str, max: u64) -> rusqlite::Result<Option<RunRow>> {
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let count: u64 = change.query_row("SELECT count(*) FROM runs", [], |row| row.get(0))?;
        if count >= max {
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

    /// Updates the row of this run.
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

    /// Deletes a run.
    pub fn delete(connection: &mut Connection, id: i64) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM runs WHERE id = ?", [id]).map(|_| ())
    }
}

/// Marks runs that were running when the previous server ended as stopped.
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
        let name = STATES.iter().find(|(state, _)| state == self).map_or("", |(_, name)| name);
        Ok(name.into())
    }
}

impl FromSql for RunState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<RunState> {
        let text = value.as_str()?;
        let state = STATES.iter().find(|(_, name)| *name == text);
        state.map(|(state, _)| *state).ok_or(FromSqlError::InvalidType)
    }
}
