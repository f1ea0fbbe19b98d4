//! A run, generation by generation.

use crate::generate::Method;
use crate::hash::StableHash;
use crate::options::Initial;
use crate::problem::Judgement;
use crate::rng::stream;
use crate::statistics::by_merit;
use crate::{
    Breeder, Checkpoint, EvolutionOptions, Generation, Genome, GenomeError, Judged, Layout, LayoutError, OptionsError,
    Primitives, Problem, Selector, generate, parallel,
};
use rand::RngExt;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A run of evolution: every [step](Self::step) makes and judges one generation.
///
/// All randomness of an individual comes from the seed, the generation and its place in the population, so that nothing
/// depends on the number of threads or on interruptions.
pub struct Evolution<P: Problem> {
    problem: P,
    options: EvolutionOptions,
    memory: P::Memory,
    /// The last complete generation; empty before the first.
    population: Vec<Judged>,
    history: Vec<Generation>,
}

/// A generation that is made, and not judged yet.
#[derive(Clone, Debug)]
pub struct Proposal<M> {
    generation: u32,
    memory: M,
    genomes: Vec<Genome>,
    /// For each individual, the place of the first that is the same.
    firsts: Vec<usize>,
    began: Instant,
}

impl<M> Proposal<M> {
    /// The number of the generation.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// What its individuals are to be judged with.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// The individuals to be judged: each that is there several times once.
    pub fn different(&self) -> Vec<&Genome> {
        let all = self.genomes.iter().enumerate();
        all.filter(|(index, _)| self.firsts[*index] == *index).map(|(_, genome)| genome).collect()
    }
}

/// Why a run cannot begin, or not go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvolutionError {
    /// The options are of no use.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The layout is.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A founder is no individual of the problem.
    #[error("founder {number} of island {island}: {error}")]
    Founder {
        /// The island.
        island: u32,
        /// Which of its founders.
        number: usize,
        /// What is wrong.
        error: GenomeError,
    },
    /// The checkpoint belongs to a run with other options.
    #[error("the checkpoint was made with other options: {0}")]
    OtherOptions(String),
    /// The checkpoint belongs to a run with other primitives or another layout.
    #[error("the checkpoint was made with other primitives, or for individuals of another layout")]
    OtherProblem,
    /// The checkpoint does not fit together.
    #[error("the checkpoint has {individuals} individuals after {generations} generations, which cannot be")]
    Inconsistent {
        /// Its individuals.
        individuals: usize,
        /// Its generations.
        generations: usize,
    },
    /// An individual of the checkpoint is none of the problem.
    #[error("individual {number} of the checkpoint: {error}")]
    Individual {
        /// Its place in the population.
        number: usize,
        /// What is wrong.
        error: GenomeError,
    },
}

impl<P: Problem> Evolution<P> {
    /// A run before its first generation.
    pub fn new(problem: P, options: EvolutionOptions) -> Result<Self, EvolutionError> {
        options.check()?;
        problem.layout().check(problem.primitives())?;
        let memory = problem.memory();
        let evolution = Evolution { problem, options, memory, population: Vec::new(), history: Vec::new() };
        for island in 0..evolution.options.islands {
            for (number, founder) in evolution.problem.founders(island).iter().enumerate() {
                let check = founder.check(evolution.problem.primitives(), evolution.problem.layout());
                check.map_err(|error| EvolutionError::Founder { island, number, error })?;
            }
        }
        Ok(evolution)
    }

