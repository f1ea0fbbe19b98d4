//! A table of numbers by state that forgets: each state has one place, and the last that came there has it.

/// The fewest places.
const FEWEST: usize = 1 << 10;
/// The most places: what is far beyond the caches of a processor is computed about as fast as it is found.
const MOST: usize = 1 << 18;

/// Numbers by the key of a state. It grows while states push each other out, up to a limit.
pub(crate) struct Cache<const N: usize> {
    /// By place: the state that has it.
    keys: Vec<[u64; N]>,
    /// By place: the numbers of that state; NaN where one is not known yet.
    numbers: Vec<f64>,
    /// How many numbers a state has.
    width: usize,
    most: usize,
    /// How many states were pushed out since it grew.
    lost: usize,
}

impl<const N: usize> Cache<N> {
    /// The key of no state: no vehicle begins on the last cell of a line of sixteen.
    const NOBODY: [u64; N] = [u64::MAX; N];

    /// A cache of so many numbers a state and about so many bytes.
    pub fn new(width: usize, bytes: usize) -> Self {
        let place = (N + width) * size_of::<u64>();
        let most = 1 << (bytes / place).clamp(1, MOST).ilog2();
        let mut cache = Cache { keys: Vec::new(), numbers: Vec::new(), width, most, lost: 0 };
        cache.resize(FEWEST.min(most));
        cache
    }

    /// The numbers of a state; all NaN if nothing is known of it.
    #[inline]
    pub fn entry(&mut self, key: [u64; N]) -> &mut [f64] {
        let mut place = self.place(key);
        if self.keys[place] != key {
            self.lost += usize::from(self.keys[place] != Self::NOBODY);
            if self.lost > self.keys.len() / 2 && self.keys.len() < self.most {
                self.grow();
                place = self.place(key);
            }
            self.keys[place] = key;
            self.numbers_at(place).fill(f64::NAN);
        }
        self.numbers_at(place)
    }

    #[inline]
    fn place(&self, key: [u64; N]) -> usize {
        let folded = key.iter().fold(0u64, |hash, &word| {
            let product = u128::from((hash ^ word).wrapping_add(0x2545_F491_4F6C_DD1D)) * 0x9E37_79B9_7F4A_7C15;
            (product >> 64) as u64 ^ product as u64
        });
        folded as usize & (self.keys.len() - 1)
    }

    #[inline]
    fn numbers_at(&mut self, place: usize) -> &mut [f64] {
        &mut self.numbers[place * self.width..(place + 1) * self.width]
    }

    fn resize(&mut self, places: usize) {
        self.keys = vec![Self::NOBODY; places];
        self.numbers = vec![f64::NAN; places * self.width];
        self.lost = 0;
    }

    #[cold]
    fn grow(&mut self) {
        let (keys, numbers) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.numbers));
        self.resize((keys.len() * 4).min(self.most));
        for (&key, old) in keys.iter().zip(numbers.chunks_exact(self.width)) {
            if key != Self::NOBODY {
                let place = self.place(key);
                self.keys[place] = key;
                self.numbers_at(place).copy_from_slice(old);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_was_put_there_for_that_state() {
        let mut cache = Cache::<2>::new(3, 1 << 20);
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
        assert!(cache.keys.len() > FEWEST && cache.keys.len() * 40 <= 1 << 20);
    }

    #[test]
    fn a_cache_of_no_bytes_has_one_place() {
        let mut cache = Cache::<1>::new(1, 0);
        cache.entry([1])[0] = 1.0;
        assert!(cache.entry([2])[0].is_nan() && cache.entry([1])[0].is_nan());
        assert_eq!(cache.keys.len(), 1);
    }
}
