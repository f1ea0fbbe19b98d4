//! The threads that search, and the queues in front of them.
//!
//! There are two lanes. Every search begins in the quick one, where it may take a few milliseconds and little memory: that
//! is enough for almost every board that people play. What needs more is done again in the long lane, whose threads are
//! of low priority. So a board built to explode never keeps the others waiting. Both lanes hold a bounded number of
//! requests, and further ones are refused with the time to try again.
//!
//! Work of several searches keeps its [`Seat`] in the long lane and goes to the end of the queue after each of them: so
//! everybody gets their turn. Boards and algorithms are read here and answers written here too, because both may be
//! large, and the asynchronous threads are for everybody.

use crate::error::ApiError;
use crate::memory::Shares;
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// How long a search in the quick lane may take.
const QUICK_TIME: Duration = Duration::from_millis(40);
/// How many requests may wait in each lane.
const QUICK_QUEUE: usize = 1024;
const LONG_QUEUE: usize = 16;
/// Retry-After when a lane is full, in seconds.
const QUICK_RETRY: u64 = 1;
const LONG_RETRY: u64 = 5;
/// How much lower the priority of the long lane is, and of everything else that is long.
pub const LONG_NICE: i32 = 10;

/// The number of threads in the quick and in the long lane.
pub fn lane_threads(threads: usize) -> (usize, usize) {
    // Two at least, so that one long search does not keep the next one waiting.
    (threads.max(1), threads.max(2))
}

/// The threads that search.
#[derive(Debug)]
pub struct Workers {
    quick: Lane,
    long: Lane,
    /// The limits of a search in the long lane, and the memory of one in the quick lane.
    most: Limits,
    quick_memory: usize,
}

/// Work for a thread, which lends its solver: the tables live as long as the thread does.
type Job = Box<dyn FnOnce(&mut Solver) + Send>;

#[derive(Debug)]
struct Lane {
    queue: Sender<Job>,
    /// A permit for each request that waits or is worked on.
    room: Arc<Semaphore>,
    counts: Arc<Counts>,
    threads: usize,
    retry: u64,
}

#[derive(Debug, Default)]
struct Counts {
    waiting: AtomicUsize,
    busy: AtomicUsize,
}

/// How much is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// The threads.
    pub threads: usize,
    /// Those that work.
    pub busy: usize,
    /// The requests that wait for one.
    pub waiting: usize,
}

impl Workers {
    /// Starts the threads of both lanes. No search takes more time than `time`, nor more memory than its share.
    pub fn new(threads: usize, time: Duration, shares: &Shares) -> Workers {
        let (quick_threads, long_threads) = lane_threads(threads);
        Workers {
            quick: Lane::new("quick", quick_threads, QUICK_QUEUE, QUICK_RETRY, false),
            long: Lane::new("long", long_threads, LONG_QUEUE, LONG_RETRY, true),
            most: Limits { time: Some(time), memory: Some(shares.long), ..Limits::default() },
            quick_memory: shares.quick,
        }
    }

    /// The longest time of a search.
    pub fn longest(&self) -> Duration {
        self.most.time.unwrap_or(Duration::MAX)
    }

    /// How much is going on.
    pub fn load(&self) -> Load {
        let sum = |of: fn(&Counts) -> &AtomicUsize| {
            [&self.quick, &self.long].iter().map(|lane| of(&lane.counts).load(Ordering::Relaxed)).sum()
        };
        Load {
            threads: self.quick.threads + self.long.threads,
            busy: sum(|counts| &counts.busy),
            waiting: sum(|counts| &counts.waiting),
        }
    }

