//! Policies in words, with the thresholds as the heuristics count.

use crate::compile::decided;
use crate::part::{Part, Shape};
use crate::policy::Policy;
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR};
use crate::text::{ValueText, number_text};

/// A rule, or at last the default, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// When it fires; none for the default.
    pub condition: Option<String>,
    /// Its value.
    pub value: String,
    /// What its condition is whatever the state, if that can be told.
    pub always: Option<bool>,
}

/// The rules in words, and the default.
///
/// ```
/// use clearway_policy::{Policy, explain};
/// let policy: Policy = "IF h1 <= 0.4 AND (g >= 0.5 OR is-releasing-move) THEN 2*h1 DEFAULT h1".parse()?;
/// let rules = explain(&policy);
/// let condition = "blockers-lower-bound at most 16 and (g at least 50 or is-releasing-move)";
/// assert_eq!(rules[0].condition.as_deref(), Some(condition));
/// assert_eq!(rules[1].value, "blockers-lower-bound");
/// # Ok::<(), clearway_policy::PolicyError>(())
/// ```
pub fn explain(policy: &Policy) -> Vec<Explained> {
    let rules = policy.rules.iter().map(|rule| Explained {
        condition: Some(condition(Part::of(&rule.condition))),
        value: ValueText(Part::of(&rule.value)).to_string(),
        always: known(Part::of(&rule.condition)),
    });
    let default = Explained { condition: None, value: ValueText(Part::of(&policy.default)).to_string(), always: None };
    rules.chain([default]).collect()
}

fn condition(part: Part<'_>) -> String {
    match part.shape() {
        Shape::Function(function @ (AND | OR), left, right) => {
            let operand = |part: Part<'_>| {
                let text = condition(part);
                let other = matches!(part.shape(), Shape::Function(inner @ (AND | OR), ..) if inner != function);
                if other { format!("({text})") } else { text }
            };
            format!("{} {} {}", operand(left), if function == AND { "and" } else { "or" }, operand(right))
        }
        Shape::Function(function, left, right) => {
            check(function, left, right, |heuristic, sign, than| format!("{heuristic} {sign} {than}"))
        }
        Shape::Number(number) => number_text(number),
        Shape::Terminal(terminal) => TERMINALS[terminal].name.to_owned(),
    }
}

/// A comparison, the heuristic first and in its own units.
fn check(function: u16, left: Part<'_>, right: Part<'_>, text: impl Fn(&str, &str, &str) -> String) -> String {
    let signs = |at_most: bool| if at_most { "at most" } else { "at least" };
    let at_most = function == AT_MOST;
    match (left.shape(), right.shape()) {
        (Shape::Terminal(terminal), Shape::Number(share)) => {
            text(TERMINALS[terminal].name, signs(at_most), &number_text(share * TERMINALS[terminal].most))
        }
        (Shape::Number(share), Shape::Terminal(terminal)) => {
            text(TERMINALS[terminal].name, signs(!at_most), &number_text(share * TERMINALS[terminal].most))
        }
        (Shape::Terminal(left), Shape::Terminal(right)) => {
            let (left, right) = (&TERMINALS[left], &TERMINALS[right]);
            if left.most.total_cmp(&right.most).is_eq() {
                return text(left.name, signs(at_most), right.name);
            }
            let share = |name: &str, most: f64| format!("{name}/{}", number_text(most));
            text(&share(left.name, left.most), signs(at_most), &share(right.name, right.most))
        }
        _ => text(&condition(left), signs(at_most), &condition(right)),
    }
}

/// A comparison with signs instead of words, for pictures.
pub(crate) fn short_check(function: u16, left: Part<'_>, right: Part<'_>) -> String {
    check(function, left, right, |heuristic, sign, than| {
        format!("{heuristic} {} {than}", if sign == "at most" { '≤' } else { '≥' })
    })
}

/// What a condition is whatever the state, if that can be told.
fn known(part: Part<'_>) -> Option<bool> {
    match part.shape() {
        Shape::Function(function @ (AND | OR), left, right) => {
            let decides = function == OR;
            match (known(left), known(right)) {
                (Some(left), Some(right)) => Some(if decides { left || right } else { left && right }),
                (Some(one), None) | (None, Some(one)) if one == decides => Some(decides),
                _ => None,
            }
        }
        Shape::Function(AT_MOST, left, right) => decided(left, right),
        Shape::Function(AT_LEAST, left, right) => decided(right, left),
        _ => None,
    }
}
