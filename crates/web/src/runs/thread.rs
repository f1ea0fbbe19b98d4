//! The thread of a run.

use super::{Phase, Progress, Runs};
use crate::store::{RunRow, RunState};
use crate::workers::LONG_NICE;
use clearway_lab::evolve::{Champion, Material, Means, Run, RunError, Settings};
use clearway_lab::frames::Tested;
use clearway_lab::records::{TestRecord, TrainingRecord};
use clearway_search::Limits;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The longest time of all generations of a run, in seconds.
pub const MOST_SECONDS: f64 = 3600.0;
/// How often the champion so far and the report are written.
const WRITE_EVERY: Duration = Duration::from_secs(5);

/// A run to make.
pub(super) struct Task {
    pub runs: Arc<Runs>,
    pub row: RunRow,
    pub cancel: Arc<AtomicBool>,
    pub progress: watch::Sender<Progress>,
}

/// What a run came to.
struct End {
    state: RunState,
    training: Option<TrainingRecord>,
    tests: Vec<Tested>,
}

impl Task {
    /// Breeds until it is done or stopped, and keeps what became of it.
    pub fn run(self) {
        // On Linux this is the priority of the thread and of those that it starts: the searches of others come first.
        let _ = rustix::process::nice(LONG_NICE);
        let ended = catch_unwind(AssertUnwindSafe(|| self.breed()));
        let ended = ended.unwrap_or_else(|_| Err("an internal error; it can be resumed".into()));
        let row = self.row.clone();
        let row = match ended {
            Ok(end) => RunRow {
                state: end.state,
                training: end.training.and_then(|training| serde_json::to_string(&training).ok()),
                tests: serde_json::to_string(&end.tests.iter().map(TestRecord::from).collect::<Vec<_>>()).ok(),
                ..row
            },
            Err(error) => RunRow { state: RunState::Failed, error: Some(error.to_string()), ..row },
        };
        let Task { runs, progress, .. } = self;
        runs.ended(&row);
        // First the place is free, and the data folder let go, then it is told: who hears of the end may begin what is next.
        drop(runs);
        progress.send_modify(|progress| (progress.state, progress.phase) = (row.state, None));
    }

    fn breed(&self) -> Result<End, Box<dyn Error>> {
        let stopped = End { state: RunState::Stopped, training: None, tests: Vec::new() };
        let mut run = match self.open() {
            Err(error) if matches!(error.downcast_ref(), Some(RunError::Cancelled)) => return Ok(stopped),
            other => other?,
        };
        self.tell(Phase::Breeding, &run);
        self.make_generations(&mut run)?;
        self.tell(Phase::Testing, &run);
        // Who stops it does not want to wait until the best of all is found.
        let threads = self.runs.threads;
        let champion = if run.is_cancelled() { run.best() } else { run.champion(threads) };
        let Some(champion) = champion else { return Ok(stopped) };
        let tests = if run.is_cancelled() { Vec::new() } else { self.test(&run, &champion) };
        run.write(&champion, &tests)?;
        let training = champion.training.map(TrainingRecord::from);
        if run.is_cancelled() {
            return Ok(End { training, ..stopped });
        }
        Ok(End { state: RunState::Done, training, tests })
    }

    /// The run in its folder, or a new one if it never came so far as to have one.
    fn open(&self) -> Result<Run, Box<dyn Error>> {
        let (folder, settings) = (self.runs.folder(self.row.id), Settings::from_toml(&self.row.settings)?);
        let means = Means {
            threads: self.runs.threads,
            memory: self.runs.memory,
            cancel: Arc::clone(&self.cancel),
            progress: &|_, _| {},
        };
        if folder.is_run() {
            let more = |before: &mut Settings| {
                before.breeding.generations = settings.breeding.generations;
                (before.budget, before.command) = (settings.budget, settings.command);
            };
            return Ok(Run::resume(folder, more, &means)?.0);
        }
        self.runs.clear(self.row.id)?;
        let material = Material::of_suites(&settings).ok_or("a suite of the run is not there")?;
        Ok(Run::begin(folder, settings, material, &means)?)
    }

    /// Makes generations until the run is done or stopped.
    fn make_generations(&self, run: &mut Run) -> Result<(), RunError> {
        let mut written: Option<Instant> = None;
        while !run.is_done() && run.seconds() < MOST_SECONDS && !run.is_cancelled() {
            let Some(line) = run.step(self.runs.threads)?.cloned() else { break };
            self.progress.send_modify(|progress| progress.generations.push(line));
            if written.is_none_or(|written| written.elapsed() >= WRITE_EVERY) {
                if let Some(best) = run.best() {
                    run.write(&best, &[])?;
                }
                written = Some(Instant::now());
            }
        }
        Ok(())
    }

    fn test(&self, run: &Run, champion: &Champion) -> Vec<Tested> {
        let cancel = Some(Arc::clone(&self.cancel));
        let limits = Limits { memory: Some(self.runs.memory), cancel, ..Limits::default() };
        run.test(champion, self.runs.threads, &limits, |_| {})
    }

    fn tell(&self, phase: Phase, run: &Run) {
        self.progress.send_modify(|progress| {
            progress.phase = Some(phase);
            progress.generations = run.generations().to_vec();
        });
    }
}
