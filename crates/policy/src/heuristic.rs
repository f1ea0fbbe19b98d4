//! Policies as heuristics of a search.

use crate::cache::Cache;
use crate::compile::{Program, Source};
use crate::firing::Firing;
use crate::policy::Policy;
use crate::terminals::TERMINALS;
use clearway_rush::RushDomain;
use clearway_rush::heuristics::{BoxedHeuristic, BuildError, Context, HeuristicInfo, PlanNumber, RelaxedPlans, phase};
use clearway_search::{Domain, Heuristic, Node};
use std::sync::Arc;

/// A policy on a board: it asks each heuristic at most once for a node, and only for what decides. At a solved state the
/// estimate is 0, whatever the rules say.
///
/// ```
/// use clearway_policy::{Policy, PolicyHeuristic};
/// use clearway_rush::{Metric, RushDomain, formats, heuristics::Context};
/// use clearway_search::{Limits, astar::{AStar, AStarOptions}, run};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
/// let policy: Policy = "IF phase-by-blockers <= 0.5 THEN 3*h1 DEFAULT 2*h1".parse().unwrap();
/// let heuristic = PolicyHeuristic::new(&policy, &domain, &Context::default()).unwrap();
/// let options = AStarOptions { reopen: false, shortcut: true, ..AStarOptions::default() };
/// let outcome = run(&mut AStar::new(&domain, heuristic, options), &Limits::default());
/// assert!(outcome.solution.unwrap().len() >= 8);
/// ```
pub struct PolicyHeuristic<const N: usize> {
    program: Program,
    numbers: Numbers<N>,
    cache: Option<Cache<N>>,
    firing: Option<Arc<Firing>>,
}

impl<const N: usize> PolicyHeuristic<N> {
    /// The policy for a board.
    pub fn new(policy: &Policy, domain: &RushDomain<N>, context: &Context) -> Result<Self, BuildError> {
        let program = Program::new(policy);
        let numbers = Numbers::new(&program, domain, context)?;
        Ok(PolicyHeuristic { program, numbers, cache: None, firing: None })
    }

    /// Keeps what depends on the state alone in a table of at most so many bytes: for searches that come back to the
    /// same states again and again.
    #[must_use]
    pub fn with_cache(mut self, bytes: usize) -> Self {
        let kept = self.numbers.number_of_kept(&self.program);
        self.cache = (kept > 0).then(|| Cache::new(kept, bytes));
        self
    }

