//! The specification of a configured search: the algorithm, its options, its heuristic, and what its result may claim.
//!
//! Everything about an algorithm is declared in its own module: the algorithm, its options with their ranges and defaults
//! ([`AlgorithmInfo`], [`OptionInfo`]), what it proves ([`Claims`]), and the lower bound that a running search has proven
//! ([`Search::lower_bound`]). This module parses, prints, lists and starts searches from those declarations.

mod claims;
mod info;
mod list;
mod parser;

pub use claims::{Bound, ClaimCondition, Claims};
pub use info::{AlgorithmInfo, OptionInfo, OptionKind, OptionValue};
pub(crate) use info::{OptionField, option, words};
pub use list::ALGORITHMS;

use crate::anytime::AnytimeOptions;
use crate::astar::{AStar, AStarOptions};
use crate::beam::{Beam, BeamOptions};
use crate::bfs::{Bfs, BfsOptions};
use crate::deepening::{DeepeningOptions, IterativeDeepening};
use crate::dfs::{GraphDfs, GraphDfsOptions, TreeDfs, TreeDfsOptions};
use crate::hybrid::{Hybrid, HybridOptions};
use crate::ibex::Ibex;
use crate::random_walk::{RandomWalk, RandomWalkOptions};
use crate::tree_bfs::{TreeBfs, TreeBfsOptions};
use crate::{Domain, Heuristic, Search, Zero};
use std::fmt;

/// An algorithm with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// The domain's own exact solver, which is not part of this crate.
    Exact,
    /// The domain's portfolio of engines.
    Portfolio(AnytimeOptions),
    /// The domain's layered SAT engine.
    Layers(AnytimeOptions),
    /// Breadth-first search over states.
    Bfs(BfsOptions),
    /// Breadth-first search over paths.
    TreeBfs(TreeBfsOptions),
    /// Depth-first search over states.
    GraphDfs(GraphDfsOptions),
    /// Depth-first search over paths, to a maximum depth.
    TreeDfs(TreeDfsOptions),
    /// Breadth-first, then depth-first search over paths.
    Hybrid(HybridOptions),
    /// A*, and greedy best-first search.
    AStar(AStarOptions),
    /// Weighted A*, including weight 1.
    WeightedAStar(AStarOptions),
    /// Iterative deepening without a heuristic.
    Id(DeepeningOptions),
    /// Iterative deepening with a heuristic: IDA*.
    Ida(DeepeningOptions),
    /// Budgeted iterative deepening.
    Ibex,
    /// Beam search.
    Beam(BeamOptions),
    /// Random walk.
    RandomWalk(RandomWalkOptions),
}

