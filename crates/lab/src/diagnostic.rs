//! Error messages with a caret into the source, as text.

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, ThemeCharacters, ThemeStyles};

/// How messages are drawn. By default with plain characters and without colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Whether lines are drawn with characters that not every terminal has.
    pub unicode: bool,
    /// Whether there are colours.
    pub colours: bool,
}

/// A message with its source, a caret where something is wrong, and what to do.
///
/// ```
/// use clearway_lab::{Drawing, TypedMoves, render};
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
