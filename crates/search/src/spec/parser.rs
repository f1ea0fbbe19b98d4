//! Parser of search expressions: a name, and arguments in parentheses.

use super::{ALGORITHMS, AlgorithmInfo, HeuristicSpec, OptionKind, OptionValue, SearchSpec};
use strsim::osa_distance;

/// Maximum length of an expression, in characters.
const MAX_LENGTH: usize = 4096;
/// Number of characters shown on each side of an error.
const CONTEXT: usize = 30;

/// An error in a search expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}\n  {text}\n  {}^", " ".repeat(*at))]
#[non_exhaustive]
pub struct SpecError {
    /// Error message.
    pub message: String,
    /// The expression, or the part around the error if it is long.
    pub text: String,
    /// Position of the error, in characters of `text`.
    pub at: usize,
    /// Whether the error is in a file that the expression names, not in the expression.
    pub in_file: bool,
}

impl SpecError {
    /// Creates an error at the start of an expression.
    pub fn new(text: &str, message: impl Into<String>) -> SpecError {
        Source { chars: text.chars().take(MAX_LENGTH).collect() }.error(0, message)
    }
}

/// An error in the heuristic of a search expression.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeuristicError {
    /// Error message.
    pub message: String,
    /// Position of the error, in characters of the argument.
    pub at: usize,
    /// Whether the error is in a file that the argument names.
    pub in_file: bool,
}

impl HeuristicError {
    /// Creates an error at a position, in characters of the argument.
    pub fn new(message: impl Into<String>, at: usize) -> HeuristicError {
        HeuristicError { message: message.into(), at, in_file: false }
    }

    /// Creates an error in a file that the argument names.
    pub fn in_file(message: impl Into<String>, at: usize) -> HeuristicError {
        HeuristicError { in_file: true, ..HeuristicError::new(message, at) }
    }
}

/// The text of the expression.
struct Source {
    chars: Vec<char>,
}

/// A range of characters of the expression.
#[derive(Clone, Copy)]
struct Span {
    from: usize,
    to: usize,
}

impl Source {
    fn error(&self, at: usize, message: impl Into<String>) -> SpecError {
        let from = at.saturating_sub(CONTEXT);
        let printable = |c: &char| if c.is_control() { ' ' } else { *c };
        let text = self.chars.iter().skip(from).take(2 * CONTEXT).map(printable).collect();
        SpecError { message: message.into(), text, at: at - from, in_file: false }
    }

    fn text(&self, span: Span) -> String {
        self.chars[span.from..span.to].iter().collect()
    }

    fn trimmed(&self, mut span: Span) -> Span {
        while span.from < span.to && self.chars[span.from].is_whitespace() {
            span.from += 1;
        }
        while span.from < span.to && self.chars[span.to - 1].is_whitespace() {
            span.to -= 1;
        }
        span
    }

    /// Splits at commas outside of inner parentheses and quotes.
    fn split(&self, span: Span) -> Vec<Span> {
        let (mut parts, mut from, mut depth, mut is_quoted) = (Vec::new(), span.from, 0usize, false);
        for at in span.from..span.to {
            match self.chars[at] {
                '"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(self.trimmed(Span { from, to: at }));
                    from = at + 1;
                }
                _ => {}
            }
        }
        parts.push(self.trimmed(Span { from, to: span.to }));
        parts
    }

    /// Splits an argument `NAME=VALUE`. The `=` must precede any parenthesis; later ones belong to comparisons.
    fn key_value(&self, span: Span) -> Option<(Span, Span)> {
        let chars = &self.chars[span.from..span.to];
        let equals = span.from + chars.iter().take_while(|&&c| c != '(').position(|&c| c == '=')?;
        let value = self.trimmed(Span { from: equals + 1, to: span.to });
        Some((self.trimmed(Span { from: span.from, to: equals }), value))
    }

    /// Name of the option that an argument may set: the part before `=`, or all of it.
    fn option_name(&self, span: Span) -> String {
        let key = self.key_value(span).map_or(span, |(key, _)| key);
        self.text(key).to_ascii_lowercase()
    }

    /// Splits the expression into the name of the algorithm and its arguments.
    fn call(&self) -> Result<(Span, Vec<Span>), SpecError> {
        let whole = self.trimmed(Span { from: 0, to: self.chars.len() });
        let is_name = |c: &&char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let length = self.chars[whole.from..whole.to].iter().take_while(is_name).count();
        let name = Span { from: whole.from, to: whole.from + length };
        let rest = self.trimmed(Span { from: name.to, to: whole.to });
        if length == 0 {
            return Err(self.error(name.from, format!("missing algorithm; expected one of {}", names())));
        }
        if rest.from == rest.to {
            return Ok((name, Vec::new()));
        }
        if self.chars[rest.from] != '(' {
            return Err(self.error(rest.from, "unexpected character; expected '(' or the end"));
        }
        if self.chars[rest.to - 1] != ')' || rest.to - rest.from < 2 {
            return Err(self.error(rest.to, "missing ')'"));
        }
        let inner = self.trimmed(Span { from: rest.from + 1, to: rest.to - 1 });
        Ok((name, if inner.from < inner.to { self.split(inner) } else { Vec::new() }))
    }
}

