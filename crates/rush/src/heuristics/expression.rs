//! Expressions over heuristics, such as `max(blockers, 3*h1)` or the rule `if(g >= 10, 2*h1, h1)`.

use super::parser::{self, ExpressionError};
use super::{BoxedHeuristic, BuildError, Context, HeuristicInfo};
use crate::{Metric, RushDomain};
use clearway_search::{Heuristic, Node};
use std::fmt;
use std::str::FromStr;

/// A heuristic by name, or a combination of several.
///
/// ```
/// use clearway_rush::{Metric, heuristics::Expression};
/// let h: Expression = "max(blockers, (h1 + zero) * 3)".parse()?;
/// assert_eq!(h.to_string(), "max(blockers, 3*(blockers-lower-bound + zero))");
/// assert!(!h.admissible(Metric::Moves));
/// assert!("max(blockers, landmarks)".parse::<Expression>()?.admissible(Metric::Moves));
/// # Ok::<(), clearway_rush::heuristics::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A constant.
    Number(f64),
    /// A heuristic.
    Named(&'static HeuristicInfo),
    /// A multiple.
    Scaled(f64, Box<Expression>),
    /// A sum of two or more.
    Sum(Vec<Expression>),
    /// The greatest of one or more.
    Max(Vec<Expression>),
    /// The least of one or more.
    Min(Vec<Expression>),
    /// A rule: `if(left <= right, then, otherwise)`.
    If(Box<Rule>),
}

/// The parts of a rule. `left >= right` is read as `right <= left`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What is compared: the rule fires if this is not above `right`.
    pub left: Expression,
    /// What it is compared with.
    pub right: Expression,
    /// The value where the rule fires.
    pub then: Expression,
    /// The value where it does not; often the next rule.
    pub otherwise: Expression,
}

impl Expression {
    /// Whether it is known never to overestimate in a metric.
    pub fn admissible(&self, metric: Metric) -> bool {
        match self {
            Expression::Number(number) => *number <= 0.0,
            Expression::Named(info) => info.admissible.in_metric(metric),
            Expression::Scaled(weight, of) => (0.0..=1.0).contains(weight) && of.admissible(metric),
            Expression::Sum(_) => false,
            Expression::Max(all) => all.iter().all(|one| one.admissible(metric)),
            Expression::Min(all) => all.iter().any(|one| one.admissible(metric)),
            Expression::If(rule) => rule.then.admissible(metric) && rule.otherwise.admissible(metric),
        }
    }

    /// The heuristic for a board. Its numbers are never below 0: where an expression is, it counts as 0.
    pub fn build<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &Context,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        Ok(match self {
            Expression::Named(info) => info.build(domain, context)?,
            _ => Box::new(Combination { root: self.part(domain, &mut context.clone())? }),
        })
    }

    /// A part, and in the context what it leaves of the memory for the others.
    fn part<const N: usize>(&self, domain: &RushDomain<N>, context: &mut Context) -> Result<Part<N>, BuildError> {
        let mut parts =
            |all: &[Expression]| all.iter().map(|one| one.part(domain, context)).collect::<Result<Vec<_>, _>>();
        Ok(match self {
            Expression::Number(number) => Part::Number(*number),
            Expression::Named(info) => Part::Leaf(context.build(info, domain)?),
            Expression::Scaled(weight, of) => Part::Scaled(*weight, Box::new(of.part(domain, context)?)),
            Expression::Sum(all) => Part::Sum(parts(all)?),
            Expression::Max(all) => Part::Max(parts(all)?),
            Expression::Min(all) => Part::Min(parts(all)?),
            Expression::If(rule) => {
                let mut part = |of: &Expression| of.part(domain, context);
                Part::If(Box::new([part(&rule.left)?, part(&rule.right)?, part(&rule.then)?, part(&rule.otherwise)?]))
            }
        })
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Expression, ExpressionError> {
        parser::parse(text)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Number(number) => write!(f, "{number}"),
            Expression::Named(info) => f.write_str(info.name),
            Expression::Scaled(weight, of) if matches!(**of, Expression::Sum(_)) => write!(f, "{weight}*({of})"),
            Expression::Scaled(weight, of) => write!(f, "{weight}*{of}"),
            Expression::Sum(all) => {
                for (i, one) in all.iter().enumerate() {
                    match one {
                        Expression::Scaled(weight, of) if i > 0 && *weight < 0.0 => {
                            write!(f, " - {}", Expression::Scaled(-weight, of.clone()).without_unit())?;
                        }
                        Expression::Number(number) if i > 0 && *number < 0.0 => write!(f, " - {}", -number)?,
                        // Sums of numbers depend on their order, so a sum inside a sum keeps its parentheses.
                        Expression::Sum(_) => write!(f, "{}({one})", if i > 0 { " + " } else { "" })?,
                        _ => write!(f, "{}{one}", if i > 0 { " + " } else { "" })?,
                    }
                }
                Ok(())
            }
            Expression::Max(all) => write_call(f, "max", all),
            Expression::Min(all) => write_call(f, "min", all),
            Expression::If(rule) => {
                write!(f, "if({} <= {}, {}, {})", rule.left, rule.right, rule.then, rule.otherwise)
            }
        }
    }
}

