//! How often each operator makes a child.

use crate::OptionsError;
use serde::{Deserialize, Serialize};

/// The probabilities of the operators. A child is a copy, or comes from a crossover, or from a mutation; the shares say
/// what kind of crossover and of mutation, and what they leave goes to those of subtrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Operators {
    /// The probability of a copy.
    pub reproduction: f64,
    /// The probability of a crossover.
    pub crossover: f64,
    /// The probability of a mutation.
    pub mutation: f64,
    /// The share of crossovers that take over a whole group of the other parent.
    pub group_crossover: f64,
    /// The share of mutations that let two groups change places.
    pub group_mutation: f64,
    /// The share of mutations that change constants.
    pub constant_mutation: f64,
    /// The share of mutations that put a part of a subtree in the place of the whole.
    pub hoist_mutation: f64,
    /// The share of mutations that put a terminal in the place of a subtree.
    pub shrink_mutation: f64,
    /// The share of mutations that put a subtree under a new function, beside another one.
    pub insert_mutation: f64,
    /// The share of the subtrees planted by mutation that come from the problem's [stock](crate::Problem::stock), where
    /// that holds any of the type, rather than being random.
    pub stock: f64,
    /// How far constants move when they change: about this share of themselves. If 0, they are drawn anew from the
    /// numbers of their primitive and stay within them.
    pub jitter: f64,
    /// The probability that a place in a tree is a function rather than a terminal, where there are both.
    pub inner: f64,
    /// How the places of a crossover are chosen.
    pub places: Places,
}

/// How the places of a crossover are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Places {
    /// All functions alike, and all terminals alike; [`Operators::inner`] says which.
    #[default]
    Kinds,
    /// From the root down: at each node it stops or goes on to one of the arguments, all as likely as the other (the
    /// first method of Barnes, Hasan and Lee, 2006). Places near the root come first.
    Descent,
    /// A level, and then a node of that level; in the donor the level is no nearer to the root (their second, "fair"
    /// method).
    Levels,
}

impl Default for Operators {
    /// The probabilities of GP-Rush (Hauptman, Elyasaf, Sipper, Karmon, 2009), whose group operators and tree operators
    /// are taken to be equally frequent.
    fn default() -> Self {
        Operators {
            reproduction: 0.5,
            crossover: 0.4,
            mutation: 0.1,
            group_crossover: 0.5,
            group_mutation: 0.5,
            constant_mutation: 0.0,
            hoist_mutation: 0.0,
            shrink_mutation: 0.0,
            insert_mutation: 0.0,
            stock: 0.0,
            jitter: 0.0,
            inner: 0.9,
            places: Places::Kinds,
        }
    }
}

impl Operators {
    /// Whether these are probabilities that add up.
    pub fn check(&self) -> Result<(), OptionsError> {
        let kinds = [("reproduction", self.reproduction), ("crossover", self.crossover), ("mutation", self.mutation)];
        let mutations = [
            ("group-mutation", self.group_mutation),
            ("constant-mutation", self.constant_mutation),
            ("hoist-mutation", self.hoist_mutation),
            ("shrink-mutation", self.shrink_mutation),
            ("insert-mutation", self.insert_mutation),
        ];
        let others = [("group-crossover", self.group_crossover), ("inner", self.inner), ("stock", self.stock)];
        for (name, value) in kinds.into_iter().chain(mutations).chain(others) {
            if !(0.0..=1.0).contains(&value) {
                return Err(OptionsError::Share { name, value });
            }
        }
        let sum = |shares: &[(&str, f64)]| shares.iter().map(|(_, value)| value).sum::<f64>();
        let near = 1e-9;
        if (sum(&kinds) - 1.0).abs() > near {
            return Err(OptionsError::Sum { what: "the operators", sum: sum(&kinds), bound: "1" });
        }
        if sum(&mutations) > 1.0 + near {
            return Err(OptionsError::Sum { what: "the mutations", sum: sum(&mutations), bound: "1 at most" });
        }
        if !(0.0..=10.0).contains(&self.jitter) {
            return Err(OptionsError::Jitter(self.jitter));
        }
        Ok(())
    }
}
