//! `clearway forge pack`: generates a pack of puzzles.

use super::pack_output::{self, OutputArgs, Outputs};
use super::shape::{ShapeArgs, lengths};
use crate::algorithms::reject_zero_limits;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clearway_forge::grade::Level;
use clearway_forge::pack::{self, PackOutcome, PackRequest};
use clearway_search::{Limit, Limits};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Maximum number of puzzles.
const MAX_COUNT: i64 = 1_000_000;
/// Fewest and most moves of puzzles of any level.
const USUAL_MOVES: (u32, u32) = (6, 30);

/// Generate a pack of puzzles: graded, all different, minimal, from easy to hard
///
/// Puzzles are generated backwards, from solved boards; above 8x8, from random boards. No two puzzles of a pack are mirror
/// images or, up to 8x8, states of the same component, and removing any vehicle makes a puzzle easier. The puzzles are spread
/// evenly over the range of lengths, as far as puzzles of each length are found, and selected to be as dissimilar as possible.
/// They are sorted by the predicted solving time of people. The same seed gives the same pack on every machine and for any
/// number of threads.
///
/// --level requests puzzles of one level, --quota a number of puzzles of each of several levels. The puzzles of a level are
/// spread evenly over its lengths. If a level cannot be filled, the other puzzles are written and the exit code is 5.
///
/// The extension of each --out determines its format: .jsonl, .txt (the line format), .csv, .html (a page with pictures),
/// .pdf and .svg (printable cards, with the solutions at the end; --paper and --black-and-white print them for a class).
/// Without --out, the pack is printed, as txt or with --json as jsonl.
///
/// When --patience is exhausted, --time-limit is reached (here, the limit for the whole pack) or Ctrl-C is pressed, the
/// puzzles found so far are written. The exit code is then 5, or 130 after Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge pack --count 5 --from 4 --to 8 --seed 7
  clearway forge pack --count 4 --from 6 --to 9 --seed 7 --out pack.jsonl --out cards.pdf
  clearway forge pack --count 6 --from 4 --to 8 --out worksheet.pdf --paper letter --black-and-white
  clearway forge pack --size 5 --count 3 --from 5 --to 7 --exit top --json
  clearway forge pack --size 5x4 --walls 1 --count 2 --from 3 --to 5
  clearway forge pack --level intermediate --count 3 --seed 7
  clearway forge pack --quota beginner=4 --quota intermediate=2 --seed 7")]
pub struct PackArgs {
    /// Number of puzzles
    #[arg(short = 'n', long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=MAX_COUNT))]
    pub count: u32,

    /// Level of all puzzles
    #[arg(long, value_name = "LEVEL", value_parser = level_names())]
    pub level: Option<Level>,

    /// Number of puzzles of a level, instead of --count and --level; can be repeated
    #[arg(long, value_name = "LEVEL=N", value_parser = quota, conflicts_with_all = ["count", "level"])]
    pub quota: Vec<(Level, u32)>,

    #[command(flatten)]
    pub shape: ShapeArgs,

    /// Minimum solution length of a puzzle [default: 6, or as usual for the levels]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub from: Option<u32>,

    /// Maximum solution length of a puzzle [default: 30, or as usual for the levels]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub to: Option<u32>,

