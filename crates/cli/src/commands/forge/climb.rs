//! `clearway forge climb`: hard boards by small changes.

use super::shape::ShapeArgs;
use crate::algorithms::refuse_zero_limits;
use crate::args::{InputArgs, ReadingArgs, suite_names};
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::input::{Boards, Fallback};
use crate::json;
use crate::output::{Context, Sink};
use crate::progress::Bar;
use crate::quantity::{self, parse_time};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clearway_forge::Shape;
use clearway_forge::climb::{Budget, Climb, ClimbOptions, Fitness, Peak, Stop};
use clearway_rush::formats::{self, Format, Known, Puzzle};
use clearway_rush::{Board, Metric, Solver};
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

/// What is spent if nothing else is sure to end the climb.
const USUAL_TIME: Duration = Duration::from_secs(60);
/// How often the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(30);
/// The bytes that a state of a component takes at most.
const BYTES_PER_STATE: u64 = 256;

/// Climb to hard boards by small changes
///
/// Boards are changed a little at a time (vehicles are added, deleted, replaced, resized, moved and swapped), and those
/// that are harder are kept. An ascent begins with a population of boards; the weaker half is given up again and again,
/// the last one climbs until it is stuck, is kicked a few times, and another ascent begins. Several lanes of ascents go
/// on side by side. Prints the best boards, each from an ascent of its own, at their hardest states and without vehicles
/// that they do not need.
///
/// With --evaluations or --ascents the result is the same for any number of threads; with a limit on time it is
/// what was reached by then. The exit code is 5 if --target was not reached, or no solvable board was found.
///
/// --node-limit is that of --fitness id-nodes; --time-limit is refused: what a board is worth must not depend on time.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge climb --size 8 --budget 10m --seed 1
  clearway forge climb --size 8 --target 120 --budget 1h --resume climb.json
  clearway forge climb --size 6 --fitness steps --evaluations 20000 --count 5
  clearway forge climb --size 8 --from-suite cards      from smaller boards, wrapped
  clearway forge climb --size 8 --fitness id-nodes --node-limit 5000000")]
pub struct ClimbArgs {
    #[command(flatten)]
    shape: ShapeArgs,

    /// What makes a board better: moves or steps of its shortest solution, the depth of its component (how many moves
    /// away its farthest state is), or the nodes that iterative deepening needs (0 beyond --node-limit)
    #[arg(short, long, value_name = "NAME", value_parser = fitness_names(), default_value = "moves")]
    fitness: String,

    /// Where the randomness comes from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Stop after so long: 30s, 10m, 1h [default: 1m without --evaluations and --ascents]
    #[arg(short, long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,

    /// Stop after evaluating so many boards
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,

    /// Stop when a board is so good, or else when the budget is spent
    #[arg(short, long, value_name = "FITNESS")]
    target: Option<u64>,

    /// Stop after so many ascents of each lane
    #[arg(long, visible_alias = "restarts", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ascents: Option<u32>,

    /// Ascents that go on side by side; at most so many threads have work
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1024))]
    lanes: u16,

    /// The boards that an ascent begins with
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    population: u16,

    /// The evaluations of each of them before the weaker half is given up; doubles each time
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    round: u32,

    /// The last board of an ascent is stuck if it has not improved for so many evaluations
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    patience: u32,

    /// How often a stuck board is kicked in vain before its ascent ends
    #[arg(long, value_name = "N", default_value_t = 2)]
    kicks: u16,

    /// Do not consider boards with more states than this
    #[arg(long, value_name = "STATES", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    largest: u64,

    /// Begin with these boards instead of random ones; smaller ones are wrapped in a border of empty cells
    #[arg(long, value_name = "BOARD|FILE|-")]
    from: Vec<OsString>,

    /// Begin with the boards of an embedded suite
    #[arg(long, value_name = "NAME", value_parser = suite_names())]
    from_suite: Vec<String>,

    /// Keep the state in this file; if it exists, go on where it stops
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// How many boards to print
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
    /// What was climbed: `moves`, `steps`, `depth` or `id-nodes`.
    fitness: &'static str,
    /// How much of it the board has.
    value: u64,
    /// The number of vehicles.
    vehicles: usize,
    /// The seed, the lane and the ascent in it that found the board.
    seed: u64,
    lane: u64,
    ascent: u32,
}

fn fitness_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Fitness::ALL.iter().map(|fitness| fitness.word()))
}

