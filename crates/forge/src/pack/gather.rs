//! Makes a pack: attempts of the backward generator, each with a stream of random numbers of its own, in rounds, until
//! enough puzzles of every length are found or the effort is spent.
//!
//! What a round aims at depends only on what the rounds before it found, in the order of the attempts and not of their
//! ends. So the same order gives the same pack on any number of threads.

use super::likeness::Makeup;
use super::select::{Candidate, select};
use super::{Entry, NoEntry, Origin};
use crate::canonical::canonical;
use crate::minimal::stripped;
use crate::{Shape, backward};
use clearway_rush::{Board, Solver};
use clearway_search::{Limit, Limits};
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The fewest and the most attempts of a round.
const ROUND: RangeInclusive<usize> = 32..=1024;

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

/// Makes a pack on so many threads. The limits hold for everything together, but for those on nodes and memory, which
/// hold for every search: what is too large for them is left out. If the time is up or it is cancelled, what was found
/// by then is the pack. `told` hears of every attempt, from any thread.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::pack::{Order, gather};
/// use clearway_rush::Side;
/// let shape = Shape::new(5, 5, Side::Right, None, 0)?;
/// let pack = gather(&Order::new(shape, 4..=6, 3, 7), 2, &Default::default(), &|_| ());
/// assert_eq!(pack.entries.iter().map(|entry| entry.moves).collect::<Vec<_>>(), [4, 5, 6]);
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn gather(order: &Order, threads: usize, limits: &Limits, told: &(dyn Fn(Progress) + Sync)) -> Gathered {
    let watch = limits.watch();
    let mut pool = Pool::default();
    let (mut attempts, mut in_vain, mut longest) = (0, 0, 0);
    let limit = loop {
        let aims = pool.aims(order, attempts);
        if aims.is_empty() {
            break None;
        }
        let limits = Limits { time: limits.time.map(|time| time.saturating_sub(watch.elapsed())), ..limits.clone() };
        let before = pool.len();
        let tell = |done: usize, fresh: usize| {
            told(Progress { attempts: attempts + done as u64, found: (before + fresh).min(order.count) });
        };
        let results = round(order, &aims, attempts, threads, &limits, &tell);
        attempts += results.len() as u64;
        let mut stopped = None;
        for result in results {
            in_vain += 1;
            longest = longest.max(result.longest);
            stopped = stopped.or(result.limit);
            if result.entry.is_some_and(|entry| pool.add(entry)) {
                in_vain = 0;
            }
        }
        stopped = stopped.or_else(|| watch.check(0, 0));
        if stopped.is_some() || in_vain >= order.patience {
            break stopped.or(Some(Limit::Incomplete));
        }
    };
    let found = pool.len();
    let entries = pool.selected(order.count);
    let limit = limit.filter(|&limit| entries.len() < order.count || limit == Limit::Cancelled);
    Gathered { entries, found, attempts, longest, limit }
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
        let size = total.clamp(*ROUND.start(), *ROUND.end()).min(left);
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

/// What came of an attempt.
pub(super) struct Attempted {
    pub entry: Option<Entry>,
    longest: u32,
    pub limit: Option<Limit>,
}

/// Makes the attempts of a round, and gives what came of them in order. `tell` hears how many are made, and how many of
/// them gave a puzzle.
fn round(
    order: &Order,
    aims: &[u32],
    first: u64,
    threads: usize,
    limits: &Limits,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Vec<Attempted> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new((BTreeMap::new(), 0));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, aims.len()) {
            scope.spawn(|| {
                let mut solver = Solver::new();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&aim) = aims.get(index) else { break };
                    let result = attempt(order, aim, first + index as u64, &mut solver, limits);
                    if result.limit.is_some() {
                        next.store(aims.len(), Ordering::Relaxed);
                    }
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results.1 += usize::from(result.entry.is_some());
                    results.0.insert(index, result);
                    tell(results.0.len(), results.1);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).0.into_values().collect()
}

/// Makes an attempt of that number.
pub(super) fn attempt(order: &Order, aim: u32, index: u64, solver: &mut Solver, limits: &Limits) -> Attempted {
    let request = backward::Request { aims: aim..=aim, ..backward::Request::new(order.moves.clone()) };
    let made = backward::puzzle(order.shape, &request, order.seed, index, solver, limits);
    let mut attempted = Attempted { entry: None, longest: made.longest, limit: made.limit };
    match made.puzzle.map(|puzzle| entry(order, puzzle.board, solver, limits)) {
        Some(Ok(entry)) => attempted.entry = entry,
        Some(Err(limit @ (Limit::Time | Limit::Cancelled))) => attempted.limit = Some(limit),
        // A puzzle too large for the limits of a search is none; the next may be smaller.
        Some(Err(_)) | None => {}
    }
    attempted
}

/// The entry for the puzzle that a board belongs to, if it is as long as was asked for.
fn entry(order: &Order, mut board: Board, solver: &mut Solver, limits: &Limits) -> Result<Option<Entry>, Limit> {
    loop {
        let found = canonical(solver, &board, limits)?.filter(|found| order.moves.contains(&found.moves));
        let Some(found) = found else { return Ok(None) };
        board = found.facing(order.shape.side(), order.shape.line());
        match Entry::of_puzzle(&found, board.clone(), solver, limits) {
            Ok(entry) if entry.minimal => return Ok(Some(Entry { origin: Some(origin(order.seed)), ..entry })),
            // A vehicle may be needed in one of several hardest states, and not in that which stands for the puzzle.
            Ok(_) => match stripped(solver, &board, limits)? {
                Some(smaller) => board = smaller,
                None => return Ok(None),
            },
            Err(NoEntry::Limit(limit)) => return Err(limit),
            Err(NoEntry::Solved | NoEntry::Unsolvable) => return Ok(None),
        }
    }
}

fn origin(seed: u64) -> Origin {
    Origin { generator: "backward".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), seed: Some(seed) }
}
