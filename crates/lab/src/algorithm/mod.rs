//! Search expressions for Rush Hour boards, such as `bfs`, `astar(blockers)` or `ida(h1, prune, increment=5)`.
//!
//! [`clearway_search::spec`] defines the algorithms, their options, the grammar, and the claims of results. This module adds
//! the heuristics (expressions and policies) and runs the searches on boards.

mod estimator;
mod solve;

pub use estimator::Estimator;
pub use solve::LabOutcome;

use clearway_policy::{FiringCounts, NamedPolicy, Policy};
use clearway_rush::Metric;
use clearway_rush::heuristics::Expression;
use clearway_search::spec::{self, SearchSpec};
use clearway_util::syntax::{ExpressionError, SyntaxError};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A configured search of Rush Hour boards.
///
/// ```
/// use clearway_lab::ConfiguredAlgorithm;
/// let algorithm: ConfiguredAlgorithm = "ida(h1, increment=5, prune)".parse().unwrap();
/// assert_eq!(algorithm.to_string(), "ida(blockers-lower-bound, prune, increment=5)");
/// assert!("bfs(blockers)".parse::<ConfiguredAlgorithm>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConfiguredAlgorithm(SearchSpec<Estimator>);

impl ConfiguredAlgorithm {
    /// Combines an algorithm with an optional heuristic. `None` if the algorithm lacks a required heuristic or takes none.
    pub fn new(algorithm: spec::Algorithm, heuristic: Option<Estimator>) -> Option<ConfiguredAlgorithm> {
        match heuristic {
            Some(heuristic) => SearchSpec::guided(algorithm, heuristic),
            None => SearchSpec::unguided(algorithm),
        }
        .map(ConfiguredAlgorithm)
    }

    /// The exact solver.
    ///
    /// # Panics
    /// Never: the exact solver takes no heuristic.
    pub fn exact() -> ConfiguredAlgorithm {
        ConfiguredAlgorithm::new(spec::Algorithm::Exact, None).expect("the exact solver takes no heuristic")
    }

    /// The algorithm with its options, without the heuristic.
    pub fn spec(&self) -> &spec::Algorithm {
        self.0.algorithm()
    }

    /// Whether an option of the algorithm has another value than its default.
    pub fn changes(&self, option: &spec::OptionInfo) -> bool {
        self.0.changes(option)
    }

    /// Whether it is the exact solver.
    pub fn is_exact(&self) -> bool {
        *self.spec() == spec::Algorithm::Exact
    }

    /// Whether its heuristic is known to be admissible in a metric; true without a heuristic.
    pub fn is_admissible(&self, metric: Metric) -> bool {
        self.heuristic().is_none_or(|heuristic| heuristic.is_admissible(metric))
    }

    /// Whether its solutions are optimal in a metric on every board.
    ///
    /// ```
    /// use clearway_lab::ConfiguredAlgorithm;
    /// use clearway_rush::Metric;
    /// let read = |text: &str| text.parse::<ConfiguredAlgorithm>().unwrap();
    /// assert!(read("astar(blockers)").is_optimal(Metric::Moves));
    /// assert!(!read("astar(h1)").is_optimal(Metric::Moves));
    /// assert!(!read("id(growth=4, reopen=no)").is_optimal(Metric::Moves));
    /// ```
    pub fn is_optimal(&self, metric: Metric) -> bool {
        self.spec().claims().optimal.holds(self.is_admissible(metric))
    }

