//! Strongly typed genetic programming (Montana, 1995) that knows no puzzle.
//!
//! A domain hands over its [`Primitives`] (functions, terminals and constants, each with types), the [`Layout`] of an
//! individual, and a way to judge one; it gets back a population that gets better.
//!
//! - [`Primitives`], [`Tree`], [`Genome`], [`Layout`]: what individuals are made of
//! - [`generate`]: random ones; [`Breeder`]: their children, by the probabilities of [`Operators`]
//! - [`Selection`]: who has children
//! - [`Evolution`]: a run, generation by generation, of a [`Problem`]; [`checkpoint`]: what survives an interruption
//! - [`mod@simplify`]: smaller individuals that do the same; [`parallel`]: work on several threads
//! - [`library`]: what was bred, as texts by name
//!
//! ```
//! use clearway_gp::{
//!     Constants, Evolution, EvolutionOptions, Genome, Judged, Judgement, Layout, Primitive, Primitives, Problem, Type,
//! };
//! use std::sync::atomic::AtomicBool;
//!
//! /// Looks for a formula that is `x * x + x` at some points.
//! struct Formula {
//!     primitives: Primitives,
//!     layout: Layout,
//! }
//!
//! /// The number of each primitive is its place in the list that `formula` makes.
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
//!     fn primitives(&self) -> &Primitives {
//!         &self.primitives
//!     }
//!
//!     fn layout(&self) -> &Layout {
//!         &self.layout
//!     }
//!
//!     fn memory(&self) {}
//!
//!     fn begin(&self, _: &mut (), _generation: u32, _seed: u64) {}
//!
//!     fn judge(&self, _: &(), genome: &Genome) -> Judgement {
//!         let error = |x: i32| (value(genome, f64::from(x)) - f64::from(x * x + x)).abs();
//!         let cases: Vec<f64> = (-5..=5).map(|x| -error(x)).collect();
//!         Judgement { score: cases.iter().sum(), evaluations: cases.len() as u64, cases, ..Judgement::default() }
//!     }
//!
//!     fn end(&self, _: &mut (), _generation: u32, _population: &[Judged]) {}
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
//!         primitives: Primitives::new(all).unwrap(),
//!         layout: Layout { roots: vec![number], groups: vec![], depth: 5, size: 15 },
//!     }
//! }
//!
//! let mut evolution = Evolution::new(formula(), EvolutionOptions::default())?;
//! let nobody = AtomicBool::new(false);
//! while evolution.best().is_none_or(|best| best.judgement.score < 0.0) && evolution.history().len() < 50 {
//!     let generation = evolution.step(2, &nobody).unwrap();
//!     println!("{}: {} best, {} on average", generation.generation, generation.best, generation.mean);
//! }
//! assert_eq!(evolution.best().unwrap().judgement.score, 0.0);
//! # Ok::<(), clearway_gp::EvolutionError>(())
//! ```

pub mod checkpoint;
mod evolution;
pub mod generate;
mod genome;
mod hash;
pub mod library;
mod operators;
mod options;
pub mod parallel;
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
pub use genome::{Genome, GenomeError, Layout, LayoutError};
pub use hash::StableHash;
pub use operators::{Operators, Places};
pub use options::{EvolutionOptions, Initial, OptionsError};
pub use primitives::{Constants, Primitive, Primitives, PrimitivesError, Type};
pub use problem::{Judged, Judgement, Problem};
pub use select::{Selection, Selector};
pub use statistics::Generation;
pub use tree::{Node, Tree, TreeError};
pub use vary::Breeder;
