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

/// An entry of the open list: one state, or several states with consecutive numbers that were inserted one after the other with
/// the same values, as the successors of a state are with deferred evaluation. The greatest entry is expanded first.
#[derive(Clone, Copy)]
pub(super) struct OpenEntry {
    pub f: f64,
    pub h: f64,
    /// Number of the insertion of `node`, [encoded](TieBreaking::encode): of equal entries, the one with the largest code is
    /// expanded first. No other entry was inserted between the states of this one.
    pub insertion: u64,
    /// The state to expand first.
    pub node: u32,
    pub g: u32,
    /// Number of states that follow.
    rest: u32,
}

impl OpenEntry {
    /// Removes the first state; false if it was the last one.
    #[inline]
    fn advance(&mut self, ties: TieBreaking) -> bool {
        if self.rest == 0 {
            return false;
        }
        self.rest -= 1;
        // Codes descend in the order of expansion, whatever the order of insertion.
        self.insertion -= 1;
        self.node = if ties.is_last_first() { self.node - 1 } else { self.node + 1 };
        true
    }

    /// Adds a state that was inserted next, if it has the same values. Returns whether it was added.
    #[inline]
    fn extend(&mut self, next: &OpenEntry, ties: TieBreaking) -> bool {
        let last_first = ties.is_last_first();
        let (newest, next_insertion) = if last_first {
            (self.node, self.insertion + 1)
        } else {
            (self.node + self.rest, self.insertion - u64::from(self.rest) - 1)
        };
        let joins = newest.checked_add(1) == Some(next.node)
            && next_insertion == next.insertion
            && self.g == next.g
            && self.f.to_bits() == next.f.to_bits()
            && self.h.to_bits() == next.h.to_bits();
        if joins {
            self.rest += 1;
            if last_first {
                (self.node, self.insertion) = (next.node, next.insertion);
            }
        }
        joins
    }

    /// The states, each as an entry of its own.
    fn states(self, ties: TieBreaking) -> impl Iterator<Item = OpenEntry> {
        std::iter::successors(Some(self), move |&entry| {
            let mut next = entry;
            next.advance(ties).then_some(next)
        })
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

/// A priority queue in which novel entries precede all others.
#[derive(Default)]
struct Queue {
    novel: BinaryHeap<OpenEntry>,
    others: BinaryHeap<OpenEntry>,
    /// The newest entry, which may still be extended, and whether it is novel. It is in neither heap.
    newest: Option<(OpenEntry, bool)>,
}

impl Queue {
    #[inline]
    fn push(&mut self, entry: OpenEntry, is_novel: bool, ties: TieBreaking) {
        if let Some((newest, novel)) = &mut self.newest {
            if *novel == is_novel && newest.extend(&entry, ties) {
                return;
            }
            self.settle();
        }
        self.newest = Some((entry, is_novel));
    }

    /// Moves the newest entry to its heap.
    fn settle(&mut self) {
        if let Some((entry, is_novel)) = self.newest.take() {
            let heap = if is_novel { &mut self.novel } else { &mut self.others };
            heap.push(entry);
        }
    }

    /// Removes the first state that is current.
    fn pop(&mut self, ties: TieBreaking, is_current: impl Fn(&OpenEntry) -> bool) -> Option<OpenEntry> {
        self.settle();
        loop {
            let heap = if self.novel.is_empty() { &mut self.others } else { &mut self.novel };
            let mut top = heap.peek_mut()?;
            let first = OpenEntry { rest: 0, ..*top };
            if top.rest == 0 {
                PeekMut::pop(top);
            } else {
                top.advance(ties);
            }
            if is_current(&first) {
                return Some(first);
            }
        }
    }

    fn capacity(&self) -> usize {
        self.novel.capacity() + self.others.capacity()
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

    /// Adds a state.
    #[inline]
    pub fn push(&mut self, node: u32, g: u32, h: f64, f: f64, is_preferred: bool, is_novel: bool) {
        self.insertions += 1;
        let entry = OpenEntry { f, h, insertion: self.ties.encode(self.insertions), node, g, rest: 0 };
        self.all.push(entry, is_novel, self.ties);
        if is_preferred {
            self.preferred.push(entry, is_novel, self.ties);
        }
    }

    /// Removes the next state; `is_current` is false for outdated entries.
    pub fn pop(&mut self, is_current: impl Fn(&OpenEntry) -> bool) -> Option<OpenEntry> {
        if self.boost > 0 || self.is_turn_of_preferred {
            if let Some(entry) = self.preferred.pop(self.ties, &is_current) {
                self.boost = self.boost.saturating_sub(1);
                self.is_turn_of_preferred = false;
                return Some(entry);
            }
            self.boost = 0;
        }
        self.is_turn_of_preferred = true;
        self.all.pop(self.ties, is_current)
    }

    /// Lets the preferred states take precedence for a while.
    pub fn boost_preferred(&mut self) {
        self.boost += BOOST;
    }

    /// All states with their values, current or not, at least one for each open state.
    pub fn entries(&self) -> impl Iterator<Item = OpenEntry> {
        let newest = self.all.newest.iter().map(|(entry, _)| entry);
        let entries = self.all.novel.iter().chain(&self.all.others).chain(newest);
        entries.flat_map(|entry| entry.states(self.ties))
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        (self.all.capacity() + self.preferred.capacity()) * size_of::<OpenEntry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of several states must not change the order: compares with a list of single states that is searched linearly.
    #[test]
    fn states_leave_in_the_order_of_single_entries() {
        for ties in [TieBreaking::LowestH, TieBreaking::First, TieBreaking::Last] {
            let mut list = OpenList::new(ties);
            let (mut singles, mut random, mut node): (Vec<OpenEntry>, u64, u32) = (Vec::new(), 1, 0);
            for insertion in 1..2_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Values change rarely, and numbers are mostly consecutive.
                let (f, h) = (f64::from((random >> 60) as u32 / 4), f64::from((random >> 56) as u32 & 1));
                node += if (random >> 40).is_multiple_of(8) { 2 } else { 1 };
                list.push(node, 3, h, f, false, (random >> 50).is_multiple_of(16));
                let is_novel = (random >> 50).is_multiple_of(16);
                // Novel states precede all others, whatever their f.
                let f = if is_novel { f - 1e6 } else { f };
                singles.push(OpenEntry { f, h, insertion: ties.encode(insertion), node, g: 3, rest: 0 });
                assert_eq!(list.entries().count(), singles.len());
                for _ in 0..random >> 33 & 3 {
                    let best = (0..singles.len()).max_by_key(|&index| singles[index]);
                    let expected = best.map(|index| singles.remove(index).node);
                    assert_eq!(list.pop(|_| true).map(|entry| entry.node), expected, "{ties:?}");
                }
            }
        }
    }
}
