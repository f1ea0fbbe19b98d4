//! Searches random samples of tasks, to estimate the cost of all tasks.
//!
//! A task may be too large to be searched, or even to be split completely. So one of its families is sampled: wherever the task
//! is split, one of the parts is chosen with a probability proportional to its words. Dividing the counts of the family by its
//! probability gives an unbiased estimate for the whole task, and the same holds for the time of each split. The variance of the
//! samples shows how accurate the estimate is.

use super::EnumerationPlan;
use super::part::TaskPart;
use super::worker::{TaskResult, Worker};
use crate::Rng;
use rand::RngExt;

/// Samples families of the tasks of a plan. Its tables are reused for the next sample.
#[derive(Debug)]
pub struct Probe<'p> {
    worker: Worker<'p>,
}

/// Sampled family with the result of its search.
#[derive(Clone, Debug)]
pub struct SampledFamily {
    /// Probability with which it was chosen from its task.
    pub probability: f64,
    /// Number of columns with one group.
    pub fixed: usize,
    /// Number of blocks: combinations of row configurations.
    pub blocks: u64,
    /// Number of words.
    pub words: u64,
    /// Number of states.
    pub states: u64,
    /// Puzzles and counts of the family.
    pub result: TaskResult,
    /// Number of states of each component with a solution.
    pub components: Vec<u64>,
    /// Time of the search, in seconds.
    pub search: f64,
    /// Estimated time to split the whole task, in seconds.
    pub splitting: f64,
}

impl<'p> Probe<'p> {
    /// Creates a probe whose families have the size of those of a worker with `memory` bytes.
    pub fn new(plan: &'p EnumerationPlan, memory: usize) -> Probe<'p> {
        Probe { worker: Worker::new(plan, memory) }
    }

    /// Samples a family of a task, and searches it. `clock` returns the time in seconds.
    pub fn draw(&mut self, task: u64, rng: &mut Rng, clock: impl Fn() -> f64) -> SampledFamily {
        let mut start = clock();
        let (groups, mut part) = self.worker.prepare(task);
        let (mut probability, mut splitting) = (1.0, clock() - start);
        while !self.worker.is_family(&part) {
            start = clock();
            let (drawn, words) = self.draw_part(&part, rng);
            splitting += (clock() - start) / probability;
            probability *= drawn.words as f64 / words as f64;
            part = drawn;
        }
        let mut result = TaskResult { task, ..TaskResult::default() };
        start = clock();
        self.worker.search_family(&groups, &part, &mut result);
        let search = clock() - start;
        let components = if result.tally.components.is_empty() { Vec::new() } else { self.component_sizes() };
        let TaskPart { fixed, all_rows, words, states, .. } = part;
        let blocks = all_rows.len() as u64;
        SampledFamily { probability, fixed, blocks, words, states, result, components, search, splitting }
    }

    /// Returns the number of states of each component with a solution in the family that was searched last.
    fn component_sizes(&self) -> Vec<u64> {
        let family = &self.worker.family;
        family.histograms(&family.hardest(|_, _, _| ())).iter().map(|histogram| histogram.iter().sum()).collect()
    }

    /// Chooses one of the parts that a part is split into, and returns it with the total number of their words.
    fn draw_part(&self, part: &TaskPart, rng: &mut Rng) -> (TaskPart, u64) {
        let layout = &self.worker.family.layout;
        let mut drawn = part.with_group(layout, 0);
        let mut words = drawn.words;
        for group in 1..part.groups(layout) {
            let other = part.with_group(layout, group);
            words += other.words;
            // Reservoir sampling: each part replaces the previous choice with the right probability.
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

    fn plan(side: u8, walls: u8) -> EnumerationPlan {
        EnumerationPlan::new(Shape::new(side, side, Side::Right, None, walls).unwrap(), Metric::Moves, 0).unwrap()
    }

    #[test]
    fn sizes_agree_with_the_search() {
        for (side, walls) in [(4, 0), (5, 0), (4, 2)] {
            let plan = plan(side, walls);
            let mut worker = Worker::new(&plan, 1 << 24);
            for (task, states) in (0..).zip(plan.sizes()) {
                assert_eq!(worker.run(task, &|| false).unwrap().tally.states, states, "task {task}");
            }
        }
    }

    #[test]
    fn samples_of_whole_tasks_add_up_to_the_catalogue() {
        let plan = plan(5, 0);
        let mut probe = Probe::new(&plan, 1 << 24);
        let samples: Vec<SampledFamily> =
            (0..plan.tasks()).map(|task| probe.draw(task, &mut rng::stream(1, task), || 0.0)).collect();
        assert!(samples.iter().all(|sample| sample.probability >= 1.0 && sample.fixed == 0));
        let sum = |value: &dyn Fn(&SampledFamily) -> u64| samples.iter().map(value).sum::<u64>();
        assert_eq!(sum(&|sample| sample.states), 6_795_364);
        assert_eq!(sum(&|sample| sample.result.tally.solvable()), 62_106);
        assert_eq!(sum(&|sample| sample.components.len() as u64), 62_106);
    }

    #[test]
    fn samples_of_a_split_task_give_an_unbiased_estimate() {
        let plan = plan(5, 0);
        let largest = (0..).zip(plan.sizes()).max_by_key(|&(_, states)| states).unwrap();
        let truth = Worker::new(&plan, 1 << 24).run(largest.0, &|| false).unwrap();
        // So little memory that the task has to be split.
        let mut probe = Probe::new(&plan, 1 << 16);
        let draws = 2000;
        let (mut states, mut components, mut split) = (0.0, 0.0, 0);
        for number in 0..draws {
            let sample = probe.draw(largest.0, &mut rng::stream(1, number), || 0.0);
            split += u64::from(sample.fixed > 0);
            states += sample.states as f64 / sample.probability / draws as f64;
            components += sample.result.tally.solvable() as f64 / sample.probability / draws as f64;
        }
        assert_eq!(split, draws);
        let is_near = |estimate: f64, truth: u64| (estimate / truth as f64 - 1.0).abs() < 0.05;
        assert!(is_near(states, truth.tally.states), "{states} states, {:?}", truth.tally);
        assert!(is_near(components, truth.tally.solvable()), "{components} components, {:?}", truth.tally);
    }
}
