//! Generates puzzles one at a time, for clients that show them as they are found.

use super::Entry;
use super::attempt::attempt;
use super::gathering::{PackProgress, PackRequest, Pool};
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};

/// Generates the puzzles of an order one at a time. Unlike a [pack](super::gather()) it is not a selection: each puzzle is
/// returned as soon as it is found. The same order gives the same series.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::pack::{PackRequest, PackSeries};
/// use clearway_rush::Side;
/// let shape = Shape::new(5, 5, Side::Right, None, 0)?;
/// let mut series = PackSeries::new(PackRequest::new(shape, 4..=6, 3, 7));
/// let mut found = Vec::new();
/// while !series.is_complete() {
///     let entry = series.attempt(&Default::default()).expect("there are no limits");
///     found.extend(entry.map(|entry| entry.moves));
/// }
/// assert_eq!(found.len(), 3);
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub struct PackSeries {
    order: PackRequest,
    pool: Pool,
    solver: Solver,
    attempts: u64,
    /// Number of attempts since the last new puzzle that was needed.
    failures: u64,
}

impl PackSeries {
    /// Creates an empty series.
    pub fn new(order: PackRequest) -> PackSeries {
        PackSeries { order, pool: Pool::default(), solver: Solver::new(), attempts: 0, failures: 0 }
    }

    /// Returns whether all ordered puzzles were found.
    pub fn is_complete(&self) -> bool {
        self.pool.useful(&self.order) >= self.order.count
    }

    /// Returns the progress so far.
    pub fn progress(&self) -> PackProgress {
        PackProgress { attempts: self.attempts, found: self.pool.useful(&self.order) }
    }

    /// Makes the next attempt, and returns its puzzle if it is new and of an ordered level that is not complete. When the patience
    /// is exhausted, this and all further calls return [`Limit::Incomplete`].
    pub fn attempt(&mut self, limits: &Limits) -> Result<Option<&Entry>, Limit> {
        if self.failures >= self.order.patience {
            return Err(Limit::Incomplete);
        }
        let aims = self.pool.aims(&self.order, self.attempts);
        // Cycle through the lengths that are still missing; there is none only if the series is complete.
        let turn = (self.attempts % aims.len().max(1) as u64) as usize;
        let Some(&aim) = aims.get(turn) else { return Ok(None) };
        let outcome = attempt(&self.order, aim, self.attempts, &mut self.solver, limits);
        if let Some(limit) = outcome.limit {
            return Err(limit);
        }
        self.attempts += 1;
        self.failures += 1;
        if outcome.entry.is_some_and(|entry| self.pool.add(entry, &self.order)) {
            self.failures = 0;
            return Ok(self.pool.last());
        }
        Ok(None)
    }
}
