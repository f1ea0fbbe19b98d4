//! How a pack comes together: in rounds of attempts, until enough puzzles of every length are found or the effort is spent.
//!
//! What a round aims at depends only on what the rounds before it found, in the order of the attempts and not of their
//! ends. So the same order gives the same pack, whoever makes the attempts.

use super::likeness::Makeup;
use super::select::{Candidate, select};
use super::{Attempted, Entry};
use crate::Shape;
use clearway_search::Limit;
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

/// The fewest and the most attempts of a round; of a large pack a round may be one part in so many.
const ROUND: RangeInclusive<usize> = 32..=1024;
const LARGE: usize = 32;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// What the boards look like.
    pub shape: Shape,
    /// The lengths that will do, in moves.
    pub moves: RangeInclusive<u32>,
    /// How many puzzles.
    pub count: usize,
    /// Where all randomness comes from.
    pub seed: u64,
    /// After so many attempts, lengths that are still short are made up for by others.
    pub effort: u64,
    /// After so many attempts in a row that found no new puzzle it is given up.
    pub patience: u64,
}

impl Order {
    /// An order with the usual effort and patience.
    pub fn new(shape: Shape, moves: RangeInclusive<u32>, count: usize, seed: u64) -> Order {
        Order { shape, moves, count, seed, effort: count as u64 * 10, patience: 1000 }
    }
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The attempts made.
    pub attempts: u64,
    /// The different puzzles found, at most as many as were asked for.
    pub found: usize,
}

/// What was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// The pack, from easy to hard.
    pub entries: Vec<Entry>,
    /// The different puzzles found, of which the pack is a selection.
    pub found: usize,
    /// The attempts made.
    pub attempts: u64,
    /// The most moves of any minimal puzzle met on the way, but for those longer than was asked for.
    pub longest: u32,
    /// Why there are fewer puzzles than asked for: the limit, [`Limit::Incomplete`] if the patience was lost.
    pub limit: Option<Limit>,
}

/// A pack that comes together: what the [next](Self::next_round) attempts are, and what [came](Self::take) of them.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::pack::{Gathering, Order, attempt, gather};
/// use clearway_rush::{Side, Solver};
/// let order = Order::new(Shape::new(5, 5, Side::Right, None, 0)?, 4..=6, 3, 7);
/// let (mut gathering, mut solver) = (Gathering::new(order.clone()), Solver::new());
/// while let Some(round) = gathering.next_round() {
///     let all = (round.first..).zip(&round.aims);
///     gathering.take(all.map(|(index, aim)| attempt(&order, *aim, index, &mut solver, &Default::default())).collect());
/// }
/// assert_eq!(gathering.finish(), gather(&order, 2, &Default::default(), &|_| ()));
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub struct Gathering {
    order: Order,
    pool: Pool,
    attempts: u64,
    in_vain: u64,
    longest: u32,
    /// What ended it too early.
    limit: Option<Limit>,
}

/// Attempts that do not depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of the first.
    pub first: u64,
    /// The length that each aims at.
    pub aims: Vec<u32>,
}

impl Gathering {
    /// A pack of which nothing is there yet.
    pub fn new(order: Order) -> Gathering {
        Gathering { order, pool: Pool::default(), attempts: 0, in_vain: 0, longest: 0, limit: None }
    }

