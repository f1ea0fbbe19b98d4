//! `clearway evolve`: evolves policies by genetic programming.

mod args;
mod search;
pub mod seeds;
mod settings;

pub use args::EvolveArgs;
#[cfg(feature = "parquet")]
pub use seeds::has_run;

use crate::algorithms::reject_zero_limits;
use crate::commands::runs::{self, LocalKind, new_folder, report_end, report_resumed, run_failure};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clearway_answers::records::{TestRecord, TrainingRecord};
use clearway_lab::evaluation::TestResult;
use clearway_lab::evolve::{
    BoardSets, CostEstimate, LoggedGeneration, PolicyChampion, PolicyRun, Run, RunContext, RunError, Settings, summary,
};
use clearway_lab::runs::Folder;
use clearway_policy::training::TrainingBoardError;
use clearway_search::Limits;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

const COMMAND: &str = "clearway evolve";

/// The result of a run, as `clearway evolve --json` prints it after the generations.
#[derive(Serialize)]
struct RunRecord<'a> {
    /// The folder of the run.
    folder: String,
    /// The file of the champion; null if no generation was completed.
    champion: Option<String>,
    /// The champion as text.
    policy: Option<String>,
    /// The number of generations.
    generations: usize,
    /// Whether the run was interrupted.
    interrupted: bool,
    /// The champion on all training boards.
    training: Option<TrainingRecord>,
    /// The champion on the validation boards, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<TrainingRecord>,
    /// The champion on the test boards, compared with other searches.
    tests: Vec<TestRecord<'a>>,
}

/// Evolves a policy.
pub fn run(args: &EvolveArgs, context: &Context) -> CommandResult {
    check_limits(context)?;
    if let Some(seeds) = &args.seeds {
        return seeds::run(args, seeds, context);
    }
    if let Some(folder) = args.resume.as_ref().filter(|folder| seeds::has_seeds(folder)) {
        return seeds::resume(args, folder, context);
    }
    let mut run = match start(args, context) {
        Err(Failure::Report(..)) if context.interrupt.is_raised() => return Ok(ExitCode::Interrupted),
        other => other?,
    };
    report_left_out(run.left_out(), context);
    runs::evolve(&mut run, context)?;
    finish(&run, context)
}

/// Rejects limits that do not apply to evolution.
pub fn check_limits(context: &Context) -> Result<(), Failure> {
    reject_zero_limits(context)?;
    if context.global.time_limit.is_some() {
        let message = "--time-limit is not supported by evolve: the fitness of a policy must not depend on time";
        return Err(Failure::usage(message, "use --budget for the time of the whole run"));
    }
    context.interrupt.extend_grace();
    Ok(())
}

/// Starts a new run, or resumes one.
fn start(args: &EvolveArgs, context: &Context) -> Result<Run, Failure> {
    if let Some(folder) = &args.resume {
        return resume(args, folder, context);
    }
    let (settings, board_sets) = settings_and_boards(args, context)?;
    let folder = args.out.clone().unwrap_or_else(|| new_folder("evolve", settings.seed()));
    start_new(&folder, settings, &board_sets, context)
}

/// Returns the settings and the boards that the arguments describe.
pub fn settings_and_boards(args: &EvolveArgs, context: &Context) -> Result<(Settings, BoardSets), Failure> {
    let (settings, board_sets) = settings::resolve(args, context)?;
    if !board_sets.alike.is_empty() {
        let count = quantity::plural(board_sets.alike.len() as u64, "board");
        let why = if settings.validation.is_empty() { "test boards" } else { "validation or test boards" };
        context.note(&format!("{count} left out because {why} are similar: {}", board_sets.alike.join(", ")));
    }
    Ok((settings, board_sets))
}

/// Resumes the run in a folder.
pub fn resume(args: &EvolveArgs, folder: &Path, context: &Context) -> Result<Run, Failure> {
    let change = |settings: &mut _| args.extend(settings);
    let resumed = with_run_context(context, |run_context| Run::resume(Folder::at(folder), change, run_context));
    let (run, fault) = resumed.map_err(|error| failure(&error, folder))?;
    report_resumed(&run, fault, context);
    Ok(run)
}

/// Starts a run in a folder.
pub fn start_new(folder: &Path, settings: Settings, board_sets: &BoardSets, context: &Context) -> Result<Run, Failure> {
    let started =
        with_run_context(context, |run_context| Run::begin(Folder::at(folder), settings, board_sets, run_context));
    let run = started.map_err(|error| failure(&error, folder))?;
    let boards = quantity::plural(run.training_boards() as u64, "board");
    context.note(&format!("evolving on {boards}; the run is saved in {}", folder.display()));
    report_cost(&run, context);
    Ok(run)
}

