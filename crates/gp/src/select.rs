//! Selection of parents.

use crate::EvaluatedIndividual;
use crate::rng::Rng;
use crate::statistics::by_merit;
use clearway_util::median::median;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Method of selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Selection {
    /// Tournament: the best of this number of random individuals; the smaller one of equals.
    Tournament(u32),
    /// Lexicase (Spector, 2012): cases in random order, each of which keeps only the individuals that are best at it. Parents may be
    /// good at some cases and bad at others.
    Lexicase,
    /// Epsilon lexicase (La Cava, Spector, Danai, 2016): a case also keeps individuals that are worse than the best by at most the
    /// median absolute deviation of all scores on the case.
    EpsilonLexicase,
}

/// Selects parents from an island.
#[derive(Clone, Debug)]
pub struct Selector<'a> {
    selection: Selection,
    island: &'a [EvaluatedIndividual],
    /// Tolerance for each case.
    epsilons: Vec<f64>,
}

impl<'a> Selector<'a> {
    /// Creates a selector for the individuals of an island, at least one. If they have different numbers of cases, lexicase uses
    /// those that all have.
    pub fn new(selection: Selection, island: &'a [EvaluatedIndividual]) -> Selector<'a> {
        let cases = match selection {
            Selection::Tournament(_) => 0,
            Selection::Lexicase | Selection::EpsilonLexicase => {
                island.iter().map(|individual| individual.fitness.cases.len()).min().unwrap_or(0)
            }
        };
        let epsilon = |case: usize| match selection {
            Selection::EpsilonLexicase => {
                deviation(island.iter().map(|individual| individual.fitness.cases[case]).collect())
            }
            _ => 0.0,
        };
        Selector { selection, island, epsilons: (0..cases).map(epsilon).collect() }
    }

    /// Selects a parent and returns its position within the island.
    pub fn choose(&self, rng: &mut Rng) -> usize {
        match self.selection {
            Selection::Tournament(rounds) => self.tournament(rounds, rng),
            Selection::Lexicase | Selection::EpsilonLexicase => self.lexicase(rng),
        }
    }

    fn tournament(&self, rounds: u32, rng: &mut Rng) -> usize {
        let mut draw = || rng.random_range(0..self.island.len());
        let first = draw();
        (1..rounds).fold(first, |best, _| {
            let other = draw();
            if by_merit(&self.island[other], &self.island[best]).is_lt() { other } else { best }
        })
    }

    fn lexicase(&self, rng: &mut Rng) -> usize {
        let score = |of: usize, case: usize| self.island[of].fitness.cases[case];
        let mut left: Vec<usize> = (0..self.island.len()).collect();
        let mut cases: Vec<usize> = (0..self.epsilons.len()).collect();
        while left.len() > 1 && !cases.is_empty() {
            let case = cases.swap_remove(rng.random_range(0..cases.len()));
            let best = left.iter().map(|&of| score(of, case)).fold(f64::MIN, f64::max);
            left.retain(|&of| score(of, case) >= best - self.epsilons[case]);
        }
        left[rng.random_range(0..left.len())]
    }
}

/// Median absolute deviation from the median.
fn deviation(mut scores: Vec<f64>) -> f64 {
    let center = median(&mut scores).unwrap_or_default();
    for score in &mut scores {
        *score = (*score - center).abs();
    }
    median(&mut scores).unwrap_or_default()
}
