//! Evolution, generation by generation.

use crate::generate::Method;
use crate::options::Initialization;
use crate::problem::Fitness;
use crate::rng::{Rng, stream};
use crate::statistics::by_merit;
use crate::{
    Breeder, Checkpoint, EvaluatedIndividual, EvolutionOptions, Generation, Genome, GenomeError, GenomeLayout,
    GenomeLayoutError, Operator, OperatorSuccess, OptionsError, Primitives, Problem, Selector, generate,
};
use clearway_util::hash::StableHash;
use clearway_util::parallel;
use clearway_util::time::Instant;
use rand::RngExt;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

/// A run of evolution: every [step](Self::step) creates and evaluates one generation.
///
/// The randomness of an individual depends only on the seed, the generation and its position in the population, so that results do
/// not depend on the number of threads or on interruptions.
pub struct Evolution<P: Problem> {
    problem: P,
    options: EvolutionOptions,
    memory: P::Memory,
    /// Last complete generation; empty before the first.
    population: Vec<EvaluatedIndividual>,
    history: Vec<Generation>,
    /// Children of each operator in the last generation; empty after a resumption.
    operator_success: Vec<OperatorSuccess>,
}

/// A generation that is created but not yet evaluated.
#[derive(Clone, Debug)]
pub struct Proposal<M> {
    generation: u32,
    memory: M,
    genomes: Vec<Genome>,
    /// For each child, its operator and the position of its first parent in the last generation.
    origins: Vec<Option<(Operator, usize)>>,
    /// For each individual, the position of the first identical one.
    firsts: Vec<usize>,
    started: Instant,
}

impl<M> Proposal<M> {
    /// Number of the generation.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Memory of the problem, needed to evaluate its individuals.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// Individuals to evaluate, without duplicates.
    pub fn distinct(&self) -> Vec<&Genome> {
        let all = self.genomes.iter().enumerate();
        all.filter(|(index, _)| self.firsts[*index] == *index).map(|(_, genome)| genome).collect()
    }
}

