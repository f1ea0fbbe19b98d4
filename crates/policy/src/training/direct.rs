//! A board that is searched directly, because its states are too many for an [arena](super::Arena).
//!
//! The searches are those of the board itself, with the same counts. What individuals have in common, the values of the
//! terminals, is cached; generating successors is cheaper than looking them up.

use super::arena::ArenaError;
use super::search::PolicySearch;
use super::terminal_cache::TerminalCache;
use super::trial::{Trial, outcome};
use crate::terminals::TERMINALS;
use crate::{CompiledPolicy, TerminalSource};
use clearway_rush::heuristics::{
    BoxedHeuristic, BuildError, HeuristicContext, HeuristicInfo, PlanStatistic, RelaxedPlanner, phase,
};
use clearway_rush::{Board, Metric, RushDomain, RushMove, RushState};
use clearway_search::{Domain, Heuristic, Node};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A board that is searched directly.
#[derive(Clone)]
pub struct DirectBoard {
    space: DirectSpace,
    length: u32,
    cache_bytes: usize,
}

/// The board in the narrowest state that holds its vehicles.
#[derive(Clone)]
enum DirectSpace {
    One(Arc<PackedSpace<1>>),
    Two(Arc<PackedSpace<2>>),
    Four(Arc<PackedSpace<4>>),
    Eight(Arc<PackedSpace<8>>),
}

/// Evaluates an expression for the board in its narrowest state.
macro_rules! with_space {
    ($board:expr, $space:ident => $result:expr) => {
        match &$board.space {
            DirectSpace::One($space) => $result,
            DirectSpace::Two($space) => $result,
            DirectSpace::Four($space) => $result,
            DirectSpace::Eight($space) => $result,
        }
    };
}

impl DirectBoard {
    /// Prepares a board with the terminals marked in `wanted` (in the order of [`TERMINALS`]); the others are 0. `length` is that
    /// of the best known solution in the metric; terminal values take at most about `cache_bytes` bytes.
    pub fn new(
        board: &Board,
        metric: Metric,
        difficulty: f64,
        wanted: &[bool],
        length: u32,
        cache_bytes: usize,
    ) -> Result<DirectBoard, ArenaError> {
        let space = match board.vehicles().len() {
            0..=16 => DirectSpace::One(PackedSpace::new(board, metric, difficulty, wanted, cache_bytes)?),
            17..=32 => DirectSpace::Two(PackedSpace::new(board, metric, difficulty, wanted, cache_bytes)?),
            33..=64 => DirectSpace::Four(PackedSpace::new(board, metric, difficulty, wanted, cache_bytes)?),
            _ => DirectSpace::Eight(PackedSpace::new(board, metric, difficulty, wanted, cache_bytes)?),
        };
        Ok(DirectBoard { space, length, cache_bytes })
    }

    /// Length of the best known solution.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Maximum memory of the cached values in bytes.
    pub fn memory_usage(&self) -> usize {
        self.cache_bytes
    }

    /// Searches the board guided by a policy, expanding at most `nodes` states.
    pub fn trial(&self, search: &PolicySearch, program: &CompiledPolicy, nodes: u64) -> Trial {
        with_space!(self, space => space.trial(search, program, nodes))
    }

    /// Calls `visit` with the values of all terminals at the nodes that `walk` visits.
    pub(super) fn probe(&self, walk: &impl Walk, visit: impl FnMut(Vec<f64>)) {
        with_space!(self, space => space.probe(walk, visit));
    }

    /// Returns the values of all terminals at the start.
    pub(super) fn start_values(&self) -> Vec<f64> {
        let mut found = Vec::new();
        self.probe(&StartOnly, |values| found = values);
        found
    }
}

impl fmt::Debug for DirectBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = with_space!(self, space => space.domain.board());
        f.debug_struct("DirectBoard").field("board", board).field("length", &self.length).finish_non_exhaustive()
    }
}

