//! Collects the puzzles of a pack in rounds of attempts, until enough puzzles of every length or level are found, or the effort
//! is spent.
//!
//! The target lengths of a round depend only on the results of the previous rounds, taken in the order of the attempts and not
//! of their completion. So the same order gives the same pack, wherever the attempts are made.

use super::select::{Candidate, Quotas, select};
use super::similarity::VehicleProfile;
use super::{AttemptOutcome, Entry};
use crate::Shape;
use crate::grade::Level;
use clearway_search::Limit;
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

/// Minimum and maximum number of attempts of a round. The maximum is higher for large packs.
const ROUND: RangeInclusive<usize> = 32..=1024;
/// Minimum number of attempts of a round on large boards, where an attempt takes seconds.
const LARGE_BOARD_ROUND: usize = 8;
/// Number of rounds into which the puzzles of a large pack are divided.
const LARGE_PACK_ROUNDS: usize = 32;

/// Which puzzles a pack consists of, and how much effort is spent to generate them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackRequest {
    /// Size, exit and number of walls of the boards.
    pub shape: Shape,
    /// Accepted lengths, in moves.
    pub moves: RangeInclusive<u32>,
    /// Number of puzzles.
    pub count: usize,
    /// Seed of all randomness.
    pub seed: u64,
    /// Number of puzzles of each level, whose sum is `count`. If empty, the puzzles are spread evenly over the lengths.
    pub levels: BTreeMap<Level, usize>,
    /// Number of attempts after which lengths that are still missing are replaced by others. Levels are never replaced.
    pub effort: u64,
    /// Number of attempts in a row without a new puzzle (with levels, one of a missing level) after which the generation gives
    /// up.
    pub patience: u64,
}

impl PackRequest {
    /// Creates an order of puzzles of any level, with the default effort and patience.
    pub fn new(shape: Shape, moves: RangeInclusive<u32>, count: usize, seed: u64) -> PackRequest {
        PackRequest { shape, moves, count, seed, levels: BTreeMap::new(), effort: count as u64 * 10, patience: 1000 }
    }

    /// Orders this number of puzzles of each level, instead of an even spread over the lengths.
    ///
    /// ```
    /// use clearway_forge::Shape;
    /// use clearway_forge::grade::Level;
    /// use clearway_forge::pack::{PackRequest, gather};
    /// use clearway_rush::Side;
    /// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
    /// let levels = [(Level::Beginner, 2), (Level::Intermediate, 1)].into();
    /// let pack = gather(&PackRequest::new(shape, 4..=27, 3, 7).with_levels(levels), 2, &Default::default(), &|_| ());
    /// let levels: Vec<Level> = pack.entries.iter().map(|entry| entry.level).collect();
    /// assert_eq!(levels, [Level::Beginner, Level::Beginner, Level::Intermediate]);
    /// # Ok::<(), clearway_forge::ShapeError>(())
    /// ```
    #[must_use]
    pub fn with_levels(self, levels: BTreeMap<Level, usize>) -> PackRequest {
        let count = levels.values().sum();
        PackRequest { count, levels, effort: count as u64 * 10, ..self }
    }

    /// Returns whether puzzles of this level belong into the pack.
    pub(super) fn accepts(&self, level: Level) -> bool {
        self.levels.is_empty() || self.levels.contains_key(&level)
    }

    /// Returns the target lengths for a level: the accepted ones that are typical of it, or else all accepted ones.
    fn aims_for(&self, level: Level) -> RangeInclusive<u32> {
        let (typical, moves) = (level.typical_moves(), &self.moves);
        let common = *typical.start().max(moves.start())..=*typical.end().min(moves.end());
        if common.is_empty() { moves.clone() } else { common }
    }
}

/// Progress of the generation of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackProgress {
    /// Number of attempts made.
    pub attempts: u64,
    /// Number of different puzzles found; with levels, those that the pack needs.
    pub found: usize,
}

/// Generated pack.
#[derive(Clone, Debug, PartialEq)]
pub struct PackOutcome {
    /// Puzzles of the pack, from easy to hard.
    pub entries: Vec<Entry>,
    /// Number of different puzzles found, from which the pack was selected.
    pub found: usize,
    /// Number of attempts made.
    pub attempts: u64,
    /// Length of the longest minimal puzzle found, in moves. Puzzles longer than the accepted lengths do not count.
    pub longest: u32,
    /// Limit because of which there are fewer puzzles than ordered; [`Limit::Incomplete`] if the patience was exhausted.
    pub limit: Option<Limit>,
}

