//! A random walk: the baseline that every search should beat.
//!
//! Loops are removed as soon as they close, so the solution is the walk without its loops.
//!
//! Expanded: moves made. Generated: the same plus the start, because only the chosen successor is generated. Goal tests: the
//! start and every state on the walk. Open: always the current state only.

use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionKind, option};
use crate::table::StateTable;
use crate::{Domain, Limit, Search, SearchStatistics, Verdict};
use clearway_util::rng::split_mix_64;

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "random-walk",
    selector: None,
    about: "random walk: the baseline that every search should beat",
    guided: false,
    options: &[
        option!(RandomWalk(seed), OptionKind::Integer(0, u64::MAX), *"seed of the random numbers"),
        option!(RandomWalk(steps), OptionKind::Integer(1, u64::MAX), *"maximum number of moves"),
    ],
    example: "random-walk(seed=1, steps=1000000)",
    new: |_| Algorithm::RandomWalk(RandomWalkOptions::default()),
};

pub(crate) const CLAIMS: Claims = Claims {
    complete: ClaimCondition::Never,
    optimal: ClaimCondition::Never,
    bound: (Bound::Start, ClaimCondition::Always),
};

/// Options of [`RandomWalk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomWalkOptions {
    /// Seed of the random numbers; the same seed gives the same walk.
    pub seed: u64,
    /// Maximum number of moves.
    pub steps: u64,
}

impl Default for RandomWalkOptions {
    fn default() -> Self {
        RandomWalkOptions { seed: 1, steps: 1_000_000 }
    }
}

/// A random walk with a limited number of moves. Each move is chosen uniformly from the legal moves of the current state.
///
/// ```
/// use clearway_search::{Limits, Verdict, random_walk::{RandomWalk, RandomWalkOptions}, run};
/// use clearway_search::pancakes::Pancakes;
/// let stack = Pancakes::new(&[3, 1, 2]).unwrap();
/// let outcome = run(&mut RandomWalk::new(&stack, RandomWalkOptions::default()), &Limits::default());
/// assert_eq!(outcome.verdict, Verdict::Solved);
/// ```
pub struct RandomWalk<'a, D: Domain> {
    domain: &'a D,
    random: u64,
    steps: u64,
    state: D::State,
    /// The walk without its loops: its moves, and its states from the start on.
    path: Vec<D::Move>,
    keys: Vec<D::Key>,
    /// By state: its index on the path, now or when it was last visited.
    indices: StateTable<D::Key, u32>,
    moves: Vec<D::Move>,
    statistics: SearchStatistics,
}

impl<'a, D: Domain> RandomWalk<'a, D> {
    /// Creates a walk from the domain's start.
    pub fn new(domain: &'a D, options: RandomWalkOptions) -> Self {
        let RandomWalkOptions { seed, steps } = options;
        let state = domain.start();
        let start = domain.key(&state);
        let mut indices = StateTable::new();
        indices.entry(start, 0);
        RandomWalk {
            domain,
            random: seed,
            steps,
            state,
            path: Vec::new(),
            keys: vec![start],
            indices,
            moves: Vec::new(),
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
        }
    }

    /// Extends the path to a state, or truncates it if the state is already on the path.
    fn extend_path(&mut self, key: D::Key, mv: D::Move) {
        let end = self.keys.len() as u32;
        let index = self.indices.entry(key, end);
        if self.keys.get(*index as usize) == Some(&key) {
            self.path.truncate(*index as usize);
            self.keys.truncate(*index as usize + 1);
        } else {
            *index = end;
            self.path.push(mv);
            self.keys.push(key);
        }
    }

    /// Returns a random number below `count`.
    fn random_below(&mut self, count: usize) -> usize {
        ((u128::from(split_mix_64(&mut self.random)) * count as u128) >> 64) as usize
    }
}

impl<D: Domain> Search<D> for RandomWalk<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        if self.statistics.goal_tests == 0 {
            self.statistics.goal_tests = 1;
            if self.domain.is_goal(&self.state) {
                return Some(Verdict::Solved);
            }
        }
        if self.statistics.expanded == self.steps {
            return Some(Verdict::Limit(Limit::Incomplete));
        }
        self.moves.clear();
        self.domain.moves(&self.state, &mut self.moves);
        if self.moves.is_empty() {
            // Moves are reversible, so only the start can be without moves.
            return Some(Verdict::Unsolvable);
        }
        let chosen = self.random_below(self.moves.len());
        let mv = self.moves[chosen];
        self.domain.apply(&mut self.state, mv);
        self.statistics.expanded += 1;
        self.statistics.generated += 1;
        self.statistics.goal_tests += 1;
        self.extend_path(self.domain.key(&self.state), mv);
        self.domain.is_goal(&self.state).then_some(Verdict::Solved)
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let path = self.path.capacity() * size_of::<D::Move>() + self.keys.capacity() * size_of::<D::Key>();
        path + self.indices.memory_usage()
    }

    fn memory_usage_soon(&self) -> usize {
        self.memory_usage() + self.indices.memory_usage_soon() - self.indices.memory_usage()
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.domain.is_goal(&self.state).then(|| self.path.clone())
    }
}
