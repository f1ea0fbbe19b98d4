//! Parses expressions over heuristics.

use super::{ALL, Conditional, Expression, HeuristicInfo};
use strsim::osa_distance;

/// Maximum nesting depth of parentheses, calls and signs.
const MAX_DEPTH: usize = 64;
/// Maximum length of an expression, in characters.
const MAX_LENGTH: usize = 4096;

/// A fault in the text of an expression. It is displayed with a caret below the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}\n  {text}\n  {}^", " ".repeat(*at))]
#[non_exhaustive]
pub struct ExpressionError {
    /// The fault, without its place.
    pub message: String,
    /// The text, or the part around the fault if it is long, with control characters replaced by spaces.
    pub text: String,
    /// Place of the fault, in characters of `text` from 0.
    pub at: usize,
    /// Place of the fault, in characters of the whole expression from 0.
    pub place: usize,
}

/// Parses an expression. Names are case-insensitive.
///
/// ```text
/// sum     = product { ("+" | "-") product }
/// product = factor { "*" factor }            at most one factor is not a number
/// factor  = "-" factor | number | name | call | if | "(" sum ")"
/// call    = ( "max" | "min" ) "(" sum { "," sum } ")"
/// if      = "if" "(" sum ( "<=" | ">=" ) sum "," sum "," sum ")"
/// ```
pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    let chars: Vec<char> = text.chars().take(MAX_LENGTH + 1).collect();
    let mut parser = Parser { chars, at: 0, depth: 0 };
    if parser.chars.len() > MAX_LENGTH {
        return Err(parser.error(MAX_LENGTH, format!("expression longer than {MAX_LENGTH} characters")));
    }
    let expression = parser.sum()?;
    match parser.peek() {
        None => Ok(expression),
        Some(c) => {
            Err(parser.error(parser.at, format!("unexpected '{}'; expected an operator or the end", c.escape_debug())))
        }
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn sum(&mut self) -> Result<Expression, ExpressionError> {
        let mut terms = Vec::new();
        let mut sign = 1.0;
        loop {
            // `a + (b + c)` is parsed as one sum, `a + b + c`.
            match self.product()? {
                Expression::Sum(inner) if sign > 0.0 => terms.extend(inner),
                product if sign > 0.0 => terms.push(product),
                product => terms.push(scaled(sign, product)),
            }
            sign = if self.eat('+') {
                1.0
            } else if self.eat('-') {
                -1.0
            } else {
                break;
            };
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { Expression::Sum(terms) })
    }

    fn product(&mut self) -> Result<Expression, ExpressionError> {
        let mut product = self.factor()?;
        while self.eat('*') {
            self.skip_whitespace();
            let at = self.at;
            product = match (product, self.factor()?) {
                (Expression::Number(number), other) | (other, Expression::Number(number)) => scaled(number, other),
                _ => return Err(self.error(at, "a heuristic can only be multiplied by a number".to_string())),
            };
        }
        if let Expression::Number(number) | Expression::Scaled(number, _) = product
            && !number.is_finite()
        {
            return Err(self.error(self.at, "the number is too large".to_string()));
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Expression, ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(self.at, format!("the expression is nested more than {MAX_DEPTH} levels deep")));
        }
        let factor = match self.peek() {
            Some('-') => {
                self.at += 1;
                scaled(-1.0, self.factor()?)
            }
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                self.expect(')')?;
                inner
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number()?,
            Some(c) if c.is_ascii_alphabetic() => self.name()?,
            Some(c) => {
                let message = format!("expected a heuristic or a number, found '{}'", c.escape_debug());
                return Err(self.error(self.at, message));
            }
            None => return Err(self.error(self.at, "expected a heuristic or a number".to_string())),
        };
        self.depth -= 1;
        Ok(factor)
    }

    fn number(&mut self) -> Result<Expression, ExpressionError> {
        let start = self.at;
        let word = self.take_while(|c| c.is_ascii_digit() || c == '.');
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Expression::Number(number)),
            _ => Err(self.error(start, format!("invalid number '{}'", shortened(&word)))),
        }
    }

    fn name(&mut self) -> Result<Expression, ExpressionError> {
        let start = self.at;
        // A hyphen is part of a name if a letter follows: `two-level` is a name, but `h1-2` is a difference.
        let mut word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        while self.chars.get(self.at) == Some(&'-')
            && self.chars.get(self.at + 1).is_some_and(char::is_ascii_alphabetic)
        {
            self.at += 1;
            word.push('-');
            word += &self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        }
        let word = word.to_ascii_lowercase();
        if matches!(word.as_str(), "max" | "min") {
            self.expect('(')?;
            let mut all = vec![self.sum()?];
            while self.eat(',') {
                all.push(self.sum()?);
            }
            self.expect(')')?;
            return Ok(if word == "max" { Expression::Max(all) } else { Expression::Min(all) });
        }
        if word == "if" {
            return self.conditional();
        }
        match HeuristicInfo::find(&word) {
            Some(info) => Ok(Expression::Named(info)),
            None => Err(self.error(start, unknown_heuristic(&word))),
        }
    }

    /// Parses `(left <= right, then, otherwise)` after `if`.
    fn conditional(&mut self) -> Result<Expression, ExpressionError> {
        self.expect('(')?;
        let mut left = self.sum()?;
        let swapped = self.eat('>');
        if !swapped && !self.eat('<') || !self.eat('=') {
            return Err(self.error(self.at, "expected '<=' or '>='".to_string()));
        }
        let mut right = self.sum()?;
        if swapped {
            std::mem::swap(&mut left, &mut right);
        }
        self.expect(',')?;
        let then = self.sum()?;
        self.expect(',')?;
        let otherwise = self.sum()?;
        self.expect(')')?;
        Ok(Expression::If(Box::new(Conditional { left, right, then, otherwise })))
    }

    /// Consumes the characters that satisfy a predicate.
    fn take_while(&mut self, predicate: impl Fn(char) -> bool) -> String {
        let word: String = self.chars[self.at..].iter().take_while(|&&c| predicate(c)).collect();
        self.at += word.chars().count();
        word
    }

    fn skip_whitespace(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_whitespace();
        self.chars.get(self.at).copied()
    }

    /// Consumes a character if it is next.
    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), ExpressionError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.error(self.at, format!("expected '{wanted}'"))) }
    }

    /// Creates an error at a character, with up to 30 characters of the text on both sides.
    fn error(&self, at: usize, message: String) -> ExpressionError {
        let from = at.saturating_sub(30);
        let printable = |c: &char| if c.is_control() { ' ' } else { *c };
        ExpressionError {
            message,
            text: self.chars.iter().skip(from).take(60).map(printable).collect(),
            at: at - from,
            place: at,
        }
    }
}

