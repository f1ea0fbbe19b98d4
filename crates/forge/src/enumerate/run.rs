//! Runs tasks on several threads.

use super::{EnumerationPlan, TaskResult, Worker};
use clearway_util::parallel::{self, Tasks};
use std::sync::mpsc::sync_channel;

/// Runs tasks of a plan on this number of threads, which share `memory` bytes. Calls `take` with the result of each task, in the
/// order of completion. If `take` fails, or this is cancelled, the remaining tasks are not run.
pub fn run<E>(
    plan: &EnumerationPlan,
    tasks: &[u64],
    threads: usize,
    memory: usize,
    is_cancelled: &(dyn Fn() -> bool + Sync),
    mut take: impl FnMut(TaskResult) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, tasks.len().max(1));
    if threads == 1 {
        // Run on this thread: the allocator may keep the memory of a thread that ends, and each call would start a new one.
        let mut worker = Worker::new(plan, memory);
        return tasks.iter().map_while(|&task| worker.run(task, is_cancelled)).try_for_each(take);
    }
    let (sender, receiver) = sync_channel(2 * threads);
    let workers = (0..threads).map(|_| {
        let sender = sender.clone();
        move |left: &Tasks| {
            let mut worker = Worker::new(plan, memory / threads);
            while let Some(task) = left.next() {
                // Sending fails if `take` has failed.
                let Some(result) = worker.run(tasks[task], is_cancelled) else { return };
                if sender.send(result).is_err() {
                    return;
                }
            }
        }
    });
    let workers: Vec<_> = workers.collect();
    drop(sender);
    parallel::run(tasks.len(), workers, |_| receiver.into_iter().try_for_each(&mut take))
}
