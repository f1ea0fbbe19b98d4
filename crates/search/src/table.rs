//! A hash table that is emptied in no time: for searches that start over many times.

use std::hash::{Hash, Hasher};

/// The hash of a key: one multiplication a word, good in all bits.
#[inline]
pub(crate) fn hash<K: Hash>(key: &K) -> u64 {
    let mut hasher = Folded(0);
    key.hash(&mut hasher);
    hasher.finish()
}

/// Multiplies to 128 bits and folds the halves together.
struct Folded(u64);

impl Hasher for Folded {
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
        let product = u128::from((self.0 ^ value).wrapping_add(0x2545_F491_4F6C_DD1D)) * 0x9E37_79B9_7F4A_7C15;
        self.0 = product as u64 ^ (product >> 64) as u64;
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

/// A map from keys to small values, with open addressing, at most half full.
///
/// A slot counts only if it bears the stamp of the present round, so that [`clear`](Self::clear) need not touch them.
pub(crate) struct Table<K, V> {
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

impl<K: Copy + Eq + Hash, V: Copy> Table<K, V> {
    /// An empty table that holds no memory yet.
    pub fn new() -> Self {
        Table { slots: Vec::new(), stamp: 1, len: 0 }
    }

    /// Forgets everything, in no time.
    pub fn clear(&mut self) {
        self.len = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // Stamps are used up after four billion rounds: only then are the slots touched.
            self.slots.iter_mut().for_each(|slot| slot.stamp = 0);
            self.stamp = 1;
        }
    }

    /// The place of a key, put in with a value if it is not there. It holds until the next key is put in.
    #[inline]
    pub fn place(&mut self, key: K, absent: V) -> usize {
        if self.len * 2 >= self.slots.len() {
            self.grow(key, absent);
        }
        let place = self.find(key);
        let slot = &mut self.slots[place];
        if slot.stamp != self.stamp {
            *slot = Slot { key, value: absent, stamp: self.stamp };
            self.len += 1;
        }
        place
    }

    /// The value at a place.
    #[inline]
    pub fn at(&mut self, place: usize) -> &mut V {
        &mut self.slots[place].value
    }

    /// The value of a key, put in if it is not there.
    #[inline]
    pub fn entry(&mut self, key: K, absent: V) -> &mut V {
        let place = self.place(key, absent);
        self.at(place)
    }

    /// The value of a key, if it is there.
    #[inline]
    pub fn get(&self, key: K) -> Option<V> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = &self.slots[self.find(key)];
        (slot.stamp == self.stamp).then_some(slot.value)
    }

    /// The bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<K, V>>()
    }

    /// The bytes that it holds after the next few thousand keys: twice as many if it is about to grow.
    pub fn bytes_soon(&self) -> usize {
        let grows = about_to_grow(self.len, self.slots.len());
        if grows { self.bytes().max(2 * self.slots.len() * size_of::<Slot<K, V>>()) } else { self.bytes() }
    }

    /// The slot of a key, or the free one where it belongs. There is always a free one.
    #[inline]
    fn find(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash(&key) as usize & mask;
        loop {
            let slot = &self.slots[place];
            if slot.stamp != self.stamp || slot.key == key {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Twice as many slots, in place: the old table and the new one never exist side by side. The key and the value
    /// only fill slots that do not count.
    #[cold]
    fn grow(&mut self, key: K, value: V) {
        let old = self.slots.len();
        let slots = (old * 2).max(256);
        self.slots.reserve_exact(slots - old);
        self.slots.resize(slots, Slot { key, value, stamp: 0 });
        // Behind a free slot no entry has been pushed on from before it. So, from the first free slot on, each entry
        // finds its new slot among those that were visited already or are new; those before it come last.
        let first = self.slots[..old].iter().position(|slot| slot.stamp != self.stamp).unwrap_or(0);
        let wrapped: Vec<Slot<K, V>> = self.slots[..first].to_vec();
        self.slots[..first].iter_mut().for_each(|slot| slot.stamp = 0);
        for place in first..old {
            if self.slots[place].stamp == self.stamp {
                let slot = self.slots[place];
                self.slots[place].stamp = 0;
                self.put_back(slot);
            }
        }
        for slot in wrapped {
            self.put_back(slot);
        }
    }

    fn put_back(&mut self, slot: Slot<K, V>) {
        let place = self.find(slot.key);
        self.slots[place] = slot;
    }
}

/// Whether a table that is at most half full will grow before a sixteenth of its slots is filled, which is more than a
/// search fills between two looks at its limits, unless the table is small.
pub(crate) fn about_to_grow(len: usize, slots: usize) -> bool {
    len * 2 + slots / 8 >= slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_table_is_a_map() {
        let (mut table, mut map, mut random) = (Table::new(), HashMap::new(), 1u64);
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
        assert!(table.bytes() >= map.len() * 24);
    }

    #[test]
    fn a_table_grows_in_place_and_loses_nothing() {
        // Keys whose hashes are close together make long clusters, some of them around the end of the table.
        let mut random = 7u64;
        for round in 0..200u64 {
            let mut table = Table::new();
            let mut keys = Vec::new();
            while keys.len() < 700 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let home = hash(&random) as usize % 512;
                if round % 2 == 0 || (490..512).contains(&home) {
                    keys.push(random);
                }
            }
            for (place, &key) in keys.iter().enumerate() {
                *table.entry(key, 0) = place;
            }
            assert!(keys.iter().enumerate().all(|(place, &key)| table.get(key) == Some(place)));
            assert_eq!(table.slots.capacity(), 2048);
        }
    }

    #[test]
    fn what_is_about_to_grow_says_so() {
        let mut table = Table::new();
        let slot = size_of::<Slot<u64, u8>>();
        assert_eq!((table.bytes(), table.bytes_soon()), (0, 0));
        for key in 0..1024u64 {
            let (before, soon) = (table.bytes(), table.bytes_soon());
            table.entry(key, 0u8);
            assert!(table.bytes() == before || table.bytes() == soon || before == 0, "{key}");
        }
        assert_eq!((table.bytes(), table.bytes_soon()), (2048 * slot, 4096 * slot));
        table.clear();
        assert_eq!(table.bytes_soon(), 2048 * slot);
    }

    #[test]
    fn stamps_that_are_used_up_do_not_bring_old_entries_back() {
        let mut table = Table::new();
        table.entry(5u32, 1u8);
        table.stamp = u32::MAX;
        table.entry(6, 2);
        table.clear();
        assert_eq!((table.get(5), table.get(6)), (None, None));
    }
}
