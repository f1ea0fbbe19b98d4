//! `clearway tiles evolve`: programs that solve boards, bred by genetic programming.

use super::parse_size;
use crate::commands::runs::{Generations, RESTORED, breed, folder_failure, new_folder, set};
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::json;
use crate::output::Context;
use crate::quantity::{self, parse_time};
use clap::{Args, ValueEnum};
use clearway_gp::{CheckpointError, EvolutionError};
use clearway_lab::runs::{Fewer, Folder, with_option, with_options};
use clearway_lab::tiles::{Champion, Examined, Left, LoggedGeneration, Run, RunError, Settings, summary};
use clearway_tiles::Size;
use clearway_tiles::evolve::Experiment;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const COMMAND: &str = "clearway tiles evolve";

/// The size of the boards if none is given.
const USUAL_SIZE: Size = Size::new(3, 3).expect("a square of three is a frame");

/// Breed a program that solves boards of tiles, and show on others how well it does
///
/// A program is a tree of moves: if takes whichever of two parts leaves the board with the lower measure, and makes one
/// part after the other. With the preset default the measure is bred too, and programs learn macros where they get stuck.
/// The preset paper repeats the experiments of Barnes, Hasan and Lee.
///
/// The run is kept in a folder: its settings (config.toml), a line for each generation (log.jsonl), checkpoints, the
/// champion (champion.program) and a page about it all (report.html). It may be interrupted at any moment and goes on with
/// --resume to the very champion that it would have bred without the interruption.
///
/// Prints how the champion does on 1,000 random boards that nothing was selected by, on frames of at most nine cells also
/// on all boards there are, beside the shortest solutions; and the champion itself. tiles solve --program takes it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway tiles evolve                                a program for boards of 3x3
  clearway tiles evolve --size 4x4 --seed 3 --budget 20m
  clearway tiles evolve --preset paper --experiment b  as Barnes, Hasan and Lee did it
  clearway tiles evolve --resume tiles-evolve-0        go on where it was interrupted")]
pub struct EvolveArgs {
    /// Where the other defaults come from: default, which does better, or paper, which does as Barnes, Hasan and Lee did
    #[arg(short, long, value_name = "NAME")]
    preset: Option<PresetArg>,

    /// Which of the paper's experiments, with --preset paper: a (a loop, if), b (and), c (no loop, parts act on the board),
    /// d (crossover at all levels alike) [default: d]
    #[arg(long, value_name = "LETTER")]
    experiment: Option<ExperimentArg>,

    /// The size of the boards, from 2x2 to 5x5; the paper's are 3x3 [default: 3x3]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<Size>,

    /// Where the randomness comes from [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// How many generations
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,

    /// How many programs a generation has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    population: Option<u32>,

    /// Stop after so much time: 90s, 3m, 1h
    #[arg(short, long, value_name = "TIME", value_parser = parse_budget)]
    budget: Option<BudgetArg>,

    /// Keep the run in this folder, which must be empty or new [default: tiles-evolve-SEED]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Go on with the run in this folder; only --generations and --budget may be changed
    #[arg(long, value_name = "DIR", conflicts_with_all = ["preset", "experiment", "size", "seed", "population", "out"])]
    resume: Option<PathBuf>,
}

/// A preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PresetArg {
    Default,
    Paper,
}

/// An experiment of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExperimentArg {
    A,
    B,
    C,
    D,
}

impl ExperimentArg {
    fn value(self) -> Experiment {
        match self {
            ExperimentArg::A => Experiment::A,
            ExperimentArg::B => Experiment::B,
            ExperimentArg::C => Experiment::C,
            ExperimentArg::D => Experiment::D,
        }
    }
}

