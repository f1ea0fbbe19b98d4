//! Statistics of a generation.

use crate::{EvaluatedIndividual, Primitives};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Statistics of a generation. The size of an individual is the number of nodes of all its trees, its depth that of its deepest
/// tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Generation {
    /// Number of the generation; the first is 0.
    pub generation: u32,
    /// Number of individuals.
    pub individuals: u32,
    /// Best score.
    pub best: f64,
    /// Mean score.
    pub mean: f64,
    /// Quartiles of the scores.
    pub quartiles: [f64; 3],
    /// Size of the best individual.
    pub best_size: u32,
    /// Depth of the best individual.
    pub best_depth: u32,
    /// Mean size of the individuals.
    pub mean_size: f64,
    /// Mean depth of the individuals.
    pub mean_depth: f64,
    /// Share of distinct individuals, from 0 to 1.
    pub uniqueness: f64,
    /// Evaluations saved: duplicates of other individuals, and hits of the problem's own caches.
    pub cached: u64,
    /// Nodes expanded by the searches of all individuals.
    pub nodes: u64,
    /// Number of times that individuals were evaluated on a node.
    pub evaluations: u64,
    /// Wall-clock time: the only value that is not reproducible.
    pub seconds: f64,
}

impl Generation {
    /// Computes the statistics of a population.
    pub(crate) fn new(
        generation: u32,
        population: &[EvaluatedIndividual],
        distinct: usize,
        primitives: &Primitives,
        seconds: f64,
    ) -> Generation {
        let count = population.len().max(1) as f64;
        let mut scores: Vec<f64> = population.iter().map(|individual| individual.fitness.score).collect();
        scores.sort_by(f64::total_cmp);
        // The sum of extreme scores may overflow; their shares of the mean do not.
        let mean = scores.iter().map(|score| score / count).sum::<f64>().clamp(f64::MIN, f64::MAX);
        let at = |quarter: usize| scores.get((scores.len().max(1) - 1) * quarter / 4).copied().unwrap_or_default();
        let best = population.iter().min_by(|a, b| by_merit(a, b));
        let sum = |count: fn(&EvaluatedIndividual) -> u64| population.iter().map(count).fold(0, u64::saturating_add);
        let depth = |individual: &EvaluatedIndividual| individual.genome.depth(primitives);
        Generation {
            generation,
            individuals: population.len() as u32,
            best: best.map_or(0.0, |best| best.fitness.score),
            mean,
            quartiles: [at(1), at(2), at(3)],
            best_size: best.map_or(0, |best| best.genome.size() as u32),
            best_depth: best.map_or(0, depth),
            mean_size: population.iter().map(|individual| individual.genome.size() as f64).sum::<f64>() / count,
            mean_depth: population.iter().map(|individual| f64::from(depth(individual))).sum::<f64>() / count,
            uniqueness: distinct as f64 / count,
            cached: sum(|individual| individual.fitness.cached).saturating_add((population.len() - distinct) as u64),
            nodes: sum(|individual| individual.fitness.nodes),
            evaluations: sum(|individual| individual.fitness.evaluations),
            seconds,
        }
    }
}

/// Orders individuals from best to worst: by score, then by size.
pub(crate) fn by_merit(a: &EvaluatedIndividual, b: &EvaluatedIndividual) -> Ordering {
    b.fitness.score.total_cmp(&a.fitness.score).then_with(|| a.genome.size().cmp(&b.genome.size()))
}
