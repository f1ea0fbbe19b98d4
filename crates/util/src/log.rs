//! A log of completed work, from which interrupted work is resumed.
//!
//! The first line is the header: everything that the work depends on. Each further line is a completed piece of work. All lines
//! are JSON objects with a [checksum](crate::seal), which covers the header as well, so that a line of another log is never
//! accepted. Each line is written by a single call. If the process is killed meanwhile, the last line may be incomplete; it is
//! dropped without a report. Any other line whose checksum does not match is reported and removed, and its work is repeated.

use crate::atomic::AtomicFile;
use crate::lock::{LockError, LockedFile};
use crate::seal::{SealError, seal, unseal};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Maximum length of a header. A file with a longer first line is not a log, and may be too large to read.
const LONGEST_HEADER: u64 = 1 << 16;

/// Maximum number of line numbers in a message.
const NAMED: usize = 10;

/// A log, locked against other writers.
#[derive(Debug)]
pub struct LineLog {
    locked: LockedFile,
    header: String,
}

/// Lines whose checksum does not match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorruptLines {
    path: PathBuf,
    numbers: Vec<u64>,
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("cannot {doing} {}: {error}", path.display())]
    File {
        /// Operation that failed, such as `open`.
        doing: &'static str,
        /// Path of the log.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// Another process uses the log, or it cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The file is not a log of this work.
    #[error("{} cannot be resumed: {why}", path.display())]
    OtherWork {
        /// Path of the log.
        path: PathBuf,
        /// Why the work cannot be resumed from the file.
        why: String,
    },
}

impl CorruptLines {
    /// Creates a report of these lines of a file, numbered from 1.
    pub fn new(path: &Path, numbers: Vec<u64>) -> CorruptLines {
        CorruptLines { path: path.to_owned(), numbers }
    }

    /// Returns a message with the path, the line numbers and `remedy`, which describes what happens to the lines; `None` if there are
    /// no such lines.
    pub fn message(&self, remedy: &str) -> Option<String> {
        let (named, more) = self.numbers.split_at(self.numbers.len().min(NAMED));
        let mut named: Vec<String> = named.iter().map(u64::to_string).collect();
        if !more.is_empty() {
            named.push(format!("{} more", more.len()));
        }
        let last = named.pop()?;
        let (noun, list) =
            if named.is_empty() { ("line", last) } else { ("lines", format!("{} and {last}", named.join(", "))) };
        Some(format!("{}: the checksum does not match in {noun} {list}; {remedy}", self.path.display()))
    }
}

impl LineLog {
    /// Opens or creates a log, locks it, and calls `take` with the number and the text of each line whose checksum matches. Lines
    /// whose checksum does not match are removed from the file. `kind` describes the work in error messages.
    ///
    /// If `take` returns an error, the log is rejected for that reason.
    pub fn open(
        path: &Path,
        kind: &str,
        header: String,
        take: impl FnMut(u64, &str) -> Result<(), String>,
    ) -> Result<(LineLog, CorruptLines), LogError> {
        let failed = |doing| move |error| LogError::File { doing, path: path.to_owned(), error };
        let mut locked = LockedFile::open(path)?;
        let scan = Scan::new(locked.file(), path, kind, &header, take)?;
        if scan.corrupt.is_empty() {
            locked.file().set_len(scan.length).map_err(failed("write"))?;
        } else {
            rewrite(&mut locked, &header, &scan).map_err(failed("repair"))?;
        }
        locked.file().seek(SeekFrom::End(0)).map_err(failed("write"))?;
        let mut log = LineLog { locked, header };
        if !scan.has_header && scan.corrupt.is_empty() {
            let line = seal(&log.header, "");
            log.write(&line)?;
        }
        Ok((log, CorruptLines::new(path, scan.corrupt)))
    }

    /// Reads the lines of a log like [`open`](Self::open), without locking or changing the file. Another process may write to it.
    pub fn read(
        path: &Path,
        kind: &str,
        header: &str,
        take: impl FnMut(u64, &str) -> Result<(), String>,
    ) -> Result<CorruptLines, LogError> {
        let file = File::open(path);
        let file = file.map_err(|error| LogError::File { doing: "open", path: path.to_owned(), error })?;
        let scan = Scan::new(&file, path, kind, header, take)?;
        Ok(CorruptLines::new(path, scan.corrupt))
    }