/// A choice of nodes of any domain.
pub(super) trait Walk {
    /// Calls `visit` with each node.
    fn walk<D: Domain>(&self, domain: &D, visit: impl FnMut(&Node<'_, D>));
}

/// The start alone.
struct StartOnly;

impl Walk for StartOnly {
    fn walk<D: Domain>(&self, domain: &D, mut visit: impl FnMut(&Node<'_, D>)) {
        visit(&Node { state: &domain.start(), g: 0, last: None, siblings: 0 });
    }
}

struct PackedSpace<const N: usize> {
    domain: RushDomain<N>,
    difficulty: f64,
    wanted: Vec<bool>,
    cache: TerminalCache<N>,
    /// Evaluators that no search uses at present: building them can take longer than a short search.
    pool: Mutex<Vec<Evaluators<N>>>,
}

impl<const N: usize> PackedSpace<N> {
    fn new(
        board: &Board,
        metric: Metric,
        difficulty: f64,
        wanted: &[bool],
        cache_bytes: usize,
    ) -> Result<Arc<Self>, ArenaError> {
        let domain = RushDomain::new(board, metric).ok_or(ArenaError::TooManyVehicles)?;
        let pool = Mutex::new(vec![Evaluators::new(&domain, difficulty, wanted)?]);
        let cache = TerminalCache::new(cache_bytes);
        Ok(Arc::new(PackedSpace { domain, difficulty, wanted: wanted.to_vec(), cache, pool }))
    }

    /// Calls `work` with evaluators that nobody else uses meanwhile.
    fn with_evaluators<T>(&self, work: impl FnOnce(&mut Evaluators<N>) -> T) -> T {
        let pool = || self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let free = pool().pop();
        let build = || Evaluators::new(&self.domain, self.difficulty, &self.wanted).expect("built before");
        let mut evaluators = free.unwrap_or_else(build);
        let result = work(&mut evaluators);
        pool().push(evaluators);
        result
    }

    fn trial(&self, search: &PolicySearch, program: &CompiledPolicy, nodes: u64) -> Trial {
        self.with_evaluators(|evaluators| {
            let guide = DirectGuide { program, evaluators, cache: &self.cache };
            let search = search.algorithm().start(&self.domain, Some(guide));
            outcome(search.expect("an algorithm that takes a heuristic").as_mut(), nodes)
        })
    }

    fn probe(&self, walk: &impl Walk, mut visit: impl FnMut(Vec<f64>)) {
        self.with_evaluators(|evaluators| {
            walk.walk(&self.domain, |node| {
                evaluators.values.fill(f64::NAN);
                let mut source =
                    DirectSource { evaluators: &mut *evaluators, domain: &self.domain, node, is_changed: false };
                visit((0..TERMINALS.len()).map(|terminal| source.terminal_value(terminal)).collect());
            });
        });
    }
}

/// The heuristics of a board, and their values at one node.
struct Evaluators<const N: usize> {
    /// How each terminal is computed.
    all: Vec<TerminalEvaluator<N>>,
    planner: RelaxedPlanner,
    /// The terminals that are derived from the relaxed plan, which cost as much together as one of them.
    plans: Vec<(usize, PlanStatistic)>,
    /// Value of each terminal; NaN if it is not computed yet.
    values: Vec<f64>,
}

/// How a terminal is computed.
enum TerminalEvaluator<const N: usize> {
    /// It is not wanted.
    Zero,
    Heuristic(BoxedHeuristic<N>),
    /// Fraction of the path that is already done, with another terminal as the estimate of the rest.
    Phase(usize),
    /// One of the values derived from the relaxed plan.
    Plan,
}

impl<const N: usize> Evaluators<N> {
    fn new(domain: &RushDomain<N>, difficulty: f64, wanted: &[bool]) -> Result<Self, BuildError> {
        let context = HeuristicContext { difficulty, ..HeuristicContext::default() };
        let position = |name: &str| TERMINALS.iter().position(|terminal| terminal.name == name);
        let mut plans = Vec::new();
        let mut all = Vec::new();
        for (number, (terminal, &wanted)) in TERMINALS.iter().zip(wanted).enumerate() {
            let rest = match terminal.name {
                "phase-by-blockers" => position("blockers-lower-bound"),
                "phase-by-distance" => position("goal-distance"),
                _ => None,
            };
            all.push(match (HeuristicInfo::find(terminal.name).filter(|_| wanted), rest) {
                (None, _) => TerminalEvaluator::Zero,
                (Some(_), Some(rest)) => TerminalEvaluator::Phase(rest),
                (Some(info), None) => match info.plan_statistic() {
                    Some(statistic) => {
                        plans.push((number, statistic));
                        TerminalEvaluator::Plan
                    }
                    None => TerminalEvaluator::Heuristic(info.build(domain, &context)?),
                },
            });
        }
        let values = vec![f64::NAN; TERMINALS.len()];
        Ok(Evaluators { all, planner: RelaxedPlanner::new(domain), plans, values })
    }
}

/// A policy that guides a direct search.
struct DirectGuide<'a, const N: usize> {
    program: &'a CompiledPolicy,
    evaluators: &'a mut Evaluators<N>,
    cache: &'a TerminalCache<N>,
}

impl<const N: usize> Heuristic<RushDomain<N>> for DirectGuide<'_, N> {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if domain.is_goal(node.state) {
            return 0.0;
        }
        let key = domain.key(node.state);
        self.cache.load(key, &mut self.evaluators.values);
        let mut source = DirectSource { evaluators: &mut *self.evaluators, domain, node, is_changed: false };
        let value = self.program.value(&mut source);
        if source.is_changed {
            self.cache.store(key, &self.evaluators.values);
        }
        value
    }

    /// Prefers the moves of the relaxed plan if the policy reads it, like [`PolicyHeuristic`](crate::PolicyHeuristic).
    fn mark_preferred(
        &mut self,
        domain: &RushDomain<N>,
        state: &RushState<N>,
        moves: &[RushMove],
        preferred: &mut [bool],
    ) {
        let Evaluators { planner, plans, .. } = &mut *self.evaluators;
        let reads_plan = |(terminal, _): &(usize, PlanStatistic)| self.program.terminals().contains(terminal);
        if plans.iter().any(reads_plan) {
            planner.mark_moves(state, domain.metric(), moves, preferred);
        }
    }
}

