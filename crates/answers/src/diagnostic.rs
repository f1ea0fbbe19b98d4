//! Error messages as text, with a caret that points into the source.

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, ThemeCharacters, ThemeStyles};

/// Style of rendered messages; ASCII without colours by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Whether to draw lines with Unicode characters instead of ASCII.
    pub unicode: bool,
    /// Whether to use ANSI colours.
    pub colours: bool,
}

/// Renders a message with an excerpt of its source, a caret at the fault, and its help text.
///
/// ```
/// use clearway_answers::{Drawing, TypedMoves, render};
/// let report = TypedMoves::parse("C-1 A*2").unwrap_err();
/// let text = render(report.as_ref(), Drawing::default());
/// assert!(text.contains("C-1 A*2") && text.contains("not a move") && text.contains("help:"));
/// ```
pub fn render(message: &dyn Diagnostic, drawing: Drawing) -> String {
    let theme = GraphicalTheme {
        characters: if drawing.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() },
        styles: if drawing.colours { ThemeStyles::ansi() } else { ThemeStyles::none() },
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false);
    let mut text = String::new();
    match handler.render_report(&mut text, message) {
        Ok(()) => text,
        Err(_) => format!("error: {message}\n"),
    }
}
