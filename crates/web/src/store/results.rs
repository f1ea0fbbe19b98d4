//! Results of players: the best game of each player on each board.

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

/// Shortens names: older versions stored them without a limit.
pub(super) const SHORT_NAMES: &str = "
    UPDATE results SET name = substr(name, 1, 100) WHERE length(name) > 100;
";

/// Maintains the number of rows, which would be slow to count, and an index in the order of listing.
pub(super) const COUNTED: &str = "
    CREATE TABLE result_count (rows INTEGER NOT NULL) STRICT;
    INSERT INTO result_count SELECT count(*) FROM results;
    CREATE TRIGGER result_added AFTER INSERT ON results BEGIN UPDATE result_count SET rows = rows + 1; END;
    CREATE TRIGGER result_deleted AFTER DELETE ON results BEGIN UPDATE result_count SET rows = rows - 1; END;
    CREATE INDEX results_by_time ON results (player, last, id);
";

/// A player's best game on a board.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// Id of the row.
    pub id: i64,
    /// The board in line format.
    pub board: String,
    /// Name of the board, if it has one.
    pub name: Option<String>,
    /// Length of a shortest solution in moves, if known.
    pub optimum: Option<u32>,
    /// Fewest moves of the player.
    pub moves: u32,
    /// Shortest time with that number of moves, in seconds.
    pub seconds: f64,
    /// Number of times that the player has solved the board.
    pub solved: u64,
    /// Time of the last solution in UTC.
    pub last: String,
}

/// A game that a player has completed.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletedGame {
    /// Name of the player.
    pub player: String,
    /// The board in line format.
    pub board: String,
    /// Name of the board, if it has one.
    pub name: Option<String>,
    /// Length of a shortest solution in moves, if known.
    pub optimum: Option<u32>,
    /// Number of moves.
    pub moves: u32,
    /// Time in seconds.
    pub seconds: f64,
}

impl ResultRow {
    /// Lists up to `limit` results of a player, most recent first, that come after the result `after`, given by its time
    /// and id.
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
        // Sorts after every time, since times start with a digit.
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

    /// Deletes the result of a player on one board, or all results of the player; returns the number of rows deleted.
    pub fn delete(connection: &Connection, player: &str, board: Option<&str>) -> rusqlite::Result<usize> {
        connection
            .execute("DELETE FROM results WHERE player = ?1 AND (?2 IS NULL OR board = ?2)", params![player, board])
    }

    /// Returns the optimum of a board from an earlier result of the player.
    pub fn optimum(connection: &Connection, player: &str, board: &str) -> rusqlite::Result<Option<u32>> {
        let mut known = connection.prepare_cached("SELECT optimum FROM results WHERE player = ? AND board = ?")?;
        Ok(known.query_row([player, board], |row| row.get(0)).optional()?.flatten())
    }
}

impl CompletedGame {
    /// Stores the game; returns whether it is the player's best on this board, or none if a new row would exceed the limit
    /// for the player or for all players.
    pub fn add(&self, connection: &mut Connection, max_own: u64, max_total: u64) -> rusqlite::Result<Option<bool>> {
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before: Option<(u32, f64)> = change
            .prepare_cached("SELECT moves, seconds FROM results WHERE player = ? AND board = ?")?
            .query_row([&self.player, &self.board], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if before.is_none() {
            let total: u64 = change.query_row("SELECT rows FROM result_count", [], |row| row.get(0))?;
            let count = "SELECT count(*) FROM results WHERE player = ?";
            let own: u64 = change.query_row(count, params![self.player], |row| row.get(0))?;
            if own >= max_own || total >= max_total {
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
