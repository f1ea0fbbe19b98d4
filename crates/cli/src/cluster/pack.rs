//! `clearway forge pack` on a cluster, in rounds of attempts.

use super::{forge, open};
use crate::commands::forge::ForgeCommand;
use crate::commands::forge::pack::{PackArgs, finish, order, search_limits};
use crate::commands::forge::pack_output::Outputs;
use crate::output::Context;
use crate::{CommandError, ExitCode, Interrupt};
use clearway_forge::grade::Level;
use clearway_forge::pack::{AttemptOutcome, AttemptRound, PackBuilder, PackRequest, attempt};
use clearway_forge::parts::{PartError, WorkPart};
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// A pack, and the puzzles found so far.
pub struct Pack {
    args: PackArgs,
    context: Context,
    order: PackRequest,
    gathering: Option<PackBuilder>,
    started: Instant,
}

/// Everything that the results of attempts depend on. A part with another header belongs to other work.
#[derive(Serialize)]
struct PartHeader<'a> {
    clearway: &'a str,
    size: (u8, u8),
    exit: &'a str,
    line: u8,
    walls: u8,
    moves: (u32, u32),
    count: usize,
    seed: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    levels: &'a BTreeMap<Level, usize>,
    effort: u64,
    patience: u64,
    node_limit: Option<u64>,
    memory: Option<usize>,
}

impl Pack {
    /// Parses a command line.
    pub fn new(args: &[OsString], interrupt: &Interrupt) -> Result<Pack, CommandError> {
        let (command, context) = open(args, interrupt)?;
        let ForgeCommand::Pack(args) = forge(command, args)? else { return Err(super::unsupported_command(args)) };
        let order = order(&args, &context).map_err(|failure| context.refusal(failure))?;
        let gathering = Some(PackBuilder::new(order.clone()));
        Ok(Pack { args, context, order, gathering, started: Instant::now() })
    }

    /// Checks that the output files can be written.
    pub fn check_outputs(&self) -> Result<(), CommandError> {
        self.outputs().map(drop)
    }

    /// Returns the time limit of the whole pack, if there is one.
    pub fn time_limit(&self) -> Option<Duration> {
        self.context.global.time_limit
    }

    /// Returns the number of puzzles requested.
    pub fn count(&self) -> usize {
        self.order.count
    }

    /// Returns the number of attempts so far, and of different puzzles found.
    pub fn progress(&self) -> (u64, usize) {
        self.gathering.as_ref().map_or((0, 0), |gathering| {
            let progress = gathering.progress();
            (progress.attempts, progress.found)
        })
    }

    /// Returns the number of the next attempt and the target length of each attempt of the next round; `None` if the pack is
    /// complete.
    pub fn next_round(&self) -> Option<(u64, Vec<u32>)> {
        self.gathering.as_ref()?.next_round().map(|AttemptRound { first, aims }| (first, aims))
    }

    /// Makes attempts with these target lengths; `first` is the number of the first one. Returns `None` if it was interrupted.
    pub fn attempt(&self, first: u64, aims: &[u32]) -> Result<Option<Vec<u8>>, CommandError> {
        let limits = Limits { cancel: Some(self.context.interrupt.flag()), ..search_limits(&self.context) };
        let mut solver = Solver::new();
        let mut rows = Vec::with_capacity(aims.len());
        for (index, &aim) in (first..).zip(aims) {
            let attempted = attempt(&self.order, aim, index, &mut solver, &limits);
            if attempted.limit.is_some() {
                return Ok(None);
            }
            let text = serde_json::to_string(&attempted).map_err(|error| PartError::Damaged(error.into()));
            rows.push((index, text.map_err(|error| self.context.invalid_part(&error))?));
        }
        let part = WorkPart { head: self.header(), rows };
        part.to_parquet().map(Some).map_err(|error| self.context.invalid_part(&error))
    }

    /// Checks a part with `count` attempts from `first` on. Returns a description of its damage, or `None` if it is valid. Fails
    /// if it belongs to other work.
    pub fn check(&self, first: u64, count: usize, bytes: &[u8]) -> Result<Option<String>, CommandError> {
        self.context.damage(self.read(first, count, bytes))
    }

    /// Adds the results of the next round, in parts: the number of attempts and the bytes of each.
    pub fn take(&mut self, parts: &[(usize, Vec<u8>)]) -> Result<(), CommandError> {
        let mut first = self.progress().0;
        let mut all = Vec::new();
        for (count, bytes) in parts {
            all.extend(self.read(first, *count, bytes).map_err(|error| self.context.invalid_part(&error))?);
            first += *count as u64;
        }
        if let Some(gathering) = &mut self.gathering {
            gathering.take(all);
        }
        Ok(())
    }

    /// Stops because the time limit is reached.
    pub fn stop(&mut self) {
        if let Some(gathering) = &mut self.gathering {
            gathering.stop(Limit::Time);
        }
    }

    /// Writes the pack and prints its summary.
    pub fn finish(&mut self) -> Result<ExitCode, CommandError> {
        let outputs = self.outputs()?;
        let gathering = self.gathering.take().unwrap_or_else(|| PackBuilder::new(self.order.clone()));
        finish(&self.args, &self.order, &gathering.finish(), &outputs, self.started, &self.context)
            .map_err(|failure| self.context.refusal(failure))
    }

    fn outputs(&self) -> Result<Outputs, CommandError> {
        Outputs::check(&self.args.output.out, &self.context).map_err(|failure| self.context.refusal(failure))
    }

    fn read(&self, first: u64, count: usize, bytes: &[u8]) -> Result<Vec<AttemptOutcome>, PartError> {
        let part = WorkPart::from_parquet(bytes, &self.header())?;
        let numbers = part.rows.iter().map(|(number, _)| *number);
        if !numbers.eq(first..first + count as u64) {
            return Err(PartError::Inconsistent(format!("it does not contain the {count} attempts from {first} on")));
        }
        let read =
            |(_, text): &(u64, String)| serde_json::from_str(text).map_err(|error| PartError::Damaged(error.into()));
        part.rows.iter().map(read).collect()
    }

    fn header(&self) -> String {
        let PackRequest { shape, moves, count, seed, levels, effort, patience } = &self.order;
        let limits = search_limits(&self.context);
        let header = PartHeader {
            clearway: concat!("pack ", env!("CARGO_PKG_VERSION")),
            size: (shape.width(), shape.height()),
            exit: shape.side().as_str(),
            line: shape.line(),
            walls: shape.walls(),
            moves: (*moves.start(), *moves.end()),
            count: *count,
            seed: *seed,
            levels,
            effort: *effort,
            patience: *patience,
            node_limit: limits.nodes,
            memory: limits.memory,
        };
        serde_json::to_string(&header).expect("headers are always serialisable")
    }
}
