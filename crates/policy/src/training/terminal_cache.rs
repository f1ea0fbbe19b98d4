//! Terminal values of states, shared by all individuals that search a board.
//!
//! Only exact values are cached, so that no result depends on the size of the cache or on the order in which threads fill it.

use crate::cache::{Cache, CacheValue};
use crate::terminals::TERMINALS;
use clearway_util::hash::mix;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of parts with a lock each, so that threads rarely wait for each other.
const SHARDS: usize = 16;
/// Encodes an infinite value.
const INFINITE: u16 = u16::MAX - 1;

/// Terminal values by the key of a state, of bounded size: new states evict others.
pub(super) struct TerminalCache<const N: usize> {
    shards: Vec<Mutex<Cache<N, u16>>>,
}

impl<const N: usize> TerminalCache<N> {
    /// Creates a cache of at most about `bytes` bytes. It grows as it is filled.
    pub fn new(bytes: usize) -> Self {
        let shard = || Mutex::new(Cache::new(TERMINALS.len(), bytes / SHARDS));
        TerminalCache { shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    fn shard(&self, key: [u64; N]) -> MutexGuard<'_, Cache<N, u16>> {
        // The cache itself uses the low bits.
        let hash = key.iter().fold(0, |hash, &word| mix(hash, word)) >> 48;
        self.shards[hash as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets `values` to those of a state, one for each terminal; NaN for a value that is not known.
    pub fn load(&self, key: [u64; N], values: &mut [f64]) {
        let mut shard = self.shard(key);
        values.iter_mut().zip(shard.entry(key)).for_each(|(value, &mut code)| *value = decode(code));
    }

    /// Stores the values of a state, one for each terminal, except for terminals that depend on the path and NaN.
    pub fn store(&self, key: [u64; N], values: &[f64]) {
        let mut shard = self.shard(key);
        for ((code, &value), terminal) in shard.entry(key).iter_mut().zip(values).zip(TERMINALS) {
            if terminal.state_only && !value.is_nan() {
                *code = encode(value);
            }
        }
    }
}

/// Encodes a value; values that are neither infinite nor small natural numbers are not cached.
fn encode(value: f64) -> u16 {
    if value == f64::INFINITY {
        INFINITE
    } else if value.fract() == 0.0 && (0.0..f64::from(INFINITE)).contains(&value) {
        value as u16
    } else {
        u16::UNSET
    }
}

fn decode(code: u16) -> f64 {
    match code {
        u16::UNSET => f64::NAN,
        INFINITE => f64::INFINITY,
        number => f64::from(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_values_are_cached_and_no_others() {
        let cache = TerminalCache::<1>::new(1 << 20);
        let mut values = vec![f64::NAN; TERMINALS.len()];
        cache.load([7], &mut values);
        assert!(values.iter().all(|value| value.is_nan()));
        values[..4].copy_from_slice(&[3.0, 0.5, f64::INFINITY, 1.0]);
        values[10] = 70_000.0;
        cache.store([7], &values);
        let mut loaded = vec![0.0; TERMINALS.len()];
        cache.load([7], &mut loaded);
        assert_eq!((loaded[0], loaded[2]), (3.0, f64::INFINITY));
        assert!([1, 3, 10].iter().all(|&terminal| loaded[terminal].is_nan()), "{loaded:?}");
        assert_eq!(TERMINALS[3].name, "is-move-to-secluded", "which depends on the path");
        cache.load([8], &mut loaded);
        assert!(loaded.iter().all(|value| value.is_nan()), "another state");
    }
}
