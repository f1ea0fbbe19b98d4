//! Policies.

use crate::shared::{check_error, text};
use clearway_policy::{Policy, explain, layout, svg};

/// Checks that policies round-trip through text and through genomes, and that they can be explained and drawn.
pub fn policies(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let policy = match Policy::parse(text, "fuzz") {
        Ok(policy) => policy,
        Err(error) => return check_error(&error),
    };
    let printed = policy.to_string();
    let again = Policy::parse(&printed, "printed").unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(again, policy, "{printed}");
    let genome = policy.to_genome();
    assert_eq!(genome.trees.len(), layout(policy.rules.len(), 1).roots.len());
    let decoded = Policy::from_genome(&genome).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!((&decoded.rules, &decoded.default), (&policy.rules, &policy.default), "{printed}");
    assert!(!explain(&policy).is_empty());
    assert!(svg(&policy, "fuzz").starts_with("<svg"));
}
