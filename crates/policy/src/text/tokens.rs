//! The tokens of a policy's rules.

use super::{MAX_NUMBER, TextError};
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

/// Truncates a word of the input for an error message.
pub(super) fn truncated(word: &str) -> String {
    if word.chars().count() <= 40 { word.to_owned() } else { word.chars().take(40).chain("...".chars()).collect() }
}

/// Splits the text from byte `from` on into tokens. The last token is always `End`.
pub(super) fn tokenise(text: &str, from: usize) -> Result<Vec<Token>, TextError> {
    let (mut found, mut at) = (Vec::new(), from);
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() {
            at += next.len_utf8();
        } else if next == '#' {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else {
            let token = token(text, at, next)?;
            at = token.span.end;
            found.push(token);
        }
    }
    found.push(Token { kind: TokenKind::End, span: at..at });
    Ok(found)
}

fn token(text: &str, at: usize, next: char) -> Result<Token, TextError> {
    let rest = &text[at..];
    let sign = |length: usize, kind| Ok(Token { kind, span: at..at + length });
    match next {
        '(' => sign(1, TokenKind::Open),
        ')' => sign(1, TokenKind::Close),
        '+' => sign(1, TokenKind::Plus),
        '-' => sign(1, TokenKind::Minus),
        '*' => sign(1, TokenKind::Times),
        '×' | '−' | '≤' | '≥' => sign(
            next.len_utf8(),
            match next {
                '×' => TokenKind::Times,
                '−' => TokenKind::Minus,
                '≤' => TokenKind::AtMost,
                _ => TokenKind::AtLeast,
            },
        ),
        '<' if rest.starts_with("<=") => sign(2, TokenKind::AtMost),
        '>' if rest.starts_with(">=") => sign(2, TokenKind::AtLeast),
        '<' | '>' | '=' | '!' => {
            Err(TextError::new(at..at + 1, format!("unknown operator '{next}'")).with_help("use '<=' or '>='"))
        }
        '/' => Err(TextError::new(at..at + 1, "division is not supported").with_help("multiply instead: 0.5*h1")),
        c if c.is_ascii_digit() || c == '.' => number(rest, at),
        c if c.is_ascii_alphabetic() => Ok(word(rest, at)),
        c => Err(TextError::new(at..at + c.len_utf8(), format!("unexpected character '{}'", c.escape_debug()))),
    }
}

fn number(rest: &str, at: usize) -> Result<Token, TextError> {
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
    let (digits, span) = (&rest[..length], at..at + length);
    match digits.parse::<f64>() {
        Ok(number) if number <= MAX_NUMBER => Ok(Token { kind: TokenKind::Number(number), span }),
        Ok(_) => Err(TextError::new(span, format!("number too large; the maximum is {MAX_NUMBER}"))),
        Err(_) => Err(TextError::new(span, format!("invalid number '{}'", truncated(digits)))),
    }
}

fn word(rest: &str, at: usize) -> Token {
    let belongs = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut length = 0;
    // A hyphen belongs to a name where a letter follows it: `two-level`, but `h1-2` is a difference.
    loop {
        length += rest[length..].find(|c| !belongs(c)).unwrap_or(rest.len() - length);
        let mut next = rest[length..].chars();
        if next.next() != Some('-') || !next.next().is_some_and(|c| c.is_ascii_alphabetic()) {
            break;
        }
        length += 1;
    }
    let word = rest[..length].to_ascii_lowercase();
    let kind = match word.as_str() {
        "if" => TokenKind::If,
        "then" => TokenKind::Then,
        "default" => TokenKind::Default,
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        _ => TokenKind::Name(word),
    };
    Token { kind, span: at..at + length }
}
