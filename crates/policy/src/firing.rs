//! Which rules of a policy fire how often.

use crate::policy::Policy;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often each rule fired. Many searches may count at a time.
#[derive(Debug)]
pub struct Firing {
    /// By rule, and at last of the default.
    counts: Vec<AtomicU64>,
}

impl Firing {
    /// Nothing fired yet.
    pub fn new(policy: &Policy) -> Firing {
        Firing { counts: (0..=policy.rules.len()).map(|_| AtomicU64::new(0)).collect() }
    }

    /// A rule fired, or none and so the default.
    pub fn count(&self, rule: Option<usize>) {
        let place = rule.unwrap_or(self.counts.len() - 1);
        self.counts[place].fetch_add(1, Ordering::Relaxed);
    }

    /// By rule, and at last of the default: how often it fired.
    pub fn counts(&self) -> Vec<u64> {
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }
}
