//! Refusals become exceptions, with the words of the command line.

use clearway_cli::{ExitCode, Refusal};
use clearway_lab::{Drawing, render};
use pyo3::prelude::*;

/// The exception of a class in `clearway.errors`.
fn exception(class: &str, text: &str) -> PyErr {
    Python::attach(|py| {
        let class = py.import("clearway.errors").and_then(|errors| errors.getattr(class));
        class.and_then(|class| class.call1((text.trim_end(),))).map_or_else(|error| error, PyErr::from_value)
    })
}

/// What the command line would have said.
pub fn refused(refusal: &Refusal) -> PyErr {
    let class = match refusal.code {
        ExitCode::Usage => "UsageError",
        ExitCode::Limit => "LimitError",
        ExitCode::Internal => "InternalError",
        _ => "InputError",
    };
    exception(class, &refusal.text)
}

/// An input that is not what it should be.
pub fn bad_input(report: &(dyn miette::Diagnostic + 'static)) -> PyErr {
    exception("InputError", &render(report, Drawing::default()))
}

/// The same, where there is nothing to point at.
pub fn bad_words(text: &str) -> PyErr {
    exception("InputError", text)
}

/// A fault of clearway itself.
pub fn internal(text: &str) -> PyErr {
    exception("InternalError", text)
}