    /// Searches within the limits asked for, but at most with those of the server: first in the quick lane, and if the
    /// limit that `work` reports can be raised, once more in the long one. `answer` makes the answer out of what was
    /// found, on the same thread. If the answer is no longer waited for, the search is cancelled.
    pub async fn search<T, U: Send + 'static>(
        &self,
        asked: &Limits,
        work: impl Fn(&mut Solver, &Limits) -> Result<(T, Option<Limit>), ApiError> + Send + Sync + 'static,
        answer: impl Fn(T) -> Result<U, ApiError> + Send + Sync + 'static,
    ) -> Result<U, ApiError> {
        let both = Arc::new((work, answer));
        let allowed = self.allowed(asked);
        let little = Limits {
            time: Some(QUICK_TIME.min(allowed.time.unwrap_or(QUICK_TIME))),
            memory: Some(self.quick_memory.min(allowed.memory.unwrap_or(self.quick_memory))),
            ..allowed.clone()
        };
        let (first, more_time, more_memory) =
            (Arc::clone(&both), little.time < allowed.time, little.memory < allowed.memory);
        let mut seat = self.quick.seat()?;
        let quick = seat.run(&little, move |solver, limits| {
            let (found, ended_by) = first.0(solver, limits)?;
            let has_more = match ended_by {
                Some(Limit::Time) => more_time,
                Some(Limit::Memory) => more_memory,
                _ => false,
            };
            if has_more { Ok(None) } else { first.1(found).map(Some) }
        });
        let found = quick.await?;
        // The place in the quick lane is for others.
        drop(seat);
        match found {
            Some(answer) => Ok(answer),
            None => self.long(&allowed, move |solver, limits| both.1(both.0(solver, limits)?.0)).await,
        }
    }

    /// Does what is long from the start, in the long lane, within the limits asked for and those of the server.
    pub async fn long<T: Send + 'static>(
        &self,
        asked: &Limits,
        work: impl FnOnce(&mut Solver, &Limits) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        // A table that has grown large once is not kept.
        self.seat()?.run(&self.allowed(asked), move |_, limits| work(&mut Solver::new(), limits)).await
    }

    /// A place in the long lane for work of several parts.
    pub fn seat(&self) -> Result<Seat, ApiError> {
        self.long.seat()
    }

    /// The limits asked for, where they are below those of the server.
    pub fn allowed(&self, asked: &Limits) -> Limits {
        let least = |asked: Option<_>, most: Option<_>| [asked, most].into_iter().flatten().min();
        Limits {
            nodes: asked.nodes,
            time: least(asked.time, self.most.time),
            memory: [asked.memory, self.most.memory].into_iter().flatten().min(),
            cancel: None,
        }
    }
}

impl Lane {
    fn new(name: &str, threads: usize, queue: usize, retry: u64, low: bool) -> Lane {
        let room = Arc::new(Semaphore::new(queue + threads));
        let (queue, jobs) = channel::<Job>();
        let (jobs, counts) = (Arc::new(Mutex::new(jobs)), Arc::<Counts>::default());
        for number in 0..threads {
            let (jobs, counts) = (Arc::clone(&jobs), Arc::clone(&counts));
            let thread = std::thread::Builder::new().name(format!("{name}-{number}"));
            // Without its threads the server is of no use; this happens at its start or never.
            thread.spawn(move || work(&jobs, &counts, low)).expect("a thread can be started");
        }
        Lane { queue, room, counts, threads, retry }
    }

    /// A place in this lane, unless it is full.
    fn seat(&self) -> Result<Seat, ApiError> {
        let permit = Arc::clone(&self.room).try_acquire_owned().map_err(|_| ApiError::too_busy(self.retry))?;
        Ok(Seat { permit: Arc::new(permit), queue: self.queue.clone(), counts: Arc::clone(&self.counts) })
    }
}

/// A place in a lane. Its owner may have one part of its work done after the other, each behind all that wait then.
#[derive(Debug)]
pub struct Seat {
    /// Shared with the job, so that a job that nobody waits for any more still counts until it has ended.
    permit: Arc<OwnedSemaphorePermit>,
    queue: Sender<Job>,
    counts: Arc<Counts>,
}

impl Seat {
    /// Has a part of the work done, and waits for it. If this is dropped, the work is cancelled. A panic becomes an
    /// internal error of this request alone.
    pub async fn run<T: Send + 'static>(
        &mut self,
        limits: &Limits,
        work: impl FnOnce(&mut Solver, &Limits) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let cancelled = CancelOnDrop::default();
        let (answer, waits) = oneshot::channel();
        let limits = Limits { cancel: Some(Arc::clone(&cancelled.0)), ..limits.clone() };
        let (flag, permit) = (Arc::clone(&cancelled.0), Arc::clone(&self.permit));
        let job = Box::new(move |solver: &mut Solver| {
            let _permit = permit;
            if !flag.load(Ordering::Relaxed) {
                // Nobody may be waiting any more.
                let _ = answer.send(work(solver, &limits));
            }
        });
        self.counts.waiting.fetch_add(1, Ordering::Relaxed);
        self.queue.send(job).map_err(|_| ApiError::internal("the workers have ended"))?;
        waits.await.unwrap_or_else(|_| Err(ApiError::internal("a worker ended without an answer")))
    }
}

