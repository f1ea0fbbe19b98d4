//! `clearway forge pack`: a pack of new puzzles.

use super::pack_output::{self, Outputs};
use super::shape::{ShapeArgs, lengths};
use crate::algorithms::refuse_zero_limits;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clap::Args;
use clearway_forge::pack::{self, Gathered, Order};
use clearway_search::{Limit, Limits};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Make a pack of new puzzles: graded, all different, minimal, from easy to hard
///
/// Puzzles are made backwards, from solved boards. No two of a pack are the same, mirrored or as another state of the
/// same component, and no vehicle can be removed from any without making it easier. They are spread evenly over the
/// lengths asked for, as far as there are any, and as unlike each other as the puzzles found allow. The same seed gives
/// the same pack on every machine and on any number of threads.
///
/// The ending of each --out says its format: .jsonl, .txt (the line format), .csv, .html (a page with pictures), .pdf
/// and .svg (printable cards, with the solutions at the end). Without --out the pack is printed, as txt or with --json
/// as jsonl.
///
/// If it is given up (see --patience), at --time-limit, which is for the whole pack here, or on Ctrl-C, what was found
/// by then is written. The exit code is then 5, or 130 after Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge pack --count 5 --from 4 --to 8 --seed 7
  clearway forge pack --count 4 --from 6 --to 9 --seed 7 --out pack.jsonl --out cards.pdf
  clearway forge pack --size 5 --count 3 --from 5 --to 7 --exit top --json
  clearway forge pack --size 5x4 --walls 1 --count 2 --from 3 --to 5")]
pub struct PackArgs {
    /// How many puzzles
    #[arg(short = 'n', long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,

    #[command(flatten)]
    pub shape: ShapeArgs,

    /// The fewest moves that a puzzle may need
    #[arg(long, value_name = "MOVES", default_value = "6", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub from: u32,

    /// The most moves that a puzzle may need
    #[arg(long, value_name = "MOVES", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub to: u32,

    /// Where all randomness comes from
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub seed: u64,

    /// Write the pack to this file, in the format that its ending says; may be given many times
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,

    /// The title of the pack
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// After so many attempts, make up for lengths that are hard to find with others [default: ten times as many as
    /// there are puzzles to make]
    #[arg(long, value_name = "N")]
    pub effort: Option<u64>,

    /// Give up after so many attempts in a row that found no new puzzle
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
}

/// What `clearway forge pack --json` prints if the pack goes to files.
#[derive(Serialize)]
struct Summary {
    /// The puzzles in the pack.
    puzzles: usize,
    /// Those asked for.
    asked: u32,
    /// The fewest moves of a puzzle in it, or null if it is empty.
    from: Option<u32>,
    /// The most moves of a puzzle in it, or null.
    to: Option<u32>,
    /// The different puzzles found, of which the pack is a selection.
    found: usize,
    /// The attempts made.
    attempts: u64,
    /// The most moves of any minimal puzzle met on the way, but for those above --to.
    longest: u32,
    /// The files written.
    files: Vec<String>,
    /// Why there are fewer puzzles than asked for: `patience`, `time` or `interrupted`; or null.
    limit: Option<&'static str>,
}

/// Makes the pack.
pub fn run(args: &PackArgs, context: &Context) -> Outcome {
    let order = order(args, context)?;
    let outputs = Outputs::check(&args.out, context)?;
    let started = Instant::now();
    let limits =
        Limits { time: context.global.time_limit, cancel: Some(context.interrupt.flag()), ..search_limits(context) };
    let (threads, _) = context.threads_and_memory();
    let bar = Bar::new("puzzles", context);
    let told = AtomicUsize::new(0);
    let made = pack::gather(&order, threads, &limits, &|progress| {
        bar.show(progress.found, order.count);
        if context.global.verbose && told.fetch_max(progress.found, Ordering::Relaxed) < progress.found {
            let (found, attempts) = (progress.found as u64, progress.attempts);
            let note = format!("{} after {}", quantity::of(found, "puzzle"), quantity::of(attempts, "attempt"));
            bar.around_stderr(|| context.note(&note));
        }
    });
    drop(bar);
    finish(args, &order, &made, &outputs, started, context)
}

