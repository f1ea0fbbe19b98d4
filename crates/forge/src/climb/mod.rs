//! Climbing to hard boards: boards are changed a little at a time, and the harder ones are kept, as GP-Rush evolved its
//! hard boards (Hauptman, Elyasaf, Sipper, Karmon: "GP-Rush: using genetic programming to evolve solvers for the Rush
//! Hour puzzle", 2009, section 3.5).
//!
//! - `draft`: boards in the making, and the changes to them; `fitness`: how hard a board is
//! - `ascent`: one climb, from many boards to the best of them; `lane`: ascents one after the other
//! - `checkpoint`: a run's state as text
//!
//! A run has several *lanes*, which know nothing of each other. A lane makes one *ascent* after the other: a population
//! of boards climbs for a while, the weaker half is given up, the others climb twice as long, and so on until one is
//! left, which climbs until it is stuck, is kicked a few times, and done. All randomness of an evaluation comes from the
//! seed, the lane and the evaluation's number, so that nothing depends on the number of threads or on interruptions.

mod ascent;
mod checkpoint;
mod draft;
mod fitness;
mod lane;

pub use checkpoint::CheckpointError;
pub use draft::WrapError;
pub use fitness::Fitness;
pub use lane::Peak;

use crate::parallel::{self, Tasks};
use crate::{Rng, Shape};
use clearway_rush::{Board, Solver};
use lane::Lane;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What to climb, and how.
#[derive(Clone, Debug)]
pub struct ClimbOptions {
    /// What all boards have in common.
    pub shape: Shape,
    /// What makes a board better.
    pub fitness: Fitness,
    /// Ascents that go on side by side.
    pub lanes: u16,
    /// The boards that an ascent begins with.
    pub population: u16,
    /// The evaluations of each board before the first half of them is given up; it doubles each time.
    pub round: u32,
    /// A board that has not improved for so many evaluations is stuck.
    pub patience: u32,
    /// How often a stuck board is kicked in vain before its ascent ends.
    pub kicks: u16,
    /// The ascents of a lane at most.
    pub ascents: Option<u32>,
    /// Boards with more states than this in their component are not considered.
    pub largest: u64,
    /// The nodes of iterative deepening beyond which a board counts 0, where nodes are the fitness.
    pub id_nodes: u64,
    /// Where the randomness comes from.
    pub seed: u64,
    /// Boards to begin with, [wrapped](Self::wrap) into the shape; random ones if there are none.
    pub starts: Vec<Board>,
}

impl ClimbOptions {
    /// The usual options for a shape.
    pub fn new(shape: Shape) -> ClimbOptions {
        ClimbOptions {
            shape,
            fitness: Fitness::Moves,
            lanes: 4,
            population: 16,
            round: 600,
            patience: 5_000,
            kicks: 2,
            ascents: None,
            largest: 100_000,
            id_nodes: 1_500_000,
            seed: 0,
            starts: Vec::new(),
        }
    }

    /// The most states that are visited for one board: those of the largest board, and more when a vehicle that it does
    /// not need is taken out.
    pub fn most_states(&self) -> u64 {
        self.largest.saturating_mul(ascent::LARGER)
    }

    /// A board of the shape's size or a smaller one as a board of the shape: in the middle of a border of empty cells.
    pub fn wrap(shape: Shape, board: &Board) -> Result<Board, WrapError> {
        draft::wrap(shape, board)
    }
}

/// A board that differs from another by a change or a few, as a climb makes them; it may be unsolvable. None if none was
/// possible.
///
/// ```
/// use clearway_forge::{Shape, climb, rng::stream};
/// use clearway_rush::{Side, formats};
/// let card = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
/// assert_ne!(climb::changed(shape, &card, &mut stream(7, 0)), Some(card));
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn changed(shape: Shape, board: &Board, rng: &mut Rng) -> Option<Board> {
    ascent::changed(shape, board, 0, rng).and_then(|draft| draft.board().ok())
}

