//! A hash table that is cleared in constant time, for searches that start over many times.

use clearway_util::hash::mix;
use std::hash::{Hash, Hasher};

/// Hashes a key with one multiplication per word; all bits are well mixed.
#[inline]
pub(crate) fn hash<K: Hash>(key: &K) -> u64 {
    let mut hasher = FoldedMultiplyHasher(0);
    key.hash(&mut hasher);
    hasher.finish()
}

/// Multiplies to 128 bits and folds the two halves together with XOR.
struct FoldedMultiplyHasher(u64);

impl Hasher for FoldedMultiplyHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let mut whole = [0; 8];
            whole.copy_from_slice(word);
            self.write_u64(u64::from_le_bytes(whole));
        }
        for &byte in words.remainder() {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0, value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map from keys to small values: open addressing, at most half full.
///
/// Only slots with the current stamp are occupied, so [`clear`](Self::clear) increments the stamp and does not touch them.
pub(crate) struct StateTable<K, V> {
    slots: Vec<Slot<K, V>>,
    stamp: u32,
    len: usize,
}

#[derive(Clone, Copy)]
struct Slot<K, V> {
    key: K,
    value: V,
    stamp: u32,
}

impl<K: Copy + Eq + Hash, V: Copy> StateTable<K, V> {
    /// Creates an empty table without allocating.
    pub fn new() -> Self {
        StateTable { slots: Vec::new(), stamp: 1, len: 0 }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Removes all entries in constant time.
    pub fn clear(&mut self) {
        self.len = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // The stamp wraps around after 2^32 rounds; only then are the slots touched.
            self.slots.iter_mut().for_each(|slot| slot.stamp = 0);
            self.stamp = 1;
        }
    }

    /// Returns the slot of a key, which is inserted with the value `absent` if it is missing. The slot is valid until the next
    /// insertion.
    #[inline]
    pub fn slot(&mut self, key: K, absent: V) -> usize {
        if self.len * 2 >= self.slots.len() {
            self.grow(key, absent);
        }
        let index = self.find(key);
        let slot = &mut self.slots[index];
        if slot.stamp != self.stamp {
            *slot = Slot { key, value: absent, stamp: self.stamp };
            self.len += 1;
        }
        index
    }

    /// Returns the value in a slot.
    #[inline]
    pub fn value_mut(&mut self, index: usize) -> &mut V {
        &mut self.slots[index].value
    }

    /// Returns the value of a key, which is inserted with the value `absent` if it is missing.
    #[inline]
    pub fn entry(&mut self, key: K, absent: V) -> &mut V {
        let slot = self.slot(key, absent);
        self.value_mut(slot)
    }

    /// Returns the value of a key, if it is in the table.
    #[inline]
    pub fn get(&self, key: K) -> Option<V> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = &self.slots[self.find(key)];
        (slot.stamp == self.stamp).then_some(slot.value)
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<K, V>>()
    }

    /// Bytes held after the next few thousand insertions: twice as many as now if the table is about to grow.
    pub fn memory_usage_soon(&self) -> usize {
        let grows = about_to_grow(self.len, self.slots.len());
        if grows {
            self.memory_usage().max(2 * self.slots.len() * size_of::<Slot<K, V>>())
        } else {
            self.memory_usage()
        }
    }

    /// Returns the index of the slot that holds a key, or of the free slot where it belongs. A free slot always exists.
    #[inline]
    fn find(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = hash(&key) as usize & mask;
        loop {
            let slot = &self.slots[index];
            if slot.stamp != self.stamp || slot.key == key {
                return index;
            }
            index = (index + 1) & mask;
        }
    }

    /// Doubles the number of slots in place, so that the old table and the new one never exist side by side. The key and the
    /// value only initialise free slots.
    #[cold]
    fn grow(&mut self, key: K, value: V) {
        let old = self.slots.len();
        let slots = (old * 2).max(256);
        self.slots.reserve_exact(slots - old);
        self.slots.resize(slots, Slot { key, value, stamp: 0 });
        // No probe sequence crosses a free slot. So, from the first free slot on, each entry finds its new slot among those
        // that were already processed or are new; the entries before the first free slot are reinserted last.
        let first = self.slots[..old].iter().position(|slot| slot.stamp != self.stamp).unwrap_or(0);
        let wrapped: Vec<Slot<K, V>> = self.slots[..first].to_vec();
        self.slots[..first].iter_mut().for_each(|slot| slot.stamp = 0);
        for index in first..old {
            if self.slots[index].stamp == self.stamp {
                let slot = self.slots[index];
                self.slots[index].stamp = 0;
                self.reinsert(slot);
            }
        }
        for slot in wrapped {
            self.reinsert(slot);
        }
    }

    fn reinsert(&mut self, slot: Slot<K, V>) {
        let index = self.find(slot.key);
        self.slots[index] = slot;
    }
}

/// Returns whether a table that is at most half full will grow before another sixteenth of its slots is filled. Unless the
/// table is small, a search fills fewer slots than that between two checks of its limits.
pub(crate) fn about_to_grow(len: usize, slots: usize) -> bool {
    len * 2 + slots / 8 >= slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_table_behaves_like_a_hash_map() {
        let (mut table, mut map, mut random) = (StateTable::new(), HashMap::new(), 1u64);
        for round in 0..50_000u32 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = [random >> 50, 7];
            assert_eq!(table.get(key), map.get(&key).copied());
            *table.entry(key, 0) += round;
            *map.entry(key).or_insert(0) += round;
            if round % 9_999 == 0 {
                table.clear();
                map.clear();
            }
        }
        assert!(map.iter().all(|(&key, &value)| table.get(key) == Some(value)));
        assert!(table.memory_usage() >= map.len() * 24);
    }

    #[test]
    fn growing_in_place_loses_no_entry() {
        // Keys with similar hashes form long clusters, some of which wrap around the end of the table.
        let mut random = 7u64;
        for round in 0..200u64 {
            let mut table = StateTable::new();
            let mut keys = Vec::new();
            while keys.len() < 700 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let home = hash(&random) as usize % 512;
                if round % 2 == 0 || (490..512).contains(&home) {
                    keys.push(random);
                }
            }
            for (index, &key) in keys.iter().enumerate() {
                *table.entry(key, 0) = index;
            }
            assert!(keys.iter().enumerate().all(|(index, &key)| table.get(key) == Some(index)));
            assert_eq!(table.slots.capacity(), 2048);
        }
    }

    #[test]
    fn memory_usage_soon_predicts_growth() {
        let mut table = StateTable::new();
        let slot = size_of::<Slot<u64, u8>>();
        assert_eq!((table.memory_usage(), table.memory_usage_soon()), (0, 0));
        for key in 0..1024u64 {
            let (before, soon) = (table.memory_usage(), table.memory_usage_soon());
            table.entry(key, 0u8);
            assert!(table.memory_usage() == before || table.memory_usage() == soon || before == 0, "{key}");
        }
        assert_eq!((table.memory_usage(), table.memory_usage_soon()), (2048 * slot, 4096 * slot));
        table.clear();
        assert_eq!(table.memory_usage_soon(), 2048 * slot);
    }

    #[test]
    fn wrapping_stamps_do_not_restore_old_entries() {
        let mut table = StateTable::new();
        table.entry(5u32, 1u8);
        table.stamp = u32::MAX;
        table.entry(6, 2);
        table.clear();
        assert_eq!((table.get(5), table.get(6)), (None, None));
    }
}
