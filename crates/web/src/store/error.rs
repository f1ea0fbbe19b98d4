//! Why a data folder is of no use.

use std::io;
use std::path::{Path, PathBuf};

/// Why a data folder is of no use.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be made, or nothing can be written in it.
    #[error("cannot use the data folder {}: {error}", .folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Another server has it.
    #[error("another server uses the data folder {}", .0.display())]
    Taken(PathBuf),
    /// A later version of the program wrote the database.
    #[error("{} is of version {found}, this clearway knows those up to {known}", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: usize,
        /// The latest version that is known.
        known: usize,
    },
    /// The database cannot be read or written.
    #[error("cannot use the database {}: {error}", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: rusqlite::Error,
    },
}

pub(super) fn unusable(folder: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| StoreError::Folder { folder: folder.to_owned(), error }
}

pub(super) fn broken(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError {
    move |error| StoreError::Database { path: path.to_owned(), error }
}
