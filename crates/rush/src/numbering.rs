//! Keys of states, numbered in the order in which they are first seen.

/// A map from keys of states to consecutive numbers. The index stores no keys and is never held twice while it grows, so it
/// takes about half the memory of a hash map, and a third while growing.
#[derive(Clone, Debug)]
pub(crate) struct Numbering<const N: usize> {
    keys: Vec<[u64; N]>,
    /// Numbers by the hash of their keys: open addressing, at most half full.
    index: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl<const N: usize> Numbering<N> {
    /// Creates an empty numbering.
    pub fn new() -> Self {
        Numbering { keys: Vec::new(), index: vec![FREE; 256] }
    }

    /// Keys in the order of their numbers.
    pub fn keys(&self) -> &[[u64; N]] {
        &self.keys
    }

    /// Drops the index and returns the keys in the order of their numbers.
    pub fn into_keys(self) -> Vec<[u64; N]> {
        self.keys
    }

    /// Number of a key, if it has one.
    #[inline]
    pub fn get(&self, key: [u64; N]) -> Option<u32> {
        let number = self.index[self.find(key)];
        (number != FREE).then_some(number)
    }

    /// Number of a key; a new key gets the next free number.
    #[inline]
    pub fn number(&mut self, key: [u64; N]) -> u32 {
        let place = self.find(key);
        if self.index[place] != FREE {
            return self.index[place];
        }
        let number = self.keys.len() as u32;
        self.index[place] = number;
        self.keys.push(key);
        if self.keys.len() * 2 > self.index.len() {
            self.grow();
        }
        number
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.keys.capacity() * size_of::<[u64; N]>() + self.index.len() * size_of::<u32>()
    }

    /// Bytes held after the next few thousand keys: more than now if the index is about to grow.
    pub fn memory_usage_soon(&self) -> usize {
        let slots = self.index.len();
        let grows = self.keys.len() * 2 + slots / 8 >= slots;
        self.memory_usage() + if grows { slots * size_of::<u32>() } else { 0 }
    }

    #[inline]
    fn find(&self, key: [u64; N]) -> usize {
        let mask = self.index.len() - 1;
        let mut place = hash(key) as usize & mask;
        while self.index[place] != FREE && self.keys[self.index[place] as usize] != key {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        // The old index is freed before the new one is allocated.
        let larger = self.index.len() * 2;
        self.index = Vec::new();
        self.index = vec![FREE; larger];
        for number in 0..self.keys.len() {
            let place = self.find(self.keys[number]);
            self.index[place] = number as u32;
        }
    }
}

/// Multiplies to 128 bits and folds the halves together. Keys come from boards, so the hash need not resist deliberate
/// collisions.
#[inline]
fn hash<const N: usize>(key: [u64; N]) -> u64 {
    key.iter().fold(0, |hash, &word| {
        let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f;
        (product >> 64) as u64 ^ product as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn keys_keep_their_numbers() {
        let (mut numbering, mut map, mut random) = (Numbering::<2>::new(), HashMap::new(), 1u64);
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = [random >> 51, 3];
            assert_eq!(numbering.get(key), map.get(&key).copied());
            let next = map.len() as u32;
            let (before, soon) =
                (numbering.index.len() * 4, numbering.memory_usage_soon() - numbering.keys.capacity() * 16);
            assert_eq!(numbering.number(key), *map.entry(key).or_insert(next));
            let after = numbering.index.len() * 4;
            assert!(after == before || after == soon, "growth is announced");
        }
        assert!(map.iter().all(|(key, &number)| numbering.keys()[number as usize] == *key));
    }
}
