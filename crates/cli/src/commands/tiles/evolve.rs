//! `clearway tiles evolve`: evolves programs that solve sliding-tile boards.

use super::parse_size;
use crate::commands::runs::{self, LocalKind, new_folder, report_end, report_resumed, run_failure, set, value_name};
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::Context;
use crate::quantity::parse_time;
use clap::Args;
use clearway_lab::runs::{Folder, Preset, with_option, with_options};
use clearway_lab::tiles::{
    LoggedProgramGeneration, ProgramChampion, ProgramEvolution, ProgramRun, ProgramSettings, ProgramTestResult,
    RunError, TrainingResult, summary,
};
use clearway_tiles::Size;
use clearway_tiles::evolve::Experiment;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const COMMAND: &str = "clearway tiles evolve";

/// The default board size.
const DEFAULT_SIZE: Size = Size::new(3, 3).expect("3x3 is a valid size");

/// Evolve a program that solves sliding-tile boards, and measure it on test boards
///
/// A program is a tree of moves: `if` executes whichever of its two parts leaves the board with the lower measure, and `and`
/// executes both parts in sequence. With --preset default, the measure is evolved too, and programs learn macros where they
/// get stuck. --preset paper repeats the experiments of Barnes, Hasan and Lee.
///
/// The run is saved in a folder: its settings (config.toml), a line per generation (log.jsonl), checkpoints, the champion
/// (champion.program) and a report (report.html). It can be interrupted at any time; with --resume it continues to the same
/// champion as without the interruption.
///
/// Prints the champion and its results on 1,000 random boards that were not used for selection, and for sizes of at most
/// nine cells on all boards, compared with the shortest solutions. Use the champion with tiles solve --program.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway tiles evolve                                a program for 3x3 boards
  clearway tiles evolve --size 4x4 --seed 3 --budget 20m
  clearway tiles evolve --preset paper --experiment b  an experiment of Barnes, Hasan and Lee
  clearway tiles evolve --resume tiles-evolve-0        resume an interrupted run")]
pub struct TilesEvolveArgs {
    /// Default settings: default, which gives better programs, or paper, the settings of Barnes, Hasan and Lee
    #[arg(short, long, value_name = "NAME")]
    preset: Option<Preset>,

    /// Experiment of the paper, with --preset paper [default: d]
    #[arg(long, value_name = "LETTER")]
    experiment: Option<Experiment>,

    /// Board size, from 2x2 to 5x5; 3x3 in the paper [default: 3x3]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<Size>,

    /// Random seed [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Number of generations
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,

    /// Number of programs per generation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    population: Option<u32>,

    /// Maximum run time: 90s, 3m, 1h
    #[arg(short, long, value_name = "TIME", value_parser = parse_budget)]
    budget: Option<TimeBudgetArg>,

    /// Folder of the run, which must be empty or new [default: tiles-evolve-SEED]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Resume the run in this folder; only --generations and --budget can be changed
    #[arg(long, value_name = "DIR", conflicts_with_all = ["preset", "experiment", "size", "seed", "population", "out"])]
    resume: Option<PathBuf>,
}

/// A time budget, and its text on the command line.
#[derive(Clone, Debug, PartialEq)]
struct TimeBudgetArg {
    text: String,
    time: Duration,
}

fn parse_budget(text: &str) -> Result<TimeBudgetArg, String> {
    Ok(TimeBudgetArg { text: text.to_owned(), time: parse_time(text)? })
}

