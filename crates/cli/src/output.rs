//! Where output goes: stdout for data, stderr for people, files atomically; and whether to use colours there.

use crate::args::{ColorChoice, Global};
use crate::failure::Failure;
use crate::interrupt::{self, Interrupt};
use clearway_lab::Drawing;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// The memory that one of many searches for new puzzles may take: more than those that are worth their time need.
const SEARCH_MEMORY: usize = 16 << 20;

/// Writes to stderr, at once. It may be closed, and then there is nobody to tell: that is neither an error nor, as with
/// `eprintln`, a panic. Everything that the program says to people goes through here.
pub fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A program that calls commands instead of typing them, and hears what they say.
pub trait Listener: Send + Sync {
    /// What a command prints to stdout: some bytes of it. If it fails, the command ends as if its reader went away.
    fn data(&self, bytes: &[u8]) -> io::Result<()>;

    /// A remark.
    fn note(&self, text: &str);

    /// A fault that did not end the command.
    fn report(&self, text: &str);
}

/// What every command is given beside its own arguments.
pub struct Context {
    /// The global options.
    pub global: Global,
    /// Whether Ctrl-C was pressed.
    pub interrupt: Interrupt,
    /// Who hears what it says; the terminal if there is nobody.
    pub listener: Option<Arc<dyn Listener>>,
}

impl Context {
    /// The number of threads asked for, or one per core.
    pub fn threads(&self) -> usize {
        self.global.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// The number of threads for searches for new puzzles, and the memory of each search. The memory is the same for any
    /// number of threads, so that the same is found; if it is not enough for all of them, there are fewer threads.
    pub fn threads_and_memory(&self) -> (usize, usize) {
        let memory = self.global.memory.clamp(1, SEARCH_MEMORY);
        (self.threads().min(self.global.memory / memory).max(1), memory)
    }

    /// Stdout, in large writes. Whoever uses it flushes it before waiting for anything.
    pub fn stdout(&self) -> Stdout {
        let stdout: Box<dyn Write> = match &self.listener {
            Some(listener) => Box::new(Heard(Arc::clone(listener))),
            None => Box::new(io::stdout().lock()),
        };
        BufWriter::with_capacity(1 << 16, stdout)
    }

    /// Whether text on stdout is coloured.
    pub fn stdout_colour(&self) -> bool {
        use_colour(self.global.color, self.listener.is_none() && io::stdout().is_terminal())
    }

    /// Whether somebody may want to see progress.
    pub fn shows_progress(&self) -> bool {
        !self.global.quiet && self.listener.is_none()
    }

    /// Tells a person about an error, with a caret into the source where there is one.
    pub fn report(&self, report: &miette::Report) {
        let text = self.render(report);
        match &self.listener {
            Some(listener) => listener.report(&text),
            None => write_stderr(&text),
        }
    }

    /// Tells a person something, unless they asked for quiet.
    pub fn note(&self, text: &str) {
        match &self.listener {
            _ if self.global.quiet => {}
            Some(listener) => listener.note(text),
            None => write_stderr(&format!("{text}\n")),
        }
    }

    /// Whether text on stderr is coloured.
    pub fn stderr_colour(&self) -> bool {
        use_colour(self.global.color, self.listener.is_none() && io::stderr().is_terminal())
    }

    /// An error in words, with a caret into the source where there is one.
    pub fn render(&self, report: &miette::Report) -> String {
        let terminal = self.listener.is_none() && io::stderr().is_terminal();
        let (unicode, colours) = (terminal && speaks_unicode(), use_colour(self.global.color, terminal));
        clearway_lab::render(report.as_ref(), Drawing { unicode, colours })
    }
}

fn use_colour(choice: ColorChoice, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            terminal && !refused && !dumb
        }
    }
}

