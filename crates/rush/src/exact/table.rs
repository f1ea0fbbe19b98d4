//! The hash table of packed states: open addressing, with the smallest known depth of each state in its low bits.

use super::key::Key;

/// A set of states, each with the smallest depth at which it was inserted.
#[derive(Debug)]
pub(super) struct DepthTable<K> {
    slots: Vec<K>,
    /// Shift that turns a hash into an index.
    shift: u32,
}

impl<K: Key> Default for DepthTable<K> {
    fn default() -> Self {
        let mut table = DepthTable { slots: Vec::new(), shift: 0 };
        table.reset(2);
        table
    }
}

impl<K: Key> DepthTable<K> {
    /// Clears the table and sets its number of slots, a power of two.
    pub fn reset(&mut self, slots: usize) {
        debug_assert!(slots.is_power_of_two() && slots >= 2);
        self.slots.clear();
        self.slots.resize(slots, K::EMPTY);
        self.shift = 64 - slots.trailing_zeros();
    }

    /// Sets the number of slots and the states that the table contains.
    pub fn refill(&mut self, slots: usize, states: &[K]) {
        self.reset(slots);
        for &state in states {
            self.insert(state);
        }
    }

    /// Clears the table, given all states in it. Cheaper than [`reset`](Self::reset) if they are few.
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

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns the index of the slot that holds the state of `key`, or of the empty slot where it belongs.
    #[inline(always)]
    fn find(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = (key.hash() >> self.shift) as usize;
        loop {
            if self.slots[index & mask].is_slot_for(key) {
                return index & mask;
            }
            index += 1;
        }
    }

    /// Inserts a state with its depth. Returns whether the state was missing or had a larger depth.
    ///
    /// The slot is always written: a branch on the result would be mispredicted half of the time.
    #[inline(always)]
    pub fn insert(&mut self, key: K) -> bool {
        let index = self.find(key);
        let slot = &mut self.slots[index];
        let new = key < *slot;
        *slot = key.min(*slot);
        new
    }

    /// Returns the depth of a state, if it is in the table.
    #[inline(always)]
    pub fn depth(&self, key: K) -> Option<u32> {
        let slot = self.slots[self.find(key)];
        (slot != K::EMPTY).then(|| slot.depth())
    }
}
