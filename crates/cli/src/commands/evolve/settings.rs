//! Converts the options to the settings and the boards of a run.

use super::{EvolveArgs, failure};
use crate::args::ReadingArgs;
use crate::commands::policy::open;
use crate::failure::{Failure, message_with_help};
use crate::input::Boards;
use crate::output::Context;
use crate::progress::Bar;
use clearway_lab::evolve::{BoardSets, DirectSearch, GeneratedSet, Purpose, RunContext, Settings, TestSet};
use clearway_lab::runs::{Preset, RunSettings as _, VERSION};
use clearway_policy::Policy;
use clearway_rush::formats::Puzzle;
use clearway_rush::suites::{self, Suite};
use std::ffi::OsStr;
use std::path::Path;

/// Returns the settings and the boards that the options describe.
pub(super) fn resolve(args: &EvolveArgs, context: &Context) -> Result<(Settings, BoardSets), Failure> {
    let nodes = context.global.node_limit;
    let given = read_sources(&args.suite)?;
    let mut settings = match &args.config {
        Some(path) => read(path, context)?,
        None => preset(args, given.first())?,
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
    let hardest = settings.hardest;
    let help = "see clearway compare --list for all algorithms and their options";
    args.apply(&mut settings, nodes).map_err(|error| Failure::usage(error.to_string(), help))?;
    if !args.from.is_empty() {
        settings.breeding.from = read_policies(&args.from)?;
    }
    settings.command = args.command(nodes);
    settings
        .check()
        .map_err(|error| Failure::usage(error.to_string(), "see clearway evolve --help for valid values"))?;
    // Generating boards takes longer than reading the others.
    let training = if args.suite.is_empty() { read_sources(&settings.training)? } else { given };
    let (tests, validation) = (read_sources(&settings.test)?, read_sources(&settings.validation)?);
    let training = boards_of(training, Purpose::Training, &settings, context)?;
    if training.is_empty() {
        return Err(Failure::bad_input(message_with_help(
            format!("no training boards in {}", settings.training.join(", ")),
            "pass a suite or a file with boards to --suite",
        )));
    }
    if settings.direct.is_none() && args.config.is_none() && settings.is_direct_needed(&training, hardest) {
        let nodes = nodes.unwrap_or(DirectSearch::default().nodes);
        context.note(&format!(
            "every training board has more than {} states, or takes more than {hardest} nodes without a heuristic; searches end \
             after {nodes} nodes",
            settings.largest,
        ));
        (settings.direct, settings.hardest) = (Some(DirectSearch { nodes }), hardest);
    }
    let mut test_sets = Vec::new();
    for (name, source) in settings.test.iter().zip(tests) {
        let boards = boards_of(vec![source], Purpose::Test, &settings, context)?;
        test_sets.push(TestSet { name: name.clone(), boards });
    }
    let validation = boards_of(validation, Purpose::Validation, &settings, context)?;
    let board_sets = BoardSets::new(&settings, training, validation, test_sets);
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

/// Returns the settings of the preset for the sizes of the boards.
fn preset(args: &EvolveArgs, given: Option<&Source>) -> Result<Settings, Failure> {
    let preset = args.preset.unwrap_or_default();
    if args.group.is_some() && preset != Preset::Paper {
        return Err(Failure::usage("--group requires --preset paper", "choose boards with --suite instead"));
    }
    let sides = args.size.as_ref().map_or(&[] as &[u8], |sizes| &sizes.sides);
    let size = match sides {
        [] if given.is_some_and(Source::is_larger_than_6x6) => (8, 8),
        [] | [6] => (6, 6),
        [8] => (8, 8),
        _ => return Ok(Settings::for_sizes(preset, sides)),
    };
    let group = args.group.or_else(|| Settings::default_group(preset, size).filter(|_| args.suite.is_empty()));
    Ok(Settings::new(preset, size, group))
}

/// Reads settings from a file.
fn read(path: &Path, context: &Context) -> Result<Settings, Failure> {
    let doing = format!("read {}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(&doing, &error))?;
    let settings = Settings::from_toml(&text).map_err(|error| {
        let help = "pass a file such as the config.toml of a run";
        Failure::bad_input(message_with_help(format!("invalid settings in {}: {error}", path.display()), help))
    })?;
    if settings.version != VERSION {
        let (path, found) = (path.display(), &settings.version);
        context.note(&format!(
            "{path} is from clearway {found}; this is {VERSION}, which may evolve a different champion"
        ));
    }
    Ok(Settings { version: VERSION.to_owned(), ..settings })
}

/// Where boards come from.
enum Source {
    /// A suite or a file.
    Boards(Vec<Puzzle>),
    Generated(GeneratedSet),
}

impl Source {
    /// Reads a suite or a file, unless the name is that of a generated set.
    fn new(name: &str) -> Result<Source, Failure> {
        if let Ok(set) = name.parse() {
            return Ok(Source::Generated(set));
        }
        if let Some(suite) = Suite::find(name) {
            return Ok(Source::Boards(suite.puzzles()));
        }
        if !Path::new(name).exists() {
            let all: Vec<&str> = suites::all().iter().map(|suite| suite.name).collect();
            let help = format!("the suites are {}; dense-10x10 stands for generated boards of 10x10", all.join(", "));
            return Err(Failure::usage(format!("unknown suite or file '{name}'"), help));
        }
        let entries = Boards::open_one(OsStr::new(name), &ReadingArgs::default())?;
        let boards: Result<_, Failure> = entries.map(|entry| Ok(entry.map_err(Failure::bad_input)?.puzzle)).collect();
        Ok(Source::Boards(boards?))
    }

    fn is_larger_than_6x6(&self) -> bool {
        match self {
            Source::Boards(boards) => {
                boards.first().is_some_and(|puzzle| puzzle.board.width().max(puzzle.board.height()) > 6)
            }
            Source::Generated(set) => set.side > 6,
        }
    }
}

fn read_sources(names: &[String]) -> Result<Vec<Source>, Failure> {
    names.iter().map(|name| Source::new(name)).collect()
}

/// Returns all boards of some sources; generates those of generated sets.
fn boards_of(
    sources: Vec<Source>,
    purpose: Purpose,
    settings: &Settings,
    context: &Context,
) -> Result<Vec<Puzzle>, Failure> {
    let mut all = Vec::new();
    for source in sources {
        all.extend(match source {
            Source::Boards(boards) => boards,
            Source::Generated(set) => {
                let bar = Bar::new("boards generated", context);
                let generation = RunContext {
                    threads: context.threads(),
                    memory: context.global.memory,
                    cancel: context.interrupt.flag(),
                    progress: &|done, total| bar.show(done, total),
                };
                let generated = set.generate(purpose, settings.seed(), settings.metric, &generation);
                generated.map_err(|error| failure(&error, Path::new("evolve")))?
            }
        });
    }
    Ok(all)
}
