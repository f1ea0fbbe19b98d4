//! Searches for hard boards by hill climbing: boards are changed a little at a time, and the harder ones are kept, similar to
//! the way GP-Rush evolved its hard boards (Hauptman, Elyasaf, Sipper, Karmon: "GP-Rush: using genetic programming to evolve
//! solvers for the Rush Hour puzzle", 2009, section 3.5).
//!
//! - `draft`: boards that can be changed, and the changes; `fitness`: the fitness of a board
//! - `ascent`: one climb, from a population of boards to the best of them; `lane`: a sequence of ascents
//! - `checkpoint`: the state of a run as text
//!
//! A run has several independent *lanes*. A lane makes one *ascent* after the other: a population of boards climbs for a
//! while, the weaker half is dropped, the others climb twice as long, and so on until one is left. This board climbs until it
//! is stuck and is then kicked; the ascent ends when too many kicks in a row bring no improvement. With an inner shape, all this
//! happens on smaller boards first, and the best of them then climbs in the whole shape, inside a frame. All randomness of an
//! evaluation derives from the seed, the lane and the number of the evaluation, so the result does not depend on the number of
//! threads or on interruptions.

mod ascent;
mod checkpoint;
mod draft;
mod fitness;
mod lane;

pub use checkpoint::ClimbCheckpointError;
pub use draft::WrapError;
pub use fitness::FitnessMeasure;
pub use lane::Peak;

use crate::{Rng, Shape};
use clearway_rush::{Board, Solver};
use clearway_util::parallel::{self, Tasks};
use clearway_util::time::Instant;
use lane::Lane;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct ClimbOptions {
    /// Size, exit and number of walls of all boards.
    pub shape: Shape,
    /// Measure to maximise.
    pub fitness: FitnessMeasure,
    /// Number of lanes, which run in parallel.
    pub lanes: u16,
    /// Number of boards at the start of an ascent.
    pub population: u16,
    /// Number of evaluations of each board before the weaker half is dropped for the first time; doubles after each round.
    pub round: u32,
    /// Number of evaluations without improvement after which a board is stuck.
    pub patience: u32,
    /// Number of kicks in a row that may bring no improvement; one more ends the ascent.
    pub kicks: u16,
    /// Maximum number of ascents of each lane.
    pub ascents: Option<u32>,
    /// Maximum number of states in the component of a board; larger ones are rejected.
    pub largest: u64,
    /// Node limit of iterative deepening, beyond which the fitness is 0. Used by [`FitnessMeasure::IdNodes`] only.
    pub id_nodes: u64,
    /// Seed of all randomness.
    pub seed: u64,
    /// Boards to start from, [wrapped](Self::wrap) into the shape; if empty, ascents start from random boards.
    pub starts: Vec<Board>,
    /// Shape in which an ascent starts. When it is stuck there, its best board is [framed](Self::frame) and climbs on in the whole
    /// shape. Use either this or boards to start from.
    pub inner: Option<Shape>,
}

impl ClimbOptions {
    /// Creates the default options for a shape.
    pub fn new(shape: Shape) -> ClimbOptions {
        ClimbOptions {
            shape,
            fitness: FitnessMeasure::Moves,
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
            inner: None,
        }
    }

    /// Returns the maximum number of states visited for one board. It is larger than `largest`, because components may grow
    /// when a removable vehicle is removed.
    pub fn most_states(&self) -> u64 {
        self.largest.saturating_mul(ascent::GROWTH)
    }

    /// Surrounds a board, which must not be larger than the shape, with a border of empty cells so that it has the size of the
    /// shape and the target is in the shape's line.
    pub fn wrap(shape: Shape, board: &Board) -> Result<Board, WrapError> {
        draft::wrap(shape, board)
    }

    /// Surrounds a board, which must not be larger than the shape, with vehicles that cannot move, so that it has the size of the
    /// shape, the target is in the shape's line, and the states are those of the board.
    pub fn frame(shape: Shape, board: &Board) -> Result<Board, WrapError> {
        draft::frame(shape, board)
    }
}

/// Applies one or a few random changes to a board, as a climb does. The result may be unsolvable. Returns None if no change was
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

