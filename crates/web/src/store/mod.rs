//! What is remembered: one `SQLite` file in the data folder.
//!
//! - `packs`, `results`, `runs`: a file for each group of tables, with all that is asked of them
//! - `error`: why a data folder is of no use
//!
//! One server has the folder for itself: it holds a lock on a file there for as long as it lives, and the system takes the
//! lock back however it ends.

mod error;
mod packs;
mod results;
mod runs;

pub use error::StoreError;
pub use packs::{PackSummary, StoredPack};
pub use results::{Played, ResultRow};
pub use runs::{RunRow, RunState};

use crate::error::ApiError;
use clearway_util::lock::{FolderLock, LockError};
use error::{broken, unusable};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const DATABASE: &str = "clearway.sqlite";

/// What makes the tables of each version out of those of the version before. Only ever added to.
const MIGRATIONS: [&[&str]; 1] = [&[packs::TABLES, results::TABLES, runs::TABLES]];

/// The data folder of a server.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    connection: Mutex<Connection>,
    folder: PathBuf,
    /// Held, never read.
    _lock: FolderLock,
}

impl Store {
    /// Opens the store in a folder, which is made if it is not there.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let lock = lock(folder)?;
        let path = folder.join(DATABASE);
        let mut connection = Connection::open(&path).map_err(broken(&path))?;
        prepare(&mut connection, &path)?;
        let store =
            Store(Arc::new(Inner { connection: Mutex::new(connection), folder: folder.to_owned(), _lock: lock }));
        // Nothing runs yet: what is said to was ended with the server before.
        store.now(runs::stop_all).map_err(broken(&path))?;
        Ok(store)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// Works on the database, and waits for that.
    pub fn now<T>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        // A panic in the middle of a transaction has rolled it back.
        work(&mut self.0.connection.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Works on the database without keeping the other requests waiting.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = self.clone();
        match tokio::task::spawn_blocking(move || store.now(work)).await {
            Ok(done) => Ok(done?),
            Err(error) => Err(ApiError::internal(error)),
        }
    }
}

/// Takes the folder for this process.
fn lock(folder: &Path) -> Result<FolderLock, StoreError> {
    FolderLock::acquire(folder).map_err(|error| match error {
        LockError::InUse { .. } => StoreError::Taken(folder.to_owned()),
        LockError::File { error, .. } => unusable(folder)(error),
    })
}

/// Brings the tables to the present version.
fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let known = MIGRATIONS.len();
    let found = version(connection).map_err(broken(path))?;
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    let set_up = |connection: &mut Connection| -> rusqlite::Result<()> {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // With the log this outlives a kill of the process; only a failure of power may cost the last moments.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        for (version, tables) in (1..).zip(MIGRATIONS).skip(found) {
            let change = connection.transaction()?;
            change.execute_batch(&tables.concat())?;
            change.pragma_update(None, "user_version", version)?;
            change.commit()?;
        }
        Ok(())
    };
    set_up(connection).map_err(broken(path))
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> ApiError {
        if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull) {
            let status = axum::http::StatusCode::INSUFFICIENT_STORAGE;
            return ApiError::new(status, "there is no room left in the data folder");
        }
        ApiError::internal(error)
    }
}