/// Multiplies an expression by a number, and combines constant factors.
fn scaled(number: f64, expression: Expression) -> Expression {
    match expression {
        Expression::Number(other) => Expression::Number(number * other),
        Expression::Scaled(other, inner) => Expression::Scaled(number * other, inner),
        other => Expression::Scaled(number, Box::new(other)),
    }
}

/// The first 40 characters of a word, for quoting it in a message.
fn shortened(word: &str) -> String {
    if word.chars().count() <= 40 { word.to_string() } else { word.chars().take(40).chain("...".chars()).collect() }
}

/// The message for an unknown heuristic, with the most similar name or, if none is similar, all names.
fn unknown_heuristic(word: &str) -> String {
    let names = || ALL.iter().flat_map(|info| std::iter::once(&info.name).chain(info.aliases)).copied();
    let word = shortened(word);
    let nearest = names().map(|name| (osa_distance(&word, name), name)).min();
    let hint = match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 4 => format!("did you mean '{name}'?"),
        _ => format!(
            "expected one of {}, max(...), min(...), if(... <= ..., ..., ...)",
            names().collect::<Vec<_>>().join(", ")
        ),
    };
    format!("unknown heuristic '{word}'; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        parse(text).unwrap_or_else(|e| panic!("{e}")).to_string()
    }

    fn error(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn expressions_have_a_canonical_form_that_parses_back() {
        for (text, expected) in [
            ("h1", "blockers-lower-bound"),
            (" H1 ", "blockers-lower-bound"),
            ("max( blockers,two-level )", "max(blockers, two-level)"),
            ("3*h1", "3*blockers-lower-bound"),
            ("h1*2*1.5", "3*blockers-lower-bound"),
            ("2*(h1+blockers)", "2*(blockers-lower-bound + blockers)"),
            ("h1 + 2*blockers - landmarks - 1", "blockers-lower-bound + 2*blockers - landmarks - 1"),
            ("h1-2", "blockers-lower-bound - 2"),
            ("h1 - (zero + 1)", "blockers-lower-bound - 1*(zero + 1)"),
            ("-2*h1 + 0.5", "-2*blockers-lower-bound + 0.5"),
            ("min(((blockers)), .5)", "min(blockers, 0.5)"),
            ("7", "7"),
            ("1 + (h1 + (zero - 2)) + 3", "1 + blockers-lower-bound + zero - 2 + 3"),
            ("if(g>=10, 2*h1, h1)", "if(10 <= g, 2*blockers-lower-bound, blockers-lower-bound)"),
            ("1 + if(h1 <= 2, 0, if(g <= 3, 1, 2))", "1 + if(blockers-lower-bound <= 2, 0, if(g <= 3, 1, 2))"),
        ] {
            assert_eq!(canonical(text), expected);
            assert_eq!(canonical(expected), expected);
        }
    }

    #[test]
    fn errors_name_the_fault_and_its_place() {
        assert_eq!(
            error("3 * blokcers"),
            "unknown heuristic 'blokcers'; did you mean 'blockers'?\n  3 * blokcers\n      ^"
        );
        assert!(error("quux").contains("expected one of zero, none, blockers, "), "{}", error("quux"));
        assert_eq!(error("max(h1, zero"), "expected ')'\n  max(h1, zero\n              ^");
        assert_eq!(error("h1 h1"), "unexpected 'h'; expected an operator or the end\n  h1 h1\n     ^");
        assert_eq!(error("h1 * zero"), "a heuristic can only be multiplied by a number\n  h1 * zero\n       ^");
        assert_eq!(error(""), "expected a heuristic or a number\n  \n  ^");
        assert_eq!(error("max()"), "expected a heuristic or a number, found ')'\n  max()\n      ^");
        assert_eq!(error("1.2.3"), "invalid number '1.2.3'\n  1.2.3\n  ^");
        assert!(error("h1 +").contains("expected a heuristic"));
        assert_eq!(error("if(h1 < 2, 1, 2)"), "expected '<=' or '>='\n  if(h1 < 2, 1, 2)\n          ^");
        assert_eq!(error("if(h1 <= 2, 1)"), "expected ','\n  if(h1 <= 2, 1)\n               ^");
        assert!(error("max").contains("expected '('"));
        assert!(error(&format!("{}*{}*h1", "9".repeat(300), "9".repeat(300))).contains("too large"));
    }

    #[test]
    fn long_and_deep_texts_are_rejected() {
        assert!(error(&"(".repeat(4000)).contains("nested more than 64 levels deep"));
        assert!(error(&"-".repeat(4000)).contains("nested more than 64 levels deep"));
        assert!(error(&"max(".repeat(1000)).contains("nested more than 64 levels deep"));
        assert!(error(&"h1+".repeat(100_000)).contains("longer than 4096 characters"));
        assert!(error(&"x".repeat(4000)).len() < 1000);
    }
}
