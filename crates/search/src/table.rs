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

    /// Twice as many slots. The key and the value only fill slots that do not count.
    #[cold]
    fn grow(&mut self, key: K, value: V) {
        let slots = (self.slots.len() * 2).max(256);
        let old = std::mem::replace(&mut self.slots, vec![Slot { key, value, stamp: 0 }; slots]);
        for slot in old.into_iter().filter(|slot| slot.stamp == self.stamp) {
            let place = self.find(slot.key);
            self.slots[place] = slot;
        }
    }
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
    fn stamps_that_are_used_up_do_not_bring_old_entries_back() {
        let mut table = Table::new();
        table.entry(5u32, 1u8);
        table.stamp = u32::MAX;
        table.entry(6, 2);
        table.clear();
        assert_eq!((table.get(5), table.get(6)), (None, None));
    }
}
