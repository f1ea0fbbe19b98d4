//! What a domain brings to evolution.

use crate::{Genome, Layout, Primitives, Tree};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A domain: what individuals are made of, and how good one is.
///
/// The engine asks [`begin`](Self::begin), then [`judge`](Self::judge) for every individual, then
/// [`end`](Self::end). What one generation hands on to the next is in the memory, and nowhere else: an interrupted
/// generation is thrown away with the memory it changed, and a checkpoint holds the memory.
pub trait Problem: Sync {
    /// What must survive a checkpoint besides the population: samples, caps, an archive. It is stored as JSON, so
    /// its numbers must be finite.
    type Memory: Serialize + DeserializeOwned + Clone + Send + Sync;

    /// What trees are made of.
    fn primitives(&self) -> &Primitives;

    /// How individuals are built.
    fn layout(&self) -> &Layout;

    /// The memory before the first generation.
    fn memory(&self) -> Self::Memory;

    /// Individuals that an island starts with; random ones fill it up. What does not fit into the island is left out.
    fn founders(&self, _island: u32) -> Vec<Genome> {
        Vec::new()
    }

    /// Trees that mutation may plant beside random ones ([`Operators::stock`](crate::Operators::stock)): what the problem
    /// learned on its own.
    fn stock(_memory: &Self::Memory) -> &[Tree] {
        &[]
    }

    /// Individuals that join an island's next generation in the place of children, as far as there is room: what the
    /// problem made of what it learned.
    fn immigrants(&self, _memory: &Self::Memory, _island: u32) -> Vec<Genome> {
        Vec::new()
    }

    /// Before a generation is judged (one thread): choose its cases, set its caps. The seed is the generation's own.
    fn begin(&self, memory: &mut Self::Memory, generation: u32, seed: u64);

    /// Judges one individual. Runs on many threads at once and must depend on its arguments alone. Where the flag that
    /// was given to [`Evolution::step`](crate::Evolution::step) is set, it may return early with anything: the
    /// generation does not count.
    fn judge(&self, memory: &Self::Memory, genome: &Genome) -> Judgement;

    /// After all were judged (one thread): update an archive, a hall of fame, caps.
    fn end(&self, memory: &mut Self::Memory, generation: u32, population: &[Judged]);
}

/// How good an individual is, and what it cost to find out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Higher is better. What is not a finite number is taken for the nearest one, and NaN for the lowest.
    pub score: f64,
    /// The scores on each case, for lexicase selection; higher is better. The same cases for all of a generation.
    pub cases: Vec<f64>,
    /// Nodes searched.
    pub nodes: u64,
    /// Work that a cache of the domain saved: lookups that hit.
    pub cached: u64,
    /// Times that the individual was evaluated.
    pub evaluations: u64,
}

impl Judgement {
    /// With finite numbers only: JSON knows no others, and comparisons need an order.
    #[must_use]
    pub fn finite(mut self) -> Judgement {
        self.score = finite(self.score);
        self.cases.iter_mut().for_each(|case| *case = finite(*case));
        self
    }
}

/// The nearest finite number; the lowest for NaN. Negative zero becomes zero.
pub(crate) fn finite(number: f64) -> f64 {
    if number.is_nan() { f64::MIN } else { number.clamp(f64::MIN, f64::MAX) + 0.0 }
}

/// An individual that was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The island it lives on.
    pub island: u32,
    /// Its trees.
    pub genome: Genome,
    /// How good it is. What it cost is 0 where an identical individual was judged in its place.
    pub judgement: Judgement,
}
