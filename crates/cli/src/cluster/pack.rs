//! `clearway forge pack` in rounds of attempts.

use super::{forge, open};
use crate::commands::forge::ForgeCommand;
use crate::commands::forge::pack::{PackArgs, finish, order, search_limits};
use crate::commands::forge::pack_output::Outputs;
use crate::output::Context;
use crate::{ExitCode, Interrupt, Refusal};
use clearway_forge::pack::{Attempted, Gathering, Order, Round, attempt};
use clearway_forge::parts::{Part, PartError};
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use serde::Serialize;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// A pack that comes together.
pub struct Pack {
    args: PackArgs,
    context: Context,
    order: Order,
    gathering: Option<Gathering>,
    started: Instant,
}

/// All that attempts depend on.
#[derive(Serialize)]
struct Head<'a> {
    clearway: &'a str,
    size: (u8, u8),
    exit: &'a str,
    line: u8,
    walls: u8,
    moves: (u32, u32),
    count: usize,
    seed: u64,
    effort: u64,
    patience: u64,
    node_limit: Option<u64>,
    memory: Option<usize>,
}

impl Pack {
    /// The pack of a command line.
    pub fn new(words: &[OsString], interrupt: &Interrupt) -> Result<Pack, Refusal> {
        let (command, context) = open(words, interrupt)?;
        let ForgeCommand::Pack(args) = forge(command, words)? else { return Err(super::elsewhere(words)) };
        let order = order(&args, &context).map_err(|failure| context.refusal(failure))?;
        let gathering = Some(Gathering::new(order.clone()));
        Ok(Pack { args, context, order, gathering, started: Instant::now() })
    }

    /// Refuses files that cannot be written.
    pub fn check_outputs(&self) -> Result<(), Refusal> {
        self.outputs().map(drop)
    }

    /// The time that it may take.
    pub fn time_limit(&self) -> Option<Duration> {
        self.context.global.time_limit
    }

    /// How many puzzles are asked for.
    pub fn count(&self) -> usize {
        self.order.count
    }

    /// The attempts made, and the different puzzles found.
    pub fn progress(&self) -> (u64, usize) {
        self.gathering.as_ref().map_or((0, 0), |gathering| {
            let progress = gathering.progress();
            (progress.attempts, progress.found)
        })
    }

    /// The number of the next attempt, and what each of the next ones aims at; nothing if there is enough.
    pub fn next_round(&self) -> Option<(u64, Vec<u32>)> {
        self.gathering.as_ref()?.next_round().map(|Round { first, aims }| (first, aims))
    }

    /// Makes attempts, the first of which has that number. Nothing if it was interrupted.
    pub fn attempt(&self, first: u64, aims: &[u32]) -> Result<Option<Vec<u8>>, Refusal> {
        let limits = Limits { cancel: Some(self.context.interrupt.flag()), ..search_limits(&self.context) };
        let mut solver = Solver::new();
        let mut rows = Vec::with_capacity(aims.len());
        for (index, &aim) in (first..).zip(aims) {
            let attempted = attempt(&self.order, aim, index, &mut solver, &limits);
            if attempted.limit.is_some() {
                return Ok(None);
            }
            let text = serde_json::to_string(&attempted).map_err(|error| PartError::Broken(error.to_string()));
            rows.push((index, text.map_err(|error| self.context.unfit(&error))?));
        }
        let part = Part { head: self.head(), rows };
        part.to_parquet().map(Some).map_err(|error| self.context.unfit(&error))
    }

    /// Refuses a file that does not hold so many attempts from that one on. If it is one that was damaged, says how.
    pub fn check(&self, first: u64, count: usize, bytes: &[u8]) -> Result<Option<String>, Refusal> {
        self.context.damage(self.read(first, count, bytes))
    }

    /// Takes what came of the next round, in pieces: how many attempts each has, and its bytes.
    pub fn take(&mut self, pieces: &[(usize, Vec<u8>)]) -> Result<(), Refusal> {
        let mut first = self.progress().0;
        let mut all = Vec::new();
        for (count, bytes) in pieces {
            all.extend(self.read(first, *count, bytes).map_err(|error| self.context.unfit(&error))?);
            first += *count as u64;
        }
        if let Some(gathering) = &mut self.gathering {
            gathering.take(all);
        }
        Ok(())
    }

    /// Gives up, since the time is up.
    pub fn stop(&mut self) {
        if let Some(gathering) = &mut self.gathering {
            gathering.stop(Limit::Time);
        }
    }

    /// Writes the pack and tells what is in it.
    pub fn finish(&mut self) -> Result<ExitCode, Refusal> {
        let outputs = self.outputs()?;
        let gathering = self.gathering.take().unwrap_or_else(|| Gathering::new(self.order.clone()));
        finish(&self.args, &self.order, &gathering.finish(), &outputs, self.started, &self.context)
            .map_err(|failure| self.context.refusal(failure))
    }

    fn outputs(&self) -> Result<Outputs, Refusal> {
        Outputs::check(&self.args.out, &self.context).map_err(|failure| self.context.refusal(failure))
    }

    fn read(&self, first: u64, count: usize, bytes: &[u8]) -> Result<Vec<Attempted>, PartError> {
        let part = Part::from_parquet(bytes, &self.head())?;
        let numbers = part.rows.iter().map(|(number, _)| *number);
        if !numbers.eq(first..first + count as u64) {
            return Err(PartError::Senseless(format!("it does not hold the {count} attempts from {first} on")));
        }
        let read = |(_, text): &(u64, String)| {
            serde_json::from_str(text).map_err(|error| PartError::Broken(error.to_string()))
        };
        part.rows.iter().map(read).collect()
    }

    fn head(&self) -> String {
        let Order { shape, moves, count, seed, effort, patience } = &self.order;
        let limits = search_limits(&self.context);
        let head = Head {
            clearway: concat!("pack ", env!("CARGO_PKG_VERSION")),
            size: (shape.width(), shape.height()),
            exit: shape.side().word(),
            line: shape.line(),
            walls: shape.walls(),
            moves: (*moves.start(), *moves.end()),
            count: *count,
            seed: *seed,
            effort: *effort,
            patience: *patience,
            node_limit: limits.nodes,
            memory: limits.memory,
        };
        serde_json::to_string(&head).expect("a head holds nothing that JSON cannot express")
    }
}
