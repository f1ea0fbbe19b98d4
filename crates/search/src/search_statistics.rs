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
    /// Evaluations of the heuristic.
    pub evaluated: u64,
    /// Goal tests.
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
}