    /// Returns the search that a policy names, or weighted A* with weight 1 if it names none. `firing` counts the rules that
    /// fire.
    ///
    /// ```
    /// use clearway_lab::ConfiguredAlgorithm;
    /// use clearway_policy::NamedPolicy;
    /// let algorithm = ConfiguredAlgorithm::from_policy(&NamedPolicy::open("hand").unwrap(), None).unwrap();
    /// assert_eq!(algorithm.to_string(), "ida(policy=hand, prune, increment=5)");
    /// ```
    pub fn from_policy(
        policy: &NamedPolicy,
        firing: Option<&Arc<FiringCounts>>,
    ) -> Result<ConfiguredAlgorithm, ExpressionError> {
        let text = policy.policy.search.as_deref().unwrap_or("wastar(policy, weight=1)");
        let read = |argument: &str| match argument {
            "policy" => Ok(Estimator::Policy(policy.clone(), firing.cloned())),
            _ => Err(SyntaxError::new(0..0, NOT_ITS_OWN_SEARCH)),
        };
        let spec = SearchSpec::parse(text, &read)?;
        match spec.heuristic() {
            Some(_) => Ok(ConfiguredAlgorithm(spec)),
            None => Err(ExpressionError::new(text, SyntaxError::new(0..0, NOT_ITS_OWN_SEARCH))),
        }
    }

    /// Parses an algorithm with a function that resolves the names of policies. [`FromStr`] resolves shipped policies and
    /// files.
    ///
    /// ```
    /// use clearway_lab::ConfiguredAlgorithm;
    /// use clearway_policy::NamedPolicy;
    /// let shipped = |name: &str| NamedPolicy::shipped(name).ok_or("only shipped policies may be used here");
    /// assert!(ConfiguredAlgorithm::parse_with("ida(policy=hand)", shipped).is_ok());
    /// let error = ConfiguredAlgorithm::parse_with("ida(policy=/etc/passwd)", shipped).unwrap_err();
    /// assert_eq!(error.message, "only shipped policies may be used here");
    /// ```
    pub fn parse_with<E: fmt::Display>(
        text: &str,
        policies: impl Fn(&str) -> Result<NamedPolicy, E>,
    ) -> Result<ConfiguredAlgorithm, ExpressionError> {
        SearchSpec::parse(text, &|argument| parse_heuristic(argument, &policies)).map(ConfiguredAlgorithm)
    }

    /// Heuristic, if it has one.
    pub fn heuristic(&self) -> Option<&Estimator> {
        self.0.heuristic()
    }

    /// Policy that guides it, if any.
    pub fn policy(&self) -> Option<&Policy> {
        match self.heuristic() {
            Some(Estimator::Policy(named, _)) => Some(&named.policy),
            _ => None,
        }
    }
}

const NOT_ITS_OWN_SEARCH: &str = "the search of a policy must be guided by the policy, as in wastar(policy, weight=2)";

/// Parses a heuristic: `policy=NAME`, or an expression over heuristics.
fn parse_heuristic<E: fmt::Display>(
    text: &str,
    policies: &impl Fn(&str) -> Result<NamedPolicy, E>,
) -> Result<Estimator, SyntaxError> {
    if text.eq_ignore_ascii_case("policy") {
        return Err(SyntaxError::new(text.len()..text.len(), "missing policy; expected policy=NAME or policy=FILE"));
    }
    let key = text.split('=').next().unwrap_or(text);
    if !key.trim().eq_ignore_ascii_case("policy") {
        return Expression::parse(text).map(Estimator::Expression);
    }
    let value = &text[key.len() + 1..];
    let at = (key.len() + 1) + (value.len() - value.trim_start().len());
    let value = value.trim();
    let name = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value);
    if name.is_empty() || name.contains('"') {
        let message = "invalid policy; expected the name of a policy or a file, without quotes";
        return Err(SyntaxError::new(at..at, message));
    }
    match policies(name) {
        Ok(policy) => Ok(Estimator::Policy(policy, None)),
        Err(error) => Err(SyntaxError::new(at..at, error.to_string()).in_file()),
    }
}

impl FromStr for ConfiguredAlgorithm {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<ConfiguredAlgorithm, ExpressionError> {
        ConfiguredAlgorithm::parse_with(text, NamedPolicy::open)
    }
}

impl fmt::Display for ConfiguredAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