/// A word as it is typed.
fn word(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// A time, and how it was typed.
#[derive(Clone, Debug, PartialEq)]
struct BudgetArg {
    text: String,
    time: Duration,
}

fn parse_budget(text: &str) -> Result<BudgetArg, String> {
    Ok(BudgetArg { text: text.to_owned(), time: parse_time(text)? })
}

impl EvolveArgs {
    /// The settings that the options ask for.
    fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = match (self.preset, self.experiment, self.size) {
            (Some(PresetArg::Paper), _, Some(_)) => {
                let help = "leave --size out, or breed by --preset default";
                return Err(Failure::usage("--size is not for --preset paper, whose boards are 3x3", help));
            }
            (Some(PresetArg::Paper), experiment, None) => {
                Settings::paper(experiment.unwrap_or(ExperimentArg::D).value())
            }
            (_, Some(_), _) => {
                return Err(Failure::usage("--experiment is for --preset paper alone", "give --preset paper as well"));
            }
            (_, None, size) => Settings::learning(size.unwrap_or(USUAL_SIZE)),
        };
        set(&mut settings.breeding.evolution.seed, self.seed);
        if let Some(population) = self.population {
            settings.set_population(population);
        }
        settings.command = self.command();
        self.extend(&mut settings);
        Ok(settings)
    }

    /// Puts in what may be changed in a run that goes on.
    fn extend(&self, settings: &mut Settings) {
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

    /// The command without what changes nothing in the run: the folder, the threads, how it is shown.
    fn command(&self) -> String {
        let given = [
            ("preset", self.preset.as_ref().map(word)),
            ("experiment", self.experiment.as_ref().map(word)),
            ("size", self.size.map(|size| size.to_string())),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("population", self.population.map(|population| population.to_string())),
        ];
        with_options(COMMAND, given.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }
}

/// The end of a run, as `clearway tiles evolve --json` prints it behind the generations.
#[derive(Serialize)]
struct EndRecord<'a> {
    /// The folder of the run.
    folder: String,
    /// The file with the champion; null if no generation was complete.
    champion: Option<String>,
    /// The champion as text.
    program: Option<String>,
    /// The generations that the run has made.
    generations: usize,
    /// Whether it was interrupted.
    interrupted: bool,
    /// What the champion leaves of the boards that it was bred on; null where these changed from time to time.
    training: Option<Left>,
    /// The champion on 1,000 boards, and on all boards where there are not too many.
    tests: &'a [Examined],
}

/// Breeds.
pub fn run(args: &EvolveArgs, context: &Context) -> Outcome {
    if context.global.time_limit.is_some() || context.global.node_limit.is_some() {
        let message =
            "--time-limit and --node-limit have no meaning here: what a program is worth must not depend on them";
        return Err(Failure::usage(message, "use --budget for the time of the whole run"));
    }
    context.interrupt.ends_by_itself();
    let mut run = start(args, context)?;
    breed(&mut run, context)?;
    finish(&run, context)
}

/// Begins a run, or goes on with one.
fn start(args: &EvolveArgs, context: &Context) -> Result<Run, Failure> {
    let cancel = context.interrupt.flag();
    if let Some(folder) = &args.resume {
        let resumed = Run::resume(Folder::at(folder), |settings| args.extend(settings), cancel);
        let (run, fault) = resumed.map_err(|error| failure(&error, folder))?;
        if let Some(fault) = fault {
            context.warn(&format!("{fault}; the one before it is used"));
        }
        context.warn_corrupt(run.corrupt_log_lines(), RESTORED);
        let made = quantity::of(run.generations().len() as u64, "generation");
        context.note(&format!("the run in {} goes on after {made}", folder.display()));
        return Ok(run);
    }
    let settings = args.settings()?;
    let folder = args.out.clone().unwrap_or_else(|| new_folder("tiles-evolve", settings.seed()));
    let run = Run::begin(Folder::at(&folder), settings, cancel).map_err(|error| failure(&error, &folder))?;
    let config = &run.settings().breeding;
    let (boards, columns, rows) = (config.boards, config.columns, config.rows);
    context.note(&format!("breeding on {boards} boards of {columns}x{rows}; the run is kept in {}", folder.display()));
    Ok(run)
}

/// What a person is told about a run that cannot begin or go on.
fn failure(error: &RunError, folder: &Path) -> Failure {
    let anew = format!("the command is in {}/config.toml", folder.display());
    let help = match error {
        RunError::Folder(error) => return folder_failure(error, folder, COMMAND, &anew),
        RunError::Senseless(_) | RunError::Evolution(EvolutionError::Options(_) | EvolutionError::Layout(_)) => {
            return Failure::usage(error.to_string(), "clearway tiles evolve --help tells the options");
        }
        RunError::Fewer(Fewer { made, .. }) => {
            return Failure::usage(error.to_string(), format!("give --generations {made} or more, or leave it out"));
        }
        RunError::Checkpoint(CheckpointError::Io { .. }) => "make room, or give another --out".to_owned(),
        RunError::Checkpoint(_) | RunError::Evolution(_) | RunError::Changed(_) => format!("begin anew: {anew}"),
    };
    Failure::bad_input(message_with_help(error.to_string(), help))
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
        let solved = match (line.solved, line.boards) {
            (Some(solved), Some(boards)) => format!(", {solved} of {boards} boards solved"),
            _ => String::new(),
        };
        format!("best score {:.2}{solved}", line.generation.best)
    }

    fn write_so_far(&self) -> Result<(), Failure> {
        let Some(best) = self.best() else { return Ok(()) };
        self.write(&best, &[]).map_err(|error| failure(&error, self.folder().path()))
    }
}

