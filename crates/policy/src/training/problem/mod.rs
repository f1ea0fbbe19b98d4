//! Policies as a problem of genetic programming.
//!
//! - `founders`: the initial population; `evaluation`: the fitness of a policy; `champion`: the selection of the best policy of
//!   a run; `simplification`: smaller policies with the same behaviour

mod champion;
mod evaluation;
mod founders;
mod simplification;

pub use champion::EvaluatedChampion;
pub use evaluation::PolicyPerformance;

use super::board::TrainingBoard;
use super::config::Config;
use super::fit::LinearFit;
use super::probes::Probes;
use crate::terminals::primitives;
use crate::{CompiledPolicy, Policy, layout};
use clearway_gp::rng::stream;
use clearway_gp::{EvaluatedIndividual, Fitness, Genome, Problem, Representation};
use clearway_util::hash::StableHash;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Evolution of policies on a set of training boards, as a [`Problem`] of genetic programming.
pub struct PolicyProblem {
    config: Config,
    boards: Vec<TrainingBoard>,
    representation: Representation,
    fit: LinearFit,
    probes: Probes,
    cancel: Arc<AtomicBool>,
}

/// State that is carried from one generation to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvolutionState {
    /// Boards of the current generation, those with a cheap baseline search first.
    pub sample: Vec<usize>,
    /// Mean percentage of the baseline's nodes that the best of the previous generation needed.
    pub usual: Option<f64>,
    /// Fitness on the current sample, by behaviour.
    known: BTreeMap<u64, KnownFitness>,
    /// Hall of fame: the best of each recent generation, the latest last.
    pub best: Vec<Genome>,
    /// Hash of the configuration: a run can only be resumed with the one that it was started with.
    fingerprint: u64,
}

/// Error for a stored [`EvolutionState`] that a run cannot be resumed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvolutionStateError {
    /// The run was started with a different configuration.
    #[error("the run was started with a different configuration")]
    DifferentConfiguration,
    /// The run was started with more boards.
    #[error("the run was started with more boards: its sample contains board {number}, but there are only {boards}")]
    TooFewBoards {
        /// Index of a board in the sample.
        number: usize,
        /// Number of boards now.
        boards: usize,
    },
    /// The policy of this index in the hall of fame is malformed.
    #[error("policy {0} of the run's hall of fame is malformed")]
    MalformedPolicy(usize),
}

/// Fitness of a behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KnownFitness {
    score: f64,
    cases: Vec<f64>,
}

/// Maximum number of policies in the hall of fame.
const HALL_OF_FAME_SIZE: usize = 24;
/// Approximate number of boards on which the linear fit is evaluated before the first generation.
const FIT_BOARDS: usize = 32;

impl PolicyProblem {
    /// Creates the problem for a set of boards. Evaluations end early once `cancel` is set.
    pub fn new(config: Config, boards: Vec<TrainingBoard>, cancel: Arc<AtomicBool>) -> PolicyProblem {
        let representation =
            Representation { primitives: primitives(config.terminals), layout: layout(config.rules, config.depth) };
        let fit = fit(&config, &boards);
        let probes = Probes::new(&boards);
        PolicyProblem { config, boards, representation, fit, probes, cancel }
    }

