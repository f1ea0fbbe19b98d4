//! Limits of a check: memory is counted as it is reserved, and the clock is read from time to time.

use crate::CheckError;
use clearway_search::LimitChecker;

/// Work between two readings of the clock, in literals or bytes.
const BATCH: u64 = 1 << 20;

/// Counts the memory and the work of a check.
pub(crate) struct Meter<'a> {
    checker: LimitChecker<'a>,
    bytes: usize,
    work: u64,
}

impl<'a> Meter<'a> {
    pub fn new(checker: LimitChecker<'a>) -> Meter<'a> {
        Meter { checker, bytes: 0, work: 0 }
    }

    /// Counts memory that is about to be reserved.
    pub fn reserve(&mut self, bytes: usize) -> Result<(), CheckError> {
        self.bytes = self.bytes.saturating_add(bytes);
        self.look_every(bytes as u64 + 1)
    }

    /// Counts memory that was released.
    pub fn release(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Counts work, and checks the limits once in a while.
    pub fn look_every(&mut self, work: u64) -> Result<(), CheckError> {
        self.work = self.work.saturating_add(work);
        if self.work < BATCH {
            return Ok(());
        }
        self.look()
    }

    /// Checks the limits now.
    pub fn look(&mut self) -> Result<(), CheckError> {
        self.work = 0;
        self.checker.check(0, self.bytes).map_or(Ok(()), |limit| Err(CheckError::Stopped(limit)))
    }
}
