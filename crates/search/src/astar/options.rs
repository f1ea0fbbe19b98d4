//! Declarations of A*, weighted A* and greedy best-first search, their options, and what they prove.

use super::open_list::TieBreaking;
use crate::MoveOrder;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionInfo, OptionKind, option};

pub(crate) static ASTAR_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "astar",
    selector: None,
    about: "A*: best first by path length plus estimate",
    guided: true,
    options: &[REOPEN, SHORTCUT, TIES, ORDER, DEFERRED, PREFERRED, NOVELTY, RANKED, NEIGHBOURHOOD],
    example: "astar(blockers)",
    new: |learned| Algorithm::AStar(AStarOptions::for_heuristic(learned)),
};

pub(crate) static WASTAR_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "wastar",
    selector: None,
    about: "weighted A*: best first by path length plus a multiple of the estimate",
    guided: true,
    options: &[
        option!(AStar | WeightedAStar(weight), OptionKind::Real(0.0, 1e6), *"factor of the estimate"),
        REOPEN,
        SHORTCUT,
        TIES,
        ORDER,
        DEFERRED,
        PREFERRED,
        NOVELTY,
        RANKED,
        NEIGHBOURHOOD,
    ],
    example: "wastar(h1, weight=3)",
    new: |learned| Algorithm::WeightedAStar(AStarOptions { weight: 2.0, ..AStarOptions::for_heuristic(learned) }),
};

pub(crate) static GREEDY_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "greedy",
    selector: None,
    about: "greedy best-first search: by the estimate alone",
    guided: true,
    options: &[REOPEN, SHORTCUT, TIES, ORDER, DEFERRED, PREFERRED, NOVELTY, RANKED, NEIGHBOURHOOD],
    example: "greedy(h1)",
    new: |learned| Algorithm::AStar(AStarOptions { greedy: true, ..AStarOptions::for_heuristic(learned) }),
};

const REOPEN: OptionInfo =
    option!(AStar | WeightedAStar(reopen), OptionKind::YesNo, "update a state when a shorter path to it is found");
const SHORTCUT: OptionInfo = option!(
    AStar | WeightedAStar(shortcut),
    OptionKind::YesNo,
    "return the shortest path through the expanded states instead of the one found"
);
const TIES: OptionInfo = option!(
    AStar | WeightedAStar(ties),
    OptionKind::Word(TieBreaking::WORDS),
    "state to expand among those with the same f: with the lowest h, or generated first or last"
)
.for_reproduction();
const ORDER: OptionInfo =
    option!(AStar | WeightedAStar(order), OptionKind::Word(MoveOrder::WORDS), "order of the moves, as in a report")
        .for_reproduction();
const DEFERRED: OptionInfo = option!(
    AStar | WeightedAStar(deferred),
    OptionKind::YesNo,
    "generate and evaluate a state only when it is expanded; until then, the open list holds its move, with the estimate of its parent"
);
const PREFERRED: OptionInfo = option!(
    AStar | WeightedAStar(preferred),
    OptionKind::YesNo,
    "expand states reached by preferred moves, those of the relaxed plan, more often"
);
const NOVELTY: OptionInfo = option!(
    AStar | WeightedAStar(novelty),
    OptionKind::Integer(0, 2),
    "expand novel states first: 1 compares positions of single pieces, 2 of pairs; 0 is off"
);
const RANKED: OptionInfo = option!(
    AStar | WeightedAStar(ranked),
    OptionKind::YesNo,
    "of the novel states, expand those with the most novel positions or pairs first"
);
const NEIGHBOURHOOD: OptionInfo = option!(
    AStar | WeightedAStar(neighbourhood),
    OptionKind::Integer(0, 1_000_000_000),
    "maximum number of states around the plan to expand, once it is found, to shorten it; 0 is off"
);

/// Options of [`AStar`](super::AStar).
#[allow(clippy::struct_excessive_bools, reason = "independent options, each declared by its own name")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AStarOptions {
    /// Factor of the estimate. Above 1, solutions may be suboptimal, but with an admissible heuristic at most by this factor.
    pub weight: f64,
    /// Whether to order the open list by the estimate alone, ignoring g and the weight.
    pub greedy: bool,
    /// Whether to update a state when a shorter path to it is found. Without this (a common mistake), a generated state keeps
    /// its first path, and the solution may be suboptimal even with an admissible heuristic.
    pub reopen: bool,
    /// Whether to replace the path found by the shortest path through expanded states.
    pub shortcut: bool,
    /// Choice among states with the same f.
    pub ties: TieBreaking,
    /// Order in which successors are generated.
    pub order: MoveOrder,
    /// Whether to generate and evaluate a state only when it is expanded. Until then it is a move of its parent and has its
    /// estimate; a winning move has the estimate 0.
    pub deferred: bool,
    /// Whether states that are reached by [preferred moves](crate::Heuristic::mark_preferred) are also in an open list of their
    /// own, which alternates with the main one and takes precedence for a while after the lowest estimate has decreased.
    pub preferred: bool,
    /// Whether novel states are expanded first: those with a value of a [variable](crate::Domain::variables) (1) or a pair of
    /// values (2) that no move has yet reached in a state with an estimate as low. 0 ignores novelty. With deferred evaluation, the
    /// moves of novel states come first.
    pub novelty: u32,
    /// Whether novel states with more such values or pairs precede those with fewer. Otherwise f alone orders them.
    pub ranked: bool,
    /// Maximum number of states around the plan that are expanded, once it is found, to shorten it. Enables the shortcut.
    pub neighbourhood: u64,
}

impl Default for AStarOptions {
    fn default() -> Self {
        AStarOptions {
            weight: 1.0,
            greedy: false,
            reopen: true,
            shortcut: false,
            ties: TieBreaking::default(),
            order: MoveOrder::default(),
            deferred: false,
            preferred: false,
            novelty: 0,
            ranked: false,
            neighbourhood: 0,
        }
    }
}

impl AStarOptions {
    /// Returns the default options for a designed or a learned heuristic. Learned heuristics are inadmissible and inconsistent:
    /// reopening is expensive and proves nothing, and the shortcut compensates for its absence.
    pub(crate) fn for_heuristic(learned: bool) -> Self {
        AStarOptions { reopen: !learned, shortcut: learned, ..AStarOptions::default() }
    }

    /// Returns what a search with these options proves.
    pub(crate) fn claims(&self) -> Claims {
        let bound = if self.reopen { Bound::MinimumF } else { Bound::Start };
        Claims {
            complete: ClaimCondition::Always,
            optimal: ClaimCondition::Admissible.only_if(self.is_in_order() && self.reopen),
            bound: (bound, ClaimCondition::Admissible),
        }
    }

    /// Returns the level of the open list of a state with this number of novel values or pairs.
    #[inline]
    pub(super) fn novelty_level(&self, novel: u32) -> u32 {
        if self.ranked { novel } else { novel.min(1) }
    }

    /// Returns whether states are expanded in the order of f = g + h or less, with their own estimates.
    pub(super) fn is_in_order(&self) -> bool {
        !self.greedy && self.weight <= 1.0 && !self.deferred && !self.preferred && self.novelty == 0
    }
}
