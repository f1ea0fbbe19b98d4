//! Exceptions of `clearway.errors`, with the messages of the command line.

use clearway_cli::{CommandError, ExitCode};
use clearway_util::syntax::{Drawing, ParseError, render};
use pyo3::prelude::*;

/// Creates an exception of a class in `clearway.errors`.
fn exception(class: &str, text: &str) -> PyErr {
    Python::attach(|py| {
        let class = py.import("clearway.errors").and_then(|errors| errors.getattr(class));
        class.and_then(|class| class.call1((text.trim_end(),))).map_or_else(|error| error, PyErr::from_value)
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
