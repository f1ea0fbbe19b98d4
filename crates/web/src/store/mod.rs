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

use crate::blocking::Blocking;
use crate::error::ApiError;
use clearway_util::lock::{FolderLock, LockError};
use error::{broken, unusable};
use rusqlite::{Connection, ErrorCode, ffi};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

const DATABASE: &str = "clearway.sqlite";

/// How long a statement is tried again while another program has locked the database.
const BUSY_TIME: Duration = Duration::from_secs(2);
/// How long a request waits for those before it to be done with the database.
const TURN_TIME: Duration = Duration::from_secs(5);
/// Retry-After when both were not enough, in seconds.
const LOCKED_RETRY: u64 = 2;
/// How many requests wait for the database in threads; more wait without one.
const WAITING_THREADS: usize = 4;

/// The longest name of a board or of a pack that is kept, in characters.
pub const LONGEST_NAME: usize = 100;

/// What makes the tables of each version out of those of the version before. Only ever added to.
const MIGRATIONS: [&[&str]; 2] =
    [&[packs::TABLES, results::TABLES, runs::TABLES], &[packs::SHORT_NAMES, results::SHORT_NAMES, results::COUNTED]];

/// The data folder of a server.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The connection, while nobody uses it.
    connection: Mutex<Option<Connection>>,
    returned: Condvar,
    blocking: Blocking,
    folder: PathBuf,
    limit: u64,
    /// Held, never read.
    _lock: FolderLock,
}

impl Store {
    /// Opens the store in a folder, which is made if it is not there. The database takes up to `limit` bytes.
    pub fn open(folder: &Path, limit: u64) -> Result<Store, StoreError> {
        let lock = lock(folder)?;
        let path = folder.join(DATABASE);
        let mut connection = Connection::open(&path).map_err(broken(&path))?;
        prepare(&mut connection, &path, limit)?;
        let store = Store(Arc::new(Inner {
            connection: Mutex::new(Some(connection)),
            returned: Condvar::new(),
            blocking: Blocking::new(WAITING_THREADS),
            folder: folder.to_owned(),
            limit,
            _lock: lock,
        }));
        // Nothing runs yet: what is said to was ended with the server before.
        store.now(runs::stop_all).map_err(broken(&path))?;
        Ok(store)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// The most bytes of the database, and of everything else in the data folder.
    pub fn limit(&self) -> u64 {
        self.0.limit
    }

    /// Works on the database, and waits for that. If it cannot be had within a few seconds, the error is that of a
    /// locked database.
    pub fn now<T>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let mut borrowed = self.borrow()?;
        match &mut borrowed.connection {
            Some(connection) => work(connection),
            None => Err(busy()),
        }
    }

    fn borrow(&self) -> rusqlite::Result<Borrowed<'_>> {
        let place = self.0.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut place, waited) = self
            .0
            .returned
            .wait_timeout_while(place, TURN_TIME, |connection| connection.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(busy());
        }
        Ok(Borrowed { connection: place.take(), store: &self.0 })
    }

    /// Works on the database, and makes an answer of what was found, without keeping the other requests waiting.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = self.clone();
        self.0.blocking.run(move || store.now(|connection| Ok(work(connection)))?).await
    }
}

/// The connection, for one user at a time; given back even by a panic, which has rolled its transaction back.
struct Borrowed<'a> {
    connection: Option<Connection>,
    store: &'a Inner,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        *self.store.connection.lock().unwrap_or_else(PoisonError::into_inner) = self.connection.take();
        self.store.returned.notify_one();
    }
}

fn busy() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None)
}

/// Takes the folder for this process.
fn lock(folder: &Path) -> Result<FolderLock, StoreError> {
    FolderLock::acquire(folder).map_err(|error| match error {
        LockError::InUse { .. } => StoreError::Taken(folder.to_owned()),
        LockError::File { error, .. } => unusable(folder)(error),
    })
}

/// Brings the tables to the present version.
fn prepare(connection: &mut Connection, path: &Path, limit: u64) -> Result<(), StoreError> {
    let known = MIGRATIONS.len();
    let found = version(connection).map_err(broken(path))?;
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    let set_up = |connection: &mut Connection| -> rusqlite::Result<()> {
        connection.busy_timeout(BUSY_TIME)?;
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
        // Beyond it the error is the same as on a full disk.
        let page_size: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        connection.pragma_update(
            None,
            "max_page_count",
            (limit / page_size.max(1)).clamp(1, u32::MAX.into()) as i64,
        )?;
        Ok(())
    };
    set_up(connection).map_err(broken(path))
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> ApiError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => ApiError::full("the data folder is full").with_help("delete packs or results"),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ApiError::locked(LOCKED_RETRY),
            _ => ApiError::internal(error),
        }
    }
}
