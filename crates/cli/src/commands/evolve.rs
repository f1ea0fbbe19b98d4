//! `clearway evolve`: policies bred by genetic programming.

mod args;
mod search;
mod settings;

pub use args::EvolveArgs;

use crate::algorithms::refuse_zero_limits;
use crate::commands::runs::{Generations, RESTORED, breed, folder_failure, new_folder};
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clearway_gp::{CheckpointError, EvolutionError};
use clearway_lab::evolve::{Champion, LoggedGeneration, Material, Means, Run, RunError, Settings, summary};
use clearway_lab::frames::Tested;
use clearway_lab::records::{TestRecord, TrainingRecord};
use clearway_lab::runs::{Fewer, Folder};
use clearway_policy::training::LeftOut;
use clearway_search::Limits;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// The end of a run, as `clearway evolve --json` prints it behind the generations.
#[derive(Serialize)]
struct EndRecord<'a> {
    /// The folder of the run.
    folder: String,
    /// The file with the champion; null if no generation was complete.
    champion: Option<String>,
    /// The champion as text.
    policy: Option<String>,
    /// The generations that the run has made.
    generations: usize,
    /// Whether it was interrupted.
    interrupted: bool,
    /// The champion on all training boards.
    training: Option<TrainingRecord>,
    /// The champion on the boards that it was chosen on, if those are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<TrainingRecord>,
    /// The champion on the test boards, beside other searches.
    tests: Vec<TestRecord<'a>>,
}

/// Breeds.
pub fn run(args: &EvolveArgs, context: &Context) -> Outcome {
    check(context)?;
    let mut run = match start(args, context) {
        Err(Failure::Report(..)) if context.interrupt.is_raised() => return Ok(ExitCode::Interrupted),
        other => other?,
    };
    tell_left_out(run.left_out(), context);
    breed(&mut run, context)?;
    finish(&run, context)
}

/// Refuses limits that make no sense.
pub fn check(context: &Context) -> Result<(), Failure> {
    refuse_zero_limits(context)?;
    if context.global.time_limit.is_some() {
        let message = "--time-limit has no meaning here: what a policy is worth must not depend on time";
        return Err(Failure::usage(message, "use --budget for the time of the whole run"));
    }
    context.interrupt.ends_by_itself();
    Ok(())
}

/// Begins a run, or goes on with one.
fn start(args: &EvolveArgs, context: &Context) -> Result<Run, Failure> {
    if let Some(folder) = &args.resume {
        return resume(args, folder, context);
    }
    let (settings, material) = asked(args, context)?;
    let folder = args.out.clone().unwrap_or_else(|| new_folder("evolve", settings.seed()));
    begin(&folder, settings, material, context)
}

/// The settings and the boards that are asked for.
pub fn asked(args: &EvolveArgs, context: &Context) -> Result<(Settings, Material), Failure> {
    let (settings, material) = settings::of(args, context)?;
    if !material.alike.is_empty() {
        let count = quantity::of(material.alike.len() as u64, "board");
        let why = if settings.validation.is_empty() { "test boards" } else { "boards to choose on or to test with" };
        context.note(&format!("{count} left out because {why} are like them: {}", material.alike.join(", ")));
    }
    Ok((settings, material))
}

/// Goes on with the run in a folder.
pub fn resume(args: &EvolveArgs, folder: &Path, context: &Context) -> Result<Run, Failure> {
    let more = |settings: &mut _| args.extend(settings);
    let resumed = with_means(context, |means| Run::resume(Folder::at(folder), more, means));
    let (run, fault) = resumed.map_err(|error| failure(&error, folder))?;
    if let Some(fault) = fault {
        context.warn(&format!("{fault}; the one before it is used"));
    }
    context.warn_corrupt(run.corrupt_log_lines(), RESTORED);
    let made = quantity::of(run.generations().len() as u64, "generation");
    context.note(&format!("the run in {} goes on after {made}", folder.display()));
    Ok(run)
}

/// Begins a run in a folder.
pub fn begin(folder: &Path, settings: Settings, material: Material, context: &Context) -> Result<Run, Failure> {
    let begun = with_means(context, |means| Run::begin(Folder::at(folder), settings, material, means));
    let run = begun.map_err(|error| failure(&error, folder))?;
    let boards = quantity::of(run.training_boards() as u64, "board");
    context.note(&format!("breeding on {boards}; the run is kept in {}", folder.display()));
    Ok(run)
}

/// Does something with what the run has to work with.
fn with_means<T>(context: &Context, work: impl FnOnce(&Means) -> T) -> T {
    let bar = Bar::new("boards made ready", context);
    work(&Means {
        threads: context.threads(),
        memory: context.global.memory,
        cancel: context.interrupt.flag(),
        progress: &|done, total| bar.show(done, total),
    })
}

