//! `clearway policy test`: a policy on boards that it never saw, beside other searches.

use super::{open, search_report, sets};
use crate::algorithms;
use crate::args::InputArgs;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::json;
use crate::output::{self, Context, Sink};
use crate::progress::Bar;
use crate::quantity;
use clap::Args;
use clearway_lab::compare::Contestant;
use clearway_lab::frames::{self, FrameTable, Tested};
use clearway_search::Limits;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// What is tested on if no boards are given.
const SUITE: &str = "test-6x6";
/// The name of the policy's column.
const POLICY: &str = "GP";

/// Measure a policy on held-out boards, beside other searches
///
/// Prints a table for each suite, in per cent of iterative deepening without a heuristic (bounds that grow by 5), which
/// has no node limit unless one is given. Beside the policy in the search that it is made for (GP) and in other searches
/// stand: bounds that grow by 1, breadth-first search, A* with the best admissible heuristic, what perfect ordering of the
/// successors would leave, and the heuristics H1, H2, H3 and Hc of GP-Rush and its reproduction.
///
/// nodes is the mean over the boards of the per cent on each, of totals that of all nodes together. hard counts the boards
/// that the first row does not solve in 1,500,000 nodes, and how many of them are solved in as many. Times are best
/// compared with --threads 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy test my.policy                                 on the suite test-6x6
  clearway policy test my.policy --suite test-8x8 --suite test-8x8-random --html page.html
  clearway policy test my.policy --beside fit.policy --brief     two policies, and nothing else
  clearway policy test my.policy boards.txt --json               one object for each set of boards")]
pub struct TestArgs {
    /// A file, or the name of a policy that comes with the program
    #[arg(value_name = "FILE")]
    pub file: String,

    #[command(flatten)]
    pub input: InputArgs,

    /// Show another policy too, in its own search; may be given many times
    #[arg(long, value_name = "FILE")]
    pub beside: Vec<String>,

    /// Leave out all other searches but the one without a heuristic
    #[arg(long)]
    pub brief: bool,

    /// Write the tables to a CSV file
    #[arg(long, value_name = "OUT")]
    pub csv: Option<PathBuf>,

    /// Write a page with the tables, and with plots of the policy's nodes board by board
    #[arg(long, value_name = "OUT")]
    pub html: Option<PathBuf>,
}

/// What was measured on a set of boards, as `clearway policy test --json` prints it.
#[derive(Serialize)]
struct TestRecord<'a> {
    /// The policy.
    policy: &'a str,
    /// The suite, or what other boards are called.
    suite: &'a str,
    #[serde(flatten)]
    table: &'a FrameTable,
}

/// Measures.
pub fn run(args: &TestArgs, context: &Context) -> Outcome {
    algorithms::refuse_zero_limits(context)?;
    let columns = columns(args)?;
    for path in [&args.csv, &args.html].into_iter().flatten() {
        // A page that cannot be written is better known before the work than after it.
        drop(Sink::open(Some(path), context)?);
    }
    let no_boards = args.input.suite.is_empty() && args.input.boards.is_empty();
    let (sets, refused) = sets(&args.input, no_boards.then_some(SUITE), context)?;
    let limits = Limits {
        nodes: context.global.node_limit,
        time: context.global.time_limit,
        memory: Some(context.global.memory),
        cancel: Some(context.interrupt.flag()),
    };
    context.interrupt.ends_by_itself();
    let started = Instant::now();
    let mut out = context.stdout();
    let (mut tests, mut missing) = (Vec::new(), Vec::new());
    for (name, boards) in sets {
        if context.interrupt.is_raised() {
            missing.push(format!("all {} of {name}", quantity::of(boards.len() as u64, "board")));
            continue;
        }
        let bar = Bar::new("runs", context);
        let progress = |progress: clearway_lab::compare::Progress| bar.show(progress.done, progress.total);
        let table = frames::measure(boards, columns.clone(), context.threads(), &limits, progress);
        let tested = Tested { boards: name, table, policy: POLICY.to_owned() };
        let text = if context.global.json {
            json::line(&TestRecord { policy: &args.file, suite: &tested.boards, table: &tested.table })
        } else {
            format!("{}{}", if tests.is_empty() { "" } else { "\n" }, tested.table.table(&tested.boards).to_text())
        };
        bar.around_stdout(|| {
            out.write_all(text.as_bytes())?;
            out.flush()
        })?;
        if tested.table.left_out > 0 {
            let left_out = quantity::of(tested.table.left_out as u64, "board");
            missing.push(format!("{left_out} of {}", tested.boards));
        }
        tests.push(tested);
    }
    if let Some(path) = &args.csv {
        output::write_file(path, &frames::csv(&tests), context)?;
    }
    if let Some(path) = &args.html {
        output::write_file(
            path,
            &frames::html(&format!("The policy {} on held-out boards", args.file), &tests),
            context,
        )?;
    }
    let runs: usize = tests.iter().map(|tested| tested.table.runs.len()).sum();
    context.note(&format!("{} in {}", quantity::of(runs as u64, "run"), quantity::time(started.elapsed())));
    if !missing.is_empty() {
        context.note(&format!("interrupted; missing: {}", missing.join(", ")));
    }
    Ok(exit_code(&tests, refused, context))
}

/// The searches that are measured.
fn columns(args: &TestArgs) -> Result<Vec<Contestant>, Failure> {
    let of = |label: &str, file: &str| {
        let policy = open(file)?;
        frames::policy(label, &policy).map_err(|error| Failure::bad_input(search_report(&policy, &error)))
    };
    let mut columns = frames::standard();
    let mut ours = of(POLICY, &args.file)?;
    if args.brief {
        columns.truncate(1);
        ours.truncate(1);
    }
    columns.extend(ours);
    for file in &args.beside {
        let label: String = file.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        columns.extend(of(&label, file)?.into_iter().take(1));
    }
    Ok(columns)
}

fn exit_code(tests: &[Tested], refused: usize, context: &Context) -> ExitCode {
    if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if refused > 0 {
        ExitCode::BadInput
    } else if tests.iter().any(|tested| tested.table.runs.iter().any(|run| run.status == "limit")) {
        ExitCode::Limit
    } else {
        ExitCode::Done
    }
}
