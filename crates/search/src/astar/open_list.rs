//! The open list of best-first search: the generated states that are still to be expanded, the best first.

use crate::spec::words;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// Number of expansions for which the preferred states take precedence after progress, as in LAMA.
const BOOST: u64 = 1000;

/// Choice among the states of the open list with the same f.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TieBreaking {
    /// The lowest h, and among those the state generated last.
    #[default]
    LowestH,
    /// The state generated first.
    First,
    /// The state generated last.
    Last,
}

words! { TieBreaking { LowestH => "h", First => "first", Last => "last" } }

impl TieBreaking {
    /// Bit of [`OpenEntry::insertion`] that makes entries of equal f ignore h.
    const IGNORES_H: u64 = 1 << 63;

    /// Whether the state generated last is expanded first among those with the same f and h.
    fn is_last_first(self) -> bool {
        self != TieBreaking::First
    }

    /// Encodes the number of an insertion such that the entry to expand first has the largest code.
    fn encode(self, insertion: u64) -> u64 {
        match self {
            TieBreaking::LowestH => insertion,
            TieBreaking::First => !insertion,
            TieBreaking::Last => Self::IGNORES_H | insertion,
        }
    }
}

/// An entry of the open list: a state, or successors of a state, one for each of its `moves` that are still to be generated. The
/// greatest entry is expanded first.
#[derive(Clone, Copy)]
pub(super) struct OpenEntry {
    pub f: f64,
    pub h: f64,
    /// Number of the insertion, [encoded](TieBreaking::encode): of equal entries, the one with the largest code is expanded first.
    insertion: u64,
    /// The state, or the parent of the successors.
    pub node: u32,
    /// Length of the path to the state, or to each of the successors.
    pub g: u32,
    pub moves: MoveRange,
}

/// Consecutive moves in a list of the search. An entry for a state itself has one, without a meaning.
#[derive(Clone, Copy)]
pub(super) struct MoveRange {
    pub first: u32,
    pub count: u32,
}

impl MoveRange {
    /// The range of an entry for a state.
    pub const STATE: MoveRange = MoveRange { first: 0, count: 1 };
}

impl OpenEntry {
    /// Creates an entry for one state or for several successors.
    pub fn new(node: u32, g: u32, h: f64, f: f64, moves: MoveRange) -> Self {
        OpenEntry { f, h, insertion: 0, node, g, moves }
    }

    /// Removes the move that was generated last or first.
    #[inline]
    fn remove_one(&mut self, ties: TieBreaking) -> OpenEntry {
        self.moves.count -= 1;
        let mut first = self.moves.first;
        if ties.is_last_first() {
            first += self.moves.count;
        } else {
            self.moves.first += 1;
        }
        OpenEntry { moves: MoveRange { first, count: 1 }, ..*self }
    }
}

impl Ord for OpenEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_f = other.f.total_cmp(&self.f);
        let by_h = || match self.insertion & TieBreaking::IGNORES_H {
            0 => other.h.total_cmp(&self.h),
            _ => Ordering::Equal,
        };
        by_f.then_with(by_h).then_with(|| self.insertion.cmp(&other.insertion))
    }
}

impl PartialOrd for OpenEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OpenEntry {}

/// A priority queue in which entries of higher novelty precede all others.
#[derive(Default)]
struct Queue {
    /// Entries by novelty. It is at most the number of variables, so there are few levels.
    levels: Vec<BinaryHeap<OpenEntry>>,
    /// All levels above this one are empty.
    highest: usize,
    /// Number of moves of all entries.
    moves: u64,
}

impl Queue {
    #[inline]
    fn push(&mut self, entry: OpenEntry, novelty: u32) {
        self.moves += u64::from(entry.moves.count);
        let level = novelty as usize;
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, BinaryHeap::new);
        }
        self.levels[level].push(entry);
        self.highest = self.highest.max(level);
    }

    /// Removes the first state that is current.
    fn pop(&mut self, ties: TieBreaking, is_current: impl Fn(&OpenEntry) -> bool) -> Option<OpenEntry> {
        loop {
            while self.highest > 0 && self.levels[self.highest].is_empty() {
                self.highest -= 1;
            }
            let mut top = self.levels.get_mut(self.highest)?.peek_mut()?;
            if !is_current(&top) {
                self.moves -= u64::from(top.moves.count);
                PeekMut::pop(top);
                continue;
            }
            self.moves -= 1;
            // An entry that loses a move keeps its place in the order.
            let first = top.remove_one(ties);
            if top.moves.count == 0 {
                PeekMut::pop(top);
            }
            return Some(first);
        }
    }

    fn capacity(&self) -> usize {
        self.levels.iter().map(BinaryHeap::capacity).sum()
    }
}

