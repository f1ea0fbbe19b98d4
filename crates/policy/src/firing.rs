//! Counts of how often the rules of a policy fire.

use crate::policy::Policy;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often each rule of a policy fired. Several searches may count at the same time.
#[derive(Debug)]
pub struct FiringCounts {
    /// One count per rule, followed by that of the default.
    counts: Vec<AtomicU64>,
}

impl FiringCounts {
    /// Creates counters for the rules of a policy, all 0.
    pub fn new(policy: &Policy) -> FiringCounts {
        FiringCounts { counts: (0..=policy.rules.len()).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Counts the rule that fired, or the default if `rule` is `None`.
    pub fn count(&self, rule: Option<usize>) {
        let place = rule.unwrap_or(self.counts.len() - 1);
        self.counts[place].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the count of each rule, followed by that of the default.
    pub fn counts(&self) -> Vec<u64> {
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }
}
