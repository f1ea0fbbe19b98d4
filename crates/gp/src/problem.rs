//! The interface of a problem that evolution solves.

use crate::{Genome, GenomeLayout, Primitives, Tree};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// A problem: the building blocks of individuals, and their fitness.
///
/// For every generation, the engine calls [`begin`](Self::begin), then [`evaluate`](Self::evaluate) for every individual, then
/// [`end`](Self::end). Only the memory passes from one generation to the next: an interrupted generation is discarded together with
/// its changes to the memory, and a checkpoint holds the memory.
pub trait Problem: Sync {
    /// State that must survive in a checkpoint besides the population: samples, caps, an archive. It is stored as JSON, so its
    /// numbers must be finite.
    type Memory: Serialize + DeserializeOwned + Clone + Send + Sync;

    /// Representation of individuals.
    fn representation(&self) -> &Representation;

    /// Building blocks of trees.
    fn primitives(&self) -> &Primitives {
        &self.representation().primitives
    }

    /// Trees of an individual and their limits.
    fn layout(&self) -> &GenomeLayout {
        &self.representation().layout
    }

    /// Memory before the first generation.
    fn memory(&self) -> Self::Memory;

    /// Individuals that an island starts with; random ones fill the rest. Those that exceed the island's size are ignored.
    fn founders(&self, _island: u32) -> Vec<Genome> {
        Vec::new()
    }

    /// Trees that mutation may insert besides random ones ([`Operators::stock`](crate::Operators::stock)), learned by the problem
    /// itself.
    fn stock(_memory: &Self::Memory) -> &[Tree] {
        &[]
    }

    /// Individuals that replace children in an island's next generation, as far as there is room, constructed by the problem from what
    /// it learned.
    fn immigrants(&self, _memory: &Self::Memory, _island: u32) -> Vec<Genome> {
        Vec::new()
    }

    /// Called before a generation is evaluated, on one thread: chooses its cases, sets its caps. Every generation has its own seed.
    fn begin(&self, memory: &mut Self::Memory, generation: u32, seed: u64);

    /// Evaluates an individual. Called on many threads at once; the result must depend only on the arguments. Once the flag given to
    /// [`Evolution::step`](crate::Evolution::step) is set, it may return anything, because the generation is discarded.
    fn evaluate(&self, memory: &Self::Memory, genome: &Genome) -> Fitness;

    /// Called after a generation was evaluated, on one thread: updates an archive, a hall of fame, caps. If that takes long, it
    /// checks `cancel`: once the flag is set, it may leave anything in the memory, because the generation is discarded.
    fn end(&self, memory: &mut Self::Memory, generation: u32, population: &[EvaluatedIndividual], cancel: &AtomicBool);
}

/// Representation of individuals: the building blocks of trees, and the trees of a genome.
#[derive(Clone, Debug)]
pub struct Representation {
    /// Building blocks of trees.
    pub primitives: Primitives,
    /// Trees of an individual and their limits.
    pub layout: GenomeLayout,
}

/// Fitness of an individual, and the cost of its evaluation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fitness {
    /// Score; higher is better. Infinite values are clamped, NaN counts as the lowest.
    pub score: f64,
    /// Score on each case, for lexicase selection; higher is better. All individuals of a generation have the same cases.
    pub cases: Vec<f64>,
    /// Nodes expanded.
    pub nodes: u64,
    /// Hits of the problem's own caches.
    pub cached: u64,
    /// Number of times that the individual was evaluated on a node.
    pub evaluations: u64,
}

impl Fitness {
    /// Makes all numbers finite: JSON has no others, and comparisons need a total order.
    #[must_use]
    pub fn finite(mut self) -> Fitness {
        self.score = finite(self.score);
        self.cases.iter_mut().for_each(|case| *case = finite(*case));
        self
    }
}

/// Clamps a number to the finite range; NaN becomes the lowest number, negative zero becomes zero.
pub(crate) fn finite(number: f64) -> f64 {
    if number.is_nan() { f64::MIN } else { number.clamp(f64::MIN, f64::MAX) + 0.0 }
}

/// An individual with its fitness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatedIndividual {
    /// Island that it belongs to.
    pub island: u32,
    /// Trees, in the order of the layout.
    pub genome: Genome,
    /// Fitness. Its costs are 0 if an identical individual was evaluated instead.
    #[serde(rename = "judgement")]
    pub fitness: Fitness,
}
