//! Runs of evolution: one at a time, in a thread of its own, in a folder of its own.
//!
//! - `thread`: breeds; `progress`: what others see of it while it does
//!
//! What a run has bred is in its folder after every generation, so that it can be resumed whatever ended it.

mod progress;
mod thread;

pub use progress::{Phase, Progress};
pub use thread::MOST_SECONDS;

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

/// How many runs are kept.
const MOST_RUNS: u64 = 200;
/// When who finds another run in the way should ask again, in seconds.
const RETRY: u64 = 10;

/// All runs.
#[derive(Debug)]
pub struct Runs {
    store: Store,
    threads: usize,
    memory: usize,
    current: Mutex<Current>,
}

/// What runs.
#[derive(Debug, Default)]
struct Current {
    live: Option<Live>,
    /// The server comes to its end.
    closed: bool,
}

/// A run that breeds.
#[derive(Clone, Debug)]
struct Live {
    id: i64,
    cancel: Arc<AtomicBool>,
    progress: watch::Receiver<Progress>,
}

impl Runs {
    /// The runs in the data folder; they have so many threads, and so much memory.
    pub fn new(store: Store, threads: usize, memory: usize) -> Arc<Runs> {
        Arc::new(Runs { store, threads: threads.max(1), memory, current: Mutex::default() })
    }

    /// The folder of a run.
    pub fn folder(&self, id: i64) -> Folder {
        Folder::at(&self.store.folder().join("runs").join(id.to_string()))
    }

    /// Begins a run.
    pub fn begin(self: &Arc<Self>, settings: &Settings) -> Result<RunRow, ApiError> {
        let mut current = self.free()?;
        self.has_room()?;
        let row = self.store.now(|connection| RunRow::add(connection, &settings.to_toml(), MOST_RUNS))?;
        let full = || ApiError::full(format!("the limit of {MOST_RUNS} runs is reached")).with_help("delete one first");
        let row = row.ok_or_else(full)?;
        self.start(&mut current, row)
    }

    /// Goes on with a run; its settings may be changed.
    pub fn resume(
        self: &Arc<Self>,
        id: i64,
        more: impl FnOnce(&mut Settings) -> Result<(), ApiError>,
    ) -> Result<RunRow, ApiError> {
        let mut current = self.free()?;
        self.has_room()?;
        let mut row = self.find(id)?;
        let mut settings = Settings::from_toml(&row.settings).map_err(ApiError::internal)?;
        more(&mut settings)?;
        row = RunRow { state: RunState::Running, error: None, settings: settings.to_toml(), ..row };
        self.store.now(|connection| row.save(connection))?;
        self.start(&mut current, row)
    }

    /// Whether the folders of runs leave room for more.
    fn has_room(&self) -> Result<(), ApiError> {
        let used = folder_size(&self.store.folder().join("runs")).map_err(ApiError::internal)?;
        if used < self.store.limit() {
            return Ok(());
        }
        Err(ApiError::full("the data folder is full").with_help("delete runs that are not needed"))
    }

    /// The place for the one run that there may be.
    fn free(&self) -> Result<MutexGuard<'_, Current>, ApiError> {
        let current = self.current();
        if current.closed {
            return Err(ApiError::too_busy(RETRY));
        }
        match &current.live {
            None => Ok(current),
            Some(live) => Err(ApiError::too_many(format!("run {} is running", live.id), RETRY)
                .with_help("stop it first, or wait until it is done")),
        }
    }

    fn start(self: &Arc<Self>, current: &mut Current, row: RunRow) -> Result<RunRow, ApiError> {
        let cancel = Arc::<AtomicBool>::default();
        let generations = self.folder(row.id).logged().map_err(ApiError::internal)?;
        let first = Progress { state: RunState::Running, phase: Some(Phase::Preparing), generations };
        let (told, progress) = watch::channel(first);
        current.live = Some(Live { id: row.id, cancel: Arc::clone(&cancel), progress });
        let task = thread::Task { runs: Arc::clone(self), row: row.clone(), cancel, progress: told };
        let thread = std::thread::Builder::new().name(format!("run-{}", row.id));
        if let Err(error) = thread.spawn(move || task.run()) {
            current.live = None;
            let row = RunRow { state: RunState::Failed, error: Some(error.to_string()), ..row };
            self.store.now(|connection| row.save(connection))?;
            return Err(ApiError::internal(error));
        }
        Ok(row)
    }

    /// The run has ended.
    fn ended(&self, row: &RunRow) {
        let mut current = self.current();
        if let Err(error) = self.store.now(|connection| row.save(connection)) {
            // After a restart it is listed as stopped, and can be resumed.
            tracing::error!("run {} could not be kept: {error}", row.id);
        }
        current.live = None;
    }

    /// Asks a run to stop. What it has done by then can be waited for.
    pub fn stop(&self, id: i64) -> Option<watch::Receiver<Progress>> {
        let live = self.live(id)?;
        live.cancel.store(true, Ordering::Relaxed);
        Some(live.progress)
    }

    /// Asks whatever runs to stop, and lets nothing else begin.
    pub fn close(&self) -> Option<watch::Receiver<Progress>> {
        let id = {
            let mut current = self.current();
            current.closed = true;
            current.live.as_ref()?.id
        };
        self.stop(id)
    }

    /// What can be seen of a run that breeds.
    pub fn watch(&self, id: i64) -> Option<watch::Receiver<Progress>> {
        self.live(id).map(|live| live.progress)
    }

    fn live(&self, id: i64) -> Option<Live> {
        self.current().live.clone().filter(|live| live.id == id)
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        // Nothing is left half done in it by a panic.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is kept of a run.
    pub fn find(&self, id: i64) -> Result<RunRow, ApiError> {
        let row = self.store.now(|connection| RunRow::find(connection, id))?;
        row.ok_or_else(|| ApiError::not_found(format!("there is no run {id}")))
    }

    /// What is kept of up to `limit` runs, the newest first, from the one before the run `after`.
    pub fn list(&self, after: Option<i64>, limit: usize) -> Result<Vec<RunRow>, ApiError> {
        Ok(self.store.now(|connection| RunRow::list(connection, after, limit))?)
    }

    /// Forgets a run that does not breed, with its folder.
    pub fn delete(&self, id: i64) -> Result<(), ApiError> {
        let current = self.current();
        self.find(id)?;
        if current.live.as_ref().is_some_and(|live| live.id == id) {
            return Err(ApiError::conflict(format!("run {id} is running")).with_help("stop it first"));
        }
        self.clear(id).map_err(ApiError::internal)?;
        Ok(self.store.now(|connection| RunRow::delete(connection, id))?)
    }

    /// Takes away what is in the folder of a run.
    fn clear(&self, id: i64) -> io::Result<()> {
        match fs::remove_dir_all(self.folder(id).path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// The champion of a run as text, if it has one yet.
    pub fn champion(&self, id: i64) -> Option<String> {
        fs::read_to_string(self.folder(id).champion()).ok()
    }
}

/// The bytes of all files in a folder and below it.
fn folder_size(folder: &Path) -> io::Result<u64> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut size = 0;
    for entry in entries {
        let entry = entry?;
        let data = match entry.metadata() {
            // A run that breeds replaces its files.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            data => data?,
        };
        size += if data.is_dir() { folder_size(&entry.path())? } else { data.len() };
    }
    Ok(size)
}
