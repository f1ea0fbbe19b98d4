//! Policies as a problem of genetic programming: how they are judged on boards.

use super::board::TrainingBoard;
use super::config::{Config, Objective};
use super::fit::LinearFit;
use super::probes::Probes;
use super::trial::{Scratch, Trial};
use crate::terminals::primitive::{AT_LEAST, AT_MOST, FIRST_TERMINAL, SHARE_CONSTANT};
use crate::terminals::{TERMINALS, primitives};
use crate::{Policy, Program, layout};
use clearway_gp::rng::stream;
use clearway_gp::simplify::simplify;
use clearway_gp::{Genome, Judged, Judgement, Layout, Node, Primitives, Problem, StableHash, Tree, parallel};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// What a policy did on boards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdicts {
    /// The mean percentage of the baseline's nodes (or time); a board that was not solved counts twice.
    pub percentage: f64,
    /// The mean length of the solutions, as a multiple of the shortest.
    pub length: f64,
    /// Boards solved.
    pub solved: usize,
    /// Boards.
    pub boards: usize,
}

/// How many of the best of the generations are remembered.
const REMEMBERED: usize = 24;
/// An expansion without a heuristic takes so many nanoseconds.
const EXPANSION: f64 = 160.0;
/// How much worse than the usual a policy may be on the first boards to be shown the others.
const RACE: f64 = 2.0;
/// After how many boards that is asked.
const RACE_BOARDS: usize = 6;
/// On about how many boards the linear fit is tried first.
const FIRST_BOARDS: usize = 32;
/// How fast the cost grows with the length above what is wanted.
const LENGTH_PENALTY: f64 = 20.0;
/// How far below the wanted length evolution aims: other boards will differ.
const LENGTH_MARGIN: f64 = 0.01;

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

    /// What evaluating a policy costs, in nanoseconds.
    fn cost(program: &Program) -> f64 {
        program.terminals().iter().map(|&terminal| TERMINALS[terminal].cost).sum()
    }

    /// The nodes (or the time) of a trial as a percentage of the baseline's.
    fn percentage(&self, trial: &Trial, baseline: u64, cost: f64) -> f64 {
        let taken = match self.config.objective {
            Objective::Nodes | Objective::Saved => trial.nodes as f64,
            Objective::Time => trial.nodes as f64 + trial.evaluated as f64 * cost / EXPANSION,
        };
        100.0 * taken / baseline as f64
    }

    /// How a policy does on all boards: what champions are chosen by.
    pub fn verdicts(&self, genome: &Genome, boards: impl Iterator<Item = usize>) -> Verdicts {
        let program = Program::new(&self.policy(genome));
        let mut tally = Tally::default();
        let mut scratch = Scratch::default();
        for number in boards {
            self.try_on(number, &program, self.config.nodes, &mut scratch, &mut tally);
        }
        tally.verdicts()
    }

    fn try_on(&self, number: usize, program: &Program, most: u64, scratch: &mut Scratch, tally: &mut Tally) -> f64 {
        let board = &self.boards[number];
        let trial = self.config.search.trial(&board.arena, program, scratch, most);
        let percentage = self.percentage(&trial, board.baseline, Self::cost(program));
        let counted = match (self.config.objective, trial.length) {
            (Objective::Saved, None) => 100.0,
            (_, None) => 2.0 * percentage.max(100.0 * most as f64 / board.baseline as f64),
            (_, Some(_)) => percentage,
        };
        tally.nodes += trial.nodes;
        tally.evaluations += trial.evaluated;
        tally.percentages += counted;
        tally.boards += 1;
        if let Some(length) = trial.length {
            tally.lengths += f64::from(length) / f64::from(board.arena.optimum());
            tally.solved += 1;
        }
        counted
    }

    /// What the score is: minus the mean percentage, made worse by solutions that are too long.
    fn score(&self, verdicts: &Verdicts) -> f64 {
        let Config { objective, longest, .. } = self.config;
        if objective == Objective::Saved {
            return 100.0 - verdicts.percentage;
        }
        let above = if longest > 0.0 { (verdicts.length - longest + LENGTH_MARGIN).max(0.0) } else { 0.0 };
        -verdicts.percentage * (1.0 + LENGTH_PENALTY * above)
    }

    /// The best on all boards, of the best of all generations and the last population; found on so many threads.
    pub fn champion(&self, memory: &Memory, population: &[Judged], threads: usize) -> Option<(Genome, Verdicts)> {
        let mut order: Vec<&Judged> = population.iter().collect();
        order.sort_by(|a, b| b.judgement.score.total_cmp(&a.judgement.score));
        let last = order.iter().take(REMEMBERED / 4).map(|judged| &judged.genome);
        let mut candidates: Vec<&Genome> = Vec::new();
        for genome in memory.best.iter().rev().chain(last) {
            if !candidates.contains(&genome) {
                candidates.push(genome);
            }
        }
        let judge = |genome: &&Genome| self.verdicts(genome, 0..self.boards.len());
        let verdicts = parallel::map(threads, &candidates, &AtomicBool::new(false), judge)?;
        // Those that solve all boards and keep the bound on the length come before all others.
        let keeps = |verdicts: &Verdicts| {
            let short = self.config.longest == 0.0 || verdicts.length <= self.config.longest;
            short && verdicts.solved == verdicts.boards
        };
        let order =
            |a: &Verdicts, b: &Verdicts| keeps(a).cmp(&keeps(b)).then_with(|| self.score(a).total_cmp(&self.score(b)));
        // Of equals the last one is taken.
        let (genome, verdicts) = candidates.into_iter().zip(verdicts).max_by(|a, b| order(&a.1, &b.1))?;
        Some((self.simplified(genome, &verdicts), verdicts))
    }

    /// The same behaviour with less: without rules that never decide, and with smaller trees. It must hold on all boards.
    fn simplified(&self, genome: &Genome, verdicts: &Verdicts) -> Genome {
        let behaviour = self.behaviour(genome);
        let same = |other: &Genome| self.behaviour(other) == behaviour;
        let simple = simplify(&fewer_rules(genome, same), &self.primitives, 2_000, same);
        if self.verdicts(&simple, 0..self.boards.len()) == *verdicts { simple } else { genome.clone() }
    }

    fn behaviour(&self, genome: &Genome) -> u64 {
        let program = Program::new(&self.policy(genome));
        self.probes.behaviour(&self.boards, &program, self.config.search.by_rank())
    }
}

