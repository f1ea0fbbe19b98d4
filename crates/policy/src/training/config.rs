//! All that decides what a run of evolution comes to.

use super::search::PolicySearch;
use crate::terminals::TerminalSet;
use clearway_gp::{EvolutionOptions, Operators, Selection};
use clearway_search::deepening::{DeepeningOptions, Guide, Memo};
use serde::{Deserialize, Serialize};

/// What makes a policy good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// Few nodes; with [`Config::longest`], only as long as the solutions stay short.
    #[default]
    Nodes,
    /// Little time, by what an expansion and the terminals cost.
    Time,
    /// GP-Rush's: the mean percentage of nodes saved, and nothing for a board that was not solved.
    Saved,
}

/// All that decides what a run of evolution comes to, besides its boards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Generations.
    pub generations: u32,
    /// The terminals that trees are made of.
    pub terminals: TerminalSet,
    /// Rules of a policy, besides the default.
    pub rules: usize,
    /// Levels of a tree.
    pub depth: u32,
    /// What is aimed at.
    pub objective: Objective,
    /// How long solutions may be on the mean, as a multiple of the shortest; 0 for any length.
    pub longest: f64,
    /// Boards that a generation is judged on.
    pub sample: usize,
    /// For how many generations these stay the same.
    pub resample: u32,
    /// The most states expanded for a board.
    pub nodes: u64,
    /// A search is ended when it takes so many times the nodes that are usual by now; 0 for never.
    pub cap: f64,
    /// Whether an individual that does badly on the first boards is spared the others.
    pub racing: bool,
    /// Whether policies that behave the same at a fixed set of nodes are judged once.
    pub reuse: bool,
    /// Whether the first population holds variants of the [linear fit](super::LinearFit).
    pub founders: bool,
    /// Policies that the first population holds too, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// The search that policies guide.
    pub search: PolicySearch,
    /// The engine.
    pub evolution: EvolutionOptions,
}

impl Config {
    /// What GP-Rush did.
    pub fn paper() -> Config {
        Config {
            generations: 100,
            terminals: TerminalSet::Paper,
            rules: 5,
            depth: 5,
            objective: Objective::Saved,
            longest: 0.0,
            sample: 10,
            resample: 1,
            nodes: 1_500_000,
            cap: 0.0,
            racing: false,
            reuse: false,
            founders: false,
            from: Vec::new(),
            search: PolicySearch::ida(DeepeningOptions { increment: 5, ..DeepeningOptions::default() }),
            evolution: EvolutionOptions { population: 50, ..EvolutionOptions::default() },
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            generations: 150,
            terminals: TerminalSet::Extended,
            rules: 3,
            depth: 6,
            objective: Objective::Nodes,
            longest: 1.15,
            sample: 32,
            resample: 20,
            nodes: 1_500_000,
            cap: 3.0,
            racing: true,
            reuse: true,
            founders: true,
            from: Vec::new(),
            search: PolicySearch::ida(DeepeningOptions {
                increment: 4,
                growth: 2.0,
                guide: Guide::Both,
                memo: Memo::Kept,
                reopen: false,
                shortcut: true,
            }),
            evolution: EvolutionOptions {
                population: 24,
                elites: 3,
                selection: Selection::Tournament(6),
                operators: Operators {
                    reproduction: 0.0,
                    crossover: 0.3,
                    mutation: 0.7,
                    group_crossover: 0.3,
                    group_mutation: 0.05,
                    constant_mutation: 0.6,
                    hoist_mutation: 0.08,
                    shrink_mutation: 0.07,
                    jitter: 0.3,
                    inner: 0.7,
                    ..Operators::default()
                },
                ..EvolutionOptions::default()
            },
        }
    }
}
