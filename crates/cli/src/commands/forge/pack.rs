//! `clearway forge pack`: generates a pack of puzzles.

use super::pack_output::{self, Outputs};
use super::shape::{ShapeArgs, lengths};
use crate::algorithms::reject_zero_limits;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clap::Args;
use clearway_forge::pack::{self, PackOutcome, PackRequest};
use clearway_search::{Limit, Limits};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Generate a pack of puzzles: graded, all different, minimal, from easy to hard
///
/// Puzzles are generated backwards, from solved boards; above 8x8, from random boards. No two puzzles of a pack are mirror
/// images or, up to 8x8, states of the same component, and removing any vehicle makes a puzzle easier. The puzzles are spread
/// evenly over the range of lengths, as far as puzzles of each length are found, and selected to be as dissimilar as possible.
/// They are sorted by the predicted solving time of people. The same seed gives the same pack on every machine and for any
/// number of threads.
///
/// The extension of each --out determines its format: .jsonl, .txt (the line format), .csv, .html (a page with pictures),
/// .pdf and .svg (printable cards, with the solutions at the end). Without --out, the pack is printed, as txt or with --json
/// as jsonl.
///
/// When --patience is exhausted, --time-limit is reached (here, the limit for the whole pack) or Ctrl-C is pressed, the
/// puzzles found so far are written. The exit code is then 5, or 130 after Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge pack --count 5 --from 4 --to 8 --seed 7
  clearway forge pack --count 4 --from 6 --to 9 --seed 7 --out pack.jsonl --out cards.pdf
  clearway forge pack --size 5 --count 3 --from 5 --to 7 --exit top --json
  clearway forge pack --size 5x4 --walls 1 --count 2 --from 3 --to 5")]
pub struct PackArgs {
    /// Number of puzzles
    #[arg(short = 'n', long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,

    #[command(flatten)]
    pub shape: ShapeArgs,

    /// Minimum solution length of a puzzle
    #[arg(long, value_name = "MOVES", default_value = "6", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub from: u32,

    /// Maximum solution length of a puzzle
    #[arg(long, value_name = "MOVES", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub to: u32,

    /// Random seed
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub seed: u64,

    /// Output file; its extension determines the format; can be repeated
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,

    /// Title of the pack
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Number of attempts after which puzzles of other lengths replace those that are hard to find [default: ten times
    /// --count]
    #[arg(long, value_name = "N")]
    pub effort: Option<u64>,

    /// Maximum number of consecutive attempts without a new puzzle
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
}

/// The summary that `clearway forge pack --json` prints if the pack is written to files.
#[derive(Serialize)]
struct PackSummary {
    /// The number of puzzles in the pack.
    puzzles: usize,
    /// The number of puzzles requested.
    asked: u32,
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
    /// The files written.
    files: Vec<String>,
    /// The reason if there are fewer puzzles than requested: `patience`, `time` or `interrupted`; else null.
    limit: Option<&'static str>,
}

/// Generates the pack.
pub fn run(args: &PackArgs, context: &Context) -> Outcome {
    let order = order(args, context)?;
    let outputs = Outputs::check(&args.out, context)?;
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
    let shape = args.shape.shape(6)?;
    let default = PackRequest::new(shape, lengths(args.from, args.to)?, args.count as usize, args.seed);
    Ok(PackRequest { effort: args.effort.unwrap_or(default.effort), patience: args.patience, ..default })
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
) -> Outcome {
    let title = args.title.clone().unwrap_or_else(|| title(order, gathered));
    outputs.write(&gathered.entries, &title, context)?;
    if context.global.json && !outputs.is_stdout() {
        let mut out = context.stdout();
        out.write_all(json::line(&summary(args, gathered, outputs)).as_bytes())?;
        out.flush()?;
    }
    print_note(args, gathered, started, context);
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

fn summary(args: &PackArgs, gathered: &PackOutcome, outputs: &Outputs) -> PackSummary {
    let (from, to) = lengths_found(gathered).unzip();
    PackSummary {
        puzzles: gathered.entries.len(),
        asked: args.count,
        from,
        to,
        found: gathered.found,
        attempts: gathered.attempts,
        longest: gathered.longest,
        files: outputs.names(),
        limit: gathered.limit.map(|limit| match limit {
            Limit::Cancelled => "interrupted",
            Limit::Time => "time",
            _ => "patience",
        }),
    }
}

/// Prints a note on the puzzles found, or why there are too few.
fn print_note(args: &PackArgs, gathered: &PackOutcome, started: Instant, context: &Context) {
    let has = |moves: u32| gathered.entries.iter().any(|entry| entry.moves == moves);
    let missing: Vec<u32> = (args.from..=args.to).filter(|&moves| !has(moves)).collect();
    if gathered.entries.len() < args.count as usize {
        let found = quantity::count(gathered.entries.len() as u64);
        let why = match gathered.limit {
            Some(Limit::Cancelled) => "interrupted".to_owned(),
            Some(Limit::Incomplete) => {
                format!("no new puzzle in {}", quantity::plural(args.patience, "attempt"))
            }
            Some(limit) => limit.to_string(),
            None => "there are no more".to_owned(),
        };
        let message = format!("found only {found} of {}: {why}", quantity::plural(args.count.into(), "puzzle"));
        let help = format!(
            "the longest puzzle found has {} moves; request fewer puzzles or other lengths, or raise --patience",
            gathered.longest
        );
        context.report(&message_with_help(message, help));
        return;
    }
    let puzzles = quantity::plural(gathered.entries.len() as u64, "puzzle");
    let (levels, attempts) = (pack_output::levels(&gathered.entries), quantity::plural(gathered.attempts, "attempt"));
    context.note(&format!("{puzzles} ({levels}) from {attempts} in {}", quantity::time(started.elapsed())));
    if args.count > args.to - args.from && !missing.is_empty() {
        context.note(&format!("no puzzles of {} moves were found; others replace them", ranges(&missing)));
    }
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
