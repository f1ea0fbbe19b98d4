//! Strongly typed genetic programming (Montana, 1995), independent of any puzzle.
//!
//! A [`Problem`] provides its [`Primitives`] (functions, terminals and constants, each with types), the [`GenomeLayout`] of an
//! individual, and a fitness; [`Evolution`] improves a population.
//!
//! - [`Primitives`], [`Tree`], [`Genome`], [`GenomeLayout`]: representation of individuals
//! - [`generate`]: random individuals; [`Breeder`]: crossover and mutation with the probabilities of [`Operators`]
//! - [`Selection`]: choice of parents
//! - [`Evolution`]: generation after generation; [`checkpoint`]: the state that survives an interruption
//! - [`mod@simplify`]: smaller individuals with the same behaviour
//!
//! ```
//! use clearway_gp::{
//!     Constants, Evolution, EvolutionOptions, Genome, EvaluatedIndividual, Fitness, GenomeLayout, Primitive, Primitives, Problem, Representation,
//!     Type,
//! };
//! use std::sync::atomic::AtomicBool;
//!
//! /// Searches for a formula that equals `x * x + x` at some points.
//! struct Formula {
//!     representation: Representation,
//! }
//!
//! /// Primitives are numbered in the order of the list in `formula`.
//! fn value(genome: &Genome, x: f64) -> f64 {
//!     let mut stack = Vec::new();
//!     for node in genome.trees[0].nodes.iter().rev() {
//!         let mut argument = || stack.pop().unwrap();
//!         let value = match node.primitive {
//!             0 => argument() + argument(),
//!             1 => argument() * argument(),
//!             2 => x,
//!             _ => node.value,
//!         };
//!         stack.push(value);
//!     }
//!     stack[0]
//! }
//!
//! impl Problem for Formula {
//!     type Memory = ();
//!
//!     fn representation(&self) -> &Representation {
//!         &self.representation
//!     }
//!
//!     fn memory(&self) {}
//!
//!     fn begin(&self, _: &mut (), _generation: u32, _seed: u64) {}
//!
//!     fn evaluate(&self, _: &(), genome: &Genome) -> Fitness {
//!         let error = |x: i32| (value(genome, f64::from(x)) - f64::from(x * x + x)).abs();
//!         let cases: Vec<f64> = (-5..=5).map(|x| -error(x)).collect();
//!         Fitness { score: cases.iter().sum(), evaluations: cases.len() as u64, cases, ..Fitness::default() }
//!     }
//!
//!     fn end(&self, _: &mut (), _generation: u32, _population: &[EvaluatedIndividual], _: &AtomicBool) {}
//! }
//!
//! fn formula() -> Formula {
//!     let number = Type(0);
//!     let primitive = |name: &str, arguments, constants| Primitive {
//!         name: name.to_owned(),
//!         output: number,
//!         inputs: vec![number; arguments],
//!         constants,
//!         weight: 1.0,
//!     };
//!     let digits = Constants::OneOf((1..=9).map(f64::from).collect());
//!     let all = vec![
//!         primitive("+", 2, None),
//!         primitive("*", 2, None),
//!         primitive("x", 0, None),
//!         primitive("number", 0, Some(digits)),
//!     ];
//!     Formula {
//!         representation: Representation {
//!             primitives: Primitives::new(all).unwrap(),
//!             layout: GenomeLayout { roots: vec![number], groups: vec![], depth: 5, size: 15 },
//!         },
//!     }
//! }
//!
//! let mut evolution = Evolution::new(formula(), EvolutionOptions::default())?;
//! let nobody = AtomicBool::new(false);
//! while evolution.best().is_none_or(|best| best.fitness.score < 0.0) && evolution.history().len() < 50 {
//!     let generation = evolution.step(2, &nobody).unwrap();
//!     println!("{}: {} best, {} on average", generation.generation, generation.best, generation.mean);
//! }
//! assert_eq!(evolution.best().unwrap().fitness.score, 0.0);
//! # Ok::<(), clearway_gp::EvolutionError>(())
//! ```

pub mod checkpoint;
mod evolution;
pub mod generate;
mod genome;
mod operators;
mod options;
mod primitives;
mod problem;
pub mod rng;
mod select;
pub mod simplify;
mod statistics;
mod tree;
mod vary;

pub use checkpoint::{Checkpoint, CheckpointError, CheckpointFile};
pub use evolution::{Evolution, EvolutionError, Proposal};
pub use genome::{Genome, GenomeError, GenomeLayout, GenomeLayoutError};
pub use operators::{CrossoverPoints, Operator, OperatorSuccess, Operators};
pub use options::{EvolutionOptions, Initialization, OptionsError};
pub use primitives::{Constants, Primitive, Primitives, PrimitivesError, Type};
pub use problem::{EvaluatedIndividual, Fitness, Problem, Representation};
pub use select::{Selection, Selector};
pub use statistics::Generation;
pub use tree::{Node, Tree, TreeError};
pub use vary::Breeder;
