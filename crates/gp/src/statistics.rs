//! A generation in numbers.

use crate::{Judged, Primitives};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The statistics of a generation. Sizes count the nodes of all trees of an individual; depths are those of its deepest
/// tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Generation {
    /// Its number; the first is 0.
    pub generation: u32,
    /// Its individuals.
    pub individuals: u32,
    /// The best score.
    pub best: f64,
    /// The mean score.
    pub mean: f64,
    /// The score that a quarter, a half and three quarters of the individuals do not pass.
    pub quartiles: [f64; 3],
    /// The size of the best individual.
    pub best_size: u32,
    /// Its depth.
    pub best_depth: u32,
    /// The mean size.
    pub mean_size: f64,
    /// The mean depth.
    pub mean_depth: f64,
    /// The share of different individuals, within 0 and 1.
    pub uniqueness: f64,
    /// Individuals that were not judged because an identical one was, and what the domain's own caches saved.
    pub cached: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Times that individuals were evaluated.
    pub evaluations: u64,
    /// Wall-clock time. The only number that another run with the same seed does not repeat.
    pub seconds: f64,
}

impl Generation {
    /// The statistics of a population with so many different individuals.
    pub(crate) fn of(
        generation: u32,
        population: &[Judged],
        different: usize,
        primitives: &Primitives,
        seconds: f64,
    ) -> Generation {
        let count = population.len().max(1) as f64;
        let mut scores: Vec<f64> = population.iter().map(|judged| judged.judgement.score).collect();
        scores.sort_by(f64::total_cmp);
        // The sum of extreme scores may leave the range of numbers, their shares of the mean do not.
        let mean = scores.iter().map(|score| score / count).sum::<f64>().clamp(f64::MIN, f64::MAX);
        let at = |quarter: usize| scores.get((scores.len().max(1) - 1) * quarter / 4).copied().unwrap_or_default();
        let best = population.iter().min_by(|a, b| by_merit(a, b));
        let sum = |count: fn(&Judged) -> u64| population.iter().map(count).fold(0, u64::saturating_add);
        let depth = |judged: &Judged| judged.genome.depth(primitives);
        Generation {
            generation,
            individuals: population.len() as u32,
            best: best.map_or(0.0, |best| best.judgement.score),
            mean,
            quartiles: [at(1), at(2), at(3)],
            best_size: best.map_or(0, |best| best.genome.size() as u32),
            best_depth: best.map_or(0, depth),
            mean_size: population.iter().map(|judged| judged.genome.size() as f64).sum::<f64>() / count,
            mean_depth: population.iter().map(|judged| f64::from(depth(judged))).sum::<f64>() / count,
            uniqueness: different as f64 / count,
            cached: sum(|judged| judged.judgement.cached).saturating_add((population.len() - different) as u64),
            nodes: sum(|judged| judged.judgement.nodes),
            evaluations: sum(|judged| judged.judgement.evaluations),
            seconds,
        }
    }
}

/// The better one first: by score, and the smaller one of equals.
pub(crate) fn by_merit(a: &Judged, b: &Judged) -> Ordering {
    b.judgement.score.total_cmp(&a.judgement.score).then_with(|| a.genome.size().cmp(&b.genome.size()))
}