/// Stop criteria of a run.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Maximum number of evaluations of all lanes together. Each lane gets an equal share, rounded up.
    pub evaluations: Option<u64>,
    /// Maximum wall-clock time.
    pub time: Option<Duration>,
    /// Fitness at which the run stops.
    pub enough: Option<u64>,
    /// Flag that stops the run when it is set.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// Returns whether the target fitness is reached. A fitness of 0 means that there is no board yet, so it never counts.
    fn is_enough(&self, best: Option<u64>) -> bool {
        self.enough.is_some_and(|enough| best >= Some(enough.max(1)))
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The target fitness is reached.
    Enough,
    /// All ascents are completed.
    Finished,
    /// The maximum number of evaluations is reached.
    Evaluations,
    /// The time limit is reached.
    Time,
    /// The cancel flag was set.
    Cancelled,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClimbProgress {
    /// Number of boards evaluated.
    pub evaluations: u64,
    /// Number of completed ascents.
    pub ascents: u64,
    /// Best fitness so far; 0 if there is no board yet.
    pub best: u64,
}

/// A run of several lanes.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::climb::{Budget, Climb, ClimbOptions, StopReason};
/// use clearway_rush::Side;
/// let shape = Shape::new(5, 5, Side::Right, None, 0)?;
/// let mut climb = Climb::new(ClimbOptions { lanes: 1, ..ClimbOptions::new(shape) });
/// let budget = Budget { evaluations: Some(400), ..Budget::default() };
/// assert_eq!(climb.run(&budget, 1, |_| {}), StopReason::Evaluations);
/// assert!(climb.peaks()[0].fitness >= 5);
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
#[derive(Debug)]
pub struct Climb {
    options: ClimbOptions,
    lanes: Vec<Lane>,
}

/// Number of evaluations of a lane between two synchronisations with the other lanes.
const SLICE: u64 = 64;

impl Climb {
    /// Creates a run without starting it.
    pub fn new(options: ClimbOptions) -> Climb {
        let lanes = (0..options.lanes.max(1)).map(|index| Lane::new(index.into())).collect();
        Climb { options, lanes }
    }

    /// Returns the options of the run.
    pub fn options(&self) -> &ClimbOptions {
        &self.options
    }

    /// Returns the progress of the run.
    pub fn progress(&self) -> ClimbProgress {
        ClimbProgress {
            evaluations: self.lanes.iter().map(|lane| lane.evaluations).sum(),
            ascents: self.lanes.iter().map(|lane| u64::from(lane.ascent)).sum(),
            best: self.lanes.iter().filter_map(Lane::best).max().unwrap_or_default(),
        }
    }

    /// Returns the best board of each ascent, sorted by descending fitness. The boards of unfinished ascents may still have
    /// vehicles that they [do not need](Self::without_useless).
    pub fn peaks(&self) -> Vec<Peak> {
        let mut peaks: Vec<Peak> = self.lanes.iter().flat_map(|lane| lane.peaks(&self.options)).collect();
        peaks.sort_by_key(|peak| (std::cmp::Reverse(peak.fitness), peak.lane, peak.ascent));
        peaks
    }

    /// Removes the vehicles that a peak does not need. The result is at least as fit. If this is cancelled, some removable
    /// vehicles may be left.
    pub fn without_useless(&self, peak: Peak, cancel: Option<&Arc<AtomicBool>>, solver: &mut Solver) -> Peak {
        let (fitness, board) = ascent::without_removable(&self.options, &(peak.fitness, peak.board), cancel, solver);
        Peak { fitness, board, ..peak }
    }

    /// Continues the run on this number of threads until a stop criterion is met, and calls `watch` after each slice.
    ///
    /// The lanes are synchronised: each makes a slice of evaluations, and the run stops only between slices. So the result
    /// does not depend on the number of threads, unless the run is stopped by the time limit or cancelled.
    pub fn run(&mut self, budget: &Budget, threads: usize, mut watch: impl FnMut(&Climb)) -> StopReason {
        let started = Instant::now();
        let mut solvers: Vec<Solver> = (0..threads.clamp(1, self.lanes.len())).map(|_| Solver::new()).collect();
        // A lane resumed from a checkpoint has its boards, but neither their fitness nor their paths.
        for lane in &mut self.lanes {
            lane.reevaluate(&self.options, &mut solvers[0]);
        }
        loop {
            if let Some(stop) = self.stop_reason(budget, started) {
                return stop;
            }
            let slowest = self.lanes.iter().filter(|lane| !lane.done).map(|lane| lane.evaluations / SLICE).min();
            let end = (slowest.unwrap_or_default() + 1) * SLICE;
            self.run_slice(end, budget, started, &mut solvers);
            watch(self);
        }
    }

    fn stop_reason(&self, budget: &Budget, started: Instant) -> Option<StopReason> {
        let progress = self.progress();
        let share = self.share(budget);
        if budget.is_enough(Some(progress.best)) {
            Some(StopReason::Enough)
        } else if budget.is_cancelled() {
            Some(StopReason::Cancelled)
        } else if self.lanes.iter().all(|lane| lane.done) {
            Some(StopReason::Finished)
        } else if share.is_some_and(|share| self.lanes.iter().all(|lane| lane.done || lane.evaluations >= share)) {
            Some(StopReason::Evaluations)
        } else if budget.time.is_some_and(|most| started.elapsed() >= most) {
            Some(StopReason::Time)
        } else {
            None
        }
    }

    /// Returns the maximum number of evaluations of each lane.
    fn share(&self, budget: &Budget) -> Option<u64> {
        budget.evaluations.map(|most| most.div_ceil(self.lanes.len() as u64))
    }

    /// Runs every lane until it has made `end` evaluations.
    fn run_slice(&mut self, end: u64, budget: &Budget, started: Instant, solvers: &mut [Solver]) {
        let end = end.min(self.share(budget).unwrap_or(u64::MAX));
        let lanes: Vec<Mutex<&mut Lane>> = self.lanes.iter_mut().map(Mutex::new).collect();
        let (options, all) = (&self.options, &lanes);
        let workers = solvers.iter_mut().map(|solver| {
            move |tasks: &Tasks| {
                while let Some(lane) = tasks.next() {
                    // Each lane is taken by one worker only, so the lock is always free.
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
        parallel::run(all.len(), workers, |_| ());
    }
}
