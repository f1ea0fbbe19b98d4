//! Parser of search expressions: a name, and arguments in parentheses.

use super::{ALGORITHMS, AlgorithmInfo, HeuristicSpec, OptionKind, OptionValue, SearchSpec};
use clearway_util::syntax::{Cursor, ExpressionError, Piece, SyntaxError, nearest};

/// Maximum length of an expression, in characters.
const MAX_LENGTH: usize = 4096;

/// Parses the heuristic of a search expression.
type ParseHeuristic<'a, H> = &'a dyn Fn(&str) -> Result<H, SyntaxError>;

/// Splits an expression into the name of the algorithm and its arguments.
fn call(whole: Piece) -> Result<(Piece, Vec<Piece>), SyntaxError> {
    let mut cursor = Cursor::new(whole.text);
    let length = cursor.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).len();
    let (name, rest) = (whole.slice(0..length), whole.slice(length..whole.text.len()).trim());
    if name.text.is_empty() {
        return Err(name.error(format!("missing algorithm; expected one of {}", names())));
    }
    if rest.text.is_empty() {
        return Ok((name, Vec::new()));
    }
    let Some(open) = rest.text.strip_prefix('(') else {
        return Err(rest.error("unexpected character; expected '(' or the end"));
    };
    let Some(inner) = open.strip_suffix(')') else {
        return Err(SyntaxError::new(rest.end()..rest.end(), "missing ')'"));
    };
    let inner = rest.slice(1..1 + inner.len()).trim();
    Ok((name, if inner.text.is_empty() { Vec::new() } else { split(inner) }))
}

/// Splits at commas outside of inner parentheses and quotes.
fn split(arguments: Piece) -> Vec<Piece> {
    let (mut parts, mut from, mut depth, mut is_quoted) = (Vec::new(), 0, 0usize, false);
    for (at, c) in arguments.text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(arguments.slice(from..at).trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(arguments.slice(from..arguments.text.len()).trim());
    parts
}

/// Splits an argument `NAME=VALUE`. The `=` must precede any parenthesis; later ones belong to comparisons.
fn key_value(argument: Piece) -> Option<(Piece, Piece)> {
    let before_parenthesis = argument.text.split('(').next().unwrap_or_default();
    let (key, value) = argument.split_once('=').filter(|(key, _)| key.text.len() < before_parenthesis.len())?;
    Some((key.trim(), value.trim()))
}

/// Name of the option that an argument may set: the part before `=`, or all of it.
fn option_name(argument: Piece) -> String {
    key_value(argument).map_or(argument, |(key, _)| key).text.to_ascii_lowercase()
}

impl<H: HeuristicSpec> SearchSpec<H> {
    /// Parses an expression, such as `ida(H, prune, increment=5)`. Arguments that are not options describe the heuristic and
    /// are parsed by `heuristic`.
    pub fn parse(
        text: &str,
        heuristic: &dyn Fn(&str) -> Result<H, SyntaxError>,
    ) -> Result<SearchSpec<H>, ExpressionError> {
        parse(text, heuristic).map_err(|error| ExpressionError::new(text, error))
    }
}

fn parse<H: HeuristicSpec>(text: &str, heuristic: ParseHeuristic<H>) -> Result<SearchSpec<H>, SyntaxError> {
    if let Some((end, _)) = text.char_indices().nth(MAX_LENGTH) {
        return Err(SyntaxError::new(end..end, format!("expression longer than {MAX_LENGTH} characters")));
    }
    let whole = Piece::new(text).trim();
    let (name, arguments) = call(whole)?;
    let word = name.text.to_ascii_lowercase();
    let Some(info) = select(&word, &arguments) else {
        return Err(name.error(unknown_algorithm(&word, heuristic)));
    };
    let mut parser = ArgumentParser { info, heuristic: None, values: Vec::new() };
    for argument in arguments {
        parser.parse_argument(argument, heuristic)?;
    }
    if info.guided && parser.heuristic.is_none() {
        let message = format!("{word} needs a heuristic, as in {}", info.example);
        return Err(SyntaxError::new(whole.end()..whole.end(), message));
    }
    let mut algorithm = (info.new)(parser.heuristic.as_ref().is_some_and(H::is_learned));
    for (name, value) in parser.values {
        if let Some(option) = info.option(name) {
            (option.set)(&mut algorithm, value);
        }
    }
    Ok(SearchSpec { algorithm, heuristic: parser.heuristic })
}

/// Returns the algorithm with a name, selected by the arguments if there are several.
fn select(name: &str, arguments: &[Piece]) -> Option<&'static AlgorithmInfo> {
    let selects = |info: &&&AlgorithmInfo| {
        info.name == name
            && info.selector.is_some_and(|selector| arguments.iter().any(|&one| option_name(one) == selector))
    };
    let plain = |info: &&&AlgorithmInfo| info.name == name && info.selector.is_none();
    ALGORITHMS.iter().find(selects).or_else(|| ALGORITHMS.iter().find(plain)).copied()
}

