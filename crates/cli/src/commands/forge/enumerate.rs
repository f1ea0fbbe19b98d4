//! `clearway forge enumerate`: lists every puzzle of a size.

use super::shape::ShapeArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::{Context, Sink};
use crate::progress::Bar;
use crate::quantity::{self, parse_time};
use clap::Args;
use clearway_forge::enumerate::{self, Catalogue, CatalogueEntry, EnumerationPlan, LogError, Representative, TaskLog};
use clearway_rush::Metric;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// List every puzzle of a size
///
/// Searches all boards with vehicles of length 2 and 3 whose target is alone in its line, and lists the minimal puzzles
/// among them: from each component (the boards that can be reached from each other), one of the hardest boards without
/// removable vehicles, if there is one. Lines without an empty cell are left out, because nothing in them can move.
///
/// Prints a line per puzzle, hardest first: its moves, its board, and the number of states of its component. The result is
/// the same for any number of threads and shards. 5x5 takes less than a second, 6x6 some minutes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge enumerate --size 5
  clearway forge enumerate --size 6 --resume 6x6.log --out 6x6.txt --out 6x6.parquet
  clearway forge enumerate --size 6 --metric steps --min-moves 50 --out most-steps.txt
  clearway forge enumerate --size 4 --walls 2 --out walls.txt

On several machines, each with its own log, and then combined:
  clearway forge enumerate --size 6 --shard 1/2 --resume 1.log --out 1.txt
  clearway forge enumerate --size 6 --shard 2/2 --resume 2.log --out 2.txt
  clearway forge enumerate --size 6 --resume 1.log --resume 2.log --out 6x6.txt")]
pub struct EnumerateArgs {
    #[command(flatten)]
    pub shape: ShapeArgs,

    /// Metric for the length of a solution, and so for the hardest board of a component
    #[arg(short, long, default_value = "moves")]
    pub metric: Metric,

    /// Hardest board that represents a component
    #[arg(long, value_name = "WHICH", default_value = "minimal")]
    pub representative: Representative,

    /// List only puzzles with at least this many moves (or steps, with --metric steps)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_moves: u32,

    /// Process only shard K of N equal shards of the work
    #[arg(long, value_name = "K/N", value_parser = parse_shard, default_value = "1/1")]
    pub shard: (u64, u64),

    /// Log finished tasks to this file; if it exists, resume from it. Further logs are only read
    #[arg(long, value_name = "FILE")]
    pub resume: Vec<PathBuf>,

    /// Maximum run time: 500ms, 10s, 2m, or a number of seconds
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub budget: Option<Duration>,

    /// Output file instead of stdout: text, or a table if the extension is .parquet; can be repeated
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
}

/// The summary that `clearway forge enumerate --json` prints if the puzzles are written to files.
#[derive(Debug, Serialize)]
struct CatalogueSummary {
    representative: &'static str,
    complete: bool,
    tasks: u64,
    states: u64,
    components: u64,
    puzzles: usize,
    puzzle_states: u64,
    hardest: Option<u32>,
    components_by_depth: Vec<u64>,
    puzzles_by_depth: Vec<u64>,
    seconds: f64,
}

/// A puzzle with derived values, as `clearway forge enumerate --json` prints it.
#[derive(Serialize)]
struct CatalogueRecord<'a> {
    #[serde(flatten)]
    listed: &'a CatalogueEntry,
    states: u64,
    depth: u32,
    vehicles: u32,
}

/// Enumerates the puzzles.
pub fn run(args: &EnumerateArgs, context: &Context) -> CommandResult {
    let plan = plan(args, context)?;
    let tasks = shard_tasks(args, &plan, (1, 1))?;
    check_outputs(args, context)?;
    let mut catalogue = Catalogue::default();
    let mut log = None;
    for (number, path) in args.resume.iter().enumerate() {
        let corrupt = if number == 0 {
            let (opened, corrupt) = TaskLog::open(path, &plan, &mut catalogue).map_err(|error| log_failure(&error))?;
            log = Some(opened);
            corrupt
        } else {
            TaskLog::read(path, &plan, &mut catalogue).map_err(|error| log_failure(&error))?
        };
        context.warn_corrupt(&corrupt, "these tasks are repeated");
    }
    let left: Vec<u64> = tasks.iter().copied().filter(|&task| !catalogue.contains_task(task)).collect();
    let started = Instant::now();
    if catalogue.tasks() > 0 {
        let done = quantity::count(catalogue.tasks());
        context.note(&format!("{done} of {} are already finished", quantity::plural(plan.tasks(), "task")));
    }
    let threads = context.threads();
    let is_over = || args.budget.is_some_and(|budget| started.elapsed() >= budget);
    let is_cancelled = || context.interrupt.is_raised() || is_over();
    let (bar, mut done) = (Bar::new("tasks", context), 0);
    let done_all = enumerate::run(&plan, &left, threads, context.global.memory / 2, &is_cancelled, |found| {
        if let Some(log) = &mut log {
            log.append(&found)?;
        }
        catalogue.add(found);
        done += 1;
        bar.show(tasks.len() - left.len() + done, tasks.len());
        Ok(())
    });
    drop(bar);
    let is_complete = tasks.iter().all(|&task| catalogue.contains_task(task));
    let code = finish(args, &plan, &mut catalogue, is_complete, started.elapsed(), context)?;
    done_all.map_err(|error| log_failure(&error))?;
    if code != ExitCode::Done && log.is_some() {
        context.note("run the same command again to resume");
    }
    Ok(code)
}

