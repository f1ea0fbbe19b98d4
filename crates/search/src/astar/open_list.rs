//! The open list of best-first search: the generated states that are still to be expanded, the best first.

use crate::spec::words;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

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

    /// Encodes the number of an insertion such that the entry to expand first has the largest code.
    fn encode(self, insertion: u64) -> u64 {
        match self {
            TieBreaking::LowestH => insertion,
            TieBreaking::First => !insertion,
            TieBreaking::Last => Self::IGNORES_H | insertion,
        }
    }
}

/// An entry of the open list. The greatest entry is expanded first.
#[derive(Clone, Copy)]
pub(super) struct OpenEntry {
    pub f: f64,
    pub h: f64,
    /// Number of its insertion, [encoded](TieBreaking::encode): of equal entries, the one with the largest code is expanded first.
    pub insertion: u64,
    pub node: u32,
    pub g: u32,
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
}

impl Queue {
    fn push(&mut self, entry: OpenEntry, is_novel: bool) {
        let queue = if is_novel { &mut self.novel } else { &mut self.others };
        queue.push(entry);
    }

    /// Removes the first entry that is current.
    fn pop(&mut self, is_current: impl Fn(&OpenEntry) -> bool) -> Option<OpenEntry> {
        loop {
            let first = if let Some(first) = self.novel.pop() { first } else { self.others.pop()? };
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
        let entry = OpenEntry { f, h, insertion: self.ties.encode(self.insertions), node, g };
        self.all.push(entry, is_novel);
        if is_preferred {
            self.preferred.push(entry, is_novel);
        }
    }

    /// Removes the next state; `is_current` is false for outdated entries.
    pub fn pop(&mut self, is_current: impl Fn(&OpenEntry) -> bool) -> Option<OpenEntry> {
        if self.boost > 0 || self.is_turn_of_preferred {
            if let Some(entry) = self.preferred.pop(&is_current) {
                self.boost = self.boost.saturating_sub(1);
                self.is_turn_of_preferred = false;
                return Some(entry);
            }
            self.boost = 0;
        }
        self.is_turn_of_preferred = true;
        self.all.pop(is_current)
    }

    /// Lets the preferred states take precedence for a while.
    pub fn boost_preferred(&mut self) {
        self.boost += BOOST;
    }

    /// All entries, current or not, at least one for each open state.
    pub fn entries(&self) -> impl Iterator<Item = &OpenEntry> {
        self.all.novel.iter().chain(&self.all.others)
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        (self.all.capacity() + self.preferred.capacity()) * size_of::<OpenEntry>()
    }
}