    /// Random seed
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub seed: u64,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Number of attempts after which puzzles of other lengths replace those that are hard to find [default: ten times the
    /// number of puzzles]
    #[arg(long, value_name = "N")]
    pub effort: Option<u64>,

    /// Maximum number of consecutive attempts without a new puzzle, or without one of a missing level
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
}

/// The summary that `clearway forge pack --json` prints if the pack is written to files.
#[derive(Serialize)]
struct PackSummary {
    /// The number of puzzles in the pack.
    puzzles: usize,
    /// The number of puzzles requested.
    asked: usize,
    /// The minimum number of moves of a puzzle in the pack, or null if it is empty.
    from: Option<u32>,
    /// The maximum number of moves of a puzzle in the pack, or null if it is empty.
    to: Option<u32>,
    /// The number of different puzzles found, from which the pack is selected.
    found: usize,
    /// The number of attempts.
    attempts: u64,
    /// The length of the longest minimal puzzle found, except for those above `--to`.
    longest: u32,
    /// The number of puzzles missing of each level; absent if none is missing, or no levels were requested.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    missing: BTreeMap<Level, usize>,
    /// The files written.
    files: Vec<String>,
    /// The reason if there are fewer puzzles than requested: `patience`, `time` or `interrupted`; else null.
    limit: Option<&'static str>,
}

/// Generates the pack.
pub fn run(args: &PackArgs, context: &Context) -> CommandResult {
    let order = order(args, context)?;
    let outputs = Outputs::check(&args.output.out, context)?;
    let started = Instant::now();
    let limits =
        Limits { time: context.global.time_limit, cancel: Some(context.interrupt.flag()), ..search_limits(context) };
    let (threads, _) = context.threads_and_memory();
    let bar = Bar::new("puzzles", context);
    let reported = AtomicUsize::new(0);
    let gathered = pack::gather(&order, threads, &limits, &|progress| {
        bar.show(progress.found, order.count);
        if context.global.verbose && reported.fetch_max(progress.found, Ordering::Relaxed) < progress.found {
            let (found, attempts) = (progress.found as u64, progress.attempts);
            let note = format!("{} after {}", quantity::plural(found, "puzzle"), quantity::plural(attempts, "attempt"));
            bar.around_stderr(|| context.note(&note));
        }
    });
    drop(bar);
    finish(args, &order, &gathered, &outputs, started, context)
}

/// Returns the order that the arguments describe.
pub fn order(args: &PackArgs, context: &Context) -> Result<PackRequest, Failure> {
    reject_zero_limits(context)?;
    let (shape, levels) = (args.shape.shape(6)?, levels(args)?);
    let least = levels.keys().map(|level| *level.typical_moves().start()).min().unwrap_or(USUAL_MOVES.0);
    let most = levels.keys().map(|level| *level.typical_moves().end()).max().unwrap_or(USUAL_MOVES.1);
    let moves = lengths(args.from.unwrap_or(least), args.to.unwrap_or(most))?;
    let any_level = PackRequest::new(shape, moves, args.count as usize, args.seed);
    let default = if levels.is_empty() { any_level } else { any_level.with_levels(levels) };
    Ok(PackRequest { effort: args.effort.unwrap_or(default.effort), patience: args.patience, ..default })
}

/// Returns the number of puzzles of each level; empty if levels do not matter.
fn levels(args: &PackArgs) -> Result<BTreeMap<Level, usize>, Failure> {
    let mut levels: BTreeMap<Level, usize> = args.level.map(|level| (level, args.count as usize)).into_iter().collect();
    for &(level, count) in &args.quota {
        if levels.insert(level, count as usize).is_some() {
            return Err(Failure::usage(format!("more than one --quota for {level}"), "give each level once"));
        }
    }
    if levels.values().sum::<usize>() > MAX_COUNT as usize {
        return Err(Failure::usage("too many puzzles".to_owned(), format!("a pack has at most {MAX_COUNT} puzzles")));
    }
    Ok(levels)
}

/// Returns a parser of levels, which offers their names for completion.
fn level_names() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.map(Level::as_str)).try_map(|name| level(&name))
}

/// Parses a level.
fn level(name: &str) -> Result<Level, String> {
    let expected = || format!("expected one of {}", Level::ALL.map(Level::as_str).join(", "));
    Level::from_name(name).ok_or_else(expected)
}

/// Parses the number of puzzles of a level, such as `expert=10`.
fn quota(text: &str) -> Result<(Level, u32), String> {
    let (name, count) = text.split_once('=').ok_or("expected a level and a number, such as expert=10")?;
    let count = count.parse().ok().filter(|count| (1..=MAX_COUNT).contains(&i64::from(*count)));
    Ok((level(name)?, count.ok_or_else(|| format!("the number must be from 1 to {MAX_COUNT}"))?))
}

/// Returns the limits of each search. Besides the order, they are all that the puzzles depend on.
pub fn search_limits(context: &Context) -> Limits {
    let (_, memory) = context.threads_and_memory();
    Limits { nodes: context.global.node_limit, memory: Some(memory), ..Limits::default() }
}

/// Writes the pack and prints its summary.
pub fn finish(
    args: &PackArgs,
    order: &PackRequest,
    gathered: &PackOutcome,
    outputs: &Outputs,
    started: Instant,
    context: &Context,
) -> CommandResult {
    let title = args.output.title.clone().unwrap_or_else(|| title(order, gathered));
    outputs.write(&gathered.entries, &title, args.output.printing(), context)?;
    if context.global.json && !outputs.is_stdout() {
        let mut out = context.stdout();
        out.write_all(json::line(&summary(order, gathered, outputs)).as_bytes())?;
        out.flush()?;
    }
    print_note(order, gathered, started, context);
    let limited = gathered.entries.len() < order.count;
    Ok(pack_output::exit_code(context, limited))
}

