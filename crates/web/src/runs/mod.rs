//! Runs of evolution: one at a time, each in its own thread and folder.
//!
//! - `thread`: executes the run; `progress`: its state as clients see it
//!
//! A run writes a checkpoint to its folder after every generation, so that it can be resumed however it ended.

mod progress;
mod thread;

pub use progress::{Phase, RunProgress};
pub use thread::MAX_SECONDS;

use crate::error::ApiError;
use crate::store::{RunRow, RunState, Store};
use clearway_lab::evolve::Settings;
use clearway_lab::runs::Folder;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Maximum number of stored runs.
const MAX_RUNS: u64 = 200;
/// Retry-After while another run is active, in seconds.
const RETRY_AFTER: u64 = 10;

/// All runs of a data folder.
#[derive(Debug)]
pub struct Runs {
    store: Store,
    threads: usize,
    memory: usize,
    nice: i32,
    current: Mutex<Current>,
}

/// The active run, if there is one.
#[derive(Debug, Default)]
struct Current {
    run: Option<ActiveRun>,
    /// Set when the server shuts down; no run may start then.
    closed: bool,
}

/// A run in progress.
#[derive(Clone, Debug)]
struct ActiveRun {
    id: i64,
    cancel: Arc<AtomicBool>,
    progress: watch::Receiver<RunProgress>,
}

impl Runs {
    /// Manages the runs in the data folder. A run uses this number of threads, with this nice value, and this many bytes.
    pub fn new(store: Store, threads: usize, memory: usize, nice: i32) -> Arc<Runs> {
        Arc::new(Runs { store, threads: threads.max(1), memory, nice, current: Mutex::default() })
    }

    /// Returns the folder of a run.
    pub fn folder(&self, id: i64) -> Folder {
        Folder::at(&self.store.folder().join("runs").join(id.to_string()))
    }

    /// Starts a run; an error if another one is active or a limit is reached.
    pub fn start(self: &Arc<Self>, settings: &Settings) -> Result<RunRow, ApiError> {
        let mut current = self.lock_idle()?;
        self.check_space()?;
        let row = self.store.with_connection(|connection| RunRow::add(connection, &settings.to_toml(), MAX_RUNS))?;
        let full = || ApiError::full(format!("the limit of {MAX_RUNS} runs is reached")).with_help("delete one first");
        let row = row.ok_or_else(full)?;
        self.spawn(&mut current, row)
    }

    /// Resumes a run; `change` may extend its settings.
    pub fn resume(
        self: &Arc<Self>,
        id: i64,
        change: impl FnOnce(&mut Settings) -> Result<(), ApiError>,
    ) -> Result<RunRow, ApiError> {
        let mut current = self.lock_idle()?;
        self.check_space()?;
        let mut row = self.find(id)?;
        let mut settings = Settings::from_toml(&row.settings).map_err(ApiError::internal)?;
        change(&mut settings)?;
        row = RunRow { state: RunState::Running, error: None, settings: settings.to_toml(), ..row };
        self.store.with_connection(|connection| row.save(connection))?;
        self.spawn(&mut current, row)
    }

    /// Returns an error if the folders of runs have reached their size limit.
    fn check_space(&self) -> Result<(), ApiError> {
        let used = folder_size(&self.store.folder().join("runs")).map_err(ApiError::internal)?;
        if used < self.store.limit() {
            return Ok(());
        }
        Err(ApiError::full("the data folder is full").with_help("delete runs that you no longer need"))
    }

