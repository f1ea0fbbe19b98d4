//! The search that policies are evolved for.

use clearway_search::astar::AStarOptions;
use clearway_search::deepening::{DeepeningOptions, HeuristicUse};
use clearway_search::spec::{ALGORITHMS, Algorithm, AlgorithmInfo, HeuristicSpec, OptionInfo, OptionKind, SearchSpec};
use clearway_util::syntax::{ExpressionError, SyntaxError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Placeholder for the policy in a search expression, written `policy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnPolicy;

impl fmt::Display for OwnPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("policy")
    }
}

impl HeuristicSpec for OwnPolicy {
    const USAGE: &'static str = "policy";
    const KEYS: &'static [&'static str] = &[];

    fn is_learned(&self) -> bool {
        true
    }
}

/// A search that a policy guides, as an expression in which `policy` stands for the policy.
///
/// ```
/// use clearway_policy::training::PolicySearch;
/// let search: PolicySearch = "ida(policy, both, increment=4, memo=kept)".parse().unwrap();
/// assert_eq!(search.with(Some("ida-prune"), &[]).unwrap().to_string(), "ida(policy, prune, increment=4, memo=kept)");
/// assert!(search.with(Some("greedy"), &[("weight", "3")]).is_err());
/// assert!("bfs".parse::<PolicySearch>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PolicySearch(SearchSpec<OwnPolicy>);

/// Short names of searches, with the guidance if the search is IDA*. The weight of `wastar` is 1, because evolution finds the
/// scale of the estimates.
const SHORT_NAMES: [(&str, Option<HeuristicUse>); 5] = [
    ("ida-order", Some(HeuristicUse::Order)),
    ("ida-prune", Some(HeuristicUse::Prune)),
    ("ida-both", Some(HeuristicUse::Both)),
    ("wastar", None),
    ("greedy", None),
];

impl PolicySearch {
    /// Returns IDA* with these options.
    pub fn ida(options: DeepeningOptions) -> PolicySearch {
        PolicySearch::guided(Algorithm::Ida(options))
    }

    /// Returns weighted A* with the default options for policies: no reopening, and shortcuts.
    pub fn wastar(weight: f64) -> PolicySearch {
        let options = AStarOptions { weight, reopen: false, shortcut: true, ..AStarOptions::default() };
        PolicySearch::guided(Algorithm::WeightedAStar(options))
    }

    /// Returns weighted A* for boards that it can search only a small part of: states are generated when they are expanded, and
    /// preferred moves and novel states come first.
    pub fn wastar_on_large_boards() -> PolicySearch {
        let options = AStarOptions {
            reopen: false,
            shortcut: true,
            deferred: true,
            preferred: true,
            novelty: 2,
            ..AStarOptions::default()
        };
        PolicySearch::guided(Algorithm::WeightedAStar(options))
    }

    /// # Panics
    /// If the algorithm takes no heuristic.
    fn guided(algorithm: Algorithm) -> PolicySearch {
        PolicySearch(SearchSpec::guided(algorithm, OwnPolicy).expect("an algorithm that takes a heuristic"))
    }

    /// Returns the algorithm with its options.
    pub fn algorithm(&self) -> &Algorithm {
        self.0.algorithm()
    }

    /// Returns the short names that [`with`](Self::with) accepts.
    pub fn short_names() -> impl Iterator<Item = &'static str> {
        SHORT_NAMES.into_iter().map(|(name, _)| name)
    }

    /// Returns the options that [`with`](Self::with) accepts: name, values, help, and the algorithms that have the option.
    pub fn options() -> Vec<(&'static str, OptionKind, &'static str, Vec<&'static str>)> {
        let mut found: Vec<(&str, OptionKind, &str, Vec<&str>)> = Vec::new();
        let short = |info: &&&AlgorithmInfo| matches!(info.name, "ida" | "wastar" | "greedy");
        for info in ALGORITHMS.iter().filter(short) {
            // The state graphs of training have one order of moves.
            let offered =
                |option: &&OptionInfo| !matches!(option.kind, OptionKind::BareWord(_)) && !option.is_for_reproduction;
            for option in info.options.iter().filter(offered) {
                match found.iter_mut().find(|(name, ..)| *name == option.name) {
                    Some((.., algorithms)) => algorithms.push(info.name),
                    None => found.push((option.name, option.kind, option.about, vec![info.name])),
                }
            }
        }
        found
    }

    /// Returns a changed search. `search` is an expression, or a short name, which keeps the other options if the algorithm
    /// stays the same. Then `options` are set in order.
    pub fn with(&self, search: Option<&str>, options: &[(&str, &str)]) -> Result<PolicySearch, PolicySearchError> {
        let mut changed = match search {
            None => self.clone(),
            Some(text) => match SHORT_NAMES.iter().find(|(name, _)| *name == text) {
                Some((_, Some(guide))) => {
                    let options = match self.algorithm() {
                        Algorithm::Ida(options) => *options,
                        _ => DeepeningOptions::default(),
                    };
                    PolicySearch::ida(DeepeningOptions { guide: *guide, ..options })
                }
                Some(_) if self.algorithm().info().name == text => self.clone(),
                Some(("wastar", None)) => PolicySearch::wastar(1.0),
                Some(_) => format!("{text}(policy)").parse()?,
                None => text.parse()?,
            },
        };
        for (name, value) in options {
            changed.0.set(name, value).map_err(PolicySearchError::InvalidOption)?;
        }
        Ok(changed)
    }
}

/// Why a text is not a search that a policy can guide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicySearchError {
    /// The text is not an expression, or another heuristic guides the search.
    #[error(transparent)]
    Syntax(#[from] ExpressionError),
    /// The search takes no heuristic.
    #[error("{0} takes no heuristic; expected a search such as wastar(policy, weight=2)")]
    NoHeuristic(String),
    /// The search has no such option, or the value is invalid.
    #[error("{0}")]
    InvalidOption(String),
}

impl FromStr for PolicySearch {
    type Err = PolicySearchError;

    fn from_str(text: &str) -> Result<PolicySearch, PolicySearchError> {
        let read = |text: &str| match text {
            "policy" => Ok(OwnPolicy),
            _ => Err(SyntaxError::new(
                0..0,
                "a policy's search must be guided by the policy; expected the word 'policy'",
            )),
        };
        let spec = SearchSpec::parse(text, &read)?;
        if spec.heuristic().is_none() {
            return Err(PolicySearchError::NoHeuristic(spec.to_string()));
        }
        Ok(PolicySearch(spec))
    }
}

impl fmt::Display for PolicySearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<PolicySearch> for String {
    fn from(search: PolicySearch) -> String {
        search.to_string()
    }
}

impl TryFrom<String> for PolicySearch {
    type Error = PolicySearchError;

    fn try_from(text: String) -> Result<PolicySearch, PolicySearchError> {
        text.parse()
    }
}
