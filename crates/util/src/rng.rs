//! Reproducible randomness: each piece of work has its own stream, derived from the seed and the number of the piece, so that
//! results do not depend on the number of threads.

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

/// Advances the state of a `SplitMix64` generator, and returns its next number. For samples and walks whose numbers must never
/// change, even if [`stream`] gets another generator.
///
/// ```
/// use clearway_util::rng::split_mix_64;
/// let mut state = 0;
/// assert_eq!(split_mix_64(&mut state), 0xE220_A839_7B1D_CDAF);
/// assert_eq!(split_mix_64(&mut state), 0x6E78_9E6A_A1B9_65F4);
/// ```
pub fn split_mix_64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
