//! Escaping for generated files and terminals, and numbers for human readers.

/// Escapes a text for XML and HTML, in content and in double-quoted attributes. Tabs and carriage returns become spaces; characters
/// that XML forbids are dropped.
///
/// ```
/// use clearway_util::text::escape_xml;
/// assert_eq!(escape_xml("a < \"b\" & c"), "a &lt; &quot;b&quot; &amp; c");
/// assert_eq!(escape_xml("one\ttwo"), "one two");
/// ```
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            '\n' => escaped.push('\n'),
            '\t' | '\r' => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Formats a field of a CSV row, in quotes where it needs them. Line breaks become spaces, so that a row stays one line.
///
/// ```
/// use clearway_util::text::csv_field;
/// assert_eq!(csv_field("plain"), "plain");
/// assert_eq!(csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
/// ```
pub fn csv_field(field: &str) -> String {
    let field = field.replace(['\n', '\r'], " ");
    if field.contains([',', '"']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// Replaces control characters, which could control the terminal. Byte offsets do not change.
///
/// ```
/// use clearway_util::text::printable;
/// assert_eq!(printable("a\u{1b}[31m\u{9b}é\n"), "a?[31m¿é\n");
/// ```
pub fn printable(text: &str) -> String {
    let replace = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() => {
            if c.len_utf8() == 1 {
                '?'
            } else {
                '¿'
            }
        }
        c => c,
    };
    text.chars().map(replace).collect()
}

/// Formats a count with commas between thousands.
///
/// ```
/// assert_eq!(clearway_util::text::thousands(1_234_567u64), "1,234,567");
/// ```
pub fn thousands(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
