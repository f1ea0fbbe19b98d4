//! Parts of tasks drawn at random, and searched: what all would cost can be learned from a few.
//!
//! A task may be too large to be searched, even to be split. So one family of it is drawn: wherever the task is split,
//! one of the parts is taken, with a probability in proportion to its words. The family stands for the whole task if what
//! is counted in it is divided by its probability, and so does each split on the way. The mean of such draws is the
//! true total, whatever the task looks like; how far they scatter tells how well it is known.

use super::Plan;
use super::part::Part;
use super::worker::{Found, Worker};
use crate::Rng;
use rand::RngExt;

/// Draws families of a plan's tasks. Its tables are kept from draw to draw, as those of a run are.
#[derive(Debug)]
pub struct Probe<'p> {
    worker: Worker<'p>,
}

/// A family that was drawn and searched.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// How probable it was to be drawn from its task.
    pub share: f64,
    /// The number of columns that had one group each, by then.
    pub fixed: usize,
    /// The number of configurations of its rows.
    pub blocks: u64,
    /// The number of its words.
    pub words: u64,
    /// The number of its states.
    pub states: u64,
    /// What was found in it.
    pub found: Found,
    /// The states of every component with a solution.
    pub components: Vec<u64>,
    /// How long the search took, in seconds.
    pub search: f64,
    /// How long it would take to split the whole task, by what was split on the way: in seconds.
    pub splitting: f64,
}

impl<'p> Probe<'p> {
    /// A probe whose families are those of a thread with so many bytes of memory.
    pub fn new(plan: &'p Plan, memory: usize) -> Probe<'p> {
        Probe { worker: Worker::new(plan, memory) }
    }

    /// Draws a family of a task, and searches it. A clock tells the time, in seconds.
    pub fn draw(&mut self, task: u64, rng: &mut Rng, clock: impl Fn() -> f64) -> Drawn {
        let mut begin = clock();
        let (groups, mut part) = self.worker.begin(task);
        let (mut share, mut splitting) = (1.0, clock() - begin);
        while !self.worker.is_family(&part) {
            begin = clock();
            let (drawn, words) = self.draw_part(&part, rng);
            splitting += (clock() - begin) / share;
            share *= drawn.words as f64 / words as f64;
            part = drawn;
        }
        let mut found = Found { task, ..Found::default() };
        begin = clock();
        self.worker.search(&groups, &part, &mut found);
        let search = clock() - begin;
        let components = if found.tally.components.is_empty() { Vec::new() } else { self.component_sizes() };
        let Part { fixed, all_rows, words, states, .. } = part;
        Drawn { share, fixed, blocks: all_rows.len() as u64, words, states, found, components, search, splitting }
    }

    /// The states of every component with a solution in the family that was searched last.
    fn component_sizes(&self) -> Vec<u64> {
        let family = &self.worker.family;
        family.histograms(&family.hardest(|_, _, _| ())).iter().map(|histogram| histogram.iter().sum()).collect()
    }

    /// One of the parts that a part is split into, and the words of all.
    fn draw_part(&self, part: &Part, rng: &mut Rng) -> (Part, u64) {
        let layout = &self.worker.family.layout;
        let mut drawn = part.with_group(layout, 0);
        let mut words = drawn.words;
        for group in 1..part.groups(layout) {
            let other = part.with_group(layout, group);
            words += other.words;
            // Each part takes the place of those before it as often as it should.
            if words > 0 && rng.random_range(0..words) < other.words {
                drawn = other;
            }
        }
        (drawn, words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, rng};
    use clearway_rush::{Metric, Side};

    fn plan(side: u8, walls: u8) -> Plan {
        Plan::new(Shape::new(side, side, Side::Right, None, walls).unwrap(), Metric::Moves, 0).unwrap()
    }

    #[test]
    fn sizes_are_what_the_search_counts() {
        for (side, walls) in [(4, 0), (5, 0), (4, 2)] {
            let plan = plan(side, walls);
            let mut worker = Worker::new(&plan, 1 << 24);
            for (task, states) in (0..).zip(plan.sizes()) {
                assert_eq!(worker.run(task, &|| false).unwrap().tally.states, states, "task {task}");
            }
        }
    }

    #[test]
    fn draws_of_whole_tasks_add_up_to_the_catalogue() {
        let plan = plan(5, 0);
        let mut probe = Probe::new(&plan, 1 << 24);
        let drawn: Vec<Drawn> =
            (0..plan.tasks()).map(|task| probe.draw(task, &mut rng::stream(1, task), || 0.0)).collect();
        assert!(drawn.iter().all(|drawn| drawn.share >= 1.0 && drawn.fixed == 0));
        let sum = |of: &dyn Fn(&Drawn) -> u64| drawn.iter().map(of).sum::<u64>();
        assert_eq!(sum(&|drawn| drawn.states), 6_795_364);
        assert_eq!(sum(&|drawn| drawn.found.tally.solvable()), 62_106);
        assert_eq!(sum(&|drawn| drawn.components.len() as u64), 62_106);
    }

    #[test]
    fn a_few_families_stand_for_a_task_that_is_split() {
        let plan = plan(5, 0);
        let largest = (0..).zip(plan.sizes()).max_by_key(|&(_, states)| states).unwrap();
        let truth = Worker::new(&plan, 1 << 24).run(largest.0, &|| false).unwrap();
        // So little memory that the task has to be split.
        let mut probe = Probe::new(&plan, 1 << 16);
        let draws = 2000;
        let (mut states, mut components, mut split) = (0.0, 0.0, 0);
        for number in 0..draws {
            let drawn = probe.draw(largest.0, &mut rng::stream(1, number), || 0.0);
            split += u64::from(drawn.fixed > 0);
            states += drawn.states as f64 / drawn.share / draws as f64;
            components += drawn.found.tally.solvable() as f64 / drawn.share / draws as f64;
        }
        assert_eq!(split, draws);
        let is_near = |estimate: f64, truth: u64| (estimate / truth as f64 - 1.0).abs() < 0.05;
        assert!(is_near(states, truth.tally.states), "{states} states, {:?}", truth.tally);
        assert!(is_near(components, truth.tally.solvable()), "{components} components, {:?}", truth.tally);
    }
}
