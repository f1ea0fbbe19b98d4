//! Puzzles one after the other, for those who want to see them as they are found.

use super::Entry;
use super::attempt::attempt;
use super::gathering::{Order, Pool, Progress};
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};

/// The puzzles of an order one after the other. Unlike a [pack](super::gather()) it is no selection: what is found is given away
/// at once. The same order gives the same series.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::pack::{Order, Series};
/// use clearway_rush::Side;
/// let shape = Shape::new(5, 5, Side::Right, None, 0)?;
/// let mut series = Series::new(Order::new(shape, 4..=6, 3, 7));
/// let mut found = Vec::new();
/// while !series.is_complete() {
///     let entry = series.attempt(&Default::default(), |entry| entry.moves > 4).expect("there are no limits");
///     found.extend(entry.map(|entry| entry.moves));
/// }
/// assert_eq!(found.len(), 3);
/// assert!(!found.contains(&4));
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub struct Series {
    order: Order,
    pool: Pool,
    solver: Solver,
    attempts: u64,
    in_vain: u64,
}

impl Series {
    /// A series, of which nothing is made yet.
    pub fn new(order: Order) -> Series {
        Series { order, pool: Pool::default(), solver: Solver::new(), attempts: 0, in_vain: 0 }
    }

    /// Whether as many were found as were asked for.
    pub fn is_complete(&self) -> bool {
        self.pool.len() >= self.order.count
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress { attempts: self.attempts, found: self.pool.len() }
    }

    /// Makes the next attempt, and gives the puzzle that came of it, if it is wanted and none of those before. It gives up
    /// for good, with [`Limit::Incomplete`], when the patience is lost.
    pub fn attempt(&mut self, limits: &Limits, wanted: impl FnOnce(&Entry) -> bool) -> Result<Option<&Entry>, Limit> {
        if self.in_vain >= self.order.patience {
            return Err(Limit::Incomplete);
        }
        let aims = self.pool.aims(&self.order, self.attempts);
        // The next one in turn of the lengths that are still short; there are none only if it is complete.
        let turn = (self.attempts % aims.len().max(1) as u64) as usize;
        let Some(&aim) = aims.get(turn) else { return Ok(None) };
        let made = attempt(&self.order, aim, self.attempts, &mut self.solver, limits);
        if let Some(limit) = made.limit {
            return Err(limit);
        }
        self.attempts += 1;
        self.in_vain += 1;
        if made.entry.filter(wanted).is_some_and(|entry| self.pool.add(entry)) {
            self.in_vain = 0;
            return Ok(self.pool.last());
        }
        Ok(None)
    }
}
