//! All puzzles that were found, in order.

use super::{Found, Listed, Plan, Representative, Tally};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The puzzles of a plan, and what was counted; of all its tasks, or of those that were done.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(super) tasks: BTreeSet<u64>,
    pub(super) tally: Tally,
    pub(super) puzzles: Vec<Listed>,
}

impl Catalogue {
    /// Adds what a task found, unless it is there already.
    pub fn add(&mut self, found: Found) {
        if self.tasks.insert(found.task) {
            self.tally.add(&found.tally);
            self.puzzles.extend(found.puzzles);
        }
    }

    /// Whether a task is done.
    pub fn has(&self, task: u64) -> bool {
        self.tasks.contains(&task)
    }

    /// The number of tasks that are done.
    pub fn tasks(&self) -> u64 {
        self.tasks.len() as u64
    }

    /// What was counted.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The number of puzzles.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// The states of all puzzles together.
    pub fn states(&self) -> u64 {
        self.puzzles.iter().map(Listed::states).fold(0, u64::saturating_add)
    }

    /// The puzzles, the hardest first; those of one length by their boards. The order does not depend on that in which
    /// they were found.
    pub fn sorted(&mut self) -> &[Listed] {
        self.puzzles.sort_unstable_by(|a, b| b.depth().cmp(&a.depth()).then_with(|| a.board.cmp(&b.board)));
        &self.puzzles
    }

    /// Writes a line for every puzzle: its moves, its board, and the states of its component.
    pub fn write_lines(&mut self, plan: &Plan, out: &mut impl Write) -> io::Result<()> {
        for line in self.summary(plan) {
            writeln!(out, "# {line}")?;
        }
        for puzzle in self.sorted() {
            writeln!(out, "{} {} {}", puzzle.moves, puzzle.board, puzzle.states())?;
        }
        Ok(())
    }

    /// What was enumerated, in words.
    pub fn summary(&self, plan: &Plan) -> Vec<String> {
        let shape = plan.shape();
        let (width, height, line) = (shape.width(), shape.height(), shape.line());
        let walls = match shape.walls() {
            0 => String::new(),
            1 => ", 1 wall".to_owned(),
            walls => format!(", {walls} walls"),
        };
        let metric = plan.metric().word();
        let of = match plan.at_least() {
            0 | 1 => String::new(),
            at_least => format!(", of at least {at_least} {metric}"),
        };
        let which = match plan.representative() {
            Representative::Minimal => "the first minimal one of the hardest boards",
            Representative::First => "the first of the hardest boards",
        };
        let mut lines = vec![
            format!("minimal puzzles of {width}x{height}{walls}, exit {} at line {line}{of}", shape.side().word()),
            format!("each {which} of its component, counted in {metric}: moves, board, states"),
        ];
        if self.tasks() < plan.tasks() {
            lines.push(format!("incomplete: {} of {} tasks", self.tasks(), plan.tasks()));
        }
        let hardest = self.puzzles.iter().map(Listed::depth).max();
        let deepest = self.tally.components.len().saturating_sub(1);
        if self.is_empty() && plan.at_least() as usize > deepest {
            lines.push(format!("there is none: no board of these needs more than {deepest} {metric}"));
        }
        lines.push(format!(
            "{} components with a solution, {} minimal puzzles with {} states{}",
            self.tally.solvable(),
            self.len(),
            self.states(),
            hardest.map_or(String::new(), |depth| format!(", the hardest {depth} {metric}"))
        ));
        lines
    }

    /// For every length, the puzzles and the components that have it as their depth.
    pub fn by_depth(&self) -> Vec<(u64, u64)> {
        let mut counts: Vec<(u64, u64)> = self.tally.components.iter().map(|&components| (0, components)).collect();
        for puzzle in &self.puzzles {
            counts[puzzle.depth() as usize].0 += 1;
        }
        counts
    }
}