/// Set when nobody waits for the answer any more.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Works until there will be no more jobs. A job that panics loses its answer, and the worker its tables, which may be
/// in disorder; both go on.
fn work(jobs: &Mutex<Receiver<Job>>, counts: &Counts, low: bool) {
    if low {
        // On Linux this is the priority of the thread. Where it is not to be had, the system shares the cores evenly.
        let _ = rustix::process::nice(LONG_NICE);
    }
    let mut solver = Solver::new();
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        counts.waiting.fetch_sub(1, Ordering::Relaxed);
        counts.busy.fetch_add(1, Ordering::Relaxed);
        if catch_unwind(AssertUnwindSafe(|| job(&mut solver))).is_err() {
            solver = Solver::new();
        }
        counts.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    fn workers() -> Workers {
        Workers::new(1, Duration::from_secs(60), &Shares::new(256 << 20, 1, 2))
    }

    fn status(error: ApiError) -> StatusCode {
        error.into_response().status()
    }

    #[tokio::test]
    async fn a_panic_is_an_error_of_its_request_alone() {
        let workers = workers();
        let limits = Limits::default();
        // More often than there are threads: none of them may be lost.
        for _ in 0..5 {
            let quick = workers.search(&limits, |_, _| -> Result<((), _), _> { panic!("injected") }, Ok);
            assert_eq!(status(quick.await.unwrap_err()), StatusCode::INTERNAL_SERVER_ERROR);
            let answer = workers.search(&limits, |_, _| Ok(((), None)), |()| -> Result<(), _> { panic!("injected") });
            assert_eq!(status(answer.await.unwrap_err()), StatusCode::INTERNAL_SERVER_ERROR);
            let long = workers.long(&limits, |_, _| -> Result<(), _> { panic!("injected") });
            assert_eq!(status(long.await.unwrap_err()), StatusCode::INTERNAL_SERVER_ERROR);
        }
        assert_eq!(workers.search(&limits, |_, _| Ok((7, None)), Ok).await.unwrap(), 7);
        let mut seat = workers.seat().unwrap();
        assert!(seat.run(&limits, |_, _| -> Result<(), _> { panic!("injected") }).await.is_err());
        assert_eq!(seat.run(&limits, |_, _| Ok(8)).await.unwrap(), 8, "the place is kept");
        // A thread counts as busy until a moment after its result is there.
        let idle = async {
            while workers.load().busy > 0 {
                tokio::task::yield_now().await
            }
        };
        tokio::time::timeout(Duration::from_secs(60), idle).await.expect("no thread is lost");
    }

    #[tokio::test]
    async fn the_parts_of_long_work_let_others_have_their_turn() {
        let lane = Lane::new("test", 1, 4, 1, false);
        let limits = Limits::default();
        let (order, seen) = channel();
        let (gate, closed) = channel::<()>();
        let mut first = lane.seat().unwrap();
        let (mut long, mut short) = (lane.seat().unwrap(), lane.seat().unwrap());
        let note = |name: &'static str| {
            let order = order.clone();
            move |_: &mut Solver, _: &Limits| order.send(name).map_err(ApiError::internal)
        };
        // The only thread waits until both have asked for their first part.
        let block = first.run(&limits, move |_, _| closed.recv().map_err(ApiError::internal));
        let long_work = async {
            for part in ["long 1", "long 2", "long 3"] {
                long.run(&limits, note(part)).await?;
            }
            Ok(())
        };
        let short_work = short.run(&limits, note("short"));
        let open = async { gate.send(()).map_err(ApiError::internal) };
        let all: Result<_, ApiError> = tokio::try_join!(block, long_work, short_work, open);
        all.unwrap();
        assert_eq!(seen.try_iter().collect::<Vec<_>>(), ["long 1", "short", "long 2", "long 3"]);
    }

    #[tokio::test]
    async fn a_full_lane_refuses_and_has_room_again_later() {
        let lane = Lane::new("test", 1, 1, 5, false);
        let seats = [lane.seat().unwrap(), lane.seat().unwrap()];
        assert_eq!(status(lane.seat().unwrap_err()), StatusCode::SERVICE_UNAVAILABLE);
        drop(seats);
        assert_eq!(lane.seat().unwrap().run(&Limits::default(), |_, _| Ok(9)).await.unwrap(), 9);
    }
}