impl Algorithm {
    /// Returns its declaration.
    pub fn info(&self) -> &'static AlgorithmInfo {
        match self {
            Algorithm::Exact => &crate::anytime::EXACT_INFO,
            Algorithm::Portfolio(_) => &crate::anytime::PORTFOLIO_INFO,
            Algorithm::Layers(_) => &crate::anytime::LAYERS_INFO,
            Algorithm::Bfs(_) => &crate::bfs::INFO,
            Algorithm::TreeBfs(_) => &crate::tree_bfs::INFO,
            Algorithm::GraphDfs(_) => &crate::dfs::GRAPH_INFO,
            Algorithm::TreeDfs(_) => &crate::dfs::TREE_INFO,
            Algorithm::Hybrid(_) => &crate::hybrid::INFO,
            Algorithm::AStar(options) | Algorithm::WeightedAStar(options) if options.greedy => {
                &crate::astar::GREEDY_INFO
            }
            Algorithm::AStar(AStarOptions { weight: 1.0, .. }) => &crate::astar::ASTAR_INFO,
            Algorithm::AStar(_) | Algorithm::WeightedAStar(_) => &crate::astar::WASTAR_INFO,
            Algorithm::Id(_) => &crate::deepening::ID_INFO,
            Algorithm::Ida(_) => &crate::deepening::IDA_INFO,
            Algorithm::Ibex => &crate::ibex::INFO,
            Algorithm::Beam(_) => &crate::beam::INFO,
            Algorithm::RandomWalk(_) => &crate::random_walk::INFO,
        }
    }

    /// Returns what a search with these options proves.
    ///
    /// ```
    /// use clearway_search::spec::{Algorithm, ClaimCondition};
    /// use clearway_search::deepening::DeepeningOptions;
    /// let plain = Algorithm::Id(DeepeningOptions::default());
    /// assert_eq!(plain.claims().optimal, ClaimCondition::Always);
    /// let growing = Algorithm::Id(DeepeningOptions { growth: 2.0, ..DeepeningOptions::default() });
    /// assert_eq!(growing.claims().optimal, ClaimCondition::Never);
    /// ```
    pub fn claims(&self) -> Claims {
        match self {
            Algorithm::Exact => crate::anytime::EXACT_CLAIMS,
            Algorithm::Portfolio(options) => options.claims(true),
            // The number of layers is limited.
            Algorithm::Layers(options) => options.claims(false),
            Algorithm::Bfs(_) => crate::bfs::CLAIMS,
            Algorithm::TreeBfs(options) => options.claims(),
            Algorithm::GraphDfs(_) => crate::dfs::GRAPH_CLAIMS,
            Algorithm::TreeDfs(_) => crate::dfs::TREE_CLAIMS,
            Algorithm::Hybrid(_) => crate::hybrid::CLAIMS,
            Algorithm::AStar(options) | Algorithm::WeightedAStar(options) => options.claims(),
            Algorithm::Id(options) => options.claims(false),
            Algorithm::Ida(options) => options.claims(true),
            Algorithm::Ibex => crate::ibex::CLAIMS,
            Algorithm::Beam(_) => crate::beam::CLAIMS,
            Algorithm::RandomWalk(_) => crate::random_walk::CLAIMS,
        }
    }

    /// Creates the search. Returns `None` for solvers that the domain must run itself, and if a required heuristic is missing.
    pub fn start<'a, D: Domain, H: Heuristic<D> + 'a>(
        &self,
        domain: &'a D,
        heuristic: Option<H>,
    ) -> Option<Box<dyn Search<D> + 'a>> {
        Some(match *self {
            Algorithm::Exact | Algorithm::Portfolio(_) | Algorithm::Layers(_) => return None,
            Algorithm::Bfs(options) => Box::new(Bfs::with_options(domain, options)),
            Algorithm::TreeBfs(options) => Box::new(TreeBfs::new(domain, options)),
            Algorithm::GraphDfs(options) => Box::new(GraphDfs::with_options(domain, options)),
            Algorithm::TreeDfs(options) => Box::new(TreeDfs::new(domain, options)),
            Algorithm::Hybrid(options) => Box::new(Hybrid::new(domain, options)),
            Algorithm::AStar(options) | Algorithm::WeightedAStar(options) => {
                AStar::new(domain, heuristic?, options).into_search()
            }
            Algorithm::Id(options) => Box::new(IterativeDeepening::new(domain, None::<Zero>, options)),
            Algorithm::Ida(options) => Box::new(IterativeDeepening::new(domain, Some(heuristic?), options)),
            Algorithm::Ibex => Box::new(Ibex::new(domain, heuristic?)),
            Algorithm::Beam(options) => Box::new(Beam::new(domain, heuristic?, options)),
            Algorithm::RandomWalk(options) => Box::new(RandomWalk::new(domain, options)),
        })
    }

    /// Returns whether it is a solver that the domain must run itself.
    pub fn belongs_to_domain(&self) -> bool {
        matches!(self, Algorithm::Exact | Algorithm::Portfolio(_) | Algorithm::Layers(_))
    }

    /// Default node limit: that of GP-Rush for iterative deepening, otherwise none.
    pub fn default_node_limit(&self) -> Option<u64> {
        self.is_deepening().then_some(crate::deepening::NODE_LIMIT)
    }

    /// Returns whether it evaluates the same states repeatedly, so that caching estimates pays off.
    pub fn revisits_states(&self) -> bool {
        self.is_deepening() || matches!(self, Algorithm::Ibex)
    }

    /// Returns whether only the order of the estimates matters, not their values.
    pub fn uses_order_only(&self) -> bool {
        match self {
            Algorithm::Ida(options) => !options.prunes(),
            Algorithm::AStar(options) | Algorithm::WeightedAStar(options) => options.greedy,
            Algorithm::Beam(_) => true,
            _ => false,
        }
    }

    /// Returns whether the estimate of the start determines the first threshold.
    pub fn sets_threshold(&self) -> bool {
        matches!(self, Algorithm::Ida(options) if options.prunes())
    }

    fn is_deepening(&self) -> bool {
        matches!(self, Algorithm::Id(_) | Algorithm::Ida(_))
    }

    /// Sets an option from text, such as `weight` to `2.5`. Returns a message if the name or the value is invalid.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
        let info = self.info();
        match info.options.iter().find(|option| option.name == name) {
            Some(option) => {
                let value = option.parse(text)?;
                (option.set)(self, value);
                Ok(())
            }
            None => Err(info.unknown_option(name, None)),
        }
    }
}

