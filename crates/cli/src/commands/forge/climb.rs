//! `clearway forge climb`: finds hard boards by hill climbing.

use super::shape::{self, ShapeArgs};
use crate::algorithms::reject_zero_limits;
use crate::args::{InputArgs, ReadingArgs, suite_names};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::input::{Boards, Fallback};
use crate::json;
use crate::output::{Context, Sink};
use crate::progress::Bar;
use crate::quantity::{self, parse_time};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clearway_forge::Shape;
use clearway_forge::climb::{Budget, Climb, ClimbOptions, FitnessMeasure, Peak, StopReason};
use clearway_rush::formats::{self, Format, KnownLength, Puzzle};
use clearway_rush::{Board, Metric, Size, Solver};
use clearway_search::Limits;
use clearway_util::atomic::AtomicFile;
use clearway_util::lock::{LockError, LockedFile};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The time budget if no other option is certain to end the climb.
const DEFAULT_TIME: Duration = Duration::from_secs(60);
/// How often the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(30);
/// Maximum memory per state of a component, in bytes.
const BYTES_PER_STATE: u64 = 256;

/// Find hard boards by hill climbing
///
/// Boards are changed in small steps (vehicles are added, deleted, replaced, resized, moved and swapped), and harder boards
/// are kept. An ascent starts with a population of boards, of which the weaker half is repeatedly dropped. The last board
/// climbs until it is stuck and is kicked (changed at random) a few times; then the next ascent starts. Several lanes of
/// ascents run in parallel. Prints the best boards, each from a different ascent, in their hardest states and without
/// removable vehicles.
///
/// With --evaluations or --ascents, the result is the same for any number of threads; with a time budget, it is the best
/// found by then. The exit code is 5 if --target was not reached or no solvable board was found.
///
/// --node-limit applies to --fitness id-nodes; --time-limit is not supported, because the fitness of a board must not depend
/// on time.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge climb --size 8 --budget 10m --seed 1
  clearway forge climb --size 8 --target 120 --budget 1h --resume climb.json
  clearway forge climb --size 6 --fitness steps --evaluations 20000 --count 5
  clearway forge climb --size 8 --from-suite cards      start from smaller boards
  clearway forge climb --size 10 --inner 8 --budget 10m
  clearway forge climb --size 8 --fitness id-nodes --node-limit 5000000")]
pub struct ClimbArgs {
    #[command(flatten)]
    shape: ShapeArgs,

    /// Fitness to maximise: moves or steps of the shortest solution, the depth of the component (distance of its farthest
    /// state in moves), or the nodes that iterative deepening expands (0 beyond --node-limit)
    #[arg(short, long, value_name = "NAME", value_parser = fitness_names(), default_value = "moves")]
    fitness: String,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Maximum run time: 30s, 10m, 1h [default: 1m without --evaluations and --ascents]
    #[arg(short, long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,

    /// Maximum number of boards to evaluate
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,

    /// Stop when a board reaches this fitness, or when the budget is spent
    #[arg(short, long, value_name = "FITNESS")]
    target: Option<u64>,

    /// Maximum number of ascents of each lane
    #[arg(long, visible_alias = "restarts", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ascents: Option<u32>,

    /// Number of ascents in parallel, and so the maximum number of busy threads
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1024))]
    lanes: u16,

    /// Number of boards that an ascent starts with
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    population: u16,

    /// Evaluations of each board before the weaker half is dropped; doubles each time
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    round: u32,

    /// Evaluations without improvement after which the last board of an ascent is stuck
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    patience: u32,

    /// Number of kicks in a row that may fail to improve a stuck board; one more ends the ascent
    #[arg(long, value_name = "N", default_value_t = 2)]
    kicks: u16,

    /// Maximum number of states of a board's component; larger ones are skipped
    #[arg(long, value_name = "STATES", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    largest: u64,

    /// Boards to start from instead of random ones; smaller boards are surrounded by empty cells
    #[arg(long, value_name = "BOARD|FILE|-")]
    from: Vec<OsString>,

    /// Start from the boards of an embedded suite
    #[arg(long, value_name = "NAME", value_parser = suite_names())]
    from_suite: Vec<String>,

    /// Size at which ascents start, such as 8; the best board of an ascent then continues at full size, inside a frame
    #[arg(long, value_name = "N|WxH", conflicts_with_all = ["from", "from_suite"])]
    inner: Option<Size>,

    /// Save the state to this file; if it exists, resume from it
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Number of boards to print
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Write the boards to this file instead of stdout, as a suite (or with --json, as objects)
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A board that was found, as `clearway forge climb --json` prints it.
#[derive(Serialize)]
struct PeakRecord {
    /// The board in line format.
    board: String,
    /// The shortest solution in moves.
    moves: Option<u32>,
    /// The shortest solution in steps.
    steps: Option<u32>,
    /// The fitness: `moves`, `steps`, `depth` or `id-nodes`.
    fitness: &'static str,
    /// The fitness of the board.
    value: u64,
    /// The number of vehicles.
    vehicles: usize,
    /// The random seed.
    seed: u64,
    /// The lane that found the board.
    lane: u64,
    /// The ascent of the lane that found the board.
    ascent: u32,
}