impl Expression {
    /// The same without a weight of 1, unless that would take the parentheses off a sum.
    fn without_unit(self) -> Expression {
        match self {
            Expression::Scaled(1.0, of) if !matches!(*of, Expression::Sum(_)) => *of,
            other => other,
        }
    }
}

fn write_call(f: &mut fmt::Formatter<'_>, name: &str, all: &[Expression]) -> fmt::Result {
    write!(f, "{name}(")?;
    for (i, one) in all.iter().enumerate() {
        write!(f, "{}{one}", if i > 0 { ", " } else { "" })?;
    }
    f.write_str(")")
}

/// An expression that is ready to be asked.
enum Part<const N: usize> {
    Number(f64),
    Leaf(BoxedHeuristic<N>),
    Scaled(f64, Box<Part<N>>),
    Sum(Vec<Part<N>>),
    Max(Vec<Part<N>>),
    Min(Vec<Part<N>>),
    If(Box<[Part<N>; 4]>),
}

impl<const N: usize> Part<N> {
    fn bytes(&self) -> usize {
        match self {
            Part::Number(_) => 0,
            Part::Leaf(heuristic) => heuristic.bytes(),
            Part::Scaled(_, of) => of.bytes(),
            Part::Sum(all) | Part::Max(all) | Part::Min(all) => all.iter().map(Part::bytes).sum(),
            Part::If(parts) => parts.iter().map(Part::bytes).sum(),
        }
    }

    /// The value, and whether a heuristic in it is infinite.
    fn value(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>, is_dead_end: &mut bool) -> f64 {
        let mut of = |part: &mut Part<N>| part.value(domain, node, is_dead_end);
        match self {
            Part::Number(number) => *number,
            Part::Leaf(heuristic) => {
                let estimate = heuristic.estimate(domain, node);
                *is_dead_end |= estimate == f64::INFINITY;
                estimate
            }
            Part::Scaled(weight, scaled) => *weight * of(scaled),
            Part::Sum(all) => all.iter_mut().map(of).sum(),
            Part::Max(all) => all.iter_mut().map(of).fold(f64::NEG_INFINITY, f64::max),
            Part::Min(all) => all.iter_mut().map(of).fold(f64::INFINITY, f64::min),
            Part::If(parts) => {
                let [left, right, then, otherwise] = &mut **parts;
                let fires = of(left) <= of(right);
                if fires { of(then) } else { of(otherwise) }
            }
        }
    }
}

struct Combination<const N: usize> {
    root: Part<N>,
}

impl<const N: usize> Heuristic<RushDomain<N>> for Combination<N> {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let mut is_dead_end = false;
        let value = self.root.value(domain, node, &mut is_dead_end);
        if value.is_finite() || value == f64::NEG_INFINITY {
            value.max(0.0)
        } else if is_dead_end {
            // Only an infinite part makes 0 * inf or inf - inf, and that part says that no goal can be reached.
            f64::INFINITY
        } else {
            // Large numbers overflowed, which says nothing about the state.
            if value.is_nan() { 0.0 } else { f64::MAX }
        }
    }

    fn bytes(&self) -> usize {
        self.root.bytes()
    }
}
