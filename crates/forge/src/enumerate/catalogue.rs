//! All puzzles of a plan, in order.

use super::{CatalogueEntry, ComponentCounts, EnumerationPlan, Representative, TaskResult};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Puzzles and counts of the completed tasks of a plan.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(super) tasks: BTreeSet<u64>,
    pub(super) tally: ComponentCounts,
    pub(super) puzzles: Vec<CatalogueEntry>,
}

impl Catalogue {
    /// Adds the result of a task, unless it has been added already.
    pub fn add(&mut self, result: TaskResult) {
        if self.tasks.insert(result.task) {
            self.tally.add(&result.tally);
            self.puzzles.extend(result.puzzles);
        }
    }

    /// Returns whether a task is completed.
    pub fn contains_task(&self, task: u64) -> bool {
        self.tasks.contains(&task)
    }

    /// Returns the number of completed tasks.
    pub fn tasks(&self) -> u64 {
        self.tasks.len() as u64
    }

    /// Returns the counts of states and components.
    pub fn tally(&self) -> &ComponentCounts {
        &self.tally
    }

    /// Returns the number of puzzles.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Returns whether there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// Returns the total number of states of the components of all puzzles.
    pub fn states(&self) -> u64 {
        self.puzzles.iter().map(CatalogueEntry::states).fold(0, u64::saturating_add)
    }

    /// Sorts the puzzles by descending length, and those of the same length by their boards, and returns them. The order does not
    /// depend on the order in which they were found.
    pub fn sorted(&mut self) -> &[CatalogueEntry] {
        self.puzzles.sort_unstable_by(|a, b| b.depth().cmp(&a.depth()).then_with(|| a.board.cmp(&b.board)));
        &self.puzzles
    }

    /// Writes the summary as comments, and a line for each puzzle: its moves, its board, and the number of states.
    pub fn write_lines(&mut self, plan: &EnumerationPlan, out: &mut impl Write) -> io::Result<()> {
        for line in self.summary(plan) {
            writeln!(out, "# {line}")?;
        }
        for puzzle in self.sorted() {
            writeln!(out, "{} {} {}", puzzle.moves, puzzle.board, puzzle.states())?;
        }
        Ok(())
    }

    /// Describes the enumeration in a few lines of text.
    pub fn summary(&self, plan: &EnumerationPlan) -> Vec<String> {
        let shape = plan.shape();
        let (width, height, line) = (shape.width(), shape.height(), shape.line());
        let walls = match shape.walls() {
            0 => String::new(),
            1 => ", 1 wall".to_owned(),
            walls => format!(", {walls} walls"),
        };
        let metric = plan.metric().as_str();
        let of = match plan.at_least() {
            0 | 1 => String::new(),
            at_least => format!(", of at least {at_least} {metric}"),
        };
        let which = match plan.representative() {
            Representative::Minimal => "the first minimal one of the hardest boards",
            Representative::First => "the first of the hardest boards",
        };
        let mut lines = vec![
            format!("minimal puzzles of {width}x{height}{walls}, exit {} at line {line}{of}", shape.side().as_str()),
            format!("each {which} of its component, counted in {metric}: moves, board, states"),
        ];
        if self.tasks() < plan.tasks() {
            lines.push(format!("incomplete: {} of {} tasks", self.tasks(), plan.tasks()));
        }
        let hardest = self.puzzles.iter().map(CatalogueEntry::depth).max();
        let deepest = self.tally.components.len().saturating_sub(1);
        if self.is_empty() && plan.at_least() as usize > deepest {
            lines.push(format!("no puzzles: none of these boards needs more than {deepest} {metric}"));
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

    /// Returns, for each depth, the number of puzzles and the number of components.
    pub fn by_depth(&self) -> Vec<(u64, u64)> {
        let mut counts: Vec<(u64, u64)> = self.tally.components.iter().map(|&components| (0, components)).collect();
        for puzzle in &self.puzzles {
            counts[puzzle.depth() as usize].0 += 1;
        }
        counts
    }
}
