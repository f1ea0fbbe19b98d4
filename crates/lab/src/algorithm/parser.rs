//! Reads algorithm expressions: a name, and arguments in parentheses.

use super::estimator::Estimator;
use super::list::{AlgorithmInfo, LIST, OptionInfo, Value};
use clearway_policy::NamedPolicy;
use clearway_rush::heuristics::{Expression, edits};
use std::collections::BTreeMap;

/// How long the text of an expression may be.
const LONGEST: usize = 4096;

/// What is wrong with the text of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}\n  {text}\n  {}^", " ".repeat(*at))]
pub struct AlgorithmError {
    /// What is wrong.
    pub message: String,
    /// The text, or the part of it around the error if it is long.
    pub text: String,
    /// Where, in characters of `text`.
    pub at: usize,
    /// Whether a policy that the text names is at fault, such as a file, not the text itself.
    pub in_file: bool,
}

/// An algorithm with its arguments, all of them known to it and in their ranges.
pub(super) struct Call<'a> {
    pub info: &'static AlgorithmInfo,
    pub heuristic: Option<Estimator>,
    /// What the mere word `policy` stands for.
    own: Option<Estimator>,
    policies: Policies<'a>,
    values: BTreeMap<&'static str, Given>,
    source: Source,
}

/// The policy of a name, or why there is none.
pub(super) type Policies<'a> = &'a dyn Fn(&str) -> Result<NamedPolicy, String>;

