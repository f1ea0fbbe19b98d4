//! The search threads and their queues.
//!
//! There are two lanes. Every search starts in the quick lane with a few milliseconds and little memory, which is enough for
//! almost every board that people play. A search that needs more is repeated in the long lane, whose threads have a low
//! priority, so a board with a huge state space never delays the others. Both lanes hold a bounded number of requests;
//! further ones are refused with a Retry-After.
//!
//! Work that consists of several searches keeps its [`Slot`] in the long lane and goes to the end of the queue after each
//! search, so that other requests get their turn. Boards and algorithms are parsed and responses serialised here too: both
//! may be large, and must not block the async threads.

use crate::error::ApiError;
use crate::memory::MemoryShares;
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Time limit of a search in the quick lane.
const QUICK_TIME: Duration = Duration::from_millis(40);
/// Number of requests that may wait in each lane.
const QUICK_QUEUE: usize = 1024;
const LONG_QUEUE: usize = 16;
/// Retry-After when a lane is full, in seconds.
const QUICK_RETRY_AFTER: u64 = 1;
const LONG_RETRY_AFTER: u64 = 5;

/// Returns the number of threads in the quick and in the long lane.
pub fn lane_threads(threads: usize) -> (usize, usize) {
    // At least two in the long lane, so that one long search does not block the next.
    (threads.max(1), threads.max(2))
}

/// The search threads of both lanes.
#[derive(Debug)]
pub struct Workers {
    quick: Lane,
    long: Lane,
    /// Limits of a search in the long lane.
    limits: Limits,
    /// Memory limit of a search in the quick lane, in bytes.
    quick_memory: usize,
}

/// The limits of a search in each lane.
#[derive(Clone, Debug)]
pub struct LaneLimits {
    quick: Limits,
    /// Limits in the long lane.
    pub long: Limits,
}

impl LaneLimits {
    /// Whether a search that this limit ended in the quick lane gets further in the long lane.
    pub fn can_continue(&self, ended_by: Option<Limit>) -> bool {
        match ended_by {
            Some(Limit::Time) => self.quick.time < self.long.time,
            Some(Limit::Memory) => self.quick.memory < self.long.memory,
            _ => false,
        }
    }
}

/// Work for a thread, which passes its own solver so that the solver's tables are reused.
type Job = Box<dyn FnOnce(&mut Solver) + Send>;

#[derive(Debug)]
struct Lane {
    queue: Sender<Job>,
    /// Holds a permit for each request that waits or is in progress.
    room: Arc<Semaphore>,
    counts: Arc<Counts>,
    threads: usize,
    /// Retry-After when the lane is full, in seconds.
    retry_after: u64,
}

#[derive(Debug, Default)]
struct Counts {
    waiting: AtomicUsize,
    busy: AtomicUsize,
}

/// Current load of the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Number of threads.
    pub threads: usize,
    /// Number of threads that are busy.
    pub busy: usize,
    /// Number of requests that wait for a thread.
    pub waiting: usize,
}

impl Workers {
    /// Starts the threads of both lanes, those of the long lane with this nice value. No search exceeds `time` or its memory share.
    pub fn new(threads: usize, time: Duration, shares: &MemoryShares, nice: i32) -> Workers {
        let (quick_threads, long_threads) = lane_threads(threads);
        Workers {
            quick: Lane::new("quick", quick_threads, QUICK_QUEUE, QUICK_RETRY_AFTER, 0),
            long: Lane::new("long", long_threads, LONG_QUEUE, LONG_RETRY_AFTER, nice),
            limits: Limits { time: Some(time), memory: Some(shares.long), ..Limits::default() },
            quick_memory: shares.quick,
        }
    }

    /// Time limit of a search.
    pub fn time_limit(&self) -> Duration {
        self.limits.time.unwrap_or(Duration::MAX)
    }

    /// Returns the current load.
    pub fn load(&self) -> Load {
        let sum = |count: fn(&Counts) -> &AtomicUsize| {
            [&self.quick, &self.long].iter().map(|lane| count(&lane.counts).load(Ordering::Relaxed)).sum()
        };
        Load {
            threads: self.quick.threads + self.long.threads,
            busy: sum(|counts| &counts.busy),
            waiting: sum(|counts| &counts.waiting),
        }
    }

