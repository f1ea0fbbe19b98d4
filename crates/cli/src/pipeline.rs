//! Processes boards on several threads; results are in the order of the boards.
//!
//! A panic of a worker is an error of its board; the others are not affected.

use crate::interrupt::Interrupt;
use crate::panics::{self, Panic};
use clearway_util::parallel;

/// An item with a name for error messages.
pub trait Titled {
    /// Returns the name of the item.
    fn title(&self) -> String;
}

/// An item with only an index is a generated board.
impl Titled for u64 {
    fn title(&self) -> String {
        format!("board {}", self + 1)
    }
}

/// Invalid items are passed through, so their title is never used.
impl<T: Titled, E> Titled for Result<T, E> {
    fn title(&self) -> String {
        self.as_ref().map_or_else(|_| String::new(), Titled::title)
    }
}

/// Receives results in order.
pub trait ResultConsumer<T> {
    /// An error that ends the run early.
    type Error;
    /// Receives the next result.
    fn take(&mut self, result: T) -> Result<(), Self::Error>;
    /// Receives the panic of a worker in the place of its result.
    fn panicked(&mut self, panic: Panic) -> Result<(), Self::Error>;
    /// Called when no result is ready, so that the consumer can flush its output.
    fn idle(&mut self) -> Result<(), Self::Error>;
}

/// Passes panics to their own method.
struct Unwrap<'a, C>(&'a mut C);

impl<T, C: ResultConsumer<T>> parallel::Consumer<Result<T, Panic>> for Unwrap<'_, C> {
    type Error = C::Error;

    fn take(&mut self, result: Result<T, Panic>) -> Result<(), C::Error> {
        match result {
            Ok(result) => self.0.take(result),
            Err(panic) => self.0.panicked(panic),
        }
    }

    fn idle(&mut self) -> Result<(), C::Error> {
        self.0.idle()
    }
}

/// Maps every item of the source on several threads, each with its own worker, and passes the results in order to the
/// consumer on the calling thread. Ctrl-C ends it as [`parallel::stream`] describes.
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
    C: ResultConsumer<T>,
{
    interrupt.extend_grace();
    let guarded = move || {
        let make_worker = make_worker.clone();
        let mut worker = make_worker();
        move |item: S::Item| {
            let result = panics::catch(item.title(), || worker(item));
            if result.is_err() {
                // The panic may have left the worker in an inconsistent state.
                worker = make_worker();
            }
            result
        }
    };
    parallel::stream(source, threads, guarded, &interrupt.flag(), &mut Unwrap(consumer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Collector {
        results: Vec<usize>,
        /// The number of results before each panic, and its title.
        panics: Vec<(usize, String)>,
    }

    impl Titled for usize {
        fn title(&self) -> String {
            format!("item {self}")
        }
    }

    impl ResultConsumer<usize> for Collector {
        type Error = usize;

        fn panicked(&mut self, panic: Panic) -> Result<(), usize> {
            self.panics.push((self.results.len(), panic.title));
            Ok(())
        }

        fn take(&mut self, result: usize) -> Result<(), usize> {
            self.results.push(result);
            Ok(())
        }

        fn idle(&mut self) -> Result<(), usize> {
            Ok(())
        }
    }

    #[test]
    fn unfinished_items_are_awaited_after_an_interrupt() {
        let interrupt = Interrupt::default();
        run(0..10usize, 2, || |item| item, &interrupt, &mut Collector::default()).unwrap();
        assert!(interrupt.has_long_grace());
    }

    #[test]
    fn a_panic_affects_only_its_item() {
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
            let mut collect = Collector::default();
            run(0..1000, threads, make_worker, &Interrupt::default(), &mut collect).unwrap();
            assert_eq!(collect.results, (1..400).chain(401..1000).collect::<Vec<_>>());
            assert_eq!(collect.panics, [(0, "item 0".to_owned()), (399, "item 400".to_owned())]);
        }
    }
}