/// Parses the arguments one by one.
struct ArgumentParser<H> {
    info: &'static AlgorithmInfo,
    heuristic: Option<H>,
    values: Vec<(&'static str, OptionValue)>,
}

impl<H: HeuristicSpec> ArgumentParser<H> {
    fn parse_argument(&mut self, argument: Piece, heuristic: ParseHeuristic<H>) -> Result<(), SyntaxError> {
        let info = self.info;
        if argument.text.is_empty() {
            return Err(argument.error("missing argument"));
        }
        let name = option_name(argument);
        let key_value = key_value(argument);
        if key_value.is_none() {
            let bare = info
                .options
                .iter()
                .find(|option| matches!(option.kind, OptionKind::BareWord(words) if words.contains(&name.as_str())));
            if let Some(option) = bare {
                let value = option.parse(&name).map_err(|error| argument.error(error))?;
                return self.set(option.name, value, argument);
            }
            if info.selector == Some(name.as_str()) && info.option(&name).is_none() {
                // The selector was already used by `select`; only a repetition is an error.
                return self.set(info.selector.unwrap_or_default(), OptionValue::Bool(true), argument);
            }
        }
        let option = info.option(&name).filter(|option| !matches!(option.kind, OptionKind::BareWord(_)));
        match (option, key_value) {
            (Some(option), None) if option.kind == OptionKind::Flag => {
                self.set(option.name, OptionValue::Bool(true), argument)
            }
            (Some(option), None) => {
                let message = format!("missing value; expected {}", option.usage());
                Err(SyntaxError::new(argument.end()..argument.end(), message))
            }
            (Some(option), Some((key, _))) if option.kind == OptionKind::Flag => {
                Err(key.error(format!("{name} takes no value")))
            }
            (Some(option), Some((key, value))) => {
                let parsed = option.parse(value.text).map_err(|error| value.error(error))?;
                self.set(option.name, parsed, key)
            }
            (None, Some((key, _))) if !info.guided || !H::KEYS.contains(&name.as_str()) => {
                Err(key.error(info.unknown_option(&name, Some(H::USAGE))))
            }
            (None, _) => self.parse_heuristic(argument, heuristic),
        }
    }

    fn parse_heuristic(&mut self, argument: Piece, heuristic: ParseHeuristic<H>) -> Result<(), SyntaxError> {
        let parsed = heuristic(argument.text);
        if !self.info.guided {
            return Err(argument.error(match parsed {
                Ok(_) => format!("{} takes no heuristic", self.info.name),
                Err(_) => self.info.unknown_option(&argument.text.to_ascii_lowercase(), Some(H::USAGE)),
            }));
        }
        let parsed = parsed.map_err(|mut error| {
            if let Some(near) = self.nearest_option(argument.text).filter(|_| !error.in_file) {
                let last = error.help.as_mut().unwrap_or(&mut error.message);
                last.extend([" (or did you mean the option '", near, "'?)"]);
            }
            error.shifted(argument.start)
        })?;
        if self.heuristic.replace(parsed).is_some() {
            return Err(argument.error("only one heuristic is allowed; combine several with max(a, b) or a + b"));
        }
        Ok(())
    }

    /// The option that a misspelt argument was probably meant to be.
    fn nearest_option(&self, text: &str) -> Option<&'static str> {
        let text = text.to_ascii_lowercase();
        nearest(&text, self.info.options.iter().map(|option| option.name)).filter(|name| name.len() > 3)
    }

    fn set(&mut self, name: &'static str, value: OptionValue, at: Piece) -> Result<(), SyntaxError> {
        if self.values.iter().any(|(other, _)| *other == name) {
            let bare = self.info.option(name).filter(|option| matches!(option.kind, OptionKind::BareWord(_)));
            let message = match bare {
                Some(option) => format!("only one of {} is allowed", option.usage()),
                None => format!("{name} is given twice"),
            };
            return Err(at.error(message));
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

fn unknown_algorithm<H: HeuristicSpec>(word: &str, heuristic: ParseHeuristic<H>) -> String {
    let word: String = word.chars().take(40).collect();
    if let Ok(heuristic) = heuristic(&word) {
        return format!("'{word}' is a heuristic, not an algorithm; an algorithm that uses it is astar({heuristic})");
    }
    let hint = match nearest(&word, ALGORITHMS.iter().map(|info| info.name)) {
        Some(name) => format!("did you mean '{name}'? "),
        None => String::new(),
    };
    format!("unknown algorithm '{word}'; {hint}expected one of {}", names())
}