/// State of the generation of a pack. It provides the [attempts](Self::next_round) to make and takes their
/// [outcomes](Self::take).
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::pack::{PackBuilder, PackRequest, attempt, gather};
/// use clearway_rush::{Side, Solver};
/// let order = PackRequest::new(Shape::new(5, 5, Side::Right, None, 0)?, 4..=6, 3, 7);
/// let (mut gathering, mut solver) = (PackBuilder::new(order.clone()), Solver::new());
/// while let Some(round) = gathering.next_round() {
///     let all = (round.first..).zip(&round.aims);
///     gathering.take(all.map(|(index, aim)| attempt(&order, *aim, index, &mut solver, &Default::default())).collect());
/// }
/// assert_eq!(gathering.finish(), gather(&order, 2, &Default::default(), &|_| ()));
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub struct PackBuilder {
    order: PackRequest,
    pool: Pool,
    attempts: u64,
    /// Number of attempts since the last new puzzle that was needed.
    failures: u64,
    longest: u32,
    /// Limit that ended the generation early.
    limit: Option<Limit>,
}

/// Attempts that do not depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRound {
    /// Number of the first attempt; the others follow.
    pub first: u64,
    /// Target length of each attempt, in moves.
    pub aims: Vec<u32>,
}

impl PackBuilder {
    /// Creates an empty pack.
    pub fn new(order: PackRequest) -> PackBuilder {
        PackBuilder { order, pool: Pool::default(), attempts: 0, failures: 0, longest: 0, limit: None }
    }

    /// Returns the request that this pack fulfils.
    pub fn order(&self) -> &PackRequest {
        &self.order
    }

    /// Returns the progress so far.
    pub fn progress(&self) -> PackProgress {
        PackProgress { attempts: self.attempts, found: self.pool.useful(&self.order) }
    }

    /// Returns the next attempts, or None if the pack is complete or a limit ended the generation.
    pub fn next_round(&self) -> Option<AttemptRound> {
        if self.limit.is_some() {
            return None;
        }
        let aims = self.pool.aims(&self.order, self.attempts);
        (!aims.is_empty()).then_some(AttemptRound { first: self.attempts, aims })
    }

    /// Takes the outcomes of the attempts of a round, in their order. There may be fewer if the round was stopped.
    pub fn take(&mut self, results: Vec<AttemptOutcome>) {
        self.attempts += results.len() as u64;
        let mut stopped = None;
        for result in results {
            self.failures += 1;
            self.longest = self.longest.max(result.longest);
            stopped = stopped.or(result.limit);
            if result.entry.is_some_and(|entry| self.pool.add(entry, &self.order)) {
                self.failures = 0;
            }
        }
        let out_of_patience = (self.failures >= self.order.patience).then_some(Limit::Incomplete);
        self.limit = self.limit.or(stopped).or(out_of_patience);
    }

    /// Ends the generation because of a limit.
    pub fn stop(&mut self, limit: Limit) {
        self.limit = Some(limit);
    }

    /// Selects the pack from the puzzles found.
    pub fn finish(self) -> PackOutcome {
        let PackBuilder { order, pool, attempts, longest, limit, .. } = self;
        let found = pool.entries.len();
        let entries = pool.selected(&order);
        let limit = limit.filter(|&limit| entries.len() < order.count || limit == Limit::Cancelled);
        PackOutcome { entries, found, attempts, longest, limit }
    }
}

/// Different puzzles found so far.
#[derive(Default)]
pub(super) struct Pool {
    entries: Vec<Entry>,
    known: HashSet<String>,
    by_length: BTreeMap<u32, usize>,
    by_level: BTreeMap<Level, usize>,
}

impl Pool {
    /// Adds a puzzle unless it is known or its level was not ordered. Returns whether it is new and needed: puzzles of a level
    /// that has enough of them are only alternatives for the selection.
    pub fn add(&mut self, entry: Entry, order: &PackRequest) -> bool {
        if !order.accepts(entry.level) || !self.known.insert(entry.canonical.clone()) {
            return false;
        }
        let is_needed = order.levels.get(&entry.level).is_none_or(|&quota| self.missing(entry.level, quota) > 0);
        *self.by_length.entry(entry.moves).or_default() += 1;
        *self.by_level.entry(entry.level).or_default() += 1;
        self.entries.push(entry);
        is_needed
    }