/// Finds the champion, examines it, and writes and prints all.
fn finish(run: &Run, context: &Context) -> Outcome {
    let folder = run.folder().path();
    // Who interrupts does not want to wait until the best of all is found.
    let Some(champion) = run.champion(context.threads()).or_else(|| run.best()) else {
        context.note(&format!("interrupted before the first generation was complete; {}", how_to_go_on(folder)));
        print_end(run, None, &[], context)?;
        return Ok(ExitCode::Interrupted);
    };
    let tests = run.test(&champion, context.threads());
    run.write(&champion, &tests).map_err(|error| failure(&error, folder))?;
    print_end(run, Some(&champion), &tests, context)?;
    let made = quantity::of(run.generations().len() as u64, "generation");
    if context.interrupt.is_raised() {
        context.note(&format!("interrupted after {made}; {}", how_to_go_on(folder)));
        return Ok(ExitCode::Interrupted);
    }
    context.note(&format!(
        "{made} in {}; the champion is {}, the report {}",
        quantity::time(Duration::from_secs_f64(run.seconds())),
        run.champion_file().display(),
        run.folder().report().display()
    ));
    Ok(ExitCode::Done)
}

fn how_to_go_on(folder: &Path) -> String {
    format!("{COMMAND} --resume {} goes on", folder.display())
}

/// Prints what the run came to.
fn print_end(run: &Run, champion: Option<&Champion>, tests: &[Examined], context: &Context) -> Result<(), Failure> {
    let mut out = context.stdout();
    if context.global.json {
        let record = EndRecord {
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

    fn args(given: &[&str]) -> EvolveArgs {
        let command = EvolveArgs::augment_args(Command::new("evolve").no_binary_name(true));
        EvolveArgs::from_arg_matches(&command.get_matches_from(given)).unwrap()
    }

    #[test]
    fn the_command_says_all_that_matters_and_nothing_else() {
        let command = |given: &[&str]| args(given).settings().unwrap().command;
        assert_eq!(command(&[]), COMMAND);
        let given = ["--out", "there", "--budget", "5m", "--population", "9", "--seed", "7", "--size", "4x3"];
        assert_eq!(command(&given), "clearway tiles evolve --size 4x3 --seed 7 --population 9 --budget 5m");
        let paper = ["--preset", "paper", "--experiment", "b", "--generations", "3"];
        assert_eq!(command(&paper), "clearway tiles evolve --preset paper --experiment b --generations 3");
    }

    #[test]
    fn options_are_put_into_the_settings() {
        let settings = args(&["--size", "4x3", "--generations", "9", "--budget", "90s"]).settings().unwrap();
        let config = &settings.breeding;
        assert_eq!((config.columns, config.rows, config.generations, settings.budget), (4, 3, 9, Some(90.0)));
        let paper = args(&["--preset", "paper"]).settings().unwrap();
        assert_eq!((paper.experiment, paper.breeding.evolution.population), (Some(Experiment::D), 500));
    }
}