    /// Locks the current run; an error if a run is active or the server shuts down.
    fn lock_idle(&self) -> Result<MutexGuard<'_, Current>, ApiError> {
        let current = self.current();
        if current.closed {
            return Err(ApiError::too_busy(RETRY_AFTER));
        }
        match &current.run {
            None => Ok(current),
            Some(run) => Err(ApiError::too_many(format!("run {} is running", run.id), RETRY_AFTER)
                .with_help("stop it, or wait until it is done")),
        }
    }

    fn spawn(self: &Arc<Self>, current: &mut Current, row: RunRow) -> Result<RunRow, ApiError> {
        let cancel = Arc::<AtomicBool>::default();
        let generations = self.folder(row.id).logged().map_err(ApiError::internal)?;
        let first = RunProgress { state: RunState::Running, phase: Some(Phase::Preparing), generations };
        let (sender, progress) = watch::channel(first);
        current.run = Some(ActiveRun { id: row.id, cancel: Arc::clone(&cancel), progress });
        let task = thread::RunTask { runs: Arc::clone(self), row: row.clone(), cancel, progress: sender };
        let thread = std::thread::Builder::new().name(format!("run-{}", row.id));
        if let Err(error) = thread.spawn(move || task.run()) {
            current.run = None;
            let row = RunRow { state: RunState::Failed, error: Some(error.to_string()), ..row };
            self.store.with_connection(|connection| row.save(connection))?;
            return Err(ApiError::internal(error));
        }
        Ok(row)
    }

    /// Stores the outcome of a run, and frees its place.
    fn finish(&self, row: &RunRow) {
        let mut current = self.current();
        if let Err(error) = self.store.with_connection(|connection| row.save(connection)) {
            // After a restart the run is listed as stopped, and can be resumed.
            tracing::error!("cannot store run {}: {error}", row.id);
        }
        current.run = None;
    }

    /// Asks a run to stop; returns its progress to wait on, or none if the run is not active.
    pub fn stop(&self, id: i64) -> Option<watch::Receiver<RunProgress>> {
        let run = self.active(id)?;
        run.cancel.store(true, Ordering::Relaxed);
        Some(run.progress)
    }

    /// Asks the active run to stop, and refuses to start any other.
    pub fn close(&self) -> Option<watch::Receiver<RunProgress>> {
        let id = {
            let mut current = self.current();
            current.closed = true;
            current.run.as_ref()?.id
        };
        self.stop(id)
    }

    /// Returns the progress of an active run.
    pub fn watch(&self, id: i64) -> Option<watch::Receiver<RunProgress>> {
        self.active(id).map(|run| run.progress)
    }

    fn active(&self, id: i64) -> Option<ActiveRun> {
        self.current().run.clone().filter(|run| run.id == id)
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        // A panic cannot leave it inconsistent.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a run; an error if it does not exist.
    pub fn find(&self, id: i64) -> Result<RunRow, ApiError> {
        let row = self.store.with_connection(|connection| RunRow::find(connection, id))?;
        row.ok_or_else(|| ApiError::not_found(format!("run {id} not found")))
    }

    /// Lists up to `limit` runs older than the run `after`, newest first.
    pub fn list(&self, after: Option<i64>, limit: usize) -> Result<Vec<RunRow>, ApiError> {
        Ok(self.store.with_connection(|connection| RunRow::list(connection, after, limit))?)
    }

    /// Deletes a run and its folder; an error if the run is active.
    pub fn delete(&self, id: i64) -> Result<(), ApiError> {
        let current = self.current();
        self.find(id)?;
        if current.run.as_ref().is_some_and(|run| run.id == id) {
            return Err(ApiError::conflict(format!("run {id} is running")).with_help("stop it first"));
        }
        self.remove_folder(id).map_err(ApiError::internal)?;
        Ok(self.store.with_connection(|connection| RunRow::delete(connection, id))?)
    }

    /// Removes the folder of a run.
    fn remove_folder(&self, id: i64) -> io::Result<()> {
        match fs::remove_dir_all(self.folder(id).path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Returns the champion of a run as text, if it has one yet.
    pub fn champion(&self, id: i64) -> Option<String> {
        fs::read_to_string(self.folder(id).champion()).ok()
    }
}

/// Returns the total size of all files in a folder and its subfolders, in bytes.
fn folder_size(folder: &Path) -> io::Result<u64> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut size = 0;
    for entry in entries {
        let entry = entry?;
        let data = match entry.metadata() {
            // An active run replaces its files.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            data => data?,
        };
        size += if data.is_dir() { folder_size(&entry.path())? } else { data.len() };
    }
    Ok(size)
}