impl TilesEvolveArgs {
    /// Returns the settings that the options describe.
    fn settings(&self) -> Result<ProgramSettings, Failure> {
        let mut settings = match (self.preset, self.experiment, self.size) {
            (Some(Preset::Paper), _, Some(_)) => {
                let help = "omit --size, or use --preset default";
                return Err(Failure::usage("--size cannot be used with --preset paper, whose boards are 3x3", help));
            }
            (Some(Preset::Paper), experiment, None) => ProgramSettings::paper(experiment.unwrap_or(Experiment::D)),
            (_, Some(_), _) => {
                return Err(Failure::usage("--experiment requires --preset paper", "add --preset paper"));
            }
            (_, None, size) => ProgramSettings::learning(size.unwrap_or(DEFAULT_SIZE)),
        };
        set(&mut settings.breeding.evolution.seed, self.seed);
        if let Some(population) = self.population {
            settings.set_population(population);
        }
        settings.command = self.command();
        self.extend(&mut settings);
        Ok(settings)
    }

    /// Applies the options that can be changed when a run is resumed.
    fn extend(&self, settings: &mut ProgramSettings) {
        set(&mut settings.breeding.generations, self.generations);
        if let Some(budget) = &self.budget {
            settings.budget = Some(budget.time.as_secs_f64());
        }
        let generations = self.generations.map(|generations| generations.to_string());
        let budget = self.budget.as_ref().map(|budget| budget.text.clone());
        for (name, value) in [("generations", generations), ("budget", budget)] {
            if let Some(value) = value {
                settings.command = with_option(&settings.command, name, &value);
            }
        }
    }

    /// Returns the command line, without the options that do not affect the result: folder, threads and output.
    fn command(&self) -> String {
        let given = [
            ("preset", self.preset.as_ref().map(value_name)),
            ("experiment", self.experiment.as_ref().map(value_name)),
            ("size", self.size.map(|size| size.to_string())),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("population", self.population.map(|population| population.to_string())),
        ];
        with_options(COMMAND, given.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }
}

/// The result of a run, as `clearway tiles evolve --json` prints it after the generations.
#[derive(Serialize)]
struct TilesRunRecord<'a> {
    /// The folder of the run.
    folder: String,
    /// The file of the champion; null if no generation was completed.
    champion: Option<String>,
    /// The champion as text.
    program: Option<String>,
    /// The number of generations.
    generations: usize,
    /// Whether the run was interrupted.
    interrupted: bool,
    /// The remaining measure of the training boards after the champion; null if the training boards changed during the run.
    training: Option<TrainingResult>,
    /// The champion on 1,000 boards, and on all boards of small sizes.
    tests: &'a [ProgramTestResult],
}

/// Evolves a program.
pub fn run(args: &TilesEvolveArgs, context: &Context) -> CommandResult {
    if context.global.time_limit.is_some() || context.global.node_limit.is_some() {
        let message = "--time-limit and --node-limit are not supported by tiles evolve: the fitness of a program must not depend \
                       on them";
        return Err(Failure::usage(message, "use --budget for the time of the whole run"));
    }
    context.interrupt.extend_grace();
    let mut run = start(args, context)?;
    runs::evolve(&mut run, context)?;
    finish(&run, context)
}

/// Starts a new run, or resumes one.
fn start(args: &TilesEvolveArgs, context: &Context) -> Result<ProgramEvolution, Failure> {
    let cancel = context.interrupt.flag();
    if let Some(folder) = &args.resume {
        let resumed = ProgramEvolution::resume(Folder::at(folder), |settings| args.extend(settings), cancel);
        let (run, fault) = resumed.map_err(|error| ProgramRun::failure(&error, folder))?;
        report_resumed(&run, fault, context);
        return Ok(run);
    }
    let settings = args.settings()?;
    let folder = args.out.clone().unwrap_or_else(|| new_folder("tiles-evolve", settings.seed()));
    let run = ProgramEvolution::begin(Folder::at(&folder), settings, cancel)
        .map_err(|error| ProgramRun::failure(&error, &folder))?;
    let config = &run.settings().breeding;
    let (boards, columns, rows) = (config.boards, config.columns, config.rows);
    context.note(&format!("evolving on {boards} boards of {columns}x{rows}; the run is saved in {}", folder.display()));
    Ok(run)
}