    /// A run that goes on from a [checkpoint](Self::checkpoint) to what it would have come to without the interruption.
    pub fn resume(
        problem: P,
        options: EvolutionOptions,
        checkpoint: Checkpoint<P::Memory>,
    ) -> Result<Self, EvolutionError> {
        let mut evolution = Evolution::new(problem, options)?;
        if checkpoint.options != evolution.options {
            let options = serde_json::to_string(&checkpoint.options).unwrap_or_default();
            return Err(EvolutionError::OtherOptions(options));
        }
        let (primitives, layout) = (evolution.problem.primitives(), evolution.problem.layout());
        if checkpoint.fingerprint != fingerprint(primitives, layout) {
            return Err(EvolutionError::OtherProblem);
        }
        let (individuals, generations) = (checkpoint.population.len(), checkpoint.history.len());
        let expected = if generations == 0 { 0 } else { evolution.options.population as usize };
        if individuals != expected {
            return Err(EvolutionError::Inconsistent { individuals, generations });
        }
        for (number, judged) in checkpoint.population.iter().enumerate() {
            let check = judged.genome.check(primitives, layout);
            check.map_err(|error| EvolutionError::Individual { number, error })?;
        }
        evolution.memory = checkpoint.memory;
        evolution.population = checkpoint.population;
        evolution.history = checkpoint.history;
        Ok(evolution)
    }

    /// All that [`resume`](Self::resume) needs to go on after the last complete generation.
    pub fn checkpoint(&self) -> Checkpoint<P::Memory> {
        Checkpoint {
            options: self.options.clone(),
            fingerprint: fingerprint(self.problem.primitives(), self.problem.layout()),
            memory: self.memory.clone(),
            population: self.population.clone(),
            history: self.history.clone(),
        }
    }

    /// Makes and judges the next generation, the first one at first. None if the flag was set before all were judged:
    /// then the run is as it was before.
    pub fn step(&mut self, threads: usize, cancel: &AtomicBool) -> Option<&Generation> {
        let proposal = self.propose();
        let judge = |genome: &&Genome| self.problem.judge(proposal.memory(), genome);
        let judgements = parallel::map(threads, &proposal.different(), cancel, judge)?;
        Some(self.accept(proposal, judgements))
    }

    /// Makes the next generation, the first one at first, and leaves the run as it is. Whoever judges all
    /// [different](Proposal::different) individuals, be it elsewhere, hands what came of it to [`accept`](Self::accept).
    pub fn propose(&self) -> Proposal<P::Memory> {
        let began = Instant::now();
        let generation = self.history.len() as u32;
        let genomes = if self.population.is_empty() { self.found() } else { self.breed(generation) };
        let mut memory = self.memory.clone();
        // The last index is no individual's: no population is that large.
        let seed = stream(self.options.seed, generation, u32::MAX).random();
        self.problem.begin(&mut memory, generation, seed);
        // The place of the first individual that is the same. One whose hash is another's by chance stands for itself.
        let mut known = HashMap::new();
        let first = |(index, genome): (usize, &Genome)| {
            let first = *known.entry(genome.hash()).or_insert(index);
            if genomes[first] == *genome { first } else { index }
        };
        let firsts = genomes.iter().enumerate().map(first).collect();
        Proposal { generation, memory, genomes, firsts, began }
    }

    /// Takes the judgements of a proposal's different individuals, in their order: the generation is complete.
    ///
    /// # Panics
    /// If the proposal is not that of the next generation, or has another number of different individuals.
    pub fn accept(&mut self, proposal: Proposal<P::Memory>, judgements: Vec<Judgement>) -> &Generation {
        let Proposal { generation, mut memory, genomes, firsts, began } = proposal;
        assert_eq!(generation as usize, self.history.len(), "a proposal is for the generation after the last");
        let different = judgements.len();
        let mut judgements = judgements.into_iter().map(Judgement::finite);
        let islands = (0..self.options.islands).flat_map(|island| self.options.places(island).map(move |_| island));
        let mut population: Vec<Judged> = Vec::with_capacity(genomes.len());
        for ((index, genome), island) in genomes.into_iter().enumerate().zip(islands) {
            let judgement = if firsts[index] == index {
                judgements.next().expect("every different individual is judged")
            } else {
                let Judgement { score, ref cases, .. } = population[firsts[index]].judgement;
                Judgement { score, cases: cases.clone(), ..Judgement::default() }
            };
            population.push(Judged { island, genome, judgement });
        }
        assert!(judgements.next().is_none(), "there are more judgements than individuals");
        self.problem.end(&mut memory, generation, &population);
        self.memory = memory;
        let primitives = self.problem.primitives();
        let seconds = began.elapsed().as_secs_f64();
        let complete = Generation::of(generation, &population, different, primitives, seconds);
        self.population = population;
        self.history.push(complete);
        &self.history[generation as usize]
    }

