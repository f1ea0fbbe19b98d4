//! `clearway runs`: reports on runs with several seeds, and comparisons of settings.

use crate::commands::evolve::failure;
use crate::commands::evolve::seeds::{print_statistics, write_report};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::table_files::TableFiles;
use clap::{Args, Subcommand};
use clearway_lab::evolve::seeds::{
    SeedsFolder, SeedsReport, Setting, compare_settings, comparison_html, comparison_table,
};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Report on runs of evolution with several seeds, and compare settings
#[derive(Debug, Args)]
pub struct RunsArgs {
    /// Command
    #[command(subcommand)]
    pub command: RunsCommand,
}

/// The commands for runs with several seeds.
#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    Report(ReportArgs),
    Compare(RunsCompareArgs),
}

/// Print and write the statistics of a folder of clearway evolve --seeds
///
/// Writes report.html, champions.csv, statistics.csv and statistics.tex into the folder, as clearway evolve --seeds does at its
/// end. Runs that are not finished only contribute their generations.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway runs report ten
  clearway runs report ten --json   one object per measure")]
pub struct ReportArgs {
    /// Folder of the runs
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// Compare settings of evolution by the champions of several seeds each
///
/// Each folder is one of clearway evolve --seeds (or of a cluster job with --seeds) and stands for a setting. For each pair of
/// settings and each measure of their champions, prints the medians, the Mann-Whitney U test with the effect size A12 (the
/// probability that a champion of the first setting has a higher value), and the p-value adjusted for all tests by Holm's
/// method.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway runs compare short long
  clearway runs compare short long longer --html compare.html --latex compare.tex
  clearway runs compare short long --json   one object per comparison")]
pub struct RunsCompareArgs {
    /// Two or more folders
    #[arg(value_name = "FOLDER", required = true, num_args = 2..)]
    pub folders: Vec<PathBuf>,

    #[command(flatten)]
    pub files: TableFiles,
}

/// Runs the command.
pub fn run(args: &RunsArgs, context: &Context) -> CommandResult {
    match &args.command {
        RunsCommand::Report(args) => report(args, context),
        RunsCommand::Compare(args) => compare(args, context),
    }
}

/// Prints the statistics of a folder and writes its report.
fn report(args: &ReportArgs, context: &Context) -> CommandResult {
    let folder = SeedsFolder::at(&args.folder);
    if folder.seeds().is_empty() {
        return Err(no_seeds(&args.folder));
    }
    let _lock = folder.lock().map_err(|error| failure(&error.into(), &args.folder))?;
    let report = SeedsReport::read(&folder).map_err(|error| failure(&error.into(), &args.folder))?;
    write_report(&folder, &report)?;
    let mut out = context.stdout();
    if context.global.json {
        for one in &report.statistics() {
            out.write_all(json::line(one).as_bytes())?;
        }
    } else {
        print_statistics(&report, &mut out, context)?;
    }
    out.flush()?;
    context.note(&format!("the report is in {}", args.folder.join("report.html").display()));
    Ok(ExitCode::Done)
}

/// Compares settings.
fn compare(args: &RunsCompareArgs, context: &Context) -> CommandResult {
    args.files.check(context)?;
    let mut settings = Vec::new();
    for path in &args.folders {
        let setting = Setting::read(&SeedsFolder::at(path));
        if setting.results.is_empty() {
            return Err(no_seeds(path));
        }
        settings.push(setting);
    }
    let comparisons = compare_settings(&settings);
    if comparisons.is_empty() {
        let help = "compare runs that were tested on the same boards";
        return Err(Failure::bad_input(message_with_help("the settings have no measure in common", help)));
    }
    let table = comparison_table(&comparisons);
    let html = || comparison_html(&settings, &comparisons);
    args.files.write(|| table.to_csv(), || table.to_latex(), html, context)?;
    let mut out = context.stdout();
    if context.global.json {
        for one in &comparisons {
            out.write_all(json::line(one).as_bytes())?;
        }
    } else {
        write!(out, "{}", table.to_text())?;
    }
    out.flush()?;
    Ok(ExitCode::Done)
}

fn no_seeds(path: &Path) -> Failure {
    let message = format!("{} holds no finished runs of several seeds", path.display());
    Failure::bad_input(message_with_help(message, "pass a folder of clearway evolve --seeds"))
}
