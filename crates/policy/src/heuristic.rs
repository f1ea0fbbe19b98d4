//! Policies as search heuristics.

use crate::cache::Cache;
use crate::compile::{CompiledPolicy, TerminalSource};
use crate::firing::FiringCounts;
use crate::policy::Policy;
use crate::terminals::TERMINALS;
use clearway_rush::heuristics::{
    BoxedHeuristic, BuildError, HeuristicContext, HeuristicInfo, PlanStatistic, RelaxedPlanner, phase,
};
use clearway_rush::{RushDomain, RushMove, RushState};
use clearway_search::{Domain, Heuristic, Node};
use std::sync::Arc;

/// A policy as the heuristic of a search on one board. It evaluates each heuristic at most once for a node, and only if the
/// result depends on it. The estimate of a solved state is always 0.
///
/// ```
/// use clearway_policy::{Policy, PolicyHeuristic};
/// use clearway_rush::{Metric, RushDomain, formats, heuristics::HeuristicContext};
/// use clearway_search::{Limits, astar::{AStar, AStarOptions}, run};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
/// let policy: Policy = "IF phase-by-blockers <= 0.5 THEN 3*h1 DEFAULT 2*h1".parse().unwrap();
/// let heuristic = PolicyHeuristic::new(&policy, &domain, &HeuristicContext::default()).unwrap();
/// let options = AStarOptions { reopen: false, shortcut: true, ..AStarOptions::default() };
/// let outcome = run(&mut AStar::new(&domain, heuristic, options), &Limits::default());
/// assert!(outcome.solution.unwrap().len() >= 8);
/// ```
pub struct PolicyHeuristic<const N: usize> {
    program: CompiledPolicy,
    values: TerminalValues<N>,
    cache: Option<Cache<N>>,
    firing: Option<Arc<FiringCounts>>,
}

impl<const N: usize> PolicyHeuristic<N> {
    /// Compiles a policy and builds the heuristics that it uses for a board.
    pub fn new(policy: &Policy, domain: &RushDomain<N>, context: &HeuristicContext) -> Result<Self, BuildError> {
        let program = CompiledPolicy::new(policy);
        let values = TerminalValues::new(&program, domain, context)?;
        Ok(PolicyHeuristic { program, values, cache: None, firing: None })
    }

    /// Caches everything that depends only on the state, in a table of at most `bytes` bytes. Useful for searches that visit
    /// the same states many times.
    #[must_use]
    pub fn with_cache(mut self, bytes: usize) -> Self {
        let width = self.values.cache_width(&self.program);
        self.cache = (width > 0).then(|| Cache::new(width, bytes));
        self
    }

