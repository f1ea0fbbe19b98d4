//! Compiled policies as source code of other programs, with identical values: conditions use the thresholds of the compiled
//! checks, and values add and multiply in the order of the compiled code.

use super::{Operation, Sum, Test, Value, comparison, compile_value};
use crate::policy::Policy;
use crate::subtree::{Subtree, SubtreeRoot};
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR};
use clearway_rush::heuristics::HeuristicInfo;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A programming language to export a policy to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Language {
    /// A Rust module without dependencies.
    Rust,
    /// A Python module without dependencies.
    Python,
}

/// Returns a module with a function `estimate`: the estimate of the policy, given the values of its heuristics. The estimate of
/// a solved state is 0 in a search; the function does not know whether a state is solved.
///
/// ```
/// use clearway_policy::{Language, Policy, export};
/// let policy: Policy = "IF h1 <= 0.05 THEN h1 DEFAULT 2*h1".parse()?;
/// let text = export(&policy, "mine", Language::Python);
/// assert!(text.contains("    if blockers_lower_bound <= 2.0:\n"));
/// # Ok::<(), clearway_util::syntax::ParseError>(())
/// ```
pub fn export(policy: &Policy, name: &str, language: Language) -> String {
    let mut exporter = Exporter { language, used: BTreeSet::new(), body: String::new() };
    exporter.rules(policy);
    exporter.module(policy, name)
}

/// A condition as code, or its value if it is the same in every state.
enum Condition {
    Constant(bool),
    Code(Code),
}

/// Code of a condition.
struct Code {
    text: String,
    /// Whether it must be in parentheses inside of another condition.
    is_joined: bool,
    /// Its heuristics, as indices into [`TERMINALS`].
    used: BTreeSet<usize>,
}

impl Code {
    /// Code as an operand of another condition.
    fn operand(&self) -> String {
        if self.is_joined { format!("({})", self.text) } else { self.text.clone() }
    }
}

struct Exporter {
    language: Language,
    /// Heuristics in the code, as indices into [`TERMINALS`].
    used: BTreeSet<usize>,
    body: String,
}

impl Exporter {
    /// Writes the rules that can fire, up to the first one that always does.
    fn rules(&mut self, policy: &Policy) {
        for rule in &policy.rules {
            let condition = self.condition(Subtree::new(&rule.condition));
            let (open, close) = match condition {
                Condition::Constant(false) => continue,
                Condition::Constant(true) => return self.value("    ", Subtree::new(&rule.value)),
                Condition::Code(Code { text, used, .. }) => {
                    self.used.extend(used);
                    match self.language {
                        Language::Rust => (format!("    if {text} {{\n"), "    }\n"),
                        Language::Python => (format!("    if {text}:\n"), ""),
                    }
                }
            };
            self.body += &open;
            self.value("        ", Subtree::new(&rule.value));
            self.body += close;
        }
        self.value("    ", Subtree::new(&policy.default));
    }

    /// Writes the return of a value.
    fn value(&mut self, indent: &str, subtree: Subtree<'_>) {
        let mut used = BTreeSet::new();
        let code = expression(&compile_value(subtree), &mut used);
        let heuristics = used.iter().map(|&terminal| identifier(terminal)).collect::<Vec<_>>().join(", ");
        self.used.extend(used);
        // Writing to a string cannot fail.
        let _ = match self.language {
            Language::Rust => writeln!(self.body, "{indent}return finite({code}, &[{heuristics}]);"),
            Language::Python => writeln!(self.body, "{indent}return _finite({code}, [{heuristics}])"),
        };
    }

    fn condition(&self, subtree: Subtree<'_>) -> Condition {
        let test = match subtree.shape() {
            SubtreeRoot::Function(function @ (AND | OR), left, right) => {
                return self.joined(function, self.condition(left), self.condition(right));
            }
            SubtreeRoot::Function(AT_MOST, left, right) => comparison(left, right),
            SubtreeRoot::Function(AT_LEAST, left, right) => comparison(right, left),
            SubtreeRoot::Terminal(terminal) => Ok(Test::Flag(terminal)),
            SubtreeRoot::Function(..) | SubtreeRoot::Number(_) => Err(false),
        };
        match test {
            Ok(test) => Condition::Code(self.test(test)),
            Err(constant) => Condition::Constant(constant),
        }
    }

    /// Joins two conditions by AND or OR.
    fn joined(&self, function: u16, left: Condition, right: Condition) -> Condition {
        // AND is decided by a false operand, OR by a true one.
        let decisive = function == OR;
        match (left, right) {
            (Condition::Constant(value), other) | (other, Condition::Constant(value)) => {
                if value == decisive {
                    Condition::Constant(value)
                } else {
                    other
                }
            }
            (Condition::Code(left), Condition::Code(right)) => {
                let word = match (self.language, function) {
                    (Language::Rust, AND) => "&&",
                    (Language::Rust, _) => "||",
                    (Language::Python, AND) => "and",
                    (Language::Python, _) => "or",
                };
                let text = format!("{} {word} {}", left.operand(), right.operand());
                Condition::Code(Code { text, is_joined: true, used: left.used.union(&right.used).copied().collect() })
            }
        }
    }

