//! Output: data on stdout, messages on stderr, files written atomically; and the choice of colours.

use crate::args::{ColorChoice, GlobalArgs};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use clearway_rush::Improvement;
use clearway_util::atomic::AtomicFile;
use clearway_util::log::CorruptLines;
use clearway_util::syntax::{self, Drawing};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory limit in bytes of one search when generating puzzles. Searches that need more are not worth their time.
const SEARCH_MEMORY: usize = 16 << 20;

/// Writes to stderr without buffering. All messages go through this function, because stderr may be closed: the write then
/// fails silently, whereas `eprintln` would panic.
pub fn write_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Receives the output of a command that another program calls.
pub trait Listener: Send + Sync {
    /// Takes the next bytes that the command prints to stdout. On an error the command ends as if its pipe was closed.
    fn data(&self, bytes: &[u8]) -> io::Result<()>;

    /// Takes a note, such as a summary.
    fn note(&self, text: &str);

    /// Takes an error or a warning that did not end the command.
    fn report(&self, text: &str);

    /// Takes a better solution or a better lower bound, if boards are solved one at a time.
    fn improvement(&self, _improvement: &Improvement) {}
}

/// What every command needs besides its own arguments.
pub struct Context {
    /// The global options.
    pub global: GlobalArgs,
    /// The flag that Ctrl-C raises.
    pub interrupt: Interrupt,
    /// Receiver of the output; without one, it goes to stdout and stderr.
    pub listener: Option<Arc<dyn Listener>>,
}

impl Context {
    /// Returns the same context without notes.
    pub fn quietly(&self) -> Context {
        let global = GlobalArgs { quiet: true, ..self.global.clone() };
        Context { global, interrupt: self.interrupt.clone(), listener: self.listener.clone() }
    }

    /// Returns the value of `--threads`, or the number of cores.
    pub fn threads(&self) -> usize {
        self.global.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// Returns the number of threads for generating puzzles, and the memory limit of each search in bytes. The memory does
    /// not depend on the number of threads, so that the results do not either; if it does not suffice for all threads, there
    /// are fewer of them.
    pub fn threads_and_memory(&self) -> (usize, usize) {
        let memory = self.global.memory.clamp(1, SEARCH_MEMORY);
        (self.threads().min(self.global.memory / memory).max(1), memory)
    }

    /// Returns buffered stdout. Callers flush it before they wait for anything.
    pub fn stdout(&self) -> Stdout {
        let stdout: Box<dyn Write> = match &self.listener {
            Some(listener) => Box::new(ListenerWriter(Arc::clone(listener))),
            None => Box::new(io::stdout().lock()),
        };
        BufWriter::with_capacity(1 << 16, stdout)
    }

    /// Returns whether text on stdout is coloured.
    pub fn stdout_colour(&self) -> bool {
        use_colour(self.global.color, self.listener.is_none() && io::stdout().is_terminal())
    }

    /// Returns whether progress may be shown.
    pub fn shows_progress(&self) -> bool {
        !self.global.quiet && self.listener.is_none()
    }

    /// Prints an error, with the place in the source where it has one.
    pub fn report(&self, report: &miette::Report) {
        let text = self.render(report);
        match &self.listener {
            Some(listener) => listener.report(&text),
            None => write_stderr(&text),
        }
    }

    /// Prints a note, unless `--quiet` is given.
    pub fn note(&self, text: &str) {
        match &self.listener {
            _ if self.global.quiet => {}
            Some(listener) => listener.note(text),
            None => write_stderr(&format!("{text}\n")),
        }
    }

    /// Prints a warning about a fault that the command repairs, even with `--quiet`.
    pub fn warn(&self, text: &str) {
        match &self.listener {
            Some(listener) => listener.report(text),
            None => write_stderr(&format!("warning: {text}\n")),
        }
    }

    /// Prints a warning about corrupt log lines, if there are any. `remedy` describes how the command handles them.
    pub fn warn_corrupt(&self, lines: &CorruptLines, remedy: &str) {
        if let Some(message) = lines.message(remedy) {
            self.warn(&message);
        }
    }

    /// Returns whether text on stderr is coloured.
    #[cfg(feature = "serve")]
    pub fn stderr_colour(&self) -> bool {
        use_colour(self.global.color, self.listener.is_none() && io::stderr().is_terminal())
    }

    /// Formats an error, with the place in the source where it has one.
    pub fn render(&self, report: &miette::Report) -> String {
        let terminal = self.listener.is_none() && io::stderr().is_terminal();
        let (unicode, colours) = (terminal && supports_unicode(), use_colour(self.global.color, terminal));
        syntax::render(report.as_ref(), Drawing { unicode, colours })
    }
}

fn use_colour(choice: ColorChoice, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            terminal && !no_color && !dumb
        }
    }
}

/// Returns whether the locale uses UTF-8: the first of the three variables that is set decides.
fn supports_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    locale.into_iter().find(|value| !value.is_empty()).is_some_and(|value| {
        let value = value.to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

/// Buffered stdout, or the listener in its place.
pub type Stdout = BufWriter<Box<dyn Write>>;

/// Writes to a listener.
struct ListenerWriter(Arc<dyn Listener>);

impl Write for ListenerWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.data(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Destination for data: stdout, or a file that appears complete or not at all.
pub enum Sink {
    /// Stdout.
    Stdout(Stdout),
    /// A device or a named pipe, which cannot be replaced atomically, and its path.
    Device(BufWriter<File>, PathBuf),
    /// An unfinished file, and its path.
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
        // A symbolic link is kept: its target is replaced.
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

    /// Flushes stdout, or moves the file into place. A file that is dropped without this call never appears.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush().map_err(|error| self.failure(&error))?;
        if let Sink::File(file, path) = self {
            let file = file.into_inner().map_err(|error| cannot_write(&path, error.error()))?;
            file.commit().map_err(|error| cannot_write(&path, &error))?;
        }
        Ok(())
    }

    /// Writes text; an error names the file.
    pub fn put(&mut self, text: &str) -> Result<(), Failure> {
        self.put_bytes(text.as_bytes())
    }

    /// Writes bytes; an error names the file.
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

/// Returns whether a path is a device or a named pipe, which cannot be replaced atomically.
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

/// Writes a file atomically, or to stdout if the path is `-`.
pub fn write_file(path: &Path, text: &str, context: &Context) -> Result<(), Failure> {
    let mut sink = Sink::open(Some(path), context)?;
    sink.put(text)?;
    sink.finish()
}