fn title(order: &PackRequest, gathered: &PackOutcome) -> String {
    let (width, height) = (order.shape.width(), order.shape.height());
    let puzzles = quantity::plural(gathered.entries.len() as u64, "puzzle");
    let lengths = lengths_found(gathered).map_or(String::new(), |(from, to)| format!(", {from} to {to} moves"));
    format!("{puzzles}, {width}x{height}{lengths}, seed {}", order.seed)
}

/// Returns the fewest and the most moves of the puzzles, which are sorted by predicted time.
fn lengths_found(gathered: &PackOutcome) -> Option<(u32, u32)> {
    let moves = gathered.entries.iter().map(|entry| entry.moves);
    moves.clone().min().zip(moves.max())
}

/// Returns the number of puzzles missing of each level, if levels were requested.
fn missing(order: &PackRequest, gathered: &PackOutcome) -> BTreeMap<Level, usize> {
    let found = |level| gathered.entries.iter().filter(|entry| entry.level == level).count();
    let missing = order.levels.iter().map(|(&level, &quota)| (level, quota.saturating_sub(found(level))));
    missing.filter(|(_, missing)| *missing > 0).collect()
}

fn summary(order: &PackRequest, gathered: &PackOutcome, outputs: &Outputs) -> PackSummary {
    let (from, to) = lengths_found(gathered).unzip();
    PackSummary {
        puzzles: gathered.entries.len(),
        asked: order.count,
        from,
        to,
        found: gathered.found,
        attempts: gathered.attempts,
        longest: gathered.longest,
        missing: missing(order, gathered),
        files: outputs.names(),
        limit: gathered.limit.map(|limit| match limit {
            Limit::Cancelled => "interrupted",
            Limit::Time => "time",
            _ => "patience",
        }),
    }
}

/// Prints a note on the puzzles found, or why there are too few.
fn print_note(order: &PackRequest, gathered: &PackOutcome, started: Instant, context: &Context) {
    if gathered.entries.len() < order.count {
        let (message, help) = shortage(order, gathered);
        context.report(&message_with_help(message, help));
        return;
    }
    let has = |moves: u32| gathered.entries.iter().any(|entry| entry.moves == moves);
    let missing: Vec<u32> = order.moves.clone().filter(|&moves| !has(moves)).collect();
    let puzzles = quantity::plural(gathered.entries.len() as u64, "puzzle");
    let (levels, attempts) = (pack_output::levels(&gathered.entries), quantity::plural(gathered.attempts, "attempt"));
    context.note(&format!("{puzzles} ({levels}) from {attempts} in {}", quantity::time(started.elapsed())));
    if order.levels.is_empty() && order.count >= order.moves.clone().count() && !missing.is_empty() {
        context.note(&format!("no puzzles of {} moves were found; others replace them", ranges(&missing)));
    }
}

/// Returns the error and the help of a pack with too few puzzles.
fn shortage(order: &PackRequest, gathered: &PackOutcome) -> (String, String) {
    let has_levels = !order.levels.is_empty();
    let why = match gathered.limit {
        Some(Limit::Cancelled) => "interrupted".to_owned(),
        Some(Limit::Incomplete) => {
            let what = if has_levels { "no new puzzle of these levels" } else { "no new puzzle" };
            format!("{what} in {}", quantity::plural(order.patience, "attempt"))
        }
        Some(limit) => limit.to_string(),
        None => "there are no more".to_owned(),
    };
    let of_level = |(level, missing): (Level, usize)| {
        let quota = order.levels.get(&level).copied().unwrap_or(0);
        format!("{level}: {} of {}", quantity::count((quota - missing) as u64), quantity::count(quota as u64))
    };
    let levels: Vec<String> = missing(order, gathered).into_iter().map(of_level).collect();
    let levels = if has_levels { format!(" ({})", levels.join(", ")) } else { String::new() };
    let found = quantity::count(gathered.entries.len() as u64);
    let message = format!("found only {found} of {}{levels}: {why}", quantity::plural(order.count as u64, "puzzle"));
    let remedy = if has_levels {
        "request fewer puzzles of these levels, another size or other lengths"
    } else {
        "request fewer puzzles or other lengths"
    };
    let longest = gathered.longest;
    (message, format!("the longest puzzle found has {longest} moves; {remedy}, or raise --patience"))
}

/// Formats sorted numbers as ranges: `8, 10 to 12`.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let runs = runs.map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_lengths_are_printed_as_ranges() {
        assert_eq!(ranges(&[8, 10, 11, 12, 20]), "8, 10 to 12, 20");
        assert_eq!(ranges(&[]), "");
    }
}
