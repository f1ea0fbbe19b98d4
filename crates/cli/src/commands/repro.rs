//! `clearway repro`: reproduces published tables.

use crate::algorithms;
use crate::args::ReproArgs;
use crate::commands::{policy, runs};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::output::{self, Context};
use crate::progress::Bar;
use crate::quantity;
use clearway_lab::compare::NamedBoard;
use clearway_lab::repro::{self, EvolutionRuns, Experiment, Parts, ReproError, ReproSettings};
use clearway_rush::suites::Suite;
use clearway_util::lock::FolderLock;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A table, as `clearway repro --json` prints it.
#[derive(Serialize)]
struct TableRecord<'a> {
    /// Name of the experiment, as on the command line.
    experiment: &'a str,
    /// The title of the table.
    title: &'a str,
    /// The column headers.
    columns: &'a [String],
    /// One list per row, with a text for each column.
    rows: &'a [Vec<String>],
    /// The CSV file of the table.
    file: String,
}

/// The name of the log of finished parts.
const PARTS: &str = "parts.jsonl";

/// Runs one experiment or all.
pub fn run(args: &ReproArgs, context: &Context) -> CommandResult {
    algorithms::reject_zero_limits(context)?;
    let champion = args.policy.as_deref().map(policy::open).transpose()?;
    let folder = args.resume.clone().or_else(|| args.out.clone()).unwrap_or_else(new_folder);
    if args.resume.is_some() && !folder.join(PARTS).exists() {
        let help = "pass the folder of an interrupted run, or start a new run without --resume";
        let message = format!("{} does not exist", folder.join(PARTS).display());
        return Err(Failure::bad_input(message_with_help(message, help)));
    }
    let _lock = FolderLock::acquire(&folder).map_err(|error| Failure::bad_input(miette::miette!("{error}")))?;
    let parts = open_parts(&folder, args.resume.is_some(), context)?;
    let report = folder.join("report.html");
    // Fail before the work if the report cannot be written.
    drop(output::Sink::open(Some(&report), context)?);
    let puzzles = args.suite.iter().filter_map(|name| Suite::find(name)).flat_map(Suite::puzzles);
    let mut setting = ReproSettings {
        threads: context.threads(),
        cancel: context.interrupt.flag(),
        progress: Arc::new(|_, _| {}),
        parts,
        memory: context.global.memory,
        six_by_six: puzzles.map(|puzzle| NamedBoard { name: puzzle.name, board: puzzle.board }).collect(),
        champion,
        metric: args.metric,
        evolution_runs: EvolutionRuns { seeds: args.seeds, first: args.seed, generations: args.generations },
    };
    let experiments: Vec<&'static Experiment> =
        repro::ALL.iter().filter(|one| args.experiment == "all" || args.experiment == one.name).collect();
    let total: usize = experiments.iter().map(|experiment| experiment.parts(&setting)).sum();
    let bar = Arc::new(Bar::new("parts", context));
    let (mut before, mut sections) = (0, Vec::new());
    for experiment in &experiments {
        let shown = Arc::clone(&bar);
        setting.progress = Arc::new(move |done, _| shown.show(before + done, total));
        match run_one(experiment, &setting, &folder, &bar, context)? {
            Some(section) => sections.push(section),
            None => break,
        }
        before += experiment.parts(&setting);
    }
    if !sections.is_empty() {
        output::write_file(&report, &repro::report(&sections), context)?;
    }
    if sections.len() < experiments.len() {
        let missing = experiments[sections.len()..].iter().map(|one| one.name).collect::<Vec<_>>().join(", ");
        let kept = quantity::plural(setting.parts.count() as u64, "finished part");
        let resume = format!("clearway repro {} --resume {}", args.experiment, folder.display());
        bar.around_stderr(|| {
            context.note(&format!("interrupted; missing: {missing}; {kept} kept; resume with: {resume}"));
        });
        return Ok(ExitCode::Interrupted);
    }
    bar.around_stderr(|| context.note(&format!("the report is in {}", report.display())));
    Ok(ExitCode::Done)
}

/// Opens the log of a folder. Unless the run is resumed, creates the folder and starts a new log.
fn open_parts(folder: &Path, resume: bool, context: &Context) -> Result<Parts, Failure> {
    let log = folder.join(PARTS);
    if !resume {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::io(&format!("create {}", folder.display()), &error))?;
        if log.exists() {
            std::fs::remove_file(&log).map_err(|error| Failure::io(&format!("replace {}", log.display()), &error))?;
        }
    }
    let (parts, corrupt) = Parts::open(&log).map_err(|error| Failure::bad_input(miette::miette!("{error}")))?;
    if let Some(message) = corrupt.message("these parts are repeated") {
        context.note(&message);
    }
    if resume {
        let known = quantity::plural(parts.count() as u64, "finished part");
        context.note(&format!("{known} in {}", log.display()));
    }
    Ok(parts)
}

/// Runs an experiment, and writes and prints its tables. Returns `None` if it was interrupted.
fn run_one(
    experiment: &'static Experiment,
    setting: &ReproSettings,
    folder: &Path,
    bar: &Bar,
    context: &Context,
) -> Result<Option<repro::Section>, Failure> {
    let started = Instant::now();
    let section = match experiment.run(setting) {
        Ok(section) => section,
        Err(ReproError::Cancelled) => return Ok(None),
        Err(error) => return Err(Failure::bad_input(miette::miette!("{error}"))),
    };
    let files = section.files();
    for (name, text) in &files {
        output::write_file(&folder.join(name), text, context)?;
    }
    bar.around_stdout(|| print(experiment, &section, &files, folder, context))?;
    let note = format!("{} took {}\n", experiment.name, quantity::time(started.elapsed()));
    bar.around_stderr(|| context.note(&note));
    Ok(Some(section))
}

/// Prints the tables, as text or as JSON.
fn print(
    experiment: &Experiment,
    section: &repro::Section,
    files: &[(String, String)],
    folder: &Path,
    context: &Context,
) -> std::io::Result<()> {
    let mut out = context.stdout();
    if context.global.json {
        for (table, (file, _)) in section.tables.iter().zip(files) {
            let record = TableRecord {
                experiment: experiment.name,
                title: &table.title,
                columns: &table.columns,
                rows: &table.rows,
                file: folder.join(file).display().to_string(),
            };
            out.write_all(crate::json::line(&record).as_bytes())?;
        }
    } else {
        writeln!(out, "{}", section.to_text())?;
    }
    out.flush()
}

/// Returns a path that does not exist yet.
fn new_folder() -> PathBuf {
    runs::first_unused((1..).map(|number| format!("repro-{number}")))
}