    /// What is asked for.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress { attempts: self.attempts, found: self.pool.len() }
    }

    /// The next attempts; none if there is enough, or if it was given up.
    pub fn next_round(&self) -> Option<Round> {
        if self.limit.is_some() {
            return None;
        }
        let aims = self.pool.aims(&self.order, self.attempts);
        (!aims.is_empty()).then_some(Round { first: self.attempts, aims })
    }

    /// Takes what came of the next attempts, in their order. A round that was stopped may have fewer.
    pub fn take(&mut self, results: Vec<Attempted>) {
        self.attempts += results.len() as u64;
        let mut stopped = None;
        for result in results {
            self.in_vain += 1;
            self.longest = self.longest.max(result.longest);
            stopped = stopped.or(result.limit);
            if result.entry.is_some_and(|entry| self.pool.add(entry)) {
                self.in_vain = 0;
            }
        }
        let patience_lost = (self.in_vain >= self.order.patience).then_some(Limit::Incomplete);
        self.limit = self.limit.or(stopped).or(patience_lost);
    }

    /// Gives up.
    pub fn stop(&mut self, limit: Limit) {
        self.limit = Some(limit);
    }

    /// The pack of what was found.
    pub fn finish(self) -> Gathered {
        let Gathering { order, pool, attempts, longest, limit, .. } = self;
        let found = pool.len();
        let entries = pool.selected(order.count);
        let limit = limit.filter(|&limit| entries.len() < order.count || limit == Limit::Cancelled);
        Gathered { entries, found, attempts, longest, limit }
    }
}

/// The different puzzles found so far.
#[derive(Default)]
pub(super) struct Pool {
    entries: Vec<Entry>,
    known: HashSet<String>,
    by_length: BTreeMap<u32, usize>,
}

impl Pool {
    /// Adds a puzzle unless it is known; tells whether it was new.
    pub fn add(&mut self, entry: Entry) -> bool {
        let is_new = self.known.insert(entry.canonical.clone());
        if is_new {
            *self.by_length.entry(entry.moves).or_default() += 1;
            self.entries.push(entry);
        }
        is_new
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The one that was added last.
    pub fn last(&self) -> Option<&Entry> {
        self.entries.last()
    }

    /// The lengths that the attempts of the next round aim at; none if there is enough.
    pub fn aims(&self, order: &Order, attempts: u64) -> Vec<u32> {
        let lengths = order.moves.clone().count().max(1);
        let has = |moves: u32| self.by_length.get(&moves).copied().unwrap_or(0);
        let share = order.count.div_ceil(lengths);
        let mut short: Vec<(u32, usize)> = order
            .moves
            .clone()
            .map(|moves| (moves, share.saturating_sub(has(moves))))
            .filter(|(_, n)| *n > 0)
            .collect();
        if attempts >= order.effort || short.is_empty() {
            let missing = order.count.saturating_sub(self.entries.len());
            if missing == 0 {
                return Vec::new();
            }
            // Whatever can be found will do.
            short = order.moves.clone().map(|moves| (moves, missing.div_ceil(lengths))).collect();
        }
        let total: usize = short.iter().map(|(_, n)| n).sum();
        let left = usize::try_from(order.effort.saturating_sub(attempts)).unwrap_or(usize::MAX).max(*ROUND.start());
        let most = (order.count / LARGE).max(*ROUND.end());
        let size = total.clamp(*ROUND.start(), most).min(left);
        // Each length in turn, as often as it is short of puzzles.
        let mut aims = Vec::with_capacity(size);
        let mut turn = 0;
        while aims.len() < size {
            let most = short.iter().map(|(_, n)| *n).max().unwrap_or(1);
            aims.extend(short.iter().filter(|(_, n)| *n > turn % most).map(|(moves, _)| *moves));
            turn += 1;
        }
        aims.truncate(size);
        aims
    }

    fn selected(self, count: usize) -> Vec<Entry> {
        let candidates: Vec<Candidate> = self
            .entries
            .iter()
            .map(|entry| Candidate { moves: entry.moves, makeup: Makeup::of(&entry.board) })
            .collect();
        let chosen: HashSet<usize> = select(&candidates, count).into_iter().collect();
        let entries = self.entries.into_iter().enumerate();
        let mut entries: Vec<Entry> =
            entries.filter(|(index, _)| chosen.contains(index)).map(|(_, entry)| entry).collect();
        entries.sort_by(Entry::by_difficulty);
        entries
    }
}