/// All states to expand, and again those that are reached by preferred moves. While both contain states, they take turns.
///
/// Both contain a state several times if shorter paths to it were found, and still contain it after the other returned it.
/// The caller recognises such outdated entries.
#[derive(Default)]
pub(super) struct OpenList {
    all: Queue,
    preferred: Queue,
    ties: TieBreaking,
    /// Number of insertions.
    insertions: u64,
    /// Number of expansions for which preferred states take precedence.
    boost: u64,
    /// Whether it is the turn of the preferred states.
    is_turn_of_preferred: bool,
}

impl OpenList {
    pub fn new(ties: TieBreaking) -> Self {
        OpenList { ties, ..OpenList::default() }
    }

    /// Adds an entry. Those of higher novelty precede all others.
    #[inline]
    pub fn push(&mut self, entry: OpenEntry, novelty: u32) {
        let entry = self.number(entry);
        self.all.push(entry, novelty);
    }

    /// Adds an entry to the preferred ones.
    #[inline]
    pub fn push_preferred(&mut self, entry: OpenEntry, novelty: u32) {
        let entry = self.number(entry);
        self.preferred.push(entry, novelty);
    }

    #[inline]
    fn number(&mut self, entry: OpenEntry) -> OpenEntry {
        self.insertions += 1;
        OpenEntry { insertion: self.ties.encode(self.insertions), ..entry }
    }

    /// Removes the next state of the list whose turn it is; `is_current` is false for outdated entries.
    pub fn pop(&mut self, is_current: impl Fn(&OpenEntry) -> bool) -> Option<OpenEntry> {
        if self.boost > 0 || self.is_turn_of_preferred {
            if let Some(entry) = self.preferred.pop(self.ties, &is_current) {
                return Some(entry);
            }
            (self.boost, self.is_turn_of_preferred) = (0, false);
        }
        self.all.pop(self.ties, is_current)
    }

    /// Ends a turn: a state that was removed is expanded.
    pub fn end_turn(&mut self) {
        let was_preferred = self.boost > 0 || self.is_turn_of_preferred;
        self.boost = self.boost.saturating_sub(1);
        self.is_turn_of_preferred = !was_preferred;
    }

    /// Lets the preferred states take precedence for a while.
    pub fn boost_preferred(&mut self) {
        self.boost += BOOST;
    }

    /// Number of states and moves to expand, current or not, without regard to preferences.
    pub fn len(&self) -> u64 {
        self.all.moves
    }

    /// All entries, current or not, at least one for each open state.
    pub fn entries(&self) -> impl Iterator<Item = &OpenEntry> {
        self.all.levels.iter().flatten()
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        (self.all.capacity() + self.preferred.capacity()) * size_of::<OpenEntry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a list of single moves that is searched linearly.
    #[test]
    fn moves_leave_in_the_order_of_single_entries() {
        for ties in [TieBreaking::LowestH, TieBreaking::First, TieBreaking::Last] {
            let mut list = OpenList::new(ties);
            let (mut singles, mut random): (Vec<(OpenEntry, u32)>, u64) = (Vec::new(), 1);
            for insertion in 1..2_000u32 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (f, h) = (f64::from((random >> 60) as u32 / 4), f64::from((random >> 56) as u32 & 1));
                let moves = MoveRange { first: insertion * 4, count: 1 + ((random >> 48) as u32 & 3) };
                let novelty = ((random >> 50) as u32 % 64).saturating_sub(60);
                list.push(OpenEntry::new(insertion, 3, h, f, moves), novelty);
                // States of higher novelty precede all others, whatever their f.
                let f = f - 1e6 * f64::from(novelty);
                for mv in moves.first..moves.first + moves.count {
                    let mut single = OpenEntry::new(insertion, 3, h, f, MoveRange { first: mv, count: 1 });
                    single.insertion = ties.encode(u64::from(mv));
                    singles.push((single, mv));
                }
                let listed: u32 = list.entries().map(|entry| entry.moves.count).sum();
                assert_eq!(listed as usize, singles.len());
                for _ in 0..random >> 33 & 7 {
                    let best = (0..singles.len()).max_by_key(|&index| singles[index].0);
                    let expected = best.map(|index| singles.remove(index).1);
                    assert_eq!(list.pop(|_| true).map(|entry| entry.moves.first), expected, "{ties:?}");
                }
            }
        }
    }
}
