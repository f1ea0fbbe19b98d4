//! A small random number generator that gives the same numbers on every machine for a seed and an index.

use clearway_util::rng::split_mix_64;

/// Random number generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator. Different indices give unrelated numbers.
    pub fn new(seed: u64, index: u64) -> Random {
        let mut random = Random(seed);
        Random(random.number() ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        split_mix_64(&mut self.0)
    }

    /// Returns a number from 0 to `end`, excluding `end`. The bias is negligible for small values of `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    /// Shuffles a slice.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_depend_on_seed_and_index() {
        let numbers = |seed, index| {
            let mut random = Random::new(seed, index);
            [random.number(), random.number()]
        };
        assert_eq!(numbers(1, 2), numbers(1, 2));
        assert_ne!(numbers(1, 2), numbers(1, 3));
        assert_ne!(numbers(1, 2), numbers(2, 2));
    }

    #[test]
    fn a_shuffle_keeps_the_items() {
        let mut items: Vec<usize> = (0..100).collect();
        Random::new(7, 0).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
