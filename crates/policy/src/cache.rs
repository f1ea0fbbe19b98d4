//! A direct-mapped cache of values by state: each state maps to one slot, and a new state evicts the one that is there.

use clearway_util::hash::mix;

/// A type of cached values with a mark for a value that is not computed yet.
pub(crate) trait CacheValue: Copy {
    /// Marks a value that is not computed yet.
    const UNSET: Self;
}

impl CacheValue for f64 {
    const UNSET: f64 = f64::NAN;
}

impl CacheValue for u16 {
    const UNSET: u16 = u16::MAX;
}

/// Initial number of slots, unless the memory limit allows fewer.
const MIN_SLOTS: usize = 1 << 10;
/// Maximum number of slots. A table that is far larger than the processor's caches is about as slow as computing the values.
const MAX_SLOTS: usize = 1 << 18;

/// Values by the key of a state. The table grows while states evict each other, up to a limit.
pub(crate) struct Cache<const N: usize, V = f64> {
    /// State in each slot, or `EMPTY`.
    keys: Vec<[u64; N]>,
    /// `width` values for each slot; unset if not computed yet.
    values: Vec<V>,
    /// Number of values per state.
    width: usize,
    max_slots: usize,
    /// Evictions since the table was last resized.
    evicted: usize,
}

impl<const N: usize, V: CacheValue> Cache<N, V> {
    /// Marks an empty slot. It is not the key of any state: no vehicle starts on the last cell of a line of sixteen.
    const EMPTY: [u64; N] = [u64::MAX; N];

    /// Creates a cache of `width` values per state that takes at most about `bytes` bytes.
    pub fn new(width: usize, bytes: usize) -> Self {
        let slot_size = N * size_of::<u64>() + width * size_of::<V>();
        let max_slots = 1 << (bytes / slot_size).clamp(1, MAX_SLOTS).ilog2();
        let mut cache = Cache { keys: Vec::new(), values: Vec::new(), width, max_slots, evicted: 0 };
        cache.resize(MIN_SLOTS.min(max_slots));
        cache
    }

    /// Returns the values of a state, all unset if the state is new. The state takes over its slot.
    #[inline]
    pub fn entry(&mut self, key: [u64; N]) -> &mut [V] {
        let mut slot = self.slot(key);
        if self.keys[slot] != key {
            self.evicted += usize::from(self.keys[slot] != Self::EMPTY);
            if self.evicted > self.keys.len() / 2 && self.keys.len() < self.max_slots {
                self.grow();
                slot = self.slot(key);
            }
            self.keys[slot] = key;
            self.values_at(slot).fill(V::UNSET);
        }
        self.values_at(slot)
    }

    #[inline]
    fn slot(&self, key: [u64; N]) -> usize {
        key.iter().fold(0, |hash, &word| mix(hash, word)) as usize & (self.keys.len() - 1)
    }

    #[inline]
    fn values_at(&mut self, slot: usize) -> &mut [V] {
        &mut self.values[slot * self.width..(slot + 1) * self.width]
    }

    fn resize(&mut self, slots: usize) {
        self.keys = vec![Self::EMPTY; slots];
        self.values = vec![V::UNSET; slots * self.width];
        self.evicted = 0;
    }

    #[cold]
    fn grow(&mut self) {
        let (keys, values) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.values));
        self.resize((keys.len() * 4).min(self.max_slots));
        for (&key, old) in keys.iter().zip(values.chunks_exact(self.width)) {
            if key != Self::EMPTY {
                let slot = self.slot(key);
                self.keys[slot] = key;
                self.values_at(slot).copy_from_slice(old);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_belong_to_their_state() {
        let mut cache = Cache::<2, f64>::new(3, 1 << 20);
        let (mut random, mut found) = (1u64, 0);
        for _ in 0..200_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = [random >> 52, 7];
            let entry = cache.entry(key);
            if entry[1].is_nan() {
                entry[1] = key[0] as f64;
            } else {
                found += 1;
            }
            assert_eq!((entry[1], entry[2].is_nan()), (key[0] as f64, true));
        }
        assert!(found > 150_000, "{found}");
        assert!(cache.keys.len() > MIN_SLOTS && cache.keys.len() * 40 <= 1 << 20);
    }

    #[test]
    fn a_cache_of_zero_bytes_has_one_slot() {
        let mut cache = Cache::<1, f64>::new(1, 0);
        cache.entry([1])[0] = 1.0;
        assert!(cache.entry([2])[0].is_nan() && cache.entry([1])[0].is_nan());
        assert_eq!(cache.keys.len(), 1);
    }
}
