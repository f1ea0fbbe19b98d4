//! Prints policies in one form, which is read back as the same policy.

use crate::part::{Part, Shape};
use crate::policy::Policy;
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR, PLUS, TIMES};
use std::fmt::{self, Formatter};

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for line in self.about.lines() {
            writeln!(f, "{}", format!("about: {line}").trim_end())?;
        }
        if let Some(search) = &self.search {
            writeln!(f, "search: {search}")?;
        }
        for rule in &self.rules {
            writeln!(f, "IF {} THEN {}", ConditionText(Part::of(&rule.condition)), ValueText(Part::of(&rule.value)))?;
        }
        writeln!(f, "DEFAULT {}", ValueText(Part::of(&self.default)))
    }
}

/// A condition as text.
pub(crate) struct ConditionText<'a>(pub Part<'a>);

/// A value as text.
pub(crate) struct ValueText<'a>(pub Part<'a>);

impl fmt::Display for ConditionText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.shape() {
            Shape::Function(function @ (AND | OR), left, right) => {
                // What binds less tightly needs parentheses, and on the right also what binds as tightly.
                let looser = |part: Part<'_>| function == AND && is(part, OR);
                bracketed(f, looser(left), &ConditionText(left))?;
                f.write_str(if function == AND { " AND " } else { " OR " })?;
                bracketed(f, looser(right) || is(right, function), &ConditionText(right))
            }
            Shape::Function(function, left, right) => {
                let sign = match function {
                    AT_MOST => "<=",
                    AT_LEAST => ">=",
                    _ => "?",
                };
                write!(f, "{} {sign} {}", ConditionText(left), ConditionText(right))
            }
            Shape::Number(number) => write!(f, "{number}"),
            Shape::Terminal(terminal) => f.write_str(TERMINALS[terminal].name),
        }
    }
}

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        value(f, self.0, false)
    }
}

/// Writes a value; with the sign of its first factor turned, if that is asked for.
fn value(f: &mut Formatter<'_>, part: Part<'_>, turned: bool) -> fmt::Result {
    match part.shape() {
        Shape::Function(PLUS, left, right) => {
            value(f, left, false)?;
            let minus = begins_negative(right);
            f.write_str(if minus { " - " } else { " + " })?;
            if is(right, PLUS) { bracketed(f, true, &ValueText(right)) } else { value(f, right, minus) }
        }
        Shape::Function(_, left, right) => {
            if is(left, PLUS) {
                bracketed(f, true, &ValueText(left))?;
            } else {
                value(f, left, turned)?;
            }
            f.write_str("*")?;
            let negative = matches!(right.shape(), Shape::Number(number) if number.is_sign_negative());
            bracketed(f, negative || is(right, PLUS) || is(right, TIMES), &ValueText(right))
        }
        Shape::Number(number) => write!(f, "{}", if turned { -number } else { number }),
        Shape::Terminal(terminal) => f.write_str(TERMINALS[terminal].name),
    }
}

/// Whether the first factor of a product, or the value itself, is a number below 0.
fn begins_negative(part: Part<'_>) -> bool {
    match part.shape() {
        Shape::Function(TIMES, left, _) => begins_negative(left),
        Shape::Number(number) => number.is_sign_negative(),
        _ => false,
    }
}

fn is(part: Part<'_>, wanted: u16) -> bool {
    matches!(part.shape(), Shape::Function(function, ..) if function == wanted)
}

fn bracketed(f: &mut Formatter<'_>, brackets: bool, text: &dyn fmt::Display) -> fmt::Result {
    if brackets { write!(f, "({text})") } else { write!(f, "{text}") }
}

/// A number for people: without the noise in its last digits.
pub(crate) fn number_text(number: f64) -> String {
    let rounded = format!("{number:.4}");
    match rounded.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        shortest => shortest.to_owned(),
    }
}
