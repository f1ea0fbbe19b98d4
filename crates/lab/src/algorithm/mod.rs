//! An algorithm as one expression, such as `bfs`, `astar(blockers)` or `ida(h1, prune, increment=5)`.

mod estimator;
mod list;
mod parser;
mod solve;

pub use estimator::Estimator;
pub use list::{AlgorithmInfo, LIST, OptionInfo, Value};
pub use parser::AlgorithmError;
pub use solve::LabOutcome;

use clearway_policy::{Firing, NamedPolicy, Policy};
use clearway_rush::Metric;
use clearway_search::astar::AStarOptions;
use clearway_search::deepening::{DeepeningOptions, Guide, Memo};
use clearway_search::hybrid::HybridOptions;
use clearway_search::tree_bfs::{Prune, TreeBfsOptions};
use parser::Call;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// How many nodes iterative deepening expands at most, unless a limit is given: as in GP-Rush.
pub const DEEPENING_NODES: u64 = 1_500_000;

/// An algorithm with its options and its heuristic.
///
/// ```
/// use clearway_lab::Algorithm;
/// let algorithm: Algorithm = "ida(h1, increment=5, prune)".parse().unwrap();
/// assert_eq!(algorithm.to_string(), "ida(blockers-lower-bound, prune, increment=5)");
/// assert!("bfs(blockers)".parse::<Algorithm>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Algorithm {
    /// The exact solver.
    Exact,
    /// Breadth-first search over states.
    Bfs,
    /// Breadth-first search over paths.
    TreeBfs(TreeBfsOptions),
    /// Depth-first search over states.
    GraphDfs,
    /// Depth-first search over paths, to a depth.
    TreeDfs(u32),
    /// Breadth-first, then depth-first search over paths.
    Hybrid(HybridOptions),
    /// A* and its relatives.
    AStar(Estimator, AStarOptions, Relative),
    /// Iterative deepening.
    Deepening(Option<Estimator>, DeepeningOptions),
    /// Budgeted iterative deepening.
    Ibex(Estimator),
    /// Beam search that keeps so many states.
    Beam(Estimator, u32),
    /// A random walk: its seed and its length.
    RandomWalk(u64, u64),
}

/// By which name A* was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relative {
    /// `astar`.
    Plain,
    /// `wastar`.
    Weighted,
    /// `greedy`.
    Greedy,
}

impl Algorithm {
    /// Its entry in the list.
    pub fn info(&self) -> Option<&'static AlgorithmInfo> {
        let text = self.to_string();
        AlgorithmInfo::find(text.split('(').next().unwrap_or(&text))
    }

    /// Whether its solutions are known to be shortest ones in a metric.
    pub fn optimal(&self, metric: Metric) -> bool {
        match self {
            Algorithm::Exact
            | Algorithm::Bfs
            | Algorithm::TreeBfs(_)
            | Algorithm::TreeDfs(_)
            | Algorithm::Hybrid(_) => true,
            Algorithm::AStar(heuristic, options, _) => {
                options.reopen && !options.greedy && options.weight <= 1.0 && heuristic.admissible(metric)
            }
            Algorithm::Deepening(heuristic, options) => {
                let pruned = heuristic.as_ref().filter(|_| options.guide != Guide::Order);
                options.increment == 1 && pruned.is_none_or(|heuristic| heuristic.admissible(metric))
            }
            Algorithm::Ibex(heuristic) => heuristic.admissible(metric),
            Algorithm::GraphDfs | Algorithm::Beam(..) | Algorithm::RandomWalk(..) => false,
        }
    }

    /// The search that a policy says it is made for, or else weighted A* with weight 1 and the defaults for policies. The
    /// rules that fire are counted if that is asked for.
    ///
    /// ```
    /// use clearway_lab::Algorithm;
    /// use clearway_policy::NamedPolicy;
    /// let algorithm = Algorithm::of_policy(&NamedPolicy::open("hand").unwrap(), None).unwrap();
    /// assert_eq!(algorithm.to_string(), "ida(policy=hand, prune, increment=5)");
    /// ```
    pub fn of_policy(policy: &NamedPolicy, firing: Option<Arc<Firing>>) -> Result<Algorithm, AlgorithmError> {
        let own = Estimator::Policy(policy.clone(), firing);
        let text = policy.policy.search.as_deref().unwrap_or("wastar(policy, weight=1)");
        // Whatever policy the text may name, it would be another one; so none is looked for.
        let call = Call::read(text, Some(own.clone()), &|_| Err(GUIDED_BY_ITSELF.to_owned()))?;
        if call.heuristic.as_ref() != Some(&own) {
            return Err(call.error(GUIDED_BY_ITSELF));
        }
        Algorithm::read(call)
    }

    /// Reads an algorithm whose policies are given by a function of their names. Reading one [from a text](FromStr) alone
    /// takes shipped policies and files.
    ///
    /// ```
    /// use clearway_lab::Algorithm;
    /// use clearway_policy::NamedPolicy;
    /// let shipped = |name: &str| NamedPolicy::shipped(name).ok_or("only shipped policies may be used here");
    /// assert!(Algorithm::parse_with("ida(policy=hand)", shipped).is_ok());
    /// let error = Algorithm::parse_with("ida(policy=/etc/passwd)", shipped).unwrap_err();
    /// assert_eq!(error.message, "only shipped policies may be used here");
    /// ```
    pub fn parse_with<E: fmt::Display>(
        text: &str,
        policies: impl Fn(&str) -> Result<NamedPolicy, E>,
    ) -> Result<Algorithm, AlgorithmError> {
        Algorithm::read(Call::read(text, None, &|name| policies(name).map_err(|error| error.to_string()))?)
    }

    /// The heuristic, if it has one.
    pub fn heuristic(&self) -> Option<&Estimator> {
        match self {
            Algorithm::AStar(heuristic, ..) | Algorithm::Ibex(heuristic) | Algorithm::Beam(heuristic, _) => {
                Some(heuristic)
            }
            Algorithm::Deepening(heuristic, _) => heuristic.as_ref(),
            _ => None,
        }
    }

    /// The policy that guides it, if one does.
    pub fn policy(&self) -> Option<&Policy> {
        match self.heuristic() {
            Some(Estimator::Policy(named, _)) => Some(&named.policy),
            _ => None,
        }
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, AlgorithmError> {
        Algorithm::parse_with(text, NamedPolicy::open)
    }
}

