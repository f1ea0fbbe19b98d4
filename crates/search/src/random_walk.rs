//! A walk of moves chosen at random: the floor that every search should beat.
//!
//! The loops of the walk are cut out as they close, so the solution is the walk without its loops.
//!
//! Expanded: moves made. Generated: the same and the start, as only the chosen successor is made. Goal tests: states walked through,
//! with the start. Open: always the one state where the walk stands.

use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionKind, When, option};
use crate::table::Table;
use crate::{Counters, Domain, Limit, Search, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "random-walk",
    selector: None,
    about: "random moves: the floor that every search should beat",
    guided: false,
    options: &[
        option!(RandomWalk(seed), OptionKind::Integer(0, u64::MAX), *"seed of the random numbers"),
        option!(RandomWalk(steps), OptionKind::Integer(1, u64::MAX), *"number of moves before it gives up"),
    ],
    example: "random-walk(seed=1, steps=1000000)",
    new: |_| Algorithm::RandomWalk(RandomWalkOptions::default()),
};

pub(crate) const CLAIMS: Claims =
    Claims { complete: When::Never, optimal: When::Never, bound: (Bound::Start, When::Always) };

/// The options of [`RandomWalk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomWalkOptions {
    /// The seed: the same seed gives the same walk.
    pub seed: u64,
    /// The number of moves before the walk gives up.
    pub steps: u64,
}

impl Default for RandomWalkOptions {
    fn default() -> Self {
        RandomWalkOptions { seed: 1, steps: 1_000_000 }
    }
}

/// A walk of so many random moves, each as likely as the others of its state. The same seed gives the same walk.
///
/// ```
/// use clearway_search::{Limits, Verdict, random_walk::{RandomWalk, RandomWalkOptions}, run};
/// use clearway_tiles::{Board, Puzzle};
/// let puzzle = Puzzle::new(Board::parse("0321")?)?;
/// let outcome = run(&mut RandomWalk::new(&puzzle, RandomWalkOptions::default()), &Limits::default());
/// assert_eq!(outcome.verdict, Verdict::Solved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RandomWalk<'a, D: Domain> {
    domain: &'a D,
    random: u64,
    steps: u64,
    state: D::State,
    /// The walk without its loops: the moves, and the states they lead to with the start in front.
    path: Vec<D::Move>,
    keys: Vec<D::Key>,
    /// Where on the path a state is, or was when it was last walked through.
    places: Table<D::Key, u32>,
    moves: Vec<D::Move>,
    counters: Counters,
    verdict: Option<Verdict>,
}

impl<'a, D: Domain> RandomWalk<'a, D> {
    /// A walk from the domain's start.
    pub fn new(domain: &'a D, options: RandomWalkOptions) -> Self {
        let RandomWalkOptions { seed, steps } = options;
        let state = domain.start();
        let start = domain.key(&state);
        let mut places = Table::new();
        places.entry(start, 0);
        RandomWalk {
            domain,
            random: seed,
            steps,
            state,
            path: Vec::new(),
            keys: vec![start],
            places,
            moves: Vec::new(),
            counters: Counters { generated: 1, peak_open: 1, ..Counters::default() },
            verdict: None,
        }
    }

    fn advance(&mut self) -> Option<Verdict> {
        if self.counters.goal_tests == 0 {
            self.counters.goal_tests = 1;
            if self.domain.is_goal(&self.state) {
                return Some(Verdict::Solved);
            }
        }
        if self.counters.expanded == self.steps {
            return Some(Verdict::Limit(Limit::Incomplete));
        }
        self.moves.clear();
        self.domain.moves(&self.state, &mut self.moves);
        if self.moves.is_empty() {
            // Moves can be taken back, so this can only be the start.
            return Some(Verdict::Unsolvable);
        }
        let chosen = self.below(self.moves.len());
        let mv = self.moves[chosen];
        self.domain.apply(&mut self.state, mv);
        self.counters.expanded += 1;
        self.counters.generated += 1;
        self.counters.goal_tests += 1;
        self.go_to(self.domain.key(&self.state), mv);
        self.domain.is_goal(&self.state).then_some(Verdict::Solved)
    }

    /// The path goes on to a state, or back to it if it is on the path already.
    fn go_to(&mut self, key: D::Key, mv: D::Move) {
        let end = self.keys.len() as u32;
        let place = self.places.entry(key, end);
        if self.keys.get(*place as usize) == Some(&key) {
            self.path.truncate(*place as usize);
            self.keys.truncate(*place as usize + 1);
        } else {
            *place = end;
            self.path.push(mv);
            self.keys.push(key);
        }
    }

    /// A number below `count`, by the generator known as `SplitMix64`.
    fn below(&mut self, count: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ z >> 31) * count as u128) >> 64) as usize
    }
}

impl<D: Domain> Search<D> for RandomWalk<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        if self.verdict.is_none() {
            self.verdict = self.advance();
        }
        self.verdict
    }

    fn counters(&self) -> Counters {
        Counters { peak_memory: self.bytes() as u64, ..self.counters }
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        (self.verdict == Some(Verdict::Solved)).then(|| self.path.clone())
    }

    fn bytes(&self) -> usize {
        let path = self.path.capacity() * size_of::<D::Move>() + self.keys.capacity() * size_of::<D::Key>();
        path + self.places.bytes()
    }

    /// Only that the start is not a goal, once a move was made.
    fn lower_bound(&self, _: bool) -> u32 {
        u32::from(self.counters.expanded > 0)
    }

    fn bytes_soon(&self) -> usize {
        self.bytes() + self.places.bytes_soon() - self.places.bytes()
    }
}
