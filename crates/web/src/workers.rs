//! The threads that search, and the queues in front of them.
//!
//! There are two lanes. Every search begins in the quick one, where it may take a few milliseconds and little memory: that
//! is enough for almost every board that people play. What needs more is done again in the long lane, whose threads are
//! of low priority. So a board built to explode never keeps the others waiting. Both queues are bounded, and who finds
//! one full is told to come back later.

use crate::error::ApiError;
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How much a search in the quick lane may take.
const QUICK_TIME: Duration = Duration::from_millis(40);
const QUICK_MEMORY: usize = 16 << 20;
/// How many may wait in each lane.
const QUICK_QUEUE: usize = 1024;
const LONG_QUEUE: usize = 16;
/// When who finds a lane full should ask again, in seconds.
const QUICK_RETRY: u64 = 1;
const LONG_RETRY: u64 = 5;
/// How much lower the priority of the long lane is, and of everything else that is long.
pub const LONG_NICE: i32 = 10;

/// The threads that search.
#[derive(Debug)]
pub struct Workers {
    quick: Lane,
    long: Lane,
    /// The most that any search may take.
    most: Limits,
}

/// What a worker has at hand: its tables live as long as it does.
pub type Job = Box<dyn FnOnce(&mut Solver) + Send>;

#[derive(Debug)]
struct Lane {
    queue: SyncSender<Job>,
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
    /// So many threads for each lane. No search takes more time than `time`, and all of them together take about `memory`.
    pub fn new(threads: usize, time: Duration, memory: usize) -> Workers {
        let threads = threads.max(1);
        // Two at least, so that one long search does not keep the next one waiting.
        let long_threads = threads.max(2);
        let most = Limits { time: Some(time), memory: Some(memory / long_threads), ..Limits::default() };
        let quick = Lane::new("quick", threads, QUICK_QUEUE, QUICK_RETRY, false);
        Workers { quick, long: Lane::new("long", long_threads, LONG_QUEUE, LONG_RETRY, true), most }
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

    /// Searches within the limits asked for, but at most with those of the server: first in the quick lane, and if `ended_by`
    /// tells that the time or the memory there was not enough, once more in the long one. If the answer is no longer
    /// waited for, the search is cancelled.
    pub async fn search<T: Send + 'static>(
        &self,
        asked: &Limits,
        work: impl Fn(&mut Solver, &Limits) -> T + Send + Sync + 'static,
        ended_by: impl Fn(&T) -> Option<Limit>,
    ) -> Result<T, ApiError> {
        let work = Arc::new(work);
        let allowed = self.allowed(asked);
        let little = Limits {
            time: Some(QUICK_TIME.min(allowed.time.unwrap_or(QUICK_TIME))),
            memory: Some(QUICK_MEMORY.min(allowed.memory.unwrap_or(QUICK_MEMORY))),
            ..allowed.clone()
        };
        let first = Arc::clone(&work);
        let found = self.quick.run(&little, move |solver, limits| first(solver, limits)).await?;
        let has_more = match ended_by(&found) {
            Some(Limit::Time) => little.time < allowed.time,
            Some(Limit::Memory) => little.memory < allowed.memory,
            _ => false,
        };
        if !has_more {
            return Ok(found);
        }
        self.long(&allowed, move |solver, limits| work(solver, limits)).await
    }

    /// Does what is long from the start, in the long lane, within the limits asked for and those of the server.
    pub async fn long<T: Send + 'static>(
        &self,
        asked: &Limits,
        work: impl FnOnce(&mut Solver, &Limits) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        // A table that has grown large once is not kept.
        self.long.run(&self.allowed(asked), move |_, limits| work(&mut Solver::new(), limits)).await
    }

    /// Begins what gives away its results while it works, in the long lane, for a few times as long as a search.
    pub fn begin(&self, times: u32, work: impl FnOnce(&Limits) + Send + 'static) -> Result<Ticket<()>, ApiError> {
        let time = self.most.time.map(|time| time.saturating_mul(times));
        self.long.begin(&Limits { time, ..self.most.clone() }, move |_, limits| work(limits))
    }

    /// The limits asked for, where they are below those of the server.
    fn allowed(&self, asked: &Limits) -> Limits {
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
    fn new(name: &str, threads: usize, room: usize, retry: u64, low: bool) -> Lane {
        let (queue, jobs) = sync_channel::<Job>(room);
        let (jobs, counts) = (Arc::new(Mutex::new(jobs)), Arc::<Counts>::default());
        for number in 0..threads {
            let (jobs, counts) = (Arc::clone(&jobs), Arc::clone(&counts));
            let thread = std::thread::Builder::new().name(format!("{name}-{number}"));
            // Without its threads the server is of no use; this happens at its start or never.
            thread.spawn(move || work(&jobs, &counts, low)).expect("a thread can be started");
        }
        Lane { queue, counts, threads, retry }
    }

    async fn run<T: Send + 'static>(
        &self,
        limits: &Limits,
        work: impl FnOnce(&mut Solver, &Limits) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let mut ticket = self.begin(limits, work)?;
        (&mut ticket.waits).await.map_err(|_| ApiError::internal("a search ended without an answer"))
    }

    /// Puts work into the queue.
    fn begin<T: Send + 'static>(
        &self,
        limits: &Limits,
        work: impl FnOnce(&mut Solver, &Limits) -> T + Send + 'static,
    ) -> Result<Ticket<T>, ApiError> {
        let cancelled = CancelOnDrop::default();
        let (answer, waits) = oneshot::channel();
        let limits = Limits { cancel: Some(Arc::clone(&cancelled.0)), ..limits.clone() };
        let flag = Arc::clone(&cancelled.0);
        let job = Box::new(move |solver: &mut Solver| {
            if !flag.load(Ordering::Relaxed) {
                // Nobody may be waiting any more.
                let _ = answer.send(work(solver, &limits));
            }
        });
        self.counts.waiting.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = self.queue.try_send(job) {
            self.counts.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(match error {
                TrySendError::Full(_) => ApiError::too_busy(self.retry),
                TrySendError::Disconnected(_) => ApiError::internal("the workers are gone"),
            });
        }
        Ok(Ticket { waits, _cancelled: cancelled })
    }
}

/// Who has it waits for an answer; without it the work is cancelled.
pub struct Ticket<T> {
    waits: oneshot::Receiver<T>,
    _cancelled: CancelOnDrop,
}

/// Set when who asked has gone away, or got the answer.
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
