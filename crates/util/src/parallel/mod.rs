//! Parallel work: streams of items, and numbered tasks on scoped threads.
//!
//! Tasks are numbered and each is taken once; a panic in one thread lets the others finish their
//! current task and then continues in the caller.

mod stream;

pub use stream::{Consumer, stream};

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// Numbered tasks, shared by the threads that work on them.
#[derive(Debug)]
pub struct Tasks {
    next: AtomicUsize,
    count: usize,
}

impl Tasks {
    /// Takes the next task, if one is left.
    pub fn next(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < self.count)
    }

    /// Discards the tasks that have not been taken.
    pub fn stop(&self) {
        self.next.store(self.count, Ordering::Relaxed);
    }
}

/// Whether the platform has threads. A browser has none for a single module: there, everything runs on the calling thread.
pub const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Runs each worker on its own thread, and `caller` on the calling thread, until all of them return. Without threads, the workers
/// run one after the other, before `caller`.
pub fn run<W: FnOnce(&Tasks) + Send, R>(
    count: usize,
    workers: impl IntoIterator<Item = W>,
    caller: impl FnOnce(&Tasks) -> R,
) -> R {
    let tasks = Tasks { next: AtomicUsize::new(0), count };
    let panic: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);
    let stop = |payload| {
        tasks.stop();
        panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
    };
    let result = std::thread::scope(|scope| {
        for worker in workers {
            let (tasks, stop) = (&tasks, &stop);
            let work = move || catch_unwind(AssertUnwindSafe(|| worker(tasks))).unwrap_or_else(stop);
            if HAS_THREADS {
                scope.spawn(work);
            } else {
                work();
            }
        }
        catch_unwind(AssertUnwindSafe(|| caller(&tasks))).map_err(stop)
    });
    match (result, panic.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        (Ok(result), None) => result,
        (_, Some(payload)) => resume_unwind(payload),
        (Err(()), None) => unreachable!("a panic of the caller is recorded"),
    }
}

/// Maps every job on some threads. Results are in the order of the jobs; `None` if `cancel` was set before the end.
///
/// ```
/// use clearway_util::parallel;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// let cancel = AtomicBool::new(false);
/// let double = |number: &u32| 2 * number;
/// assert_eq!(parallel::map(4, &[1, 2, 3], &cancel, double), Some(vec![2, 4, 6]));
/// cancel.store(true, Ordering::Relaxed);
/// assert_eq!(parallel::map(4, &[1, 2, 3], &cancel, double), None);
/// ```
pub fn map<T: Sync, R: Send>(
    threads: usize,
    jobs: &[T],
    cancel: &AtomicBool,
    work: impl Fn(&T) -> R + Sync,
) -> Option<Vec<R>> {
    map_init(threads, jobs, cancel, || (), |(), job| work(job))
}

/// Maps every job like [`map`], with a value that each thread creates once, such as a solver with its tables.
pub fn map_init<T: Sync, R: Send, S>(
    threads: usize,
    jobs: &[T],
    cancel: &AtomicBool,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Option<Vec<R>> {
    let all = Mutex::new(Vec::new());
    let worker = |tasks: &Tasks| {
        let mut state = init();
        let mut done = Vec::new();
        while !cancel.load(Ordering::Relaxed) {
            let Some(number) = tasks.next() else { break };
            done.push((number, work(&mut state, &jobs[number])));
        }
        all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut done);
    };
    // The calling thread works too.
    run(jobs.len(), (1..threads.min(jobs.len())).map(|_| &worker), worker);
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_unstable_by_key(|(number, _)| *number);
    // Work that saw the flag may have returned anything.
    (!cancel.load(Ordering::Relaxed)).then(|| all.into_iter().map(|(_, result)| result).collect())
}

