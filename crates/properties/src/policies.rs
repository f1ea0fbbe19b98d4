//! Policies.

use crate::shared::{check_error, text};
use clearway_policy::{Policy, explain, layout, svg};

/// Whatever policy is read is the same after it is printed and read again, and as a genome. It can be explained and drawn.
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
    let bred = Policy::from_genome(&genome).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!((&bred.rules, &bred.default), (&policy.rules, &policy.default), "{printed}");
    assert!(!explain(&policy).is_empty());
    assert!(svg(&policy, "fuzz").starts_with("<svg"));
}