/// Terminal values at a node of a direct search.
struct DirectSource<'a, 'n, const N: usize> {
    evaluators: &'a mut Evaluators<N>,
    domain: &'a RushDomain<N>,
    node: &'a Node<'n, RushDomain<N>>,
    /// Whether there is a new value to cache.
    is_changed: bool,
}

impl<const N: usize> TerminalSource for DirectSource<'_, '_, N> {
    #[inline]
    fn terminal_value(&mut self, terminal: usize) -> f64 {
        let value = self.evaluators.values[terminal];
        if value.is_nan() { self.compute(terminal) } else { value }
    }
}

impl<const N: usize> DirectSource<'_, '_, N> {
    fn compute(&mut self, terminal: usize) -> f64 {
        let Evaluators { all, planner, plans, values } = &mut *self.evaluators;
        let value = match &mut all[terminal] {
            TerminalEvaluator::Zero => 0.0,
            TerminalEvaluator::Heuristic(heuristic) => heuristic.estimate(self.domain, self.node),
            &mut TerminalEvaluator::Phase(rest) => {
                let rest = self.terminal_value(rest);
                phase(self.node.g, rest)
            }
            TerminalEvaluator::Plan => {
                let plan = planner.statistics(self.node.state);
                for &(terminal, statistic) in &*plans {
                    values[terminal] = statistic.value(plan.as_ref());
                }
                values[terminal]
            }
        };
        self.is_changed |= TERMINALS[terminal].state_only;
        self.evaluators.values[terminal] = value;
        value
    }
}