    /// Runs a search within the requested limits, capped by those of the server: first in the quick lane, and if it ends at
    /// a limit that the long lane can raise, once more there. `work` returns its result and the limit that ended it;
    /// `respond` turns the result into the response on the same thread. Dropping the future cancels the search.
    pub async fn search<T, U: Send + 'static>(
        &self,
        requested: &Limits,
        work: impl Fn(&mut Solver, &Limits) -> Result<(T, Option<Limit>), ApiError> + Send + Sync + 'static,
        respond: impl Fn(T) -> Result<U, ApiError> + Send + Sync + 'static,
    ) -> Result<U, ApiError> {
        let both = Arc::new((work, respond));
        let limits = self.lane_limits(requested);
        let (first, lanes) = (Arc::clone(&both), limits.clone());
        let quick = self.run_quick(&limits, move |solver, limits| {
            let (found, ended_by) = first.0(solver, limits)?;
            if lanes.can_continue(ended_by) { Ok(None) } else { first.1(found).map(Some) }
        });
        match quick.await? {
            Some(response) => Ok(response),
            None => self.run_long(requested, move |solver, limits| both.1(both.0(solver, limits)?.0)).await,
        }
    }

    /// Runs work in the quick lane only.
    pub async fn run_quick<T: Send + 'static>(
        &self,
        limits: &LaneLimits,
        work: impl FnOnce(&mut Solver, &Limits) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.quick.slot()?.run(&limits.quick, work).await
    }

    /// Runs work in the long lane only, within the requested limits, capped by those of the server.
    pub async fn run_long<T: Send + 'static>(
        &self,
        requested: &Limits,
        work: impl FnOnce(&mut Solver, &Limits) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        // A new solver, so that large tables are freed afterwards.
        self.slot()?.run(&self.capped(requested), move |_, limits| work(&mut Solver::new(), limits)).await
    }

    /// Returns a slot in the long lane, for work of several parts; an error if the lane is full.
    pub fn slot(&self) -> Result<Slot, ApiError> {
        self.long.slot()
    }

    /// Returns the limits of a search in each lane.
    pub fn lane_limits(&self, requested: &Limits) -> LaneLimits {
        let long = self.capped(requested);
        let quick = Limits {
            time: Some(QUICK_TIME.min(long.time.unwrap_or(QUICK_TIME))),
            memory: Some(self.quick_memory.min(long.memory.unwrap_or(self.quick_memory))),
            ..long.clone()
        };
        LaneLimits { quick, long }
    }

    /// Returns the requested limits, capped by those of the server.
    pub fn capped(&self, requested: &Limits) -> Limits {
        Limits {
            nodes: requested.nodes,
            time: [requested.time, self.limits.time].into_iter().flatten().min(),
            memory: [requested.memory, self.limits.memory].into_iter().flatten().min(),
            cancel: None,
        }
    }
}

impl Lane {
    fn new(name: &str, threads: usize, queue: usize, retry_after: u64, nice: i32) -> Lane {
        let room = Arc::new(Semaphore::new(queue + threads));
        let (queue, jobs) = channel::<Job>();
        let (jobs, counts) = (Arc::new(Mutex::new(jobs)), Arc::<Counts>::default());
        for number in 0..threads {
            let (jobs, counts) = (Arc::clone(&jobs), Arc::clone(&counts));
            let thread = std::thread::Builder::new().name(format!("{name}-{number}"));
            // The server cannot work without its threads. This can fail only at startup.
            thread.spawn(move || work(&jobs, &counts, nice)).expect("a thread can be started");
        }
        Lane { queue, room, counts, threads, retry_after }
    }

    /// Returns a slot in this lane; an error if it is full.
    fn slot(&self) -> Result<Slot, ApiError> {
        let permit = Arc::clone(&self.room).try_acquire_owned().map_err(|_| ApiError::too_busy(self.retry_after))?;
        Ok(Slot { permit: Arc::new(permit), queue: self.queue.clone(), counts: Arc::clone(&self.counts) })
    }
}

/// A place in a lane. Its owner runs parts of its work one after the other; each part queues behind the jobs that wait.
#[derive(Debug)]
pub struct Slot {
    /// Shared with the job, so that a cancelled job counts until it has ended.
    permit: Arc<OwnedSemaphorePermit>,
    queue: Sender<Job>,
    counts: Arc<Counts>,
}

