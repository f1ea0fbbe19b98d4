//! Policies by name: the shipped ones, and files.

use crate::policy::Policy;
use crate::text::MAX_TEXT_LENGTH;
use clearway_util::embedded_text;
use clearway_util::library::{self, Shipped};
use clearway_util::syntax::ParseError;
use std::io;
use std::sync::Arc;

/// A policy of the folder `policies`.
macro_rules! shipped {
    ($name:literal) => {
        Shipped { name: $name, text: || embedded_text!(concat!("../policies/", $name, ".policy")) }
    };
}

/// The policies that are compiled into the program.
///
/// `hand` is written by hand, `paper-order` is the best of several initial populations, and the others are evolved: `paper` uses
/// only the terminals of GP-Rush, `paper-order` and `paper-prune` also its own search, `prune` guides IDA*, `memo` guides IDA*
/// that keeps its transposition table, `best-first` guides weighted A*, and `any-size` guides weighted A* with deferred evaluation,
/// for boards that are too large for the others.
pub static SHIPPED: &[Shipped] = &[
    shipped!("hand"),
    shipped!("paper-6x6"),
    shipped!("paper-8x8"),
    shipped!("paper-order-6x6"),
    shipped!("paper-prune-6x6"),
    shipped!("prune-6x6"),
    shipped!("prune-8x8"),
    shipped!("memo-6x6"),
    shipped!("memo-8x8"),
    shipped!("best-first-6x6"),
    shipped!("best-first-8x8"),
    shipped!("any-size"),
];

/// A policy with its name: that of a shipped policy, or the path of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPolicy {
    /// Name of the shipped policy, or path of the file.
    pub name: String,
    /// Rules of the policy, shared by the searches that it guides.
    pub policy: Arc<Policy>,
}

/// Error on opening a policy by name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenPolicyError {
    /// The name is not a shipped policy, and there is no readable file of this path.
    #[error("cannot read {name}: {error}{}", Shipped::hint(SHIPPED, "policies", name))]
    File {
        /// Name or path that was given.
        name: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The file does not contain a valid policy.
    #[error("{name}: {error}")]
    Malformed {
        /// Path of the file.
        name: String,
        /// The syntax error, with its position.
        #[source]
        error: Box<ParseError>,
    },
}

impl NamedPolicy {
    /// Opens the shipped policy of this name, or else the file of this path.
    ///
    /// ```
    /// use clearway_policy::NamedPolicy;
    /// assert_eq!(NamedPolicy::open("hand")?.policy.rules.len(), 2);
    /// assert!(NamedPolicy::open("no/such.policy").is_err());
    /// # Ok::<(), clearway_policy::OpenPolicyError>(())
    /// ```
    pub fn open(name: &str) -> Result<NamedPolicy, OpenPolicyError> {
        if let Some(shipped) = NamedPolicy::shipped(name) {
            return Ok(shipped);
        }
        let text = library::read(name, MAX_TEXT_LENGTH)
            .map_err(|error| OpenPolicyError::File { name: name.to_owned(), error })?;
        NamedPolicy::parse(name, &text)
            .map_err(|error| OpenPolicyError::Malformed { name: name.to_owned(), error: Box::new(error) })
    }

    /// Returns the shipped policy of this name, without access to files.
    ///
    /// ```
    /// use clearway_policy::NamedPolicy;
    /// assert!(NamedPolicy::shipped("hand").is_some());
    /// assert!(NamedPolicy::shipped("policies/hand.policy").is_none());
    /// ```
    ///
    /// # Panics
    /// Never: a test parses every shipped policy.
    pub fn shipped(name: &str) -> Option<NamedPolicy> {
        let shipped = Shipped::find(SHIPPED, name)?;
        Some(NamedPolicy::parse(name, (shipped.text)()).expect("shipped policies are well formed"))
    }

    /// Parses a policy and gives it a name, which errors refer to as the source.
    pub fn parse(name: &str, text: &str) -> Result<NamedPolicy, ParseError> {
        Ok(NamedPolicy { name: name.to_owned(), policy: Arc::new(Policy::parse(text, name)?) })
    }
}
