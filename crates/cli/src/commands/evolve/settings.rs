//! From the options to the settings and the boards of a run.

use super::EvolveArgs;
use super::args::{PresetArg, SizeArg};
use crate::args::ReadingArgs;
use crate::commands::policy::open;
use crate::failure::{Failure, message_with_help};
use crate::input::Boards;
use crate::output::Context;
use clearway_lab::evolve::{Material, Settings, TestSet};
use clearway_lab::runs::{Preset, VERSION};
use clearway_policy::Policy;
use clearway_rush::formats::Puzzle;
use clearway_rush::suites::{self, Suite};
use std::ffi::OsStr;
use std::path::Path;

/// The settings and the boards that the options ask for.
pub(super) fn of(args: &EvolveArgs, context: &Context) -> Result<(Settings, Material), Failure> {
    let nodes = context.global.node_limit;
    let given = boards_of(&args.suite)?;
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
    let help = "clearway compare --list shows all algorithms and their options";
    args.apply(&mut settings, nodes).map_err(|error| Failure::usage(error, help))?;
    if !args.from.is_empty() {
        settings.breeding.from = policies_of(&args.from)?;
    }
    settings.command = args.command(nodes);
    settings.check().map_err(|error| Failure::usage(error.to_string(), "give another value"))?;
    let training = if args.suite.is_empty() { boards_of(&settings.training)? } else { given };
    if training.is_empty() {
        return Err(Failure::bad_input(message_with_help(
            format!("there is no board in {}", settings.training.join(", ")),
            "give a suite or a file with boards to learn from",
        )));
    }
    let mut tests = Vec::new();
    for name in &settings.test {
        tests.push(TestSet { name: name.clone(), boards: boards_of(std::slice::from_ref(name))? });
    }
    let validation = boards_of(&settings.validation)?;
    let material = Material::new(&settings, training, validation, tests);
    if material.training.is_empty() {
        let (others, options) = if settings.validation.is_empty() {
            ("test boards", "or with --test")
        } else {
            ("test boards, or boards to choose the champion on", "with --test or with --validate")
        };
        return Err(Failure::bad_input(message_with_help(
            format!("there is no board to learn from: all of them are {others}"),
            format!("give other boards with --suite, {options}"),
        )));
    }
    if material.validation.is_empty() && !settings.validation.is_empty() {
        return Err(Failure::bad_input(message_with_help(
            "there is no board to choose the champion on: there are none, or all of them are test boards",
            "give other boards with --validate, or with --test",
        )));
    }
    Ok((settings, material))
}

/// The text of policies, without what is said about them.
fn policies_of(names: &[String]) -> Result<Vec<String>, Failure> {
    let text = |name: &String| {
        let policy = Policy::clone(&open(name)?.policy);
        Ok(Policy { about: String::new(), search: None, ..policy }.to_string())
    };
    names.iter().map(text).collect()
}

/// The settings of the preset, for the size of the boards.
fn preset(args: &EvolveArgs, given: &[Puzzle]) -> Result<Settings, Failure> {
    let preset = args.preset.map_or(Preset::Default, PresetArg::value);
    if args.group.is_some() && preset != Preset::Paper {
        return Err(Failure::usage("--group is for --preset paper alone", "choose boards with --suite instead"));
    }
    let large = given.first().is_some_and(|puzzle| puzzle.board.width().max(puzzle.board.height()) > 6);
    let size = args.size.map_or(if large { (8, 8) } else { (6, 6) }, SizeArg::value);
    let group = args.group.or_else(|| Settings::usual_group(preset, size).filter(|_| args.suite.is_empty()));
    Ok(Settings::new(preset, size, group))
}

/// The settings in a file.
fn read(path: &Path, context: &Context) -> Result<Settings, Failure> {
    let doing = format!("read {}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(&doing, &error))?;
    let settings = Settings::from_toml(&text).map_err(|error| {
        let help = "the config.toml of a run is such a file";
        Failure::bad_input(message_with_help(format!("{} holds no settings: {error}", path.display()), help))
    })?;
    if settings.version != VERSION {
        let (path, found) = (path.display(), &settings.version);
        context.note(&format!("{path} is of clearway {found}: this is {VERSION}, which may breed another champion"));
    }
    Ok(Settings { version: VERSION.to_owned(), ..settings })
}

/// The boards of suites and files.
fn boards_of(names: &[String]) -> Result<Vec<Puzzle>, Failure> {
    let mut boards = Vec::new();
    for name in names {
        if let Some(suite) = Suite::find(name) {
            boards.extend(suite.puzzles());
            continue;
        }
        if !Path::new(name).exists() {
            let all: Vec<&str> = suites::all().iter().map(|suite| suite.name).collect();
            let help = format!("the suites are {}", all.join(", "));
            return Err(Failure::usage(format!("there is no suite and no file {name}"), help));
        }
        for entry in Boards::open_one(OsStr::new(name), &ReadingArgs::default())? {
            boards.push(entry.map_err(Failure::bad_input)?.puzzle);
        }
    }
    Ok(boards)
}
