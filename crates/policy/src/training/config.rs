//! Configuration of an evolution of policies, with presets.

use super::search::PolicySearch;
use crate::terminals::TerminalSet;
use clearway_gp::{EvolutionOptions, Operators, Selection};
use clearway_search::deepening::{DeepeningOptions, HeuristicUse, Memo};
use serde::{Deserialize, Serialize};

/// What the fitness of a policy measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Objective {
    /// Number of expanded nodes, with a penalty if solutions are longer than allowed.
    #[default]
    Nodes,
    /// Estimated time, from the costs of an expansion and of the terminals.
    Time,
    /// Fitness of GP-Rush: the mean percentage of nodes saved, 0 for an unsolved board.
    Saved,
}

/// Configuration of an evolution of policies. Together with the boards, it determines the result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Number of generations.
    pub generations: u32,
    /// Terminals that trees may use.
    pub terminals: TerminalSet,
    /// Number of rules of a policy, not counting the default.
    pub rules: usize,
    /// Maximum number of levels of a tree.
    pub depth: u32,
    /// Objective of the evolution.
    pub objective: Objective,
    /// Maximum mean solution length, relative to the optimum; 0 for no limit.
    pub longest: f64,
    /// Number of boards that a generation is evaluated on.
    pub sample: usize,
    /// Number of generations until a new sample of boards is drawn.
    pub resample: u32,
    /// Maximum number of states to expand on a board.
    pub nodes: u64,
    /// A search is stopped at this multiple of the nodes that the best of the previous generation needed; 0 for no such limit.
    pub cap: f64,
    /// Whether the evaluation of an individual stops early if it does badly on the first boards.
    pub racing: bool,
    /// Whether the fitness of a policy is reused for all policies with the same behaviour at a fixed set of nodes.
    pub reuse: bool,
    /// Whether the initial population contains variants of the [linear fit](super::LinearFit).
    pub founders: bool,
    /// Policies to add to the initial population, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// Search that the policies guide.
    pub search: PolicySearch,
    /// Options of the evolutionary algorithm.
    pub evolution: EvolutionOptions,
}

impl Config {
    /// The configuration of GP-Rush.
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
                guide: HeuristicUse::Both,
                memo: Memo::Kept,
                reopen: false,
                shortcut: true,
                ..DeepeningOptions::default()
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
