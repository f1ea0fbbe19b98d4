//! Declarations of solvers that belong to the domain, because they know the puzzle: the exact solver, and the anytime solvers,
//! which improve a plan and a lower bound until both meet. The domain runs them itself.

use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionInfo, OptionKind, option};

pub(crate) static EXACT_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "exact",
    selector: None,
    about: "A* on packed states, specialised for the puzzle",
    guided: false,
    options: &[],
    example: "exact",
    new: |_| Algorithm::Exact,
};

pub(crate) const EXACT_CLAIMS: Claims = Claims {
    complete: ClaimCondition::Always,
    optimal: ClaimCondition::Always,
    bound: (Bound::MinimumF, ClaimCondition::Always),
};

const OPTIONS: &[OptionInfo] = &[
    option!(Portfolio | Layers(first), OptionKind::Flag, "stop at the first plan"),
    option!(
        Portfolio | Layers(within),
        OptionKind::Real(1.0, 1e6),
        "stop at a plan that is proven to be at most this many times as long as an optimal one"
    ),
];

pub(crate) static PORTFOLIO_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "portfolio",
    selector: None,
    about: "A*, abstraction, layered SAT and proofs of unsolvability in turn: the solver of clearway solve",
    guided: false,
    options: OPTIONS,
    example: "portfolio(within=1.1)",
    new: |_| Algorithm::Portfolio(AnytimeOptions::default()),
};

pub(crate) static LAYERS_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "layers",
    selector: None,
    about: "layered SAT: plans in layers of independent moves, as a satisfiability problem",
    guided: false,
    options: OPTIONS,
    example: "layers(first)",
    new: |_| Algorithm::Layers(AnytimeOptions::default()),
};

/// Options of an anytime solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnytimeOptions {
    /// Whether to stop at the first plan.
    pub first: bool,
    /// Factor by which a plan may exceed the lower bound when the solver stops; at least 1.
    pub within: f64,
}

impl Default for AnytimeOptions {
    fn default() -> Self {
        AnytimeOptions { first: false, within: 1.0 }
    }
}

impl AnytimeOptions {
    /// What a solver with these options proves. `complete`: whether it finds a plan wherever there is one.
    pub(crate) fn claims(self, complete: bool) -> Claims {
        Claims {
            complete: ClaimCondition::Always.only_if(complete),
            optimal: ClaimCondition::Always.only_if(!self.first && self.within <= 1.0),
            bound: (Bound::Engines, ClaimCondition::Always),
        }
    }
}