/// When to stop.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The most evaluations, of all lanes together.
    pub evaluations: Option<u64>,
    /// The most wall-clock time.
    pub time: Option<Duration>,
    /// The fitness that is enough.
    pub enough: Option<u64>,
    /// Set by anybody to stop.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// A fitness of 0, which is that of no board at all, is never enough.
    fn is_enough(&self, best: Option<u64>) -> bool {
        self.enough.is_some_and(|enough| best >= Some(enough.max(1)))
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A board is good enough.
    Enough,
    /// All ascents were made.
    Finished,
    /// As many boards were evaluated as were allowed.
    Evaluations,
    /// The time is up.
    Time,
    /// Somebody asked to stop.
    Cancelled,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClimbProgress {
    /// Boards evaluated.
    pub evaluations: u64,
    /// Ascents that came to their end.
    pub ascents: u64,
    /// The best fitness so far.
    pub best: u64,
}

/// A run.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::climb::{Budget, Climb, ClimbOptions, Stop};
/// use clearway_rush::Side;
/// let shape = Shape::new(5, 5, Side::Right, None, 0)?;
/// let mut climb = Climb::new(ClimbOptions { lanes: 1, ..ClimbOptions::new(shape) });
/// let budget = Budget { evaluations: Some(400), ..Budget::default() };
/// assert_eq!(climb.run(&budget, 1, |_| {}), Stop::Evaluations);
/// assert!(climb.peaks()[0].fitness >= 5);
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
#[derive(Debug)]
pub struct Climb {
    options: ClimbOptions,
    lanes: Vec<Lane>,
}

/// The evaluations of a lane between two looks at the other lanes.
const SLICE: u64 = 64;

impl Climb {
    /// A run that has not begun.
    pub fn new(options: ClimbOptions) -> Climb {
        let lanes = (0..options.lanes.max(1)).map(|index| Lane::new(index.into())).collect();
        Climb { options, lanes }
    }

    /// Its options.
    pub fn options(&self) -> &ClimbOptions {
        &self.options
    }

    /// How far it is.
    pub fn progress(&self) -> ClimbProgress {
        ClimbProgress {
            evaluations: self.lanes.iter().map(|lane| lane.evaluations).sum(),
            ascents: self.lanes.iter().map(|lane| u64::from(lane.ascent)).sum(),
            best: self.lanes.iter().filter_map(Lane::best).max().unwrap_or_default(),
        }
    }

    /// The best board of each ascent, the best first. Those of ascents that are not at their end may still have vehicles
    /// that they [do not need](Self::without_useless).
    pub fn peaks(&self) -> Vec<Peak> {
        let mut peaks: Vec<Peak> = self.lanes.iter().flat_map(Lane::peaks).collect();
        peaks.sort_by_key(|peak| (std::cmp::Reverse(peak.fitness), peak.lane, peak.ascent));
        peaks
    }

    /// A peak without the vehicles that it does not need; at least as hard. If that is cancelled, it may have some left.
    pub fn without_useless(&self, peak: Peak, cancel: Option<&Arc<AtomicBool>>, solver: &mut Solver) -> Peak {
        let (fitness, board) = ascent::without_useless(&self.options, &(peak.fitness, peak.board), cancel, solver);
        Peak { fitness, board, ..peak }
    }

    /// Goes on until the budget is spent, on so many threads, and calls `watch` now and then.
    ///
    /// The lanes go in step: each makes a slice of evaluations, and the run stops only between slices, so that what is
    /// found does not depend on the threads (but for a limit on time, and for being cancelled).
    pub fn run(&mut self, budget: &Budget, threads: usize, mut watch: impl FnMut(&Climb)) -> Stop {
        let started = Instant::now();
        let mut solvers: Vec<Solver> = (0..threads.clamp(1, self.lanes.len())).map(|_| Solver::new()).collect();
        // Started again from text, a lane has its boards but not the ways from them.
        for lane in &mut self.lanes {
            lane.recall(&self.options, &mut solvers[0]);
        }
        loop {
            if let Some(stop) = self.stop(budget, started) {
                return stop;
            }
            let slowest = self.lanes.iter().filter(|lane| !lane.done).map(|lane| lane.evaluations / SLICE).min();
            let end = (slowest.unwrap_or_default() + 1) * SLICE;
            self.run_slice(end, budget, started, &mut solvers);
            watch(self);
        }
    }

    fn stop(&self, budget: &Budget, started: Instant) -> Option<Stop> {
        let progress = self.progress();
        let share = self.share(budget);
        if budget.is_enough(Some(progress.best)) {
            Some(Stop::Enough)
        } else if budget.is_cancelled() {
            Some(Stop::Cancelled)
        } else if self.lanes.iter().all(|lane| lane.done) {
            Some(Stop::Finished)
        } else if share.is_some_and(|share| self.lanes.iter().all(|lane| lane.done || lane.evaluations >= share)) {
            Some(Stop::Evaluations)
        } else if budget.time.is_some_and(|most| started.elapsed() >= most) {
            Some(Stop::Time)
        } else {
            None
        }
    }

    /// The evaluations of each lane.
    fn share(&self, budget: &Budget) -> Option<u64> {
        budget.evaluations.map(|most| most.div_ceil(self.lanes.len() as u64))
    }

    /// Brings every lane to its evaluation `end`.
    fn run_slice(&mut self, end: u64, budget: &Budget, started: Instant, solvers: &mut [Solver]) {
        let end = end.min(self.share(budget).unwrap_or(u64::MAX));
        let lanes: Vec<Mutex<&mut Lane>> = self.lanes.iter_mut().map(Mutex::new).collect();
        let (options, all) = (&self.options, &lanes);
        let workers = solvers.iter_mut().map(|solver| {
            move |tasks: &Tasks| {
                while let Some(lane) = tasks.next() {
                    // Every lane has one taker: the lock is always free.
                    let Ok(mut lane) = all[lane].lock() else { continue };
                    while lane.evaluations < end && !lane.done {
                        let out_of_time = budget.time.is_some_and(|most| started.elapsed() >= most);
                        if out_of_time || budget.is_enough(lane.best()) || budget.is_cancelled() {
                            break;
                        }
                        lane.evaluate_one(options, budget.cancel.as_ref(), solver);
                    }
                }
            }
        });
        parallel::run(all.len(), workers, || ());
    }
}
