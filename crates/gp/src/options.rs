//! The options of a run.

use crate::{Operators, Selection};
use serde::{Deserialize, Serialize};

/// All that decides what a run comes to, besides the problem. Neither the number of threads nor the number of
/// generations is among it: a run may be resumed with others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct EvolutionOptions {
    /// Individuals, of all islands together.
    pub population: u32,
    /// Populations that breed among themselves.
    pub islands: u32,
    /// Every so many generations the best of each island move to the next one; never if 0.
    pub migration: u32,
    /// How many of each island then move.
    pub migrants: u32,
    /// The best of each island survive unchanged: how many.
    pub elites: u32,
    /// How parents are chosen.
    pub selection: Selection,
    /// How children are made.
    pub operators: Operators,
    /// How the first population comes about.
    pub initial: Initial,
    /// The greatest depth of its trees, where the layout allows it.
    pub initial_depth: u32,
    /// Where all randomness comes from.
    pub seed: u64,
}

/// How the random individuals of the first population get their form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Initial {
    /// Half of them full, half grown, of all depths (Koza's ramped half and half).
    #[default]
    Ramped,
    /// Each primitive is as likely anywhere as its weight says.
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
            initial: Initial::default(),
            initial_depth: 5,
            seed: 0,
        }
    }
}

/// Why options are of no use.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OptionsError {
    /// Too few or too many individuals.
    #[error("a population has from 1 to {most} individuals, not {population}", most = EvolutionOptions::MOST)]
    Population {
        /// What was asked for.
        population: u32,
    },
    /// Islands without individuals.
    #[error("{population} individuals cannot live on {islands} islands")]
    Islands {
        /// The individuals.
        population: u32,
        /// The islands.
        islands: u32,
    },
    /// No place for children.
    #[error("{elites} elites and {migrants} migrants leave no place for children on an island of {size}")]
    Crowded {
        /// The elites of an island.
        elites: u32,
        /// Its migrants.
        migrants: u32,
        /// The individuals of the smallest island.
        size: u32,
    },
    /// A tournament of nobody, or of more than there are.
    #[error("a tournament is held among 1 to {population} individuals, not {rounds}")]
    Tournament {
        /// The individuals that are drawn.
        rounds: u32,
        /// The individuals that there are.
        population: u32,
    },
    /// A share or a probability below 0, above 1, or no number.
    #[error("{name} must be within 0 and 1, not {value}")]
    Share {
        /// Which.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// Probabilities that do not add up.
    #[error("the probabilities of {what} add up to {sum}; they must add up to {bound}")]
    Sum {
        /// Which.
        what: &'static str,
        /// What they add up to.
        sum: f64,
        /// What they should.
        bound: &'static str,
    },
    /// A jitter that is no width.
    #[error("the jitter of constants must be within 0 and 10, not {0}")]
    Jitter(f64),
}

impl EvolutionOptions {
    /// The most individuals of a population.
    pub const MOST: u32 = 1_000_000;

    /// Whether a run can be made of these.
    pub fn check(&self) -> Result<(), OptionsError> {
        let EvolutionOptions { population, islands, elites, .. } = *self;
        if !(1..=Self::MOST).contains(&population) {
            return Err(OptionsError::Population { population });
        }
        if !(1..=population).contains(&islands) {
            return Err(OptionsError::Islands { population, islands });
        }
        let migrants = if islands > 1 && self.migration > 0 { self.migrants } else { 0 };
        let size = population / islands;
        if elites.saturating_add(migrants) >= size {
            return Err(OptionsError::Crowded { elites, migrants, size });
        }
        if let Selection::Tournament(rounds) = self.selection
            && !(1..=population).contains(&rounds)
        {
            return Err(OptionsError::Tournament { rounds, population });
        }
        self.operators.check()
    }

    /// The places of an island within the population.
    pub(crate) fn places(&self, island: u32) -> std::ops::Range<usize> {
        let bound = |island: u32| (u64::from(self.population) * u64::from(island) / u64::from(self.islands)) as usize;
        bound(island)..bound(island + 1)
    }
}