/// A heuristic as part of a specification.
pub trait HeuristicSpec: fmt::Display {
    /// Placeholder in usage texts.
    const USAGE: &'static str;
    /// Names of the arguments `NAME=VALUE` that describe a heuristic.
    const KEYS: &'static [&'static str];

    /// Returns whether it is learned rather than designed. By default, best-first search with a learned heuristic does not
    /// reopen states, and takes the shortcut through expanded states.
    fn is_learned(&self) -> bool;
}

/// A configured search: an algorithm with its options, and its heuristic.
///
/// The type of the heuristic belongs to the domain: this crate only prints it and asks whether it is learned.
///
/// ```
/// use clearway_search::spec::{HeuristicSpec, SearchSpec};
/// use clearway_util::syntax::SyntaxError;
/// # #[derive(Debug)] struct Manhattan;
/// # impl std::fmt::Display for Manhattan {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("manhattan") }
/// # }
/// # impl HeuristicSpec for Manhattan {
/// #     const USAGE: &'static str = "HEURISTIC";
/// #     const KEYS: &'static [&'static str] = &[];
/// #     fn is_learned(&self) -> bool { false }
/// # }
/// let read = |text: &str| match text {
///     "manhattan" => Ok(Manhattan),
///     _ => Err(SyntaxError::new(0..0, "unknown heuristic")),
/// };
/// let spec = SearchSpec::parse("ida(manhattan, increment=2)", &read).unwrap();
/// assert_eq!(spec.to_string(), "ida(manhattan, prune, increment=2)");
/// assert!(SearchSpec::parse("ida(manhattan, increment=0)", &read).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpec<H> {
    algorithm: Algorithm,
    heuristic: Option<H>,
}

impl<H: HeuristicSpec> SearchSpec<H> {
    /// Creates a search without a heuristic; `None` if the algorithm requires one.
    pub fn unguided(algorithm: Algorithm) -> Option<SearchSpec<H>> {
        (!algorithm.info().guided).then_some(SearchSpec { algorithm, heuristic: None })
    }

    /// Creates a search with a heuristic; `None` if the algorithm does not take one.
    pub fn guided(algorithm: Algorithm, heuristic: H) -> Option<SearchSpec<H>> {
        algorithm.info().guided.then_some(SearchSpec { algorithm, heuristic: Some(heuristic) })
    }

    /// Algorithm with its options.
    pub fn algorithm(&self) -> &Algorithm {
        &self.algorithm
    }

    /// Heuristic, if the algorithm takes one.
    pub fn heuristic(&self) -> Option<&H> {
        self.heuristic.as_ref()
    }

    /// Sets an option from text. Returns a message if the name or the value is invalid.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
        self.algorithm.set(name, text)
    }

    /// Whether an option of the algorithm has another value than its default.
    pub fn changes(&self, option: &OptionInfo) -> bool {
        let defaults = (self.algorithm.info().new)(self.heuristic.as_ref().is_some_and(H::is_learned));
        (option.get)(&self.algorithm) != (option.get)(&defaults)
    }
}

/// Prints the canonical form, which parses to the same search.
impl<H: HeuristicSpec> fmt::Display for SearchSpec<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.algorithm.info();
        let mut arguments: Vec<String> = self.heuristic.iter().map(ToString::to_string).collect();
        let is_option = |name: &str| info.options.iter().any(|option| option.name == name);
        arguments.extend(info.selector.filter(|name| !is_option(name)).map(str::to_owned));
        for option in info.options {
            if option.is_always_printed || self.changes(option) {
                arguments.push(option.print((option.get)(&self.algorithm)));
            }
        }
        f.write_str(info.name)?;
        if arguments.is_empty() { Ok(()) } else { write!(f, "({})", arguments.join(", ")) }
    }
}

/// Serializes the canonical form as a string.
impl<H: HeuristicSpec> serde::Serialize for SearchSpec<H> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
