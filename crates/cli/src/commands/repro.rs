//! `clearway repro`: published tables with our figures beside theirs.

use crate::algorithms;
use crate::args::ReproArgs;
use crate::commands::policy;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Context};
use crate::progress::Bar;
use crate::quantity;
use clearway_lab::compare::Entry;
use clearway_lab::repro::{self, Bred, Experiment, Setting};
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
    /// The experiment.
    experiment: &'a str,
    /// What the table shows.
    title: &'a str,
    /// The heads of its columns.
    columns: &'a [String],
    /// Its rows.
    rows: &'a [Vec<String>],
    /// The file that holds it.
    file: String,
}

/// Runs one experiment or all.
pub fn run(args: &ReproArgs, context: &Context) -> Outcome {
    algorithms::refuse_zero_limits(context)?;
    let champion = args.policy.as_deref().map(policy::open).transpose()?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => new_folder(),
    };
    let _lock = FolderLock::acquire(&folder).map_err(|error| Failure::bad_input(miette::miette!("{error}")))?;
    let report = folder.join("report.html");
    // A report that cannot be written is better known before the work than after it.
    drop(output::Sink::open(Some(&report), context)?);
    let puzzles = args.suite.iter().filter_map(|name| Suite::find(name)).flat_map(Suite::puzzles);
    let bar = Arc::new(Bar::new("runs", context));
    let shown = Arc::clone(&bar);
    let setting = Setting {
        threads: context.threads(),
        cancel: context.interrupt.flag(),
        progress: Arc::new(move |done, total| shown.show(done, total)),
        memory: context.global.memory,
        six_by_six: puzzles.map(|puzzle| Entry { name: puzzle.name, board: puzzle.board }).collect(),
        champion,
        bred: Bred { seeds: args.seeds, first: args.seed, generations: args.generations },
    };
    let mut sections = Vec::new();
    for experiment in repro::ALL.iter().filter(|one| args.experiment == "all" || args.experiment == one.name) {
        let section = run_one(experiment, &setting, &folder, &bar, context)?;
        if context.interrupt.is_raised() {
            return Ok(ExitCode::Interrupted);
        }
        sections.push(section);
    }
    output::write_file(&report, &repro::report(&sections), context)?;
    bar.around_stderr(|| context.note(&format!("the report is {}", report.display())));
    Ok(ExitCode::Done)
}

fn run_one(
    experiment: &'static Experiment,
    setting: &Setting,
    folder: &Path,
    bar: &Bar,
    context: &Context,
) -> Result<repro::Section, Failure> {
    let started = Instant::now();
    let section = experiment.run(setting);
    if context.interrupt.is_raised() {
        return Ok(section);
    }
    let files = section.files();
    for (name, text) in &files {
        output::write_file(&folder.join(name), text, context)?;
    }
    bar.around_stdout(|| print(experiment, &section, &files, folder, context))?;
    let note = format!("{} took {}\n", experiment.name, quantity::time(started.elapsed()));
    bar.around_stderr(|| context.note(&note));
    Ok(section)
}

/// The tables, for people or as JSON.
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

/// A name that no file has yet.
fn new_folder() -> PathBuf {
    let mut number = 1;
    loop {
        let path = PathBuf::from(format!("repro-{number}"));
        if !path.exists() {
            return path;
        }
        number += 1;
    }
}
