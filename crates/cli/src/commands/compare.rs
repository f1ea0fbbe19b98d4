//! `clearway compare`: runs several algorithms on the same boards.

use crate::algorithms;
use crate::args::CompareArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::input::{Boards, Fallback};
use crate::json;
use crate::output::{self, Context, Sink};
use crate::progress::Bar;
use crate::quantity;
use clearway_lab::compare::{self, Comparison, ComparisonError, ComparisonLog, ComparisonRecord, NamedBoard};
use clearway_policy::SHIPPED;
use clearway_rush::heuristics::{self, Admissibility, Role};
use clearway_rush::suites;
use clearway_search::Limits;
use clearway_search::spec::{ALGORITHMS, Claims};
use std::fmt::Write as _;
use std::io::Write;
use std::time::Instant;

/// The algorithms if none are given.
const DEFAULT_ALGORITHMS: [&str; 6] = [
    "bfs",
    "astar(blockers)",
    "astar(two-level)",
    "wastar(h1, weight=3)",
    "id(increment=5)",
    "ida(h1, prune, increment=5)",
];

/// Runs the comparison.
pub fn run(args: &CompareArgs, context: &Context) -> CommandResult {
    if args.list {
        return list(context);
    }
    let (comparison, invalid) = prepare(args, context)?;
    let mut log = match &args.resume {
        Some(path) => ComparisonLog::open(path, &comparison).map_err(|error| failure(&error))?,
        None => ComparisonLog::default(),
    };
    context.warn_corrupt(log.corrupt(), "these runs are repeated");
    if log.known() > 0 {
        context.note(&format!("{} reused from an earlier comparison", quantity::plural(log.known() as u64, "run")));
    }
    finish(args, &comparison, &mut log, invalid, Instant::now(), context)
}

/// Returns the comparison that the arguments describe, and the number of invalid boards.
pub fn prepare(args: &CompareArgs, context: &Context) -> Result<(Comparison, usize), Failure> {
    algorithms::reject_zero_limits(context)?;
    let chosen = args.algorithm.iter().map(String::as_str);
    let defaults = DEFAULT_ALGORITHMS.into_iter().filter(|_| args.algorithm.is_empty());
    let contestants = algorithms::parse_all(chosen.chain(defaults), context)?;
    for path in [&args.csv, &args.html].into_iter().flatten() {
        // Fail before the work if a file cannot be written.
        drop(Sink::open(Some(path), context)?);
    }
    let (boards, invalid) = read(args, context)?;
    let comparison = Comparison {
        boards,
        algorithms: contestants,
        metric: args.metric,
        limits: Limits {
            nodes: context.global.node_limit,
            time: context.global.time_limit,
            memory: Some(context.global.memory),
            cancel: Some(context.interrupt.flag()),
        },
        threads: context.threads(),
    };
    Ok((comparison, invalid))
}

/// Performs the runs that are not in the log, and writes and prints all runs.
pub fn finish(
    args: &CompareArgs,
    comparison: &Comparison,
    log: &mut ComparisonLog,
    invalid: usize,
    started: Instant,
    context: &Context,
) -> CommandResult {
    let records = run_all(comparison, log, context)?;
    if let Some(path) = &args.csv {
        output::write_file(path, &compare::csv(&records), context)?;
    }
    if let Some(path) = &args.html {
        output::write_file(path, &compare::html(&records), context)?;
    }
    if !context.global.json {
        print_tables(&records, context)?;
        let runs = quantity::plural(records.len() as u64, "run");
        let boards = quantity::plural(comparison.boards.len() as u64, "board");
        context.note(&format!("{runs} on {boards} in {}", quantity::time(started.elapsed())));
    }
    if context.interrupt.is_raised() {
        let total = comparison.boards.len() * comparison.algorithms.len();
        let kept = if args.resume.is_some() {
            "; run the same command again to resume"
        } else {
            "; use --resume FILE to keep finished runs"
        };
        context.note(&format!("interrupted: {} of {total} runs are missing{kept}", total - records.len()));
    }
    Ok(exit_code(&records, invalid, context))
}

fn failure(error: &ComparisonError) -> Failure {
    match error {
        ComparisonError::Take(error) => Failure::io("write to stdout", error),
        other => Failure::bad_input(miette::miette!("{other}")),
    }
}

/// Reads the boards; returns them and the number of invalid ones.
fn read(args: &CompareArgs, context: &Context) -> Result<(Vec<NamedBoard>, usize), Failure> {
    let (mut boards, mut invalid) = (Vec::new(), 0);
    for item in Boards::open(&args.input, Fallback::Cards)? {
        match item {
            Ok(entry) => boards.push(NamedBoard { name: entry.puzzle.name, board: entry.puzzle.board }),
            Err(report) if args.input.keep_going => {
                context.report(&report);
                invalid += 1;
            }
            Err(report) => return Err(Failure::bad_input(report)),
        }
    }
    Ok((boards, invalid))
}

