//! What players have done: for each board that somebody solved, the best of all times.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, named_params, params};

pub(super) const TABLES: &str = "
    CREATE TABLE results (
        id INTEGER PRIMARY KEY,
        player TEXT NOT NULL,
        board TEXT NOT NULL,
        name TEXT,
        optimum INTEGER,
        moves INTEGER NOT NULL,
        seconds REAL NOT NULL,
        solved INTEGER NOT NULL DEFAULT 1,
        last TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),
        UNIQUE (player, board)
    ) STRICT;
";

/// Names were not always bounded.
pub(super) const SHORT_NAMES: &str = "
    UPDATE results SET name = substr(name, 1, 100) WHERE length(name) > 100;
";

/// The number of all rows, which would take long to count, and the order in which results are listed.
pub(super) const COUNTED: &str = "
    CREATE TABLE result_count (rows INTEGER NOT NULL) STRICT;
    INSERT INTO result_count SELECT count(*) FROM results;
    CREATE TRIGGER result_added AFTER INSERT ON results BEGIN UPDATE result_count SET rows = rows + 1; END;
    CREATE TRIGGER result_deleted AFTER DELETE ON results BEGIN UPDATE result_count SET rows = rows - 1; END;
    CREATE INDEX results_by_time ON results (player, last, id);
";

/// A board that a player has solved.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// Its number.
    pub id: i64,
    /// The board in line format.
    pub board: String,
    /// Its name, if it came with one.
    pub name: Option<String>,
    /// The fewest moves that solve it, if that is known.
    pub optimum: Option<u32>,
    /// The player's fewest moves.
    pub moves: u32,
    /// The shortest time for so many moves.
    pub seconds: f64,
    /// How often it was solved.
    pub solved: u64,
    /// When it was solved last.
    pub last: String,
}

/// A board, solved once more.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Who.
    pub player: String,
    /// The board in line format.
    pub board: String,
    /// Its name, if it came with one.
    pub name: Option<String>,
    /// The fewest moves that solve it, if that is known.
    pub optimum: Option<u32>,
    /// The moves made.
    pub moves: u32,
    /// The time taken.
    pub seconds: f64,
}

impl ResultRow {
    /// Up to `limit` boards that a player has solved, the last first, from the one before `after`: when that was solved,
    /// and its number.
    pub fn list(
        connection: &Connection,
        player: &str,
        after: Option<(&str, i64)>,
        limit: usize,
    ) -> rusqlite::Result<Vec<ResultRow>> {
        let mut results = connection.prepare_cached(
            "SELECT id, board, name, optimum, moves, seconds, solved, last FROM results
             WHERE player = ? AND (last, id) < (?, ?) ORDER BY last DESC, id DESC LIMIT ?",
        )?;
        // Greater than every time: those begin with a digit.
        let (last, id) = after.unwrap_or(("~", i64::MAX));
        let rows = results.query_map(params![player, last, id, limit as i64], |row| {
            Ok(ResultRow {
                id: row.get(0)?,
                board: row.get(1)?,
                name: row.get(2)?,
                optimum: row.get(3)?,
                moves: row.get(4)?,
                seconds: row.get(5)?,
                solved: row.get(6)?,
                last: row.get(7)?,
            })
        })?;
        rows.collect()
    }

    /// Deletes what a player has solved: one board, or all; tells how many rows that were.
    pub fn delete(connection: &Connection, player: &str, board: Option<&str>) -> rusqlite::Result<usize> {
        connection
            .execute("DELETE FROM results WHERE player = ?1 AND (?2 IS NULL OR board = ?2)", params![player, board])
    }

    /// The optimum of a board that a player has solved before.
    pub fn optimum(connection: &Connection, player: &str, board: &str) -> rusqlite::Result<Option<u32>> {
        let mut known = connection.prepare_cached("SELECT optimum FROM results WHERE player = ? AND board = ?")?;
        Ok(known.query_row([player, board], |row| row.get(0)).optional()?.flatten())
    }
}

impl Played {
    /// Keeps it; tells whether it is the best of this player, or none if there is no room for a new board: for one player,
    /// or for all together.
    pub fn add(&self, connection: &mut Connection, most: u64, most_of_all: u64) -> rusqlite::Result<Option<bool>> {
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before: Option<(u32, f64)> = change
            .prepare_cached("SELECT moves, seconds FROM results WHERE player = ? AND board = ?")?
            .query_row([&self.player, &self.board], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if before.is_none() {
            let all: u64 = change.query_row("SELECT rows FROM result_count", [], |row| row.get(0))?;
            let count = "SELECT count(*) FROM results WHERE player = ?";
            let own: u64 = change.query_row(count, params![self.player], |row| row.get(0))?;
            if own >= most || all >= most_of_all {
                return Ok(None);
            }
        }
        let best = before.is_none_or(|(moves, seconds)| (self.moves, self.seconds) < (moves, seconds));
        change
            .prepare_cached(
                "INSERT INTO results (player, board, name, optimum, moves, seconds)
                 VALUES (:player, :board, :name, :optimum, :moves, :seconds)
                 ON CONFLICT (player, board) DO UPDATE SET
                     name = coalesce(excluded.name, name),
                     optimum = coalesce(excluded.optimum, optimum),
                     moves = iif(:best, excluded.moves, moves),
                     seconds = iif(:best, excluded.seconds, seconds),
                     solved = solved + 1,
                     last = excluded.last",
            )?
            .execute(named_params! {
                ":player": self.player,
                ":board": self.board,
                ":name": self.name,
                ":optimum": self.optimum,
                ":moves": self.moves,
                ":seconds": self.seconds,
                ":best": best,
            })?;
        change.commit()?;
        Ok(Some(best))
    }
}