const GUIDED_BY_ITSELF: &str = "the search of a policy is guided by it, as in wastar(policy, weight=2)";

impl Algorithm {
    fn read(mut call: Call) -> Result<Algorithm, AlgorithmError> {
        let by_policy = call.heuristic.as_ref().is_some_and(Estimator::is_policy);
        let yes = |option: &str, default: bool| call.word(option).map_or(default, |word| word == "yes");
        let number = |name: &str, default: u32| call.number(name).map_or(default, |number| number as u32);
        let options = |weight, greedy| AStarOptions {
            weight,
            greedy,
            reopen: yes("reopen", !by_policy),
            shortcut: yes("shortcut", by_policy),
        };
        let deepening = |guide| DeepeningOptions {
            increment: number("increment", 1),
            growth: call.real("growth").unwrap_or(1.0),
            guide,
            memo: if call.word("memo") == Some("kept") { Memo::Kept } else { Memo::Cleared },
            reopen: yes("reopen", true),
            shortcut: yes("shortcut", false),
        };
        let simple = match call.info.name {
            "exact" => Some(Algorithm::Exact),
            "bfs" => Some(breadth_first(&call)?),
            "dfs" => Some(call.number("depth").map_or(Algorithm::GraphDfs, |depth| Algorithm::TreeDfs(depth as u32))),
            "hybrid" => {
                Some(Algorithm::Hybrid(HybridOptions { cutoff: number("cutoff", 6), depth: number("depth", 20) }))
            }
            "id" => Some(Algorithm::Deepening(None, deepening(Guide::default()))),
            "random-walk" => {
                Some(Algorithm::RandomWalk(call.number("seed").unwrap_or(1), call.number("steps").unwrap_or(1_000_000)))
            }
            _ => None,
        };
        if let Some(algorithm) = simple {
            return Ok(algorithm);
        }
        let guided: Box<dyn FnOnce(Estimator) -> Algorithm> = match call.info.name {
            "astar" => {
                let options = options(1.0, false);
                Box::new(move |h| Algorithm::AStar(h, options, Relative::Plain))
            }
            "wastar" => {
                let options = options(call.real("weight").unwrap_or(2.0), false);
                Box::new(move |h| Algorithm::AStar(h, options, Relative::Weighted))
            }
            "greedy" => {
                let options = options(1.0, true);
                Box::new(move |h| Algorithm::AStar(h, options, Relative::Greedy))
            }
            "ida" => {
                let options = deepening(guide(&call)?);
                Box::new(move |h| Algorithm::Deepening(Some(h), options))
            }
            "ibex" => Box::new(Algorithm::Ibex),
            _ => {
                let width = number("width", 100);
                Box::new(move |h| Algorithm::Beam(h, width))
            }
        };
        let Some(heuristic) = call.heuristic.take() else { return Err(call.error("a heuristic is expected")) };
        Ok(guided(heuristic))
    }
}

