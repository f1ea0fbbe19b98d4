//! Tasks on several threads. A panic in one of them ends the others after the tasks that they are at, and goes on in the caller.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Tasks to be taken by their numbers, each once.
pub struct Tasks {
    next: AtomicUsize,
    count: usize,
}

impl Tasks {
    /// The next task, if there is one left.
    pub fn next(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < self.count)
    }

    /// Leaves the tasks that nobody has taken undone.
    pub fn stop(&self) {
        self.next.store(self.count, Ordering::Relaxed);
    }
}

/// Runs each worker on a thread of its own, and `caller` on the calling thread, and waits for all of them.
pub fn run<W: FnOnce(&Tasks) + Send, R>(
    count: usize,
    workers: impl IntoIterator<Item = W>,
    caller: impl FnOnce() -> R,
) -> R {
    let tasks = Tasks { next: AtomicUsize::new(0), count };
    let panic: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);
    let result = std::thread::scope(|scope| {
        for worker in workers {
            let (tasks, panic) = (&tasks, &panic);
            scope.spawn(move || {
                if let Err(payload) = catch_unwind(AssertUnwindSafe(|| worker(tasks))) {
                    tasks.stop();
                    panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
                }
            });
        }
        caller()
    });
    match panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(payload) => resume_unwind(payload),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_taken_once() {
        let taken = Mutex::new(Vec::new());
        let worker = |tasks: &Tasks| {
            while let Some(task) = tasks.next() {
                taken.lock().unwrap().push(task);
            }
        };
        run(100, [worker; 3], || ());
        let mut taken = taken.into_inner().unwrap();
        taken.sort_unstable();
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_ends_the_others_and_goes_on_in_the_caller() {
        let done = AtomicUsize::new(0);
        let worker = |tasks: &Tasks| {
            while let Some(task) = tasks.next() {
                assert_ne!(task, 7, "the seventh");
                // After the panic there is nothing left to take, however many tasks there were.
                while task > 7 && tasks.next.load(Ordering::Relaxed) < tasks.count {
                    std::thread::yield_now();
                }
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let count = 1_000_000;
        let panic = catch_unwind(AssertUnwindSafe(|| run(count, [worker; 3], || ()))).unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("the seventh"));
        assert!(done.into_inner() <= 9);
    }
}
