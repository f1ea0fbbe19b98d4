//! Policies as text that a person reads and writes.
//!
//! ```text
//! policy    = { "about:" line | "search:" line } { "IF" condition "THEN" value } "DEFAULT" value
//! condition = both { "OR" both }
//! both      = check { "AND" check }
//! check     = "(" condition ")" | flag | share ( "<=" | ">=" ) share
//! share     = [ "-" ] number | heuristic
//! value     = product { ( "+" | "-" ) product }
//! product   = factor { ( "*" | "×" ) factor }
//! factor    = "-" factor | "(" value ")" | number | heuristic
//! ```
//!
//! Words may be written in capitals or not, a rule may go on over several lines, and what follows `#` is a comment. A
//! difference `a - 0.3*b` is short for `a + (-0.3)*b`.

mod parser;
mod printer;
mod tokens;

pub(crate) use printer::{ValueText, number_text};

use crate::policy::Policy;
use clearway_rush::formats::ParseError;
use std::str::FromStr;

/// What is wrong with the text of a policy, and where.
pub type PolicyError = ParseError;

/// More than any policy that a person or a program wrote has, in bytes.
pub const LONGEST_TEXT: usize = 256 << 10;
/// The largest number that a policy may hold.
pub const MOST_NUMBER: f64 = 1e9;

impl Policy {
    /// Reads the text of a policy. The name of its source is for errors.
    ///
    /// ```
    /// use clearway_policy::Policy;
    /// let policy = Policy::parse("if g >= 0.5 and h2 <= 0.1 then 2*h1\ndefault h1", "my.policy")?;
    /// assert_eq!(policy.rules.len(), 1);
    /// assert_eq!(
    ///     policy.to_string(),
    ///     "IF g >= 0.5 AND goal-distance <= 0.1 THEN 2*blockers-lower-bound\nDEFAULT blockers-lower-bound\n"
    /// );
    /// let error = Policy::parse("DEFAULT 3*blokcers", "my.policy").unwrap_err();
    /// assert_eq!(error.to_string(), "there is no heuristic 'blokcers' (line 1, column 11)");
    /// assert_eq!(error.help.as_deref(), Some("did you mean 'blockers'?"));
    /// # Ok::<(), clearway_policy::PolicyError>(())
    /// ```
    pub fn parse(text: &str, source_name: &str) -> Result<Policy, PolicyError> {
        let harmless: String;
        let text = if text.contains(|c: char| c.is_control() && c != '\n' && c != '\t') {
            harmless = text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
            &harmless
        } else {
            text
        };
        parser::parse(text)
            .map_err(|fault| ParseError::in_text(text, fault.span, fault.message, fault.help, source_name))
    }
}

impl FromStr for Policy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Policy, PolicyError> {
        Policy::parse(text, "policy")
    }
}

/// What is wrong, at some bytes of the text.
#[derive(Debug)]
struct Fault {
    span: std::ops::Range<usize>,
    message: String,
    help: Option<String>,
}

impl Fault {
    fn new(span: std::ops::Range<usize>, message: impl Into<String>) -> Fault {
        Fault { span, message: message.into(), help: None }
    }

    fn help(self, help: impl Into<String>) -> Fault {
        Fault { help: Some(help.into()), ..self }
    }
}