/// Returns the plan that the arguments describe.
pub fn plan(args: &EnumerateArgs, context: &Context) -> Result<EnumerationPlan, Failure> {
    if context.global.time_limit.is_some() || context.global.node_limit.is_some() {
        let message = "--time-limit and --node-limit are not supported by forge enumerate";
        return Err(Failure::usage(message, "use --budget to limit the time of the whole run"));
    }
    EnumerationPlan::new(args.shape.shape(6)?, args.metric, args.min_moves)
        .map(|plan| plan.with_representative(args.representative))
        .map_err(|error| Failure::usage(error.to_string(), "see --size, --walls and --min-moves"))
}

/// Returns the number of tasks in the shard given by `--shard`.
pub fn shard_size(args: &EnumerateArgs, plan: &EnumerationPlan) -> u64 {
    let (shard, shards) = args.shard;
    (plan.tasks() + shards).saturating_sub(shard) / shards
}

/// Returns the tasks of one of several equal parts of the shard given by `--shard`. There must not be more parts than tasks.
pub fn shard_tasks(
    args: &EnumerateArgs,
    plan: &EnumerationPlan,
    (part, parts): (u64, u64),
) -> Result<Vec<u64>, Failure> {
    let (shard, shards) = args.shard;
    // A shard is every `shards`-th task, and a part of it is every `parts`-th task of the shard.
    let (number, all) = if shard > shards { args.shard } else { (shard + (part - 1) * shards, shards * parts) };
    plan.shard(number, all).map_err(|error| Failure::usage(error.to_string(), "use K/N with K from 1 to N"))
}

/// Checks before the work that the output files can be written.
pub fn check_outputs(args: &EnumerateArgs, context: &Context) -> Result<(), Failure> {
    if let Some(path) = args.out.iter().find(|path| is_table(path) && cfg!(not(feature = "parquet"))) {
        let message = format!("cannot write {}: this program was built without the feature parquet", path.display());
        return Err(Failure::usage(message, "write text instead, with any other extension"));
    }
    args.out.iter().try_for_each(|path| Sink::open(Some(path), context).map(drop))
}

/// Writes and prints the catalogue.
pub fn finish(
    args: &EnumerateArgs,
    plan: &EnumerationPlan,
    catalogue: &mut Catalogue,
    is_complete: bool,
    time: Duration,
    context: &Context,
) -> CommandResult {
    // An error of one file does not prevent writing the others.
    let mut written: Vec<Result<(), Failure>> =
        args.out.iter().map(|path| write(path, plan, catalogue, context)).collect();
    written.push(print(args, plan, catalogue, time, is_complete, context));
    written.into_iter().collect::<Result<(), Failure>>()?;
    // A list on stdout starts with the same summary.
    if context.global.json || !args.out.is_empty() {
        for line in catalogue.summary(plan) {
            context.note(&line);
        }
    }
    Ok(match is_complete {
        true => ExitCode::Done,
        false if context.interrupt.is_raised() => ExitCode::Interrupted,
        false => ExitCode::Limit,
    })
}

/// Prints the puzzles; if they were written to files, prints only the summary, and only with `--json`.
fn print(
    args: &EnumerateArgs,
    plan: &EnumerationPlan,
    catalogue: &mut Catalogue,
    time: Duration,
    complete: bool,
    context: &Context,
) -> Result<(), Failure> {
    let mut out = context.stdout();
    if args.out.is_empty() && context.global.json {
        for listed in catalogue.sorted() {
            let (states, depth, vehicles) = (listed.states(), listed.depth(), listed.vehicles());
            out.write_all(json::line(&CatalogueRecord { listed, states, depth, vehicles }).as_bytes())?;
        }
    } else if args.out.is_empty() {
        catalogue.write_lines(plan, &mut out)?;
    } else if context.global.json {
        let (puzzles_by_depth, components_by_depth) = catalogue.by_depth().into_iter().unzip();
        let summary = CatalogueSummary {
            representative: plan.representative().as_str(),
            complete,
            tasks: catalogue.tasks(),
            states: catalogue.tally().states,
            components: catalogue.tally().solvable(),
            puzzles: catalogue.len(),
            puzzle_states: catalogue.states(),
            hardest: catalogue.sorted().first().map(CatalogueEntry::depth),
            components_by_depth,
            puzzles_by_depth,
            seconds: time.as_secs_f64(),
        };
        out.write_all(json::line(&summary).as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

fn write(path: &Path, plan: &EnumerationPlan, catalogue: &mut Catalogue, context: &Context) -> Result<(), Failure> {
    let mut sink = Sink::open(Some(path), context)?;
    #[cfg(feature = "parquet")]
    if is_table(path) {
        let table = catalogue.write_parquet(Vec::new());
        let table = table.map_err(|error| Failure::bad_input(miette::miette!("cannot create the table: {error}")))?;
        sink.put_bytes(&table)?;
        return sink.finish();
    }
    let mut text = Vec::new();
    catalogue.write_lines(plan, &mut text)?;
    sink.put_bytes(&text)?;
    sink.finish()
}

/// Returns whether a file is written as a Parquet table.
fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

fn log_failure(error: &LogError) -> Failure {
    Failure::bad_input(miette::miette!("{error}"))
}

fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number > 0);
    let shard = text.split_once('/').and_then(|(shard, shards)| number(shard).zip(number(shards)));
    shard.ok_or_else(|| format!("invalid shard '{text}'; expected K/N such as 1/8"))
}
