//! The hash table of the searches: open addressing over packed states, each with its best known depth in its low bits.

use super::key::Key;

/// A set of states, each with the smallest depth it was put in at.
#[derive(Debug)]
pub(super) struct Table<K> {
    slots: Vec<K>,
    /// How far to shift a hash for an index.
    shift: u32,
}

impl<K: Key> Default for Table<K> {
    fn default() -> Self {
        let mut table = Table { slots: Vec::new(), shift: 0 };
        table.reset(2);
        table
    }
}

impl<K: Key> Table<K> {
    /// Empties the table and gives it `slots` slots, a power of two.
    pub fn reset(&mut self, slots: usize) {
        debug_assert!(slots.is_power_of_two() && slots >= 2);
        self.slots.clear();
        self.slots.resize(slots, K::EMPTY);
        self.shift = 64 - slots.trailing_zeros();
    }

    /// Starts anew with `slots` slots that hold these states.
    pub fn refill(&mut self, slots: usize, states: &[K]) {
        self.reset(slots);
        for &state in states {
            self.insert(state);
        }
    }

    /// Empties the table, given all states in it. Cheaper than [`reset`](Self::reset) if they are few.
    pub fn remove_all(&mut self, states: &[K]) {
        let mask = self.slots.len() - 1;
        for state in states {
            let mut index = (state.hash() >> self.shift) as usize & mask;
            while self.slots[index] != K::EMPTY {
                self.slots[index] = K::EMPTY;
                index = (index + 1) & mask;
            }
        }
    }

    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The slot that holds the state of `key`, or the empty slot where it belongs.
    #[inline(always)]
    fn find(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = (key.hash() >> self.shift) as usize;
        loop {
            if self.slots[index & mask].takes(key) {
                return index & mask;
            }
            index += 1;
        }
    }

    /// Puts a state at a depth in. True if it was not there, or only at a larger depth.
    ///
    /// The slot is always written: a branch on "new or not" would be mispredicted half of the time, a store is not.
    #[inline(always)]
    pub fn insert(&mut self, key: K) -> bool {
        let index = self.find(key);
        let slot = &mut self.slots[index];
        let new = key < *slot;
        *slot = key.min(*slot);
        new
    }

    /// The depth of a state that is in the table.
    #[inline(always)]
    pub fn depth(&self, key: K) -> Option<u32> {
        let slot = self.slots[self.find(key)];
        (slot != K::EMPTY).then(|| slot.depth())
    }
}
