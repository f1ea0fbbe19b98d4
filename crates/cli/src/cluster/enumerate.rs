//! `clearway forge enumerate` in shards.

use super::{forge, open};
use crate::commands::forge::ForgeCommand;
use crate::commands::forge::enumerate::{EnumerateArgs, check_outputs, finish, plan, share, share_size};
use crate::failure::Failure;
use crate::output::Context;
use crate::{ExitCode, Interrupt, Refusal};
use clearway_forge::enumerate::{Catalogue, Plan, run};
use clearway_forge::parts::PartError;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// What a task of boards of 36 cells takes, and how the logarithm of that grows with the cells: measured on 5x5 and 6x6.
const SECONDS_OF_36: f64 = 0.08;
const PER_CELL: f64 = 0.54;
/// What a shard shall take, and the most shards that are made without being asked for.
const SECONDS: f64 = 5.0;
const MOST_SHARDS: u64 = 100_000;

/// An enumeration: its shards, and what was found in them.
pub struct Enumerate {
    args: EnumerateArgs,
    context: Context,
    plan: Plan,
    catalogue: Catalogue,
    started: Instant,
}

impl Enumerate {
    /// The enumeration of a command line.
    pub fn new(words: &[OsString], interrupt: &Interrupt) -> Result<Enumerate, Refusal> {
        let (command, context) = open(words, interrupt)?;
        let ForgeCommand::Enumerate(args) = forge(command, words)? else { return Err(super::elsewhere(words)) };
        if !args.resume.is_empty() {
            return Err(context.senseless("--resume", "what is done is kept in --folder, and the same command goes on"));
        }
        let plan = plan(&args, &context).map_err(|failure| context.refusal(failure))?;
        Ok(Enumerate { args, context, plan, catalogue: Catalogue::default(), started: Instant::now() })
    }

    /// Refuses files that cannot be written.
    pub fn check_outputs(&self) -> Result<(), Refusal> {
        check_outputs(&self.args, &self.context).map_err(|failure| self.context.refusal(failure))
    }

    /// How many tasks there are to do.
    pub fn tasks(&self) -> u64 {
        share_size(&self.args, &self.plan)
    }

    /// How many shards to make for a cluster of so many CPUs: each a few seconds of work, as far as can be told before.
    pub fn usual_shards(&self, cpus: u64) -> u64 {
        let shape = self.plan.shape();
        let cells = f64::from(shape.width()) * f64::from(shape.height()) - f64::from(shape.walls());
        let seconds = SECONDS_OF_36 * ((cells - 36.0) * PER_CELL).exp() * self.tasks() as f64;
        let wanted = ((seconds / SECONDS) as u64).clamp(4 * cpus, MOST_SHARDS.max(4 * cpus));
        wanted.min(self.tasks()).max(1)
    }

    /// When it is to stop.
    pub fn budget(&self) -> Option<Duration> {
        self.args.budget
    }

    /// Does one of several shards, counted from 1, no more than there are tasks. Nothing if it was interrupted.
    pub fn shard(&self, shard: u64, shards: u64) -> Result<Option<Vec<u8>>, Refusal> {
        let tasks = self.tasks_of(shard, shards)?;
        let mut catalogue = Catalogue::default();
        let is_cancelled = || self.context.interrupt.is_raised();
        // A machine does as many shards at a time as it has cores.
        let memory = self.context.global.memory / 2 / self.context.threads();
        let take = |found| {
            catalogue.add(found);
            Ok::<(), Failure>(())
        };
        run(&self.plan, &tasks, 1, memory, &is_cancelled, take).map_err(|failure| self.context.refusal(failure))?;
        if is_cancelled() {
            return Ok(None);
        }
        catalogue.to_shard(&self.plan).map(Some).map_err(|error| self.context.unfit(&error))
    }

    /// Refuses a file that is not that of a shard. If it is one that was damaged, says how.
    pub fn check(&self, shard: u64, shards: u64, bytes: &[u8]) -> Result<Option<String>, Refusal> {
        self.context.damage(self.read(shard, shards, bytes)?)
    }

    /// Takes what was found in a shard.
    pub fn add(&mut self, shard: u64, shards: u64, bytes: &[u8]) -> Result<(), Refusal> {
        let found = self.read(shard, shards, bytes)?;
        let joined = found.and_then(|found| self.catalogue.join(found));
        joined.map_err(|error| self.context.unfit(&error))
    }

    /// Writes and prints what was found.
    pub fn finish(&mut self) -> Result<ExitCode, Refusal> {
        let is_complete = self.catalogue.tasks() == self.tasks();
        let time = self.started.elapsed();
        finish(&self.args, &self.plan, &mut self.catalogue, is_complete, time, &self.context)
            .map_err(|failure| self.context.refusal(failure))
    }

    fn tasks_of(&self, shard: u64, shards: u64) -> Result<Vec<u64>, Refusal> {
        share(&self.args, &self.plan, (shard, shards)).map_err(|failure| self.context.refusal(failure))
    }

    fn read(&self, shard: u64, shards: u64, bytes: &[u8]) -> Result<Result<Catalogue, PartError>, Refusal> {
        let tasks = self.tasks_of(shard, shards)?;
        let strange = || PartError::Senseless(format!("it is not shard {shard} of {shards} of this work"));
        Ok(Catalogue::from_shard(bytes, &self.plan)
            .and_then(|found| if found.is_of(&tasks) { Ok(found) } else { Err(strange()) }))
    }
}
