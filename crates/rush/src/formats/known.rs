//! Known lengths and names as text, shared by the formats that store them.

use super::KnownLength;
use std::fmt;

impl KnownLength {
    /// Parses `25` (the optimum) or `<=25` (the best known length).
    pub fn parse(text: &str) -> Option<KnownLength> {
        let (digits, known): (_, fn(u32) -> KnownLength) = match text.strip_prefix("<=") {
            Some(digits) => (digits, KnownLength::AtMost),
            None => (text, KnownLength::Exactly),
        };
        let digits = Some(digits).filter(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))?;
        digits.parse().ok().map(known)
    }

    /// The length, whether or not it is proven to be optimal.
    pub fn value(self) -> u32 {
        match self {
            KnownLength::Exactly(n) | KnownLength::AtMost(n) => n,
        }
    }
}

impl fmt::Display for KnownLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KnownLength::Exactly(n) => write!(f, "{n}"),
            KnownLength::AtMost(n) => write!(f, "<={n}"),
        }
    }
}

/// Whether a word has the form of a length, `25` or `<=25`, of any size.
pub(super) fn is_length(word: &str) -> bool {
    let digits = word.strip_prefix("<=").unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Writes a name for the line, grid and TSV formats: plain, or as a JSON string if it would be read as something else (a number,
/// a comment) or does not fit on a line.
pub(super) fn write_name(name: &str) -> String {
    let number = name.split_whitespace().next().is_none_or(|word| word.bytes().all(|b| b.is_ascii_digit()));
    let plain = !number && !name.starts_with('"') && !name.contains(['#', '\u{feff}']) && name.trim() == name;
    if plain && !name.chars().any(char::is_control) {
        name.to_string()
    } else {
        serde_json::Value::from(name).to_string()
    }
}

/// Reads a name written by [`write_name`]. A `#` at the start of a word starts a comment.
pub(super) fn read_name(text: &str) -> Option<String> {
    let text = text.trim();
    if text.starts_with('"') {
        let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
        if let Some(Ok(name)) = strings.next() {
            let rest = text[strings.byte_offset()..].trim_start();
            if rest.is_empty() || rest.starts_with('#') {
                return Some(name).filter(|name| !name.is_empty());
            }
        }
    }
    let mut before = ' ';
    let comment = text.char_indices().find(|&(_, c)| {
        let starts = c == '#' && before.is_whitespace();
        before = c;
        starts
    });
    let name = text[..comment.map_or(text.len(), |(at, _)| at)].trim();
    Some(name.to_string()).filter(|name| !name.is_empty())
}