/// Whether the locale promises UTF-8: the first of the three variables that is set decides.
fn speaks_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    locale.into_iter().find(|value| !value.is_empty()).is_some_and(|value| {
        let value = value.to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

/// Stdout, or whoever listens in its place.
pub type Stdout = BufWriter<Box<dyn Write>>;

/// A listener as a place to write to.
struct Heard(Arc<dyn Listener>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.data(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A place to write data to: stdout, or a file that appears whole or not at all.
pub enum Sink {
    /// Stdout.
    Stdout(Stdout),
    /// A device or a named pipe: nothing that could be replaced.
    Device(BufWriter<File>, PathBuf),
    /// A temporary file, and the file next to it that it will replace.
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Sink {
    /// Opens a file, or stdout for no path or `-`.
    pub fn open(path: Option<&Path>, context: &Context) -> Result<Sink, Failure> {
        match path.filter(|path| path.as_os_str() != "-") {
            None => Ok(Sink::Stdout(context.stdout())),
            Some(path) => Sink::open_path(path).map_err(|error| cannot_write(path, &error)),
        }
    }

    fn open_path(path: &Path) -> io::Result<Sink> {
        // A link stays a link: what it points at is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if is_device(&path) {
            let device = File::options().write(true).open(&path)?;
            return Ok(Sink::Device(BufWriter::new(device), path));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".clearway-");
        // A temporary file is for its owner alone unless told otherwise; this one is to become a file as any other.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The error would name the temporary file, of which nobody has heard.
        let temporary = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        if let Ok(old) = path.metadata() {
            temporary.as_file().set_permissions(old.permissions())?;
        }
        interrupt::set_unfinished(Some(temporary.path()));
        Ok(Sink::File(BufWriter::new(temporary), path))
    }

    /// Makes everything written visible. A file that is dropped without this never appears.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush().map_err(|error| self.failure(&error))?;
        if let Sink::File(temporary, path) = self {
            let temporary = temporary.into_inner().map_err(|error| cannot_write(&path, error.error()))?;
            temporary.persist(&path).map_err(|error| cannot_write(&path, &error.error))?;
            interrupt::set_unfinished(None);
        }
        Ok(())
    }

    /// As [`finish`](Self::finish), for output in lines: if the last of them cannot be written, the others are kept.
    pub fn finish_lines(mut self) -> Result<(), Failure> {
        match self.flush() {
            Ok(()) => self.finish(),
            Err(error) => {
                let failure = self.failure(&error);
                self.keep_lines();
                Err(failure)
            }
        }
    }

    /// Makes the whole lines that were written visible, after a failure to write more. If that fails too, nothing is left
    /// to be done.
    pub fn keep_lines(self) {
        if let Sink::File(temporary, path) = self {
            // What could not be written is still in the buffer: to flush it would fail again.
            let (mut temporary, _) = temporary.into_parts();
            let kept = whole_lines(temporary.as_file_mut()).is_ok_and(|length| {
                length > 0 && temporary.as_file().set_len(length).is_ok() && temporary.persist(path).is_ok()
            });
            if kept {
                interrupt::set_unfinished(None);
            }
        }
    }

    /// Writes data, and names the file if that fails.
    pub fn put(&mut self, text: &str) -> Result<(), Failure> {
        self.put_bytes(text.as_bytes())
    }

    /// Writes data that is not text, and names the file if that fails.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_all(bytes).map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        match self {
            Sink::Stdout(_) => Failure::io("write to stdout", error),
            Sink::Device(_, path) | Sink::File(_, path) => cannot_write(path, error),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Sink::Stdout(stdout) => stdout,
            Sink::Device(device, _) => device,
            Sink::File(temporary, _) => temporary,
        }
    }
}

/// Whether a path is that of a device or a named pipe: something to write to that cannot be replaced.
pub fn is_device(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

/// The length of a file up to the end of its last whole line.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(1 << 16);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        file.take(end - start).read_to_end(&mut block)?;
        if let Some(last) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::io(&format!("write {}", path.display()), error)
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// Writes a whole file atomically, or stdout for `-`.
pub fn write_file(path: &Path, text: &str, context: &Context) -> Result<(), Failure> {
    let mut sink = Sink::open(Some(path), context)?;
    sink.put(text)?;
    sink.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_line_is_not_kept() {
        let length = |text: &str| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            whole_lines(&mut file).unwrap()
        };
        assert_eq!(length(""), 0);
        assert_eq!(length("half"), 0);
        assert_eq!(length("one\ntwo\n"), 8);
        assert_eq!(length("one\ntwo"), 4);
        assert_eq!(length(&format!("one\n{}", "x".repeat(200_000))), 4);
    }
}
