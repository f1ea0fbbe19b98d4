//! Randomness that can be repeated: each individual of each generation has a stream of its own, derived from the seed,
//! so that one thread and many make the same run.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// A stream of random numbers.
pub type Rng = Xoshiro256PlusPlus;

/// The stream of individual `index` of a generation, in the run that `seed` names.
///
/// ```
/// use clearway_gp::rng::stream;
/// use rand::RngExt;
/// assert_eq!(stream(7, 1, 0).random::<u64>(), stream(7, 1, 0).random::<u64>());
/// assert_ne!(stream(7, 1, 0).random::<u64>(), stream(7, 0, 1).random::<u64>());
/// ```
pub fn stream(seed: u64, generation: u32, index: u32) -> Rng {
    // Neighbouring numbers must not give neighbouring states: an odd factor spreads them over all bits.
    let number = (u64::from(generation) << 32 | u64::from(index)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut rng = Rng::seed_from_u64(seed ^ number.rotate_left(32));
    rng.jump();
    rng
}
