//! An ordered parallel map over a stream: any number of items, constant memory, results in the order of the items.
//!
//! Workers take items from the source under a lock, one at a time: a board costs far more than a lock, and a board
//! that was read is then never kept waiting for others to be read. Results wait in a window until their turn has come;
//! a worker that is too far ahead of the oldest item in work waits, so one hard board never fills the memory.
//!
//! A panic of a worker is an error of its item: the others go on.

use crate::interrupt::Interrupt;
use crate::panics::{self, Panic};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How many results may wait for their turn, per worker.
const WINDOW_PER_WORKER: usize = 256;

/// How often the consumer looks for Ctrl-C while it waits.
const LOOK: Duration = Duration::from_millis(20);

/// An item that errors can name.
pub trait Titled {
    /// What it is called.
    fn title(&self) -> String;
}

/// What has only a number is a board that is made.
impl Titled for u64 {
    fn title(&self) -> String {
        format!("board {}", self + 1)
    }
}

/// What was refused is not worked on.
impl<T: Titled, E> Titled for Result<T, E> {
    fn title(&self) -> String {
        self.as_ref().map_or_else(|_| String::new(), Titled::title)
    }
}

/// Takes results in order.
pub trait Consumer<T> {
    /// What ends everything early.
    type Error;
    /// Takes the next result.
    fn take(&mut self, result: T) -> Result<(), Self::Error>;
    /// Takes, in the place of the next result, the panic of its worker.
    fn panicked(&mut self, panic: Panic) -> Result<(), Self::Error>;
    /// Called whenever no result is ready: time to flush.
    fn idle(&mut self) -> Result<(), Self::Error>;
}

struct Window<T> {
    /// The results from the oldest that was not yet handed over; `None` is still in work.
    results: VecDeque<Option<Result<T, Panic>>>,
    /// The number of the first of them.
    first: usize,
    /// Workers that may still add to it.
    workers: usize,
    /// A panic that is not of any item: of the source, say. It goes on in the calling thread.
    panic: Option<Box<dyn Any + Send>>,
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
    S: Iterator<Item: Titled> + Send + 'static,
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
        let (shared, interrupt, make_worker) = (Arc::clone(&shared), interrupt.clone(), make_worker.clone());
        thread::spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| work(&shared, make_worker, capacity, &interrupt)));
            let mut window = lock(&shared.window);
            window.workers -= 1;
            if let Err(payload) = ended {
                window.panic.get_or_insert(payload);
            }
            shared.ready.notify_one();
        });
    }
    interrupt.ends_by_itself();
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
            match result {
                Ok(result) => consumer.take(result)?,
                Err(panic) => consumer.panicked(panic)?,
            }
        }
        window = lock(&shared.window);
    }
}

fn work<S, F, W, T>(shared: &Shared<S, T>, make_worker: F, capacity: usize, interrupt: &Interrupt)
where
    S: Iterator<Item: Titled>,
    F: Fn() -> W,
    W: FnMut(S::Item) -> T,
{
    let mut worker = make_worker();
    while let Some((number, item)) = take_item(shared, capacity, interrupt) {
        let result = panics::catch(item.title(), || worker(item));
        if result.is_err() {
            // Nobody knows what the panic left behind in it.
            worker = make_worker();
        }
        let mut window = lock(&shared.window);
        let place = number - window.first;
        window.results[place] = Some(result);
        if place == 0 {
            shared.ready.notify_one();
        }
    }
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
        /// How many results came before each panic, and its title.
        panics: Vec<(usize, String)>,
        fail_at: Option<usize>,
    }

    impl Titled for usize {
        fn title(&self) -> String {
            format!("item {self}")
        }
    }

    impl Consumer<usize> for Collect {
        type Error = usize;

        fn panicked(&mut self, panic: Panic) -> Result<(), usize> {
            self.panics.push((self.results.len(), panic.title));
            Ok(())
        }

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

    #[test]
    fn a_panic_is_the_error_of_its_item_alone() {
        for threads in [1, 2, 7] {
            let make_worker = || {
                let mut is_broken = false;
                move |item: usize| {
                    assert!(!is_broken, "a worker that panicked is not used again");
                    is_broken = item == 0 || item == 400;
                    assert!(!is_broken);
                    item
                }
            };
            let mut collect = Collect::default();
            run(0..1000, threads, make_worker, &Interrupt::default(), &mut collect).unwrap();
            assert_eq!(collect.results, (1..400).chain(401..1000).collect::<Vec<_>>());
            assert_eq!(collect.panics, [(0, "item 0".to_owned()), (399, "item 400".to_owned())]);
        }
    }

    #[test]
    fn a_panic_of_the_source_goes_on_in_the_caller() {
        let source = || (0..100).inspect(|&item: &usize| assert_ne!(item, 50, "the source"));
        for threads in [1, 3] {
            let run = || run(source(), threads, || |item| item, &Interrupt::default(), &mut Collect::default());
            let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
            assert!(panic.downcast_ref::<String>().unwrap().contains("the source"));
        }
        let broken = || -> fn(usize) -> usize { panic!("no worker") };
        let run = || run(source(), 2, broken, &Interrupt::default(), &mut Collect::default());
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"no worker"));
    }
}
