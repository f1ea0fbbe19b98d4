//! How the memory limit of the server is divided among its concurrent work.
//!
//! The shares are fixed, so the memory of a search depends on the configuration alone and not on the load of the server.
//! Their sum never exceeds the limit.

/// Maximum share of requests and responses in flight.
const MAX_TRANSFER: usize = 64 << 20;
/// Maximum share of a search in the quick lane.
const MAX_QUICK: usize = 16 << 20;

/// Memory limits of the parts of the server, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShares {
    /// All bodies of requests and responses together.
    pub transfer: usize,
    /// One search in the quick lane.
    pub quick: usize,
    /// One search in the long lane.
    pub long: usize,
    /// The run of evolution.
    pub evolution: usize,
}

impl MemoryShares {
    /// Divides a limit, given the number of threads in each lane.
    pub fn new(memory: usize, quick_threads: usize, long_threads: usize) -> MemoryShares {
        let transfer = (memory / 8).min(MAX_TRANSFER);
        let quick = (memory / 8 / quick_threads.max(1)).min(MAX_QUICK);
        let rest = memory - transfer - quick * quick_threads;
        // A run of evolution gets as much as one long search.
        let long = rest / (long_threads + 1);
        MemoryShares { transfer, quick, long, evolution: long }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_add_up_to_the_limit() {
        for memory in [0, 1, 1_000, 1 << 20, 200_000_000, 1 << 30, 64 << 30] {
            for threads in [1, 2, 7, 64] {
                let long_threads = threads.max(2);
                let MemoryShares { transfer, quick, long, evolution } =
                    MemoryShares::new(memory, threads, long_threads);
                let all = transfer + threads * quick + long_threads * long + evolution;
                assert!(all <= memory && all + 256 >= memory, "{all} of {memory} with {threads} threads");
            }
        }
    }
}
