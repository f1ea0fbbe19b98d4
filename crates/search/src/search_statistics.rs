//! Statistics of a search.

use serde::{Deserialize, Serialize};

/// Statistics of a search. The counters are deterministic: the same problem, algorithm and seed give the same values on every
/// machine. Each algorithm documents what exactly it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchStatistics {
    /// Expanded nodes.
    pub expanded: u64,
    /// Generated nodes, new or not: the start of each search or iteration, and all successors.
    pub generated: u64,
    /// Number of times that the heuristic was evaluated.
    pub evaluated: u64,
    /// Number of states tested for being a goal.
    pub goal_tests: u64,
    /// Nodes reopened because a shorter path to them was found.
    pub reopened: u64,
    /// Generated nodes that were discarded as duplicates.
    pub duplicates: u64,
    /// Peak number of nodes waiting to be expanded.
    pub peak_open: u64,
    /// Peak memory in bytes, as far as the search accounts for it.
    pub peak_memory: u64,
    /// Nodes expanded before the f-value last increased, which does not depend on tie-breaking; 0 for algorithms without
    /// f-values.
    pub until_last_jump: u64,
    /// Conflicts of the SAT solver; 0 for algorithms that do not use one.
    #[serde(default)]
    pub conflicts: u64,
    /// Peak number of states in the transposition table; 0 for algorithms without one.
    #[serde(default)]
    pub table_size: u64,
}

impl SearchStatistics {
    /// Adds the work of another search that ran before or after this one: sums, and the larger of two peaks.
    pub fn add(&mut self, other: &SearchStatistics) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.evaluated += other.evaluated;
        self.goal_tests += other.goal_tests;
        self.reopened += other.reopened;
        self.duplicates += other.duplicates;
        self.peak_open = self.peak_open.max(other.peak_open);
        self.peak_memory = self.peak_memory.max(other.peak_memory);
        self.until_last_jump += other.until_last_jump;
        self.conflicts += other.conflicts;
        self.table_size = self.table_size.max(other.table_size);
    }
}
