//! Reproducible randomness: every piece of work has a stream of its own, derived from the seed and its number, so that results do
//! not depend on the number of threads.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// A stream of random numbers.
pub type Rng = Xoshiro256PlusPlus;

/// Returns stream number `index` of a seed.
///
/// ```
/// use clearway_util::rng::stream;
/// use rand::RngExt;
/// assert_eq!(stream(7, 0).random::<u64>(), stream(7, 0).random::<u64>());
/// assert_ne!(stream(7, 0).random::<u64>(), stream(7, 1).random::<u64>());
/// ```
pub fn stream(seed: u64, index: u64) -> Rng {
    // Adjacent indices must not give related states: an odd factor spreads them over all bits.
    let mut rng = Rng::seed_from_u64(seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32));
    rng.jump();
    rng
}
