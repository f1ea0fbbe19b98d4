//! What guides an algorithm: an expression over heuristics, or a policy.

use clearway_policy::{Firing, NamedPolicy, PolicyHeuristic};
use clearway_rush::heuristics::{BoxedHeuristic, BuildError, Context, Expression};
use clearway_rush::{Metric, RushDomain};
use clearway_search::spec::HeuristicSpec;
use std::fmt;
use std::sync::Arc;

/// The most bytes of the table in which a policy keeps what it knows of states, in searches that come back to them.
const CACHE: usize = 16 << 20;

/// What guides an algorithm.
#[derive(Clone, Debug)]
pub enum Estimator {
    /// An expression over heuristics.
    Expression(Expression),
    /// A policy, and where to count the rules that fire, if anywhere.
    Policy(NamedPolicy, Option<Arc<Firing>>),
}

impl Estimator {
    /// Whether it is known never to overestimate in a metric. Nothing is known about policies.
    pub fn admissible(&self, metric: Metric) -> bool {
        match self {
            Estimator::Expression(expression) => expression.admissible(metric),
            Estimator::Policy(..) => false,
        }
    }

    /// The heuristic for a board. A policy may keep what it knows of states.
    pub(super) fn build<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &Context,
        keeps: bool,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        Ok(match self {
            Estimator::Expression(expression) => expression.build(domain, context)?,
            Estimator::Policy(NamedPolicy { policy, .. }, firing) => {
                let mut heuristic = PolicyHeuristic::new(policy, domain, context)?;
                if keeps {
                    heuristic = heuristic.with_cache(cache_bytes(context.limits.memory));
                }
                if let Some(firing) = firing {
                    heuristic = heuristic.counting(Arc::clone(firing));
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

/// The bytes that a policy's table may take of those that a search has.
pub(super) fn cache_bytes(memory: Option<usize>) -> usize {
    memory.map_or(CACHE, |memory| CACHE.min(memory / 8))
}

/// The same expression, or the same policy by the same name.
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
            // Quotes keep apart what belongs to the name and what to the algorithm.
            Estimator::Policy(NamedPolicy { name, .. }, _) if name.contains([',', '(', ')', ' ', '=']) => {
                write!(f, "policy=\"{name}\"")
            }
            Estimator::Policy(NamedPolicy { name, .. }, _) => write!(f, "policy={name}"),
        }
    }
}
