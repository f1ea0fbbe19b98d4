//! The memory of a search: its states in the order found, where each came from, and the table that knows them again.

use super::key::Key;
use super::table::Table;
use clearway_search::{Limit, Watch};

/// How many successors are added in one go: the bits of a word.
pub(super) const MANY: usize = 64;

/// The states that a search has found. Kept between boards, so that only the first pays for the allocation.
#[derive(Debug)]
pub(super) struct Memory<K> {
    pub table: Table<K>,
    /// The states with their depths in the order found, and the index each was reached from (the start: its own). Longer than `found`: a
    /// successor is written behind the last state before it is known to be new.
    pub states: Vec<K>,
    pub parents: Vec<u32>,
    /// The number of states found.
    pub found: usize,
    /// The number of states that this search has made room for. The tables may be larger, from a board before, but
    /// what is counted and limited is this: an answer never depends on what came before.
    room: usize,
}

impl<K: Key> Default for Memory<K> {
    fn default() -> Self {
        Memory { table: Table::default(), states: Vec::new(), parents: Vec::new(), found: 0, room: 0 }
    }
}

impl<K: Key> Memory<K> {
    /// The slots that a board starts with at most: enough for most boards, inside the second-level cache.
    const MOST_SLOTS_AT_START: usize = 1 << 16;
    /// The bytes that are kept at most from one board to the next: what takes more takes far longer to fill than to
    /// allocate.
    const MOST_BYTES_KEPT: usize = 4 << 20;

    /// Forgets everything, at a cost that goes with what there was.
    pub fn clear(&mut self) {
        if self.table.slots() > Self::MOST_SLOTS_AT_START {
            self.table.reset(Self::MOST_SLOTS_AT_START);
        } else {
            self.table.remove_all(&self.states[..self.found]);
        }
        self.found = 0;
        self.room = 0;
    }

    /// Gives back the memory of a large search, so that it does not stay beside that of the next.
    pub fn release(&mut self) {
        let held = (self.states.len() + self.table.slots()) * size_of::<K>() + self.parents.len() * size_of::<u32>();
        if held > Self::MOST_BYTES_KEPT {
            *self = Memory::default();
        }
    }

    /// Puts in a state at a depth if it is new, or at a smaller depth than before.
    #[inline(always)]
    pub fn add(&mut self, state: K, parent: u32) -> bool {
        let new = self.table.insert(state);
        self.states[self.found] = state;
        self.parents[self.found] = parent;
        self.found += usize::from(new);
        new
    }

    /// Adds those successors of a state whose bits are set in `word`; returns the bits of those that are new, which
    /// got the next indices in order. There must be room for [`MANY`].
    #[inline(always)]
    pub fn add_successors(&mut self, base: K, mut word: u64, replacements: &[(K, K); MANY], parent: u32) -> u64 {
        let states: &mut [K; MANY] = self.states[self.found..].first_chunk_mut().expect("room was made");
        let (mut count, mut new) = (0, 0);
        while word != 0 {
            let (keep, set) = replacements[word.trailing_zeros() as usize % MANY];
            let state = base.replace(keep, set);
            let is_new = self.table.insert(state);
            // Written before it is known to be new: no branch depends on what is in the table.
            states[count % MANY] = state;
            count += usize::from(is_new);
            new |= word & word.wrapping_neg() & u64::from(is_new).wrapping_neg();
            word &= word - 1;
        }
        self.parents[self.found..self.found + count].fill(parent);
        self.found += count;
        new
    }

    /// The state at an index and its depth, unless it was reached by a shorter way since.
    #[inline(always)]
    pub fn still_best(&self, index: u32) -> Option<(K, u32)> {
        let slot = self.states[index as usize];
        let best = self.table.depth(slot).is_none_or(|best| best >= slot.depth());
        best.then(|| (slot.state(), slot.depth()))
    }

    /// The state that the one at an index was reached from.
    #[inline(always)]
    pub fn parent(&self, index: u32) -> K {
        self.states[self.parents[index as usize] as usize]
    }

    /// Makes room for `more` states; the limit that forbids it, if one does.
    #[inline(always)]
    pub fn make_room(&mut self, more: usize, watch: &Watch, expanded: u64) -> Result<(), Limit> {
        if self.found + more > self.room { self.grow(more, watch, expanded) } else { Ok(()) }
    }

    /// Makes room for the first states, while so many bytes are held elsewhere.
    pub fn make_room_beside(&mut self, states: usize, held: usize, watch: &Watch) -> Result<(), Limit> {
        let room = states.max(1 << 9);
        watch.check(0, Self::bytes_for(room) + held).map_or(Ok(()), Err)?;
        self.make_room(states, watch, 0)
    }

    #[cold]
    fn grow(&mut self, more: usize, watch: &Watch, expanded: u64) -> Result<(), Limit> {
        let larger = if self.room < 1 << 16 { 2 * self.room } else { self.room / 2 * 3 };
        let room = larger.max(self.found + more).max(1 << 9);
        if room > u32::MAX as usize {
            return Err(Limit::Memory);
        }
        watch.check(expanded, Self::bytes_for(room)).map_or(Ok(()), Err)?;
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

    /// The slots for a number of states. A low load keeps probing short; in large tables memory counts for more.
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

    /// The bytes for a number of states: the table, the states, their parents, and an index in a queue.
    fn bytes_for(room: usize) -> usize {
        Self::slots_for(room) * size_of::<K>() + room * (size_of::<K>() + 2 * size_of::<u32>())
    }

    /// The bytes that this search needs.
    pub fn bytes(&self) -> usize {
        Self::bytes_for(self.room)
    }

    /// The states from the start to the one at `index`.
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
