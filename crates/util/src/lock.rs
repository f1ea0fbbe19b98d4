//! Locks that let only one process use a folder or a file.
//!
//! The locks are those of the operating system (`flock` on Unix), which releases them when the process ends for any reason.

use crate::atomic::AtomicFile;
use same_file::Handle;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Name of the lock file in a locked folder.
pub const FOLDER_LOCK: &str = ".clearway.lock";

/// Why a folder or a file could not be locked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another process, or another part of this one, holds the lock.
    #[error("{} is in use by another process{}", .path.display(), process(*.owner))]
    InUse {
        /// The folder or file.
        path: PathBuf,
        /// Id of the process that holds the lock, if it is known.
        owner: Option<u32>,
    },
    /// The file cannot be opened or locked.
    #[error("cannot open {}: {error}", .path.display())]
    File {
        /// The folder or file.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
}

fn process(id: Option<u32>) -> String {
    id.map_or_else(String::new, |id| format!(" (process {id})"))
}

/// An exclusive lock on a folder, held until the value is dropped.
///
/// The lock is held on a file in the folder, which is removed when the lock is released. If a killed process left such a file
/// behind, it is not locked.
#[derive(Debug)]
pub struct FolderLock {
    folder: PathBuf,
    file: File,
    /// Whether the folder was created for the lock.
    made: bool,
}

impl FolderLock {
    /// Locks a folder, which is created if it is missing. Temporary files that killed processes left in it are removed.
    pub fn acquire(folder: &Path) -> Result<FolderLock, LockError> {
        let failed = |error| LockError::File { path: folder.to_owned(), error };
        let made = !folder.exists();
        // The process that held the lock before may remove the folder in the meantime, if it created the folder.
        let mut attempts = 0;
        let mut file = loop {
            attempts += 1;
            fs::create_dir_all(folder).map_err(failed)?;
            match open_locked(&folder.join(FOLDER_LOCK)) {
                Err(Denied::Io(error)) if error.kind() == io::ErrorKind::NotFound && attempts < 10 => {}
                Err(Denied::Io(error)) => return Err(failed(error)),
                Err(Denied::InUse(owner)) => return Err(LockError::InUse { path: folder.to_owned(), owner }),
                Ok(file) => break file,
            }
        };
        // The id is only used in messages, which are a little less helpful without it.
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        crate::atomic::sweep(folder);
        Ok(FolderLock { folder: folder.to_owned(), file, made })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A process that opened the file before it was removed notices, after locking it, that it is no longer there.
        let _ = fs::remove_file(self.folder.join(FOLDER_LOCK));
        if self.made {
            // This fails if the folder holds anything.
            let _ = fs::remove_dir(&self.folder);
        }
        unlock(&self.file);
    }
}

/// A file with an exclusive lock, held until the value is dropped. There is no separate lock file.
#[derive(Debug)]
pub struct LockedFile {
    file: File,
    path: PathBuf,
}

impl LockedFile {
    /// Opens and locks a file. An empty one is created if it is missing.
    pub fn open(path: &Path) -> Result<LockedFile, LockError> {
        match open_locked(path) {
            // A link stays a link: the file that it points to is the one to replace.
            Ok(file) => Ok(LockedFile { file, path: path.canonicalize().unwrap_or_else(|_| path.to_owned()) }),
            Err(Denied::InUse(_)) => Err(LockError::InUse { path: path.to_owned(), owner: None }),
            Err(Denied::Io(error)) => Err(LockError::File { path: path.to_owned(), error }),
        }
    }

    /// Path of the file, with symbolic links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, open for reading and writing.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Replaces the file atomically, and holds the lock on the new file.
    pub fn replace(&mut self, content: AtomicFile) -> io::Result<()> {
        self.file = content.commit()?;
        Ok(())
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        unlock(&self.file);
    }
}

/// Unlocks a file that is about to be closed. Closing it is not enough: if another thread is starting a process, that process
/// shares the lock until it executes its program.
fn unlock(file: &File) {
    // It was locked, so this cannot fail.
    let _ = file.unlock();
}

/// Why a file could not be opened and locked.
enum Denied {
    InUse(Option<u32>),
    Io(io::Error),
}

/// Opens or creates a file, and locks it.
fn open_locked(path: &Path) -> Result<File, Denied> {
    loop {
        let options = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = options.map_err(Denied::Io)?;
        if !try_lock(&file).map_err(Denied::Io)? {
            let mut text = String::new();
            let read = file.take(20).read_to_string(&mut text);
            return Err(Denied::InUse(read.ok().and_then(|_| text.trim().parse().ok())));
        }
        // Between opening and locking, the file may have been replaced or removed by the process that held the lock.
        if is_at(&file, path).map_err(Denied::Io)? {
            return Ok(file);
        }
    }
}

/// Locks a file; returns false if another process holds the lock.
pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns whether a path still refers to an open file.
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let held = Handle::from_file(file.try_clone()?)?;
    match Handle::from_path(path) {
        Ok(named) => Ok(held == named),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_folder_is_locked_until_the_lock_is_dropped() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("a/b");
        let lock = FolderLock::acquire(&folder).unwrap();
        let error = FolderLock::acquire(&folder).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{} is in use by another process (process {})", folder.display(), std::process::id())
        );
        drop(lock);
        assert!(!folder.exists(), "a folder that stayed empty is removed");
        fs::create_dir_all(&folder).unwrap();
        let lock = FolderLock::acquire(&folder).unwrap();
        drop(lock);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "the lock file is removed, the folder is not");
    }

    #[test]
    fn a_file_stays_locked_when_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let mut locked = LockedFile::open(&path).unwrap();
        assert!(matches!(LockedFile::open(&path), Err(LockError::InUse { .. })));
        let mut content = AtomicFile::create(&path).unwrap();
        content.write_all(b"new").unwrap();
        locked.replace(content).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(matches!(LockedFile::open(&path), Err(LockError::InUse { .. })));
        drop(locked);
        let mut text = String::new();
        LockedFile::open(&path).unwrap().file().read_to_string(&mut text).unwrap();
        assert_eq!(text, "new");
    }

    /// A copy of the descriptor simulates a process that is being started.
    #[test]
    fn a_lock_ends_although_a_new_process_still_has_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let locked = LockedFile::open(&path).unwrap();
        let copy = locked.file().try_clone().unwrap();
        drop(locked);
        drop(LockedFile::open(&path).unwrap());
        let lock = FolderLock::acquire(folder.path()).unwrap();
        let copies = (copy, lock.file.try_clone().unwrap());
        drop(lock);
        FolderLock::acquire(folder.path()).unwrap();
        drop(copies);
    }

    const FOLDER: &str = "CLEARWAY_TEST_LOCK";

    #[test]
    fn the_lock_of_a_killed_process_is_free() {
        // The process to kill runs this test too; the variable names the folder that it locks.
        if let Some(folder) = std::env::var_os(FOLDER) {
            let _lock = FolderLock::acquire(folder.as_ref()).unwrap();
            println!("locked");
            std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "lock::tests::the_lock_of_a_killed_process_is_free", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = io::BufRead::lines(io::BufReader::new(child.stdout.take().unwrap()));
        assert!(lines.map_while(Result::ok).any(|line| line.contains("locked")));
        let error = FolderLock::acquire(folder.path()).unwrap_err();
        assert!(matches!(error, LockError::InUse { owner, .. } if owner == Some(child.id())), "{error}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(folder.path().join(FOLDER_LOCK).exists());
        FolderLock::acquire(folder.path()).unwrap();
    }
}
