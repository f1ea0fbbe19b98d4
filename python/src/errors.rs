//! Exceptions of `clearway.errors`. `clearway/_messages.py` rewrites the messages of commands.

use clearway_cli::{CommandError, ExitCode};
use clearway_util::syntax::{Drawing, ParseError, render};
use pyo3::prelude::*;

/// Creates an exception of a class in `clearway.errors`.
fn exception(class: &str, text: &str) -> PyErr {
    Python::attach(|py| {
        let class = py.import("clearway.errors").and_then(|errors| errors.getattr(class));
        // Terminals show a mark before the message.
        let text = text.trim_end();
        let text = text.trim_start().strip_prefix("x ").unwrap_or(text);
        class.and_then(|class| class.call1((text,))).map_or_else(|error| error, PyErr::from_value)
    })
}

/// Converts the refusal of a command; the exit code determines the class.
pub fn exception_from(refusal: &CommandError) -> PyErr {
    let class = match refusal.code {
        ExitCode::Usage => "UsageError",
        ExitCode::Limit => "LimitError",
        ExitCode::Internal => "InternalError",
        _ => "InputError",
    };
    exception(class, &refusal.text)
}

/// Creates an `InputError` from an error in a text.
pub fn diagnostic_error(error: &ParseError) -> PyErr {
    exception("InputError", &render(error, Drawing::default()))
}

/// Creates an `InputError` with a plain message.
pub fn input_error(text: &str) -> PyErr {
    exception("InputError", text)
}

/// Creates an `InternalError`: a bug in clearway.
pub fn internal_error(text: &str) -> PyErr {
    exception("InternalError", text)
}
