//! Reads expressions over heuristics.

use super::{ALL, Expression, HeuristicInfo, Rule};
use strsim::osa_distance;

/// How deep parentheses and calls may be nested.
const DEEPEST: usize = 64;
/// How long the text of an expression may be.
const LONGEST: usize = 4096;

/// What is wrong with the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}\n  {text}\n  {}^", " ".repeat(*at))]
pub struct ExpressionError {
    /// What is wrong.
    pub message: String,
    /// The text, or the part of it around the error if it is long.
    pub text: String,
    /// Where, in characters of `text`.
    pub at: usize,
    /// Where, in characters of the whole expression.
    pub place: usize,
}

/// Reads an expression.
///
/// ```text
/// sum     = product { ("+" | "-") product }
/// product = factor { "*" factor }            all factors but one are numbers
/// factor  = [ "-" ] ( number | name | ( "max" | "min" ) "(" sum { "," sum } ")" | "(" sum ")" )
/// ```
pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    let chars: Vec<char> = text.chars().take(LONGEST + 1).collect();
    let mut parser = Parser { chars, at: 0, depth: 0 };
    if parser.chars.len() > LONGEST {
        return Err(parser.error(LONGEST, format!("an expression has at most {LONGEST} characters")));
    }
    let expression = parser.sum()?;
    match parser.peek() {
        None => Ok(expression),
        Some(c) => Err(parser.error(parser.at, format!("'{}' is not expected here", c.escape_debug()))),
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
            // A sum within a sum is printed without its parentheses, so it is read as if it had none.
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
            self.skip_blanks();
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
        if self.depth > DEEPEST {
            return Err(self.error(self.at, format!("the expression is nested more than {DEEPEST} deep")));
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
                let message = format!("a heuristic or a number is expected, not '{}'", c.escape_debug());
                return Err(self.error(self.at, message));
            }
            None => return Err(self.error(self.at, "a heuristic or a number is expected".to_string())),
        };
        self.depth -= 1;
        Ok(factor)
    }

    fn number(&mut self) -> Result<Expression, ExpressionError> {
        let start = self.at;
        let word = self.word(|c| c.is_ascii_digit() || c == '.');
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Expression::Number(number)),
            _ => Err(self.error(start, format!("'{}' is not a number", shortened(&word)))),
        }
    }

    fn name(&mut self) -> Result<Expression, ExpressionError> {
        let start = self.at;
        // A hyphen belongs to a name where a letter follows it: `two-level`, but `h1-2` is a difference.
        let mut word = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
        while self.chars.get(self.at) == Some(&'-')
            && self.chars.get(self.at + 1).is_some_and(char::is_ascii_alphabetic)
        {
            self.at += 1;
            word.push('-');
            word += &self.word(|c| c.is_ascii_alphanumeric() || c == '_');
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
            return self.rule();
        }
        match HeuristicInfo::find(&word) {
            Some(info) => Ok(Expression::Named(info)),
            None => Err(self.error(start, unknown(&word))),
        }
    }

    /// The rest of `if(left <= right, then, otherwise)`.
    fn rule(&mut self) -> Result<Expression, ExpressionError> {
        self.expect('(')?;
        let mut left = self.sum()?;
        let swapped = self.eat('>');
        if !swapped && !self.eat('<') || !self.eat('=') {
            return Err(self.error(self.at, "'<=' or '>=' is expected here".to_string()));
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
        Ok(Expression::If(Box::new(Rule { left, right, then, otherwise })))
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let word: String = self.chars[self.at..].iter().take_while(|&&c| belongs(c)).collect();
        self.at += word.chars().count();
        word
    }

    fn skip_blanks(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.chars.get(self.at).copied()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), ExpressionError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.error(self.at, format!("'{wanted}' is expected here"))) }
    }

    /// An error at a character, with up to 30 characters of the text on both sides of it.
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

/// A multiple in its simplest form.
fn scaled(number: f64, of: Expression) -> Expression {
    match of {
        Expression::Number(other) => Expression::Number(number * other),
        Expression::Scaled(other, of) => Expression::Scaled(number * other, of),
        of => Expression::Scaled(number, Box::new(of)),
    }
}

fn shortened(word: &str) -> String {
    if word.chars().count() <= 40 { word.to_string() } else { word.chars().take(40).chain("...".chars()).collect() }
}

/// The message for a name that is none, with the nearest that is one, or all of them.
fn unknown(word: &str) -> String {
    let names = || ALL.iter().flat_map(|info| std::iter::once(&info.name).chain(info.aliases)).copied();
    let word = shortened(word);
    let nearest = names().map(|name| (osa_distance(&word, name), name)).min();
    let hint = match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 4 => format!("did you mean '{name}'?"),
        _ => format!(
            "there are {}, and max(...), min(...) and if(... <= ..., ..., ...)",
            names().collect::<Vec<_>>().join(", ")
        ),
    };
    format!("there is no heuristic '{word}'; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        parse(text).unwrap_or_else(|e| panic!("{e}")).to_string()
    }

    fn complaint(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn expressions_print_in_one_form_and_parse_back() {
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
    fn an_error_says_what_and_where() {
        assert_eq!(
            complaint("3 * blokcers"),
            "there is no heuristic 'blokcers'; did you mean 'blockers'?\n  3 * blokcers\n      ^"
        );
        assert!(complaint("quux").contains("there are zero, none, blockers, "), "{}", complaint("quux"));
        assert_eq!(complaint("max(h1, zero"), "')' is expected here\n  max(h1, zero\n              ^");
        assert_eq!(complaint("h1 h1"), "'h' is not expected here\n  h1 h1\n     ^");
        assert_eq!(complaint("h1 * zero"), "a heuristic can only be multiplied by a number\n  h1 * zero\n       ^");
        assert_eq!(complaint(""), "a heuristic or a number is expected\n  \n  ^");
        assert_eq!(complaint("max()"), "a heuristic or a number is expected, not ')'\n  max()\n      ^");
        assert_eq!(complaint("1.2.3"), "'1.2.3' is not a number\n  1.2.3\n  ^");
        assert!(complaint("h1 +").contains("is expected"));
        assert_eq!(complaint("if(h1 < 2, 1, 2)"), "'<=' or '>=' is expected here\n  if(h1 < 2, 1, 2)\n          ^");
        assert_eq!(complaint("if(h1 <= 2, 1)"), "',' is expected here\n  if(h1 <= 2, 1)\n               ^");
        assert!(complaint("max").contains("'(' is expected"));
        assert!(complaint(&format!("{}*{}*h1", "9".repeat(300), "9".repeat(300))).contains("too large"));
    }

    #[test]
    fn endless_texts_are_refused_quickly() {
        assert!(complaint(&"(".repeat(4000)).contains("nested more than 64 deep"));
        assert!(complaint(&"-".repeat(4000)).contains("nested more than 64 deep"));
        assert!(complaint(&"max(".repeat(1000)).contains("nested more than 64 deep"));
        assert!(complaint(&"h1+".repeat(100_000)).contains("at most 4096 characters"));
        assert!(complaint(&"x".repeat(4000)).len() < 1000);
    }
}
