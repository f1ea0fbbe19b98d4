//! Reproducible randomness: each individual of each generation has its own stream, derived from the seed, so that a run does not
//! depend on the number of threads.

pub use clearway_util::rng::Rng;

/// Returns the stream of individual `index` of a generation.
///
/// ```
/// use clearway_gp::rng::stream;
/// use rand::RngExt;
/// assert_eq!(stream(7, 1, 0).random::<u64>(), stream(7, 1, 0).random::<u64>());
/// assert_ne!(stream(7, 1, 0).random::<u64>(), stream(7, 0, 1).random::<u64>());
/// ```
pub fn stream(seed: u64, generation: u32, index: u32) -> Rng {
    clearway_util::rng::stream(seed, u64::from(generation) << 32 | u64::from(index))
}
