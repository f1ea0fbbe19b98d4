//! `clearway policy compare`: compares policies board by board, with tests of significance.

use super::{board_sets, measure_sets, open, search_report};
use crate::algorithms;
use crate::args::{InputArgs, ReadingArgs, suite_names};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::Context;
use crate::table_files::TableFiles;
use clap::Args;
use clearway_lab::compare::Contestant;
use clearway_lab::evaluation::{self, ComparedSet, PairedComparison, SearchSummary};
use clearway_rush::Metric;
use clearway_util::syntax::ExpressionError;
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;

/// The suite if no boards are given.
const DEFAULT_SUITE: &str = "test-6x6";

/// Compare policies board by board, with tests of significance
///
/// Each policy guides its own search, and with --search also a common one, so that the policies alone differ. Prints for each
/// set of boards the searches, and for each pair of policies the boards solved, the nodes and the solution lengths: the median
/// ratio with its bootstrap interval (95 %), Wilcoxon's signed-rank test with its effect size, and an exact test of the boards
/// that only one of the two solves. All p-values are adjusted together by Holm's method.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy compare best-first-6x6 memo-6x6                        on the suite test-6x6
  clearway policy compare mine.policy hand --search 'wastar(policy)'     also in the same search
  clearway policy compare a.policy b.policy c.policy --suite cards --suite vandijk --html page.html
  clearway policy compare a.policy b.policy --boards boards.txt --json   one object per set of boards
  clearway policy compare a.policy b.policy --suite hard-steps-200 --metric steps
  clearway policy compare a.policy b.policy --latex tables.tex --csv tests.csv")]
pub struct PolicyCompareArgs {
    /// Two or more policies: files, or names of built-in policies
    #[arg(value_name = "POLICY", required = true, num_args = 2..)]
    pub policies: Vec<String>,

    /// Suite of boards; can be repeated [default: test-6x6]
    #[arg(long, value_name = "NAME", value_parser = suite_names())]
    pub suite: Vec<String>,

    /// Board or file of boards, as a set of its own; can be repeated
    #[arg(long, value_name = "BOARD|FILE")]
    pub boards: Vec<OsString>,

    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Also compare the policies in this search, such as 'wastar(policy, weight=1)'
    #[arg(long, value_name = "SEARCH")]
    pub search: Option<String>,

    /// Metric for the length of a solution
    #[arg(short, long, default_value = "moves")]
    pub metric: Metric,

    #[command(flatten)]
    pub files: TableFiles,
}

/// The comparisons on a set of boards, as `clearway policy compare --json` prints them.
#[derive(Serialize)]
struct CompareRecord<'a> {
    /// The suite, or `boards` for other boards.
    suite: &'a str,
    /// The number of boards measured.
    boards: usize,
    /// The number of boards that were not measured because the command was interrupted.
    left_out: usize,
    /// Each policy in its search.
    searches: Vec<SearchSummary>,
    /// Each pair of policies.
    comparisons: &'a [PairedComparison],
}

/// Compares the policies.
pub fn run(args: &PolicyCompareArgs, context: &Context) -> CommandResult {
    algorithms::reject_zero_limits(context)?;
    let (contestants, pairs) = contestants(args)?;
    args.files.check(context)?;
    let input = InputArgs {
        boards: args.boards.clone(),
        suite: args.suite.clone(),
        reading: args.reading.clone(),
        keep_going: false,
    };
    let no_boards = input.suite.is_empty() && input.boards.is_empty();
    let (boards, _) = board_sets(&input, no_boards.then_some(DEFAULT_SUITE), context)?;
    let mut sets = Vec::new();
    let measured = measure_sets(boards, &contestants, args.metric, context, |suite, table, _| {
        let comparisons = pairs.iter().map(|(first, second)| table.paired(&suite, first, second)).collect();
        sets.push(ComparedSet { suite, table, comparisons });
        Ok(())
    })?;
    evaluation::adjust(sets.iter_mut().flat_map(|set| &mut set.comparisons));
    let html = || evaluation::paired_html("Policies, board by board", &sets);
    args.files.write(|| evaluation::paired_csv(&sets), || evaluation::paired_latex(&sets), html, context)?;
    print(&sets, context)?;
    measured.report(context);
    Ok(if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if sets.iter().any(|set| set.table.has_limit()) {
        ExitCode::Limit
    } else {
        ExitCode::Done
    })
}

/// Labels of two searches.
type Pair = (String, String);

/// Returns each policy in its own search, then each in the common search; and the pairs of labels to compare.
fn contestants(args: &PolicyCompareArgs) -> Result<(Vec<Contestant>, Vec<Pair>), Failure> {
    let (mut contestants, mut pairs) = (Vec::<Contestant>::new(), Vec::new());
    let policies = args.policies.iter().map(|name| open(name)).collect::<Result<Vec<_>, _>>()?;
    for search in std::iter::once(None).chain(args.search.as_ref().map(Some)) {
        let first = contestants.len();
        for policy in &policies {
            let algorithm = match search {
                None => clearway_lab::ConfiguredAlgorithm::from_policy(policy, None),
                Some(search) => evaluation::in_search(policy, search),
            };
            let failed = |error: ExpressionError| match search {
                None => Failure::bad_input(search_report(policy, &error)),
                Some(_) => Failure::usage(error.to_string(), "use a search such as wastar(policy, weight=2)"),
            };
            let name: String = policy.name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
            let label = if search.is_none() { name } else { format!("{name}, common search") };
            if contestants.iter().any(|other| other.label == label) {
                let help = "name each policy once";
                return Err(Failure::usage(format!("{} is given more than once", policy.name), help));
            }
            contestants.push(Contestant { label, algorithm: algorithm.map_err(failed)? });
        }
        let group = &contestants[first..];
        for (place, one) in group.iter().enumerate() {
            pairs.extend(group[place + 1..].iter().map(|other| (one.label.clone(), other.label.clone())));
        }
    }
    Ok((contestants, pairs))
}

fn print(sets: &[ComparedSet], context: &Context) -> Result<(), Failure> {
    let mut out = context.stdout();
    for (number, set) in sets.iter().enumerate() {
        if context.global.json {
            let record = CompareRecord {
                suite: &set.suite,
                boards: set.table.boards,
                left_out: set.table.left_out,
                searches: set.table.summaries(),
                comparisons: &set.comparisons,
            };
            out.write_all(json::line(&record).as_bytes())?;
            continue;
        }
        for (place, table) in set.tables().iter().enumerate() {
            let space = if number + place == 0 { "" } else { "\n" };
            write!(out, "{space}{}", table.to_text())?;
        }
    }
    if !context.global.json {
        writeln!(out, "\np, Holm: adjusted for all tests together")?;
    }
    out.flush()?;
    Ok(())
}
