//! Expressions over heuristics, such as `max(blockers, 3*h1)` or `if(g >= 10, 2*h1, h1)`.

use super::parser;
use super::{BoxedHeuristic, BuildError, HeuristicContext, HeuristicInfo};
use crate::{Metric, RushDomain, RushMove, RushState};
use clearway_search::{Heuristic, Node};
use clearway_util::syntax::{ExpressionError, SyntaxError};
use std::fmt;
use std::str::FromStr;

/// An expression over heuristics: a heuristic by name, a number, or a combination.
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
#[non_exhaustive]
pub enum Expression {
    /// A constant.
    Number(f64),
    /// A heuristic by name.
    Named(&'static HeuristicInfo),
    /// An expression multiplied by a number.
    Scaled(f64, Box<Expression>),
    /// The sum of two or more expressions.
    Sum(Vec<Expression>),
    /// The maximum of one or more expressions.
    Max(Vec<Expression>),
    /// The minimum of one or more expressions.
    Min(Vec<Expression>),
    /// A conditional: `if(left <= right, then, otherwise)`.
    If(Box<Conditional>),
}

/// The parts of a conditional. `left >= right` is parsed as `right <= left`.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditional {
    /// Left side of the condition `left <= right`.
    pub left: Expression,
    /// Right side of the condition.
    pub right: Expression,
    /// The value if the condition holds.
    pub then: Expression,
    /// The value otherwise, often the next conditional.
    pub otherwise: Expression,
}

impl Expression {
    /// Whether the expression is known to be admissible in a metric. It may be admissible even if this is false.
    pub fn admissible(&self, metric: Metric) -> bool {
        match self {
            Expression::Number(number) => *number <= 0.0,
            Expression::Named(info) => info.admissible.in_metric(metric),
            Expression::Scaled(weight, of) => (0.0..=1.0).contains(weight) && of.admissible(metric),
            Expression::Sum(_) => false,
            Expression::Max(all) => all.iter().all(|one| one.admissible(metric)),
            Expression::Min(all) => all.iter().any(|one| one.admissible(metric)),
            Expression::If(conditional) => {
                conditional.then.admissible(metric) && conditional.otherwise.admissible(metric)
            }
        }
    }

    /// Builds the heuristic for a board. Negative values of an expression become 0.
    pub fn build<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &HeuristicContext,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        Ok(match self {
            Expression::Named(info) => info.build(domain, context)?,
            _ => Box::new(Combination { root: self.compile(domain, &mut context.clone())? }),
        })
    }

    /// Compiles the expression, and reduces the memory limit of the context by the memory used.
    fn compile<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &mut HeuristicContext,
    ) -> Result<CompiledExpression<N>, BuildError> {
        let mut compile_all =
            |all: &[Expression]| all.iter().map(|one| one.compile(domain, context)).collect::<Result<Vec<_>, _>>();
        Ok(match self {
            Expression::Number(number) => CompiledExpression::Number(*number),
            Expression::Named(info) => CompiledExpression::Leaf(context.build(info, domain)?),
            Expression::Scaled(weight, of) => {
                CompiledExpression::Scaled(*weight, Box::new(of.compile(domain, context)?))
            }
            Expression::Sum(all) => CompiledExpression::Sum(compile_all(all)?),
            Expression::Max(all) => CompiledExpression::Max(compile_all(all)?),
            Expression::Min(all) => CompiledExpression::Min(compile_all(all)?),
            Expression::If(conditional) => {
                let mut compile = |part: &Expression| part.compile(domain, context);
                let (left, right) = (compile(&conditional.left)?, compile(&conditional.right)?);
                CompiledExpression::If(Box::new([
                    left,
                    right,
                    compile(&conditional.then)?,
                    compile(&conditional.otherwise)?,
                ]))
            }
        })
    }
}

impl Expression {
    /// Parses an expression that is part of another text: the error gives only its position.
    pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
        parser::parse(text)
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Expression, ExpressionError> {
        Expression::parse(text).map_err(|error| ExpressionError::new(text, error))
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
                        // Floating-point sums depend on their order, so a sum inside a sum keeps its parentheses.
                        Expression::Sum(_) => write!(f, "{}({one})", if i > 0 { " + " } else { "" })?,
                        _ => write!(f, "{}{one}", if i > 0 { " + " } else { "" })?,
                    }
                }
                Ok(())
            }
            Expression::Max(all) => write_call(f, "max", all),
            Expression::Min(all) => write_call(f, "min", all),
            Expression::If(conditional) => {
                write!(
                    f,
                    "if({} <= {}, {}, {})",
                    conditional.left, conditional.right, conditional.then, conditional.otherwise
                )
            }
        }
    }
}

