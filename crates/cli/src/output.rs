//! Where output goes: stdout for data, stderr for people, files atomically; and whether to use colours there.

use crate::args::{ColorChoice, Global};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use clearway_lab::Drawing;
use clearway_util::atomic::AtomicFile;
use clearway_util::log::CorruptLines;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

    /// Tells a person of a fault that the command repairs, even if they asked for quiet.
    pub fn warn(&self, text: &str) {
        match &self.listener {
            Some(listener) => listener.report(text),
            None => write_stderr(&format!("warning: {text}\n")),
        }
    }

    /// Tells a person of lines of a log that were damaged, and what becomes of them.
    pub fn warn_corrupt(&self, lines: &CorruptLines, remedy: &str) {
        if let Some(message) = lines.message(remedy) {
            self.warn(&message);
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
    /// A file in the making, and its path.
    File(BufWriter<AtomicFile>, PathBuf),
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
        Ok(Sink::File(BufWriter::new(AtomicFile::create(&path)?), path))
    }

    /// Makes everything written visible. A file that is dropped without this never appears.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush().map_err(|error| self.failure(&error))?;
        if let Sink::File(file, path) = self {
            let file = file.into_inner().map_err(|error| cannot_write(&path, error.error()))?;
            file.commit().map_err(|error| cannot_write(&path, &error))?;
        }
        Ok(())
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
            Sink::File(file, _) => file,
        }
    }
}

/// Whether a path is that of a device or a named pipe: something to write to that cannot be replaced.
pub fn is_device(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
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
