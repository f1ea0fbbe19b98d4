//! The words, numbers and signs of a policy's rules.

use super::{Fault, MOST_NUMBER};
use std::fmt;
use std::ops::Range;

/// A word, a number or a sign, and the bytes of the text that it takes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    If,
    Then,
    Default,
    And,
    Or,
    /// A name, in small letters.
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

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::If => "IF",
            Kind::Then => "THEN",
            Kind::Default => "DEFAULT",
            Kind::And => "AND",
            Kind::Or => "OR",
            Kind::Name(name) => return write!(f, "'{}'", shortened(name)),
            Kind::Number(number) => return write!(f, "{number}"),
            Kind::AtMost => "'<='",
            Kind::AtLeast => "'>='",
            Kind::Plus => "'+'",
            Kind::Minus => "'-'",
            Kind::Times => "'*'",
            Kind::Open => "'('",
            Kind::Close => "')'",
            Kind::End => "the end",
        })
    }
}

/// A word of the input as far as a message shows it.
pub(super) fn shortened(word: &str) -> String {
    if word.chars().count() <= 40 { word.to_owned() } else { word.chars().take(40).chain("...".chars()).collect() }
}

/// All tokens from a byte of the text on; the last is the end.
pub(super) fn tokens(text: &str, from: usize) -> Result<Vec<Token>, Fault> {
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
    found.push(Token { kind: Kind::End, span: at..at });
    Ok(found)
}

fn token(text: &str, at: usize, next: char) -> Result<Token, Fault> {
    let rest = &text[at..];
    let sign = |length: usize, kind| Ok(Token { kind, span: at..at + length });
    match next {
        '(' => sign(1, Kind::Open),
        ')' => sign(1, Kind::Close),
        '+' => sign(1, Kind::Plus),
        '-' => sign(1, Kind::Minus),
        '*' => sign(1, Kind::Times),
        '×' | '−' | '≤' | '≥' => sign(
            next.len_utf8(),
            match next {
                '×' => Kind::Times,
                '−' => Kind::Minus,
                '≤' => Kind::AtMost,
                _ => Kind::AtLeast,
            },
        ),
        '<' if rest.starts_with("<=") => sign(2, Kind::AtMost),
        '>' if rest.starts_with(">=") => sign(2, Kind::AtLeast),
        '<' | '>' | '=' | '!' => {
            Err(Fault::new(at..at + 1, format!("'{next}' compares nothing")).help("there are '<=' and '>='"))
        }
        '/' => Err(Fault::new(at..at + 1, "a policy does not divide").help("multiply instead: 0.5*h1")),
        c if c.is_ascii_digit() || c == '.' => number(rest, at),
        c if c.is_ascii_alphabetic() => Ok(word(rest, at)),
        c => Err(Fault::new(at..at + c.len_utf8(), format!("'{}' has no meaning in a policy", c.escape_debug()))),
    }
}

fn number(rest: &str, at: usize) -> Result<Token, Fault> {
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
    let (digits, span) = (&rest[..length], at..at + length);
    match digits.parse::<f64>() {
        Ok(number) if number <= MOST_NUMBER => Ok(Token { kind: Kind::Number(number), span }),
        Ok(_) => Err(Fault::new(span, format!("the number is too large: {MOST_NUMBER} is the most"))),
        Err(_) => Err(Fault::new(span, format!("'{}' is not a number", shortened(digits)))),
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
        "if" => Kind::If,
        "then" => Kind::Then,
        "default" => Kind::Default,
        "and" => Kind::And,
        "or" => Kind::Or,
        _ => Kind::Name(word),
    };
    Token { kind, span: at..at + length }
}
