//! Policies as a problem of genetic programming.
//!
//! - `founders`: what it begins with; `judging`: how good a policy is; `champion`: the best of a run;
//!   `simplification`: the same with less

mod champion;
mod founders;
mod judging;
mod simplification;

pub use champion::Chosen;
pub use judging::Verdicts;

use super::board::TrainingBoard;
use super::config::Config;
use super::fit::LinearFit;
use super::probes::Probes;
use crate::terminals::primitives;
use crate::{Policy, Program, layout};
use clearway_gp::rng::stream;
use clearway_gp::{Genome, Judged, Judgement, Layout, Primitives, Problem, StableHash};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Breeding policies on boards.
pub struct Breeding {
    config: Config,
    boards: Vec<TrainingBoard>,
    primitives: Primitives,
    layout: Layout,
    fit: LinearFit,
    probes: Probes,
    cancel: Arc<AtomicBool>,
}

/// What one generation hands on to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The boards of the present generation, those with short searches first.
    pub sample: Vec<usize>,
    /// The mean percentage of nodes that the best of the last generation needed.
    pub usual: Option<f64>,
    /// What was judged on the present sample, by behaviour.
    known: BTreeMap<u64, Known>,
    /// The best of the generations so far, the latest last.
    pub best: Vec<Genome>,
    /// Tells configurations apart: a run goes on with the one that it began with.
    fingerprint: u64,
}

/// Why a run cannot go on with what it remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// The configuration is another one.
    #[error("the run was begun with another configuration")]
    Configuration,
    /// There are fewer boards.
    #[error("the run was begun on more boards: one of its sample is number {number}, but there are {boards}")]
    Boards {
        /// A board of the sample.
        number: usize,
        /// How many there are.
        boards: usize,
    },
    /// A policy that it remembers is none.
    #[error("policy {0} of those that the run remembers is broken")]
    Policy(usize),
}

/// How a behaviour was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    score: f64,
    cases: Vec<f64>,
}

/// How many of the best of the generations are remembered.
const REMEMBERED: usize = 24;
/// On about how many boards the linear fit is tried first.
const FIRST_BOARDS: usize = 32;

impl Breeding {
    /// Breeding on these boards.
    pub fn new(config: Config, boards: Vec<TrainingBoard>, cancel: Arc<AtomicBool>) -> Breeding {
        let layout = layout(config.rules, config.depth);
        let fit = fit(&config, &boards);
        let probes = Probes::new(&boards);
        Breeding { primitives: primitives(config.terminals), config, boards, layout, fit, probes, cancel }
    }

    /// Puts other boards into some places. What was judged before stays known until the sample changes, so that boards
    /// are to be replaced when it does.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn replace(&mut self, boards: Vec<(usize, TrainingBoard)>) {
        for (place, board) in boards {
            self.boards[place] = board;
        }
        (self.fit, self.probes) = (fit(&self.config, &self.boards), Probes::new(&self.boards));
    }

    /// Whether a run can go on with what was remembered.
    pub fn check(&self, memory: &Memory) -> Result<(), MemoryError> {
        let boards = self.boards.len();
        if memory.fingerprint != self.fingerprint() {
            return Err(MemoryError::Configuration);
        }
        if let Some(&number) = memory.sample.iter().find(|&&number| number >= boards) {
            return Err(MemoryError::Boards { number, boards });
        }
        let broken = |genome: &Genome| genome.check(&self.primitives, &self.layout).is_err();
        memory.best.iter().position(broken).map_or(Ok(()), |number| Err(MemoryError::Policy(number)))
    }

    /// Tells configurations apart, but for the number of generations, of which a run may always make more.
    fn fingerprint(&self) -> u64 {
        let config = Config { generations: 0, ..self.config.clone() };
        let mut hash = StableHash::new();
        hash.text(&serde_json::to_string(&config).unwrap_or_default());
        hash.finish()
    }

    /// The boards.
    pub fn boards(&self) -> &[TrainingBoard] {
        &self.boards
    }

    /// The bytes that the boards take.
    pub fn bytes(&self) -> usize {
        self.boards.iter().map(|board| board.arena.bytes()).sum()
    }

    /// The least squares fit to the distances on the boards.
    pub fn fit(&self) -> &LinearFit {
        &self.fit
    }

    /// The policy of a genome.
    ///
    /// # Panics
    /// If the genome has another layout.
    pub fn policy(&self, genome: &Genome) -> Policy {
        Policy::from_genome(genome).expect("genomes keep their layout")
    }

    fn behaviour(&self, genome: &Genome) -> u64 {
        let program = Program::new(&self.policy(genome));
        self.probes.behaviour(&self.boards, &program, self.config.search.algorithm().uses_order_only())
    }
}

/// The least squares fit with as many terms as a tree has room for.
fn fit(config: &Config, boards: &[TrainingBoard]) -> LinearFit {
    // A sum of products has a level more than its terms need to be added in pairs.
    let terms = 1usize << config.depth.clamp(2, 6).saturating_sub(2);
    let arenas: Vec<_> = boards.iter().map(|board| &board.arena).collect();
    LinearFit::new(&arenas, config.terminals, terms - 1)
}

impl Problem for Breeding {
    type Memory = Memory;

    fn primitives(&self) -> &Primitives {
        &self.primitives
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What the linear fit needs is the usual at first.
    fn memory(&self) -> Memory {
        let genome = self.fit.policy().to_genome();
        let step = (self.boards.len() / FIRST_BOARDS).max(1);
        let usual = self.verdicts(&genome, (0..self.boards.len()).step_by(step)).percentage;
        Memory {
            usual: (self.config.cap > 0.0 || self.config.racing).then_some(usual),
            fingerprint: self.fingerprint(),
            ..Memory::default()
        }
    }

    fn founders(&self, island: u32) -> Vec<Genome> {
        self.found(island)
    }

    fn begin(&self, memory: &mut Memory, generation: u32, seed: u64) {
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

    fn judge(&self, memory: &Memory, genome: &Genome) -> Judgement {
        self.judged(memory, genome)
    }

    fn end(&self, memory: &mut Memory, _: u32, population: &[Judged]) {
        let Some(best) = population.iter().max_by(|a, b| a.judgement.score.total_cmp(&b.judgement.score)) else {
            return;
        };
        let mean =
            best.judgement.cases.iter().map(|case| -case).sum::<f64>() / best.judgement.cases.len().max(1) as f64;
        memory.usual = Some(mean);
        memory.best.retain(|genome| *genome != best.genome);
        memory.best.push(best.genome.clone());
        if memory.best.len() > REMEMBERED {
            memory.best.remove(0);
        }
        for judged in population {
            if self.config.reuse {
                let known = Known { score: judged.judgement.score, cases: judged.judgement.cases.clone() };
                memory.known.insert(self.behaviour(&judged.genome), known);
            }
        }
    }
}
