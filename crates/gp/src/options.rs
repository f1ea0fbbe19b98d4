//! Options of evolution.

use crate::{Operators, Selection};
use serde::{Deserialize, Serialize};

/// Everything that determines the result besides the problem. The numbers of threads and generations are not included: a run may
/// be resumed with others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct EvolutionOptions {
    /// Number of individuals on all islands together.
    pub population: u32,
    /// Number of islands: subpopulations with selection of their own.
    pub islands: u32,
    /// Generations between two migrations of the best of each island to the next; 0 for never.
    pub migration: u32,
    /// Number of migrants per island.
    pub migrants: u32,
    /// Number of individuals per island that survive unchanged.
    pub elites: u32,
    /// Selection of parents.
    pub selection: Selection,
    /// Variation operators.
    pub operators: Operators,
    /// Initialisation of the first population.
    pub initial: Initialization,
    /// Maximum depth of its trees, where the layout allows it.
    pub initial_depth: u32,
    /// Random seed.
    pub seed: u64,
}

/// How the trees of the first population are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Initialization {
    /// Koza's ramped half-and-half: half of the trees full, half grown, of all depths.
    #[default]
    Ramped,
    /// Every node is drawn by the weights of the primitives.
    Weighted,
}

impl Default for EvolutionOptions {
    fn default() -> Self {
        EvolutionOptions {
            population: 100,
            islands: 1,
            migration: 10,
            migrants: 1,
            elites: 1,
            selection: Selection::Tournament(3),
            operators: Operators::default(),
            initial: Initialization::default(),
            initial_depth: 5,
            seed: 0,
        }
    }
}

/// Why options are invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// Too few or too many individuals.
    #[error("invalid population {population}: expected 1 to {most}", most = EvolutionOptions::MAX_POPULATION)]
    InvalidPopulation {
        /// Requested number.
        population: u32,
    },
    /// Islands without individuals.
    #[error("a population of {population} cannot be divided into {islands} islands")]
    InvalidIslandCount {
        /// Number of individuals.
        population: u32,
        /// Number of islands.
        islands: u32,
    },
    /// No room for children.
    #[error("{elites} elites and {migrants} migrants leave no room for children on an island of {size}")]
    NoRoomForChildren {
        /// Elites of an island.
        elites: u32,
        /// Migrants of an island.
        migrants: u32,
        /// Size of the smallest island.
        size: u32,
    },
    /// The tournament size is out of range.
    #[error("invalid tournament size {rounds}: expected 1 to {population}")]
    InvalidTournamentSize {
        /// Tournament size.
        rounds: u32,
        /// Number of individuals.
        population: u32,
    },
    /// A share or a probability is not between 0 and 1.
    #[error("invalid {name} {value}: expected 0 to 1")]
    ShareOutOfRange {
        /// Name of the option.
        name: &'static str,
        /// Rejected value of the option.
        value: f64,
    },
    /// Probabilities have a wrong sum.
    #[error("the probabilities of {what} add up to {sum}; expected {bound}")]
    WrongSum {
        /// What they choose.
        what: &'static str,
        /// Sum of the probabilities that were given.
        sum: f64,
        /// Allowed sum.
        bound: &'static str,
    },
    /// The jitter is out of range.
    #[error("invalid jitter of constants {0}: expected 0 to 10")]
    JitterOutOfRange(f64),
}

impl EvolutionOptions {
    /// Largest population.
    pub const MAX_POPULATION: u32 = 1_000_000;

    /// Rejects invalid options.
    pub fn check(&self) -> Result<(), OptionsError> {
        let EvolutionOptions { population, islands, elites, .. } = *self;
        if !(1..=Self::MAX_POPULATION).contains(&population) {
            return Err(OptionsError::InvalidPopulation { population });
        }
        if !(1..=population).contains(&islands) {
            return Err(OptionsError::InvalidIslandCount { population, islands });
        }
        let migrants = if islands > 1 && self.migration > 0 { self.migrants } else { 0 };
        let size = population / islands;
        if elites.saturating_add(migrants) >= size {
            return Err(OptionsError::NoRoomForChildren { elites, migrants, size });
        }
        if let Selection::Tournament(rounds) = self.selection
            && !(1..=population).contains(&rounds)
        {
            return Err(OptionsError::InvalidTournamentSize { rounds, population });
        }
        self.operators.check()
    }

    /// Positions of an island within the population.
    pub(crate) fn places(&self, island: u32) -> std::ops::Range<usize> {
        let bound = |island: u32| (u64::from(self.population) * u64::from(island) / u64::from(self.islands)) as usize;
        bound(island)..bound(island + 1)
    }
}
