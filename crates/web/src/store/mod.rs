//! Persistent data: one `SQLite` file in the data folder.
//!
//! - `packs`, `results`, `runs`: one file for each group of tables, with its queries
//! - `error`: errors of the data folder
//!
//! A data folder belongs to one server at a time: the server locks a file in it, and the operating system releases the lock
//! however the process ends.

mod error;
pub mod packs;
mod results;
mod runs;

pub use error::StoreError;
pub use packs::{Extended, PackSummary};
pub use results::{CompletedGame, ResultRow};
pub use runs::{RunRow, RunState};

use crate::blocking::Blocking;
use crate::error::ApiError;
use clearway_util::lock::{FolderLock, LockError};
use error::{database_error, folder_error};
use rusqlite::{Connection, ErrorCode, ffi};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

const DATABASE: &str = "clearway.sqlite";

/// Time for which a statement is retried while another program has locked the database.
const BUSY_TIME: Duration = Duration::from_secs(2);
/// Time that a request waits for its turn at the database.
const TURN_TIME: Duration = Duration::from_secs(5);
/// Retry-After when these times have passed, in seconds.
const LOCKED_RETRY_AFTER: u64 = 2;
/// Number of threads that may wait for the database; further requests wait without a thread.
const WAITING_THREADS: usize = 4;

/// Upgrades to each version from the previous one. Append only.
const MIGRATIONS: [Migration; 5] = [
    Migration::Sql(&[packs::TABLES, results::TABLES, runs::TABLES]),
    Migration::Sql(&[packs::SHORT_NAMES, results::SHORT_NAMES, results::COUNTED]),
    Migration::Sql(&[packs::LARGE_BOARDS]),
    Migration::Function(packs::predict_times_again),
    Migration::Sql(&[packs::MORE_FACTS]),
];

/// An upgrade of the database by one version.
#[derive(Clone, Copy)]
enum Migration {
    /// SQL for the tables or their content.
    Sql(&'static [&'static str]),
    /// Changes of the content that SQL cannot express.
    Function(fn(&Connection) -> rusqlite::Result<()>),
}

/// The data folder of a server.
#[derive(Clone, Debug)]
pub struct Store(Arc<StoreInner>);

#[derive(Debug)]
struct StoreInner {
    /// The connection, while it is not in use.
    connection: Mutex<Option<Connection>>,
    returned: Condvar,
    blocking: Blocking,
    folder: PathBuf,
    limit: u64,
    /// Held for as long as the store exists.
    _lock: FolderLock,
}

impl Store {
    /// Opens the store in a folder, which is created if missing. The database may take up to `limit` bytes.
    pub fn open(folder: &Path, limit: u64) -> Result<Store, StoreError> {
        let lock = lock_folder(folder)?;
        let path = folder.join(DATABASE);
        let mut connection = Connection::open(&path).map_err(database_error(&path))?;
        prepare(&mut connection, &path, limit)?;
        let store = Store(Arc::new(StoreInner {
            connection: Mutex::new(Some(connection)),
            returned: Condvar::new(),
            blocking: Blocking::new(WAITING_THREADS),
            folder: folder.to_owned(),
            limit,
            _lock: lock,
        }));
        // No run is active yet: runs marked as running ended with the previous server.
        store.with_connection(runs::stop_all).map_err(database_error(&path))?;
        Ok(store)
    }

    /// Path of the data folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// Maximum size in bytes of the database, and of everything else in the data folder.
    pub fn limit(&self) -> u64 {
        self.0.limit
    }

    /// Runs work on the database, blocking the thread. If the database is not available within a few seconds, the error is
    /// that of a locked database.
    pub fn with_connection<T>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let mut borrowed = self.borrow()?;
        match &mut borrowed.connection {
            Some(connection) => work(connection),
            None => Err(busy()),
        }
    }

    fn borrow(&self) -> rusqlite::Result<ConnectionGuard<'_>> {
        let place = self.0.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut place, waited) = self
            .0
            .returned
            .wait_timeout_while(place, TURN_TIME, |connection| connection.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(busy());
        }
        Ok(ConnectionGuard { connection: place.take(), store: &self.0 })
    }

    /// Runs work on the database, including the creation of its response, off the async threads.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = self.clone();
        self.0.blocking.run(move || store.with_connection(|connection| Ok(work(connection)))?).await
    }
}

/// The connection, for one user at a time. It is returned on drop, also after a panic, which rolls the transaction back.
struct ConnectionGuard<'a> {
    connection: Option<Connection>,
    store: &'a StoreInner,
}

impl Drop for ConnectionGuard<'_> {
    fn drop(&mut self) {
        *self.store.connection.lock().unwrap_or_else(PoisonError::into_inner) = self.connection.take();
        self.store.returned.notify_one();
    }
}

fn busy() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None)
}

/// Locks the folder for this process.
fn lock_folder(folder: &Path) -> Result<FolderLock, StoreError> {
    FolderLock::acquire(folder).map_err(|error| match error {
        LockError::InUse { .. } => StoreError::InUse(folder.to_owned()),
        LockError::File { error, .. } => folder_error(folder)(error),
        other => folder_error(folder)(io::Error::other(other)),
    })
}

/// Configures the connection and upgrades the tables to the current version.
fn prepare(connection: &mut Connection, path: &Path, limit: u64) -> Result<(), StoreError> {
    let known = MIGRATIONS.len();
    let found = version(connection).map_err(database_error(path))?;
    if found > known {
        return Err(StoreError::NewerVersion { path: path.to_owned(), found, known });
    }
    let set_up = |connection: &mut Connection| -> rusqlite::Result<()> {
        connection.busy_timeout(BUSY_TIME)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // With WAL this survives a kill of the process; only a power failure may lose the last transactions.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        for (version, migration) in (1..).zip(MIGRATIONS).skip(found) {
            let change = connection.transaction()?;
            match migration {
                Migration::Sql(statements) => change.execute_batch(&statements.concat())?,
                Migration::Function(upgrade) => upgrade(&change)?,
            }
            change.pragma_update(None, "user_version", version)?;
            change.commit()?;
        }
        // Exceeding the limit gives the same error as a full disk.
        let page_size: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        connection.pragma_update(
            None,
            "max_page_count",
            (limit / page_size.max(1)).clamp(1, u32::MAX.into()) as i64,
        )?;
        Ok(())
    };
    set_up(connection).map_err(database_error(path))
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> ApiError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => ApiError::full("the data folder is full").with_help("delete packs or results"),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ApiError::locked(LOCKED_RETRY_AFTER),
            _ => ApiError::internal(error),
        }
    }
}