    /// Returns the number of puzzles, without those that exceed the number of their level.
    pub fn useful(&self, order: &PackRequest) -> usize {
        if order.levels.is_empty() {
            return self.entries.len();
        }
        order.levels.iter().map(|(&level, &quota)| quota - self.missing(level, quota)).sum()
    }

    /// Returns the number of puzzles that are missing of a level.
    fn missing(&self, level: Level, quota: usize) -> usize {
        quota.saturating_sub(self.by_level.get(&level).copied().unwrap_or(0))
    }

    /// Returns the puzzle added last.
    pub fn last(&self) -> Option<&Entry> {
        self.entries.last()
    }

    /// Returns the target lengths of the attempts of the next round; none if there are enough puzzles.
    pub fn aims(&self, order: &PackRequest, attempts: u64) -> Vec<u32> {
        let missing =
            if order.levels.is_empty() { self.missing_lengths(order, attempts) } else { self.missing_levels(order) };
        if missing.is_empty() {
            return Vec::new();
        }
        let total: usize = missing.iter().map(|(_, n)| n).sum();
        let least = if order.shape.is_large() { LARGE_BOARD_ROUND } else { *ROUND.start() };
        let left = usize::try_from(order.effort.saturating_sub(attempts)).unwrap_or(usize::MAX).max(least);
        let most = (order.count / LARGE_PACK_ROUNDS).max(*ROUND.end());
        let size = total.clamp(least, most).min(left);
        // Cycle through the lengths, each as often as the number of its missing puzzles.
        let mut aims = Vec::with_capacity(size);
        let mut turn = 0;
        while aims.len() < size {
            let most = missing.iter().map(|(_, n)| *n).max().unwrap_or(1);
            aims.extend(missing.iter().filter(|(_, n)| *n > turn % most).map(|(moves, _)| *moves));
            turn += 1;
        }
        aims.truncate(size);
        aims
    }

    /// Returns the lengths that are short of puzzles, each with the number of attempts to make.
    fn missing_lengths(&self, order: &PackRequest, attempts: u64) -> Vec<(u32, usize)> {
        let lengths = order.moves.clone().count().max(1);
        let has = |moves: u32| self.by_length.get(&moves).copied().unwrap_or(0);
        let is_balanced = order.moves.clone().all(|moves| has(moves) >= order.count / lengths);
        if is_balanced && self.entries.len() >= order.count {
            return Vec::new();
        }
        let share = order.count.div_ceil(lengths);
        let missing = order.moves.clone().map(|moves| (moves, share.saturating_sub(has(moves))));
        let missing: Vec<(u32, usize)> = missing.filter(|(_, n)| *n > 0).collect();
        if attempts < order.effort && !missing.is_empty() {
            return missing;
        }
        // Puzzles of any accepted length fill the pack.
        match order.count.saturating_sub(self.entries.len()) {
            0 => Vec::new(),
            in_total => order.moves.clone().map(|moves| (moves, in_total.div_ceil(lengths))).collect(),
        }
    }

    /// Returns the target lengths for the levels that are short of puzzles, each with the number of attempts to make.
    fn missing_levels(&self, order: &PackRequest) -> Vec<(u32, usize)> {
        let mut attempts = BTreeMap::<u32, usize>::new();
        for (&level, &quota) in &order.levels {
            let (aims, missing) = (order.aims_for(level), self.missing(level, quota));
            let lengths = aims.clone().count().max(1);
            for moves in aims.filter(|_| missing > 0) {
                *attempts.entry(moves).or_default() += missing.div_ceil(lengths);
            }
        }
        attempts.into_iter().collect()
    }

    fn selected(self, order: &PackRequest) -> Vec<Entry> {
        let candidate = |entry: &Entry| Candidate {
            level: entry.level,
            moves: entry.moves,
            profile: VehicleProfile::new(&entry.board),
        };
        let candidates: Vec<Candidate> = self.entries.iter().map(candidate).collect();
        let chosen: HashSet<usize> = select(&candidates, &Quotas::new(&candidates, order)).into_iter().collect();
        let entries = self.entries.into_iter().enumerate();
        let mut entries: Vec<Entry> =
            entries.filter(|(index, _)| chosen.contains(index)).map(|(_, entry)| entry).collect();
        entries.sort_by(Entry::by_difficulty);
        entries
    }
}
