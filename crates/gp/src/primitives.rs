//! Building blocks of trees.

use crate::rng::Rng;
use clearway_util::hash::StableHash;
use rand::RngExt;

/// Type of a value. Numbers are chosen by the problem; small ones are best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(pub u8);

/// A function, a terminal or a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Name, for human readers.
    pub name: String,
    /// Type of its value.
    pub output: Type,
    /// Types of its arguments; empty for terminals and constants.
    pub inputs: Vec<Type>,
    /// Values of a constant; `None` for functions and terminals.
    pub constants: Option<Constants>,
    /// Relative frequency in random trees among primitives of its kind and type. A primitive of weight 0 is never generated, but trees
    /// may contain it.
    pub weight: f64,
}

/// Values of a constant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Constants {
    /// One of these numbers.
    OneOf(Vec<f64>),
}

/// The primitives of a problem, with tables for tree generation.
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
/// assert_eq!(Primitives::new(vec![plus, one])?.min_depth(number), Some(1));
/// # Ok::<(), clearway_gp::PrimitivesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Primitives {
    all: Vec<Primitive>,
    /// Functions to generate, by type, with weights.
    functions: Vec<Choice>,
    /// Terminals and constants to generate, by type, with weights.
    terminals: Vec<Choice>,
    /// Size of the smallest tree, by maximum depth and type. A depth above the number of types does not
    /// reduce it further.
    least: Vec<Vec<usize>>,
}

/// Size of a tree that does not exist.
const IMPOSSIBLE: usize = usize::MAX;

/// Primitives to draw from.
#[derive(Clone, Debug, Default)]
struct Choice {
    /// Numbers and weights.
    weighted: Vec<(u16, f64)>,
}

/// Why a set of primitives is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PrimitivesError {
    /// No finite tree of a type exists.
    #[error("no finite tree has the type of {name}; add a terminal of that type")]
    NoFiniteTree {
        /// A primitive that needs such a tree.
        name: String,
    },
    /// Too many primitives to number.
    #[error("{0} primitives are too many; at most {most} are allowed", most = u16::MAX)]
    TooMany(usize),
    /// A weight is negative or not finite.
    #[error("invalid weight {weight} of {name}: expected 0 or a positive number")]
    InvalidWeight {
        /// Name of the primitive.
        name: String,
        /// The rejected weight.
        weight: f64,
    },
    /// A constant has no finite values, or has arguments.
    #[error("the constant {name} needs at least one finite value and no arguments")]
    InvalidConstant {
        /// Name of the primitive.
        name: String,
    },
}

