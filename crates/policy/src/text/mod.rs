//! The text format of policies.
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
//! Keywords and names are case-insensitive, a rule may span several lines, and `#` starts a comment. A difference
//! `a - 0.3*b` is short for `a + (-0.3)*b`.

mod parser;
mod printer;
mod tokens;

pub(crate) use printer::{ValueText, number_text};

use crate::policy::Policy;
use clearway_util::syntax::ParseError;
use std::str::FromStr;

/// Maximum length of the text of a policy, in bytes.
pub const MAX_TEXT_LENGTH: usize = 256 << 10;
/// Largest number allowed in a policy.
pub const MAX_NUMBER: f64 = 1e9;

impl Policy {
    /// Parses the text of a policy. Errors refer to the text by `source_name`. Control characters count as spaces.
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
    /// assert_eq!(error.to_string(), "unknown heuristic 'blokcers' (line 1, column 11)");
    /// assert_eq!(error.help.as_deref(), Some("did you mean 'blockers'?"));
    /// # Ok::<(), clearway_util::syntax::ParseError>(())
    /// ```
    pub fn parse(text: &str, source_name: &str) -> Result<Policy, ParseError> {
        let sanitised: String;
        let text = if text.contains(|c: char| c.is_control() && c != '\n' && c != '\t') {
            sanitised = text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
            &sanitised
        } else {
            text
        };
        parser::parse(text).map_err(|error| ParseError::new(text, error, source_name))
    }
}

impl FromStr for Policy {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Policy, ParseError> {
        Policy::parse(text, "policy")
    }
}
