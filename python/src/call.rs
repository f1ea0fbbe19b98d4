//! Commands of the program as function calls.

use crate::errors::exception_from;
use crate::work::run_interruptible;
use clearway_cli::{Interrupt, Listener};
use clearway_rush::{Improvement, Solution};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

/// Output of a command.
enum Message {
    /// A line of standard output.
    Line(String),
    /// A remark, such as a summary.
    Note(String),
    /// A problem that did not end the command.
    Report(String),
    /// A better solution or a better lower bound of the board that is being solved.
    Improvement(ImprovementFields),
}

/// The fields of an [`Improvement`], in the order of the Python class: the moves of the solution, its lengths in moves and in
/// steps, the lower bound, the engine, and the time in seconds.
pub type ImprovementFields = (Option<Vec<String>>, Option<u32>, Option<u32>, u32, &'static str, f64);

pub fn fields(improvement: &Improvement) -> ImprovementFields {
    let solution = improvement.solution;
    (
        solution.map(|solution| solution.0.iter().map(ToString::to_string).collect()),
        solution.map(Solution::moves),
        solution.map(Solution::steps),
        improvement.lower_bound,
        improvement.engine,
        improvement.time.as_secs_f64(),
    )
}

/// Sends the output of a command as messages; standard output line by line.
struct MessageSender {
    sender: SyncSender<Message>,
    /// An incomplete last line.
    partial: Mutex<Vec<u8>>,
    sends_improvements: bool,
}

impl MessageSender {
    fn send(&self, message: Message) -> io::Result<()> {
        self.sender.send(message).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Sends the last line if it has no line break.
    fn finish(&self) {
        let rest = std::mem::take(&mut *self.partial.lock().unwrap_or_else(PoisonError::into_inner));
        if !rest.is_empty() {
            // Fails only if the receiver is gone.
            let _ = self.send(Message::Line(String::from_utf8_lossy(&rest).into_owned()));
        }
    }
}

impl Listener for MessageSender {
    fn data(&self, bytes: &[u8]) -> io::Result<()> {
        let mut partial = self.partial.lock().unwrap_or_else(PoisonError::into_inner);
        partial.extend_from_slice(bytes);
        let Some(end) = partial.iter().rposition(|&byte| byte == b'\n') else { return Ok(()) };
        let rest = partial.split_off(end + 1);
        let whole = std::mem::replace(&mut *partial, rest);
        String::from_utf8_lossy(&whole).lines().try_for_each(|line| self.send(Message::Line(line.to_owned())))
    }

    fn note(&self, text: &str) {
        let _ = self.send(Message::Note(text.to_owned()));
    }

    fn report(&self, text: &str) {
        let _ = self.send(Message::Report(text.trim_end().to_owned()));
    }

    fn improvement(&self, improvement: &Improvement) {
        if self.sends_improvements {
            let _ = self.send(Message::Improvement(fields(improvement)));
        }
    }
}

/// Runs a command, given as the arguments of its command line without the name of the program, and returns the exit code.
///
/// `on_line` is called with every line of output as soon as it is written, `on_note` with every remark, and `on_report`
/// with every problem that does not end the command. `on_improvement` is called with the fields of every improvement, if the
/// command solves a single board.
#[pyfunction]
#[pyo3(signature = (args, on_line, on_note, on_report, on_improvement=None))]
pub fn call(
    py: Python<'_>,
    args: Vec<OsString>,
    on_line: &Bound<'_, PyAny>,
    on_note: &Bound<'_, PyAny>,
    on_report: &Bound<'_, PyAny>,
    on_improvement: Option<&Bound<'_, PyAny>>,
) -> PyResult<i32> {
    let interrupt = Interrupt::default();
    let sends_improvements = on_improvement.is_some();
    let work = |sender| {
        let sender = Arc::new(MessageSender { sender, partial: Mutex::default(), sends_improvements });
        let result = clearway_cli::call(&args, &interrupt, sender.clone());
        sender.finish();
        result
    };
    let on_message = |_: Python<'_>, message| {
        let (callback, text) = match message {
            Message::Line(text) => (on_line, text),
            Message::Note(text) => (on_note, text),
            Message::Report(text) => (on_report, text),
            Message::Improvement(fields) => {
                return on_improvement.map_or(Ok(()), |callback| callback.call1(fields).map(drop));
            }
        };
        callback.call1((text,)).map(drop)
    };
    let code = run_interruptible(py, &interrupt.flag(), work, on_message)?;
    code.map(|code| code as i32).map_err(|refusal| exception_from(&refusal))
}

/// Runs the program `clearway` with arguments, and exits the process.
#[pyfunction]
pub fn program(py: Python<'_>, args: Vec<OsString>) {
    py.detach(|| clearway_cli::main(args));
}
