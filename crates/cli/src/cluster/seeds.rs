//! Runs of `clearway evolve` with many seeds on a cluster, each run on one worker.

use super::open;
use crate::args::Command;
use crate::commands::evolve::{EvolveArgs, check_limits, failure, has_run, settings_and_boards, test};
use crate::commands::runs::EvolutionRun;
use crate::failure::Failure;
use crate::output::Context;
use crate::{CommandError, Interrupt};
use clearway_lab::evolve::seeds::SeedResult;
use clearway_lab::evolve::{Run, RunContext, RunError};
use clearway_lab::runs::Folder;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Writes the settings and the boards of a run to the folder given by `--out`, unless the folder holds the same run already.
pub fn prepare_run(args: &[OsString], interrupt: &Interrupt) -> Result<(), CommandError> {
    let (args, context) = parse_evolve(args, interrupt)?;
    let Some(path) = &args.out else { return Err(context.unsupported_option("a run without --out", "add --out")) };
    let done = || -> Result<(), Failure> {
        check_limits(&context)?;
        let (settings, board_sets) = settings_and_boards(&args, &context)?;
        if !has_run(path, &settings)? {
            Run::create(&Folder::at(path), &settings, &board_sets).map_err(|error| failure(&error, path))?;
        }
        Ok(())
    };
    done().map_err(|failure| context.refusal(failure))
}

fn parse_evolve(args: &[OsString], interrupt: &Interrupt) -> Result<(Box<EvolveArgs>, Context), CommandError> {
    match open(args, interrupt)? {
        (Command::Evolve(evolve), context) => Ok((evolve, context)),
        _ => Err(super::unsupported_command(args)),
    }
}

/// A complete run on a worker, in a temporary folder.
pub struct SeedRun {
    context: Context,
    folder: TempDir,
    run: Run,
    /// The contents of the files when they were last sent to the driver.
    sent: HashMap<String, Vec<u8>>,
    result: Option<String>,
}

/// The files that are sent to the driver during a run, those first that the others depend on.
const FILES: [&str; 6] =
    ["config.toml", "log.jsonl", "checkpoint.json", "boards.tsv", "champion.policy", "report.html"];

impl SeedRun {
    /// Resumes the run in these files, up to the limits of a command line.
    pub fn new(args: &[OsString], files: &[(String, Vec<u8>)], interrupt: &Interrupt) -> Result<SeedRun, CommandError> {
        let (args, mut context) = parse_evolve(args, interrupt)?;
        context.global.threads = Some(1);
        let failed = |doing: &str, error: &std::io::Error| context.refusal(Failure::io(doing, error));
        let folder = TempDir::new().map_err(|error| failed("create a folder for the run", &error))?;
        for (name, bytes) in files {
            let path = folder.path().join(name);
            let created = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            created
                .and_then(|()| std::fs::write(&path, bytes))
                .map_err(|error| failed("write a file of the run", &error))?;
        }
        let run_context = RunContext {
            threads: 1,
            memory: context.global.memory,
            cancel: context.interrupt.flag(),
            progress: &|_, _| (),
        };
        let change = |settings: &mut _| args.extend(settings);
        let resumed = Run::resume(Folder::at(folder.path()), change, &run_context);
        let (run, _) = resumed.map_err(|error| context.refusal(failure(&error, folder.path())))?;
        Ok(SeedRun { context, folder, run, sent: files.iter().cloned().collect(), result: None })
    }

    /// Continues the run for about this time. After the last generation, the champion is tested, which is not interrupted by the
    /// time.
    pub fn work(&mut self, time: Duration) -> Result<(), CommandError> {
        let started = Instant::now();
        while !self.run.is_done() && started.elapsed() < time && !self.context.interrupt.is_raised() {
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
        self.result = Some(SeedResult::new(&self.run, &champion, &tests).to_sealed_json());
        Ok(())
    }

    /// Returns the files that have changed since the last call, those first that the others depend on.
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

    /// Returns the number of generations so far, the expected total, and a short status.
    pub fn state(&self) -> (usize, usize, String) {
        let (made, expected) = (self.run.generations().len(), self.run.expected_generations() as usize);
        let text = self.run.generations().last().map(|line| self.run.status(line));
        (made, expected, text.unwrap_or_default())
    }

    /// Returns the result as JSON with a [checksum](clearway_util::seal) once the run is finished.
    pub fn result(&self) -> Option<&str> {
        self.result.as_deref()
    }

    fn failed(&self, error: &RunError) -> CommandError {
        self.context.refusal(failure(error, Path::new("the run")))
    }
}