fn fitness_names() -> PossibleValuesParser {
    PossibleValuesParser::new(FitnessMeasure::ALL.iter().map(|fitness| fitness.as_str()))
}

/// Runs the climb.
pub fn run(args: &ClimbArgs, context: &Context) -> CommandResult {
    reject_zero_limits(context)?;
    if context.global.time_limit.is_some() {
        let message = "--time-limit is not supported by forge climb: the fitness of a board must not depend on time";
        return Err(Failure::usage(message, "use --budget for the time of the whole climb"));
    }
    let threads = context.threads().min(args.lanes.into());
    let options = options(args, context, threads)?;
    // Fail before the work if the file cannot be written.
    if let Some(path) = &args.out {
        drop(Sink::open(Some(path), context)?);
    }
    let mut state = args.resume.as_deref().map(StateFile::open).transpose()?;
    let mut climb = match &state {
        Some(state) => state.climb(options)?,
        None => Climb::new(options),
    };
    let cancel = context.interrupt.flag();
    let budget = budget(args, Arc::clone(&cancel));
    work(&mut climb, &budget, threads, &mut state, args, context);
    let saved = state.as_mut().map_or(Ok(()), |state| state.save(&climb));
    // After an interrupt, there is no time to remove unneeded vehicles.
    let mut solver = Solver::new();
    let best = climb.peaks().into_iter().take(args.count as usize);
    let mut peaks: Vec<Peak> = best.map(|peak| climb.without_useless(peak, Some(&cancel), &mut solver)).collect();
    peaks.sort_by_key(|peak| std::cmp::Reverse(peak.fitness));
    write(&peaks, &climb, &mut solver, args, context)?;
    saved?;
    let reached = args.target.is_none_or(|target| peaks.first().is_some_and(|peak| peak.fitness >= target));
    Ok(if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if peaks.is_empty() || !reached {
        ExitCode::Limit
    } else {
        ExitCode::Done
    })
}

/// Returns the budget of the climb. A target alone might never be reached, so there is always another limit.
fn budget(args: &ClimbArgs, cancel: Arc<AtomicBool>) -> Budget {
    let is_unlimited = args.evaluations.is_none() && args.ascents.is_none();
    Budget {
        evaluations: args.evaluations,
        time: args.budget.or(is_unlimited.then_some(DEFAULT_TIME)),
        enough: args.target,
        cancel: Some(cancel),
    }
}

fn options(args: &ClimbArgs, context: &Context, threads: usize) -> Result<ClimbOptions, Failure> {
    let shape = args.shape.shape(8)?;
    let options = ClimbOptions {
        fitness: FitnessMeasure::from_word(&args.fitness).unwrap_or_default(),
        lanes: args.lanes,
        population: args.population,
        round: args.round,
        patience: args.patience,
        kicks: args.kicks,
        ascents: args.ascents,
        largest: args.largest,
        id_nodes: context.global.node_limit.unwrap_or(ClimbOptions::new(shape).id_nodes),
        seed: args.seed,
        starts: starts(args, shape)?,
        inner: args.inner.map(|size| inner_shape(args, shape, size)).transpose()?,
        ..ClimbOptions::new(shape)
    };
    let memory = options.most_states().saturating_mul(BYTES_PER_STATE).saturating_mul(threads as u64);
    if memory > context.global.memory as u64 {
        return Err(Failure::usage(
            format!(
                "components of up to {} states on {} may need {} MB, more than --memory allows",
                quantity::count(options.most_states()),
                quantity::plural(threads as u64, "thread"),
                quantity::count(memory >> 20)
            ),
            "lower --largest or --threads, or raise --memory",
        ));
    }
    Ok(options)
}