enum Given {
    Flag,
    Number(u64),
    Real(f64),
    Word(&'static str),
}

/// The text, for errors.
struct Source {
    chars: Vec<char>,
}

/// A part of the text.
#[derive(Clone, Copy)]
struct Span {
    from: usize,
    to: usize,
}

impl Source {
    fn error(&self, at: usize, message: impl Into<String>) -> AlgorithmError {
        let from = at.saturating_sub(30);
        let printable = |c: &char| if c.is_control() { ' ' } else { *c };
        let text = self.chars.iter().skip(from).take(60).map(printable).collect();
        AlgorithmError { message: message.into(), text, at: at - from, in_file: false }
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

    /// The parts between commas that are in no inner parentheses and in no quotes.
    fn split(&self, span: Span) -> Vec<Span> {
        let (mut parts, mut from, mut depth, mut quoted) = (Vec::new(), span.from, 0usize, false);
        for at in span.from..span.to {
            match self.chars[at] {
                '"' => quoted = !quoted,
                _ if quoted => {}
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
}

impl<'a> Call<'a> {
    /// Reads a call, in which the mere word `policy` may stand for a policy and `policy=NAME` for one of those given.
    pub fn read(text: &str, own: Option<Estimator>, policies: Policies<'a>) -> Result<Call<'a>, AlgorithmError> {
        let source = Source { chars: text.chars().take(LONGEST + 1).collect() };
        if source.chars.len() > LONGEST {
            return Err(source.error(LONGEST, format!("an algorithm has at most {LONGEST} characters")));
        }
        let whole = source.trimmed(Span { from: 0, to: source.chars.len() });
        let belongs = |c: &&char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let length = source.chars[whole.from..whole.to].iter().take_while(belongs).count();
        let name = Span { from: whole.from, to: whole.from + length };
        let rest = source.trimmed(Span { from: name.to, to: whole.to });
        let word = source.text(name).to_ascii_lowercase();
        if word.is_empty() {
            return Err(source.error(name.from, format!("an algorithm is expected; there are {}", names())));
        }
        let Some(info) = AlgorithmInfo::find(&word) else {
            return Err(source.error(name.from, no_such_algorithm(&word)));
        };
        let mut call = Call { info, heuristic: None, own, policies, values: BTreeMap::new(), source };
        if rest.from < rest.to {
            let chars = &call.source.chars;
            if chars[rest.from] != '(' {
                return Err(call.source.error(rest.from, "'(' or nothing is expected behind the name"));
            }
            if chars[rest.to - 1] != ')' || rest.to - rest.from < 2 {
                return Err(call.source.error(rest.to, "')' is expected here"));
            }
            let inner = call.source.trimmed(Span { from: rest.from + 1, to: rest.to - 1 });
            if inner.from < inner.to {
                for part in call.source.split(inner) {
                    call.argument(part)?;
                }
            }
        }
        if info.heuristic && call.heuristic.is_none() {
            let message = format!("{word} needs a heuristic, such as {}", info.example);
            return Err(call.source.error(whole.to, message));
        }
        Ok(call)
    }

    fn argument(&mut self, part: Span) -> Result<(), AlgorithmError> {
        let text = self.source.text(part);
        if text.is_empty() {
            return Err(self.source.error(part.from, "an argument is expected here"));
        }
        // The `=` of an option comes before any parenthesis; that of a rule, `<=`, is inside one.
        let sign = text.chars().take_while(|&c| c != '(').position(|c| c == '=');
        if let Some(equals) = sign {
            let key = self.source.trimmed(Span { from: part.from, to: part.from + equals });
            let value = self.source.trimmed(Span { from: part.from + equals + 1, to: part.to });
            let name = self.source.text(key).to_ascii_lowercase();
            if name == "policy" && self.info.heuristic {
                let policy = self.policy(value)?;
                return self.guide(policy, part);
            }
            let found = self.info.options.iter().find(|option| option.name == name && option.value != Value::Flag);
            let Some(option) = found else { return Err(self.source.error(key.from, self.no_such_option(&name))) };
            let given = self.value(option, value)?;
            return self.give(option, given, key);
        }
        let word = text.to_ascii_lowercase();
        if let Some(option) = self.info.options.iter().find(|option| option.name == word) {
            if option.value != Value::Flag {
                return Err(self.source.error(part.to, format!("{} wants a value: {}", option.name, option.usage())));
            }
            return self.give(option, Given::Flag, part);
        }
        if word == "policy" && self.info.heuristic {
            return match self.own.clone() {
                Some(own) => self.guide(own, part),
                None => Err(self.source.error(part.to, "policy wants a file: policy=FILE")),
            };
        }
        let heuristic = text.parse::<Expression>();
        if !self.info.heuristic {
            let message = match heuristic {
                Ok(_) => format!("{} takes no heuristic; {}", self.info.name, self.takes()),
                Err(_) => self.no_such_option(&word),
            };
            return Err(self.source.error(part.from, message));
        }
        match heuristic {
            Ok(heuristic) => self.guide(Estimator::Expression(heuristic), part),
            // The place in a long expression is shown in the part of it that the error carries.
            Err(error) if error.at >= 30 => {
                Err(AlgorithmError { message: error.message, text: error.text, at: error.at, in_file: false })
            }
            Err(error) => Err(self.source.error(part.from + error.at, error.message)),
        }
    }

    fn guide(&mut self, heuristic: Estimator, at: Span) -> Result<(), AlgorithmError> {
        if self.heuristic.replace(heuristic).is_some() {
            let message = "there is a heuristic already; several are one as max(a, b) or a + b";
            return Err(self.source.error(at.from, message));
        }
        Ok(())
    }

    /// The policy of a name, which may be in quotes.
    fn policy(&self, span: Span) -> Result<Estimator, AlgorithmError> {
        let text = self.source.text(span);
        let unquoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&text);
        if unquoted.is_empty() || unquoted.contains('"') {
            return Err(self
                .source
                .error(span.from, "the name of a policy or a file is expected, without quotes in it"));
        }
        match (self.policies)(unquoted) {
            Ok(policy) => Ok(Estimator::Policy(policy, None)),
            Err(error) => Err(AlgorithmError { in_file: true, ..self.source.error(span.from, error) }),
        }
    }

    fn give(&mut self, option: &'static OptionInfo, given: Given, at: Span) -> Result<(), AlgorithmError> {
        if self.values.insert(option.name, given).is_some() {
            return Err(self.source.error(at.from, format!("{} is given twice", option.name)));
        }
        Ok(())
    }

    fn value(&self, option: &OptionInfo, span: Span) -> Result<Given, AlgorithmError> {
        let text = self.source.text(span).to_ascii_lowercase();
        let wrong = |expected: String| Err(self.source.error(span.from, format!("{} is {expected}", option.name)));
        match option.value {
            Value::Flag => wrong("a mere word".to_string()),
            Value::Number(least, most) => match text.replace('_', "").parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(Given::Number(number)),
                _ => wrong(format!("a whole number from {least} to {most}")),
            },
            Value::Real(least) => match text.parse::<f64>() {
                Ok(number) if number.is_finite() && number >= least => Ok(Given::Real(number)),
                _ => wrong(format!("a number, {least} or more")),
            },
            Value::Word(words) => match words.iter().find(|word| **word == text) {
                Some(word) => Ok(Given::Word(word)),
                None => wrong(format!("one of {}", words.join(", "))),
            },
        }
    }

    fn takes(&self) -> String {
        match self.info.arguments() {
            none if none.is_empty() => "it has no arguments".to_string(),
            all => format!("it takes {}", all.join(", ")),
        }
    }

    fn no_such_option(&self, name: &str) -> String {
        let name: String = name.chars().take(40).collect();
        let others: Vec<&str> = LIST
            .iter()
            .filter(|info| info.options.iter().any(|option| option.name == name))
            .map(|info| info.name)
            .collect();
        let nearest = self.info.options.iter().map(|option| (edits(&name, option.name), option.name)).min();
        let hint = match nearest {
            Some((1 | 2, near)) if others.is_empty() => format!(" (did you mean '{near}'?)"),
            _ if others.is_empty() => String::new(),
            _ => format!(" ({} has)", others.join(" or ")),
        };
        format!("{} has no option '{name}'{hint}; {}", self.info.name, self.takes())
    }

    pub fn flag(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some(Given::Flag))
    }

    pub fn number(&self, name: &str) -> Option<u64> {
        match self.values.get(name) {
            Some(Given::Number(number)) => Some(*number),
            _ => None,
        }
    }

    pub fn real(&self, name: &str) -> Option<f64> {
        match self.values.get(name) {
            Some(Given::Real(number)) => Some(*number),
            _ => None,
        }
    }

    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.values.get(name) {
            Some(Given::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// An error about the whole.
    pub fn error(&self, message: impl Into<String>) -> AlgorithmError {
        self.source.error(0, message)
    }
}

fn names() -> String {
    LIST.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}

fn no_such_algorithm(word: &str) -> String {
    let word: String = word.chars().take(40).collect();
    if let Ok(Expression::Named(info)) = word.parse::<Expression>() {
        return format!("'{word}' is a heuristic, not an algorithm: astar({}) is one that uses it", info.name);
    }
    let nearest = LIST.iter().map(|info| (edits(&word, info.name), info.name)).min();
    let hint = match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 4 => format!("did you mean '{name}'? "),
        _ => String::new(),
    };
    format!("there is no algorithm '{word}'; {hint}there are {}", names())
}
