//! Algorithms as the command line names them, and the limits that make sense for them.

use crate::failure::{Failure, message_with_help};
use crate::output::Context;
use clearway_lab::Algorithm;
use clearway_lab::compare::Contestant;
use clearway_search::spec::SpecError;

/// Reads one algorithm.
pub fn one(text: &str, context: &Context) -> Result<Algorithm, Failure> {
    refuse_zero_limits(context)?;
    text.parse().map_err(|error: SpecError| {
        if error.in_file {
            let help = "clearway policy check FILE shows what is wrong with a policy";
            return Failure::bad_input(message_with_help(error.to_string(), help));
        }
        Failure::usage(error.to_string(), "clearway compare --list shows all algorithms, heuristics and options")
    })
}

/// Reads several; one that comes twice is taken once.
pub fn several<'a>(texts: impl Iterator<Item = &'a str>, context: &Context) -> Result<Vec<Contestant>, Failure> {
    let mut all: Vec<Contestant> = Vec::new();
    for text in texts {
        let algorithm = one(text, context)?;
        if all.iter().all(|other| other.algorithm != algorithm) {
            all.push(Contestant { label: text.trim().to_owned(), algorithm });
        }
    }
    Ok(all)
}

/// A limit of 0 would end every run before it begins.
pub fn refuse_zero_limits(context: &Context) -> Result<(), Failure> {
    let global = &context.global;
    let zeros = [
        ("--node-limit", global.node_limit == Some(0)),
        ("--time-limit", global.time_limit.is_some_and(|time| time.is_zero())),
        ("--memory", global.memory == 0),
    ];
    match zeros.into_iter().find(|&(_, is_zero)| is_zero) {
        Some((option, _)) => Err(Failure::usage(
            format!("{option} is 0: no run could even begin"),
            "give a larger limit, or leave it out",
        )),
        None => Ok(()),
    }
}
