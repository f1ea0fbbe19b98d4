//! `clearway policy test`: measures a policy on held-out boards and compares it with other searches.

use super::{board_sets, measure_sets, open, search_report};
use crate::algorithms;
use crate::args::InputArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::Context;
use crate::table_files::TableFiles;
use clap::Args;
use clearway_lab::compare::Contestant;
use clearway_lab::evaluation::{self, EvaluationTable, TestResult};
use clearway_policy::NamedPolicy;
use clearway_rush::Metric;
use clearway_util::syntax::ExpressionError;
use serde::Serialize;
use std::io::Write;

/// The suite if no boards are given.
const DEFAULT_SUITE: &str = "test-6x6";
/// The name of the policy's column.
const POLICY: &str = "GP";

/// Measure a policy on held-out boards, compared with other searches
///
/// Prints a table for each suite, in per cent of iterative deepening without a heuristic (thresholds that grow by 5), which
/// has no node limit unless one is given. The row GP is the policy in its own search. Further rows: other searches guided by
/// the policy; iterative deepening with increment 1; breadth-first search; A* with the best admissible heuristic; the effect of
/// perfect successor ordering; and the heuristics H1, H2, H3 and Hc of GP-Rush and its reproduction, in the search of GP-Rush
/// and in the same search as the policy, where only the guidance differs.
///
/// The column nodes is the mean of the percentages of the boards, of totals the percentage of all nodes together. The column
/// hard counts the boards that the first row does not solve in 1,500,000 nodes, and how many of them are solved within that
/// number. Times are best compared with --threads 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy test my.policy                                 on the suite test-6x6
  clearway policy test my.policy --suite test-8x8 --suite test-8x8-random --html page.html
  clearway policy test my.policy --beside fit.policy --brief     only two policies and the baseline
  clearway policy test my.policy --suite hard-steps-200 --metric steps
  clearway policy test my.policy boards.txt --json               one object per set of boards")]
pub struct PolicyTestArgs {
    /// Policy file, or name of a built-in policy
    #[arg(value_name = "FILE")]
    pub file: String,

    #[command(flatten)]
    pub input: InputArgs,

    /// Another policy to measure, in its own search; can be repeated
    #[arg(long, value_name = "FILE")]
    pub beside: Vec<String>,

    /// Omit all other searches except the one without a heuristic
    #[arg(long)]
    pub brief: bool,

    /// Metric for the length of a solution
    #[arg(short, long, default_value = "moves")]
    pub metric: Metric,

    #[command(flatten)]
    pub files: TableFiles,
}

/// The measurements on a set of boards, as `clearway policy test --json` prints them.
#[derive(Serialize)]
struct PolicyTestRecord<'a> {
    /// The name or the file of the policy.
    policy: &'a str,
    /// The suite, or `boards` for other boards.
    suite: &'a str,
    #[serde(flatten)]
    table: &'a EvaluationTable,
}

/// Measures the policy.
pub fn run(args: &PolicyTestArgs, context: &Context) -> CommandResult {
    algorithms::reject_zero_limits(context)?;
    let contestants = contestants(args)?;
    args.files.check(context)?;
    let no_boards = args.input.suite.is_empty() && args.input.boards.is_empty();
    let (sets, invalid) = board_sets(&args.input, no_boards.then_some(DEFAULT_SUITE), context)?;
    let mut out = context.stdout();
    let mut tests = Vec::new();
    let measured = measure_sets(sets, &contestants, args.metric, context, |name, table, bar| {
        let tested = TestResult { boards: name, table, policy: POLICY.to_owned() };
        let text = if context.global.json {
            json::line(&PolicyTestRecord { policy: &args.file, suite: &tested.boards, table: &tested.table })
        } else {
            format!("{}{}", if tests.is_empty() { "" } else { "\n" }, tested.table.table(&tested.boards).to_text())
        };
        bar.around_stdout(|| {
            out.write_all(text.as_bytes())?;
            out.flush()
        })?;
        tests.push(tested);
        Ok(())
    })?;
    let table = |tested: &TestResult| tested.table.table(&tested.boards).to_latex();
    let latex = || tests.iter().map(table).collect::<Vec<_>>().join("\n");
    let html = || evaluation::html(&format!("The policy {} on held-out boards", args.file), &tests);
    args.files.write(|| evaluation::csv(&tests), latex, html, context)?;
    measured.report(context);
    Ok(exit_code(&tests, invalid, context))
}

/// Returns the searches to measure.
fn contestants(args: &PolicyTestArgs) -> Result<Vec<Contestant>, Failure> {
    let failed = |policy: &NamedPolicy, error: &ExpressionError| Failure::bad_input(search_report(policy, error));
    let read =
        |label: &str, policy: &NamedPolicy| evaluation::policy(label, policy).map_err(|error| failed(policy, &error));
    let policy = open(&args.file)?;
    let mut contestants = evaluation::standard();
    let mut ours = read(POLICY, &policy)?;
    if args.brief {
        contestants.truncate(1);
        ours.truncate(1);
    } else {
        let same = evaluation::same_search(policy.policy.search.as_deref());
        contestants.extend(same.map_err(|error| failed(&policy, &error))?);
    }
    contestants.extend(ours);
    for file in &args.beside {
        let label: String = file.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        contestants.extend(read(&label, &open(file)?)?.into_iter().take(1));
    }
    Ok(contestants)
}

fn exit_code(tests: &[TestResult], invalid: usize, context: &Context) -> ExitCode {
    if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if invalid > 0 {
        ExitCode::BadInput
    } else if tests.iter().any(|tested| tested.table.has_limit()) {
        ExitCode::Limit
    } else {
        ExitCode::Done
    }
}
