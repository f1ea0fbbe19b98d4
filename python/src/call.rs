//! Every command of the program as a function.

use crate::errors::refused;
use crate::work::interruptible;
use clearway_cli::{Interrupt, Listener};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

/// What a command says.
enum Said {
    Line(String),
    Note(String),
    Report(String),
}

/// Hands over what a command says: whole lines of its output, remarks, faults.
struct Speaker {
    sender: SyncSender<Said>,
    /// The beginning of a line whose end is still to come.
    begun: Mutex<Vec<u8>>,
}

impl Speaker {
    fn say(&self, said: Said) -> io::Result<()> {
        self.sender.send(said).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// The last line, if it does not end.
    fn finish(&self) {
        let rest = std::mem::take(&mut *self.begun.lock().unwrap_or_else(PoisonError::into_inner));
        if !rest.is_empty() {
            // Nobody listens any more if that fails.
            let _ = self.say(Said::Line(String::from_utf8_lossy(&rest).into_owned()));
        }
    }
}

impl Listener for Speaker {
    fn data(&self, bytes: &[u8]) -> io::Result<()> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.extend_from_slice(bytes);
        let Some(end) = begun.iter().rposition(|&byte| byte == b'\n') else { return Ok(()) };
        let rest = begun.split_off(end + 1);
        let whole = std::mem::replace(&mut *begun, rest);
        String::from_utf8_lossy(&whole).lines().try_for_each(|line| self.say(Said::Line(line.to_owned())))
    }

    fn note(&self, text: &str) {
        let _ = self.say(Said::Note(text.to_owned()));
    }

    fn report(&self, text: &str) {
        let _ = self.say(Said::Report(text.trim_end().to_owned()));
    }
}

/// Does what a command line says, given as its words without that of the program.
///
/// `on_line` gets every line of its output as soon as it is there, `on_note` every remark, `on_report` every fault that
/// did not end it. Returns the exit code.
#[pyfunction]
pub fn call(
    py: Python<'_>,
    words: Vec<OsString>,
    on_line: &Bound<'_, PyAny>,
    on_note: &Bound<'_, PyAny>,
    on_report: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let interrupt = Interrupt::default();
    let work = |sender| {
        let speaker = Arc::new(Speaker { sender, begun: Mutex::default() });
        let result = clearway_cli::call(&words, &interrupt, speaker.clone());
        speaker.finish();
        result
    };
    let hear = |_: Python<'_>, said| {
        let (listener, text) = match said {
            Said::Line(text) => (on_line, text),
            Said::Note(text) => (on_note, text),
            Said::Report(text) => (on_report, text),
        };
        listener.call1((text,)).map(drop)
    };
    let code = interruptible(py, &interrupt.flag(), work, hear)?;
    code.map(|code| code as i32).map_err(|refusal| refused(&refusal))
}

/// The program `clearway`: does what a command line says, and ends the process.
#[pyfunction]
pub fn program(py: Python<'_>, words: Vec<OsString>) {
    py.detach(|| clearway_cli::main(words));
}
