//! The thread that executes a run.

use super::{Phase, RunProgress, Runs};
use crate::store::{RunRow, RunState};
use crate::workers::lower_priority;
use clearway_answers::records::{TestRecord, TrainingRecord};
use clearway_lab::evaluation::TestResult;
use clearway_lab::evolve::{BoardSets, PolicyChampion, Run, RunContext, RunError, Settings};
use clearway_search::Limits;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Maximum time of all generations of a run, in seconds.
pub const MAX_SECONDS: f64 = 3600.0;
/// Interval at which the best policy so far and the report are written.
const WRITE_INTERVAL: Duration = Duration::from_secs(5);

/// A run to execute.
pub(super) struct RunTask {
    pub runs: Arc<Runs>,
    pub row: RunRow,
    pub cancel: Arc<AtomicBool>,
    pub progress: watch::Sender<RunProgress>,
}

/// Outcome of a run that did not fail.
struct RunOutcome {
    state: RunState,
    training: Option<TrainingRecord>,
    tests: Vec<TestResult>,
}

impl RunTask {
    /// Executes the run until it is done or stopped, and stores the outcome.
    pub fn run(self) {
        // Searches of requests have priority.
        lower_priority(self.runs.nice);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.execute()));
        let outcome = outcome.unwrap_or_else(|_| Err("internal error; the run can be resumed".into()));
        let row = self.row.clone();
        let row = match outcome {
            Ok(outcome) => RunRow {
                state: outcome.state,
                training: outcome.training.and_then(|training| serde_json::to_string(&training).ok()),
                tests: serde_json::to_string(&outcome.tests.iter().map(TestRecord::from).collect::<Vec<_>>()).ok(),
                ..row
            },
            Err(error) => RunRow { state: RunState::Failed, error: Some(error.to_string()), ..row },
        };
        let RunTask { runs, progress, .. } = self;
        runs.finish(&row);
        // Free the place and release the data folder before the end is announced: clients may then start the next run.
        drop(runs);
        progress.send_modify(|progress| (progress.state, progress.phase) = (row.state, None));
    }

    fn execute(&self) -> Result<RunOutcome, Box<dyn Error>> {
        let stopped = RunOutcome { state: RunState::Stopped, training: None, tests: Vec::new() };
        let mut run = match self.open() {
            Err(error) if matches!(error.downcast_ref(), Some(RunError::Cancelled)) => return Ok(stopped),
            other => other?,
        };
        self.report(Phase::Evolving, &run);
        self.run_generations(&mut run)?;
        self.report(Phase::Testing, &run);
        // A stopped run takes the best policy so far, because choosing the champion takes long.
        let threads = self.runs.threads;
        let champion = if run.is_cancelled() { run.best() } else { run.champion(threads) };
        let Some(champion) = champion else { return Ok(stopped) };
        let tests = if run.is_cancelled() { Vec::new() } else { self.test(&run, &champion) };
        run.write(&champion, &tests)?;
        let training = champion.training.map(TrainingRecord::from);
        if run.is_cancelled() {
            return Ok(RunOutcome { training, ..stopped });
        }
        Ok(RunOutcome { state: RunState::Done, training, tests })
    }

    /// Resumes the run in its folder, or starts a new one if the run ended before it wrote its folder.
    fn open(&self) -> Result<Run, Box<dyn Error>> {
        let (folder, settings) = (self.runs.folder(self.row.id), Settings::from_toml(&self.row.settings)?);
        let context = RunContext {
            threads: self.runs.threads,
            memory: self.runs.memory,
            cancel: Arc::clone(&self.cancel),
            progress: &|_, _| {},
        };
        if folder.is_run() {
            let extend = |stored: &mut Settings| {
                stored.breeding.generations = settings.breeding.generations;
                (stored.budget, stored.command) = (settings.budget, settings.command);
            };
            return Ok(Run::resume(folder, extend, &context)?.0);
        }
        self.runs.remove_folder(self.row.id)?;
        let board_sets = BoardSets::from_suites(&settings).ok_or("a suite of the run is missing")?;
        Ok(Run::begin(folder, settings, &board_sets, &context)?)
    }

    /// Executes generations until the run is done or stopped.
    fn run_generations(&self, run: &mut Run) -> Result<(), RunError> {
        let mut written: Option<Instant> = None;
        while !run.is_done() && run.seconds() < MAX_SECONDS && !run.is_cancelled() {
            let Some(line) = run.step(self.runs.threads)?.cloned() else { break };
            self.progress.send_modify(|progress| progress.generations.push(line));
            if written.is_none_or(|written| written.elapsed() >= WRITE_INTERVAL) {
                if let Some(best) = run.best() {
                    run.write(&best, &[])?;
                }
                written = Some(Instant::now());
            }
        }
        Ok(())
    }

    fn test(&self, run: &Run, champion: &PolicyChampion) -> Vec<TestResult> {
        let cancel = Some(Arc::clone(&self.cancel));
        let limits = Limits { memory: Some(self.runs.memory), cancel, ..Limits::default() };
        run.test(champion, self.runs.threads, &limits, |_| {})
    }

    fn report(&self, phase: Phase, run: &Run) {
        self.progress.send_modify(|progress| {
            progress.phase = Some(phase);
            progress.generations = run.generations().to_vec();
        });
    }
}