    /// Counts in `firing` how often each rule fires.
    #[must_use]
    pub fn with_firing_counts(mut self, firing: Arc<FiringCounts>) -> Self {
        self.firing = Some(firing);
        self
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PolicyHeuristic<N> {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if domain.is_goal(node.state) {
            return 0.0;
        }
        let PolicyHeuristic { program, values, cache, firing } = self;
        let mut cached: &mut [f64] = &mut [];
        if let Some(cache) = cache {
            cached = cache.entry(domain.key(node.state));
            if values.caches_estimate {
                if cached[0].is_nan() {
                    values.start_node();
                    cached[0] = program.value(&mut NodeValues { values, domain, node, cached: &mut [] });
                }
                if firing.is_none() {
                    return cached[0];
                }
                cached = &mut [];
            }
        }
        values.start_node();
        let mut source = NodeValues { values, domain, node, cached };
        if let Some(firing) = firing {
            firing.count(program.firing_rule(&mut source));
        }
        program.value(&mut source)
    }

    /// Prefers the moves that one of its heuristics prefers.
    fn mark_preferred(&mut self, domain: &RushDomain<N>, state: &RushState<N>, moves: &[RushMove], marks: &mut [bool]) {
        if let Some((planner, _)) = &mut self.values.plans {
            planner.mark_moves(state, domain.metric(), moves, marks);
        }
        for one in &mut self.values.all {
            if let TerminalEvaluator::Heuristic(heuristic) = &mut one.evaluator {
                heuristic.mark_preferred(domain, state, moves, marks);
            }
        }
    }

    /// Memory of the heuristics' tables, in bytes. The [cache](Self::with_cache) has its own limit and is not included.
    fn memory_usage(&self) -> usize {
        let heuristics = self.values.all.iter().filter_map(|terminal| match &terminal.evaluator {
            TerminalEvaluator::Heuristic(heuristic) => Some(heuristic.memory_usage()),
            _ => None,
        });
        heuristics.sum()
    }
}

/// The heuristics of a program on a board, and their values at the current node.
struct TerminalValues<const N: usize> {
    /// Indexed like [`TERMINALS`].
    all: Vec<EvaluatedTerminal<N>>,
    /// The relaxed plan and the terminals that are derived from it, if there are several: all of them cost as much as one.
    plans: Option<(RelaxedPlanner, Vec<(usize, PlanStatistic)>)>,
    /// Number of the current node.
    generation: u64,
    /// Whether the estimate itself depends only on the state, so that it is cached instead of the terminals.
    caches_estimate: bool,
}

/// A terminal and its last value.
struct EvaluatedTerminal<const N: usize> {
    evaluator: TerminalEvaluator<N>,
    value: f64,
    /// Number of the node that `value` belongs to.
    generation: u64,
    /// Index among the cached values of a state; `None` if it is not cached.
    cache_index: Option<usize>,
}

/// How the value of a terminal is computed.
enum TerminalEvaluator<const N: usize> {
    /// The program does not use it.
    Unused,
    Heuristic(BoxedHeuristic<N>),
    /// Fraction of the path that is already done, with another terminal as the estimate of the rest.
    Phase(usize),
    /// One of several values derived from the relaxed plan.
    Plan,
}

fn terminal(name: &str) -> Option<usize> {
    TERMINALS.iter().position(|terminal| terminal.name == name)
}

impl<const N: usize> TerminalValues<N> {
    fn new(program: &CompiledPolicy, domain: &RushDomain<N>, context: &HeuristicContext) -> Result<Self, BuildError> {
        let unused =
            || EvaluatedTerminal { evaluator: TerminalEvaluator::Unused, value: 0.0, generation: 0, cache_index: None };
        let all = TERMINALS.iter().map(|_| unused()).collect();
        let mut values =
            TerminalValues { all, plans: None, generation: 0, caches_estimate: program.depends_on_state_only() };
        let plan_statistic =
            |&number: &usize| Some((number, HeuristicInfo::find(TERMINALS[number].name)?.plan_statistic()?));
        let plans: Vec<_> = program.terminals().iter().filter_map(plan_statistic).collect();
        if plans.len() > 1 {
            for &(number, _) in &plans {
                values.all[number].evaluator = TerminalEvaluator::Plan;
            }
            values.plans = Some((RelaxedPlanner::new(domain), plans));
        }
        for &number in program.terminals() {
            let remaining = match TERMINALS[number].name {
                "phase-by-blockers" => terminal("blockers-lower-bound"),
                "phase-by-distance" => terminal("goal-distance"),
                _ => None,
            };
            match remaining {
                Some(remaining) => {
                    values.all[number].evaluator = TerminalEvaluator::Phase(remaining);
                    values.build(remaining, domain, context)?;
                }
                None => values.build(number, domain, context)?,
            }
        }
        let mut next_index = 0;
        for (one, terminal) in values.all.iter_mut().zip(TERMINALS) {
            if terminal.state_only && matches!(one.evaluator, TerminalEvaluator::Heuristic(_) | TerminalEvaluator::Plan)
            {
                one.cache_index = Some(next_index);
                next_index += 1;
            }
        }
        Ok(values)
    }

    fn build(&mut self, number: usize, domain: &RushDomain<N>, context: &HeuristicContext) -> Result<(), BuildError> {
        let one = &mut self.all[number];
        if let (TerminalEvaluator::Unused, Some(info)) = (&one.evaluator, HeuristicInfo::find(TERMINALS[number].name)) {
            one.evaluator = TerminalEvaluator::Heuristic(info.build(domain, context)?);
        }
        Ok(())
    }

    /// Number of values that the cache holds for a state; 0 if a cache is of no benefit.
    fn cache_width(&self, program: &CompiledPolicy) -> usize {
        match self.all.iter().filter(|one| one.cache_index.is_some()).count() {
            // A program without heuristics is faster than any table.
            _ if program.terminals().is_empty() => 0,
            _ if self.caches_estimate => 1,
            count => count,
        }
    }