impl Slot {
    /// Runs a part of the work on a thread of the lane. Dropping the future cancels the work. A panic becomes an internal
    /// error of this request alone.
    pub async fn run<T: Send + 'static>(
        &mut self,
        limits: &Limits,
        work: impl FnOnce(&mut Solver, &Limits) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let cancelled = CancelOnDrop::default();
        let (sender, receiver) = oneshot::channel();
        let limits = Limits { cancel: Some(Arc::clone(&cancelled.0)), ..limits.clone() };
        let (flag, permit) = (Arc::clone(&cancelled.0), Arc::clone(&self.permit));
        let job = Box::new(move |solver: &mut Solver| {
            let _permit = permit;
            if !flag.load(Ordering::Relaxed) {
                // The receiver may be gone.
                let _ = sender.send(work(solver, &limits));
            }
        });
        self.counts.waiting.fetch_add(1, Ordering::Relaxed);
        self.queue.send(job).map_err(|_| ApiError::internal("the worker threads have ended"))?;
        receiver.await.unwrap_or_else(|_| Err(ApiError::internal("a worker thread ended without a result")))
    }
}

/// A flag that is set when the request is dropped.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs jobs until the queue is closed. When a job panics, its result is lost and the solver is replaced, because its
/// tables may be inconsistent; the thread continues.
fn work(jobs: &Mutex<Receiver<Job>>, counts: &Counts, nice: i32) {
    lower_priority(nice);
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

/// Lowers the priority of this thread and of those that it starts. Only Linux has priorities of threads; elsewhere, and if it
/// fails, all threads have the same.
pub fn lower_priority(nice: i32) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(nice);
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    fn workers() -> Workers {
        Workers::new(1, Duration::from_secs(60), &MemoryShares::new(256 << 20, 1, 2), 0)
    }

    fn status(error: ApiError) -> StatusCode {
        error.into_response().status()
    }

    #[tokio::test]
    async fn a_panic_fails_only_its_own_request() {
        let workers = workers();
        let limits = Limits::default();
        // More panics than threads: no thread may be lost.
        for _ in 0..5 {
            let quick = workers.search(&limits, |_, _| -> Result<((), _), _> { panic!("injected") }, Ok);
            assert_eq!(status(quick.await.unwrap_err()), StatusCode::INTERNAL_SERVER_ERROR);
            let respond = workers.search(&limits, |_, _| Ok(((), None)), |()| -> Result<(), _> { panic!("injected") });
            assert_eq!(status(respond.await.unwrap_err()), StatusCode::INTERNAL_SERVER_ERROR);
            let long = workers.run_long(&limits, |_, _| -> Result<(), _> { panic!("injected") });
            assert_eq!(status(long.await.unwrap_err()), StatusCode::INTERNAL_SERVER_ERROR);
        }
        assert_eq!(workers.search(&limits, |_, _| Ok((7, None)), Ok).await.unwrap(), 7);
        let mut slot = workers.slot().unwrap();
        assert!(slot.run(&limits, |_, _| -> Result<(), _> { panic!("injected") }).await.is_err());
        assert_eq!(slot.run(&limits, |_, _| Ok(8)).await.unwrap(), 8, "the slot is kept");
        // A thread counts as busy until a moment after its result is there.
        let idle = async {
            while workers.load().busy > 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), idle).await.expect("no thread is lost");
    }

    #[tokio::test]
    async fn the_parts_of_long_work_take_turns_with_other_jobs() {
        let lane = Lane::new("test", 1, 4, 1, 0);
        let limits = Limits::default();
        let (order, seen) = channel();
        let (gate, closed) = channel::<()>();
        let mut first = lane.slot().unwrap();
        let (mut long, mut short) = (lane.slot().unwrap(), lane.slot().unwrap());
        let record = |name: &'static str| {
            let order = order.clone();
            move |_: &mut Solver, _: &Limits| order.send(name).map_err(ApiError::internal)
        };
        // The only thread is blocked until both have queued their first part.
        let block = first.run(&limits, move |_, _| closed.recv().map_err(ApiError::internal));
        let long_work = async {
            for part in ["long 1", "long 2", "long 3"] {
                long.run(&limits, record(part)).await?;
            }
            Ok(())
        };
        let short_work = short.run(&limits, record("short"));
        let open = async { gate.send(()).map_err(ApiError::internal) };
        let all: Result<_, ApiError> = tokio::try_join!(block, long_work, short_work, open);
        all.unwrap();
        assert_eq!(seen.try_iter().collect::<Vec<_>>(), ["long 1", "short", "long 2", "long 3"]);
    }

    #[tokio::test]
    async fn a_full_lane_refuses_until_a_slot_is_freed() {
        let lane = Lane::new("test", 1, 1, 5, 0);
        let slots = [lane.slot().unwrap(), lane.slot().unwrap()];
        assert_eq!(status(lane.slot().unwrap_err()), StatusCode::SERVICE_UNAVAILABLE);
        drop(slots);
        assert_eq!(lane.slot().unwrap().run(&Limits::default(), |_, _| Ok(9)).await.unwrap(), 9);
    }
}
