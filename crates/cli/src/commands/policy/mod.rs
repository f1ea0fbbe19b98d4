//! `clearway policy`: checks, explains, measures, compares and exports policies.

mod check;
mod compare;
mod export;
mod list;
mod show;
mod test;

use crate::args::InputArgs;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::input::{Boards, Fallback};
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clap::{Args, Subcommand};
use clearway_lab::ConfiguredAlgorithm;
use clearway_lab::compare::Contestant;
use clearway_lab::evaluation::{self, EvaluationBoards, EvaluationTable};
use clearway_policy::terminals::TERMINALS;
use clearway_policy::{CompiledPolicy, FiringCounts, NamedPolicy, OpenPolicyError};
use clearway_rush::Metric;
use clearway_rush::formats::Puzzle;
use clearway_rush::suites::Suite;
use clearway_search::Limits;
use clearway_util::syntax::ExpressionError;
use std::sync::Arc;
use std::time::Instant;

/// Check, explain, measure, compare and export the policies that guide searches
#[derive(Debug, Args)]
pub struct PolicyArgs {
    /// Command
    #[command(subcommand)]
    pub command: PolicyCommand,
}

/// The commands for policies.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    Check(check::CheckArgs),
    Show(show::PolicyShowArgs),
    Test(test::PolicyTestArgs),
    Compare(compare::PolicyCompareArgs),
    Export(export::ExportArgs),
    List(list::ListArgs),
}

/// Runs the command.
pub fn run(args: &PolicyArgs, context: &Context) -> CommandResult {
    match &args.command {
        PolicyCommand::Check(args) => check::run(args, context),
        PolicyCommand::Show(args) => show::run(args, context),
        PolicyCommand::Test(args) => test::run(args, context),
        PolicyCommand::Compare(args) => compare::run(args, context),
        PolicyCommand::Export(args) => export::run(args, context),
        PolicyCommand::List(_) => list::run(context),
    }
}

/// Opens a built-in policy or a policy file.
pub fn open(name: &str) -> Result<NamedPolicy, Failure> {
    NamedPolicy::open(name).map_err(|error| Failure::bad_input(report(error)))
}

fn report(error: OpenPolicyError) -> miette::Report {
    match error {
        OpenPolicyError::Malformed { error, .. } => (*error).into(),
        error => message_with_help(error.to_string(), "pass a policy file, or the name of a built-in policy"),
    }
}

/// Returns the search that a policy specifies, or the default. It counts the rules that fire if `firing` is given.
pub fn search(policy: &NamedPolicy, firing: Option<&Arc<FiringCounts>>) -> Result<ConfiguredAlgorithm, Failure> {
    ConfiguredAlgorithm::from_policy(policy, firing).map_err(|error| Failure::bad_input(search_report(policy, &error)))
}

fn search_report(policy: &NamedPolicy, error: &ExpressionError) -> miette::Report {
    message_with_help(
        format!("invalid search of {}: {error}", policy.name),
        "use a search such as wastar(policy, weight=2); see clearway compare --list for all algorithms",
    )
}

/// Boards with the name of their set.
type BoardSet = (String, Vec<Puzzle>);

/// Returns a set of boards for each suite, including `default_suite`, and one for all other boards; and the number of
/// invalid boards. Sets matter because the difficulty of a board is relative to the other boards of its set.
fn board_sets(
    input: &InputArgs,
    default_suite: Option<&str>,
    context: &Context,
) -> Result<(Vec<BoardSet>, usize), Failure> {
    let suites = input.suite.iter().map(String::as_str).chain(default_suite);
    let mut sets: Vec<BoardSet> =
        suites.filter_map(|name| Suite::find(name).map(|suite| (name.to_owned(), suite.puzzles()))).collect();
    let (mut boards, mut invalid) = (Vec::new(), 0);
    if !input.boards.is_empty() {
        for item in Boards::open(&InputArgs { suite: Vec::new(), ..input.clone() }, Fallback::Nothing)? {
            match item {
                Ok(entry) => boards.push(entry.puzzle),
                Err(report) if input.keep_going => {
                    context.report(&report);
                    invalid += 1;
                }
                Err(report) => return Err(Failure::bad_input(report)),
            }
        }
        sets.push(("boards".to_owned(), boards));
    }
    Ok((sets, invalid))
}

/// The measurement of all sets of boards.
struct Measured {
    runs: usize,
    started: Instant,
    /// The boards that were not measured because the command was interrupted.
    missing: Vec<String>,
}

impl Measured {
    /// Reports the number of runs, the time, and the missing boards.
    fn report(&self, context: &Context) {
        let runs = quantity::plural(self.runs as u64, "run");
        context.note(&format!("{runs} in {}", quantity::time(self.started.elapsed())));
        if !self.missing.is_empty() {
            context.note(&format!("interrupted; missing: {}", self.missing.join(", ")));
        }
    }
}

/// Measures searches on each set of boards, and passes each result to `take` with the progress bar.
fn measure_sets(
    sets: Vec<BoardSet>,
    contestants: &[Contestant],
    metric: Metric,
    context: &Context,
    mut take: impl FnMut(String, EvaluationTable, &Bar) -> Result<(), Failure>,
) -> Result<Measured, Failure> {
    let limits = Limits {
        nodes: context.global.node_limit,
        time: context.global.time_limit,
        memory: Some(context.global.memory),
        cancel: Some(context.interrupt.flag()),
    };
    context.interrupt.extend_grace();
    let mut measured = Measured { runs: 0, started: Instant::now(), missing: Vec::new() };
    for (name, boards) in sets {
        if context.interrupt.is_raised() {
            measured.missing.push(format!("all {} of {name}", quantity::plural(boards.len() as u64, "board")));
            continue;
        }
        let bar = Bar::new("runs", context);
        let progress = |progress: clearway_lab::compare::ComparisonProgress| bar.show(progress.done, progress.total);
        let boards = EvaluationBoards::new(&boards, metric);
        let table = evaluation::measure(boards, contestants.to_vec(), context.threads(), &limits, progress);
        measured.runs += table.runs.len();
        if table.left_out > 0 {
            measured.missing.push(format!("{} of {name}", quantity::plural(table.left_out as u64, "board")));
        }
        take(name, table, &bar)?;
    }
    Ok(measured)
}

/// Returns the names of the heuristics that a policy uses.
fn heuristics(policy: &NamedPolicy) -> Vec<&'static str> {
    CompiledPolicy::new(&policy.policy).terminals().iter().map(|&terminal| TERMINALS[terminal].name).collect()
}