    /// Invalidates the values of the previous node.
    fn start_node(&mut self) {
        self.generation += 1;
    }
}

/// The terminals at a node.
struct NodeValues<'a, 'n, const N: usize> {
    values: &'a mut TerminalValues<N>,
    domain: &'a RushDomain<N>,
    node: &'a Node<'n, RushDomain<N>>,
    /// Cache entry of the state; empty without a cache.
    cached: &'a mut [f64],
}

impl<const N: usize> TerminalSource for NodeValues<'_, '_, N> {
    #[inline]
    fn terminal_value(&mut self, terminal: usize) -> f64 {
        let one = &self.values.all[terminal];
        if one.generation == self.values.generation { one.value } else { self.compute(terminal) }
    }
}

impl<const N: usize> NodeValues<'_, '_, N> {
    fn compute(&mut self, terminal: usize) -> f64 {
        let one = &mut self.values.all[terminal];
        if let Some(&value) = one.cache_index.and_then(|index| self.cached.get(index)).filter(|value| !value.is_nan()) {
            (one.value, one.generation) = (value, self.values.generation);
            return value;
        }
        let value = match &mut one.evaluator {
            TerminalEvaluator::Unused => 0.0,
            TerminalEvaluator::Plan => {
                self.compute_plan_values();
                return self.values.all[terminal].value;
            }
            &mut TerminalEvaluator::Phase(remaining) => {
                let remaining = self.terminal_value(remaining);
                phase(self.node.g, remaining)
            }
            TerminalEvaluator::Heuristic(heuristic) => heuristic.estimate(self.domain, self.node),
        };
        self.store(terminal, value);
        value
    }

    /// Computes and stores all terminals that are derived from the relaxed plan.
    fn compute_plan_values(&mut self) {
        let Some((mut planner, terminals)) = self.values.plans.take() else { return };
        let plan = planner.statistics(self.node.state);
        for &(terminal, statistic) in &terminals {
            self.store(terminal, statistic.value(plan.as_ref()));
        }
        self.values.plans = Some((planner, terminals));
    }

    /// Stores the value of a terminal at the current node, in the cache too if there is one.
    fn store(&mut self, terminal: usize, value: f64) {
        let one = &mut self.values.all[terminal];
        (one.value, one.generation) = (value, self.values.generation);
        if let Some(cached) = one.cache_index.and_then(|index| self.cached.get_mut(index)) {
            *cached = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::suites::Suite;
    use clearway_rush::{Metric, heuristics};
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Counts the evaluations of a heuristic.
    struct Counted<const N: usize>(BoxedHeuristic<N>, Arc<AtomicU32>);

    impl<const N: usize> Heuristic<RushDomain<N>> for Counted<N> {
        fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.estimate(domain, node)
        }
    }

    /// Number of evaluations of each heuristic when a policy is evaluated twice at the start of a card.
    fn evaluations(policy: &str, cache: usize) -> Vec<(&'static str, u32)> {
        let board = Suite::find("cards").unwrap().puzzles()[0].board.clone();
        let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
        let context = heuristics::HeuristicContext::default();
        let mut policy = PolicyHeuristic::new(&policy.parse().unwrap(), &domain, &context).unwrap().with_cache(cache);
        if cache == 0 {
            policy.cache = None;
        }
        let mut counts = Vec::new();
        for (number, one) in policy.values.all.iter_mut().enumerate() {
            if let TerminalEvaluator::Heuristic(heuristic) =
                std::mem::replace(&mut one.evaluator, TerminalEvaluator::Unused)
            {
                let count = Arc::new(AtomicU32::new(0));
                counts.push((TERMINALS[number].name, Arc::clone(&count)));
                one.evaluator = TerminalEvaluator::Heuristic(Box::new(Counted(heuristic, count)));
            } else if let "phase-by-blockers" = TERMINALS[number].name {
                one.evaluator = TerminalEvaluator::Phase(terminal("blockers-lower-bound").unwrap());
            }
        }
        for _ in 0..2 {
            let (start, last) = (domain.start(), None);
            policy.estimate(&domain, &Node { state: &start, g: 3, last, siblings: 0 });
        }
        counts.into_iter().map(|(name, count)| (name, count.load(Ordering::Relaxed))).collect()
    }

    #[test]
    fn each_heuristic_is_evaluated_at_most_once_for_a_node_and_only_if_needed() {
        let policy = "IF h1 <= 0 THEN h2 IF h1 >= 1 AND h3 >= 0.5 THEN relaxed-plan \
                      IF phase-by-blockers >= 0.01 THEN h1*h1 + h1 DEFAULT landmarks";
        let once =
            [("blockers-lower-bound", 1), ("goal-distance", 0), ("hybrid", 0), ("landmarks", 0), ("relaxed-plan", 0)];
        assert_eq!(evaluations(policy, 0), once.map(|(name, times)| (name, 2 * times)));
        assert_eq!(evaluations(policy, 1 << 16), once, "cached values are not computed again");
    }

    #[test]
    fn an_estimate_that_depends_only_on_the_state_is_cached_itself() {
        let policy = "IF h1 <= 0.1 THEN h2 DEFAULT relaxed-plan + h1";
        let once = [("blockers-lower-bound", 1), ("goal-distance", 0), ("relaxed-plan", 1)];
        assert_eq!(evaluations(policy, 1 << 16), once);
        assert_eq!(evaluations(policy, 0), once.map(|(name, times)| (name, 2 * times)));
    }
}