    fn test(&self, test: Test) -> Code {
        let code = |text: String, used: &[usize]| Code { text, is_joined: false, used: used.iter().copied().collect() };
        let scaled = |terminal: usize| {
            let (name, most) = (identifier(terminal), TERMINALS[terminal].most);
            match self.language {
                Language::Rust => format!("({name} / {most:?}).clamp(0.0, 1.0)"),
                Language::Python => format!("min(max({name} / {most:?}, 0.0), 1.0)"),
            }
        };
        match test {
            Test::AtMost(terminal, most) => code(format!("{} <= {most:?}", identifier(terminal)), &[terminal]),
            Test::AtLeast(terminal, least) => code(format!("{} >= {least:?}", identifier(terminal)), &[terminal]),
            Test::Flag(terminal) => code(format!("{} != 0.0", identifier(terminal)), &[terminal]),
            Test::Ordered(left, right) => code(format!("{} <= {}", scaled(left), scaled(right)), &[left, right]),
        }
    }

    fn module(&self, policy: &Policy, name: &str) -> String {
        let search = policy.search.as_deref().map(|search| format!("Search: {search}"));
        let about = policy.about.lines().map(str::to_owned).chain(search);
        let header: Vec<String> = std::iter::once(format!("The policy {name}, exported by clearway."))
            .chain([String::new()])
            .chain(about)
            .map(|line| line.chars().filter(|c| !c.is_control() && !"\\\"".contains(*c)).collect())
            .collect();
        let heuristics: Vec<(String, &str)> =
            self.used.iter().map(|&terminal| (identifier(terminal), about_terminal(terminal))).collect();
        match self.language {
            Language::Rust => rust_module(&header, &heuristics, &self.body),
            Language::Python => python_module(&header, &heuristics, &self.body),
        }
    }
}

/// Code of a value; adds its heuristics to `used`.
fn expression(value: &Value, used: &mut BTreeSet<usize>) -> String {
    match value {
        Value::Sum(Sum { constant, weights }) => {
            let mut code =
                if *constant == 0.0 && !weights.is_empty() { String::new() } else { format!("{constant:?}") };
            for &(terminal, weight) in weights {
                used.insert(terminal);
                let sign = match (code.is_empty(), weight < 0.0) {
                    (true, true) => "-",
                    (true, false) => "",
                    (false, true) => " - ",
                    (false, false) => " + ",
                };
                let (size, name) = (weight.abs(), identifier(terminal));
                let factor = if size.total_cmp(&1.0).is_eq() { String::new() } else { format!("{size:?} * ") };
                code.extend([sign, &factor, &name]);
            }
            code
        }
        Value::Pair(operation, deeper, other, _) => {
            let sign = if *operation == Operation::Add { "+" } else { "*" };
            format!("({}) {sign} ({})", expression(deeper, used), expression(other, used))
        }
    }
}

/// Name of a heuristic in code.
fn identifier(terminal: usize) -> String {
    TERMINALS[terminal].name.replace('-', "_")
}

fn about_terminal(terminal: usize) -> &'static str {
    HeuristicInfo::find(TERMINALS[terminal].name).map_or("", |info| info.about)
}

fn rust_module(header: &[String], heuristics: &[(String, &str)], body: &str) -> String {
    let comment: String = header.iter().map(|line| format!("//! {line}").trim_end().to_owned() + "\n").collect();
    let field = |(name, about): &(String, &str)| format!("    /// {about}\n    pub {name}: f64,\n");
    let fields = heuristics.iter().map(field).collect::<Vec<_>>().concat();
    let names: Vec<&str> = heuristics.iter().map(|(name, _)| name.as_str()).collect();
    let read = if names.is_empty() {
        "    let _ = heuristics;\n".to_owned()
    } else {
        format!("    let Heuristics {{ {} }} = *heuristics;\n", names.join(", "))
    };
    format!(
        "{comment}
/// Values of the heuristics at a state. One that is true or false is 1 or 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heuristics {{
{fields}}}

/// Estimates the distance to the goal. The estimate of a solved state is 0, whatever this function returns.
#[allow(clippy::needless_return)]
pub fn estimate(heuristics: &Heuristics) -> f64 {{
{read}{body}}}

/// Makes an estimate positive, and finite unless one of its heuristics is infinite.
fn finite(value: f64, heuristics: &[f64]) -> f64 {{
    if value.is_finite() {{
        value.max(0.0)
    }} else if heuristics.contains(&f64::INFINITY) {{
        f64::INFINITY
    }} else if value > 0.0 {{
        f64::MAX
    }} else {{
        0.0
    }}
}}
"
    )
}

fn python_module(header: &[String], heuristics: &[(String, &str)], body: &str) -> String {
    let parameters: Vec<String> = heuristics.iter().map(|(name, _)| format!("{name}: float")).collect();
    let star = if parameters.is_empty() { "" } else { "*, " };
    let line = |(name, about): &(String, &str)| format!("    {name}: {about}\n");
    let about = heuristics.iter().map(line).collect::<Vec<_>>().concat();
    format!(
        "\"\"\"{}\"\"\"

import math
import sys


def estimate({star}{}) -> float:
    \"\"\"Estimates the distance to the goal. The estimate of a solved state is 0, whatever this function returns.

    The arguments are the values of the heuristics at a state. One that is true or false is 1 or 0.

{about}    \"\"\"
{body}

def _finite(value: float, heuristics: list[float]) -> float:
    \"\"\"Makes an estimate positive, and finite unless one of its heuristics is infinite.\"\"\"
    if math.isfinite(value):
        return max(value, 0.0)
    if math.inf in heuristics:
        return math.inf
    return sys.float_info.max if value > 0.0 else 0.0
",
        header.join("\n"),
        parameters.join(", "),
    )
}