/// Performs numbered tasks on some threads and passes the results to `take` on the calling thread, in the order of the tasks.
///
/// `done` is called with each result as soon as it exists, in any order; if it fails, no further task is started. `work` returns `None` when it is
/// cancelled, which ends its thread.
pub fn ordered<T: Send, E>(
    tasks: usize,
    threads: usize,
    work: impl Fn(usize) -> Option<T> + Sync,
    mut done: impl FnMut(usize, &T) -> Result<(), E>,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let (sender, receiver) = mpsc::channel();
    let worker = |sender: mpsc::Sender<(usize, T)>| {
        let work = &work;
        move |tasks: &Tasks| {
            while let Some(task) = tasks.next() {
                // Nobody receives after an error.
                if work(task).is_none_or(|result| sender.send((task, result)).is_err()) {
                    break;
                }
            }
        }
    };
    let workers: Vec<_> = (0..threads.clamp(1, tasks.max(1))).map(|_| worker(sender.clone())).collect();
    drop(sender);
    run(tasks, workers, |tasks| {
        let (mut waiting, mut turn) = (BTreeMap::new(), 0);
        let receive = || {
            for (task, result) in receiver {
                done(task, &result)?;
                waiting.insert(task, result);
                while let Some(result) = waiting.remove(&turn) {
                    take(turn, result)?;
                    turn += 1;
                }
            }
            Ok(())
        };
        let received = receive();
        tasks.stop();
        received
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_task_is_taken_once() {
        let taken = Mutex::new(Vec::new());
        let worker = |tasks: &Tasks| {
            while let Some(task) = tasks.next() {
                taken.lock().unwrap().push(task);
            }
        };
        run(100, [worker; 3], |_| ());
        let mut taken = taken.into_inner().unwrap();
        taken.sort_unstable();
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_stops_the_other_workers() {
        let done = AtomicUsize::new(0);
        let worker = |tasks: &Tasks| {
            while let Some(task) = tasks.next() {
                assert_ne!(task, 7, "the seventh");
                // After the panic no task is left to take.
                while task > 7 && tasks.next.load(Ordering::Relaxed) < tasks.count {
                    std::thread::yield_now();
                }
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let count = 1_000_000;
        let panic = catch_unwind(AssertUnwindSafe(|| run(count, [worker; 3], |_| ()))).unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("the seventh"));
        assert!(done.into_inner() <= 9);
    }

    #[test]
    fn a_panic_of_the_caller_stops_the_workers() {
        let worker = |tasks: &Tasks| while tasks.next().is_some() {};
        let endless = || run(usize::MAX / 2, [worker; 2], |_| panic!("the caller"));
        let panic = catch_unwind(AssertUnwindSafe(endless)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"the caller"));
    }

    #[test]
    fn map_keeps_the_order_of_the_jobs() {
        let jobs: Vec<usize> = (0..50).collect();
        let work = |&job: &usize| {
            std::thread::sleep(Duration::from_micros(if job.is_multiple_of(7) { 900 } else { 50 }));
            job * job
        };
        let expected: Vec<usize> = jobs.iter().map(|job| job * job).collect();
        for threads in [0, 1, 2, 8, 100] {
            assert_eq!(map(threads, &jobs, &AtomicBool::new(false), work).as_ref(), Some(&expected));
        }
        assert_eq!(map(4, &[], &AtomicBool::new(false), work), Some(Vec::new()));
    }

    #[test]
    fn map_starts_no_job_after_cancellation() {
        for threads in [1, 4] {
            let (cancel, started) = (AtomicBool::new(false), AtomicUsize::new(0));
            let work = |&job: &usize| {
                started.fetch_add(1, Ordering::Relaxed);
                cancel.fetch_or(job == 10, Ordering::Relaxed);
                // Jobs that were started before the flag was set are still running.
                while job > 10 && !cancel.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            };
            let jobs: Vec<usize> = (0..1000).collect();
            assert_eq!(map(threads, &jobs, &cancel, work), None);
            assert!(started.into_inner() <= 10 + threads);
        }
    }

    #[test]
    fn a_panic_in_map_reaches_the_caller() {
        for threads in [1, 4] {
            let started = AtomicUsize::new(0);
            let panicked = AtomicBool::new(false);
            let work = |(): &()| {
                let job = started.fetch_add(1, Ordering::Relaxed);
                if job == 10 {
                    panicked.store(true, Ordering::Relaxed);
                    panic!("the tenth");
                }
                while job > 10 && !panicked.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            };
            // More than could ever be done.
            let jobs = &[(); 1 << 40];
            let map = || map(threads, jobs, &AtomicBool::new(false), work);
            let panic = catch_unwind(AssertUnwindSafe(map)).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"the tenth"));
        }
    }

    fn run_ordered(threads: usize, fail_at: usize) -> (Result<(), usize>, Vec<usize>) {
        let mut taken = Vec::new();
        let work = |task: usize| {
            if task.is_multiple_of(7) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Some(task * 2)
        };
        let take = |task, result| {
            assert_eq!(result, task * 2);
            taken.push(task);
            if task == fail_at { Err(task) } else { Ok(()) }
        };
        let result = ordered(50, threads, work, |_, _| Ok(()), take);
        (result, taken)
    }

    #[test]
    fn ordered_passes_results_on_in_order() {
        for threads in [1, 2, 8, 100] {
            assert_eq!(run_ordered(threads, 1000), (Ok(()), (0..50).collect()));
        }
    }

    #[test]
    fn an_error_ends_ordered_work() {
        assert_eq!(run_ordered(4, 10), (Err(10), (0..=10).collect()));
    }

    #[test]
    fn a_panic_in_ordered_work_reaches_the_caller() {
        for threads in [1, 4] {
            let mut taken = Vec::new();
            let panicked = AtomicBool::new(false);
            let work = |task: usize| {
                if task == 10 {
                    panicked.store(true, Ordering::Relaxed);
                    panic!("the tenth");
                }
                while task > 10 && !panicked.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                Some(task)
            };
            let take = |task, _| {
                taken.push(task);
                Ok::<(), ()>(())
            };
            let ordered = || ordered(usize::MAX / 2, threads, work, |_, _| Ok(()), take);
            let panic = catch_unwind(AssertUnwindSafe(ordered)).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"the tenth"));
            assert!(taken.len() <= 10, "{taken:?}");
        }
    }
}
