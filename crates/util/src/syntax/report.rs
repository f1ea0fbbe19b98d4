//! Rendering of errors with an excerpt of their source.

use super::{Excerpt, ParseError};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};
use std::fmt;

impl Diagnostic for ParseError {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&*self.source_code)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        let label = LabeledSpan::new_with_span(Some(self.label.clone()), span);
        Some(Box::new(std::iter::once(label)))
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, lines_before, lines_after)?;
        let line = self.first_line.saturating_sub(1) + inner.line();
        // miette reads the span without context lines to print its place above the excerpt.
        let column = if lines_before + lines_after == 0 { self.column.saturating_sub(1) } else { inner.column() };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            line,
            column,
            inner.line_count(),
        )))
    }
}

/// Style of rendered messages; ASCII without colours by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Whether to draw lines with Unicode characters instead of ASCII.
    pub unicode: bool,
    /// Whether to use ANSI colours.
    pub colours: bool,
}

/// Renders a message with an excerpt of its source, a caret at the error, and its help text.
///
/// ```
/// use clearway_util::syntax::{Drawing, ParseError, SyntaxError, render};
/// let error = SyntaxError::new(4..7, "A*2 is not a move").with_help("plus is right or down, minus is left or up");
/// let text = render(&ParseError::in_line("C-1 A*2", error, "moves"), Drawing::default());
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
