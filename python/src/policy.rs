//! Policies for Python, where they are text and what can be told of it.

use crate::errors::bad_input;
use clearway_policy::terminals::TERMINALS;
use clearway_policy::{NamedPolicy, OpenError, Policy, Program, SHIPPED, explain, svg};
use pyo3::prelude::*;

/// The names of the policies that come with the program.
#[pyfunction]
pub fn shipped_policies() -> Vec<&'static str> {
    SHIPPED.iter().map(|shipped| shipped.name).collect()
}

/// The text of a policy that comes with the program or is in a file.
#[pyfunction]
pub fn open_policy(name: &str) -> PyResult<String> {
    match NamedPolicy::open(name) {
        Ok(named) => Ok(named.policy.to_string()),
        Err(OpenError::Broken { error, .. }) => Err(bad_input(error.as_ref())),
        Err(error @ OpenError::File { .. }) => {
            let help = "a policy is a file with rules, or the name of one that comes with the program";
            Err(bad_input(miette::miette!(help = help, "{error}").as_ref()))
        }
    }
}

/// The text of a policy in its canonical form.
#[pyfunction]
pub fn read_policy(text: &str, name: &str) -> PyResult<String> {
    parse(text, name).map(|policy| policy.to_string())
}

/// Its rules in words, a condition and a value each; at last the default, without a condition.
#[pyfunction]
pub fn explain_policy(text: &str) -> PyResult<Vec<(Option<String>, String)>> {
    let rules = explain(&parse(text, "the policy")?);
    Ok(rules.into_iter().map(|rule| (rule.condition, rule.value)).collect())
}

/// What it says about itself, the search that it is made for, and the heuristics that it asks for.
#[pyfunction]
pub fn describe_policy(text: &str) -> PyResult<(String, Option<String>, Vec<&'static str>)> {
    let policy = parse(text, "the policy")?;
    let heuristics = Program::new(&policy).terminals().iter().map(|&terminal| TERMINALS[terminal].name).collect();
    Ok((policy.about, policy.search, heuristics))
}

/// Its rules as trees.
#[pyfunction]
pub fn draw_policy(text: &str, title: &str) -> PyResult<String> {
    Ok(svg(&parse(text, "the policy")?, title))
}

fn parse(text: &str, name: &str) -> PyResult<Policy> {
    Policy::parse(text, name).map_err(|error| bad_input(&error))
}