    /// Counts which rules fire.
    #[must_use]
    pub fn counting(mut self, firing: Arc<Firing>) -> Self {
        self.firing = Some(firing);
        self
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PolicyHeuristic<N> {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if domain.is_goal(node.state) {
            return 0.0;
        }
        let PolicyHeuristic { program, numbers, cache, firing } = self;
        let mut kept: &mut [f64] = &mut [];
        if let Some(cache) = cache {
            kept = cache.entry(domain.key(node.state));
            if numbers.keeps_value {
                if kept[0].is_nan() {
                    numbers.begin();
                    kept[0] = program.value(&mut At { numbers, domain, node, kept: &mut [] });
                }
                if firing.is_none() {
                    return kept[0];
                }
                kept = &mut [];
            }
        }
        numbers.begin();
        let mut at = At { numbers, domain, node, kept };
        if let Some(firing) = firing {
            firing.count(program.fires(&mut at));
        }
        program.value(&mut at)
    }

    /// The tables of the heuristics; what is [kept](Self::with_cache) is limited apart from them.
    fn bytes(&self) -> usize {
        let heuristics = self.numbers.all.iter().filter_map(|number| match &number.way {
            Way::Heuristic(heuristic) => Some(heuristic.bytes()),
            _ => None,
        });
        heuristics.sum()
    }
}

/// The heuristics of a program on a board, and what they said about the present node.
struct Numbers<const N: usize> {
    /// By terminal.
    all: Vec<Number<N>>,
    /// The relaxed plans, and the terminals that are numbers of them, if there are several: they come at the cost of one.
    plans: Option<(RelaxedPlans, Vec<(usize, PlanNumber)>)>,
    generation: u64,
    /// Whether the value of the program itself is what depends on the state alone.
    keeps_value: bool,
}

struct Number<const N: usize> {
    way: Way<N>,
    known: f64,
    /// For which node it is known.
    generation: u64,
    /// Its place among the numbers that are kept for a state, if it is.
    kept: Option<usize>,
}

/// How a number is come by.
enum Way<const N: usize> {
    /// The program does not ask for it.
    Unused,
    Heuristic(BoxedHeuristic<N>),
    /// How much of the way is behind, by the number of another terminal.
    Phase(usize),
    /// One of several numbers of the relaxed plan.
    Plan,
}

fn terminal(name: &str) -> Option<usize> {
    TERMINALS.iter().position(|terminal| terminal.name == name)
}

impl<const N: usize> Numbers<N> {
    fn new(program: &Program, domain: &RushDomain<N>, context: &Context) -> Result<Self, BuildError> {
        let unused = || Number { way: Way::Unused, known: 0.0, generation: 0, kept: None };
        let all = TERMINALS.iter().map(|_| unused()).collect();
        let mut numbers = Numbers { all, plans: None, generation: 0, keeps_value: program.of_state() };
        let plan_number = |&number: &usize| Some((number, HeuristicInfo::find(TERMINALS[number].name)?.plan_number()?));
        let plans: Vec<_> = program.terminals().iter().filter_map(plan_number).collect();
        if plans.len() > 1 {
            for &(number, _) in &plans {
                numbers.all[number].way = Way::Plan;
            }
            numbers.plans = Some((RelaxedPlans::new(domain), plans));
        }
        for &number in program.terminals() {
            let remaining = match TERMINALS[number].name {
                "phase-by-blockers" => terminal("blockers-lower-bound"),
                "phase-by-distance" => terminal("goal-distance"),
                _ => None,
            };
            match remaining {
                Some(remaining) => {
                    numbers.all[number].way = Way::Phase(remaining);
                    numbers.build(remaining, domain, context)?;
                }
                None => numbers.build(number, domain, context)?,
            }
        }
        let mut kept = 0;
        for (one, terminal) in numbers.all.iter_mut().zip(TERMINALS) {
            if terminal.of_state && matches!(one.way, Way::Heuristic(_) | Way::Plan) {
                one.kept = Some(kept);
                kept += 1;
            }
        }
        Ok(numbers)
    }

    fn build(&mut self, number: usize, domain: &RushDomain<N>, context: &Context) -> Result<(), BuildError> {
        let one = &mut self.all[number];
        if let (Way::Unused, Some(info)) = (&one.way, HeuristicInfo::find(TERMINALS[number].name)) {
            one.way = Way::Heuristic(info.build(domain, context)?);
        }
        Ok(())
    }

    /// How many numbers a state's entry in the cache has.
    fn number_of_kept(&self, program: &Program) -> usize {
        match self.all.iter().filter(|one| one.kept.is_some()).count() {
            // A program without heuristics is faster than any table.
            _ if program.terminals().is_empty() => 0,
            _ if self.keeps_value => 1,
            kept => kept,
        }
    }

    /// Another node is looked at.
    fn begin(&mut self) {
        self.generation += 1;
    }
}

/// The numbers at a node.
struct At<'a, 'n, const N: usize> {
    numbers: &'a mut Numbers<N>,
    domain: &'a RushDomain<N>,
    node: &'a Node<'n, RushDomain<N>>,
    /// The numbers of the state that are kept, or none.
    kept: &'a mut [f64],
}

impl<const N: usize> Source for At<'_, '_, N> {
    #[inline]
    fn number(&mut self, terminal: usize) -> f64 {
        let one = &self.numbers.all[terminal];
        if one.generation == self.numbers.generation { one.known } else { self.ask(terminal) }
    }
}

impl<const N: usize> At<'_, '_, N> {
    fn ask(&mut self, terminal: usize) -> f64 {
        let one = &mut self.numbers.all[terminal];
        if let Some(&known) = one.kept.and_then(|place| self.kept.get(place)).filter(|known| !known.is_nan()) {
            (one.known, one.generation) = (known, self.numbers.generation);
            return known;
        }
        let number = match &mut one.way {
            Way::Unused => 0.0,
            Way::Plan => {
                self.ask_plans();
                return self.numbers.all[terminal].known;
            }
            &mut Way::Phase(remaining) => {
                let remaining = self.number(remaining);
                phase(self.node.g, remaining)
            }
            Way::Heuristic(heuristic) => heuristic.estimate(self.domain, self.node),
        };
        self.learn(terminal, number);
        number
    }