fn breadth_first(call: &Call) -> Result<Algorithm, AlgorithmError> {
    if !call.flag("tree") {
        if call.flag("early") || call.word("prune").is_some() || call.number("depth").is_some() {
            return Err(call.error("early, prune and depth are for the search over paths: bfs(tree, ...)"));
        }
        return Ok(Algorithm::Bfs);
    }
    let prune = match call.word("prune") {
        Some("pre") => Prune::Pre,
        Some("post") => Prune::Post,
        _ => Prune::None,
    };
    let depth = call.number("depth").map_or(u32::MAX, |depth| depth as u32);
    Ok(Algorithm::TreeBfs(TreeBfsOptions { prune, early: call.flag("early"), depth }))
}

fn guide(call: &Call) -> Result<Guide, AlgorithmError> {
    match (call.flag("order"), call.flag("prune"), call.flag("both")) {
        (true, false, false) => Ok(Guide::Order),
        (false, _, false) => Ok(Guide::Prune),
        (false, false, true) => Ok(Guide::Both),
        _ => Err(call.error("only one of order, prune and both may be given")),
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut arguments: Vec<String> = self.heuristic().map(Estimator::to_string).into_iter().collect();
        let mut give = |argument: String| arguments.push(argument);
        let name = match self {
            Algorithm::Exact => "exact",
            Algorithm::Bfs => "bfs",
            Algorithm::TreeBfs(options) => {
                give("tree".to_string());
                if options.early {
                    give("early".to_string());
                }
                match options.prune {
                    Prune::None => {}
                    Prune::Pre => give("prune=pre".to_string()),
                    Prune::Post => give("prune=post".to_string()),
                }
                if options.depth != u32::MAX {
                    give(format!("depth={}", options.depth));
                }
                "bfs"
            }
            Algorithm::GraphDfs => "dfs",
            Algorithm::TreeDfs(depth) => {
                give(format!("depth={depth}"));
                "dfs"
            }
            Algorithm::Hybrid(options) => {
                give(format!("cutoff={}", options.cutoff));
                give(format!("depth={}", options.depth));
                "hybrid"
            }
            Algorithm::AStar(heuristic, options, relative) => {
                if *relative == Relative::Weighted {
                    give(format!("weight={}", options.weight));
                }
                // A policy has other defaults.
                let by_policy = heuristic.is_policy();
                for (name, given, default) in
                    [("reopen", options.reopen, !by_policy), ("shortcut", options.shortcut, by_policy)]
                {
                    if given != default {
                        give(format!("{name}={}", if given { "yes" } else { "no" }));
                    }
                }
                match relative {
                    Relative::Plain => "astar",
                    Relative::Weighted => "wastar",
                    Relative::Greedy => "greedy",
                }
            }
            Algorithm::Deepening(heuristic, options) => {
                if heuristic.is_some() {
                    give(
                        match options.guide {
                            Guide::Order => "order",
                            Guide::Prune => "prune",
                            Guide::Both => "both",
                        }
                        .to_string(),
                    );
                }
                give(format!("increment={}", options.increment));
                if options.growth > 1.0 {
                    give(format!("growth={}", options.growth));
                }
                if options.memo == Memo::Kept {
                    give("memo=kept".to_string());
                }
                if !options.reopen {
                    give("reopen=no".to_string());
                }
                if options.shortcut {
                    give("shortcut=yes".to_string());
                }
                if heuristic.is_some() { "ida" } else { "id" }
            }
            Algorithm::Ibex(_) => "ibex",
            Algorithm::Beam(_, width) => {
                give(format!("width={width}"));
                "beam"
            }
            Algorithm::RandomWalk(seed, steps) => {
                give(format!("seed={seed}"));
                give(format!("steps={steps}"));
                "random-walk"
            }
        };
        f.write_str(name)?;
        if arguments.is_empty() { Ok(()) } else { write!(f, "({})", arguments.join(", ")) }
    }
}