/// What a person is told about a run that cannot begin or go on.
pub fn failure(error: &RunError, folder: &Path) -> Failure {
    let anew = format!("clearway evolve --config {}/config.toml", folder.display());
    let help = match error {
        RunError::Folder(error) => return folder_failure(error, folder, "clearway evolve", &anew),
        RunError::Nothing(_) | RunError::NothingToChooseOn(_) => {
            "such boards have a solution, few enough states and a short enough search without a heuristic".to_owned()
        }
        RunError::Memory(_) => "raise --memory, or give fewer or smaller boards".to_owned(),
        RunError::Senseless(_) | RunError::Evolution(EvolutionError::Options(_) | EvolutionError::Layout(_)) => {
            return Failure::usage(error.to_string(), "clearway evolve --help tells the options");
        }
        RunError::Fewer(Fewer { made, .. }) => {
            return Failure::usage(error.to_string(), format!("give --generations {made} or more, or leave it out"));
        }
        RunError::Checkpoint(CheckpointError::Io { .. }) => "make room, or give another --out".to_owned(),
        RunError::Checkpoint(_) | RunError::Evolution(_) | RunError::Changed(_) => {
            format!("begin anew: {anew}")
        }
        RunError::Boards(_) | RunError::Cancelled => {
            return Failure::bad_input(miette::miette!("{error}"));
        }
    };
    let code = if matches!(error, RunError::Memory(_)) { ExitCode::Limit } else { ExitCode::BadInput };
    Failure::Report(code, message_with_help(error.to_string(), help))
}

/// Names the boards that cannot be used, by the reason.
pub fn tell_left_out(left_out: &[(String, LeftOut)], context: &Context) {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, why) in left_out {
        let why = why.to_string();
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    for (why, names) in reasons {
        let count = quantity::of(names.len() as u64, "board");
        context.note(&format!("{count} left out, {why}: {}", names.join(", ")));
    }
}

impl Generations for Run {
    type Line = LoggedGeneration;

    fn is_done(&self) -> bool {
        Run::is_done(self)
    }

    fn next(&mut self, threads: usize) -> Result<Option<LoggedGeneration>, Failure> {
        let folder = self.folder().path().to_owned();
        self.step(threads).map(Option::<&_>::cloned).map_err(|error| failure(&error, &folder))
    }

    fn count(&self) -> (usize, usize) {
        (self.generations().len(), self.expected_generations() as usize)
    }

    fn state(&self, line: &LoggedGeneration) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if let Some(best) = self.training_percent() {
            let _ = write!(text, "best {best:.2} %");
        }
        if let Some(test) = self.generations().iter().rev().find_map(|line| line.test_nodes_percent) {
            let _ = write!(text, ", test {test:.2} %");
        }
        let rate = line.generation.evaluations as f64 / line.generation.seconds.max(1e-9);
        let _ = write!(text, ", {:.1}M evaluations/s", rate / 1e6);
        text
    }

    fn write_so_far(&self) -> Result<(), Failure> {
        let Some(best) = self.best() else { return Ok(()) };
        self.write(&best, &[]).map_err(|error| failure(&error, self.folder().path()))
    }
}

/// Finds the champion, tests it, and writes and prints all.
pub fn finish(run: &Run, context: &Context) -> Outcome {
    let folder = run.folder().path();
    // Who interrupts does not want to wait until the best of all is found.
    let champion = if context.interrupt.is_raised() { run.best() } else { run.champion(context.threads()) };
    let Some(champion) = champion else {
        context.note(&format!("interrupted before the first generation was complete; {}", how_to_go_on(folder)));
        print_end(run, None, &[], context)?;
        return Ok(ExitCode::Interrupted);
    };
    let tests = if context.interrupt.is_raised() { Vec::new() } else { test(run, &champion, context) };
    run.write(&champion, &tests).map_err(|error| failure(&error, folder))?;
    print_end(run, Some(&champion), &tests, context)?;
    if context.interrupt.is_raised() {
        let made = quantity::of(run.generations().len() as u64, "generation");
        context.note(&format!("interrupted after {made}; {}", how_to_go_on(folder)));
        return Ok(ExitCode::Interrupted);
    }
    context.note(&format!(
        "{} in {}; the champion is {}, the report {}",
        quantity::of(run.generations().len() as u64, "generation"),
        quantity::time(Duration::from_secs_f64(run.seconds())),
        run.champion_file().display(),
        run.folder().report().display()
    ));
    Ok(ExitCode::Done)
}

fn how_to_go_on(folder: &Path) -> String {
    format!("clearway evolve --resume {} goes on", folder.display())
}

/// Measures the champion on the test boards.
pub fn test(run: &Run, champion: &Champion, context: &Context) -> Vec<Tested> {
    let limits =
        Limits { memory: Some(context.global.memory), cancel: Some(context.interrupt.flag()), ..Limits::default() };
    let bar = Bar::new("runs on test boards", context);
    run.test(champion, context.threads(), &limits, |progress| bar.show(progress.done, progress.total))
}

/// Prints what the run came to.
fn print_end(run: &Run, champion: Option<&Champion>, tests: &[Tested], context: &Context) -> Result<(), Failure> {
    let mut out = context.stdout();
    if context.global.json {
        let record = EndRecord {
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
