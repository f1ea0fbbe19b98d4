//! The heuristic of an algorithm: an expression over heuristics, or a policy.

use clearway_policy::{FiringCounts, NamedPolicy, PolicyHeuristic};
use clearway_rush::heuristics::{BoxedHeuristic, BuildError, Expression, HeuristicContext};
use clearway_rush::{Metric, RushDomain};
use clearway_search::spec::HeuristicSpec;
use std::fmt;
use std::sync::Arc;

/// Maximum size in bytes of the table in which a policy caches its values, in searches that revisit states.
const MAX_CACHE: usize = 16 << 20;

/// Heuristic of an algorithm.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Estimator {
    /// An expression over heuristics.
    Expression(Expression),
    /// A policy, and an optional counter of the rules that fire.
    Policy(NamedPolicy, Option<Arc<FiringCounts>>),
}

impl Estimator {
    /// Whether it is known to be admissible in a metric. False for policies.
    pub fn is_admissible(&self, metric: Metric) -> bool {
        match self {
            Estimator::Expression(expression) => expression.admissible(metric),
            Estimator::Policy(..) => false,
        }
    }

    /// Builds the heuristic for a board. With `caches`, a policy caches its values.
    pub(super) fn build<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &HeuristicContext,
        caches: bool,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        Ok(match self {
            Estimator::Expression(expression) => expression.build(domain, context)?,
            Estimator::Policy(NamedPolicy { policy, .. }, firing) => {
                let mut heuristic = PolicyHeuristic::new(policy, domain, context)?;
                if caches {
                    heuristic = heuristic.with_cache(cache_bytes(context.limits.memory));
                }
                if let Some(firing) = firing {
                    heuristic = heuristic.with_firing_counts(Arc::clone(firing));
                }
                Box::new(heuristic)
            }
        })
    }
}

impl HeuristicSpec for Estimator {
    const USAGE: &'static str = "HEURISTIC|policy=FILE";
    const KEYS: &'static [&'static str] = &["policy"];

    fn is_learned(&self) -> bool {
        matches!(self, Estimator::Policy(..))
    }
}

/// Size in bytes of the cache of a policy, within the memory limit of a search.
pub(super) fn cache_bytes(memory: Option<usize>) -> usize {
    memory.map_or(MAX_CACHE, |memory| MAX_CACHE.min(memory / 8))
}

/// Compares expressions, or policies with their names; counters are ignored.
impl PartialEq for Estimator {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Estimator::Expression(one), Estimator::Expression(other)) => one == other,
            (Estimator::Policy(one, _), Estimator::Policy(other, _)) => one == other,
            _ => false,
        }
    }
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimator::Expression(expression) => write!(f, "{expression}"),
            // Quotes separate the name from the rest of the algorithm.
            Estimator::Policy(NamedPolicy { name, .. }, _) if name.contains([',', '(', ')', ' ', '=']) => {
                write!(f, "policy=\"{name}\"")
            }
            Estimator::Policy(NamedPolicy { name, .. }, _) => write!(f, "policy={name}"),
        }
    }
}
