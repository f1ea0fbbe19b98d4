//! Improvement of a plan by expanding the states around it, after Nakhost and Müller's plan neighbourhood graph search.
//!
//! A round expands states breadth-first from all states of the plan at once. The shortest path through all expanded states, those
//! of the search before among them, then becomes the plan of the next round. While that helps, a round only visits states whose
//! variables have values that occur in the plan: few states, but all ways to rearrange the plan, to join its moves and to do
//! without some of them. When it no longer helps, a last round visits all states.

use crate::search_space::SearchSpace;
use crate::successor_graph::SuccessorGraph;
use crate::{Domain, SearchStatistics};

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
    /// Scratch: the variables of the expanded state, and of its successor.
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Neighbourhood {
    /// Creates a neighbourhood in which at most `budget` states are expanded; `None` if that is 0.
    pub fn new(budget: u64) -> Option<Self> {
        (budget > 0).then(|| Neighbourhood {
            queue: Vec::new(),
            next: 0,
            reached: Vec::new(),
            round: 0,
            values: None,
            budget,
            budget_of_round: 0,
            before: Vec::new(),
            after: Vec::new(),
        })
    }

    /// Expands one state around the plan or, at the end of a round, replaces the plan by a shorter one. Returns whether nothing is
    /// left to do. All states of the plan are in `space`.
    pub fn step<D: Domain>(
        &mut self,
        domain: &D,
        space: &mut SearchSpace<D>,
        graph: &mut SuccessorGraph,
        plan: &mut Vec<D::Move>,
        statistics: &mut SearchStatistics,
    ) -> bool {
        if self.round == 0 {
            return !self.start_round(domain, space, plan, false);
        }
        let Some(number) = self.next() else {
            let shorter = graph.shortcut(domain, space, plan.len());
            let is_improved = shorter.is_some();
            if let Some(shorter) = shorter {
                *plan = shorter;
            }
            let goes_on = !self.is_last_round()
                && (is_improved && self.start_round(domain, space, plan, false)
                    || self.start_round(domain, space, plan, true));
            return !goes_on;
        };
        let mut state = domain.state(space.get(number).key);
        if !domain.is_goal(&state) {
            statistics.expanded += 1;
            self.expand(domain, space, graph, number, &mut state, statistics);
        }
        false
    }

    /// Generates the successors of a state that are in the neighbourhood.
    fn expand<D: Domain>(
        &mut self,
        domain: &D,
        space: &mut SearchSpace<D>,
        graph: &mut SuccessorGraph,
        number: u32,
        state: &mut D::State,
        statistics: &mut SearchStatistics,
    ) {
        let g = space.get(number).g;
        let mut moves = Vec::new();
        domain.moves(state, &mut moves);
        self.before.clear();
        domain.variables(state, &mut self.before);
        for mv in moves {
            domain.apply(state, mv);
            self.after.clear();
            domain.variables(state, &mut self.after);
            if self.allows() {
                statistics.generated += 1;
                let (child, is_new) = space.insert(domain.key(state), number, g + 1, Some(mv));
                if !is_new {
                    statistics.duplicates += 1;
                } else if domain.is_goal(state) {
                    graph.add_goal(child);
                }
                graph.add_edge(number, child);
                self.reach(child);
            }
            domain.undo(state, mv);
        }
    }

    /// Starts a round from the states of a plan. A round that is not the last leaves half of the budget to the rounds after it.
    /// Returns false if no state may be expanded.
    fn start_round<D: Domain>(&mut self, domain: &D, space: &SearchSpace<D>, plan: &[D::Move], is_last: bool) -> bool {
        let mut state = domain.start();
        let mut states = vec![(0, state.clone())];
        for &mv in plan {
            domain.apply(&mut state, mv);
            states.extend(space.number(&domain.key(&state)).map(|number| (number, state.clone())));
        }
        self.budget_of_round = if is_last { self.budget } else { self.budget / 2 };
        self.round += 1;
        self.queue.clear();
        self.next = 0;
        self.values = None;
        if !is_last {
            let (mut allowed, mut values) = (Vec::new(), Vec::new());
            for (_, state) in &states {
                values.clear();
                domain.variables(state, &mut values);
                allowed.resize(values.len(), [0; 4]);
                for (set, &value) in allowed.iter_mut().zip(&values) {
                    set[usize::from(value >> 6)] |= 1 << (value & 63);
                }
            }
            self.values = Some(allowed);
        }
        for &(number, _) in &states {
            self.reach(number);
        }
        self.budget_of_round > 0
    }

    /// Whether the current round is the last one, which visits all states.
    fn is_last_round(&self) -> bool {
        self.values.is_none()
    }

    /// Whether the move between the states with the variables `before` and `after` stays in the neighbourhood.
    fn allows(&self) -> bool {
        let Some(sets) = &self.values else { return true };
        let mut changed = self.before.iter().zip(&self.after).zip(sets).filter(|((before, after), _)| before != after);
        changed.all(|((_, &value), set)| set[usize::from(value >> 6)] >> (value & 63) & 1 == 1)
    }

    /// Adds a state to the states to expand, unless this round has reached it before.
    fn reach(&mut self, number: u32) {
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
    fn next(&mut self) -> Option<u32> {
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
    use crate::{Domain, Limit, Limits, Verdict, run};

    #[test]
    fn the_plan_becomes_shorter_and_counts_stay_within_the_budget() {
        let (mut before, mut after) = (0, 0);
        for (stack, deferred) in STACKS.into_iter().flat_map(|stack| [(stack, false), (stack, true)]) {
            let domain = Pancakes::new(&stack).unwrap();
            let solve = |neighbourhood| {
                let options = AStarOptions { deferred, neighbourhood, ..greedy() };
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

    #[test]
    fn a_limit_keeps_the_plan_so_far() {
        for (stack, deferred) in STACKS.into_iter().flat_map(|stack| [(stack, false), (stack, true)]) {
            let domain = Pancakes::new(&stack).unwrap();
            let solve = |neighbourhood, nodes| {
                let options = AStarOptions { deferred, neighbourhood, ..greedy() };
                run(&mut AStar::new(&domain, Reversed, options), &Limits { nodes, ..Limits::default() })
            };
            let plain = solve(0, None);
            let limited = solve(400, Some(plain.statistics.expanded + 10));
            assert_eq!(limited.verdict, Verdict::Limit(Limit::Nodes));
            let plan = limited.solution.unwrap();
            assert!(plan.len() <= plain.solution.unwrap().len());
            let mut state = domain.start();
            for &mv in &plan {
                domain.apply(&mut state, mv);
            }
            assert!(domain.is_goal(&state));
        }
    }

    const STACKS: [[u8; 7]; 3] = [[3, 1, 4, 2, 6, 5, 7], [7, 2, 5, 1, 6, 3, 4], [2, 7, 4, 1, 6, 3, 5]];

    fn greedy() -> AStarOptions {
        AStarOptions { greedy: true, reopen: false, ..AStarOptions::default() }
    }

    /// A misleading estimate.
    struct Reversed;

    impl crate::Heuristic<Pancakes> for Reversed {
        fn estimate(&mut self, domain: &Pancakes, node: &crate::Node<'_, Pancakes>) -> f64 {
            10.0 - crate::Heuristic::estimate(&mut Gaps, domain, node)
        }
    }
}
