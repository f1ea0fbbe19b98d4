//! Claims: what the result of a search proves.

use std::fmt;

/// What a search proves. A heuristic is *admissible* if no estimate exceeds the distance to the nearest goal, in the metric in
/// which the domain counts its moves; a heuristic that is not known to be admissible is treated as inadmissible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Condition under which the search finds a solution if one exists, given enough time and memory.
    pub complete: ClaimCondition,
    /// Condition under which the solution that the search ends with is optimal. Independently of this, a solution is optimal if
    /// its length equals the lower bound that the search has proven.
    pub optimal: ClaimCondition,
    /// Lower bound of a search that is stopped by a limit, and the condition under which it holds.
    pub bound: (Bound, ClaimCondition),
}

/// A condition on the heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ClaimCondition {
    /// With any heuristic, or without one.
    Always,
    /// With an admissible heuristic.
    Admissible,
    /// Not even with an admissible heuristic.
    Never,
}

impl ClaimCondition {
    /// Returns whether a claim with this condition holds; `admissible` is whether the heuristic is known to be admissible.
    ///
    /// ```
    /// use clearway_search::spec::ClaimCondition;
    /// assert!(ClaimCondition::Always.holds(false) && ClaimCondition::Admissible.holds(true));
    /// assert!(!ClaimCondition::Admissible.holds(false) && !ClaimCondition::Never.holds(true));
    /// ```
    pub fn holds(self, admissible: bool) -> bool {
        match self {
            ClaimCondition::Always => true,
            ClaimCondition::Admissible => admissible,
            ClaimCondition::Never => false,
        }
    }

    /// Returns this condition, or [`ClaimCondition::Never`] unless `condition` holds.
    #[must_use]
    pub fn only_if(self, condition: bool) -> ClaimCondition {
        if condition { self } else { ClaimCondition::Never }
    }
}

impl fmt::Display for ClaimCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClaimCondition::Always => "always",
            ClaimCondition::Admissible => "if the heuristic is admissible",
            ClaimCondition::Never => "no",
        })
    }
}

/// Kind of the lower bound that a stopped search has proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// Depth searched completely: no shorter path leads to a goal.
    Depth,
    /// Minimum f = g + h of the open list.
    MinimumF,
    /// One more than the last completed threshold.
    Threshold,
    /// Estimate of the start, or 1 if only the start is known not to be a goal.
    Start,
    /// Best bound that one of several engines has proven.
    Engines,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Depth => "the depth searched",
            Bound::MinimumF => "the minimum f of the open list",
            Bound::Threshold => "the last completed threshold + 1",
            Bound::Start => "the bound of the start",
            Bound::Engines => "the best bound of its engines",
        })
    }
}