/// Climbs.
pub fn run(args: &ClimbArgs, context: &Context) -> Outcome {
    refuse_zero_limits(context)?;
    if context.global.time_limit.is_some() {
        let message = "--time-limit has no meaning here: what a board is worth must not depend on time";
        return Err(Failure::usage(message, "use --budget for the time of the whole climb"));
    }
    let threads = context.threads().min(args.lanes.into());
    let options = options(args, context, threads)?;
    // A file that cannot be written is better known before the work than after it.
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
    // Once interrupted, the boards stay as they are: there is no time to strip them.
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

/// What ends the climb; a target alone might never be reached.
fn budget(args: &ClimbArgs, cancel: Arc<AtomicBool>) -> Budget {
    let is_unlimited = args.evaluations.is_none() && args.ascents.is_none();
    Budget {
        evaluations: args.evaluations,
        time: args.budget.or(is_unlimited.then_some(USUAL_TIME)),
        enough: args.target,
        cancel: Some(cancel),
    }
}

fn options(args: &ClimbArgs, context: &Context, threads: usize) -> Result<ClimbOptions, Failure> {
    let shape = args.shape.shape(8)?;
    let options = ClimbOptions {
        fitness: Fitness::from_word(&args.fitness).unwrap_or_default(),
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
        ..ClimbOptions::new(shape)
    };
    let memory = options.most_states().saturating_mul(BYTES_PER_STATE).saturating_mul(threads as u64);
    if memory > context.global.memory as u64 {
        return Err(Failure::usage(
            format!(
                "components of up to {} states on {} may need {} MB, more than --memory allows",
                quantity::count(options.most_states()),
                quantity::of(threads as u64, "thread"),
                quantity::count(memory >> 20)
            ),
            "lower --largest or --threads, or raise --memory",
        ));
    }
    Ok(options)
}

/// The boards to begin with, in the shape.
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

/// The file of --resume, which this process alone writes to.
struct StateFile {
    file: LockedFile,
    /// As it was given.
    path: PathBuf,
}

impl StateFile {
    fn open(path: &Path) -> Result<StateFile, Failure> {
        let file = LockedFile::open(path).map_err(|error| match error {
            LockError::InUse { .. } => Failure::bad_input(miette::miette!("{error}")),
            LockError::File { error, .. } => Failure::io(&format!("write {}", path.display()), &error),
        })?;
        Ok(StateFile { file, path: path.to_owned() })
    }

    /// The climb that it holds, or a new one if it is empty: the process that made it was killed before it saved anything.
    fn climb(&self, options: ClimbOptions) -> Result<Climb, Failure> {
        let mut text = String::new();
        let read = self.file.file().read_to_string(&mut text);
        read.map_err(|error| Failure::io(&format!("read {}", self.path.display()), &error))?;
        if text.is_empty() {
            return Ok(Climb::new(options));
        }
        Climb::resume(options, &text)
            .map_err(|error| Failure::bad_input(miette::miette!("cannot go on from {}: {error}", self.path.display())))
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

/// Runs, shows how far it is, and saves its state now and then.
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
                let note = format!("{best} {} after {after}", climb.options().fitness.word());
                bar.around_stderr(|| context.note(&note));
            }
        }
        if let Some(state) = state.as_mut().filter(|_| saved.elapsed() >= SAVE_EVERY) {
            // Told once and at once; whether the state is kept in the end depends on the last attempt.
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
        "{} in {}, {} done; {}",
        quantity::of(progress.evaluations - before, "board"),
        quantity::time(started.elapsed()),
        quantity::of(progress.ascents, "ascent"),
        match stop {
            Stop::Enough => "the target was reached",
            Stop::Finished => "all ascents were made",
            Stop::Evaluations => "as many boards as allowed were evaluated",
            Stop::Time => "the time is up",
            Stop::Cancelled => "interrupted",
        }
    ));
}

/// Writes the boards with their exact lengths; after Ctrl-C only with what is known already: there is no time for more.
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
                (Fitness::Moves, Metric::Moves) | (Fitness::Steps, Metric::Steps) => {
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
                fitness: climb.options().fitness.word(),
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
            moves: moves.map(Known::Exactly),
            steps: steps.map(Known::Exactly),
            ..Puzzle::new(peak.board.clone())
        };
        sink.put(&formats::write(&puzzle, Format::Tsv).map_err(Failure::bad_input)?)?;
    }
    sink.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    #[test]
    fn every_climb_comes_to_an_end() {
        let time = |given: &[&str]| {
            let command = ClimbArgs::augment_args(Command::new("climb").no_binary_name(true));
            let args = ClimbArgs::from_arg_matches(&command.get_matches_from(given)).unwrap();
            budget(&args, Arc::default()).time
        };
        assert_eq!(time(&[]), Some(USUAL_TIME));
        assert_eq!(time(&["--target", "500"]), Some(USUAL_TIME), "it may be out of reach");
        assert_eq!(time(&["--target", "500", "--evaluations", "9"]), None);
        assert_eq!(time(&["--ascents", "1"]), None);
        assert_eq!(time(&["--ascents", "1", "--budget", "2s"]), Some(Duration::from_secs(2)));
    }
}
