//! Functions on the text of policies; the class `Policy` is written in Python.

use crate::errors::diagnostic_error;
use clearway_policy::terminals::TERMINALS;
use clearway_policy::{CompiledPolicy, NamedPolicy, OpenPolicyError, Policy, SHIPPED, explain, svg};
use clearway_util::syntax::ParseError;
use pyo3::prelude::*;

/// Returns the names of the built-in policies.
#[pyfunction]
pub fn shipped_policies() -> Vec<&'static str> {
    SHIPPED.iter().map(|shipped| shipped.name).collect()
}

/// Returns the text of a built-in policy, or of one in a file, in the canonical form.
#[pyfunction]
pub fn open_policy(name: &str) -> PyResult<String> {
    match NamedPolicy::open(name) {
        Ok(named) => Ok(named.policy.to_string()),
        Err(OpenPolicyError::Malformed { error, .. }) => Err(diagnostic_error(error.as_ref())),
        Err(error) => {
            let help = "pass a policy file, or the name of a built-in policy";
            Err(diagnostic_error(&ParseError::without_place(error.to_string(), Some(help), name)))
        }
    }
}

/// Parses a policy and returns its text in the canonical form; `name` names the source in errors.
#[pyfunction]
pub fn read_policy(text: &str, name: &str) -> PyResult<String> {
    parse(text, name).map(|policy| policy.to_string())
}

/// Returns the rules of a policy in words, each as condition and value; the default comes last, without a condition.
#[pyfunction]
pub fn explain_policy(text: &str) -> PyResult<Vec<(Option<String>, String)>> {
    let rules = explain(&parse(text, "the policy")?);
    Ok(rules.into_iter().map(|rule| (rule.condition, rule.value)).collect())
}

/// Returns the description of a policy, the search that it is made for, and the heuristics that it uses.
#[pyfunction]
pub fn describe_policy(text: &str) -> PyResult<(String, Option<String>, Vec<&'static str>)> {
    let policy = parse(text, "the policy")?;
    let heuristics =
        CompiledPolicy::new(&policy).terminals().iter().map(|&terminal| TERMINALS[terminal].name).collect();
    Ok((policy.about, policy.search, heuristics))
}

/// Draws the rules of a policy as trees, as SVG.
#[pyfunction]
pub fn draw_policy(text: &str, title: &str) -> PyResult<String> {
    Ok(svg(&parse(text, "the policy")?, title))
}

fn parse(text: &str, name: &str) -> PyResult<Policy> {
    Policy::parse(text, name).map_err(|error| diagnostic_error(&error))
}
