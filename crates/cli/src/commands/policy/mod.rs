//! `clearway policy`: policies checked, explained and measured.

mod check;
mod list;
mod show;
mod test;

use crate::args::InputArgs;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::input::{Boards, Fallback};
use crate::output::Context;
use clap::{Args, Subcommand};
use clearway_lab::compare::Entry;
use clearway_lab::{Algorithm, frames};
use clearway_policy::terminals::TERMINALS;
use clearway_policy::{Firing, NamedPolicy, OpenError, Program};
use clearway_search::spec::SpecError;
use std::sync::Arc;

/// Check, explain and measure policies: rules over heuristics that guide a search
#[derive(Debug, Args)]
pub struct PolicyArgs {
    /// What to do
    #[command(subcommand)]
    pub command: PolicyCommand,
}

/// What is done with policies.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    Check(check::CheckArgs),
    Show(show::ShowArgs),
    Test(test::TestArgs),
    List(list::ListArgs),
}

/// Does it.
pub fn run(args: &PolicyArgs, context: &Context) -> Outcome {
    match &args.command {
        PolicyCommand::Check(args) => check::run(args, context),
        PolicyCommand::Show(args) => show::run(args, context),
        PolicyCommand::Test(args) => test::run(args, context),
        PolicyCommand::List(_) => list::run(context),
    }
}

/// The policy of a name: a shipped one, or a file.
pub fn open(name: &str) -> Result<NamedPolicy, Failure> {
    NamedPolicy::open(name).map_err(|error| Failure::bad_input(report(error)))
}

fn report(error: OpenError) -> miette::Report {
    match error {
        OpenError::Broken { error, .. } => (*error).into(),
        error @ OpenError::File { .. } => message_with_help(
            error.to_string(),
            "a policy is a file with rules, or the name of one that comes with the program",
        ),
    }
}

/// The search that a policy is made for; it may count the rules that fire.
pub fn search(policy: &NamedPolicy, firing: Option<&Arc<Firing>>) -> Result<Algorithm, Failure> {
    Algorithm::of_policy(policy, firing).map_err(|error| Failure::bad_input(search_report(policy, &error)))
}

fn search_report(policy: &NamedPolicy, error: &SpecError) -> miette::Report {
    message_with_help(
        format!("the search of {}: {error}", policy.name),
        "such as: search: wastar(policy, weight=2); clearway compare --list shows all algorithms",
    )
}

/// A name for some boards, and the boards.
type Set = (String, Vec<Entry>);

/// The boards of each suite, and those that were given otherwise; and how many were refused. How difficult a board is
/// depends on the others of its set.
fn sets(input: &InputArgs, more: Option<&str>, context: &Context) -> Result<(Vec<Set>, usize), Failure> {
    let suites = input.suite.iter().map(String::as_str).chain(more);
    let mut sets: Vec<Set> =
        suites.filter_map(|name| frames::suite(name).map(|boards| (name.to_owned(), boards))).collect();
    let (mut boards, mut refused) = (Vec::new(), 0);
    if !input.boards.is_empty() {
        for item in Boards::open(&InputArgs { suite: Vec::new(), ..input.clone() }, Fallback::Nothing)? {
            match item {
                Ok(entry) => boards.push(Entry { name: entry.puzzle.name, board: entry.puzzle.board }),
                Err(report) if input.keep_going => {
                    context.report(&report);
                    refused += 1;
                }
                Err(report) => return Err(Failure::bad_input(report)),
            }
        }
        sets.push(("boards".to_owned(), boards));
    }
    Ok((sets, refused))
}

/// The names of the heuristics that a policy asks for.
fn heuristics(policy: &NamedPolicy) -> Vec<&'static str> {
    Program::new(&policy.policy).terminals().iter().map(|&terminal| TERMINALS[terminal].name).collect()
}