    /// Appends a completed piece of work, which must be a JSON object.
    pub fn append(&mut self, object: &str) -> Result<(), LogError> {
        let line = seal(object, &self.header);
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), LogError> {
        let written = self.locked.file().write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| LogError::File { doing: "write", path: self.locked.path().to_owned(), error })
    }
}

/// Result of reading a log.
struct Scan {
    has_header: bool,
    /// Total length of the complete lines.
    length: u64,
    /// The numbers of the lines whose checksum does not match.
    corrupt: Vec<u64>,
}

impl Scan {
    fn new(
        file: &File,
        path: &Path,
        kind: &str,
        header: &str,
        mut take: impl FnMut(u64, &str) -> Result<(), String>,
    ) -> Result<Scan, LogError> {
        let failed = |error| LogError::File { doing: "read", path: path.to_owned(), error };
        let other = |why: String| LogError::OtherWork { path: path.to_owned(), why };
        let mut reader = BufReader::new(file);
        let mut scan = Scan { has_header: false, length: 0, corrupt: Vec::new() };
        let mut line = Vec::new();
        let length = reader.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line).map_err(failed)?;
        let Some(first) = line.strip_suffix(b"\n") else {
            // The process was killed while it wrote the header.
            let is_beginning = seal(header, "").as_bytes().starts_with(&line);
            return if is_beginning { Ok(scan) } else { Err(other(format!("it is not a log of {kind}"))) };
        };
        let damage = check_header(first, kind, header).map_err(other)?;
        scan.has_header = damage.is_none();
        scan.length = length as u64;
        if damage.is_some() {
            scan.corrupt.push(1);
        }
        let mut has_match = false;
        for number in 2.. {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(failed)?;
            let Some(text) = line.strip_suffix(b"\n") else { break };
            scan.length += length as u64;
            match std::str::from_utf8(text).map_err(|_| SealError::Mismatch).and_then(|text| unseal(text, header)) {
                Ok(object) => take(number, &object).map_err(|why| other(format!("line {number} {why}")))?,
                Err(_) => scan.corrupt.push(number),
            }
            has_match |= scan.corrupt.last() != Some(&number);
        }
        match damage {
            // A line whose checksum matches with the expected header shows that it is the right log nevertheless.
            Some(why) if !has_match => Err(other(why)),
            _ => Ok(scan),
        }
    }
}