/// Performs all runs; with `--json`, each is printed as soon as those before it are.
fn run_all(
    comparison: &Comparison,
    log: &mut ComparisonLog,
    context: &Context,
) -> Result<Vec<ComparisonRecord>, Failure> {
    context.interrupt.extend_grace();
    let mut records = Vec::new();
    let bar = Bar::new("runs", context);
    let mut out = context.stdout();
    let take = |record: ComparisonRecord| {
        if context.global.json {
            bar.around_stdout(|| {
                out.write_all(json::line(&record).as_bytes())?;
                out.flush()
            })?;
        }
        records.push(record);
        Ok(())
    };
    comparison.run(log, |progress| bar.show(progress.done, progress.total), take).map_err(|error| failure(&error))?;
    Ok(records)
}

fn print_tables(records: &[ComparisonRecord], context: &Context) -> Result<(), Failure> {
    let mut out = context.stdout();
    if !records.is_empty() {
        let (table, legend) = compare::board_table(records);
        let metric = &records[0].metric;
        write!(
            out,
            "{legend}states expanded; +2: the solution is 2 {metric} longer than the optimum; nodes!, time!, memory!: this \
             limit was reached\n\n{}\n{}",
            table.to_text(),
            compare::summary_table(&compare::summaries(records)).to_text()
        )?;
    }
    out.flush()?;
    Ok(())
}

fn exit_code(records: &[ComparisonRecord], invalid: usize, context: &Context) -> ExitCode {
    let unsolvable = |record: &ComparisonRecord| record.status == "unsolvable";
    let one_board = records.iter().all(|record| record.board == records[0].board);
    if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if invalid > 0 {
        ExitCode::BadInput
    } else if records.iter().any(|record| record.status == "limit") {
        ExitCode::Limit
    } else if !records.is_empty() && one_board && records.iter().all(unsolvable) {
        ExitCode::Unsolvable
    } else {
        ExitCode::Done
    }
}

/// Prints all suites, algorithms, heuristics and policies.
fn list(context: &Context) -> CommandResult {
    let mut text = String::from("suites (--suite NAME)\n");
    // Writing to a string cannot fail.
    for suite in suites::all() {
        let _ = writeln!(text, "  {:<22}  {}", suite.name, suite.about);
    }
    text += "\nalgorithms (--algorithm EXPR), and their options\n";
    for info in ALGORITHMS {
        let _ = writeln!(text, "  {:<22}  {}; as in {}", info.name, info.about, info.example);
        for option in info.options {
            let range = option.range().map_or_else(String::new, |range| format!("{range}; "));
            let (designed, learned) = (info.default_value(option, false), info.default_value(option, true));
            let learned = if designed == learned { String::new() } else { format!(", {learned} for policies") };
            let _ =
                writeln!(text, "    {:<20}  {} ({range}default: {designed}{learned})", option.usage(), option.about);
        }
    }
    text += "\nguarantees, with the default options\n";
    for info in ALGORITHMS {
        let Claims { complete, optimal, bound: (bound, when) } = info.claims();
        let _ = writeln!(text, "  {:<22}  complete: {complete}; optimal: {optimal}", info.title());
        let _ = writeln!(text, "  {:<22}  lower bound under a limit: {bound}, {when}", "");
        let weakening = info.weakening_options();
        if !weakening.is_empty() {
            let _ = writeln!(text, "  {:<22}  not with options such as {}", "", weakening.join(", "));
        }
    }
    for (role, title) in [
        (Role::Estimate, "heuristics, for algorithms that take one"),
        (Role::Feature, "features: heuristics that do not estimate a distance, for use in sums"),
    ] {
        let _ = writeln!(text, "\n{title}");
        for info in heuristics::ALL.iter().filter(|info| info.role == role) {
            let admissible = match info.admissible {
                Admissibility::Both => "; admissible",
                Admissibility::Moves => "; admissible in moves",
                Admissibility::Steps => "; admissible in steps",
                Admissibility::No => "",
            };
            let name = std::iter::once(&info.name).chain(info.aliases).copied().collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "  {name:<22}  {}{admissible}", info.about);
        }
    }
    text += "  combine them with max(a, b), min(a, b), 3*a, a + b and numbers\n";
    text += "\npolicies, in the place of a heuristic: policy=FILE, or policy=NAME with one of these names\n";
    for shipped in SHIPPED {
        let _ = writeln!(text, "  {}", shipped.name);
    }
    let mut out = context.stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_algorithms_parse() {
        for text in DEFAULT_ALGORITHMS {
            assert!(text.parse::<clearway_lab::ConfiguredAlgorithm>().is_ok(), "{text}");
        }
    }

    #[test]
    fn every_listed_example_parses() {
        for info in ALGORITHMS {
            let algorithm: clearway_lab::ConfiguredAlgorithm = info.example.parse().unwrap();
            assert!(std::ptr::eq(algorithm.spec().info(), *info), "{}", info.example);
        }
    }
}
