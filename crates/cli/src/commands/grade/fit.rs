//! `clearway grade --fit`: fits the model of the time to results exported from the page.

use super::model::read_file;
use crate::args::GlobalArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::{Context, Sink};
use crate::panics::Panic;
use crate::pipeline::{self, ResultConsumer, Titled};
use crate::progress::Bar;
use crate::quantity::plural;
use crate::searcher::SharedLimits;
use clearway_forge::grade::{Grade, Grader, TimeModel};
use clearway_lab::solving_times::{self, FitReport, MAX_RESULTS_BYTES, Measures, SolvingTimes};
use clearway_rush::{Board, formats};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit of a board, unless another one is given: results may name boards that nobody can grade.
const BOARD_TIME: Duration = Duration::from_secs(60);

/// Fits a model to the results of files.
pub fn run(files: &[PathBuf], out: Option<&Path>, context: &Context) -> CommandResult {
    let (mut times, mut with_help, mut unmeasured) = (SolvingTimes::default(), 0, 0);
    for path in files {
        let results = solving_times::read_results(&read_file(path, MAX_RESULTS_BYTES)?)
            .map_err(|error| Failure::bad_input(miette::miette!("{}: {error}", path.display())))?;
        with_help += results.with_help;
        unmeasured += results.unmeasured;
        times.add(results);
    }
    let measures = measure(times.boards(), context)?;
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    let report = solving_times::fit(&times, |board| measures.get(&formats::line(board)).copied());
    let left_out = [(with_help, "with help"), (unmeasured, "without a measured time")];
    let left_out: Vec<String> =
        left_out.into_iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
    if !left_out.is_empty() {
        context.note(&format!("first games left out: {}", left_out.join(", ")));
    }
    let report = report.map_err(|error| Failure::bad_input(miette::miette!("{error}")))?;
    if let Some(path) = out {
        let mut file = Sink::open(Some(path), context)?;
        file.put(&json::line(&report.to_json()))?;
        file.finish()?;
    }
    let mut stdout = context.stdout();
    let text = if context.global.json { json::line(&report.to_json()) } else { table(&report) };
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(ExitCode::Done)
}

/// Formats the report.
fn table(report: &FitReport) -> String {
    let FitReport { times, boards, players, unused, model, errors, .. } = report;
    let [times, boards, players] =
        [(times, "time"), (boards, "board"), (players, "player")].map(|(count, noun)| plural(*count as u64, noun));
    let unused = if *unused > 0 { format!("; {unused} more not used") } else { String::new() };
    let mut text = format!("{times} of {players} on {boards}{unused}\n\n");
    text += "model                            constant   moves   depth  vehicles   error\n";
    let default = TimeModel::default();
    let row = |name: &str, model: &TimeModel, error: f64| {
        let TimeModel { constant, moves, depth, vehicles, .. } = model;
        format!("{name:<31}  {constant:>8.3}  {moves:>6.3}  {depth:>6.3}  {vehicles:>8.3}  {error:>6.2}\n")
    };
    text += &row("built-in", &default, errors.default);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:<67}  {:>6.2}", "built-in, with the speed of each player", errors.default_with_speeds);
    text += &row("fitted, with these speeds", model, errors.fitted);
    let known = model.range;
    let _ = write!(
        text,
        "\nThe error is the mean factor between predicted and measured times of boards that were left out of the fit.\n\
         Known boards: {} to {} moves, depths of {} to {}, {:.1} to {:.1} vehicles moved.\n",
        known.moves[0], known.moves[1], known.depth[0], known.depth[1], known.vehicles[0], known.vehicles[1],
    );
    text += if errors.fitted < errors.default_with_speeds {
        "The fitted model predicts these players better than the built-in one.\n"
    } else {
        "The fitted exponents predict these players no better than the built-in ones: more times are needed.\n"
    };
    text
}

/// A board with its number for messages.
struct Numbered(usize, Board);

impl Titled for Numbered {
    fn title(&self) -> String {
        format!("board {}", self.0)
    }
}

/// Measures boards, on several threads. Boards that a limit ended are missing.
fn measure(boards: Vec<Board>, context: &Context) -> Result<HashMap<String, Measures>, Failure> {
    let time_limit = Some(context.global.time_limit.unwrap_or(BOARD_TIME));
    let global = GlobalArgs { time_limit, ..context.global.clone() };
    let limited = Context { global, interrupt: context.interrupt.clone(), listener: context.listener.clone() };
    let threads = context.threads().min(boards.len()).max(1);
    let limits = SharedLimits::new(threads, &limited);
    let grader = Grader::new().without_machine().without_removable();
    let mut measured =
        Measured { bar: Bar::new("boards", context), boards: boards.len(), done: 0, measures: HashMap::new() };
    let make_worker = move || {
        let mut searcher = limits.searcher();
        move |Numbered(_, board): Numbered| {
            let measures = measures(&searcher.grade(&board, &grader).grade);
            (formats::line(&board), measures)
        }
    };
    let source = (1..).zip(boards).map(|(number, board)| Numbered(number, board));
    pipeline::run(source, threads, make_worker, &context.interrupt, &mut measured)?;
    Ok(measured.measures)
}

/// Returns the measures that the time depends on, if a shortest solution is known.
fn measures(grade: &Grade) -> Option<Measures> {
    Some(Measures { moves: grade.moves?, depth_and_vehicles: grade.depth.zip(grade.vehicles_moved) })
}

/// Collects measures.
struct Measured {
    bar: Bar,
    boards: usize,
    done: usize,
    measures: HashMap<String, Measures>,
}

impl ResultConsumer<(String, Option<Measures>)> for Measured {
    type Error = Failure;

    fn take(&mut self, (board, measures): (String, Option<Measures>)) -> Result<(), Failure> {
        self.done += 1;
        self.bar.show(self.done, self.boards);
        if let Some(measures) = measures {
            self.measures.insert(board, measures);
        }
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        Err(Failure::Report(ExitCode::Internal, panic.report()))
    }

    fn idle(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}