/// Compares the first line with the header. Returns an error if it belongs to another file, and a description of the damage if it
/// may be the header, damaged.
fn check_header(line: &[u8], kind: &str, header: &str) -> Result<Option<String>, String> {
    let not_a_log = || format!("it is not a log of {kind}");
    let line = std::str::from_utf8(line).map_err(|_| not_a_log())?;
    match unseal(line, "") {
        Ok(found) if found == header => Ok(None),
        Ok(found) => Err(format!("it was made with other settings:\n  {found}\n  {header}")),
        Err(SealError::Missing) if !line.starts_with('{') => Err(not_a_log()),
        Err(SealError::Missing) => {
            let earlier = "it has no checksums, since an earlier version of clearway wrote it";
            let is_earlier = line.starts_with(r#"{"clearway":""#);
            Ok(Some(if is_earlier {
                format!("{earlier}; remove it, or give another file, to start over")
            } else {
                not_a_log()
            }))
        }
        Err(SealError::Mismatch) => {
            let unknown = "line 1 does not match its checksum, and no other line shows what it is a log of";
            Ok(Some(format!("{unknown}; remove it to start over")))
        }
    }
}

/// Rewrites a log without the damaged lines.
fn rewrite(locked: &mut LockedFile, header: &str, scan: &Scan) -> io::Result<()> {
    let mut content = io::BufWriter::new(AtomicFile::create(locked.path())?);
    writeln!(content, "{}", seal(header, ""))?;
    locked.file().seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(locked.file().take(scan.length));
    let (mut line, mut corrupt) = (Vec::new(), scan.corrupt.iter().peekable());
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let is_corrupt = corrupt.next_if_eq(&&number).is_some();
        if number > 1 && !is_corrupt {
            content.write_all(&line)?;
        }
    }
    locked.replace(content.into_inner().map_err(io::IntoInnerError::into_error)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const HEADER: &str = r#"{"clearway":"test 1","size":6}"#;

    fn open(path: &Path) -> Result<(LineLog, CorruptLines, Vec<String>), String> {
        let mut taken = Vec::new();
        let take = |_, text: &str| {
            taken.push(text.to_owned());
            if text.contains("impossible") { Err("is impossible".to_owned()) } else { Ok(()) }
        };
        let (log, corrupt) =
            LineLog::open(path, "a test", HEADER.to_owned(), take).map_err(|error| error.to_string())?;
        Ok((log, corrupt, taken))
    }

    fn lines() -> Vec<String> {
        (0..5).map(|task| format!(r#"{{"task":{task}}}"#)).collect()
    }

    /// Creates a log with all lines.
    fn written() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let (mut log, ..) = open(&path).unwrap();
        for line in lines() {
            log.append(&line).unwrap();
        }
        (folder, path)
    }

    #[test]
    fn a_log_is_read_back_and_continued() {
        let (_folder, path) = written();
        let (mut log, corrupt, taken) = open(&path).unwrap();
        assert_eq!((taken, corrupt.message("")), (lines(), None));
        assert!(open(&path).unwrap_err().contains("is in use by another process"));
        log.append(r#"{"task":5}"#).unwrap();
        drop(log);
        assert_eq!(open(&path).unwrap().2.len(), 6);
    }

    #[test]
    fn a_changed_byte_loses_only_its_line() {
        let (_folder, path) = written();
        let whole = fs::read(&path).unwrap();
        let header = whole.iter().position(|&byte| byte == b'\n').unwrap();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let number = whole[..place].split(|&byte| byte == b'\n').count();
            let (log, corrupt, taken) = open(&path).unwrap();
            let message = corrupt.message("").unwrap_or_default();
            // A newline that is lost joins two lines; the last one is then a line that is not whole.
            if place + 1 < whole.len() {
                assert!(message.contains(&format!("in line {number}; ")), "{place}: {message}");
            }
            assert!(taken.iter().all(|line| lines().contains(line)), "{place}");
            let lost = usize::from(place > header) + usize::from(place > header && whole[place] == b'\n');
            assert!(taken.len() + lost.min(2) >= lines().len() - usize::from(place == header), "{place}: {taken:?}");
            drop(log);
            let (_, corrupt, again) = open(&path).unwrap();
            assert_eq!((again, corrupt), (taken, CorruptLines::new(&path, Vec::new())), "{place}: it was repaired");
        }
    }

    #[test]
    fn an_incomplete_last_line_is_dropped_without_a_report() {
        let (_folder, path) = written();
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let (_, corrupt, taken) = open(&path).unwrap();
            assert!(corrupt.message("").is_none() && lines().starts_with(&taken), "{length}");
        }
    }

    #[test]
    fn other_files_are_rejected_and_not_modified() {
        let (folder, path) = written();
        let text = fs::read_to_string(&path).unwrap();
        let other = folder.path().join("other.log");
        drop(LineLog::open(&other, "a test", HEADER.replace('6', "7"), |_, _| Ok(())).unwrap());
        let other = fs::read_to_string(other).unwrap();
        let damaged = text.replace("size", "sise").replace("task", "tasc");
        for (content, why) in [
            ("mine\n", "it is not a log of a test"),
            ("mine", "it is not a log of a test"),
            (&*format!("{HEADER}\n{{\"task\":1}}\n"), "it has no checksums, since an earlier version"),
            (&*other, "it was made with other settings"),
            (&*damaged, "line 1 does not match its checksum"),
            (&*"x".repeat(1 << 17), "it is not a log of a test"),
        ] {
            fs::write(&path, content).unwrap();
            let error = open(&path).unwrap_err();
            assert!(error.contains(why), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        // Lines of another log are not valid in this one.
        let foreign = format!("{other}{}", text.split_once('\n').unwrap().1);
        fs::write(&path, foreign).unwrap();
        let corrupt = LineLog::read(&path, "a test", &HEADER.replace('6', "7"), |_, _| Ok(())).unwrap();
        assert!(corrupt.message("").unwrap().contains("lines 2, 3, 4, 5 and 6"));
    }

    #[test]
    fn messages_name_a_few_lines() {
        let message = |numbers: std::ops::RangeInclusive<u64>| {
            CorruptLines::new("a.log".as_ref(), numbers.collect()).message("it is computed again").unwrap()
        };
        assert_eq!(message(4..=4), "a.log: the checksum does not match in line 4; it is computed again");
        assert!(message(2..=14).contains("in lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more; "));
    }
}
