//! Work on several threads, with the results in order.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What `work` makes of each job, in the order of the jobs, whoever does it. None if the flag was set before the end.
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
            done.push((number, work(job)));
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        // The calling thread works too.
        let helpers: Vec<_> = (1..threads.min(jobs.len())).map(|_| scope.spawn(share)).collect();
        let mut done = share();
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
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
}