/// Why a run cannot start or continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvolutionError {
    /// The options are invalid.
    #[error(transparent)]
    InvalidOptions(#[from] OptionsError),
    /// The layout is invalid.
    #[error(transparent)]
    InvalidLayout(#[from] GenomeLayoutError),
    /// A founder does not fit the problem.
    #[error("founder {number} of island {island}: {error}")]
    InvalidFounder {
        /// Island of the founder.
        island: u32,
        /// Position among its founders.
        number: usize,
        /// What is wrong with it.
        #[source]
        error: GenomeError,
    },
    /// The checkpoint belongs to a run with other options.
    #[error("the checkpoint was made with other options: {0}")]
    OtherOptions(String),
    /// The checkpoint belongs to a run with other primitives or another layout.
    #[error("the checkpoint was made with other primitives or another genome layout")]
    OtherProblem,
    /// The numbers in the checkpoint contradict each other.
    #[error("the checkpoint is inconsistent: {individuals} individuals after {generations} generations")]
    Inconsistent {
        /// Number of individuals.
        individuals: usize,
        /// Number of generations.
        generations: usize,
    },
    /// An individual of the checkpoint does not fit the problem.
    #[error("individual {number} of the checkpoint: {error}")]
    InvalidIndividual {
        /// Position in the population.
        number: usize,
        /// What is wrong with it.
        #[source]
        error: GenomeError,
    },
}

impl<P: Problem> Evolution<P> {
    /// Creates a run before its first generation.
    pub fn new(problem: P, options: EvolutionOptions) -> Result<Self, EvolutionError> {
        options.check()?;
        problem.layout().check(problem.primitives())?;
        let memory = problem.memory();
        let evolution = Evolution {
            problem,
            options,
            memory,
            population: Vec::new(),
            history: Vec::new(),
            operator_success: Vec::new(),
        };
        for island in 0..evolution.options.islands {
            for (number, founder) in evolution.problem.founders(island).iter().enumerate() {
                let check = founder.check(evolution.problem.primitives(), evolution.problem.layout());
                check.map_err(|error| EvolutionError::InvalidFounder { island, number, error })?;
            }
        }
        Ok(evolution)
    }

    /// Resumes from a [checkpoint](Self::checkpoint); the result is the same as without the interruption.
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
        for (number, individual) in checkpoint.population.iter().enumerate() {
            let check = individual.genome.check(primitives, layout);
            check.map_err(|error| EvolutionError::InvalidIndividual { number, error })?;
        }
        evolution.memory = checkpoint.memory;
        evolution.population = checkpoint.population;
        evolution.history = checkpoint.history;
        Ok(evolution)
    }

    /// Everything that [`resume`](Self::resume) needs to continue after the last complete generation.
    pub fn checkpoint(&self) -> Checkpoint<P::Memory> {
        Checkpoint {
            options: self.options.clone(),
            fingerprint: fingerprint(self.problem.primitives(), self.problem.layout()),
            memory: self.memory.clone(),
            population: self.population.clone(),
            history: self.history.clone(),
        }
    }

    /// Creates and evaluates the next generation. `None` if `cancel` was set before it was complete: the run is then unchanged.
    pub fn step(&mut self, threads: usize, cancel: &AtomicBool) -> Option<&Generation> {
        let proposal = self.propose();
        let evaluate = |genome: &&Genome| self.problem.evaluate(proposal.memory(), genome);
        let fitnesses = parallel::map(threads, &proposal.distinct(), cancel, evaluate)?;
        self.complete(proposal, fitnesses, cancel)
    }

    /// Creates the next generation without changing the run. The caller evaluates its [distinct](Proposal::distinct) individuals,
    /// possibly elsewhere, and passes the results to [`accept`](Self::accept).
    pub fn propose(&self) -> Proposal<P::Memory> {
        let started = Instant::now();
        let generation = self.history.len() as u32;
        let (genomes, origins) = if self.population.is_empty() {
            (self.initial_population(), Vec::new())
        } else {
            self.next_population(generation)
        };
        let mut memory = self.memory.clone();
        // No individual has the last index: no population is that large.
        let seed = stream(self.options.seed, generation, u32::MAX).random();
        self.problem.begin(&mut memory, generation, seed);
        // Position of the first identical individual. One with the hash of another by chance counts as its own first.
        let mut known = HashMap::new();
        let first = |(index, genome): (usize, &Genome)| {
            let first = *known.entry(genome.hash()).or_insert(index);
            if genomes[first] == *genome { first } else { index }
        };
        let firsts = genomes.iter().enumerate().map(first).collect();
        Proposal { generation, memory, genomes, origins, firsts, started }
    }

    /// Completes a generation with the fitness of each of its distinct individuals, in their order.
    ///
    /// # Panics
    /// If the proposal is not for the next generation, or the number of fitness values differs from the number of distinct
    /// individuals.
    pub fn accept(&mut self, proposal: Proposal<P::Memory>, fitnesses: Vec<Fitness>) -> &Generation {
        self.complete(proposal, fitnesses, &AtomicBool::new(false)).expect("nothing sets the flag")
    }

    fn complete(
        &mut self,
        proposal: Proposal<P::Memory>,
        fitnesses: Vec<Fitness>,
        cancel: &AtomicBool,
    ) -> Option<&Generation> {
        let Proposal { generation, mut memory, genomes, origins, firsts, started } = proposal;
        assert_eq!(generation as usize, self.history.len(), "a proposal is for the generation after the last");
        let distinct = fitnesses.len();
        let mut fitnesses = fitnesses.into_iter().map(Fitness::finite);
        let islands = (0..self.options.islands).flat_map(|island| self.options.places(island).map(move |_| island));
        let mut population: Vec<EvaluatedIndividual> = Vec::with_capacity(genomes.len());
        for ((index, genome), island) in genomes.into_iter().enumerate().zip(islands) {
            let fitness = if firsts[index] == index {
                fitnesses.next().expect("every distinct individual is evaluated")
            } else {
                let Fitness { score, ref cases, .. } = population[firsts[index]].fitness;
                Fitness { score, cases: cases.clone(), ..Fitness::default() }
            };
            population.push(EvaluatedIndividual { island, genome, fitness });
        }
        assert!(fitnesses.next().is_none(), "there are more fitnesses than individuals");
        self.problem.end(&mut memory, generation, &population, cancel);
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        self.memory = memory;
        let primitives = self.problem.primitives();
        let seconds = started.elapsed().as_secs_f64();
        let complete = Generation::new(generation, &population, distinct, primitives, seconds);
        self.operator_success = operator_success(&origins, &population, &self.population);
        self.population = population;
        self.history.push(complete);
        self.history.last()
    }

    /// Creates the first population: founders and random individuals.
    fn initial_population(&self) -> Vec<Genome> {
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
                    Initialization::Ramped => generate::ramped(primitives, layout, initial_depth, index as u32, rng),
                    Initialization::Weighted => {
                        generate::genome(primitives, layout, Method::Weighted, initial_depth, rng)
                    }
                });
            }
        }
        genomes
    }

    /// Creates the next population: on each island its elites, migrants from the previous island, immigrants and children.
    /// Children have the operator and the position of their first parent.
    fn next_population(&self, generation: u32) -> (Vec<Genome>, Vec<Option<(Operator, usize)>>) {
        let EvolutionOptions { islands, migration, migrants, elites, selection, seed, .. } = self.options;
        let migrates = islands > 1 && migration > 0 && generation.is_multiple_of(migration);
        let breeder = Breeder {
            primitives: self.problem.primitives(),
            layout: self.problem.layout(),
            operators: &self.options.operators,
            stock: P::stock(&self.memory),
        };
        let mut genomes = Vec::with_capacity(self.population.len());
        let mut origins = Vec::with_capacity(self.population.len());
        for island in 0..islands {
            let places = self.options.places(island);
            let parents = &self.population[places.clone()];
            genomes.extend(elite(parents, elites as usize));
            if migrates {
                let neighbour = self.options.places((island + islands - 1) % islands);
                genomes.extend(elite(&self.population[neighbour], migrants as usize));
            }
            let fits = |genome: &Genome| genome.check(breeder.primitives, breeder.layout).is_ok();
            let immigrants = self.problem.immigrants(&self.memory, island).into_iter().filter(fits);
            genomes.extend(immigrants.take(places.end - genomes.len() - 1));
            let selector = Selector::new(selection, parents);
            origins.resize(genomes.len(), None);
            for index in genomes.len()..places.end {
                let rng = &mut stream(seed, generation, index as u32);
                let mut first = None;
                let select = |rng: &mut Rng| {
                    let chosen = selector.choose(rng);
                    first.get_or_insert(chosen);
                    &parents[chosen].genome
                };
                let (child, operator) = breeder.breed(select, rng);
                genomes.push(child);
                origins.push(first.map(|first| (operator, places.start + first)));
            }
        }
        (genomes, origins)
    }

    /// Problem that evolution solves.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// Problem, to change between generations. Its primitives and its layout must stay the same.
    pub fn problem_mut(&mut self) -> &mut P {
        &mut self.problem
    }

    /// Options of the run.
    pub fn options(&self) -> &EvolutionOptions {
        &self.options
    }

    /// Memory of the problem after the last complete generation.
    pub fn memory(&self) -> &P::Memory {
        &self.memory
    }

    /// Last complete generation, island by island; empty before the first.
    pub fn population(&self) -> &[EvaluatedIndividual] {
        &self.population
    }

    /// Best individual of the last complete generation: the highest score, and the smallest genome among equals. Scores of
    /// different generations need not be comparable, so a hall of fame is up to the problem.
    pub fn best(&self) -> Option<&EvaluatedIndividual> {
        self.population.iter().min_by(|a, b| by_merit(a, b))
    }

    /// Children of each operator in the last generation; empty for the first generation and after a resumption.
    pub fn operator_success(&self) -> &[OperatorSuccess] {
        &self.operator_success
    }

    /// Statistics of all generations so far.
    pub fn history(&self) -> &[Generation] {
        &self.history
    }
}

