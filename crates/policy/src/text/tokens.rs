//! The tokens of a policy's rules.

use super::MAX_NUMBER;
use clearway_util::syntax::{Cursor, SyntaxError, truncated};
use std::fmt;
use std::ops::Range;

/// A token and its range of bytes in the text.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    If,
    Then,
    Default,
    And,
    Or,
    /// A name, in lower case.
    Name(String),
    Number(f64),
    AtMost,
    AtLeast,
    Plus,
    Minus,
    Times,
    Open,
    Close,
    End,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TokenKind::If => "IF",
            TokenKind::Then => "THEN",
            TokenKind::Default => "DEFAULT",
            TokenKind::And => "AND",
            TokenKind::Or => "OR",
            TokenKind::Name(name) => return write!(f, "'{}'", truncated(name)),
            TokenKind::Number(number) => return write!(f, "{number}"),
            TokenKind::AtMost => "'<='",
            TokenKind::AtLeast => "'>='",
            TokenKind::Plus => "'+'",
            TokenKind::Minus => "'-'",
            TokenKind::Times => "'*'",
            TokenKind::Open => "'('",
            TokenKind::Close => "')'",
            TokenKind::End => "the end",
        })
    }
}

/// Splits the text from byte `from` on into tokens. The last token is always `End`.
pub(super) fn tokenise(text: &str, from: usize) -> Result<Vec<Token>, SyntaxError> {
    let mut cursor = Cursor::over(text, from..text.len());
    let mut tokens = Vec::new();
    loop {
        cursor.skip_blanks_and_comments();
        let start = cursor.position();
        let kind = token(&mut cursor)?;
        let is_end = kind == TokenKind::End;
        tokens.push(Token { kind, span: start..cursor.position() });
        if is_end {
            return Ok(tokens);
        }
    }
}

const SYMBOLS: [(&str, TokenKind); 11] = [
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("−", TokenKind::Minus),
    ("*", TokenKind::Times),
    ("×", TokenKind::Times),
    ("<=", TokenKind::AtMost),
    ("≤", TokenKind::AtMost),
    (">=", TokenKind::AtLeast),
    ("≥", TokenKind::AtLeast),
];

fn token(cursor: &mut Cursor) -> Result<TokenKind, SyntaxError> {
    if let Some((_, kind)) = SYMBOLS.into_iter().find(|(symbol, _)| cursor.eat(symbol)) {
        return Ok(kind);
    }
    let Some(next) = cursor.peek() else { return Ok(TokenKind::End) };
    let here = cursor.position()..cursor.position() + next.len_utf8();
    match next {
        '<' | '>' | '=' | '!' => {
            Err(SyntaxError::new(here, format!("unknown operator '{next}'")).with_help("use '<=' or '>='"))
        }
        '/' => Err(SyntaxError::new(here, "division is not supported").with_help("multiply instead: 0.5*h1")),
        c if c.is_ascii_digit() || c == '.' => number(cursor),
        c if c.is_ascii_alphabetic() => Ok(word(cursor.name())),
        c => Err(SyntaxError::new(here, format!("unexpected character '{}'", c.escape_debug()))),
    }
}

fn number(cursor: &mut Cursor) -> Result<TokenKind, SyntaxError> {
    let start = cursor.position();
    let digits = cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
    let span = start..cursor.position();
    match digits.parse::<f64>() {
        Ok(number) if number <= MAX_NUMBER => Ok(TokenKind::Number(number)),
        Ok(_) => Err(SyntaxError::new(span, format!("number too large; the maximum is {MAX_NUMBER}"))),
        Err(_) => Err(SyntaxError::new(span, format!("invalid number '{}'", truncated(digits)))),
    }
}

fn word(word: &str) -> TokenKind {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "if" => TokenKind::If,
        "then" => TokenKind::Then,
        "default" => TokenKind::Default,
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        _ => TokenKind::Name(word),
    }
}
