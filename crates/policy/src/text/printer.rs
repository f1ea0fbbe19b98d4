//! Prints policies in a canonical form, which parses to the same policy.

use crate::policy::Policy;
use crate::subtree::{Subtree, SubtreeRoot};
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
            writeln!(
                f,
                "IF {} THEN {}",
                ConditionText(Subtree::new(&rule.condition)),
                ValueText(Subtree::new(&rule.value))
            )?;
        }
        writeln!(f, "DEFAULT {}", ValueText(Subtree::new(&self.default)))
    }
}

/// Prints a condition.
pub(crate) struct ConditionText<'a>(pub Subtree<'a>);

/// Prints a value.
pub(crate) struct ValueText<'a>(pub Subtree<'a>);

impl fmt::Display for ConditionText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.shape() {
            SubtreeRoot::Function(function @ (AND | OR), left, right) => {
                // Operands of lower precedence need parentheses, and on the right also those of the same precedence.
                let looser = |subtree: Subtree<'_>| function == AND && is_function(subtree, OR);
                parenthesised(f, looser(left), &ConditionText(left))?;
                f.write_str(if function == AND { " AND " } else { " OR " })?;
                parenthesised(f, looser(right) || is_function(right, function), &ConditionText(right))
            }
            SubtreeRoot::Function(function, left, right) => {
                let sign = match function {
                    AT_MOST => "<=",
                    AT_LEAST => ">=",
                    _ => "?",
                };
                write!(f, "{} {sign} {}", ConditionText(left), ConditionText(right))
            }
            SubtreeRoot::Number(number) => write!(f, "{number}"),
            SubtreeRoot::Terminal(terminal) => f.write_str(TERMINALS[terminal].name),
        }
    }
}

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        value(f, self.0, false)
    }
}

/// Writes a value, with the sign of its first factor inverted if `negated` is set.
fn value(f: &mut Formatter<'_>, subtree: Subtree<'_>, negated: bool) -> fmt::Result {
    match subtree.shape() {
        SubtreeRoot::Function(PLUS, left, right) => {
            value(f, left, false)?;
            let minus = starts_negative(right);
            f.write_str(if minus { " - " } else { " + " })?;
            if is_function(right, PLUS) { parenthesised(f, true, &ValueText(right)) } else { value(f, right, minus) }
        }
        SubtreeRoot::Function(_, left, right) => {
            if is_function(left, PLUS) {
                parenthesised(f, true, &ValueText(left))?;
            } else {
                value(f, left, negated)?;
            }
            f.write_str("*")?;
            let negative = matches!(right.shape(), SubtreeRoot::Number(number) if number.is_sign_negative());
            parenthesised(f, negative || is_function(right, PLUS) || is_function(right, TIMES), &ValueText(right))
        }
        SubtreeRoot::Number(number) => write!(f, "{}", if negated { -number } else { number }),
        SubtreeRoot::Terminal(terminal) => f.write_str(TERMINALS[terminal].name),
    }
}

/// Whether the value, or the first factor of a product, is a negative number.
fn starts_negative(subtree: Subtree<'_>) -> bool {
    match subtree.shape() {
        SubtreeRoot::Function(TIMES, left, _) => starts_negative(left),
        SubtreeRoot::Number(number) => number.is_sign_negative(),
        _ => false,
    }
}

fn is_function(subtree: Subtree<'_>, wanted: u16) -> bool {
    matches!(subtree.shape(), SubtreeRoot::Function(function, ..) if function == wanted)
}

fn parenthesised(f: &mut Formatter<'_>, parentheses: bool, text: &dyn fmt::Display) -> fmt::Result {
    if parentheses { write!(f, "({text})") } else { write!(f, "{text}") }
}

/// Formats a number for display, rounded to four decimals without trailing zeros.
pub(crate) fn number_text(number: f64) -> String {
    let rounded = format!("{number:.4}");
    match rounded.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        shortest => shortest.to_owned(),
    }
}
