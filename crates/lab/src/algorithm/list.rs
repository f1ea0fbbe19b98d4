//! The algorithms and their options, as expressions name them.

/// An algorithm that expressions can name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlgorithmInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Whether it is given a heuristic.
    pub heuristic: bool,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// How it may be written.
    pub example: &'static str,
}

/// An option of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub value: Value,
    /// What it does, in a few words.
    pub about: &'static str,
}

/// What an option may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A mere word: it is there or not.
    Flag,
    /// A whole number in a range.
    Number(u64, u64),
    /// A number from here on.
    Real(f64),
    /// One of these words.
    Word(&'static [&'static str]),
}

impl OptionInfo {
    /// How it is written.
    pub fn usage(&self) -> String {
        match self.value {
            Value::Flag => self.name.to_string(),
            Value::Number(..) | Value::Real(_) => format!("{}=N", self.name),
            Value::Word(words) => format!("{}={}", self.name, words.join("|")),
        }
    }
}

impl AlgorithmInfo {
    /// The algorithm of that name.
    pub fn find(name: &str) -> Option<&'static AlgorithmInfo> {
        LIST.iter().find(|info| info.name == name)
    }

    /// What it takes between its parentheses.
    pub fn arguments(&self) -> Vec<String> {
        let heuristic = self.heuristic.then(|| "HEURISTIC|policy=FILE".to_string());
        heuristic.into_iter().chain(self.options.iter().map(OptionInfo::usage)).collect()
    }
}

const fn option(name: &'static str, value: Value, about: &'static str) -> OptionInfo {
    OptionInfo { name, value, about }
}

const MOST: u64 = u32::MAX as u64;
const DEPTH: OptionInfo = option("depth", Value::Number(1, MOST), "the length of the longest paths");
const REOPEN: OptionInfo = option(
    "reopen",
    Value::Word(&["yes", "no"]),
    "whether a state is updated when a shorter way to it is found; a policy: no",
);
const SHORTCUT: OptionInfo = option(
    "shortcut",
    Value::Word(&["yes", "no"]),
    "whether the shortest way through what was expanded is taken at the end; a policy: yes",
);
const DEEP_REOPEN: OptionInfo = option(
    "reopen",
    Value::Word(&["yes", "no"]),
    "whether a state is searched again in the same iteration when a shorter way to it is found; yes by default",
);
const DEEP_SHORTCUT: OptionInfo = option(
    "shortcut",
    Value::Word(&["yes", "no"]),
    "whether the shortest way through what the table holds as expanded is taken at the end; no by default",
);
const INCREMENT: OptionInfo = option("increment", Value::Number(1, MOST), "by how much the bound grows; 1 by default");
const GROWTH: OptionInfo = option(
    "growth",
    Value::Real(1.0),
    "what the increment is multiplied with each time the bound has grown; 1 by default",
);
const MEMO: OptionInfo =
    option("memo", Value::Word(&["cleared", "kept"]), "what becomes of the table between iterations");

/// All algorithms.
pub static LIST: &[AlgorithmInfo] = &[
    AlgorithmInfo {
        name: "exact",
        about: "the exact solver, which knows the puzzle",
        heuristic: false,
        options: &[],
        example: "exact",
    },
    AlgorithmInfo {
        name: "bfs",
        about: "breadth-first search over states, or (tree) over paths",
        heuristic: false,
        options: &[
            option("tree", Value::Flag, "search paths instead of states; the other options need this"),
            option("early", Value::Flag, "detect a solution before it is queued"),
            option("prune", Value::Word(&["none", "pre", "post"]), "what is done about equal states in the queue"),
            DEPTH,
        ],
        example: "bfs(tree, early, prune=post)",
    },
    AlgorithmInfo {
        name: "dfs",
        about: "depth-first search over states, or (depth) over paths",
        heuristic: false,
        options: &[DEPTH],
        example: "dfs(depth=20)",
    },
    AlgorithmInfo {
        name: "hybrid",
        about: "breadth-first, then depth-first search over paths",
        heuristic: false,
        options: &[
            option("cutoff", Value::Number(0, MOST), "the depth at which depth-first search takes over; 6 by default"),
            option("depth", Value::Number(1, MOST), "the length of the longest paths; 20 by default"),
        ],
        example: "hybrid(cutoff=6)",
    },
    AlgorithmInfo {
        name: "astar",
        about: "A*: best first by path length plus estimate",
        heuristic: true,
        options: &[REOPEN, SHORTCUT],
        example: "astar(blockers)",
    },
    AlgorithmInfo {
        name: "wastar",
        about: "weighted A*: best first by path length plus a multiple of the estimate",
        heuristic: true,
        options: &[
            option("weight", Value::Real(0.0), "what the estimate is multiplied with; 2 by default"),
            REOPEN,
            SHORTCUT,
        ],
        example: "wastar(h1, weight=3)",
    },
    AlgorithmInfo {
        name: "greedy",
        about: "greedy best-first search: by the estimate alone",
        heuristic: true,
        options: &[REOPEN, SHORTCUT],
        example: "greedy(h1)",
    },
    AlgorithmInfo {
        name: "id",
        about: "iterative deepening with a transposition table",
        heuristic: false,
        options: &[INCREMENT, GROWTH, MEMO, DEEP_REOPEN, DEEP_SHORTCUT],
        example: "id(increment=5)",
    },
    AlgorithmInfo {
        name: "ida",
        about: "iterative deepening guided by a heuristic",
        heuristic: true,
        options: &[
            option("order", Value::Flag, "the heuristic orders successors"),
            option("prune", Value::Flag, "the heuristic cuts what exceeds the bound (the default)"),
            option("both", Value::Flag, "it does both"),
            INCREMENT,
            GROWTH,
            MEMO,
            DEEP_REOPEN,
            DEEP_SHORTCUT,
        ],
        example: "ida(h1, prune, increment=5, memo=kept)",
    },
    AlgorithmInfo {
        name: "ibex",
        about: "iterative deepening with a budget, for heuristics with many distinct values",
        heuristic: true,
        options: &[],
        example: "ibex(landmarks)",
    },
    AlgorithmInfo {
        name: "beam",
        about: "breadth-first search that keeps only the best states of a depth",
        heuristic: true,
        options: &[option("width", Value::Number(1, MOST), "how many states are kept; 100 by default")],
        example: "beam(h1, width=100)",
    },
    AlgorithmInfo {
        name: "random-walk",
        about: "moves at random: the floor",
        heuristic: false,
        options: &[
            option("seed", Value::Number(0, u64::MAX), "which walk; 1 by default"),
            option("steps", Value::Number(1, u64::MAX), "how many moves are made; 1000000 by default"),
        ],
        example: "random-walk(seed=1, steps=1000000)",
    },
];