/// What is asked for.
pub fn order(args: &PackArgs, context: &Context) -> Result<Order, Failure> {
    refuse_zero_limits(context)?;
    let shape = args.shape.shape(6)?;
    let usual = Order::new(shape, lengths(args.from, args.to)?, args.count as usize, args.seed);
    Ok(Order { effort: args.effort.unwrap_or(usual.effort), patience: args.patience, ..usual })
}

/// The limits of every search: all that a puzzle depends on beside the order.
pub fn search_limits(context: &Context) -> Limits {
    let (_, memory) = context.threads_and_memory();
    Limits { nodes: context.global.node_limit, memory: Some(memory), ..Limits::default() }
}

/// Writes the pack, and tells what is in it.
pub fn finish(
    args: &PackArgs,
    order: &Order,
    made: &Gathered,
    outputs: &Outputs,
    started: Instant,
    context: &Context,
) -> Outcome {
    let title = args.title.clone().unwrap_or_else(|| title(order, made));
    outputs.write(&made.entries, &title, context)?;
    if context.global.json && !outputs.is_stdout() {
        let mut out = context.stdout();
        out.write_all(json::line(&summary(args, made, outputs)).as_bytes())?;
        out.flush()?;
    }
    tell(args, made, started, context);
    let limited = made.entries.len() < order.count;
    Ok(pack_output::exit_code(context, limited))
}

fn title(order: &Order, made: &Gathered) -> String {
    let (width, height) = (order.shape.width(), order.shape.height());
    let puzzles = quantity::of(made.entries.len() as u64, "puzzle");
    let lengths = match (made.entries.first(), made.entries.last()) {
        (Some(first), Some(last)) => format!(", {} to {} moves", first.moves, last.moves),
        _ => String::new(),
    };
    format!("{puzzles}, {width}x{height}{lengths}, seed {}", order.seed)
}

fn summary(args: &PackArgs, made: &Gathered, outputs: &Outputs) -> Summary {
    Summary {
        puzzles: made.entries.len(),
        asked: args.count,
        from: made.entries.first().map(|entry| entry.moves),
        to: made.entries.last().map(|entry| entry.moves),
        found: made.found,
        attempts: made.attempts,
        longest: made.longest,
        files: outputs.names(),
        limit: made.limit.map(|limit| match limit {
            Limit::Cancelled => "interrupted",
            Limit::Time => "time",
            _ => "patience",
        }),
    }
}

/// Tells a person what was made, and what was not.
fn tell(args: &PackArgs, made: &Gathered, started: Instant, context: &Context) {
    let has = |moves: u32| made.entries.iter().any(|entry| entry.moves == moves);
    let missing: Vec<u32> = (args.from..=args.to).filter(|&moves| !has(moves)).collect();
    if made.entries.len() < args.count as usize {
        let found = quantity::of(made.entries.len() as u64, "puzzle");
        let why = match made.limit {
            Some(Limit::Cancelled) => "interrupted".to_owned(),
            Some(Limit::Incomplete) => {
                format!("there was no new one in {}", quantity::of(args.patience, "attempt"))
            }
            Some(limit) => limit.to_string(),
            None => "there were no more".to_owned(),
        };
        let message = format!("{found} of the {} asked for: {why}", quantity::count(args.count));
        let help = format!(
            "the hardest board found on the way has {} moves; ask for fewer puzzles or other lengths, or raise --patience",
            made.longest
        );
        context.report(&message_with_help(message, help));
        return;
    }
    let puzzles = quantity::of(made.entries.len() as u64, "puzzle");
    let (levels, attempts) = (pack_output::levels(&made.entries), quantity::of(made.attempts, "attempt"));
    context.note(&format!("{puzzles} ({levels}) from {attempts} in {}", quantity::time(started.elapsed())));
    if args.count > args.to - args.from && !missing.is_empty() {
        context.note(&format!("no puzzle of {} moves was found; others stand in for them", ranges(&missing)));
    }
}

/// Numbers in order, as in `8, 10 to 12`.
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
    fn missing_lengths_are_told_in_runs() {
        assert_eq!(ranges(&[8, 10, 11, 12, 20]), "8, 10 to 12, 20");
        assert_eq!(ranges(&[]), "");
    }
}