/// Returns the shape in which ascents start: of this size, with the exit in the middle of its side.
fn inner_shape(args: &ClimbArgs, shape: Shape, size: Size) -> Result<Shape, Failure> {
    let (width, height) = size.sides();
    let inner = Shape::new(width, height, args.shape.exit, None, shape.walls());
    let inner = inner.map_err(|error| Failure::usage(format!("--inner: {error}"), shape::help(error, "--inner")))?;
    if inner.fits_into(shape) {
        return Ok(inner);
    }
    let message =
        format!("a board of --inner {width}x{height} cannot be framed in {}x{}", shape.width(), shape.height());
    Err(Failure::usage(message, "it must not be larger, and its exit must match --line"))
}

/// Reads the boards to start from, and fits them into the shape.
fn starts(args: &ClimbArgs, shape: Shape) -> Result<Vec<Board>, Failure> {
    if args.from.is_empty() && args.from_suite.is_empty() {
        return Ok(Vec::new());
    }
    let input = InputArgs {
        boards: args.from.clone(),
        suite: args.from_suite.clone(),
        reading: ReadingArgs::default(),
        keep_going: false,
    };
    let mut boards = Vec::new();
    for entry in Boards::open(&input, Fallback::Stdin)? {
        let entry = entry.map_err(Failure::bad_input)?;
        let wrapped = ClimbOptions::wrap(shape, &entry.puzzle.board);
        boards.push(wrapped.map_err(|error| Failure::bad_input(miette::miette!("{}: {error}", entry.title())))?);
    }
    Ok(boards)
}

/// The state file of `--resume`, locked by this process.
struct StateFile {
    file: LockedFile,
    /// The path as given on the command line.
    path: PathBuf,
}

impl StateFile {
    fn open(path: &Path) -> Result<StateFile, Failure> {
        let file = LockedFile::open(path).map_err(|error| match error {
            LockError::File { error, .. } => Failure::io(&format!("write {}", path.display()), &error),
            other => Failure::bad_input(miette::miette!("{other}")),
        })?;
        Ok(StateFile { file, path: path.to_owned() })
    }

    /// Returns the climb in the file, or a new one if the file is empty: the process that created it was killed before it
    /// saved anything.
    fn climb(&self, options: ClimbOptions) -> Result<Climb, Failure> {
        let mut text = String::new();
        let read = self.file.file().read_to_string(&mut text);
        read.map_err(|error| Failure::io(&format!("read {}", self.path.display()), &error))?;
        if text.is_empty() {
            return Ok(Climb::new(options));
        }
        Climb::resume(options, &text)
            .map_err(|error| Failure::bad_input(miette::miette!("cannot resume from {}: {error}", self.path.display())))
    }

    fn save(&mut self, climb: &Climb) -> Result<(), Failure> {
        let mut write = || {
            let mut content = AtomicFile::create(self.file.path())?;
            content.write_all(climb.checkpoint().as_bytes())?;
            self.file.replace(content)
        };
        write().map_err(|error| Failure::io(&format!("write {}", self.path.display()), &error))
    }
}

