//! The memory of a run: three quarters for its boards, the rest for the searches of individuals.

use clearway_policy::terminals::TerminalSet;
use clearway_policy::training::{ArenaError, BoardJob, BoardLimits, TrainingBoard, TrainingBoardError};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory budget of a run. Whether a run fits does not depend on the number of threads: if not all searches fit, fewer of them
/// run at a time.
#[derive(Debug)]
pub(super) struct RunMemory {
    limit: usize,
    /// Maximum number of bytes that a search needs per state of its board.
    bytes_per_state: usize,
    reserved: Mutex<Reserved>,
}

#[derive(Debug, Default)]
struct Reserved {
    /// Bytes of the boards.
    boards: usize,
    /// Number of states of the largest board.
    states: usize,
    exceeded: bool,
}

/// Bytes of a search per state: a node, its entries in an index and in the open list, and about fifteen successors. The
/// exploration of the states needs less.
const SEARCH_BYTES_PER_STATE: usize = 256;

impl RunMemory {
    /// Creates a budget of `limit` bytes for policies with up to `rules` rules. Each rule caches a number for each state.
    pub fn new(limit: usize, rules: usize) -> RunMemory {
        RunMemory {
            limit,
            bytes_per_state: SEARCH_BYTES_PER_STATE + (rules + 1) * size_of::<f64>(),
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
        let limits = BoardLimits { memory: self.search_limit(), ..*limits };
        let board =
            TrainingBoard::with_reservation(job, terminals, &limits, |bytes, states| self.reserve(bytes, states));
        if matches!(board, Err(TrainingBoardError::Arena(ArenaError::OutOfMemory))) {
            self.reserved().exceeded = true;
        }
        board
    }

    /// Reserves memory for a board with this number of states. Returns false if it does not fit.
    fn reserve(&self, bytes: usize, states: usize) -> bool {
        let mut reserved = self.reserved();
        reserved.boards = reserved.boards.saturating_add(bytes);
        reserved.states = reserved.states.max(states);
        let searches = states.saturating_mul(self.bytes_per_state);
        reserved.exceeded |= reserved.boards > self.limit - self.search_limit() || searches > self.search_limit();
        !reserved.exceeded
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
        let states = self.reserved().states;
        self.max_searches_for(states, threads)
    }

    /// Number of searches on boards of this number of states that fit at a time, at most one per thread.
    pub fn max_searches_for(&self, states: usize, threads: usize) -> usize {
        let each = states.saturating_mul(self.bytes_per_state).max(1);
        (self.search_limit() / each).clamp(1, threads.max(1))
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
        let memory = RunMemory::new(4_000_000, 7);
        assert!(memory.reserve(1_000_000, 1_000) && memory.reserve(2_000_000, 100));
        assert_eq!((memory.remaining(), memory.max_searches(8), memory.max_searches(2)), (1_000_000, 3, 2));
        assert!(!memory.is_exceeded());
        assert!(!memory.reserve(1, 1) && memory.is_exceeded());
        assert!(!RunMemory::new(4_000_000, 7).reserve(1, 4_000), "a search needs more than a quarter");
    }

    #[test]
    fn the_reservation_of_a_board_is_its_size() {
        let puzzle = &Suite::find("train-6x6").unwrap().puzzles()[0];
        let job = BoardJob { name: String::new(), board: puzzle.board.clone(), difficulty: 0.5, start: None };
        let memory = RunMemory::new(1 << 30, 1);
        let board = memory.prepare(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap();
        assert_eq!(memory.limit() - memory.remaining(), board.arena.memory_usage());
        let memory = RunMemory::new(2 * board.arena.memory_usage() / 3, 1);
        let error = memory.prepare(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap_err();
        assert_eq!((error, memory.is_exceeded()), (TrainingBoardError::Arena(ArenaError::OutOfMemory), true));
    }
}
