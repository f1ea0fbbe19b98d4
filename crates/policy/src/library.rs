//! Policies by name: those that come with the program, and files.

use crate::policy::Policy;
use crate::text::{LONGEST_TEXT, PolicyError};
use clearway_gp::library::{self, Shipped};
use std::io;
use std::sync::Arc;

/// The policies that come with the program.
///
/// `hand` was written by hand, the others were bred: `paper` has the terminals of GP-Rush alone, `prune` guides IDA*,
/// `memo` IDA* that keeps its table, and `best-first` weighted A*.
pub static SHIPPED: &[Shipped] = &[
    Shipped { name: "hand", text: include_str!("../../../policies/hand.policy") },
    Shipped { name: "paper-6x6", text: include_str!("../../../policies/paper-6x6.policy") },
    Shipped { name: "paper-8x8", text: include_str!("../../../policies/paper-8x8.policy") },
    Shipped { name: "prune-6x6", text: include_str!("../../../policies/prune-6x6.policy") },
    Shipped { name: "prune-8x8", text: include_str!("../../../policies/prune-8x8.policy") },
    Shipped { name: "memo-6x6", text: include_str!("../../../policies/memo-6x6.policy") },
    Shipped { name: "memo-8x8", text: include_str!("../../../policies/memo-8x8.policy") },
    Shipped { name: "best-first-6x6", text: include_str!("../../../policies/best-first-6x6.policy") },
    Shipped { name: "best-first-8x8", text: include_str!("../../../policies/best-first-8x8.policy") },
];

/// A policy and what it is called: the name of a shipped policy, or a file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPolicy {
    /// The name or the path.
    pub name: String,
    /// The policy.
    pub policy: Arc<Policy>,
}

/// Why there is no policy of a name.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such file, or it cannot be read.
    #[error("cannot read {name}: {error}{}", Shipped::hint(SHIPPED, "policies", name))]
    File {
        /// The file.
        name: String,
        /// Why not.
        error: io::Error,
    },
    /// The file holds no policy.
    #[error("{name}: {error}")]
    Broken {
        /// The file.
        name: String,
        /// What is wrong with its text.
        error: Box<PolicyError>,
    },
}

impl NamedPolicy {
    /// The shipped policy of that name, or the one in a file.
    ///
    /// ```
    /// use clearway_policy::NamedPolicy;
    /// assert_eq!(NamedPolicy::open("hand")?.policy.rules.len(), 2);
    /// assert!(NamedPolicy::open("no/such.policy").is_err());
    /// # Ok::<(), clearway_policy::OpenError>(())
    /// ```
    pub fn open(name: &str) -> Result<NamedPolicy, OpenError> {
        if let Some(shipped) = NamedPolicy::shipped(name) {
            return Ok(shipped);
        }
        let text =
            library::read(name, LONGEST_TEXT).map_err(|error| OpenError::File { name: name.to_owned(), error })?;
        NamedPolicy::parse(name, &text)
            .map_err(|error| OpenError::Broken { name: name.to_owned(), error: Box::new(error) })
    }

    /// The shipped policy of that name; no file is touched.
    ///
    /// ```
    /// use clearway_policy::NamedPolicy;
    /// assert!(NamedPolicy::shipped("hand").is_some());
    /// assert!(NamedPolicy::shipped("policies/hand.policy").is_none());
    /// ```
    ///
    /// # Panics
    /// Never: a test reads every shipped policy.
    pub fn shipped(name: &str) -> Option<NamedPolicy> {
        let shipped = Shipped::find(SHIPPED, name)?;
        Some(NamedPolicy::parse(name, shipped.text).expect("the policies that come with the program are well formed"))
    }

    /// The policy of a text, under a name.
    pub fn parse(name: &str, text: &str) -> Result<NamedPolicy, PolicyError> {
        Ok(NamedPolicy { name: name.to_owned(), policy: Arc::new(Policy::parse(text, name)?) })
    }
}