/// Reports how much a run on boards that are searched directly may cost.
fn report_cost(run: &Run, context: &Context) {
    let Some(CostEstimate { boards, prepared, memory, nodes, time }) = run.cost_estimate(context.threads()) else {
        return;
    };
    let rest = if prepared == 0 {
        String::new()
    } else {
        format!(", {} with all states prepared", quantity::plural(prepared as u64, "board"))
    };
    context.note(&format!(
        "{} searched directly{rest}; at most {} MB of memory, and {:.1}M nodes per generation, which take about {}",
        quantity::plural(boards as u64, "board"),
        memory.div_ceil(1_000_000),
        nodes as f64 / 1e6,
        quantity::time(time),
    ));
}

/// Calls a function with the resources of a run, and shows the progress of preparing the boards.
fn with_run_context<T>(context: &Context, work: impl FnOnce(&RunContext) -> T) -> T {
    let bar = Bar::new("boards prepared", context);
    work(&RunContext {
        threads: context.threads(),
        memory: context.global.memory,
        cancel: context.interrupt.flag(),
        progress: &|done, total| bar.show(done, total),
    })
}

/// Converts an error of a run into a message with advice.
pub fn failure(error: &RunError, folder: &Path) -> Failure {
    let restart = format!("{COMMAND} --config {}/config.toml", folder.display());
    run_failure(error, folder, COMMAND, &restart)
}

/// Reports the boards that cannot be used, grouped by reason.
pub fn report_left_out(left_out: &[(String, TrainingBoardError)], context: &Context) {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, why) in left_out {
        let why = why.to_string();
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    for (why, names) in reasons {
        let count = quantity::plural(names.len() as u64, "board");
        context.note(&format!("{count} left out, {why}: {}", names.join(", ")));
    }
}

impl LocalKind for PolicyRun {
    fn step(run: &mut Run, threads: usize) -> Result<Option<LoggedGeneration>, RunError> {
        Ok(run.step(threads)?.cloned())
    }

    fn status(run: &Run, line: &LoggedGeneration) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if let Some(best) = run.training_percent() {
            let _ = write!(text, "best {best:.2} %");
        }
        if let Some(test) = run.generations().iter().rev().find_map(|line| line.test_nodes_percent) {
            let _ = write!(text, ", test {test:.2} %");
        }
        let rate = line.generation.evaluations as f64 / line.generation.seconds.max(1e-9);
        let _ = write!(text, ", {:.1}M evaluations/s", rate / 1e6);
        text
    }

    fn write_best(run: &Run) -> Result<(), RunError> {
        run.best().map_or(Ok(()), |best| run.write(&best, &[]))
    }

    fn failure(error: &RunError, folder: &Path) -> Failure {
        failure(error, folder)
    }
}

/// Selects and tests the champion, and writes and prints the results.
pub fn finish(run: &Run, context: &Context) -> CommandResult {
    let folder = run.folder().path();
    // Selecting the champion takes time, so after an interrupt the best individual is used.
    let champion = if context.interrupt.is_raised() { run.best() } else { run.champion(context.threads()) };
    let Some(champion) = champion else {
        print_end(run, None, &[], context)?;
        return Ok(report_end(run, COMMAND, context));
    };
    let tests = if context.interrupt.is_raised() { Vec::new() } else { test(run, &champion, context) };
    run.write(&champion, &tests).map_err(|error| failure(&error, folder))?;
    print_end(run, Some(&champion), &tests, context)?;
    Ok(report_end(run, COMMAND, context))
}

/// Measures the champion on the test boards.
pub fn test(run: &Run, champion: &PolicyChampion, context: &Context) -> Vec<TestResult> {
    let limits =
        Limits { memory: Some(context.global.memory), cancel: Some(context.interrupt.flag()), ..Limits::default() };
    let bar = Bar::new("runs on test boards", context);
    run.test(champion, context.threads(), &limits, |progress| bar.show(progress.done, progress.total))
}

/// Prints the result of the run.
fn print_end(
    run: &Run,
    champion: Option<&PolicyChampion>,
    tests: &[TestResult],
    context: &Context,
) -> Result<(), Failure> {
    let mut out = context.stdout();
    if context.global.json {
        let record = RunRecord {
            folder: run.folder().path().display().to_string(),
            champion: champion.map(|_| run.champion_file().display().to_string()),
            policy: champion.map(|champion| champion.policy.to_string()),
            generations: run.generations().len(),
            interrupted: context.interrupt.is_raised(),
            training: champion.and_then(|champion| champion.training).map(TrainingRecord::from),
            validation: champion.and_then(|champion| champion.validation).map(TrainingRecord::from),
            tests: tests.iter().map(TestRecord::from).collect(),
        };
        out.write_all(json::line(&record).as_bytes())?;
    } else if let Some(champion) = champion {
        for tested in tests {
            writeln!(out, "{}", summary(tested).to_text())?;
        }
        write!(out, "{}", champion.policy)?;
    }
    out.flush()?;
    Ok(())
}
