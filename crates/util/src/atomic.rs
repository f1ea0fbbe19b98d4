//! Atomic replacement of files: readers see either the old content or the complete new one.
//!
//! The content is written to a temporary file in the same folder, which is synchronised with the disk and then renamed to the
//! target. Temporary files are locked while they are written. One without a lock was left behind by a killed process, and is
//! removed by the next process that writes to the folder.

use crate::lock::{is_at, try_lock};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

const PREFIX: &str = ".clearway-";
const SUFFIX: &str = ".tmp";

/// The temporary files of this process, and the folders that it has swept.
static STATE: Mutex<State> = Mutex::new(State { unfinished: BTreeSet::new(), swept: BTreeSet::new() });

struct State {
    unfinished: BTreeSet<PathBuf>,
    swept: BTreeSet<PathBuf>,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is being written. If it is dropped without [`commit`](Self::commit), the target is not changed.
///
/// ```
/// use clearway_util::atomic::AtomicFile;
/// use std::io::Write;
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"all of it")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    temporary: Option<NamedTempFile>,
    target: PathBuf,
}

impl AtomicFile {
    /// Creates a temporary file that will replace the target. The first call for a folder removes the temporary files that killed
    /// processes left there.
    pub fn create(target: &Path) -> io::Result<AtomicFile> {
        let folder = folder_of(target);
        if state().swept.insert(folder.to_owned()) {
            sweep(folder);
        }
        let temporary = create_locked(folder)?;
        if let Ok(old) = target.metadata() {
            temporary.as_file().set_permissions(old.permissions())?;
        }
        state().unfinished.insert(temporary.path().to_owned());
        Ok(AtomicFile { temporary: Some(temporary), target: target.to_owned() })
    }

    /// Replaces the target by the file, and returns the file, which is still locked.
    pub fn commit(mut self) -> io::Result<File> {
        let Some(temporary) = self.temporary.take() else { return Err(io::ErrorKind::NotFound.into()) };
        let path = temporary.path().to_owned();
        let committed = temporary.as_file().sync_all().and_then(|()| {
            let file = temporary.persist(&self.target).map_err(|error| error.error)?;
            sync_folder(folder_of(&self.target));
            Ok(file)
        });
        state().unfinished.remove(&path);
        committed
    }

    fn file(&mut self) -> io::Result<&mut File> {
        self.temporary.as_mut().map(NamedTempFile::as_file_mut).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            state().unfinished.remove(temporary.path());
        }
    }
}

/// Writes a file atomically.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.commit().map(drop)
}

/// Removes the temporary files of this process. Call it before the process exits without unwinding.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut state().unfinished) {
        let _ = fs::remove_file(path);
    }
}

/// Removes the temporary files that killed processes left in a folder. Errors are ignored.
pub fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        // The lock is held while the file is removed. If another process has just created the file, it notices after locking it
        // that it is gone.
        if let Ok(file) = File::options().write(true).open(&path)
            && try_lock(&file).is_ok_and(|locked| locked)
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Synchronises the entries of a folder with the disk. Where the system does not support that, a crash of the machine may undo
/// renames; the older files that then reappear are complete too.
pub fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file and locks it.
fn create_locked(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        // A temporary file is readable by its owner alone; this one becomes an ordinary file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The error would name the temporary file, which means nothing to the user.
        let temporary = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        match try_lock(temporary.as_file()) {
            // The file system has no locks, so nothing is ever removed from it as a leftover either.
            Err(_) => return Ok(temporary),
            Ok(true) if is_at(temporary.as_file(), temporary.path())? => return Ok(temporary),
            // Another process has removed it as a leftover.
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_is_dropped_never_appears() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, "before").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"after").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_permissions_of_the_file_that_is_replaced_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, "").unwrap();
        let usual = path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(usual & 0o600, 0o600);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        write(&path, "new").unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn leftovers_are_removed_but_unfinished_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let live = AtomicFile::create(&folder.path().join("live")).unwrap();
        let live_name = live.temporary.as_ref().unwrap().path().file_name().unwrap().to_str().unwrap().to_owned();
        for name in [".clearway-dead.tmp", ".clearway-other", "mine.tmp"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join(".clearway-folder.tmp")).unwrap();
        sweep(folder.path());
        let mut expected =
            vec![".clearway-folder.tmp".to_owned(), ".clearway-other".to_owned(), live_name, "mine.tmp".to_owned()];
        expected.sort();
        assert_eq!(names(folder.path()), expected);
        live.commit().unwrap();
        assert!(folder.path().join("live").exists());
    }
}