/// Runs the climb, shows its progress, and saves its state from time to time.
fn work(
    climb: &mut Climb,
    budget: &Budget,
    threads: usize,
    state: &mut Option<StateFile>,
    args: &ClimbArgs,
    context: &Context,
) {
    let started = Instant::now();
    let (noun, all) = match (budget.evaluations, budget.time) {
        (Some(all), _) => ("boards", all),
        (None, Some(time)) => ("seconds", time.as_secs()),
        (None, None) => ("ascents", u64::from(args.lanes) * u64::from(args.ascents.unwrap_or(1))),
    };
    let bar = Bar::new(noun, context);
    let (mut best, mut saved, mut has_failed) = (climb.progress().best, Instant::now(), false);
    let before = climb.progress().evaluations;
    let stop = climb.run(budget, threads, |climb| {
        let progress = climb.progress();
        let done = match (budget.evaluations, budget.time) {
            (Some(_), _) => progress.evaluations,
            (None, Some(_)) => started.elapsed().as_secs(),
            (None, None) => progress.ascents,
        };
        bar.show(done as usize, all as usize);
        if progress.best > best {
            best = progress.best;
            if context.global.verbose {
                let after = quantity::time(started.elapsed());
                let note = format!("{best} {} after {after}", climb.options().fitness.as_str());
                bar.around_stderr(|| context.note(&note));
            }
        }
        if let Some(state) = state.as_mut().filter(|_| saved.elapsed() >= SAVE_EVERY) {
            // Reported only the first time; the result depends on the last attempt to save.
            if let Err(Failure::Report(_, report)) = state.save(climb)
                && !has_failed
            {
                has_failed = true;
                bar.around_stderr(|| context.report(&report));
            }
            saved = Instant::now();
        }
    });
    drop(bar);
    let progress = climb.progress();
    context.note(&format!(
        "{} in {}, {} finished; {}",
        quantity::plural(progress.evaluations - before, "board"),
        quantity::time(started.elapsed()),
        quantity::plural(progress.ascents, "ascent"),
        match stop {
            StopReason::Enough => "the target was reached",
            StopReason::Finished => "all ascents are finished",
            StopReason::Evaluations => "the limit on evaluations was reached",
            StopReason::Time => "the time budget ran out",
            StopReason::Cancelled => "interrupted",
            _ => "stopped",
        }
    ));
}

/// Writes the boards with their optimal lengths; after Ctrl-C, only the lengths that are known already.
fn write(
    peaks: &[Peak],
    climb: &Climb,
    solver: &mut Solver,
    args: &ClimbArgs,
    context: &Context,
) -> Result<(), Failure> {
    let mut sink = Sink::open(args.out.as_deref(), context)?;
    let memory = Some(context.global.memory);
    let limits = Limits { memory, cancel: Some(context.interrupt.flag()), ..Limits::default() };
    for (number, peak) in peaks.iter().enumerate() {
        let mut optimum = |metric| {
            match (climb.options().fitness, metric) {
                (FitnessMeasure::Moves, Metric::Moves) | (FitnessMeasure::Steps, Metric::Steps) => {
                    return u32::try_from(peak.fitness).ok();
                }
                _ => {}
            }
            let answer = solver.solve(&peak.board, metric, &limits);
            answer.solution.map(|_| answer.lower_bound)
        };
        let (moves, steps) = (optimum(Metric::Moves), optimum(Metric::Steps));
        if context.global.json {
            sink.put(&json::line(&PeakRecord {
                board: formats::line(&peak.board),
                moves,
                steps,
                fitness: climb.options().fitness.as_str(),
                value: peak.fitness,
                vehicles: peak.board.vehicles().len(),
                seed: args.seed,
                lane: peak.lane,
                ascent: peak.ascent,
            }))?;
            continue;
        }
        let puzzle = Puzzle {
            name: Some(format!("C{}", number + 1)),
            moves: moves.map(KnownLength::Exactly),
            steps: steps.map(KnownLength::Exactly),
            ..Puzzle::new(peak.board.clone())
        };
        sink.put(&formats::write(&puzzle, Format::Tsv).map_err(Failure::unwritable)?)?;
    }
    sink.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    #[test]
    fn every_climb_has_a_limit() {
        let time = |given: &[&str]| {
            let command = ClimbArgs::augment_args(Command::new("climb").no_binary_name(true));
            let args = ClimbArgs::from_arg_matches(&command.get_matches_from(given)).unwrap();
            budget(&args, Arc::default()).time
        };
        assert_eq!(time(&[]), Some(DEFAULT_TIME));
        assert_eq!(time(&["--target", "500"]), Some(DEFAULT_TIME), "the target may be out of reach");
        assert_eq!(time(&["--target", "500", "--evaluations", "9"]), None);
        assert_eq!(time(&["--ascents", "1"]), None);
        assert_eq!(time(&["--ascents", "1", "--budget", "2s"]), Some(Duration::from_secs(2)));
    }
}
