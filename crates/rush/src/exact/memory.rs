//! The memory of a search: its states in the order found, their parents, and the table for duplicate detection.

use super::key::Key;
use super::table::DepthTable;
use clearway_search::{Limit, LimitChecker};

/// Number of successors that are added at once: the bits of a word.
pub(super) const WORD_BITS: usize = 64;

/// The states that a search has found. It is reused for the next board to save the allocation.
#[derive(Debug)]
pub(super) struct SearchMemory<K> {
    pub table: DepthTable<K>,
    /// The states with their depths in the order found, and the index of the parent of each (the start is its own parent).
    /// Longer than `found`: a successor is written after the last state before it is known to be new.
    pub states: Vec<K>,
    pub parents: Vec<u32>,
    /// Number of states found.
    pub found: usize,
    /// Number of states that this search has room for. The tables may be larger because of an earlier board, but limits apply
    /// to this number, so that results never depend on earlier boards.
    room: usize,
}

impl<K: Key> Default for SearchMemory<K> {
    fn default() -> Self {
        SearchMemory { table: DepthTable::default(), states: Vec::new(), parents: Vec::new(), found: 0, room: 0 }
    }
}

impl<K: Key> SearchMemory<K> {
    /// Maximum number of slots at the start of a search: enough for most boards, within the second-level cache.
    const MAX_INITIAL_SLOTS: usize = 1 << 16;
    /// Maximum number of bytes kept from one board to the next. Filling a larger memory takes far longer than allocating it.
    const MAX_BYTES_KEPT: usize = 4 << 20;

    /// Removes all states, in time proportional to their number or, after a large search, to the initial size of the table.
    pub fn clear(&mut self) {
        if self.table.slots() > Self::MAX_INITIAL_SLOTS {
            self.table.reset(Self::MAX_INITIAL_SLOTS);
        } else {
            self.table.remove_all(&self.states[..self.found]);
        }
        self.found = 0;
        self.room = 0;
    }

    /// Frees the memory of a large search, so that it does not add to that of the next.
    pub fn release(&mut self) {
        let held = (self.states.len() + self.table.slots()) * size_of::<K>() + self.parents.len() * size_of::<u32>();
        if held > Self::MAX_BYTES_KEPT {
            *self = SearchMemory::default();
        }
    }

    /// Adds a state with its depth if it is new or its depth is smaller than before; returns whether that is so.
    #[inline(always)]
    pub fn add(&mut self, state: K, parent: u32) -> bool {
        let new = self.table.insert(state);
        self.states[self.found] = state;
        self.parents[self.found] = parent;
        self.found += usize::from(new);
        new
    }

    /// Adds the successors of a state whose bits are set in `word`. Returns the bits of the new ones, which have the next
    /// indices in order. There must be room for [`WORD_BITS`] states.
    #[inline(always)]
    pub fn add_successors(&mut self, base: K, mut word: u64, replacements: &[(K, K); WORD_BITS], parent: u32) -> u64 {
        let states: &mut [K; WORD_BITS] = self.states[self.found..].first_chunk_mut().expect("room was made");
        let (mut count, mut new) = (0, 0);
        while word != 0 {
            let (keep, set) = replacements[word.trailing_zeros() as usize % WORD_BITS];
            let state = base.replace(keep, set);
            let is_new = self.table.insert(state);
            // Written before it is known to be new, so that no branch depends on the contents of the table.
            states[count % WORD_BITS] = state;
            count += usize::from(is_new);
            new |= word & word.wrapping_neg() & u64::from(is_new).wrapping_neg();
            word &= word - 1;
        }
        self.parents[self.found..self.found + count].fill(parent);
        self.found += count;
        new
    }

    /// Returns the state at an index and its depth, unless a shorter path to it was found since.
    #[inline(always)]
    pub fn still_best(&self, index: u32) -> Option<(K, u32)> {
        let slot = self.states[index as usize];
        let best = self.table.depth(slot).is_none_or(|best| best >= slot.depth());
        best.then(|| (slot.state(), slot.depth()))
    }

    /// Parent of the state at an index.
    #[inline(always)]
    pub fn parent(&self, index: u32) -> K {
        self.states[self.parents[index as usize] as usize]
    }

    /// Makes room for `more` states, or returns the limit that prevents it.
    #[inline(always)]
    pub fn fit_to_population(&mut self, more: usize, checker: &LimitChecker, expanded: u64) -> Result<(), Limit> {
        if self.found + more > self.room { self.grow(more, checker, expanded) } else { Ok(()) }
    }

    /// Makes room for the first states while `held` bytes are in use elsewhere.
    pub fn make_room_beside(&mut self, states: usize, held: usize, checker: &LimitChecker) -> Result<(), Limit> {
        let room = states.max(1 << 9);
        checker.check(0, Self::bytes_for(room) + held).map_or(Ok(()), Err)?;
        self.fit_to_population(states, checker, 0)
    }

    #[cold]
    fn grow(&mut self, more: usize, checker: &LimitChecker, expanded: u64) -> Result<(), Limit> {
        let larger = if self.room < 1 << 16 { 2 * self.room } else { self.room / 2 * 3 };
        let room = larger.max(self.found + more).max(1 << 9);
        if room > u32::MAX as usize {
            return Err(Limit::Memory);
        }
        checker.check(expanded, Self::bytes_for(room)).map_or(Ok(()), Err)?;
        if self.states.len() < room {
            self.states.resize(room, K::ZERO);
            self.parents.resize(room, 0);
        }
        if self.table.slots() < Self::slots_for(room) {
            self.table.refill(Self::slots_for(room), &self.states[..self.found]);
        }
        self.room = room;
        Ok(())
    }

    /// Number of slots for a number of states. A low load factor keeps probing short; in large tables memory matters more.
    fn slots_for(room: usize) -> usize {
        let load = if room <= 1 << 14 {
            8
        } else if room <= 1 << 18 {
            4
        } else {
            2
        };
        (load * room).next_power_of_two()
    }

    /// Bytes for a number of states: the table, the states, their parents, and an index in a queue.
    fn bytes_for(room: usize) -> usize {
        Self::slots_for(room) * size_of::<K>() + room * (size_of::<K>() + 2 * size_of::<u32>())
    }

    /// Bytes that this search needs.
    pub fn memory_usage(&self) -> usize {
        Self::bytes_for(self.room)
    }

    /// Returns the states from the start to the one at `index`.
    pub fn path_to(&self, mut index: u32) -> Vec<K> {
        let mut path = vec![self.states[index as usize]];
        while self.parents[index as usize] != index {
            index = self.parents[index as usize];
            path.push(self.states[index as usize]);
        }
        path.reverse();
        path
    }
}