/// The least squares fit with as many terms as a tree has room for.
fn fit(config: &Config, boards: &[TrainingBoard]) -> LinearFit {
    // A sum of products has a level more than its terms need to be added in pairs.
    let terms = 1usize << config.depth.clamp(2, 6).saturating_sub(2);
    let arenas: Vec<_> = boards.iter().map(|board| &board.arena).collect();
    LinearFit::new(&arenas, config.terminals, terms - 1)
}

/// What is added up over boards.
#[derive(Default)]
struct Tally {
    nodes: u64,
    evaluations: u64,
    percentages: f64,
    lengths: f64,
    solved: usize,
    boards: usize,
}

impl Tally {
    fn verdicts(&self) -> Verdicts {
        Verdicts {
            percentage: self.percentages / self.boards.max(1) as f64,
            length: if self.solved == 0 { 1.0 } else { self.lengths / self.solved as f64 },
            solved: self.solved,
            boards: self.boards,
        }
    }
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

    /// The linear fit at several scales, with rules that never fire, and with one that sets the first bound apart.
    fn founders(&self, island: u32) -> Vec<Genome> {
        if !self.config.founders {
            return Vec::new();
        }
        let shift = f64::from(u8::from(!self.config.search.by_rank())) * 100.0;
        let scales = [0.7, 1.0, 1.4, 2.0, 3.0];
        let fits =
            scales.iter().map(|&scale| self.fit.scaled(scale, if island.is_multiple_of(2) { shift } else { 0.0 }));
        let never = Tree { nodes: vec![node(AT_LEAST, 0.0), node(SHARE_CONSTANT, 0.0), node(SHARE_CONSTANT, 1.0)] };
        let path_length = TERMINALS.iter().position(|terminal| terminal.name == "g").unwrap_or_default() as u16;
        let at_start = Tree {
            nodes: vec![node(AT_MOST, 0.0), node(FIRST_TERMINAL + 2 * path_length, 0.0), node(SHARE_CONSTANT, 0.0)],
        };
        fits.map(|fit| {
            let rules = (0..self.config.rules).flat_map(|_| [never.clone(), fit.tree()]);
            let mut trees: Vec<Tree> = rules.collect();
            trees.push(fit.tree());
            if self.config.rules > 0 && self.config.search.sets_bound() {
                trees[0] = at_start.clone();
                trees[1] = fit.scaled(1.0, 3.0).tree();
            }
            Genome { trees }
        })
        .collect()
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
        let program = Program::new(&self.policy(genome));
        if self.config.reuse {
            let behaviour = self.probes.behaviour(&self.boards, &program, self.config.search.by_rank());
            if let Some(Known { score, cases }) = memory.known.get(&behaviour) {
                return Judgement { score: *score, cases: cases.clone(), cached: 1, ..Judgement::default() };
            }
        }
        let mut tally = Tally::default();
        let mut scratch = Scratch::default();
        let mut cases = Vec::with_capacity(memory.sample.len());
        for &number in &memory.sample {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            let baseline = self.boards[number].baseline as f64;
            let cap = match memory.usual {
                Some(usual) if self.config.cap > 0.0 => {
                    (baseline * (usual / 100.0 * self.config.cap).min(1.0)) as u64 + 50
                }
                _ => u64::MAX,
            };
            let counted = self.try_on(number, &program, self.config.nodes.min(cap), &mut scratch, &mut tally);
            cases.push(-counted);
            let behind = |usual: f64| tally.percentages / tally.boards as f64 > RACE * usual;
            if self.config.racing && tally.boards == RACE_BOARDS && memory.usual.is_some_and(behind) {
                break;
            }
        }
        let mut verdicts = tally.verdicts();
        let missing = memory.sample.len() - cases.len();
        if missing > 0 {
            // Who was not shown all boards must not look better than who was.
            verdicts.percentage *= 2.0;
        }
        let score = self.score(&verdicts);
        cases.extend(std::iter::repeat_n(-verdicts.percentage, missing));
        Judgement { score, cases, nodes: tally.nodes, cached: 0, evaluations: tally.evaluations }
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

/// The genome without rules that can go: one alone, or all from one on, whose value then becomes the default.
fn fewer_rules(genome: &Genome, same: impl Fn(&Genome) -> bool) -> Genome {
    let mut fewest = genome.clone();
    let mut rule = 0;
    while 2 * rule + 1 < fewest.trees.len() {
        let trees = &fewest.trees;
        let cut = Genome { trees: [&trees[..2 * rule], &trees[2 * rule + 1..2 * rule + 2]].concat() };
        let without = Genome { trees: [&trees[..2 * rule], &trees[2 * rule + 2..]].concat() };
        if same(&cut) {
            fewest = cut;
        } else if same(&without) {
            fewest = without;
        } else {
            rule += 1;
        }
    }
    fewest
}

fn node(primitive: u16, value: f64) -> Node {
    Node { primitive, value }
}
