//! Work on several threads, with the results in order.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What `work` makes of each job, in the order of the jobs, whoever does it. None if the flag was set before the end. A
/// panic ends the other threads after the jobs that they are at, and goes on in the caller.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// let cancel = AtomicBool::new(false);
/// let double = |number: &u32| 2 * number;
/// assert_eq!(clearway_gp::parallel::map(4, &[1, 2, 3], &cancel, double), Some(vec![2, 4, 6]));
/// cancel.store(true, Ordering::Relaxed);
/// assert_eq!(clearway_gp::parallel::map(4, &[1, 2, 3], &cancel, double), None);
/// ```
pub fn map<T: Sync, R: Send>(
    threads: usize,
    jobs: &[T],
    cancel: &AtomicBool,
    work: impl Fn(&T) -> R + Sync,
) -> Option<Vec<R>> {
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done = Vec::new();
        while !cancel.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { break };
            match catch_unwind(AssertUnwindSafe(|| work(job))) {
                Ok(result) => done.push((number, result)),
                Err(panic) => {
                    next.store(jobs.len(), Ordering::Relaxed);
                    return Err(panic);
                }
            }
        }
        Ok(done)
    };
    let shares: Vec<std::thread::Result<_>> = std::thread::scope(|scope| {
        // The calling thread works too.
        let helpers: Vec<_> = (1..threads.min(jobs.len())).map(|_| scope.spawn(share)).collect();
        let first = share();
        std::iter::once(first).chain(helpers.into_iter().map(|helper| helper.join().unwrap_or_else(Err))).collect()
    });
    let mut done: Vec<(usize, R)> = Vec::new();
    for share in shares {
        done.extend(share.unwrap_or_else(|panic| resume_unwind(panic)));
    }
    done.sort_unstable_by_key(|(number, _)| *number);
    // Work that saw the flag may have returned anything.
    (!cancel.load(Ordering::Relaxed)).then(|| done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
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
    fn nothing_is_begun_after_the_flag_is_set() {
        for threads in [1, 4] {
            let (cancel, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
            let work = |&job: &usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                cancel.fetch_or(job == 10, Ordering::Relaxed);
                // What was begun before it was set is still at work then.
                while job > 10 && !cancel.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            };
            let jobs: Vec<usize> = (0..1000).collect();
            assert_eq!(map(threads, &jobs, &cancel, work), None);
            assert!(begun.into_inner() <= 10 + threads);
        }
    }

    #[test]
    fn a_panic_ends_the_others_and_goes_on_in_the_caller() {
        for threads in [1, 4] {
            let begun = AtomicUsize::new(0);
            let panicked = AtomicBool::new(false);
            let work = |(): &()| {
                let job = begun.fetch_add(1, Ordering::Relaxed);
                if job == 10 {
                    panicked.store(true, Ordering::Relaxed);
                    panic!("the tenth");
                }
                while job > 10 && !panicked.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            };
            // More than would ever be done.
            let jobs = &[(); 1 << 40];
            let map = || map(threads, jobs, &AtomicBool::new(false), work);
            let panic = catch_unwind(AssertUnwindSafe(map)).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"the tenth"));
        }
    }
}
