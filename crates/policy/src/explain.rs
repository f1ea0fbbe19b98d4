//! Descriptions of policies in words, with thresholds in the units of the heuristics.

use crate::compile::constant_comparison;
use crate::policy::Policy;
use crate::subtree::{Subtree, SubtreeRoot};
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR};
use crate::text::{ValueText, number_text};

/// Description of a rule, or of the default, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleExplanation {
    /// Condition under which the rule fires; `None` for the default.
    pub condition: Option<String>,
    /// Value of the rule.
    pub value: String,
    /// Truth value of the condition if it is the same in every state, as far as can be decided from the text alone.
    pub always: Option<bool>,
}

/// Describes the rules of a policy in order, followed by the default.
///
/// ```
/// use clearway_policy::{Policy, explain};
/// let policy: Policy = "IF h1 <= 0.4 AND (g >= 0.5 OR is-releasing-move) THEN 2*h1 DEFAULT h1".parse()?;
/// let rules = explain(&policy);
/// let condition = "blockers-lower-bound at most 16 and (g at least 50 or is-releasing-move)";
/// assert_eq!(rules[0].condition.as_deref(), Some(condition));
/// assert_eq!(rules[1].value, "blockers-lower-bound");
/// # Ok::<(), clearway_util::syntax::ParseError>(())
/// ```
pub fn explain(policy: &Policy) -> Vec<RuleExplanation> {
    let rules = policy.rules.iter().map(|rule| RuleExplanation {
        condition: Some(condition(Subtree::new(&rule.condition))),
        value: ValueText(Subtree::new(&rule.value)).to_string(),
        always: constant_condition(Subtree::new(&rule.condition)),
    });
    let default =
        RuleExplanation { condition: None, value: ValueText(Subtree::new(&policy.default)).to_string(), always: None };
    rules.chain([default]).collect()
}

fn condition(subtree: Subtree<'_>) -> String {
    match subtree.shape() {
        SubtreeRoot::Function(function @ (AND | OR), left, right) => {
            let operand = |subtree: Subtree<'_>| {
                let text = condition(subtree);
                let other =
                    matches!(subtree.shape(), SubtreeRoot::Function(inner @ (AND | OR), ..) if inner != function);
                if other { format!("({text})") } else { text }
            };
            format!("{} {} {}", operand(left), if function == AND { "and" } else { "or" }, operand(right))
        }
        SubtreeRoot::Function(function, left, right) => {
            comparison(function, left, right, |heuristic, sign, than| format!("{heuristic} {sign} {than}"))
        }
        SubtreeRoot::Number(number) => number_text(number),
        SubtreeRoot::Terminal(terminal) => TERMINALS[terminal].name.to_owned(),
    }
}

/// Describes a comparison with the heuristic first and in its own units.
fn comparison(
    function: u16,
    left: Subtree<'_>,
    right: Subtree<'_>,
    text: impl Fn(&str, &str, &str) -> String,
) -> String {
    let signs = |at_most: bool| if at_most { "at most" } else { "at least" };
    let at_most = function == AT_MOST;
    match (left.shape(), right.shape()) {
        (SubtreeRoot::Terminal(terminal), SubtreeRoot::Number(share)) => {
            text(TERMINALS[terminal].name, signs(at_most), &number_text(share * TERMINALS[terminal].most))
        }
        (SubtreeRoot::Number(share), SubtreeRoot::Terminal(terminal)) => {
            text(TERMINALS[terminal].name, signs(!at_most), &number_text(share * TERMINALS[terminal].most))
        }
        (SubtreeRoot::Terminal(left), SubtreeRoot::Terminal(right)) => {
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

/// Describes a comparison with signs instead of words, for drawings.
pub(crate) fn symbolic_comparison(function: u16, left: Subtree<'_>, right: Subtree<'_>) -> String {
    comparison(function, left, right, |heuristic, sign, than| {
        format!("{heuristic} {} {than}", if sign == "at most" { '≤' } else { '≥' })
    })
}

/// Returns the truth value of a condition if it is the same in every state, as far as can be decided.
fn constant_condition(subtree: Subtree<'_>) -> Option<bool> {
    match subtree.shape() {
        SubtreeRoot::Function(function @ (AND | OR), left, right) => {
            let decides = function == OR;
            match (constant_condition(left), constant_condition(right)) {
                (Some(left), Some(right)) => Some(if decides { left || right } else { left && right }),
                (Some(one), None) | (None, Some(one)) if one == decides => Some(decides),
                _ => None,
            }
        }
        SubtreeRoot::Function(AT_MOST, left, right) => constant_comparison(left, right),
        SubtreeRoot::Function(AT_LEAST, left, right) => constant_comparison(right, left),
        _ => None,
    }
}
