//! How the memory limit of the server is shared among everything that it does at a time.
//!
//! The shares are fixed, so that what a search may use depends on the configuration alone and not on what else the
//! server happens to do. They never add up to more than the limit.

/// The most for requests and answers in flight.
const MOST_TRANSFER: usize = 64 << 20;
/// The most for a search of the quick lane.
const MOST_QUICK: usize = 16 << 20;

/// The bytes that each part of the server may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Bodies of requests and answers, all of them together.
    pub transfer: usize,
    /// One search of the quick lane.
    pub quick: usize,
    /// One search of the long lane.
    pub long: usize,
    /// The run of evolution.
    pub evolution: usize,
}

impl Shares {
    /// The shares of a limit, with a number of threads in each lane.
    pub fn new(memory: usize, quick_threads: usize, long_threads: usize) -> Shares {
        let transfer = (memory / 8).min(MOST_TRANSFER);
        let quick = (memory / 8 / quick_threads.max(1)).min(MOST_QUICK);
        let rest = memory - transfer - quick * quick_threads;
        // A run of evolution gets as much as one long search.
        let long = rest / (long_threads + 1);
        Shares { transfer, quick, long, evolution: long }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_shares_together_are_within_the_limit() {
        for memory in [0, 1, 1_000, 1 << 20, 200_000_000, 1 << 30, 64 << 30] {
            for threads in [1, 2, 7, 64] {
                let long_threads = threads.max(2);
                let Shares { transfer, quick, long, evolution } = Shares::new(memory, threads, long_threads);
                let all = transfer + threads * quick + long_threads * long + evolution;
                assert!(all <= memory && all + 256 >= memory, "{all} of {memory} with {threads} threads");
            }
        }
    }
}
