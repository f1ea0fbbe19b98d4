//! Probabilities of the variation operators.

use crate::OptionsError;
use serde::{Deserialize, Serialize};

/// Probabilities of the variation operators. A child is a copy, or the result of a crossover or a mutation. The shares divide
/// crossovers and mutations into kinds; the remainder are subtree crossovers and subtree mutations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Operators {
    /// Probability of a copy.
    pub reproduction: f64,
    /// Probability of a crossover.
    pub crossover: f64,
    /// Probability of a mutation.
    pub mutation: f64,
    /// Share of crossovers that copy a whole group from the other parent.
    pub group_crossover: f64,
    /// Share of mutations that swap two groups.
    pub group_mutation: f64,
    /// Share of mutations that change constants.
    pub constant_mutation: f64,
    /// Share of mutations that replace a subtree by a part of itself.
    pub hoist_mutation: f64,
    /// Share of mutations that replace a subtree by a terminal.
    pub shrink_mutation: f64,
    /// Share of mutations that insert a new function above a subtree, with random other arguments.
    pub insert_mutation: f64,
    /// Share of the subtrees inserted by mutation that come from the problem's [stock](crate::Problem::stock), if it holds any of the
    /// type; the others are random.
    pub stock: f64,
    /// Relative size of the change of a constant. If 0, a new constant is drawn from the values of its primitive instead.
    pub jitter: f64,
    /// Probability that a crossover point is a function rather than a terminal, if the tree has both.
    pub inner: f64,
    /// Choice of crossover points.
    pub places: CrossoverPoints,
}

/// A variation operator, as it was applied to a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum Operator {
    /// A copy of the parent, also where another operator found no place.
    Copy,
    /// Crossover that replaces a group of trees by one of the donor.
    GroupCrossover,
    /// Crossover that replaces a subtree by one of the donor of the same type.
    SubtreeCrossover,
    /// Mutation that swaps two groups.
    GroupMutation,
    /// Mutation that changes the constants of a tree.
    ConstantMutation,
    /// Mutation that replaces a subtree by a part of itself.
    HoistMutation,
    /// Mutation that replaces a subtree by a terminal.
    ShrinkMutation,
    /// Mutation that inserts a function.
    InsertMutation,
    /// Mutation that replaces a subtree by a random one.
    SubtreeMutation,
}

/// Children of an operator in a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OperatorSuccess {
    /// Operator that made the children.
    pub operator: Operator,
    /// Number of children.
    pub children: u32,
    /// Number of children with a higher score than their first parent. The scores are comparable only if both generations were
    /// evaluated on the same cases.
    pub better: u32,
}

/// Choice of crossover points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CrossoverPoints {
    /// Uniform among functions or among terminals, chosen by [`Operators::inner`].
    #[default]
    Kinds,
    /// Down from the root: at each node, stopping and continuing with each argument are equally likely (first method of Barnes, Hasan
    /// and Lee, 2006). Prefers nodes near the root.
    Descent,
    /// A random level, then a random node of that level; in the donor, the level is not nearer to the root (their second, "fair"
    /// method).
    Levels,
}

impl Default for Operators {
    /// Probabilities of GP-Rush (Hauptman, Elyasaf, Sipper, Karmon, 2009), assuming that its group operators and tree operators are
    /// equally frequent.
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
            places: CrossoverPoints::Kinds,
        }
    }
}

impl Operators {
    /// Rejects values that are not probabilities or have a wrong sum.
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
                return Err(OptionsError::ShareOutOfRange { name, value });
            }
        }
        let sum = |shares: &[(&str, f64)]| shares.iter().map(|(_, value)| value).sum::<f64>();
        let near = 1e-9;
        if (sum(&kinds) - 1.0).abs() > near {
            return Err(OptionsError::WrongSum { what: "the operators", sum: sum(&kinds), bound: "1" });
        }
        if sum(&mutations) > 1.0 + near {
            return Err(OptionsError::WrongSum { what: "the mutations", sum: sum(&mutations), bound: "1 at most" });
        }
        if !(0.0..=10.0).contains(&self.jitter) {
            return Err(OptionsError::JitterOutOfRange(self.jitter));
        }
        Ok(())
    }
}