    /// The first population: founders, and random individuals.
    fn found(&self) -> Vec<Genome> {
        let EvolutionOptions { islands, initial, initial_depth, seed, .. } = self.options;
        let mut genomes = Vec::with_capacity(self.options.population as usize);
        for island in 0..islands {
            let places = self.options.places(island);
            let founders = self.problem.founders(island);
            genomes.extend(founders.into_iter().take(places.len()));
            for index in genomes.len()..places.end {
                let rng = &mut stream(seed, 0, index as u32);
                let (primitives, layout) = (self.problem.primitives(), self.problem.layout());
                genomes.push(match initial {
                    Initial::Ramped => generate::ramped(primitives, layout, initial_depth, index as u32, rng),
                    Initial::Weighted => generate::genome(primitives, layout, Method::Weighted, initial_depth, rng),
                });
            }
        }
        genomes
    }

    /// The next population: on each island its best, the best of the island before it where they move, and children.
    fn breed(&self, generation: u32) -> Vec<Genome> {
        let EvolutionOptions { islands, migration, migrants, elites, selection, seed, .. } = self.options;
        let moving = islands > 1 && migration > 0 && generation.is_multiple_of(migration);
        let breeder = Breeder {
            primitives: self.problem.primitives(),
            layout: self.problem.layout(),
            operators: &self.options.operators,
            stock: P::stock(&self.memory),
        };
        let mut genomes = Vec::with_capacity(self.population.len());
        for island in 0..islands {
            let places = self.options.places(island);
            let parents = &self.population[places.clone()];
            genomes.extend(elite(parents, elites as usize));
            if moving {
                let neighbour = self.options.places((island + islands - 1) % islands);
                genomes.extend(elite(&self.population[neighbour], migrants as usize));
            }
            let fits = |genome: &Genome| genome.check(breeder.primitives, breeder.layout).is_ok();
            let immigrants = self.problem.immigrants(&self.memory, island).into_iter().filter(fits);
            genomes.extend(immigrants.take(places.end - genomes.len() - 1));
            let selector = Selector::new(selection, parents);
            for index in genomes.len()..places.end {
                let rng = &mut stream(seed, generation, index as u32);
                genomes.push(breeder.child(|rng| &parents[selector.choose(rng)].genome, rng));
            }
        }
        genomes
    }

    /// The problem.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// The problem, to be changed between generations: its primitives and its layout must stay the same.
    pub fn problem_mut(&mut self) -> &mut P {
        &mut self.problem
    }

    /// The options.
    pub fn options(&self) -> &EvolutionOptions {
        &self.options
    }

    /// What the problem remembers after the last complete generation.
    pub fn memory(&self) -> &P::Memory {
        &self.memory
    }

    /// The last complete generation, island by island; empty before the first.
    pub fn population(&self) -> &[Judged] {
        &self.population
    }

    /// The best of the last complete generation: the highest score, and the smallest of equals. Scores of different
    /// generations need not be comparable, so it is the problem that knows the best of all times.
    pub fn best(&self) -> Option<&Judged> {
        self.population.iter().min_by(|a, b| by_merit(a, b))
    }

    /// The statistics of all generations so far.
    pub fn history(&self) -> &[Generation] {
        &self.history
    }
}

/// The best individuals, no two of them the same.
fn elite(island: &[Judged], count: usize) -> Vec<Genome> {
    let mut order: Vec<&Judged> = island.iter().collect();
    order.sort_by(|a, b| by_merit(a, b));
    let mut elite: Vec<Genome> = Vec::with_capacity(count);
    for judged in order {
        if elite.len() == count {
            break;
        }
        if !elite.contains(&judged.genome) {
            elite.push(judged.genome.clone());
        }
    }
    elite
}

/// Tells problems apart whose individuals cannot be mixed.
fn fingerprint(primitives: &Primitives, layout: &Layout) -> u64 {
    let mut hash = StableHash::new();
    primitives.hash(&mut hash);
    layout.hash(&mut hash);
    hash.finish()
}