impl Expression {
    /// Removes a weight of 1, unless that would remove the parentheses of a sum.
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

/// An expression compiled for a board.
enum CompiledExpression<const N: usize> {
    Number(f64),
    Leaf(BoxedHeuristic<N>),
    Scaled(f64, Box<CompiledExpression<N>>),
    Sum(Vec<CompiledExpression<N>>),
    Max(Vec<CompiledExpression<N>>),
    Min(Vec<CompiledExpression<N>>),
    /// Left and right side of the condition, and the two values.
    If(Box<[CompiledExpression<N>; 4]>),
}

impl<const N: usize> CompiledExpression<N> {
    fn memory_usage(&self) -> usize {
        match self {
            CompiledExpression::Number(_) => 0,
            CompiledExpression::Leaf(heuristic) => heuristic.memory_usage(),
            CompiledExpression::Scaled(_, of) => of.memory_usage(),
            CompiledExpression::Sum(all) | CompiledExpression::Max(all) | CompiledExpression::Min(all) => {
                all.iter().map(CompiledExpression::memory_usage).sum()
            }
            CompiledExpression::If(parts) => parts.iter().map(CompiledExpression::memory_usage).sum(),
        }
    }

    /// Marks the moves that one of its heuristics prefers.
    fn mark_preferred(&mut self, domain: &RushDomain<N>, state: &RushState<N>, moves: &[RushMove], marks: &mut [bool]) {
        let mut mark = |part: &mut CompiledExpression<N>| part.mark_preferred(domain, state, moves, marks);
        match self {
            CompiledExpression::Number(_) => {}
            CompiledExpression::Leaf(heuristic) => heuristic.mark_preferred(domain, state, moves, marks),
            CompiledExpression::Scaled(_, of) => mark(of),
            CompiledExpression::Sum(all) | CompiledExpression::Max(all) | CompiledExpression::Min(all) => {
                all.iter_mut().for_each(mark);
            }
            CompiledExpression::If(parts) => parts.iter_mut().for_each(mark),
        }
    }

    /// Evaluates the expression. Sets `is_dead_end` if one of its heuristics is infinite.
    fn value(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>, is_dead_end: &mut bool) -> f64 {
        let mut evaluate = |part: &mut CompiledExpression<N>| part.value(domain, node, is_dead_end);
        match self {
            CompiledExpression::Number(number) => *number,
            CompiledExpression::Leaf(heuristic) => {
                let estimate = heuristic.estimate(domain, node);
                *is_dead_end |= estimate == f64::INFINITY;
                estimate
            }
            CompiledExpression::Scaled(weight, scaled) => *weight * evaluate(scaled),
            CompiledExpression::Sum(all) => all.iter_mut().map(evaluate).sum(),
            CompiledExpression::Max(all) => all.iter_mut().map(evaluate).fold(f64::NEG_INFINITY, f64::max),
            CompiledExpression::Min(all) => all.iter_mut().map(evaluate).fold(f64::INFINITY, f64::min),
            CompiledExpression::If(parts) => {
                let [left, right, then, otherwise] = &mut **parts;
                let holds = evaluate(left) <= evaluate(right);
                if holds { evaluate(then) } else { evaluate(otherwise) }
            }
        }
    }
}

/// The heuristic of a compiled expression.
struct Combination<const N: usize> {
    root: CompiledExpression<N>,
}

impl<const N: usize> Heuristic<RushDomain<N>> for Combination<N> {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let mut is_dead_end = false;
        let value = self.root.value(domain, node, &mut is_dead_end);
        if value.is_finite() || value == f64::NEG_INFINITY {
            value.max(0.0)
        } else if is_dead_end {
            // 0 * inf and inf - inf require an infinite heuristic, which means that no goal can be reached.
            f64::INFINITY
        } else {
            // An overflow of finite numbers, which does not mean that no goal can be reached.
            if value.is_nan() { 0.0 } else { f64::MAX }
        }
    }

    fn mark_preferred(&mut self, domain: &RushDomain<N>, state: &RushState<N>, moves: &[RushMove], marks: &mut [bool]) {
        self.root.mark_preferred(domain, state, moves, marks);
    }

    fn memory_usage(&self) -> usize {
        self.root.memory_usage()
    }
}