    /// Asks for all numbers of the relaxed plan.
    fn ask_plans(&mut self) {
        let Some((mut plans, terminals)) = self.numbers.plans.take() else { return };
        let plan = plans.numbers(self.node.state);
        for &(terminal, number) in &terminals {
            self.learn(terminal, number.of(plan.as_ref()));
        }
        self.numbers.plans = Some((plans, terminals));
    }

    /// A number of the present node is known.
    fn learn(&mut self, terminal: usize, number: f64) {
        let one = &mut self.numbers.all[terminal];
        (one.known, one.generation) = (number, self.numbers.generation);
        if let Some(kept) = one.kept.and_then(|place| self.kept.get_mut(place)) {
            *kept = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::suites::Suite;
    use clearway_rush::{Metric, heuristics};
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Counts how often it is asked.
    struct Counted<const N: usize>(BoxedHeuristic<N>, Arc<AtomicU32>);

    impl<const N: usize> Heuristic<RushDomain<N>> for Counted<N> {
        fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.estimate(domain, node)
        }
    }

    /// How often each heuristic of a policy is asked at the start of a card, by name, when its value is asked for twice.
    fn asked(policy: &str, cache: usize) -> Vec<(&'static str, u32)> {
        let board = Suite::find("cards").unwrap().puzzles()[0].board.clone();
        let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
        let context = heuristics::Context::default();
        let mut policy = PolicyHeuristic::new(&policy.parse().unwrap(), &domain, &context).unwrap().with_cache(cache);
        if cache == 0 {
            policy.cache = None;
        }
        let mut counts = Vec::new();
        for (number, one) in policy.numbers.all.iter_mut().enumerate() {
            if let Way::Heuristic(heuristic) = std::mem::replace(&mut one.way, Way::Unused) {
                let count = Arc::new(AtomicU32::new(0));
                counts.push((TERMINALS[number].name, Arc::clone(&count)));
                one.way = Way::Heuristic(Box::new(Counted(heuristic, count)));
            } else if let "phase-by-blockers" = TERMINALS[number].name {
                one.way = Way::Phase(terminal("blockers-lower-bound").unwrap());
            }
        }
        for _ in 0..2 {
            let (start, last) = (domain.start(), None);
            policy.estimate(&domain, &Node { state: &start, g: 3, last, siblings: 0 });
        }
        counts.into_iter().map(|(name, count)| (name, count.load(Ordering::Relaxed))).collect()
    }

    #[test]
    fn each_heuristic_is_asked_once_for_a_node_and_only_if_it_decides() {
        let policy = "IF h1 <= 0 THEN h2 IF h1 >= 1 AND h3 >= 0.5 THEN relaxed-plan \
                      IF phase-by-blockers >= 0.01 THEN h1*h1 + h1 DEFAULT landmarks";
        let once =
            [("blockers-lower-bound", 1), ("goal-distance", 0), ("hybrid", 0), ("landmarks", 0), ("relaxed-plan", 0)];
        assert_eq!(asked(policy, 0), once.map(|(name, times)| (name, 2 * times)));
        assert_eq!(asked(policy, 1 << 16), once, "what is known of a state is not asked for again");
    }

    #[test]
    fn a_value_that_depends_on_the_state_alone_is_kept_as_a_whole() {
        let policy = "IF h1 <= 0.1 THEN h2 DEFAULT relaxed-plan + h1";
        let once = [("blockers-lower-bound", 1), ("goal-distance", 0), ("relaxed-plan", 1)];
        assert_eq!(asked(policy, 1 << 16), once);
        assert_eq!(asked(policy, 0), once.map(|(name, times)| (name, 2 * times)));
    }
}
