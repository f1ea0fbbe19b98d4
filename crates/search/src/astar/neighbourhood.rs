//! Improvement of a plan by expanding the states around it, after Nakhost and Müller's plan neighbourhood graph search.
//!
//! A round expands states breadth-first from all states of the plan at once. The shortest path through all expanded states, those
//! of the search before among them, then becomes the plan of the next round. While that helps, a round only visits states whose
//! variables have values that occur in the plan: few states, but all ways to rearrange the plan, to join its moves and to do
//! without some of them. When it no longer helps, a last round visits all states.

use crate::Domain;

/// The states that a round visits.
pub(super) struct Neighbourhood {
    /// States to expand, in the order in which they were reached.
    queue: Vec<u32>,
    /// Index of the next state in `queue`.
    next: usize,
    /// By node: the number of the last round that reached it.
    reached: Vec<u32>,
    round: u32,
    /// By variable: the set of values that occur in the plan. `None` if all values are allowed.
    values: Option<Vec<[u64; 4]>>,
    /// Number of states that may still be expanded.
    budget: u64,
    /// Number of those that the current round may expand.
    budget_of_round: u64,
}

impl Neighbourhood {
    /// Creates a neighbourhood in which at most `budget` states are expanded. It has no states before the first round.
    pub fn new(budget: u64) -> Self {
        Neighbourhood {
            queue: Vec::new(),
            next: 0,
            reached: Vec::new(),
            round: 0,
            values: None,
            budget,
            budget_of_round: 0,
        }
    }

    /// Starts a round from the states of a plan, given with their numbers. A round that is not the last leaves half of the budget
    /// to the rounds after it. Returns false if no state may be expanded.
    pub fn start_round<D: Domain>(&mut self, domain: &D, plan: &[(u32, D::State)], is_last: bool) -> bool {
        self.budget_of_round = if is_last { self.budget } else { self.budget / 2 };
        self.round += 1;
        self.queue.clear();
        self.next = 0;
        self.values = None;
        if !is_last {
            let (mut allowed, mut values) = (Vec::new(), Vec::new());
            for (_, state) in plan {
                values.clear();
                domain.variables(state, &mut values);
                allowed.resize(values.len(), [0; 4]);
                for (set, &value) in allowed.iter_mut().zip(&values) {
                    set[usize::from(value >> 6)] |= 1 << (value & 63);
                }
            }
            self.values = Some(allowed);
        }
        for &(number, _) in plan {
            self.reach(number);
        }
        self.budget_of_round > 0
    }

    /// Whether the current round is the last one, which visits all states.
    pub fn is_last_round(&self) -> bool {
        self.values.is_none()
    }

    /// Whether a move between states with these values of their variables stays in the neighbourhood.
    pub fn allows(&self, before: &[u8], after: &[u8]) -> bool {
        let Some(sets) = &self.values else { return true };
        let mut changed = before.iter().zip(after).zip(sets).filter(|((before, after), _)| before != after);
        changed.all(|((_, &value), set)| set[usize::from(value >> 6)] >> (value & 63) & 1 == 1)
    }

    /// Adds a state to the states to expand, unless this round has reached it before.
    pub fn reach(&mut self, number: u32) {
        let index = number as usize;
        if self.reached.len() <= index {
            self.reached.resize(index + 1, 0);
        }
        if self.reached[index] != self.round {
            self.reached[index] = self.round;
            self.queue.push(number);
        }
    }

    /// Returns the next state to expand in this round.
    pub fn next(&mut self) -> Option<u32> {
        if self.budget_of_round == 0 {
            return None;
        }
        let number = *self.queue.get(self.next)?;
        self.next += 1;
        self.budget -= 1;
        self.budget_of_round -= 1;
        Some(number)
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        let values = self.values.as_ref().map_or(0, |values| values.capacity() * size_of::<[u64; 4]>());
        (self.queue.capacity() + self.reached.capacity()) * size_of::<u32>() + values
    }
}

#[cfg(test)]
mod tests {
    use crate::astar::{AStar, AStarOptions};
    use crate::pancakes::{Gaps, Pancakes};
    use crate::{Limits, Verdict, run};

    #[test]
    fn the_plan_becomes_shorter_and_counts_stay_within_the_budget() {
        let (mut before, mut after) = (0, 0);
        for stack in [[3, 1, 4, 2, 6, 5, 7], [7, 2, 5, 1, 6, 3, 4], [2, 7, 4, 1, 6, 3, 5]] {
            let domain = Pancakes::new(&stack).unwrap();
            let solve = |neighbourhood| {
                let options = AStarOptions { greedy: true, reopen: false, neighbourhood, ..AStarOptions::default() };
                let outcome = run(&mut AStar::new(&domain, Reversed, options), &Limits::default());
                assert_eq!(outcome.verdict, Verdict::Solved);
                (outcome.solution.unwrap().len(), outcome.statistics.expanded)
            };
            let optimum = run(&mut AStar::new(&domain, Gaps, AStarOptions::default()), &Limits::default());
            let ((plain, expanded), (improved, expanded_in_all)) = (solve(0), solve(400));
            assert!(improved <= plain && improved >= optimum.solution.unwrap().len());
            assert!((expanded..=expanded + 400).contains(&expanded_in_all));
            (before, after) = (before + plain, after + improved);
        }
        assert!(after < before, "{after} of {before} moves");
    }

    /// A misleading estimate.
    struct Reversed;

    impl crate::Heuristic<Pancakes> for Reversed {
        fn estimate(&mut self, domain: &Pancakes, node: &crate::Node<'_, Pancakes>) -> f64 {
            10.0 - crate::Heuristic::estimate(&mut Gaps, domain, node)
        }
    }
}
