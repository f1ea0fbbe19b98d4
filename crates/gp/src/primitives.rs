//! What trees are made of.

use crate::hash::StableHash;
use crate::rng::Rng;
use rand::RngExt;

/// A type of values. Its number is the domain's own; small numbers are best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(pub u8);

/// A function, a terminal or a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Its name, for people.
    pub name: String,
    /// The type of its value.
    pub output: Type,
    /// The types of its arguments; none for terminals and constants.
    pub inputs: Vec<Type>,
    /// What a constant may be; none for functions and terminals.
    pub constants: Option<Constants>,
    /// How often it is chosen where a random tree needs a primitive of its kind and type, relative to the others. One
    /// of weight 0 is never generated, but trees may hold it.
    pub weight: f64,
}

/// What a constant may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Constants {
    /// One of these numbers.
    OneOf(Vec<f64>),
}

/// The primitives of a domain, with what generating trees needs to know about them.
///
/// ```
/// use clearway_gp::{Constants, Primitive, Primitives, Type};
/// let number = Type(0);
/// let primitive = |name: &str, inputs, constants| Primitive {
///     name: name.to_owned(),
///     output: number,
///     inputs,
///     constants,
///     weight: 1.0,
/// };
/// let plus = primitive("+", vec![number, number], None);
/// assert!(Primitives::new(vec![plus.clone()]).is_err(), "sums of sums of sums");
/// let one = primitive("number", vec![], Some(Constants::OneOf(vec![1.0])));
/// assert_eq!(Primitives::new(vec![plus, one])?.least_depth(number), Some(1));
/// # Ok::<(), clearway_gp::PrimitivesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Primitives {
    all: Vec<Primitive>,
    /// The generated functions of each type, by weight.
    functions: Vec<Choice>,
    /// The generated terminals and constants of each type, by weight.
    terminals: Vec<Choice>,
    /// The nodes of the smallest tree of a type with at most so many levels: by levels, then by type. More levels than
    /// there are types never help.
    least: Vec<Vec<usize>>,
}

/// What stands for the size of a tree that cannot be.
const IMPOSSIBLE: usize = usize::MAX;

/// Primitives to choose from at random.
#[derive(Clone, Debug, Default)]
struct Choice {
    /// Their numbers and weights.
    weighted: Vec<(u16, f64)>,
}

/// Why a set of primitives is of no use.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PrimitivesError {
    /// No tree of a type ever ends.
    #[error("no tree of the type of {name} can be finished: it needs a terminal")]
    Endless {
        /// A primitive that asks for such a tree.
        name: String,
    },
    /// More primitives than numbers for them.
    #[error("{0} primitives are too many: the most is {most}", most = u16::MAX)]
    TooMany(usize),
    /// A weight that is none.
    #[error("the weight of {name} must be 0 or a positive number, not {weight}")]
    Weight {
        /// The primitive.
        name: String,
        /// Its weight.
        weight: f64,
    },
    /// A constant without finite values, or with arguments.
    #[error("the constant {name} needs one finite number at least, and no arguments")]
    Constant {
        /// The primitive.
        name: String,
    },
}

impl Primitives {
    /// The primitives by number: a tree's nodes say which.
    pub fn new(all: Vec<Primitive>) -> Result<Primitives, PrimitivesError> {
        if all.len() > usize::from(u16::MAX) {
            return Err(PrimitivesError::TooMany(all.len()));
        }
        for primitive in &all {
            let Primitive { name, inputs, constants, weight, .. } = primitive;
            if !(weight.is_finite() && *weight >= 0.0) {
                return Err(PrimitivesError::Weight { name: name.clone(), weight: *weight });
            }
            if let Some(Constants::OneOf(numbers)) = constants {
                let usable = !numbers.is_empty() && numbers.iter().all(|number| number.is_finite());
                if !usable || !inputs.is_empty() {
                    return Err(PrimitivesError::Constant { name: name.clone() });
                }
            }
        }
        let types = |primitive: &Primitive| primitive.inputs.iter().copied().chain([primitive.output]).max();
        let types = all.iter().filter_map(types).max().map_or(0, |last| usize::from(last.0) + 1);
        let mut functions = vec![Choice::default(); types];
        let mut terminals = functions.clone();
        for (number, primitive) in all.iter().enumerate().filter(|(_, primitive)| primitive.weight > 0.0) {
            let kind = if primitive.inputs.is_empty() { &mut terminals } else { &mut functions };
            kind[usize::from(primitive.output.0)].weighted.push((number as u16, primitive.weight));
        }
        let mut primitives = Primitives { all, functions, terminals, least: vec![vec![IMPOSSIBLE; types]] };
        for levels in 1..=types {
            let next = (0..types).map(|output| primitives.smallest(Type(output as u8), levels)).collect();
            primitives.least.push(next);
        }
        let endless = |input: &Type| primitives.least_depth(*input).is_none();
        match primitives.all.iter().find(|p| p.weight > 0.0 && p.inputs.iter().any(endless)) {
            Some(primitive) => Err(PrimitivesError::Endless { name: primitive.name.clone() }),
            None => Ok(primitives),
        }
    }

