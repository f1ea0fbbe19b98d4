//! Work on several threads, with the results in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Does the tasks with these numbers, and hands the results over on the calling thread, in the order of the numbers.
/// `done` is told of each result as soon as there is one, in any order; if it fails, no further task is begun. A panic of
/// `work` ends the other threads after the tasks that they are at, and goes on in the caller.
pub fn ordered<T: Send, E>(
    tasks: usize,
    threads: usize,
    work: impl Fn(usize) -> Option<T> + Sync,
    mut done: impl FnMut(usize, &T) -> Result<(), E>,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut panic = None;
    let result = std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, tasks.max(1)) {
            let (next, work, sender) = (&next, &work, sender.clone());
            scope.spawn(move || {
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        break;
                    }
                    let result = catch_unwind(AssertUnwindSafe(|| work(task)));
                    let goes_on = matches!(result, Ok(Some(_)));
                    // Nobody listens any more after an error; a task without a result was cancelled.
                    if sender.send((task, result)).is_err() || !goes_on {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        let receive = || {
            for (task, result) in receiver {
                match result {
                    Ok(None) => {}
                    Ok(Some(result)) => {
                        done(task, &result)?;
                        waiting.insert(task, result);
                    }
                    Err(payload) => {
                        panic = Some(payload);
                        break;
                    }
                }
                while let Some(result) = waiting.remove(&turn) {
                    take(turn, result)?;
                    turn += 1;
                }
            }
            Ok(())
        };
        let result = receive();
        next.store(tasks, Ordering::Relaxed);
        result
    });
    match panic {
        Some(payload) => resume_unwind(payload),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, fail_at: usize) -> (Result<(), usize>, Vec<usize>) {
        let mut taken = Vec::new();
        let work = |task: usize| {
            if task.is_multiple_of(7) {
                std::thread::sleep(std::time::Duration::from_millis(1));
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
    fn results_come_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 8, 100] {
            assert_eq!(run(threads, 1000), (Ok(()), (0..50).collect()));
        }
    }

    #[test]
    fn an_error_ends_it() {
        assert_eq!(run(4, 10), (Err(10), (0..=10).collect()));
    }

    #[test]
    fn a_panic_ends_the_others_and_goes_on_in_the_caller() {
        for threads in [1, 4] {
            let mut taken = Vec::new();
            let panicked = std::sync::atomic::AtomicBool::new(false);
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
