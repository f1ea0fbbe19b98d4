//! An ordered parallel map over a stream: any number of items, constant memory, results in the order of the items.
//!
//! Workers take items from the source under a lock, one at a time: a board costs far more than a lock, and a board
//! that was read is then never kept waiting for others to be read. Results wait in a window until their turn has come;
//! a worker that is too far ahead of the oldest item in work waits, so one hard board never fills the memory.

use crate::interrupt::Interrupt;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How many results may wait for their turn, per worker.
const WINDOW_PER_WORKER: usize = 256;

/// How often the consumer looks for Ctrl-C while it waits.
const LOOK: Duration = Duration::from_millis(20);

/// Takes results in order.
pub trait Consumer<T> {
    /// What ends everything early.
    type Error;
    /// Takes the next result.
    fn take(&mut self, result: T) -> Result<(), Self::Error>;
    /// Called whenever no result is ready: time to flush.
    fn idle(&mut self) -> Result<(), Self::Error>;
}

struct Window<T> {
    /// The results from the oldest that was not yet handed over; `None` is still in work.
    results: VecDeque<Option<T>>,
    /// The number of the first of them.
    first: usize,
    /// Workers that may still add to it.
    workers: usize,
}

struct Shared<S, T> {
    source: Mutex<S>,
    window: Mutex<Window<T>>,
    /// Something was added to the window, or a worker ended.
    ready: Condvar,
    /// Something was taken out of the window.
    room: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Maps every item of the source by one of the workers, of which every thread makes its own, and hands the results to
/// the consumer in order, on the calling thread.
///
/// After Ctrl-C no further item is taken, but what was taken is waited for and handed over, however busy the machine is:
/// the workers are expected to stop by the same flag. Workers are never waited for otherwise, so that an error of the
/// consumer, or a source that waits for input, cannot hold up the program.
pub fn run<S, F, W, T, C>(
    source: S,
    threads: usize,
    make_worker: F,
    interrupt: &Interrupt,
    consumer: &mut C,
) -> Result<(), C::Error>
where
    S: Iterator + Send + 'static,
    F: Fn() -> W + Clone + Send + 'static,
    W: FnMut(S::Item) -> T,
    T: Send + 'static,
    C: Consumer<T>,
{
    let capacity = threads * WINDOW_PER_WORKER;
    let window = Window { results: VecDeque::new(), first: 0, workers: threads };
    let shared = Arc::new(Shared {
        source: Mutex::new(source),
        window: Mutex::new(window),
        ready: Condvar::new(),
        room: Condvar::new(),
    });
    for _ in 0..threads {
        let (shared, interrupt, make_worker) = (Arc::clone(&shared), interrupt.clone(), make_worker.clone());
        thread::spawn(move || work(&shared, make_worker(), capacity, &interrupt));
    }
    interrupt.ends_by_itself();
    let mut window = lock(&shared.window);
    loop {
        let mut batch = Vec::new();
        while let Some(Some(_)) = window.results.front() {
            batch.extend(window.results.pop_front().flatten());
            window.first += 1;
        }
        if batch.is_empty() {
            let all_handed_over = window.results.is_empty();
            if all_handed_over && (window.workers == 0 || interrupt.is_raised()) {
                return Ok(());
            }
            drop(window);
            consumer.idle()?;
            window = lock(&shared.window);
            // A result may have come in the meantime, and with it the wake-up that would be waited for.
            if !matches!(window.results.front(), Some(Some(_))) && window.workers > 0 {
                window = shared.ready.wait_timeout(window, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            }
            continue;
        }
        shared.room.notify_all();
        drop(window);
        for result in batch {
            consumer.take(result)?;
        }
        window = lock(&shared.window);
    }
}

fn work<S, W, T>(shared: &Shared<S, T>, mut worker: W, capacity: usize, interrupt: &Interrupt)
where
    S: Iterator,
    W: FnMut(S::Item) -> T,
{
    while let Some((number, item)) = take_item(shared, capacity, interrupt) {
        let result = worker(item);
        let mut window = lock(&shared.window);
        let place = number - window.first;
        window.results[place] = Some(result);
        if place == 0 {
            shared.ready.notify_one();
        }
    }
    lock(&shared.window).workers -= 1;
    shared.ready.notify_one();
}

/// The next item and its number. Items are numbered in the order in which they are read, because whoever reads holds
/// the source.
fn take_item<S: Iterator, T>(
    shared: &Shared<S, T>,
    capacity: usize,
    interrupt: &Interrupt,
) -> Option<(usize, S::Item)> {
    let mut source = lock(&shared.source);
    let mut window = lock(&shared.window);
    while window.results.len() >= capacity {
        window = shared.room.wait(window).unwrap_or_else(PoisonError::into_inner);
    }
    drop(window);
    if interrupt.is_raised() {
        return None;
    }
    let item = source.next()?;
    let mut window = lock(&shared.window);
    window.results.push_back(None);
    Some((window.first + window.results.len() - 1, item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Default)]
    struct Collect {
        results: Vec<usize>,
        idled: Arc<AtomicUsize>,
        fail_at: Option<usize>,
    }

    impl Consumer<usize> for Collect {
        type Error = usize;

        fn take(&mut self, result: usize) -> Result<(), usize> {
            self.results.push(result);
            if self.fail_at == Some(result) { Err(result) } else { Ok(()) }
        }

        fn idle(&mut self) -> Result<(), usize> {
            self.idled.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        for threads in [1, 2, 7] {
            let make_worker = || {
                |item: usize| {
                    if item.is_multiple_of(100) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    item * 2
                }
            };
            let (mut collect, interrupt) = (Collect::default(), Interrupt::default());
            run(0..5000, threads, make_worker, &interrupt, &mut collect).unwrap();
            assert_eq!(collect.results, (0..5000).map(|item| item * 2).collect::<Vec<_>>());
            assert!(interrupt.is_patient(), "what is in work at Ctrl-C is waited for");
        }
    }

    #[test]
    fn a_consumer_without_results_is_told_to_flush() {
        let mut collect = Collect::default();
        let idled = Arc::clone(&collect.idled);
        let make_worker = move || {
            let idled = Arc::clone(&idled);
            move |item: usize| {
                while idled.load(Ordering::Relaxed) == 0 {
                    thread::yield_now();
                }
                item
            }
        };
        run(0..3, 2, make_worker, &Interrupt::default(), &mut collect).unwrap();
        assert_eq!(collect.results, [0, 1, 2]);
    }

    #[test]
    fn one_slow_item_does_not_let_the_others_run_away() {
        let read = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&read);
        let source = (0..100_000).inspect(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let most = Arc::new(AtomicUsize::new(0));
        let most_seen = Arc::clone(&most);
        let make_worker = move || {
            let (read, most) = (Arc::clone(&read), Arc::clone(&most_seen));
            move |item: usize| {
                if item == 0 {
                    thread::sleep(Duration::from_millis(100));
                    most.store(read.load(Ordering::Relaxed), Ordering::Relaxed);
                }
                item
            }
        };
        run(source, 2, make_worker, &Interrupt::default(), &mut Collect::default()).unwrap();
        let most = most.load(Ordering::Relaxed);
        assert!(most <= 2 * WINDOW_PER_WORKER, "{most} items were read while the first was in work");
    }

    #[test]
    fn an_error_of_the_consumer_ends_it() {
        let mut collect = Collect { fail_at: Some(10), ..Collect::default() };
        let endless = run(0.., 2, || |item: usize| item, &Interrupt::default(), &mut collect);
        assert_eq!(endless, Err(10));
        assert_eq!(collect.results, (0..=10).collect::<Vec<_>>());
    }
}
