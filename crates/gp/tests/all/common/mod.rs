//! A small problem for the tests: a formula in two pieces.

use clearway_gp::rng::stream;
use clearway_gp::{
    Constants, EvaluatedIndividual, Evolution, EvolutionOptions, Fitness, Genome, GenomeLayout, Initialization, Node,
    Operators, Primitive, Primitives, Problem, Representation, Selection, Tree, Type,
};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub const CONDITION: Type = Type(0);
pub const NUMBER: Type = Type(1);

pub const LESS: u16 = 0;
pub const PLUS: u16 = 1;
pub const TIMES: u16 = 2;
pub const X: u16 = 3;
pub const DIGIT: u16 = 4;
/// Never generated, but allowed.
pub const MINUS: u16 = 5;

pub fn primitive(name: &str, output: Type, inputs: &[Type], weight: f64) -> Primitive {
    Primitive { name: name.to_owned(), output, inputs: inputs.to_vec(), constants: None, weight }
}

pub fn primitives() -> Primitives {
    let digits = Constants::OneOf((0..=9).map(f64::from).collect());
    let all = vec![
        primitive("<", CONDITION, &[NUMBER, NUMBER], 1.0),
        primitive("+", NUMBER, &[NUMBER, NUMBER], 1.0),
        primitive("*", NUMBER, &[NUMBER, NUMBER], 1.0),
        primitive("x", NUMBER, &[], 1.0),
        Primitive { constants: Some(digits), ..primitive("digit", NUMBER, &[], 1.0) },
        primitive("-", NUMBER, &[NUMBER, NUMBER], 0.0),
    ];
    Primitives::new(all).unwrap()
}

/// Nodes from primitives, without values.
pub fn tree(primitives: &[u16]) -> Tree {
    Tree { nodes: primitives.iter().map(|&primitive| Node { primitive, value: 0.0 }).collect() }
}

/// The value of a tree; conditions are 0 or 1.
pub fn value(tree: &Tree, x: f64) -> f64 {
    let mut stack: Vec<f64> = Vec::new();
    for node in tree.nodes.iter().rev() {
        let mut argument = || stack.pop().unwrap();
        let value = match node.primitive {
            LESS => f64::from(argument() < argument()),
            PLUS => argument() + argument(),
            TIMES => argument() * argument(),
            MINUS => argument() - argument(),
            X => x,
            _ => node.value,
        };
        stack.push(value);
    }
    stack.pop().unwrap()
}

/// Two rules IF condition THEN number, and a default, whose target is `2x` below 3 and `x * x` from 3 on.
pub struct Pieces {
    pub representation: Representation,
    pub founders: Vec<Genome>,
    /// Number of evaluations.
    pub evaluated: AtomicU32,
    /// Number of evaluations after which the flag is set.
    pub cancel_at: u32,
    pub cancel: Arc<AtomicBool>,
    /// Whether the flag is set once when a generation ends.
    pub cancel_at_end: AtomicBool,
    /// Whether every other score is not a number.
    pub spoil: bool,
}

/// The points of the next generation, and the best so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    pub points: Vec<f64>,
    pub champion: Option<(Genome, f64)>,
    pub generations: u32,
}

pub fn pieces() -> Pieces {
    Pieces {
        representation: Representation {
            primitives: primitives(),
            layout: GenomeLayout {
                roots: vec![CONDITION, NUMBER, CONDITION, NUMBER, NUMBER],
                groups: vec![0..2, 2..4],
                depth: 4,
                size: 11,
            },
        },
        founders: Vec::new(),
        evaluated: AtomicU32::new(0),
        cancel_at: u32::MAX,
        cancel: Arc::new(AtomicBool::new(false)),
        cancel_at_end: AtomicBool::new(false),
        spoil: false,
    }
}

pub fn result(genome: &Genome, x: f64) -> f64 {
    let [first, one, second, two, default] = &genome.trees[..] else { panic!("five trees") };
    let chosen = if value(first, x) > 0.0 {
        one
    } else if value(second, x) > 0.0 {
        two
    } else {
        default
    };
    value(chosen, x)
}

impl Problem for Pieces {
    type Memory = Memory;

    fn representation(&self) -> &Representation {
        &self.representation
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn founders(&self, island: u32) -> Vec<Genome> {
        if island == 0 { self.founders.clone() } else { Vec::new() }
    }

    fn begin(&self, memory: &mut Memory, _generation: u32, seed: u64) {
        let mut rng = stream(seed, 0, 0);
        memory.points = (0..10).map(|_| f64::from(rng.random_range(-10..10))).collect();
    }

    fn evaluate(&self, memory: &Memory, genome: &Genome) -> Fitness {
        if self.evaluated.fetch_add(1, Ordering::Relaxed) + 1 == self.cancel_at {
            self.cancel.store(true, Ordering::Relaxed);
        }
        let wanted = |x: f64| if x < 3.0 { 2.0 * x } else { x * x };
        let case = |&x: &f64| -(result(genome, x) - wanted(x)).abs();
        if self.spoil && genome.hash().is_multiple_of(2) {
            let score = if genome.hash().is_multiple_of(4) { f64::NAN } else { f64::NEG_INFINITY };
            return Fitness { score, cases: vec![score; memory.points.len()], ..Fitness::default() };
        }
        let cases: Vec<f64> = memory.points.iter().map(case).collect();
        Fitness { score: cases.iter().sum(), nodes: 10, evaluations: 10, cached: 1, cases }
    }

    fn end(&self, memory: &mut Memory, _generation: u32, population: &[EvaluatedIndividual], _: &AtomicBool) {
        memory.generations += 1;
        if self.cancel_at_end.swap(false, Ordering::Relaxed) {
            self.cancel.store(true, Ordering::Relaxed);
        }
        for individual in population {
            if memory.champion.as_ref().is_none_or(|(_, score)| individual.fitness.score > *score) {
                memory.champion = Some((individual.genome.clone(), individual.fitness.score));
            }
        }
    }
}

/// Probabilities with which every operator is applied.
pub fn lively() -> Operators {
    Operators {
        reproduction: 0.1,
        crossover: 0.4,
        mutation: 0.5,
        group_crossover: 0.3,
        group_mutation: 0.1,
        constant_mutation: 0.3,
        hoist_mutation: 0.1,
        shrink_mutation: 0.1,
        jitter: 0.3,
        inner: 0.9,
        ..Operators::default()
    }
}

pub fn options(seed: u64) -> EvolutionOptions {
    EvolutionOptions {
        population: 41,
        islands: 3,
        migration: 2,
        migrants: 2,
        elites: 2,
        selection: Selection::Tournament(3),
        operators: lively(),
        initial: Initialization::Ramped,
        initial_depth: 4,
        seed,
    }
}

pub fn run(options: EvolutionOptions, generations: u32, threads: usize) -> Evolution<Pieces> {
    let mut evolution = Evolution::new(pieces(), options).unwrap();
    steps(&mut evolution, generations, threads);
    evolution
}

pub fn steps(evolution: &mut Evolution<Pieces>, generations: u32, threads: usize) {
    for _ in 0..generations {
        assert!(evolution.step(threads, &AtomicBool::new(false)).is_some());
    }
}

/// What must be equal in two runs: everything but the time.
pub fn facts(evolution: &Evolution<Pieces>) -> clearway_gp::Checkpoint<Memory> {
    let mut checkpoint = evolution.checkpoint();
    checkpoint.history.iter_mut().for_each(|generation| generation.seconds = 0.0);
    checkpoint
}
