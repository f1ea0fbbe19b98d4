//! The memory of a run: three quarters for its boards, the rest for the searches of individuals.

use clearway_policy::terminals::TerminalSet;
use clearway_policy::training::{
    ArenaError, BoardJob, BoardLimits, DirectLimits, KnownPlan, SearchSize, TrainingBoard, TrainingBoardError,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory budget of a run. Whether a run fits does not depend on the number of threads: if not all searches fit, fewer of them
/// run at a time.
#[derive(Debug)]
pub(super) struct RunMemory {
    limit: usize,
    /// Maximum number of bytes that a search needs per state of its board.
    bytes_per_state: usize,
    /// Maximum memory of the cached values of a board that is searched directly.
    cache: usize,
    reserved: Mutex<Reserved>,
}

#[derive(Debug, Default)]
struct Reserved {
    /// Bytes of the boards.
    boards: usize,
    /// Bytes of the largest search.
    search: usize,
    exceeded: bool,
}

/// Bytes of a search per state: a node, its entries in an index and in the open list, and about fifteen successors. The
/// exploration of the states needs less.
const SEARCH_BYTES_PER_STATE: usize = 256;
/// Bytes of a direct search per expanded node: the node and its successors, most of which are new. Boards of 14x14 have about
/// fifty.
const SEARCH_BYTES_PER_NODE: usize = 6_000;
/// Maximum memory of the cached values of a board. More entries than this are rarely needed again.
const MAX_CACHE: usize = 16_000_000;

impl RunMemory {
    /// Creates a budget of `limit` bytes for policies with up to `rules` rules. Each rule caches a number for each state. At most
    /// half of the memory of the boards is for the caches of `boards` boards.
    pub fn new(limit: usize, rules: usize, boards: usize) -> RunMemory {
        RunMemory {
            limit,
            bytes_per_state: SEARCH_BYTES_PER_STATE + (rules + 1) * size_of::<f64>(),
            cache: (limit / 8 * 3 / boards.max(1)).min(MAX_CACHE),
            reserved: Mutex::default(),
        }
    }

    fn reserved(&self) -> MutexGuard<'_, Reserved> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search_limit(&self) -> usize {
        self.limit / 4
    }

    /// Prepares a board. If it does not fit, the budget is [exceeded](Self::is_exceeded) from then on.
    pub fn prepare(
        &self,
        job: &BoardJob,
        terminals: TerminalSet,
        limits: &BoardLimits,
    ) -> Result<TrainingBoard, TrainingBoardError> {
        // The exploration may use the memory of the searches. A board that needs more for it would not fit anyway, since it
        // needs more for itself.
        let direct = limits.direct.map(|direct| DirectLimits { cache: self.cache, ..direct });
        let limits = BoardLimits { memory: self.search_limit(), direct, ..*limits };
        let board = TrainingBoard::with_reservation(job, terminals, &limits, |bytes, size| self.reserve(bytes, size));
        if matches!(board, Err(TrainingBoardError::Arena(ArenaError::OutOfMemory))) {
            self.reserved().exceeded = true;
        }
        board
    }

    /// Reserves memory for a board and its searches. Returns false if it does not fit.
    fn reserve(&self, bytes: usize, size: SearchSize) -> bool {
        let mut reserved = self.reserved();
        reserved.boards = reserved.boards.saturating_add(bytes);
        let search = self.search_bytes(size);
        reserved.search = reserved.search.max(search);
        reserved.exceeded |= reserved.boards > self.limit - self.search_limit() || search > self.search_limit();
        !reserved.exceeded
    }

    /// Maximum memory of a search in bytes.
    fn search_bytes(&self, size: SearchSize) -> usize {
        match size {
            SearchSize::States(states) => states.saturating_mul(self.bytes_per_state),
            SearchSize::Nodes(nodes) => {
                usize::try_from(nodes).unwrap_or(usize::MAX).saturating_mul(SEARCH_BYTES_PER_NODE)
            }
            // Searches of an unknown kind do not fit.
            _ => usize::MAX,
        }
    }

    /// Whether a board did not fit.
    pub fn is_exceeded(&self) -> bool {
        self.reserved().exceeded
    }

    /// Sets the memory of all boards that are still in use, in bytes.
    pub fn set_board_bytes(&self, bytes: usize) {
        self.reserved().boards = bytes;
    }

    /// Number of searches that fit at a time, at most one per thread.
    pub fn max_searches(&self, threads: usize) -> usize {
        let search = self.reserved().search;
        self.max_searches_for(search, threads)
    }

    /// Number of boards that can be prepared at a time, at most one per thread. Finding a known plan takes more memory than
    /// enumerating states.
    pub fn max_preparations(&self, limits: &BoardLimits, threads: usize) -> usize {
        let states = self.search_bytes(SearchSize::States(limits.states));
        self.max_searches_for(limits.direct.map_or(states, |_| states.max(KnownPlan::MEMORY)), threads)
    }

    /// Number of searches of this number of bytes that fit at a time, at most one per thread.
    fn max_searches_for(&self, bytes: usize, threads: usize) -> usize {
        (self.search_limit() / bytes.max(1)).clamp(1, threads.max(1))
    }

    /// Bytes of all boards and of the searches that run at a time.
    pub fn expected(&self, threads: usize) -> usize {
        let searches = self.max_searches(threads);
        let reserved = self.reserved();
        reserved.boards.saturating_add(searches.saturating_mul(reserved.search))
    }

    /// Bytes that the boards leave.
    pub fn remaining(&self) -> usize {
        self.limit.saturating_sub(self.reserved().boards)
    }

    /// Limit in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::suites::Suite;

    #[test]
    fn boards_have_three_quarters_and_searches_the_rest() {
        let memory = RunMemory::new(4_000_000, 7, 2);
        let states = SearchSize::States;
        assert!(memory.reserve(1_000_000, states(1_000)) && memory.reserve(2_000_000, states(100)));
        assert_eq!((memory.remaining(), memory.max_searches(8), memory.max_searches(2)), (1_000_000, 3, 2));
        assert!(!memory.is_exceeded());
        assert!(!memory.reserve(1, states(1)) && memory.is_exceeded());
        let reserve = |size| RunMemory::new(4_000_000, 7, 1).reserve(1, size);
        assert!(!reserve(states(4_000)), "a search needs more than a quarter");
        assert!(reserve(SearchSize::Nodes(150)) && !reserve(SearchSize::Nodes(200)));
    }

    #[test]
    fn caches_take_at_most_half_of_the_memory_of_the_boards() {
        let puzzle = &Suite::find("cards").unwrap().puzzles()[0];
        let job = BoardJob { known: Some(8), ..BoardJob::new(String::new(), puzzle.board.clone(), 0.5) };
        let direct = Some(DirectLimits { nodes: 10, cache: 0 });
        let limits = BoardLimits { states: 10, direct, ..BoardLimits::default() };
        let memory = RunMemory::new(8_000_000, 3, 2);
        for boards in 1..=2 {
            memory.prepare(&job, TerminalSet::Extended, &limits).unwrap();
            assert_eq!(memory.limit() - memory.remaining(), boards * 1_500_000);
        }
        assert_eq!(memory.expected(4), 3_000_000 + 4 * 10 * SEARCH_BYTES_PER_NODE);
    }

    #[test]
    fn the_reservation_of_a_board_is_its_size() {
        let puzzle = &Suite::find("train-6x6").unwrap().puzzles()[0];
        let job = BoardJob::new(String::new(), puzzle.board.clone(), 0.5);
        let memory = RunMemory::new(1 << 30, 1, 1);
        let board = memory.prepare(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap();
        assert_eq!(memory.limit() - memory.remaining(), board.memory_usage());
        let memory = RunMemory::new(2 * board.memory_usage() / 3, 1, 1);
        let error = memory.prepare(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap_err();
        assert_eq!((error, memory.is_exceeded()), (TrainingBoardError::Arena(ArenaError::OutOfMemory), true));
    }
}
