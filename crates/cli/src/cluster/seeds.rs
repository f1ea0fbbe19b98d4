//! Runs of `clearway evolve` that are made elsewhere as a whole, one for each of many seeds.

use super::evolve::is_begun;
use super::open;
use crate::args::Command;
use crate::commands::evolve::{EvolveArgs, asked, check, failure, test};
use crate::commands::runs::Generations;
use crate::failure::Failure;
use crate::json;
use crate::output::Context;
use crate::{Interrupt, Refusal};
use clearway_lab::evolve::{Means, Run, RunError};
use clearway_lab::records::{TestRecord, TrainingRecord};
use clearway_lab::runs::Folder;
use clearway_util::seal::seal;
use serde::Serialize;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Puts the settings and the boards that a command line asks for into the folder that its `--out` names, unless the same run was
/// begun there.
pub fn lay_out(words: &[OsString], interrupt: &Interrupt) -> Result<(), Refusal> {
    let (args, context) = evolve(words, interrupt)?;
    let Some(path) = &args.out else { return Err(context.senseless("a run without --out", "give --out")) };
    let done = || -> Result<(), Failure> {
        check(&context)?;
        let (settings, material) = asked(&args, &context)?;
        if !is_begun(path, &settings)? {
            Run::lay_out(&Folder::at(path), &settings, &material).map_err(|error| failure(&error, path))?;
        }
        Ok(())
    };
    done().map_err(|failure| context.refusal(failure))
}

fn evolve(words: &[OsString], interrupt: &Interrupt) -> Result<(Box<EvolveArgs>, Context), Refusal> {
    match open(words, interrupt)? {
        (Command::Evolve(args), context) => Ok((args, context)),
        _ => Err(super::elsewhere(words)),
    }
}

/// A whole run, in a folder of its own on whatever machine it is made.
pub struct SeedRun {
    context: Context,
    folder: TempDir,
    run: Run,
    /// What the files were like when they were last sent home.
    sent: HashMap<String, Vec<u8>>,
    result: Option<String>,
}

/// What a run came to.
#[derive(Serialize)]
struct SeedRecord<'a> {
    /// Its seed.
    seed: u64,
    /// The generations that it made.
    generations: usize,
    /// The time of all generations.
    seconds: f64,
    /// The champion on all training boards.
    training: Option<TrainingRecord>,
    /// The champion on the boards that it was chosen on, if those are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<TrainingRecord>,
    /// The champion on the test boards, beside other searches.
    tests: Vec<TestRecord<'a>>,
}

/// What is sent home while a run goes on.
const FILES: [&str; 6] =
    ["config.toml", "log.jsonl", "checkpoint.json", "boards.tsv", "champion.policy", "report.html"];

impl SeedRun {
    /// Goes on with the run that some files hold, as far as a command line asks for.
    pub fn new(words: &[OsString], files: &[(String, Vec<u8>)], interrupt: &Interrupt) -> Result<SeedRun, Refusal> {
        let (args, mut context) = evolve(words, interrupt)?;
        context.global.threads = Some(1);
        let failed = |doing: &str, error: &std::io::Error| context.refusal(Failure::io(doing, error));
        let folder = TempDir::new().map_err(|error| failed("make a folder for the run", &error))?;
        for (name, bytes) in files {
            let path = folder.path().join(name);
            let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&path, bytes))
                .map_err(|error| failed("write a file of the run", &error))?;
        }
        let means =
            Means { threads: 1, memory: context.global.memory, cancel: context.interrupt.flag(), progress: &|_, _| () };
        let more = |settings: &mut _| args.extend(settings);
        let resumed = Run::resume(Folder::at(folder.path()), more, &means);
        let (run, _) = resumed.map_err(|error| context.refusal(failure(&error, folder.path())))?;
        Ok(SeedRun { context, folder, run, sent: files.iter().cloned().collect(), result: None })
    }

    /// Goes on for about so long. When the last generation is made, the champion is tested: that is done in one go.
    pub fn work(&mut self, time: Duration) -> Result<(), Refusal> {
        let began = Instant::now();
        while !self.run.is_done() && began.elapsed() < time && !self.context.interrupt.is_raised() {
            if let Err(error) = self.run.step(1) {
                return Err(self.failed(&error));
            }
        }
        if !self.run.is_done() || self.result.is_some() || self.context.interrupt.is_raised() {
            return Ok(());
        }
        let Some(champion) = self.run.champion(1) else { return Ok(()) };
        let tests = test(&self.run, &champion, &self.context);
        self.run.write(&champion, &tests).map_err(|error| self.failed(&error))?;
        let record = SeedRecord {
            seed: self.run.settings().seed(),
            generations: self.run.generations().len(),
            seconds: self.run.seconds(),
            training: champion.training.map(TrainingRecord::from),
            validation: champion.validation.map(TrainingRecord::from),
            tests: tests.iter().map(TestRecord::from).collect(),
        };
        self.result = Some(seal(json::line(&record).trim_end(), "") + "\n");
        Ok(())
    }

    /// The files that have changed since they were last asked for, those first that the others rely on.
    pub fn changed(&mut self) -> Vec<(String, Vec<u8>)> {
        let mut changed = Vec::new();
        for name in FILES {
            let Ok(bytes) = std::fs::read(self.folder.path().join(name)) else { continue };
            if self.sent.get(name) != Some(&bytes) {
                self.sent.insert(name.to_owned(), bytes.clone());
                changed.push((name.to_owned(), bytes));
            }
        }
        changed
    }

    /// The generations made and expected, and how it goes.
    pub fn state(&self) -> (usize, usize, String) {
        let (made, expected) = Generations::count(&self.run);
        let text = self.run.generations().last().map(|line| self.run.state(line));
        (made, expected, text.unwrap_or_default())
    }

    /// What it came to, as JSON with a [checksum](clearway_util::seal), once it is done.
    pub fn result(&self) -> Option<&str> {
        self.result.as_deref()
    }

    fn failed(&self, error: &RunError) -> Refusal {
        self.context.refusal(failure(error, Path::new("the run")))
    }
}
