//! One thread's work: tasks, one after the other.

use super::components::Components;
use super::hardest::Component;
use super::layers::{Bits, Layers};
use super::layout::Layout;
use super::part::Part;
use super::space::Space;
use super::transitions::Transitions;
use super::{Listed, Plan, Tally};
use clearway_rush::Solver;

/// About the memory that a word of a family takes: its states, its moves, what is found in it.
pub(super) const BYTES_PER_WORD: usize = 320;

/// Larger families gain nothing, and leave the caches.
const MOST_WORDS: usize = 1 << 18;

/// Does tasks of a plan. Its tables are kept from task to task: make one per thread.
#[derive(Debug)]
pub struct Worker<'p> {
    pub(super) plan: &'p Plan,
    /// The placement of the walls whose layout is ready.
    placement: Option<usize>,
    pub(super) family: Family,
    pub(super) solver: Solver,
    words: u64,
    bits: Bits,
}

/// Product spaces that are searched together, and what was found out about them.
#[derive(Debug)]
pub(super) struct Family {
    pub layout: Layout,
    pub space: Space,
    pub transitions: Transitions,
    pub layers: Layers,
    pub components: Components,
}

/// What a task found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Found {
    /// The number of the task.
    pub task: u64,
    /// What it counted.
    pub tally: Tally,
    /// The minimal puzzles.
    pub puzzles: Vec<Listed>,
}

impl<'p> Worker<'p> {
    /// A worker that uses about so many bytes of memory, or as little more as it can.
    pub fn new(plan: &'p Plan, memory: usize) -> Worker<'p> {
        Worker::with_bits(plan, memory, Bits::detect())
    }

    pub(super) fn with_bits(plan: &'p Plan, memory: usize, bits: Bits) -> Worker<'p> {
        let family = Family {
            layout: plan.layout(0),
            space: Space::default(),
            transitions: Transitions::default(),
            layers: Layers::default(),
            components: Components::default(),
        };
        let words = (memory / BYTES_PER_WORD).clamp(1, MOST_WORDS) as u64;
        Worker { plan, placement: Some(0), family, solver: Solver::new(), words, bits }
    }

    /// Does a task, unless it is cancelled.
    pub fn run(&mut self, task: u64, is_cancelled: &dyn Fn() -> bool) -> Option<Found> {
        let (groups, whole) = self.begin(task);
        let mut found = Found { task, ..Found::default() };
        self.work(&groups, &whole, &mut found, is_cancelled)?;
        Some(found)
    }

    /// The group of each row of a task, and the task as one part.
    pub(super) fn begin(&mut self, task: u64) -> (Vec<u8>, Part) {
        let (placement, groups) = self.plan.task(task);
        if self.placement != Some(placement) {
            self.family.layout = self.plan.layout(placement);
            self.placement = Some(placement);
        }
        let whole = Part::whole(&self.family.layout, &groups);
        (groups, whole)
    }

    /// Whether a part is searched at once: it is small enough, or cannot be split.
    pub(super) fn is_family(&self, part: &Part) -> bool {
        part.words <= self.words || part.fixed == self.family.layout.width
    }

    fn work(&mut self, groups: &[u8], part: &Part, found: &mut Found, is_cancelled: &dyn Fn() -> bool) -> Option<()> {
        if self.is_family(part) {
            self.search(groups, part, found);
            return (!is_cancelled()).then_some(());
        }
        for group in 0..part.groups(&self.family.layout) {
            let smaller = part.with_group(&self.family.layout, group);
            self.work(groups, &smaller, found, is_cancelled)?;
        }
        Some(())
    }

    /// Searches a family: a part of a task, whole.
    pub(super) fn search(&mut self, groups: &[u8], part: &Part, found: &mut Found) {
        found.tally.states += part.states;
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
            found.tally.count(component.distance);
        }
        let wanted: Vec<Component> = listed.iter().map(|listed| listed.component).collect();
        let histograms = self.family.histograms(&wanted);
        found.puzzles.extend(listed.iter().zip(histograms).filter_map(|(listed, histogram)| {
            let board = self.family.board(self.plan, listed.state)?;
            Some(Listed::new(&mut self.solver, self.plan.metric(), &board, listed.component.distance, histogram))
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use clearway_rush::{Metric, Side};

    #[test]
    fn every_processor_finds_the_same() {
        let plan = Plan::new(Shape::new(5, 5, Side::Right, None, 0).unwrap(), Metric::Moves, 0).unwrap();
        let mut fastest = Worker::new(&plan, 1 << 24);
        let mut portable = Worker::with_bits(&plan, 1 << 24, Bits::Portable);
        for task in plan.shard(1, 1).unwrap() {
            assert_eq!(fastest.run(task, &|| false), portable.run(task, &|| false));
        }
    }
}
