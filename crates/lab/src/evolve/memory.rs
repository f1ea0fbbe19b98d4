//! How the memory of a run is shared: three quarters for its boards, the rest for the searches of individuals.

use clearway_policy::terminals::TerminalSet;
use clearway_policy::training::{ArenaError, BoardJob, BoardLimits, LeftOut, TrainingBoard};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The memory of a run. What fits does not depend on the number of threads: if the searches do not fit, fewer of them run
/// at a time.
#[derive(Debug)]
pub(super) struct RunMemory {
    limit: usize,
    /// The most bytes that a search takes for each state of its board.
    bytes_per_state: usize,
    reserved: Mutex<Reserved>,
}

#[derive(Debug, Default)]
struct Reserved {
    /// The bytes of the boards.
    boards: usize,
    /// The states of the largest board.
    states: usize,
    exceeded: bool,
}

/// A search keeps a node, its places in an index and in the open list, and about fifteen successors, for each state; the
/// walk that finds the states takes less.
const SEARCH: usize = 256;

impl RunMemory {
    /// So many bytes for a run whose policies have so many rules, each of which keeps a number for each state.
    pub fn new(limit: usize, rules: usize) -> RunMemory {
        RunMemory { limit, bytes_per_state: SEARCH + (rules + 1) * size_of::<f64>(), reserved: Mutex::default() }
    }

    fn reserved(&self) -> MutexGuard<'_, Reserved> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn for_searches(&self) -> usize {
        self.limit / 4
    }

    /// Makes a board ready. A board for which there is no room makes the whole [exceeded](Self::is_exceeded).
    pub fn board(
        &self,
        job: &BoardJob,
        terminals: TerminalSet,
        limits: &BoardLimits,
    ) -> Result<TrainingBoard, LeftOut> {
        // A board with more states than that needs more for itself than for the walk over them.
        let limits = BoardLimits { memory: self.for_searches(), ..*limits };
        let board = TrainingBoard::within(job, terminals, &limits, |bytes, states| self.reserve(bytes, states));
        if matches!(board, Err(LeftOut::Arena(ArenaError::Memory))) {
            self.reserved().exceeded = true;
        }
        board
    }

    /// Reserves the bytes of a board with so many states. False if there is no room.
    fn reserve(&self, bytes: usize, states: usize) -> bool {
        let mut reserved = self.reserved();
        reserved.boards = reserved.boards.saturating_add(bytes);
        reserved.states = reserved.states.max(states);
        let searches = states.saturating_mul(self.bytes_per_state);
        reserved.exceeded |= reserved.boards > self.limit - self.for_searches() || searches > self.for_searches();
        !reserved.exceeded
    }

    /// Whether something did not fit.
    pub fn is_exceeded(&self) -> bool {
        self.reserved().exceeded
    }

    /// So many bytes of boards are kept of all that were made.
    pub fn keep(&self, bytes: usize) {
        self.reserved().boards = bytes;
    }

    /// How many searches fit at a time, but for more than the threads that there are.
    pub fn searches(&self, threads: usize) -> usize {
        let states = self.reserved().states;
        self.searches_of(states, threads)
    }

    /// The same for boards of so many states.
    pub fn searches_of(&self, states: usize, threads: usize) -> usize {
        let each = states.saturating_mul(self.bytes_per_state).max(1);
        (self.for_searches() / each).clamp(1, threads.max(1))
    }

    /// What the boards leave.
    pub fn left(&self) -> usize {
        self.limit.saturating_sub(self.reserved().boards)
    }

    /// All of it.
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
        assert_eq!((memory.left(), memory.searches(8), memory.searches(2)), (1_000_000, 3, 2));
        assert!(!memory.is_exceeded());
        assert!(!memory.reserve(1, 1) && memory.is_exceeded());
        assert!(!RunMemory::new(4_000_000, 7).reserve(1, 4_000), "a search of it needs more than a quarter");
    }

    #[test]
    fn a_board_takes_what_was_reserved_for_it() {
        let puzzle = &Suite::find("train-6x6").unwrap().puzzles()[0];
        let job = BoardJob { name: String::new(), board: puzzle.board.clone(), difficulty: 0.5, start: None };
        let memory = RunMemory::new(1 << 30, 1);
        let board = memory.board(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap();
        assert_eq!(memory.limit() - memory.left(), board.arena.bytes());
        let memory = RunMemory::new(2 * board.arena.bytes() / 3, 1);
        let refused = memory.board(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap_err();
        assert_eq!((refused, memory.is_exceeded()), (LeftOut::Arena(ArenaError::Memory), true));
    }
}