    /// The nodes of the smallest tree with at most so many levels, where those with fewer levels are known.
    fn smallest(&self, output: Type, levels: usize) -> usize {
        let kinds = [&self.terminals, &self.functions].map(|kind| &kind[usize::from(output.0)].weighted);
        let sizes = kinds.into_iter().flatten().map(|&(primitive, _)| self.least_with(primitive, levels as u32));
        sizes.min().unwrap_or(IMPOSSIBLE)
    }

    /// All of them.
    pub fn all(&self) -> &[Primitive] {
        &self.all
    }

    /// One of them, if there are so many.
    pub fn get(&self, primitive: u16) -> Option<&Primitive> {
        self.all.get(usize::from(primitive))
    }

    /// The number of arguments of one of them.
    pub(crate) fn arity(&self, primitive: u16) -> usize {
        self.all[usize::from(primitive)].inputs.len()
    }

    /// The type of the value of one of them.
    pub(crate) fn output(&self, primitive: u16) -> Type {
        self.all[usize::from(primitive)].output
    }

    /// The levels that a tree of a type needs at least; none if random trees never have this type.
    pub fn least_depth(&self, output: Type) -> Option<u32> {
        let known = |sizes: &Vec<usize>| sizes.get(usize::from(output.0)).is_some_and(|&size| size != IMPOSSIBLE);
        self.least.iter().position(known).map(|depth| depth as u32)
    }

    /// The nodes that a random tree of a type needs at least if it has at most so many levels; none if there is no
    /// such tree.
    pub fn least_size(&self, output: Type, depth: u32) -> Option<usize> {
        let sizes = &self.least[(depth as usize).min(self.least.len() - 1)];
        sizes.get(usize::from(output.0)).copied().filter(|&size| size != IMPOSSIBLE)
    }

    /// The nodes of the smallest tree with this primitive at its root and at most so many levels.
    fn least_with(&self, primitive: u16, depth: u32) -> usize {
        let Some(below) = depth.checked_sub(1) else { return IMPOSSIBLE };
        let inputs = &self.all[usize::from(primitive)].inputs;
        let sizes = inputs.iter().map(|&input| self.least_size(input, below).unwrap_or(IMPOSSIBLE));
        sizes.fold(1, usize::saturating_add)
    }

    /// The weight of the functions of a type, of that of all its primitives.
    pub(crate) fn share_of_functions(&self, output: Type) -> f64 {
        let weight =
            |kind: &[Choice]| kind[usize::from(output.0)].weighted.iter().map(|(_, weight)| weight).sum::<f64>();
        let (functions, terminals) = (weight(&self.functions), weight(&self.terminals));
        functions / (functions + terminals)
    }

    /// A random function, by weight, for the root of a tree within limits; none if there is none.
    pub(crate) fn function(&self, output: Type, depth: u32, size: usize, rng: &mut Rng) -> Option<u16> {
        self.choose(&self.functions, output, depth, size, rng)
    }

    /// A random terminal or constant, by weight; none if the type has none.
    pub(crate) fn terminal(&self, output: Type, rng: &mut Rng) -> Option<u16> {
        self.choose(&self.terminals, output, 1, 1, rng)
    }

    fn choose(&self, kind: &[Choice], output: Type, depth: u32, size: usize, rng: &mut Rng) -> Option<u16> {
        let fits = |&&(primitive, _): &&(u16, f64)| self.least_with(primitive, depth) <= size;
        let fitting = || kind.get(usize::from(output.0)).into_iter().flat_map(|kind| &kind.weighted).filter(fits);
        // Weights may be huge, and only their proportions matter.
        let heaviest = fitting().map(|&(_, weight)| weight).fold(0.0, f64::max);
        let mut rest = rng.random::<f64>() * fitting().map(|(_, weight)| weight / heaviest).sum::<f64>();
        for &(primitive, weight) in fitting() {
            rest -= weight / heaviest;
            if rest < 0.0 {
                return Some(primitive);
            }
        }
        fitting().next_back().map(|&(primitive, _)| primitive)
    }

    /// A constant for a node of this primitive; 0 where it is none.
    pub(crate) fn draw(&self, primitive: u16, rng: &mut Rng) -> f64 {
        match &self.all[usize::from(primitive)].constants {
            Some(Constants::OneOf(numbers)) => numbers[rng.random_range(0..numbers.len())],
            None => 0.0,
        }
    }

    /// Stays the same as long as trees and their generation mean the same.
    pub(crate) fn hash(&self, hash: &mut StableHash) {
        hash.number(self.all.len() as u64);
        for primitive in &self.all {
            hash.text(&primitive.name);
            hash.number(u64::from(primitive.output.0));
            hash.number(primitive.inputs.len() as u64);
            primitive.inputs.iter().for_each(|input| hash.number(u64::from(input.0)));
            hash.number(primitive.weight.to_bits());
            match &primitive.constants {
                None => hash.number(0),
                Some(Constants::OneOf(numbers)) => {
                    hash.number(1 + numbers.len() as u64);
                    for number in numbers {
                        hash.number(number.to_bits());
                    }
                }
            }
        }
    }
}
