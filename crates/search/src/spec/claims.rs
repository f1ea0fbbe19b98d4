//! What the result of a search may claim.

use std::fmt;

/// What a search proves. A heuristic is *admissible* if no estimate exceeds the distance to the nearest goal, in the
/// metric in which the domain counts its moves; what is not known to be admissible counts as inadmissible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// When it finds a solution if there is one, given enough time and memory.
    pub complete: When,
    /// When a solution that it ends with is a shortest one. Independently of this, a solution as short as the lower
    /// bound that the search has proven is a shortest one.
    pub optimal: When,
    /// The lower bound of a search that a limit stops, and when that bound holds.
    pub bound: (Bound, When),
}

/// A condition on the heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Whatever the heuristic, or without one.
    Always,
    /// If the heuristic is admissible.
    Admissible,
    /// Not even then.
    Never,
}

impl When {
    /// Whether a claim holds for a heuristic that is known to be admissible, or not.
    ///
    /// ```
    /// use clearway_search::spec::When;
    /// assert!(When::Always.holds(false) && When::Admissible.holds(true));
    /// assert!(!When::Admissible.holds(false) && !When::Never.holds(true));
    /// ```
    pub fn holds(self, admissible: bool) -> bool {
        match self {
            When::Always => true,
            When::Admissible => admissible,
            When::Never => false,
        }
    }

    /// The same claim under a further condition.
    #[must_use]
    pub fn only_if(self, condition: bool) -> When {
        if condition { self } else { When::Never }
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            When::Always => "always",
            When::Admissible => "if the heuristic is admissible",
            When::Never => "no",
        })
    }
}

/// The lower bound that a stopped search has proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// No path below this depth leads to a goal.
    Depth,
    /// The smallest f = g + h in the open list.
    MinimumF,
    /// One more than the last completed threshold.
    Threshold,
    /// Only that the start is not a goal, or the estimate of the start.
    Start,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Depth => "the depth searched",
            Bound::MinimumF => "the minimum f of the open list",
            Bound::Threshold => "the last completed threshold + 1",
            Bound::Start => "that of the start",
        })
    }
}
