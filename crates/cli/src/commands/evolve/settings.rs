//! Converts the options to the settings and the boards of a run.

use super::EvolveArgs;
use super::args::SizeArg;
use crate::args::ReadingArgs;
use crate::commands::policy::open;
use crate::failure::{Failure, message_with_help};
use crate::input::Boards;
use crate::output::Context;
use clearway_lab::evolve::{BoardSets, Settings, TestSet};
use clearway_lab::runs::{Preset, RunSettings as _, VERSION};
use clearway_policy::Policy;
use clearway_rush::formats::Puzzle;
use clearway_rush::suites::{self, Suite};
use std::ffi::OsStr;
use std::path::Path;

/// Returns the settings and the boards that the options describe.
pub(super) fn resolve(args: &EvolveArgs, context: &Context) -> Result<(Settings, BoardSets), Failure> {
    let nodes = context.global.node_limit;
    let given = read_boards(&args.suite)?;
    let mut settings = match &args.config {
        Some(path) => read(path, context)?,
        None => preset(args, &given)?,
    };
    if !args.suite.is_empty() {
        settings.training.clone_from(&args.suite);
        settings.group = None;
    }
    if !args.test.is_empty() {
        settings.test.clone_from(&args.test);
    }
    if !args.validate.is_empty() {
        settings.validation.clone_from(&args.validate);
    }
    let help = "see clearway compare --list for all algorithms and their options";
    args.apply(&mut settings, nodes).map_err(|error| Failure::usage(error, help))?;
    if !args.from.is_empty() {
        settings.breeding.from = read_policies(&args.from)?;
    }
    settings.command = args.command(nodes);
    settings.check().map_err(|error| Failure::usage(error.to_string(), "use another value"))?;
    let training = if args.suite.is_empty() { read_boards(&settings.training)? } else { given };
    if training.is_empty() {
        return Err(Failure::bad_input(message_with_help(
            format!("no training boards in {}", settings.training.join(", ")),
            "pass a suite or a file with boards to --suite",
        )));
    }
    let mut tests = Vec::new();
    for name in &settings.test {
        tests.push(TestSet { name: name.clone(), boards: read_boards(std::slice::from_ref(name))? });
    }
    let validation = read_boards(&settings.validation)?;
    let board_sets = BoardSets::new(&settings, training, validation, tests);
    if board_sets.training.is_empty() {
        let (others, options) = if settings.validation.is_empty() {
            ("test boards", "or other test boards with --test")
        } else {
            ("test or validation boards", "or other test and validation boards with --test and --validate")
        };
        return Err(Failure::bad_input(message_with_help(
            format!("no training boards left: all of them are {others}"),
            format!("pass other training boards with --suite, {options}"),
        )));
    }
    if board_sets.validation.is_empty() && !settings.validation.is_empty() {
        return Err(Failure::bad_input(message_with_help(
            "no validation boards left: the input has none, or all of them are test boards",
            "pass other validation boards with --validate, or other test boards with --test",
        )));
    }
    Ok((settings, board_sets))
}

/// Reads the rules of policies as text, without their descriptions and searches.
fn read_policies(names: &[String]) -> Result<Vec<String>, Failure> {
    let text = |name: &String| {
        let policy = Policy::clone(&open(name)?.policy);
        Ok(Policy { about: String::new(), search: None, ..policy }.to_string())
    };
    names.iter().map(text).collect()
}

/// Returns the settings of the preset for the size of the boards.
fn preset(args: &EvolveArgs, given: &[Puzzle]) -> Result<Settings, Failure> {
    let preset = args.preset.unwrap_or_default();
    if args.group.is_some() && preset != Preset::Paper {
        return Err(Failure::usage("--group requires --preset paper", "choose boards with --suite instead"));
    }
    let large = given.first().is_some_and(|puzzle| puzzle.board.width().max(puzzle.board.height()) > 6);
    let size = args.size.map_or(if large { (8, 8) } else { (6, 6) }, SizeArg::value);
    let group = args.group.or_else(|| Settings::default_group(preset, size).filter(|_| args.suite.is_empty()));
    Ok(Settings::new(preset, size, group))
}

/// Reads settings from a file.
fn read(path: &Path, context: &Context) -> Result<Settings, Failure> {
    let doing = format!("read {}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(&doing, &error))?;
    let settings = Settings::from_toml(&text).map_err(|error| {
        let help = "pass a file such as the config.toml of a run";
        Failure::bad_input(message_with_help(format!("{} has no valid settings: {error}", path.display()), help))
    })?;
    if settings.version != VERSION {
        let (path, found) = (path.display(), &settings.version);
        context.note(&format!(
            "{path} is from clearway {found}; this is {VERSION}, which may evolve a different champion"
        ));
    }
    Ok(Settings { version: VERSION.to_owned(), ..settings })
}

/// Reads the boards of suites and files.
fn read_boards(names: &[String]) -> Result<Vec<Puzzle>, Failure> {
    let mut boards = Vec::new();
    for name in names {
        if let Some(suite) = Suite::find(name) {
            boards.extend(suite.puzzles());
            continue;
        }
        if !Path::new(name).exists() {
            let all: Vec<&str> = suites::all().iter().map(|suite| suite.name).collect();
            let help = format!("the suites are {}", all.join(", "));
            return Err(Failure::usage(format!("unknown suite or file '{name}'"), help));
        }
        for entry in Boards::open_one(OsStr::new(name), &ReadingArgs::default())? {
            boards.push(entry.map_err(Failure::bad_input)?.puzzle);
        }
    }
    Ok(boards)
}
