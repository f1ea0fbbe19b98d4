//! Ordered parallel map over a stream: any number of items in constant memory, results in the order of the items.
//!
//! Workers take items from the source under a lock, one at a time: an item costs far more than a lock, and no item waits for
//! others to be read. Results wait in a window until their turn; a worker that is too far ahead of the oldest unfinished
//! item waits, so one slow item cannot fill the memory.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Maximum number of results that wait for their turn, per worker.
const WINDOW_PER_WORKER: usize = 256;

/// How often the consumer checks for cancellation while it waits.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Receives results in order.
pub trait Consumer<T> {
    /// An error that ends the run early.
    type Error;
    /// Receives the next result.
    fn take(&mut self, result: T) -> Result<(), Self::Error>;
    /// Called when no result is ready, so that the consumer can flush its output.
    fn idle(&mut self) -> Result<(), Self::Error>;
}

struct Window<T> {
    /// The results from the oldest that was not delivered yet; `None` is unfinished.
    results: VecDeque<Option<T>>,
    /// The index of the first of them.
    first: usize,
    /// Number of running workers.
    workers: usize,
    /// A panic outside of any item, such as in the source. It is resumed in the calling thread.
    panic: Option<Box<dyn Any + Send>>,
}

struct Shared<S, T> {
    source: Mutex<S>,
    window: Mutex<Window<T>>,
    /// Signals that a result was added to the window, or a worker ended.
    ready: Condvar,
    /// Signals that a result was taken out of the window.
    room: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Maps every item of the source on several threads, each with its own worker, and passes the results in order to the
/// consumer on the calling thread.
///
/// Once `cancel` is set no further items are taken, but the results of unfinished items are still awaited and delivered, however
/// busy the machine is: the workers are expected to stop on the same flag. Workers are not awaited otherwise, so an error
/// of the consumer, or a source that waits for input, cannot block the program.
pub fn stream<S, F, W, T, C>(
    source: S,
    threads: usize,
    make_worker: F,
    cancel: &Arc<AtomicBool>,
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
    let window = Window { results: VecDeque::new(), first: 0, workers: threads, panic: None };
    let shared = Arc::new(Shared {
        source: Mutex::new(source),
        window: Mutex::new(window),
        ready: Condvar::new(),
        room: Condvar::new(),
    });
    for _ in 0..threads {
        let (shared, cancel, make_worker) = (Arc::clone(&shared), Arc::clone(cancel), make_worker.clone());
        thread::spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| work(&shared, make_worker, capacity, &cancel)));
            let mut window = lock(&shared.window);
            window.workers -= 1;
            if let Err(payload) = ended {
                window.panic.get_or_insert(payload);
            }
            shared.ready.notify_one();
        });
    }
    let mut window = lock(&shared.window);
    loop {
        if let Some(payload) = window.panic.take() {
            drop(window);
            resume_unwind(payload);
        }
        let mut batch = Vec::new();
        while let Some(Some(_)) = window.results.front() {
            batch.extend(window.results.pop_front().flatten());
            window.first += 1;
        }
        if batch.is_empty() {
            let all_delivered = window.results.is_empty();
            if all_delivered && (window.workers == 0 || cancel.load(Ordering::Relaxed)) {
                return Ok(());
            }
            drop(window);
            consumer.idle()?;
            window = lock(&shared.window);
            // A result may have arrived in the meantime; its notification would then be missed.
            if !matches!(window.results.front(), Some(Some(_))) && window.workers > 0 {
                window = shared.ready.wait_timeout(window, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
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

fn work<S, F, W, T>(shared: &Shared<S, T>, make_worker: F, capacity: usize, cancel: &AtomicBool)
where
    S: Iterator,
    F: Fn() -> W,
    W: FnMut(S::Item) -> T,
{
    let mut worker = make_worker();
    while let Some((number, item)) = take_item(shared, capacity, cancel) {
        let result = worker(item);
        let mut window = lock(&shared.window);
        let place = number - window.first;
        window.results[place] = Some(result);
        if place == 0 {
            shared.ready.notify_one();
        }
    }
}

/// Returns the next item and its index. Indices follow the order of the source, because the reading thread holds its lock.
fn take_item<S: Iterator, T>(shared: &Shared<S, T>, capacity: usize, cancel: &AtomicBool) -> Option<(usize, S::Item)> {
    let mut source = lock(&shared.source);
    let mut window = lock(&shared.window);
    while window.results.len() >= capacity {
        window = shared.room.wait(window).unwrap_or_else(PoisonError::into_inner);
    }
    drop(window);
    if cancel.load(Ordering::Relaxed) {
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
    use std::sync::atomic::AtomicUsize;

    #[derive(Default)]
    struct Collector {
        results: Vec<usize>,
        idled: Arc<AtomicUsize>,
        fail_at: Option<usize>,
    }

    impl Consumer<usize> for Collector {
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
    fn results_are_in_order_for_any_number_of_workers() {
        for threads in [1, 2, 7] {
            let make_worker = || {
                |item: usize| {
                    if item.is_multiple_of(100) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    item * 2
                }
            };
            let mut collect = Collector::default();
            stream(0..5000, threads, make_worker, &Arc::default(), &mut collect).unwrap();
            assert_eq!(collect.results, (0..5000).map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_idle_consumer_can_flush() {
        let mut collect = Collector::default();
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
        stream(0..3, 2, make_worker, &Arc::default(), &mut collect).unwrap();
        assert_eq!(collect.results, [0, 1, 2]);
    }

    #[test]
    fn a_slow_item_bounds_the_number_of_items_read() {
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
        stream(source, 2, make_worker, &Arc::default(), &mut Collector::default()).unwrap();
        let most = most.load(Ordering::Relaxed);
        assert!(most <= 2 * WINDOW_PER_WORKER, "{most} items were read before the first was finished");
    }

    #[test]
    fn an_error_of_the_consumer_ends_the_stream() {
        let mut collect = Collector { fail_at: Some(10), ..Collector::default() };
        let endless = stream(0.., 2, || |item: usize| item, &Arc::default(), &mut collect);
        assert_eq!(endless, Err(10));
        assert_eq!(collect.results, (0..=10).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_of_the_source_is_resumed_in_the_caller() {
        let source = || (0..100).inspect(|&item: &usize| assert_ne!(item, 50, "the source"));
        for threads in [1, 3] {
            let all = || stream(source(), threads, || |item| item, &Arc::default(), &mut Collector::default());
            let panic = catch_unwind(AssertUnwindSafe(all)).unwrap_err();
            assert!(panic.downcast_ref::<String>().unwrap().contains("the source"));
        }
        let broken = || -> fn(usize) -> usize { panic!("no worker") };
        let all = || stream(source(), 2, broken, &Arc::default(), &mut Collector::default());
        let panic = catch_unwind(AssertUnwindSafe(all)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"no worker"));
    }
}
