//! The declarations and options of iterative deepening, and what a search with given options proves.

use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionInfo, OptionKind, option, words};

/// Default node limit of iterative deepening, as in GP-Rush.
pub const NODE_LIMIT: u64 = 1_500_000;

pub(crate) static ID_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "id",
    selector: None,
    about: "iterative deepening with a transposition table, as in GP-Rush",
    guided: false,
    options: &[INCREMENT, GROWTH, MEMO, REOPEN, SHORTCUT, MACROS],
    example: "id(increment=5)",
    new: |_| Algorithm::Id(DeepeningOptions::default()),
};

pub(crate) static IDA_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ida",
    selector: None,
    about: "IDA*: iterative deepening guided by a heuristic",
    guided: true,
    options: &[
        option!(
            Id | Ida(guide),
            OptionKind::BareWord(HeuristicUse::WORDS),
            *"sort successors by their estimates, prune what exceeds the threshold, or both"
        ),
        INCREMENT,
        GROWTH,
        MEMO,
        REOPEN,
        SHORTCUT,
        MACROS,
    ],
    example: "ida(h1, prune, increment=5, memo=kept)",
    new: |_| Algorithm::Ida(DeepeningOptions::default()),
};

const INCREMENT: OptionInfo =
    option!(Id | Ida(increment), OptionKind::Integer(1, 1_000_000), *"increment of the threshold");
const GROWTH: OptionInfo =
    option!(Id | Ida(growth), OptionKind::Real(1.0, 1e6), "factor by which the increment grows after each iteration");
const MEMO: OptionInfo =
    option!(Id | Ida(memo), OptionKind::Word(Memo::WORDS), "transposition table between iterations");
const REOPEN: OptionInfo = option!(
    Id | Ida(reopen),
    OptionKind::YesNo,
    "search a state again in the same iteration when a shorter path to it is found"
);
const SHORTCUT: OptionInfo = option!(
    Id | Ida(shortcut),
    OptionKind::YesNo,
    "return the shortest path through the expanded states instead of the one found"
);

const MACROS: OptionInfo =
    option!(Id | Ida(macros), OptionKind::YesNo, "treat the target's whole way to the goal as one move, as in GP-Rush")
        .for_reproduction();

/// Use of the heuristic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeuristicUse {
    /// Successors are searched in the order of their estimates.
    Order,
    /// A state is pruned if the length of its path plus its estimate exceeds the threshold.
    #[default]
    Prune,
    /// Successors are ordered, and states beyond the threshold are pruned.
    Both,
}

words! { HeuristicUse { Order => "order", Prune => "prune", Both => "both" } }

/// Treatment of the transposition table between iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Memo {
    /// The table is cleared.
    #[default]
    Cleared,
    /// The table is kept: a state that was searched without success is not searched again with the same remaining depth.
    /// Without reopening, every iteration searches all states again, and only the states for the shortcut are kept.
    Kept,
}

words! { Memo { Cleared => "cleared", Kept => "kept" } }

/// Options of [`IterativeDeepening`](super::IterativeDeepening).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeepeningOptions {
    /// Increment of the threshold; at least 1.
    pub increment: u32,
    /// Factor by which the increment grows after each iteration; at least 1.
    pub growth: f64,
    /// Use of the heuristic, if there is one.
    pub guide: HeuristicUse,
    /// Treatment of the transposition table between iterations.
    pub memo: Memo,
    /// Whether to search a state again in the same iteration when a shorter path to it is found. Without this, an iteration
    /// expands no state twice, and the solution may be suboptimal even with an admissible heuristic.
    pub reopen: bool,
    /// Whether to replace the path found by the shortest path through expanded states.
    pub shortcut: bool,
    /// Whether to finish with a [macro move](crate::Domain::winning_macro). It makes a difference only where the domain needs
    /// several moves for it, as Rush Hour does in steps: the moves of the macro count 1 against the threshold.
    pub macros: bool,
}

impl Default for DeepeningOptions {
    fn default() -> Self {
        DeepeningOptions {
            increment: 1,
            growth: 1.0,
            guide: HeuristicUse::default(),
            memo: Memo::default(),
            reopen: true,
            shortcut: false,
            macros: false,
        }
    }
}

impl DeepeningOptions {
    /// Returns whether the heuristic, if there is one, prunes.
    pub fn prunes(&self) -> bool {
        self.guide != HeuristicUse::Order
    }

    /// Returns what a search with these options proves, with or without a heuristic. Without reopening, an iteration may fail
    /// although a solution within its threshold exists; a threshold that grows by more than 1 may admit a longer solution, and so
    /// may a macro move of several moves.
    pub(crate) fn claims(&self, guided: bool) -> Claims {
        // An inadmissible estimate may exceed every threshold.
        let sound = if guided && self.prunes() { ClaimCondition::Admissible } else { ClaimCondition::Always };
        let bound = if self.reopen { Bound::Threshold } else { Bound::Start };
        Claims {
            complete: sound,
            optimal: sound.only_if(self.reopen && self.increment == 1 && self.growth <= 1.0 && !self.macros),
            bound: (bound, sound),
        }
    }
}
