//! Makes a pack on several threads.

use super::attempt::{Attempted, attempt};
use super::gathering::{Gathered, Gathering, Order, Progress, Round};
use crate::parallel::{self, Tasks};
use clearway_rush::Solver;
use clearway_search::Limits;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Makes a pack on so many threads. The limits hold for everything together, but for those on nodes and memory, which
/// hold for every search: what is too large for them is left out. If the time is up or it is cancelled, what was found
/// by then is the pack. `told` hears of every attempt, from any thread.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::pack::{Order, gather};
/// use clearway_rush::Side;
/// let shape = Shape::new(5, 5, Side::Right, None, 0)?;
/// let pack = gather(&Order::new(shape, 4..=6, 3, 7), 2, &Default::default(), &|_| ());
/// assert_eq!(pack.entries.iter().map(|entry| entry.moves).collect::<Vec<_>>(), [4, 5, 6]);
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn gather(order: &Order, threads: usize, limits: &Limits, told: &(dyn Fn(Progress) + Sync)) -> Gathered {
    let watch = limits.watch();
    let mut gathering = Gathering::new(order.clone());
    while let Some(next) = gathering.next_round() {
        let limits = Limits { time: limits.time.map(|time| time.saturating_sub(watch.elapsed())), ..limits.clone() };
        let Progress { attempts, found } = gathering.progress();
        let tell = |done: usize, fresh: usize| {
            told(Progress { attempts: attempts + done as u64, found: (found + fresh).min(order.count) });
        };
        gathering.take(round(order, &next, threads, &limits, &tell));
        if let Some(limit) = watch.check(0, 0) {
            gathering.stop(limit);
        }
    }
    gathering.finish()
}

/// Makes the attempts of a round, and gives what came of them in order. `tell` hears how many are made, and how many of
/// them gave a puzzle.
fn round(
    order: &Order,
    Round { first, aims }: &Round,
    threads: usize,
    limits: &Limits,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Vec<Attempted> {
    let results = Mutex::new((BTreeMap::new(), 0));
    let worker = |tasks: &Tasks| {
        let mut solver = Solver::new();
        while let Some(index) = tasks.next() {
            let result = attempt(order, aims[index], first + index as u64, &mut solver, limits);
            if result.limit.is_some() {
                tasks.stop();
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.1 += usize::from(result.entry.is_some());
            results.0.insert(index, result);
            tell(results.0.len(), results.1);
        }
    };
    parallel::run(aims.len(), vec![worker; threads.clamp(1, aims.len().max(1))], || ());
    results.into_inner().unwrap_or_else(PoisonError::into_inner).0.into_values().collect()
}
