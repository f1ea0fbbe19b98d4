//! All tasks, on many threads.

use super::{Found, Plan, Worker};
use crate::parallel::{self, Tasks};
use std::sync::mpsc::sync_channel;

/// Does tasks of a plan on some threads that share some bytes of memory. `take` gets what each one found, in the order
/// in which they are done. If it fails, or when it is cancelled, what was not done by then stays undone.
pub fn run<E>(
    plan: &Plan,
    tasks: &[u64],
    threads: usize,
    memory: usize,
    is_cancelled: &(dyn Fn() -> bool + Sync),
    mut take: impl FnMut(Found) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, tasks.len().max(1));
    if threads == 1 {
        // On this thread: the memory of one that ends may stay with it, and it would be another one each time.
        let mut worker = Worker::new(plan, memory);
        return tasks.iter().map_while(|&task| worker.run(task, is_cancelled)).try_for_each(take);
    }
    let (sender, receiver) = sync_channel(2 * threads);
    let workers = (0..threads).map(|_| {
        let sender = sender.clone();
        move |left: &Tasks| {
            let mut worker = Worker::new(plan, memory / threads);
            while let Some(task) = left.next() {
                // Nobody receives any more if `take` failed.
                let Some(found) = worker.run(tasks[task], is_cancelled) else { return };
                if sender.send(found).is_err() {
                    return;
                }
            }
        }
    });
    let workers: Vec<_> = workers.collect();
    drop(sender);
    parallel::run(tasks.len(), workers, || receiver.into_iter().try_for_each(&mut take))
}
