//! `clearway forge enumerate` on a cluster, in shards.

use super::{forge, open};
use crate::commands::forge::ForgeCommand;
use crate::commands::forge::enumerate::{EnumerateArgs, check_outputs, finish, plan, shard_size, shard_tasks};
use crate::failure::Failure;
use crate::output::Context;
use crate::{CommandError, ExitCode, Interrupt};
use clearway_forge::enumerate::{Catalogue, EnumerationPlan, run};
use clearway_forge::parts::PartError;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// Time of a task on boards of 36 cells, in seconds. Measured on 5x5 and 6x6, as the growth is.
const SECONDS_OF_36: f64 = 0.08;
/// Growth of the natural logarithm of that time per cell.
const GROWTH_PER_CELL: f64 = 0.54;
/// Target time of a shard, in seconds.
const SHARD_SECONDS: f64 = 5.0;
/// Maximum default number of shards, unless the cluster has more CPUs.
const MAX_SHARDS: u64 = 100_000;

/// An enumeration, and its catalogue so far.
pub struct Enumerate {
    args: EnumerateArgs,
    context: Context,
    plan: EnumerationPlan,
    catalogue: Catalogue,
    started: Instant,
}

impl Enumerate {
    /// Parses a command line.
    pub fn new(args: &[OsString], interrupt: &Interrupt) -> Result<Enumerate, CommandError> {
        let (command, context) = open(args, interrupt)?;
        let ForgeCommand::Enumerate(args) = forge(command, args)? else { return Err(super::unsupported_command(args)) };
        if !args.resume.is_empty() {
            return Err(
                context.unsupported_option("--resume", "use --folder, and run the same command again to resume")
            );
        }
        let plan = plan(&args, &context).map_err(|failure| context.refusal(failure))?;
        Ok(Enumerate { args, context, plan, catalogue: Catalogue::default(), started: Instant::now() })
    }

    /// Checks that the output files can be written.
    pub fn check_outputs(&self) -> Result<(), CommandError> {
        check_outputs(&self.args, &self.context).map_err(|failure| self.context.refusal(failure))
    }

    /// Returns the number of tasks.
    pub fn tasks(&self) -> u64 {
        shard_size(&self.args, &self.plan)
    }

    /// Returns the default number of shards for a cluster with this number of CPUs: each is an estimated few seconds of work.
    pub fn default_shards(&self, cpus: u64) -> u64 {
        let shape = self.plan.shape();
        let cells = f64::from(shape.width()) * f64::from(shape.height()) - f64::from(shape.walls());
        let seconds = SECONDS_OF_36 * ((cells - 36.0) * GROWTH_PER_CELL).exp() * self.tasks() as f64;
        let wanted = ((seconds / SHARD_SECONDS) as u64).clamp(4 * cpus, MAX_SHARDS.max(4 * cpus));
        wanted.min(self.tasks()).max(1)
    }

    /// Returns the time budget, if there is one.
    pub fn budget(&self) -> Option<Duration> {
        self.args.budget
    }

    /// Processes a shard, counted from 1. There must not be more shards than tasks. Returns `None` if it was interrupted.
    pub fn shard(&self, shard: u64, shards: u64) -> Result<Option<Vec<u8>>, CommandError> {
        let tasks = self.tasks_of(shard, shards)?;
        let mut catalogue = Catalogue::default();
        let is_cancelled = || self.context.interrupt.is_raised();
        // A machine processes as many shards at a time as it has cores.
        let memory = self.context.global.memory / 2 / self.context.threads();
        let take = |found| {
            catalogue.add(found);
            Ok::<(), Failure>(())
        };
        run(&self.plan, &tasks, 1, memory, &is_cancelled, take).map_err(|failure| self.context.refusal(failure))?;
        if is_cancelled() {
            return Ok(None);
        }
        catalogue.to_shard(&self.plan).map(Some).map_err(|error| self.context.invalid_part(&error))
    }

    /// Checks the file of a shard. Returns a description of its damage, or `None` if it is valid. Fails if it belongs to other
    /// work.
    pub fn check(&self, shard: u64, shards: u64, bytes: &[u8]) -> Result<Option<String>, CommandError> {
        self.context.damage(self.read(shard, shards, bytes)?)
    }

    /// Adds the results of a shard.
    pub fn add(&mut self, shard: u64, shards: u64, bytes: &[u8]) -> Result<(), CommandError> {
        let found = self.read(shard, shards, bytes)?;
        let joined = found.and_then(|found| self.catalogue.join(found));
        joined.map_err(|error| self.context.invalid_part(&error))
    }

    /// Writes and prints the catalogue.
    pub fn finish(&mut self) -> Result<ExitCode, CommandError> {
        let is_complete = self.catalogue.tasks() == self.tasks();
        let time = self.started.elapsed();
        finish(&self.args, &self.plan, &mut self.catalogue, is_complete, time, &self.context)
            .map_err(|failure| self.context.refusal(failure))
    }

    fn tasks_of(&self, shard: u64, shards: u64) -> Result<Vec<u64>, CommandError> {
        shard_tasks(&self.args, &self.plan, (shard, shards)).map_err(|failure| self.context.refusal(failure))
    }

    fn read(&self, shard: u64, shards: u64, bytes: &[u8]) -> Result<Result<Catalogue, PartError>, CommandError> {
        let tasks = self.tasks_of(shard, shards)?;
        let mismatch = || PartError::Inconsistent(format!("it is not shard {shard} of {shards} of this work"));
        Ok(Catalogue::from_shard(bytes, &self.plan)
            .and_then(|found| if found.has_exactly(&tasks) { Ok(found) } else { Err(mismatch()) }))
    }
}