impl Primitives {
    /// Creates a set. Nodes of trees refer to primitives by their index.
    pub fn new(all: Vec<Primitive>) -> Result<Primitives, PrimitivesError> {
        if all.len() > usize::from(u16::MAX) {
            return Err(PrimitivesError::TooMany(all.len()));
        }
        for primitive in &all {
            let Primitive { name, inputs, constants, weight, .. } = primitive;
            if !(weight.is_finite() && *weight >= 0.0) {
                return Err(PrimitivesError::InvalidWeight { name: name.clone(), weight: *weight });
            }
            if let Some(Constants::OneOf(numbers)) = constants {
                let usable = !numbers.is_empty() && numbers.iter().all(|number| number.is_finite());
                if !usable || !inputs.is_empty() {
                    return Err(PrimitivesError::InvalidConstant { name: name.clone() });
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
        let endless = |input: &Type| primitives.min_depth(*input).is_none();
        match primitives.all.iter().find(|p| p.weight > 0.0 && p.inputs.iter().any(endless)) {
            Some(primitive) => Err(PrimitivesError::NoFiniteTree { name: primitive.name.clone() }),
            None => Ok(primitives),
        }
    }

    /// Computes the size of the smallest tree of a depth from the sizes for smaller depths.
    fn smallest(&self, output: Type, levels: usize) -> usize {
        let kinds = [&self.terminals, &self.functions].map(|kind| &kind[usize::from(output.0)].weighted);
        let sizes = kinds.into_iter().flatten().map(|&(primitive, _)| self.least_with(primitive, levels as u32));
        sizes.min().unwrap_or(IMPOSSIBLE)
    }

    /// All primitives.
    pub fn all(&self) -> &[Primitive] {
        &self.all
    }

    /// Primitive of a number, if it exists.
    pub fn get(&self, primitive: u16) -> Option<&Primitive> {
        self.all.get(usize::from(primitive))
    }

    /// Number of arguments of a primitive.
    pub(crate) fn arity(&self, primitive: u16) -> usize {
        self.all[usize::from(primitive)].inputs.len()
    }

    /// Type of the value of a primitive.
    pub(crate) fn output(&self, primitive: u16) -> Type {
        self.all[usize::from(primitive)].output
    }

    /// Smallest depth of a tree of a type; `None` if no random tree has the type.
    pub fn min_depth(&self, output: Type) -> Option<u32> {
        let known = |sizes: &Vec<usize>| sizes.get(usize::from(output.0)).is_some_and(|&size| size != IMPOSSIBLE);
        self.least.iter().position(known).map(|depth| depth as u32)
    }

    /// Smallest size of a random tree of a type with a maximum depth; `None` if there is
    /// none.
    pub fn min_size(&self, output: Type, depth: u32) -> Option<usize> {
        let sizes = &self.least[(depth as usize).min(self.least.len() - 1)];
        sizes.get(usize::from(output.0)).copied().filter(|&size| size != IMPOSSIBLE)
    }

    /// Size of the smallest tree with this primitive at its root and a maximum depth.
    fn least_with(&self, primitive: u16, depth: u32) -> usize {
        let Some(below) = depth.checked_sub(1) else { return IMPOSSIBLE };
        let inputs = &self.all[usize::from(primitive)].inputs;
        let sizes = inputs.iter().map(|&input| self.min_size(input, below).unwrap_or(IMPOSSIBLE));
        sizes.fold(1, usize::saturating_add)
    }

    /// Share of the functions in the weight of all primitives of a type.
    pub(crate) fn share_of_functions(&self, output: Type) -> f64 {
        let weight =
            |kind: &[Choice]| kind[usize::from(output.0)].weighted.iter().map(|(_, weight)| weight).sum::<f64>();
        let (functions, terminals) = (weight(&self.functions), weight(&self.terminals));
        functions / (functions + terminals)
    }

    /// Draws a function by weight for the root of a tree within limits; `None` if none fits.
    pub(crate) fn function(&self, output: Type, depth: u32, size: usize, rng: &mut Rng) -> Option<u16> {
        self.choose(&self.functions, output, depth, size, rng)
    }

    /// Draws a terminal or constant by weight; `None` if the type has none.
    pub(crate) fn terminal(&self, output: Type, rng: &mut Rng) -> Option<u16> {
        self.choose(&self.terminals, output, 1, 1, rng)
    }

    fn choose(&self, kind: &[Choice], output: Type, depth: u32, size: usize, rng: &mut Rng) -> Option<u16> {
        let fits = |&&(primitive, _): &&(u16, f64)| self.least_with(primitive, depth) <= size;
        let fitting = || kind.get(usize::from(output.0)).into_iter().flat_map(|kind| &kind.weighted).filter(fits);
        // Weights may be huge; only their proportions matter.
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

    /// Draws a value for a node of this primitive; 0 if it is not a constant.
    pub(crate) fn draw(&self, primitive: u16, rng: &mut Rng) -> f64 {
        match &self.all[usize::from(primitive)].constants {
            Some(Constants::OneOf(numbers)) => numbers[rng.random_range(0..numbers.len())],
            None => 0.0,
        }
    }

    /// Adds the primitives to a hash, which identifies compatible checkpoints.
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