impl<H: HeuristicSpec> SearchSpec<H> {
    /// Parses an expression, such as `ida(H, prune, increment=5)`. Arguments that are not options describe the heuristic and
    /// are parsed by `heuristic`.
    pub fn parse(
        text: &str,
        heuristic: &dyn Fn(&str) -> Result<H, HeuristicError>,
    ) -> Result<SearchSpec<H>, SpecError> {
        let source = Source { chars: text.chars().take(MAX_LENGTH + 1).collect() };
        if source.chars.len() > MAX_LENGTH {
            return Err(source.error(MAX_LENGTH, format!("expression longer than {MAX_LENGTH} characters")));
        }
        let (name, arguments) = source.call()?;
        let word = source.text(name).to_ascii_lowercase();
        let Some(info) = select(&source, &word, &arguments) else {
            return Err(source.error(name.from, unknown_algorithm(&word, heuristic)));
        };
        let mut parser = ArgumentParser { source: &source, info, heuristic: None, values: Vec::new() };
        for argument in arguments {
            parser.parse_argument(argument, heuristic)?;
        }
        if info.guided && parser.heuristic.is_none() {
            let end = source.trimmed(Span { from: 0, to: source.chars.len() }).to;
            return Err(source.error(end, format!("{word} needs a heuristic, as in {}", info.example)));
        }
        let mut algorithm = (info.new)(parser.heuristic.as_ref().is_some_and(H::is_learned));
        for (name, value) in parser.values {
            if let Some(option) = info.option(name) {
                (option.set)(&mut algorithm, value);
            }
        }
        Ok(SearchSpec { algorithm, heuristic: parser.heuristic })
    }
}

/// Returns the algorithm with a name, selected by the arguments if there are several.
fn select(source: &Source, name: &str, arguments: &[Span]) -> Option<&'static AlgorithmInfo> {
    let selects = |info: &&&AlgorithmInfo| {
        info.name == name
            && info.selector.is_some_and(|selector| arguments.iter().any(|&one| source.option_name(one) == selector))
    };
    let plain = |info: &&&AlgorithmInfo| info.name == name && info.selector.is_none();
    ALGORITHMS.iter().find(selects).or_else(|| ALGORITHMS.iter().find(plain)).copied()
}

/// Parses the arguments one by one.
struct ArgumentParser<'a, H> {
    source: &'a Source,
    info: &'static AlgorithmInfo,
    heuristic: Option<H>,
    values: Vec<(&'static str, OptionValue)>,
}

