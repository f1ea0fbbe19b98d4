//! `clearway evolve`, its individuals judged wherever there is time for it.

use super::open;
use crate::args::Command;
use crate::commands::evolve::{EvolveArgs, asked, begin, check, failure, finish, resume, tell_left_out};
use crate::commands::runs::{Generations, breed};
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::output::Context;
use crate::{Interrupt, Refusal};
use clearway_gp::Judgement;
use clearway_lab::evolve::{LoggedGeneration, Run, Settings};
use clearway_lab::runs::Folder;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A generation to be judged.
pub struct Ask {
    /// What [judges](clearway_lab::evolve::Judge) are made from, where that has changed.
    pub brief: Option<String>,
    /// What the run remembers.
    pub memory: String,
    /// The individuals.
    pub genomes: Vec<String>,
}

/// Breeds as a command line says. The judge gives a judgement for each individual that it is asked about, nothing if it
/// was interrupted, or says what is wrong. A run that was begun in the same folder with the same settings goes on.
pub fn evolve(
    words: &[OsString],
    interrupt: &Interrupt,
    judge: &mut dyn FnMut(Ask) -> Result<Option<Vec<String>>, String>,
) -> Result<ExitCode, Refusal> {
    let (command, context) = open(words, interrupt)?;
    let Command::Evolve(args) = command else { return Err(super::elsewhere(words)) };
    run(&args, &context, judge).map_err(|failure| context.refusal(failure))
}

type Judge<'a> = &'a mut dyn FnMut(Ask) -> Result<Option<Vec<String>>, String>;

fn run(args: &EvolveArgs, context: &Context, judge: Judge) -> Outcome {
    check(context)?;
    let run = match start(args, context) {
        Err(Failure::Report(..)) if context.interrupt.is_raised() => return Ok(ExitCode::Interrupted),
        other => other?,
    };
    tell_left_out(run.left_out(), context);
    let mut spread = Spread { run, judge, bred: None };
    breed(&mut spread, context)?;
    finish(&spread.run, context)
}

/// Begins a run, or goes on with one.
fn start(args: &EvolveArgs, context: &Context) -> Result<Run, Failure> {
    if let Some(folder) = &args.resume {
        return resume(args, folder, context);
    }
    let (settings, material) = asked(args, context)?;
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("evolve-{}", settings.seed())));
    if is_begun(&path, &settings)? { resume(args, &path, context) } else { begin(&path, settings, material, context) }
}

/// Whether the run was begun in a folder; refuses one that holds another run.
pub(super) fn is_begun(path: &Path, asked: &Settings) -> Result<bool, Failure> {
    let folder = Folder::at(path);
    if !folder.is_run() {
        return Ok(false);
    }
    let found = folder.bred_with().map_err(|error| failure(&error.into(), path))?;
    // It may go on for longer.
    let mut same = asked.clone();
    same.command.clone_from(&found.command);
    same.budget = found.budget;
    same.breeding.generations = found.breeding.generations;
    if found == same {
        return Ok(true);
    }
    let message = format!("{} holds a run with other settings: {}", path.display(), found.command);
    let help = "give the same options to go on with it, or another --out";
    Err(Failure::bad_input(message_with_help(message, help)))
}

/// A run whose individuals are judged elsewhere.
struct Spread<'a> {
    run: Run,
    judge: Judge<'a>,
    /// How many boards were bred when the judges were last told.
    bred: Option<usize>,
}

impl Spread<'_> {
    /// The judgements of a generation; none if it was interrupted.
    fn judged(&mut self, ask: Ask) -> Result<Option<Vec<Judgement>>, String> {
        let count = ask.genomes.len();
        let Some(texts) = (self.judge)(ask)? else { return Ok(None) };
        let read =
            |text: &String| serde_json::from_str(text).map_err(|error| format!("a judgement is broken: {error}"));
        let judgements: Vec<Judgement> = texts.iter().map(read).collect::<Result<_, _>>()?;
        if judgements.len() != count {
            return Err(format!("there are {} judgements of {count} individuals", judgements.len()));
        }
        Ok(Some(judgements))
    }
}

impl Generations for Spread<'_> {
    type Line = LoggedGeneration;

    fn is_done(&self) -> bool {
        self.run.is_done()
    }

    fn next(&mut self, threads: usize) -> Result<Option<LoggedGeneration>, Failure> {
        let path = self.run.folder().path().to_owned();
        let failed = |error| failure(&error, &path);
        let Some(proposal) = self.run.propose(threads).map_err(failed)? else { return Ok(None) };
        let bred = Some(self.run.bred());
        let brief = if self.bred == bred { None } else { Some(text(&self.run.brief().map_err(failed)?)) };
        self.bred = bred;
        let genomes = proposal.different().into_iter().map(text).collect();
        let ask = Ask { brief, memory: text(proposal.memory()), genomes };
        let judged = self.judged(ask).map_err(|error| Failure::bad_input(miette::miette!("{error}")))?;
        let Some(judgements) = judged else { return Ok(None) };
        self.run.accept(proposal, judgements).cloned().map(Some).map_err(failed)
    }

    fn count(&self) -> (usize, usize) {
        Generations::count(&self.run)
    }

    fn state(&self, line: &LoggedGeneration) -> String {
        self.run.state(line)
    }

    fn write_so_far(&self) -> Result<(), Failure> {
        self.run.write_so_far()
    }
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("what travels is always serialisable")
}
