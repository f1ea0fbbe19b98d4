//! Parses expressions over heuristics.

use super::{ALL, Conditional, Expression, HeuristicInfo};
use clearway_util::syntax::{Cursor, SyntaxError, nearest, truncated};

/// Maximum nesting depth of parentheses, calls and signs.
const MAX_DEPTH: usize = 64;
/// Maximum length of an expression, in characters.
const MAX_LENGTH: usize = 4096;

/// Parses an expression. Names are case-insensitive.
///
/// ```text
/// sum     = product { ("+" | "-") product }
/// product = factor { "*" factor }            at most one factor is not a number
/// factor  = "-" factor | number | name | call | if | "(" sum ")"
/// call    = ( "max" | "min" ) "(" sum { "," sum } ")"
/// if      = "if" "(" sum ( "<=" | ">=" ) sum "," sum "," sum ")"
/// ```
pub(super) fn parse(text: &str) -> Result<Expression, SyntaxError> {
    if let Some((end, _)) = text.char_indices().nth(MAX_LENGTH) {
        return Err(SyntaxError::new(end..end, format!("expression longer than {MAX_LENGTH} characters")));
    }
    let mut parser = Parser { cursor: Cursor::new(text), depth: 0 };
    let expression = parser.sum()?;
    match parser.peek() {
        None => Ok(expression),
        Some(c) => {
            let message = format!("unexpected '{}'; expected an operator or the end", c.escape_debug());
            Err(parser.cursor.error(message))
        }
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    depth: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expression, SyntaxError> {
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

    fn product(&mut self) -> Result<Expression, SyntaxError> {
        let mut product = self.factor()?;
        while self.eat('*') {
            self.cursor.skip_blanks();
            let at = self.cursor.position();
            product = match (product, self.factor()?) {
                (Expression::Number(number), other) | (other, Expression::Number(number)) => scaled(number, other),
                _ => return Err(SyntaxError::new(at..at, "a heuristic can only be multiplied by a number")),
            };
        }
        if let Expression::Number(number) | Expression::Scaled(number, _) = product
            && !number.is_finite()
        {
            return Err(self.cursor.error("the number is too large"));
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Expression, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.cursor.error(format!("the expression is nested more than {MAX_DEPTH} levels deep")));
        }
        let factor = match self.peek() {
            Some('-') => {
                self.eat('-');
                scaled(-1.0, self.factor()?)
            }
            Some('(') => {
                self.eat('(');
                let inner = self.sum()?;
                self.expect(')')?;
                inner
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number()?,
            Some(c) if c.is_ascii_alphabetic() => self.name()?,
            Some(c) => {
                let message = format!("expected a heuristic or a number, found '{}'", c.escape_debug());
                return Err(self.cursor.error(message));
            }
            None => return Err(self.cursor.error("expected a heuristic or a number")),
        };
        self.depth -= 1;
        Ok(factor)
    }

    fn number(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.cursor.position();
        let word = self.cursor.take_while(|c| c.is_ascii_digit() || c == '.');
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Expression::Number(number)),
            _ => Err(SyntaxError::new(start..start, format!("invalid number '{}'", truncated(word)))),
        }
    }

    fn name(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.cursor.position();
        let word = self.cursor.name().to_ascii_lowercase();
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
            None => Err(unknown_heuristic(&word, start)),
        }
    }

    /// Parses `(left <= right, then, otherwise)` after `if`.
    fn conditional(&mut self) -> Result<Expression, SyntaxError> {
        self.expect('(')?;
        let mut left = self.sum()?;
        let swapped = self.eat('>');
        if !swapped && !self.eat('<') || !self.eat('=') {
            return Err(self.cursor.error("expected '<=' or '>='"));
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

    /// The next character after blanks.
    fn peek(&mut self) -> Option<char> {
        self.cursor.skip_blanks();
        self.cursor.peek()
    }

    /// Consumes a character, and blanks before it, if it is next.
    fn eat(&mut self, wanted: char) -> bool {
        self.cursor.skip_blanks();
        self.cursor.eat(wanted.encode_utf8(&mut [0; 4]))
    }

    fn expect(&mut self, wanted: char) -> Result<(), SyntaxError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.cursor.error(format!("expected '{wanted}'"))) }
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

/// The error for an unknown heuristic, with the most similar name or, if none is similar, all names.
fn unknown_heuristic(word: &str, at: usize) -> SyntaxError {
    let names = || ALL.iter().flat_map(|info| std::iter::once(&info.name).chain(info.aliases)).copied();
    let help = match nearest(word, names()) {
        Some(name) => format!("did you mean '{name}'?"),
        None => format!(
            "expected one of {}, max(...), min(...), if(... <= ..., ..., ...)",
            names().collect::<Vec<_>>().join(", ")
        ),
    };
    SyntaxError::new(at..at, format!("unknown heuristic '{}'", truncated(word))).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        text.parse::<Expression>().unwrap_or_else(|e| panic!("{e}")).to_string()
    }

    fn error(text: &str) -> String {
        text.parse::<Expression>().unwrap_err().to_string()
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
