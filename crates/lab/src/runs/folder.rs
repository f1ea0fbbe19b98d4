//! Folders of runs. Every file except the log is replaced atomically.

use super::settings::VERSION;
use clearway_util::atomic;
use clearway_util::lock::{FOLDER_LOCK, FolderLock, LockError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Folder of a run. The folder need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

/// Why the folder of a run cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder already holds a run.
    #[error("{} already holds a run", .0.display())]
    AlreadyHoldsRun(PathBuf),
    /// The folder holds other files.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// The folder does not hold a run.
    #[error("{} does not hold a run: config.toml is missing", .0.display())]
    NoRun(PathBuf),
    /// Another version of the program started the run.
    #[error("the run in {} was started by clearway {found}; this is clearway {VERSION}, whose results may differ", .folder.display())]
    OtherVersion {
        /// Folder of the run.
        folder: PathBuf,
        /// Version that started the run.
        found: String,
    },
    /// The settings cannot be read or written.
    #[error("{}: {error}", .path.display())]
    InvalidSettings {
        /// Path of the settings.
        path: PathBuf,
        /// Error of the TOML parser or writer.
        #[source]
        error: Box<dyn Error + Send + Sync>,
    },
    /// Another process uses the folder.
    #[error(transparent)]
    InUse(LockError),
    /// A file cannot be read or written.
    #[error("cannot {doing}: {error}")]
    UnusableFile {
        /// Action and path, such as "read run/log.jsonl".
        doing: String,
        /// Cause of the failure.
        #[source]
        error: Box<dyn Error + Send + Sync>,
    },
}

const SETTINGS: &str = "config.toml";

impl Folder {
    /// Creates a handle for a path; nothing is created on disk.
    pub fn at(path: &Path) -> Folder {
        Folder(path.to_owned())
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Path of the report.
    pub fn report(&self) -> PathBuf {
        self.file("report.html")
    }

    /// Whether the folder holds a run.
    pub fn is_run(&self) -> bool {
        self.has(SETTINGS)
    }

    /// Locks the folder for this process until the lock is dropped. Creates the folder if it is missing.
    pub(crate) fn lock(&self) -> Result<FolderLock, FolderError> {
        FolderLock::acquire(&self.0).map_err(|error| match error {
            LockError::InUse { .. } => FolderError::InUse(error),
            LockError::File { error, .. } => self.failed("use", "")(error),
            other => self.failed("use", "")(other),
        })
    }

    /// Locks the folder of an existing run.
    pub(crate) fn lock_run(&self) -> Result<FolderLock, FolderError> {
        if self.is_run() { self.lock() } else { Err(FolderError::NoRun(self.0.clone())) }
    }

    /// Fails if the folder holds anything besides the lock.
    pub fn check_unused(&self) -> Result<(), FolderError> {
        let is_lock = |entry: &fs::DirEntry| entry.file_name() == FOLDER_LOCK;
        match fs::read_dir(&self.0).map(|entries| entries.flatten().all(|entry| is_lock(&entry))) {
            Ok(true) => Ok(()),
            Ok(false) if self.is_run() => Err(FolderError::AlreadyHoldsRun(self.0.clone())),
            Ok(false) => Err(FolderError::NotEmpty(self.0.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.failed("use", "")(error)),
        }
    }

    /// Creates a subfolder, and the folder itself, if they do not exist.
    pub(crate) fn create_subfolder(&self, name: &str) -> Result<(), FolderError> {
        fs::create_dir_all(self.0.join(name)).map_err(self.failed("create", ""))
    }

    /// Reads the settings of the run.
    pub(crate) fn settings<S: DeserializeOwned>(&self) -> Result<S, FolderError> {
        let path = self.file(SETTINGS);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(FolderError::NoRun(self.0.clone())),
            other => other.map_err(self.failed("read", SETTINGS))?,
        };
        // Another version may have unknown settings, so the version is checked before the settings are parsed.
        let found = text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
        if let Some(found) = found.filter(|found| *found != VERSION) {
            return Err(FolderError::OtherVersion { folder: self.0.clone(), found: found.to_owned() });
        }
        toml::from_str(&text).map_err(|error| FolderError::InvalidSettings { path, error: error.into() })
    }

    /// Writes the settings. They are the last file of a new run to be written: a folder with settings is a complete run.
    pub(crate) fn save_settings<S: Serialize>(&self, settings: &S) -> Result<(), FolderError> {
        let text = toml::to_string(settings)
            .map_err(|error| FolderError::InvalidSettings { path: self.file(SETTINGS), error: error.into() })?;
        self.write(SETTINGS, &text)
    }

    /// Whether a file exists in the folder.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// Reads a file in the folder.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, FolderError> {
        fs::read(self.file(name)).map_err(self.failed("read", name))
    }

    /// Opens a file in the folder for appending.
    pub(super) fn append_to(&self, name: &str) -> Result<File, FolderError> {
        File::options().append(true).open(self.file(name)).map_err(self.failed("write", name))
    }

    /// Appends a line to a file in the folder, which is created if it is missing.
    pub(crate) fn append_line(&self, name: &str, line: &str) -> Result<(), FolderError> {
        let file = File::options().create(true).append(true).open(self.file(name));
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(self.failed("write", name))
    }

    /// Replaces a file atomically.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let path = self.file(name);
        atomic::write(&path, text).map_err(self.failed("write", name))
    }

    /// Returns a converter of errors on a file in the folder, or on the folder itself if the name is empty.
    pub(crate) fn failed<E: Into<Box<dyn Error + Send + Sync>>>(
        &self,
        verb: &str,
        name: &str,
    ) -> impl Fn(E) -> FolderError + use<E> {
        let path = if name.is_empty() { self.0.clone() } else { self.file(name) };
        let doing = format!("{verb} {}", path.display());
        move |error| FolderError::UnusableFile { doing: doing.clone(), error: error.into() }
    }
}