/// Counts the children of each operator, and those with a higher score than their first parent.
fn operator_success(
    origins: &[Option<(Operator, usize)>],
    children: &[EvaluatedIndividual],
    parents: &[EvaluatedIndividual],
) -> Vec<OperatorSuccess> {
    let mut counts: BTreeMap<Operator, (u32, u32)> = BTreeMap::new();
    for (origin, child) in origins.iter().zip(children) {
        let Some((operator, parent)) = origin else { continue };
        let count = counts.entry(*operator).or_default();
        count.0 += 1;
        count.1 += u32::from(child.fitness.score > parents[*parent].fitness.score);
    }
    counts.into_iter().map(|(operator, (children, better))| OperatorSuccess { operator, children, better }).collect()
}

/// Best individuals without duplicates.
fn elite(island: &[EvaluatedIndividual], count: usize) -> Vec<Genome> {
    let mut order: Vec<&EvaluatedIndividual> = island.iter().collect();
    order.sort_by(|a, b| by_merit(a, b));
    let mut elite: Vec<Genome> = Vec::with_capacity(count);
    for individual in order {
        if elite.len() == count {
            break;
        }
        if !elite.contains(&individual.genome) {
            elite.push(individual.genome.clone());
        }
    }
    elite
}

/// Distinguishes problems whose individuals must not be mixed.
fn fingerprint(primitives: &Primitives, layout: &GenomeLayout) -> u64 {
    let mut hash = StableHash::new();
    primitives.hash(&mut hash);
    layout.hash(&mut hash);
    hash.finish()
}
