//! The folder of a run. Every file in it but the log is replaced as a whole.

use super::settings::VERSION;
use clearway_util::atomic;
use clearway_util::lock::{FOLDER_LOCK, FolderLock, LockError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

/// Why a folder is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FolderError {
    /// It is that of another run.
    #[error("{} holds a run already", .0.display())]
    IsRun(PathBuf),
    /// It holds something else.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// It holds no run.
    #[error("{} holds no run: there is no config.toml in it", .0.display())]
    NoRun(PathBuf),
    /// Another version of the program made the run.
    #[error("the run in {} was begun by clearway {found}; this is clearway {VERSION}, which may not breed the same", .folder.display())]
    Version {
        /// The folder.
        folder: PathBuf,
        /// The version.
        found: String,
    },
    /// The settings cannot be read.
    #[error("{}: {why}", .path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Another process breeds in it.
    #[error("{0}")]
    InUse(String),
    /// A file cannot be read or written.
    #[error("cannot {doing}: {why}")]
    File {
        /// What was being done.
        doing: String,
        /// What the system says.
        why: String,
    },
}

const SETTINGS: &str = "config.toml";

impl Folder {
    /// The folder at a path, whether it is there or not.
    pub fn at(path: &Path) -> Folder {
        Folder(path.to_owned())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The page about the run.
    pub fn report(&self) -> PathBuf {
        self.file("report.html")
    }

    /// Whether a run was begun in it.
    pub fn is_run(&self) -> bool {
        self.has(SETTINGS)
    }

    /// Takes the folder, which is made if it is missing, for this process, until the lock is dropped.
    pub(crate) fn lock(&self) -> Result<FolderLock, FolderError> {
        FolderLock::acquire(&self.0).map_err(|error| match error {
            LockError::InUse { .. } => FolderError::InUse(error.to_string()),
            LockError::File { error, .. } => self.failed("use", "")(error),
        })
    }

    /// As [`lock`](Self::lock), but refuses a folder without a run, and does not make one.
    pub(crate) fn lock_run(&self) -> Result<FolderLock, FolderError> {
        if self.is_run() { self.lock() } else { Err(FolderError::NoRun(self.0.clone())) }
    }

    /// Refuses a folder that holds anything.
    pub fn check_unused(&self) -> Result<(), FolderError> {
        let is_lock = |entry: &fs::DirEntry| entry.file_name() == FOLDER_LOCK;
        match fs::read_dir(&self.0).map(|entries| entries.flatten().all(|entry| is_lock(&entry))) {
            Ok(true) => Ok(()),
            Ok(false) if self.is_run() => Err(FolderError::IsRun(self.0.clone())),
            Ok(false) => Err(FolderError::NotEmpty(self.0.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.failed("use", "")(error)),
        }
    }

    /// Makes a folder in it, and the folder itself, if they are not there.
    pub(crate) fn make(&self, name: &str) -> Result<(), FolderError> {
        fs::create_dir_all(self.0.join(name)).map_err(self.failed("make", ""))
    }

    /// The settings of the run in it.
    pub(crate) fn settings<S: DeserializeOwned>(&self) -> Result<S, FolderError> {
        let path = self.file(SETTINGS);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(FolderError::NoRun(self.0.clone())),
            other => other.map_err(self.failed("read", SETTINGS))?,
        };
        // Another version may have other settings: it is to be told from its number, not from what it does not know.
        let found = text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
        if let Some(found) = found.filter(|found| *found != VERSION) {
            return Err(FolderError::Version { folder: self.0.clone(), found: found.to_owned() });
        }
        toml::from_str(&text).map_err(|error| FolderError::Settings { path, why: error.to_string() })
    }

    /// Writes the settings. What has them is a run: in a new one they come last.
    pub(crate) fn save_settings<S: Serialize>(&self, settings: &S) -> Result<(), FolderError> {
        let text = toml::to_string(settings)
            .map_err(|error| FolderError::Settings { path: self.file(SETTINGS), why: error.to_string() })?;
        self.write(SETTINGS, &text)
    }

    /// Whether a file is in it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// The bytes of a file in it.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, FolderError> {
        fs::read(self.file(name)).map_err(self.failed("read", name))
    }

    /// A file in it, to write more behind what it holds.
    pub(super) fn append_to(&self, name: &str) -> Result<File, FolderError> {
        File::options().append(true).open(self.file(name)).map_err(self.failed("write", name))
    }

    /// Replaces a file as a whole.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let path = self.file(name);
        atomic::write(&path, text).map_err(self.failed("write", name))
    }

    /// What could not be done with a file in it, or with the folder itself.
    pub(crate) fn failed<E: ToString>(&self, verb: &str, name: &str) -> impl Fn(E) -> FolderError + use<E> {
        let path = if name.is_empty() { self.0.clone() } else { self.file(name) };
        let doing = format!("{verb} {}", path.display());
        move |error| FolderError::File { doing: doing.clone(), why: error.to_string() }
    }
}