impl LocalKind for ProgramRun {
    fn step(run: &mut ProgramEvolution, threads: usize) -> Result<Option<LoggedProgramGeneration>, RunError> {
        Ok(run.step(threads)?.cloned())
    }

    fn status(_: &ProgramEvolution, line: &LoggedProgramGeneration) -> String {
        let solved = match (line.solved, line.boards) {
            (Some(solved), Some(boards)) => format!(", {solved} of {boards} boards solved"),
            _ => String::new(),
        };
        format!("best score {:.2}{solved}", line.generation.best)
    }

    fn write_best(run: &ProgramEvolution) -> Result<(), RunError> {
        run.best().map_or(Ok(()), |best| run.write(&best, &[]))
    }

    fn failure(error: &RunError, folder: &Path) -> Failure {
        run_failure(error, folder, COMMAND, &format!("the command is in {}/config.toml", folder.display()))
    }
}

/// Selects and tests the champion, and writes and prints the results.
fn finish(run: &ProgramEvolution, context: &Context) -> CommandResult {
    let folder = run.folder().path();
    // After an interrupt there may be no champion; the best individual is used instead.
    let Some(champion) = run.champion(context.threads()).or_else(|| run.best()) else {
        print_end(run, None, &[], context)?;
        return Ok(report_end(run, COMMAND, context));
    };
    let tests = run.test(&champion, context.threads());
    run.write(&champion, &tests).map_err(|error| ProgramRun::failure(&error, folder))?;
    print_end(run, Some(&champion), &tests, context)?;
    Ok(report_end(run, COMMAND, context))
}

/// Prints the result of the run.
fn print_end(
    run: &ProgramEvolution,
    champion: Option<&ProgramChampion>,
    tests: &[ProgramTestResult],
    context: &Context,
) -> Result<(), Failure> {
    let mut out = context.stdout();
    if context.global.json {
        let record = TilesRunRecord {
            folder: run.folder().path().display().to_string(),
            champion: champion.map(|_| run.champion_file().display().to_string()),
            program: champion.map(|champion| champion.program.to_string()),
            generations: run.generations().len(),
            interrupted: context.interrupt.is_raised(),
            training: champion.and_then(|champion| champion.training),
            tests,
        };
        out.write_all(json::line(&record).as_bytes())?;
    } else if let Some(champion) = champion {
        if let Some(training) = &champion.training {
            writeln!(out, "{training}\n")?;
        }
        if !tests.is_empty() {
            writeln!(out, "{}", summary(tests).to_text())?;
        }
        write!(out, "{}", champion.program)?;
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    fn args(given: &[&str]) -> TilesEvolveArgs {
        let command = TilesEvolveArgs::augment_args(Command::new("evolve").no_binary_name(true));
        TilesEvolveArgs::from_arg_matches(&command.get_matches_from(given)).unwrap()
    }

    #[test]
    fn the_command_has_the_options_that_affect_the_result() {
        let command = |given: &[&str]| args(given).settings().unwrap().command;
        assert_eq!(command(&[]), COMMAND);
        let given = ["--out", "there", "--budget", "5m", "--population", "9", "--seed", "7", "--size", "4x3"];
        assert_eq!(command(&given), "clearway tiles evolve --size 4x3 --seed 7 --population 9 --budget 5m");
        let paper = ["--preset", "paper", "--experiment", "b", "--generations", "3"];
        assert_eq!(command(&paper), "clearway tiles evolve --preset paper --experiment b --generations 3");
    }

    #[test]
    fn options_are_applied_to_the_settings() {
        let settings = args(&["--size", "4x3", "--generations", "9", "--budget", "90s"]).settings().unwrap();
        let config = &settings.breeding;
        assert_eq!((config.columns, config.rows, config.generations, settings.budget), (4, 3, 9, Some(90.0)));
        let paper = args(&["--preset", "paper"]).settings().unwrap();
        assert_eq!((paper.experiment, paper.breeding.evolution.population), (Some(Experiment::D), 500));
    }
}
