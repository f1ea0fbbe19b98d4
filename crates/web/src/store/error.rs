//! Errors of the data folder.

use std::io;
use std::path::{Path, PathBuf};

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be created or written.
    #[error("cannot use the data folder {}: {error}", .folder.display())]
    Folder {
        /// Path of the data folder.
        folder: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// Another server uses the folder.
    #[error("another server uses the data folder {}", .0.display())]
    InUse(PathBuf),
    /// A newer version of clearway wrote the database.
    #[error("database {} has version {found}; this clearway supports versions up to {known}", .path.display())]
    NewerVersion {
        /// The database file.
        path: PathBuf,
        /// Version of the database.
        found: usize,
        /// Latest supported version.
        known: usize,
    },
    /// The database cannot be read or written.
    #[error("cannot use the database {}: {error}", .path.display())]
    Database {
        /// The database file.
        path: PathBuf,
        /// Error of the database library.
        #[source]
        error: rusqlite::Error,
    },
}

pub(super) fn folder_error(folder: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| StoreError::Folder { folder: folder.to_owned(), error }
}

pub(super) fn database_error(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError {
    move |error| StoreError::Database { path: path.to_owned(), error }
}