impl<H: HeuristicSpec> ArgumentParser<'_, H> {
    fn parse_argument(
        &mut self,
        span: Span,
        heuristic: &dyn Fn(&str) -> Result<H, HeuristicError>,
    ) -> Result<(), SpecError> {
        let (source, info) = (self.source, self.info);
        let text = source.text(span);
        if text.is_empty() {
            return Err(source.error(span.from, "missing argument"));
        }
        let name = source.option_name(span);
        let key_value = source.key_value(span);
        if key_value.is_none() {
            let bare = info
                .options
                .iter()
                .find(|option| matches!(option.kind, OptionKind::BareWord(words) if words.contains(&name.as_str())));
            if let Some(option) = bare {
                let value = option.parse(&name).map_err(|error| source.error(span.from, error))?;
                return self.set(option.name, value, span);
            }
            if info.selector == Some(name.as_str()) && info.option(&name).is_none() {
                // The selector was already used by `select`; only a repetition is an error.
                return self.set(info.selector.unwrap_or_default(), OptionValue::Bool(true), span);
            }
        }
        let option = info.option(&name).filter(|option| !matches!(option.kind, OptionKind::BareWord(_)));
        match (option, key_value) {
            (Some(option), None) if option.kind == OptionKind::Flag => {
                self.set(option.name, OptionValue::Bool(true), span)
            }
            (Some(option), None) => Err(source.error(span.to, format!("missing value; expected {}", option.usage()))),
            (Some(option), Some((key, _))) if option.kind == OptionKind::Flag => {
                Err(source.error(key.from, format!("{name} takes no value")))
            }
            (Some(option), Some((key, value))) => {
                let parsed = option.parse(&source.text(value));
                self.set(option.name, parsed.map_err(|error| source.error(value.from, error))?, key)
            }
            (None, Some((key, _))) if !info.guided || !H::KEYS.contains(&name.as_str()) => {
                Err(source.error(key.from, info.unknown_option(&name, Some(H::USAGE))))
            }
            (None, _) => self.parse_heuristic(span, &text, heuristic),
        }
    }

    fn parse_heuristic(
        &mut self,
        span: Span,
        text: &str,
        heuristic: &dyn Fn(&str) -> Result<H, HeuristicError>,
    ) -> Result<(), SpecError> {
        let parsed = heuristic(text);
        if !self.info.guided {
            let message = match parsed {
                Ok(_) => format!("{} takes no heuristic", self.info.name),
                Err(_) => self.info.unknown_option(&text.to_ascii_lowercase(), Some(H::USAGE)),
            };
            return Err(self.source.error(span.from, message));
        }
        let parsed = parsed.map_err(|HeuristicError { message, at, in_file }| {
            let message = match self.nearest_option(text) {
                Some(near) if !in_file => format!("{message} (or did you mean the option '{near}'?)"),
                _ => message,
            };
            SpecError { in_file, ..self.source.error(span.from + at, message) }
        })?;
        if self.heuristic.replace(parsed).is_some() {
            let message = "only one heuristic is allowed; combine several with max(a, b) or a + b";
            return Err(self.source.error(span.from, message));
        }
        Ok(())
    }

    /// The option that a misspelt argument was probably meant to be.
    fn nearest_option(&self, text: &str) -> Option<&'static str> {
        let text = text.to_ascii_lowercase();
        let near = self.info.options.iter().map(|option| (osa_distance(&text, option.name), option.name)).min();
        near.filter(|&(edits, name)| edits <= 1 && name.len() > 3).map(|(_, name)| name)
    }

    fn set(&mut self, name: &'static str, value: OptionValue, at: Span) -> Result<(), SpecError> {
        if self.values.iter().any(|(other, _)| *other == name) {
            let bare = self.info.option(name).filter(|option| matches!(option.kind, OptionKind::BareWord(_)));
            let message = match bare {
                Some(option) => format!("only one of {} is allowed", option.usage()),
                None => format!("{name} is given twice"),
            };
            return Err(self.source.error(at.from, message));
        }
        self.values.push((name, value));
        Ok(())
    }
}

fn names() -> String {
    let mut names: Vec<&str> = ALGORITHMS.iter().map(|info| info.name).collect();
    names.dedup();
    names.join(", ")
}

fn unknown_algorithm<H: HeuristicSpec>(word: &str, heuristic: &dyn Fn(&str) -> Result<H, HeuristicError>) -> String {
    let word: String = word.chars().take(40).collect();
    if let Ok(heuristic) = heuristic(&word) {
        return format!("'{word}' is a heuristic, not an algorithm; an algorithm that uses it is astar({heuristic})");
    }
    let nearest = ALGORITHMS.iter().map(|info| (osa_distance(&word, info.name), info.name)).min();
    let hint = match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 4 => format!("did you mean '{name}'? "),
        _ => String::new(),
    };
    format!("unknown algorithm '{word}'; {hint}expected one of {}", names())
}
