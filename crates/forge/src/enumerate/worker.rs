//! Runs tasks on one thread.

use super::bit_layout::BitLayout;
use super::components::Components;
use super::hardest::SolvableComponent;
use super::layers::{BitOperations, DistanceLayers};
use super::part::TaskPart;
use super::space::Space;
use super::transitions::Transitions;
use super::{CatalogueEntry, ComponentCounts, EnumerationPlan};
use clearway_rush::Solver;

/// Approximate memory per word of a family: for its states, its moves, and the results.
pub(super) const BYTES_PER_WORD: usize = 320;

/// Maximum number of words of a family. Larger families are not faster, and do not fit into the caches.
const MAX_WORDS: usize = 1 << 18;

/// Runs tasks of a plan. Its tables are reused for the next task, so create one worker per thread.
#[derive(Debug)]
pub struct Worker<'p> {
    pub(super) plan: &'p EnumerationPlan,
    /// Placement of the walls in the current layout.
    placement: Option<usize>,
    pub(super) family: Family,
    pub(super) solver: Solver,
    /// Maximum number of words of a family that can be split.
    max_words: u64,
    bits: BitOperations,
}

/// Product spaces that are searched together, with the results of the search.
#[derive(Debug)]
pub(super) struct Family {
    pub layout: BitLayout,
    pub space: Space,
    pub transitions: Transitions,
    pub layers: DistanceLayers,
    pub components: Components,
}

/// Result of a task, as it is logged and sent between machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TaskResult {
    /// Number of the task.
    pub task: u64,
    /// Counts of states and components.
    pub tally: ComponentCounts,
    /// Minimal puzzles found.
    pub puzzles: Vec<CatalogueEntry>,
}

impl<'p> Worker<'p> {
    /// Creates a worker that uses about `memory` bytes. It uses more for a family that is larger and cannot be split.
    pub fn new(plan: &'p EnumerationPlan, memory: usize) -> Worker<'p> {
        Worker::with_bit_operations(plan, memory, BitOperations::detect())
    }

    pub(super) fn with_bit_operations(plan: &'p EnumerationPlan, memory: usize, bits: BitOperations) -> Worker<'p> {
        let family = Family {
            layout: plan.layout(0),
            space: Space::default(),
            transitions: Transitions::default(),
            layers: DistanceLayers::default(),
            components: Components::default(),
        };
        let max_words = (memory / BYTES_PER_WORD).clamp(1, MAX_WORDS) as u64;
        Worker { plan, placement: Some(0), family, solver: Solver::new(), max_words, bits }
    }

    /// Runs a task. Returns None if it is cancelled.
    pub fn run(&mut self, task: u64, is_cancelled: &dyn Fn() -> bool) -> Option<TaskResult> {
        let (groups, whole) = self.prepare(task);
        let mut result = TaskResult { task, ..TaskResult::default() };
        self.search_part(&groups, &whole, &mut result, is_cancelled)?;
        Some(result)
    }

    /// Prepares the layout for a task. Returns the group of each row, and the task as one part.
    pub(super) fn prepare(&mut self, task: u64) -> (Vec<u8>, TaskPart) {
        let (placement, groups) = self.plan.task(task);
        if self.placement != Some(placement) {
            self.family.layout = self.plan.layout(placement);
            self.placement = Some(placement);
        }
        let whole = TaskPart::whole(&self.family.layout, &groups);
        (groups, whole)
    }

    /// Returns whether a part is searched as one family: it is small enough, or cannot be split.
    pub(super) fn is_family(&self, part: &TaskPart) -> bool {
        part.words <= self.max_words || part.fixed == self.family.layout.width
    }

    /// Searches a part of a task, split into families. Returns None if this is cancelled.
    fn search_part(
        &mut self,
        groups: &[u8],
        part: &TaskPart,
        result: &mut TaskResult,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<()> {
        if self.is_family(part) {
            self.search_family(groups, part, result);
            return (!is_cancelled()).then_some(());
        }
        for group in 0..part.groups(&self.family.layout) {
            let smaller = part.with_group(&self.family.layout, group);
            self.search_part(groups, &smaller, result, is_cancelled)?;
        }
        Some(())
    }

    /// Searches a part of a task as one family, and adds its puzzles and counts to the result.
    pub(super) fn search_family(&mut self, groups: &[u8], part: &TaskPart, result: &mut TaskResult) {
        result.tally.states += part.states;
        let family = &mut self.family;
        family.space.build(&family.layout, groups, &part.choices, &part.all_rows);
        if !family.space.blocks.iter().any(|block| block.is_goal) {
            return;
        }
        family.transitions.build(&family.layout, &family.space);
        family.layers.search(&family.space, &family.transitions, self.bits);
        family.components.find_all(&family.layout, &family.space);
        let (components, listed) = self.components();
        for component in &components {
            result.tally.count(component.distance);
        }
        let wanted: Vec<SolvableComponent> = listed.iter().map(|listed| listed.component).collect();
        let histograms = self.family.histograms(&wanted);
        result.puzzles.extend(listed.iter().zip(histograms).filter_map(|(listed, histogram)| {
            let board = self.family.board(self.plan, listed.state)?;
            Some(CatalogueEntry::new(
                &mut self.solver,
                self.plan.metric(),
                &board,
                listed.component.distance,
                histogram,
            ))
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use clearway_rush::{Metric, Side};

    #[test]
    fn all_bit_operations_give_the_same_results() {
        let plan = EnumerationPlan::new(Shape::new(5, 5, Side::Right, None, 0).unwrap(), Metric::Moves, 0).unwrap();
        let mut fastest = Worker::new(&plan, 1 << 24);
        let mut portable = Worker::with_bit_operations(&plan, 1 << 24, BitOperations::Portable);
        for task in plan.shard(1, 1).unwrap() {
            assert_eq!(fastest.run(task, &|| false), portable.run(task, &|| false));
        }
    }
}
