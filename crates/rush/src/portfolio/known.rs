//! What is known about a board: the best plan, the best lower bound, and which engine found them.

use super::Improvement;
use crate::{Metric, Solution};
use std::time::Duration;

/// When the portfolio may stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum StopRule {
    /// Once the plan is proven optimal.
    #[default]
    Optimal,
    /// Once the plan is proven to be at most this many times as long as an optimal one; at least 1.
    Within(f64),
    /// At the first plan.
    First,
    /// Once the plan is proven optimal, or the optimum is proven to be outside this range. In an empty range, from `least` to
    /// `least - 1`, the search only decides whether the optimum is at least `least`.
    Range {
        /// Smallest length of interest.
        least: u32,
        /// Largest length of interest.
        most: u32,
    },
}

impl StopRule {
    /// Lower bound that suffices for a plan of a length.
    pub(super) fn sufficient_bound(self, length: u32) -> u32 {
        match self {
            StopRule::Optimal => length,
            StopRule::Within(factor) => (f64::from(length) / factor.max(1.0)).ceil() as u32,
            StopRule::First => 0,
            StopRule::Range { least, .. } if length < least => 0,
            StopRule::Range { most, .. } => length.min(most.saturating_add(1)),
        }
    }

    /// Whether a lower bound suffices, whatever plans there are.
    fn is_met_by(self, lower_bound: u32) -> bool {
        matches!(self, StopRule::Range { most, .. } if lower_bound > most)
    }

    /// The rule for a part of the board, whose plans are shorter by a number of moves or steps.
    pub(super) fn shortened(self, by: u32) -> StopRule {
        match self {
            StopRule::Range { least, most } => {
                StopRule::Range { least: least.saturating_sub(by), most: most.saturating_sub(by) }
            }
            rule => rule,
        }
    }
}

/// Name of an engine in answers, such as `astar(landmarks)`.
pub type EngineName = &'static str;

/// Something that an engine found out.
#[derive(Clone, Debug)]
pub(super) enum Finding {
    /// A plan, verified by the replay.
    Plan(Solution),
    /// No plan is shorter.
    Bound(u32),
    /// There is no plan.
    Unsolvable,
}

/// The state of knowledge about a board.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    pub metric: Metric,
    pub stop: StopRule,
    pub plan: Option<(Solution, EngineName)>,
    pub lower_bound: (u32, EngineName),
    pub unsolvable: Option<EngineName>,
    /// Whether the number of nodes is limited.
    pub has_node_limit: bool,
}

impl Knowledge {
    pub fn new(metric: Metric, stop: StopRule, has_node_limit: bool) -> Knowledge {
        Knowledge { metric, stop, plan: None, lower_bound: (0, "static"), unsolvable: None, has_node_limit }
    }

    /// Length of the best plan.
    pub fn length(&self) -> Option<u32> {
        self.plan.as_ref().map(|(plan, _)| plan.length(self.metric))
    }

    /// Adds a finding; returns whether it is news.
    pub fn add(&mut self, finding: &Finding, engine: EngineName) -> bool {
        match finding {
            Finding::Plan(plan) => {
                let is_better = self.length().is_none_or(|length| plan.length(self.metric) < length);
                if is_better {
                    self.plan = Some((plan.clone(), engine));
                }
                is_better
            }
            Finding::Bound(bound) => {
                let is_better = *bound > self.lower_bound.0;
                if is_better {
                    self.lower_bound = (*bound, engine);
                }
                is_better
            }
            Finding::Unsolvable => {
                self.unsolvable.get_or_insert(engine);
                true
            }
        }
    }

    /// Whether nothing more needs to be found.
    pub fn is_settled(&self) -> bool {
        self.unsolvable.is_some()
            || self.stop.is_met_by(self.lower_bound.0)
            || self.length().is_some_and(|length| self.lower_bound.0 >= self.stop.sufficient_bound(length))
    }

    pub fn improvement(&self, engine: EngineName, time: Duration) -> Improvement<'_> {
        Improvement {
            solution: self.plan.as_ref().map(|(plan, _)| plan),
            lower_bound: self.lower_bound.0,
            engine,
            time,
        }
    }
}