    /// Replaces the boards at some indices. Known fitness values stay valid until the sample changes, so boards should be
    /// replaced only when it does.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn replace(&mut self, boards: Vec<(usize, TrainingBoard)>) {
        for (index, board) in boards {
            self.boards[index] = board;
        }
        (self.fit, self.probes) = (fit(&self.config, &self.boards), Probes::new(&self.boards));
    }

    /// Checks that a run can be resumed with a stored memory.
    pub fn check(&self, memory: &EvolutionState) -> Result<(), EvolutionStateError> {
        let boards = self.boards.len();
        if memory.fingerprint != self.fingerprint() {
            return Err(EvolutionStateError::DifferentConfiguration);
        }
        if let Some(&number) = memory.sample.iter().find(|&&number| number >= boards) {
            return Err(EvolutionStateError::TooFewBoards { number, boards });
        }
        let malformed = |genome: &Genome| genome.check(self.primitives(), self.layout()).is_err();
        memory
            .best
            .iter()
            .position(malformed)
            .map_or(Ok(()), |number| Err(EvolutionStateError::MalformedPolicy(number)))
    }

    /// Hash of the configuration, except for the number of generations, which may change when a run is resumed.
    fn fingerprint(&self) -> u64 {
        let config = Config { generations: 0, ..self.config.clone() };
        let mut hash = StableHash::new();
        hash.text(&serde_json::to_string(&config).unwrap_or_default());
        hash.finish()
    }

    /// Training boards.
    pub fn boards(&self) -> &[TrainingBoard] {
        &self.boards
    }

    /// Memory of the boards in bytes.
    pub fn memory_usage(&self) -> usize {
        self.boards.iter().map(TrainingBoard::memory_usage).sum()
    }

    /// Least-squares fit to the distances on the boards.
    pub fn fit(&self) -> &LinearFit {
        &self.fit
    }

    /// Decodes a genome.
    ///
    /// # Panics
    /// If the genome does not have the layout of this problem.
    pub fn policy(&self, genome: &Genome) -> Policy {
        Policy::from_genome(genome).expect("genomes keep their layout")
    }

    fn behaviour(&self, genome: &Genome) -> u64 {
        let program = CompiledPolicy::new(&self.policy(genome));
        self.probes.behaviour(&program, self.config.search.algorithm().uses_order_only())
    }
}

/// Computes the least-squares fit with as many terms as fit into a tree.
fn fit(config: &Config, boards: &[TrainingBoard]) -> LinearFit {
    // A balanced sum of 2^n products has n + 2 levels.
    let terms = 1usize << config.depth.clamp(2, 6).saturating_sub(2);
    LinearFit::new(boards, config.terminals, terms - 1)
}

impl Problem for PolicyProblem {
    type Memory = EvolutionState;

    fn representation(&self) -> &Representation {
        &self.representation
    }

    /// Before the first generation, the linear fit takes the place of the best of the previous generation.
    fn memory(&self) -> EvolutionState {
        let genome = self.fit.policy().to_genome();
        let step = (self.boards.len() / FIT_BOARDS).max(1);
        let usual = self.performance_on(&genome, (0..self.boards.len()).step_by(step)).percentage;
        EvolutionState {
            usual: (self.config.cap > 0.0 || self.config.racing).then_some(usual),
            fingerprint: self.fingerprint(),
            ..EvolutionState::default()
        }
    }

    fn founders(&self, island: u32) -> Vec<Genome> {
        self.founder_genomes(island)
    }

    fn begin(&self, memory: &mut EvolutionState, generation: u32, seed: u64) {
        if !memory.sample.is_empty() && !generation.is_multiple_of(self.config.resample.max(1)) {
            return;
        }
        let mut rng = stream(seed, generation, 0);
        let mut all: Vec<usize> = (0..self.boards.len()).collect();
        let wanted = self.config.sample.clamp(1, all.len());
        for place in 0..wanted {
            let other = rng.random_range(place..all.len());
            all.swap(place, other);
        }
        all.truncate(wanted);
        all.sort_by_key(|&number| (self.boards[number].baseline, number));
        memory.sample = all;
        memory.known.clear();
    }

    fn evaluate(&self, memory: &EvolutionState, genome: &Genome) -> Fitness {
        self.evaluate_genome(memory, genome)
    }

    fn end(&self, memory: &mut EvolutionState, _: u32, population: &[EvaluatedIndividual], _: &AtomicBool) {
        let Some(best) = population.iter().max_by(|a, b| a.fitness.score.total_cmp(&b.fitness.score)) else {
            return;
        };
        let mean = best.fitness.cases.iter().map(|case| -case).sum::<f64>() / best.fitness.cases.len().max(1) as f64;
        memory.usual = Some(mean);
        memory.best.retain(|genome| *genome != best.genome);
        memory.best.push(best.genome.clone());
        if memory.best.len() > HALL_OF_FAME_SIZE {
            memory.best.remove(0);
        }
        for individual in population {
            if self.config.reuse {
                let known = KnownFitness { score: individual.fitness.score, cases: individual.fitness.cases.clone() };
                memory.known.insert(self.behaviour(&individual.genome), known);
            }
        }
    }
}
