//! Parses algorithm expressions and checks the limits of the command line.

use crate::failure::{Failure, message_with_help};
use crate::output::Context;
use clearway_lab::ConfiguredAlgorithm;
use clearway_lab::compare::Contestant;
use clearway_util::syntax::ExpressionError;

/// Parses an algorithm expression.
pub fn parse(text: &str, context: &Context) -> Result<ConfiguredAlgorithm, Failure> {
    reject_zero_limits(context)?;
    text.parse().map_err(|error: ExpressionError| {
        if error.in_file {
            let help = "see clearway policy check FILE for the errors in a policy";
            return Failure::bad_input(message_with_help(error.to_string(), help));
        }
        Failure::usage(error.to_string(), "see clearway compare --list for all algorithms, heuristics and options")
    })
}

/// Parses several expressions, and drops duplicates.
pub fn parse_all<'a>(texts: impl Iterator<Item = &'a str>, context: &Context) -> Result<Vec<Contestant>, Failure> {
    let mut all: Vec<Contestant> = Vec::new();
    for text in texts {
        let algorithm = parse(text, context)?;
        if all.iter().all(|other| other.algorithm != algorithm) {
            all.push(Contestant { label: text.trim().to_owned(), algorithm });
        }
    }
    Ok(all)
}

/// Rejects a limit of 0, which would end every run before it starts.
pub fn reject_zero_limits(context: &Context) -> Result<(), Failure> {
    let global = &context.global;
    let zeros = [
        ("--node-limit", global.node_limit == Some(0)),
        ("--time-limit", global.time_limit.is_some_and(|time| time.is_zero())),
        ("--memory", global.memory == 0),
    ];
    match zeros.into_iter().find(|&(_, is_zero)| is_zero) {
        Some((option, _)) => Err(Failure::usage(
            format!("{option} is 0, so no search could start"),
            "use a larger limit, or omit the option",
        )),
        None => Ok(()),
    }
}
