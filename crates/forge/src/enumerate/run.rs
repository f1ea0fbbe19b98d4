//! All tasks, on many threads.

use super::{Found, Plan, Worker};
use std::sync::atomic::{AtomicUsize, Ordering};
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
    let next = AtomicUsize::new(0);
    let (sender, receiver) = sync_channel(2 * threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut worker = Worker::new(plan, memory / threads);
                while let Some(&task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody receives any more if `take` failed.
                    let Some(found) = worker.run(task, is_cancelled) else { return };
                    if sender.send(found).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        receiver.into_iter().try_for_each(&mut take)
    })
}
