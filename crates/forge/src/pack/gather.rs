//! Generates a pack on several threads.

use super::attempt::{AttemptOutcome, attempt};
use super::gathering::{AttemptRound, PackBuilder, PackOutcome, PackProgress, PackRequest};
use clearway_rush::Solver;
use clearway_search::Limits;
use clearway_util::parallel::{self, Tasks};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Generates a pack on this number of threads. The node and memory limits hold for each search; boards that exceed them are
/// skipped. The time limit holds for everything together; if it is reached, or if this is cancelled, the pack consists of the
/// puzzles found so far. `on_progress` is called after each attempt, from any thread.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::pack::{PackRequest, gather};
/// use clearway_rush::Side;
/// let shape = Shape::new(5, 5, Side::Right, None, 0)?;
/// let pack = gather(&PackRequest::new(shape, 4..=6, 3, 7), 2, &Default::default(), &|_| ());
/// assert_eq!(pack.entries.iter().map(|entry| entry.moves).collect::<Vec<_>>(), [4, 5, 6]);
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn gather(
    order: &PackRequest,
    threads: usize,
    limits: &Limits,
    on_progress: &(dyn Fn(PackProgress) + Sync),
) -> PackOutcome {
    let checker = limits.checker();
    let mut gathering = PackBuilder::new(order.clone());
    while let Some(next) = gathering.next_round() {
        let limits = Limits { time: limits.time.map(|time| time.saturating_sub(checker.elapsed())), ..limits.clone() };
        let PackProgress { attempts, found } = gathering.progress();
        let report = |done: usize, new: usize| {
            on_progress(PackProgress { attempts: attempts + done as u64, found: (found + new).min(order.count) });
        };
        gathering.take(run_round(order, &next, threads, &limits, &report));
        if let Some(limit) = checker.check(0, 0) {
            gathering.stop(limit);
        }
    }
    gathering.finish()
}

/// Makes the attempts of a round, and returns their outcomes in order. `report` is called after each attempt with the number of
/// attempts made and the number of puzzles found.
fn run_round(
    order: &PackRequest,
    AttemptRound { first, aims }: &AttemptRound,
    threads: usize,
    limits: &Limits,
    report: &(dyn Fn(usize, usize) + Sync),
) -> Vec<AttemptOutcome> {
    // The target lengths ascend, over and over. Long puzzles take longest to find, so the attempts are made from the last to the
    // first: at the end of the round, no thread waits for a long puzzle of another.
    let results = Mutex::new((BTreeMap::new(), 0));
    let checker = limits.checker();
    let worker = |tasks: &Tasks| {
        let mut solver = Solver::new();
        while let Some(index) = tasks.next().map(|task| aims.len() - 1 - task) {
            // The searches of small boards end before they look at the clock.
            if checker.check(0, 0).is_some() {
                tasks.stop();
                break;
            }
            let result = attempt(order, aims[index], first + index as u64, &mut solver, limits);
            if result.limit.is_some() {
                tasks.stop();
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.1 += usize::from(result.entry.as_ref().is_some_and(|entry| order.accepts(entry.level)));
            results.0.insert(index, result);
            report(results.0.len(), results.1);
        }
    };
    parallel::run(aims.len(), vec![worker; threads.clamp(1, aims.len().max(1))], |_| ());
    results.into_inner().unwrap_or_else(PoisonError::into_inner).0.into_values().collect()
}
