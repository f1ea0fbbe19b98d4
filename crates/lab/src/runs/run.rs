//! A run of evolution in its folder, for any problem.

use super::{Folder, FolderError, LogLine, RunLog, SettingsError, StopCriteria};
use clearway_gp::checkpoint::Loaded;
use clearway_gp::{Checkpoint, CheckpointError, CheckpointFile, Evolution, EvolutionError, Generation, Problem};
use clearway_util::lock::FolderLock;
use clearway_util::log::CorruptLines;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What one kind of run adds to the common part. A value of the type is the state that only this kind needs.
pub trait RunKind {
    /// Problem that evolution solves.
    type Problem: Problem;
    /// Everything that the result depends on.
    type Settings: RunSettings;
    /// Line of the log: a generation and what else is known about it.
    type Line: LogLine;
    /// File name of the champion.
    const CHAMPION: &'static str;
}

/// Settings of a run, stored as `config.toml`.
pub trait RunSettings: Serialize + DeserializeOwned + Clone + PartialEq {
    /// When the run ends.
    fn stop_criteria(&self) -> StopCriteria;
    /// Rejects settings that no run can have.
    fn check(&self) -> Result<(), SettingsError>;
}

/// Memory of the problem, which survives in checkpoints.
type Memory<K> = <<K as RunKind>::Problem as Problem>::Memory;

/// A run of evolution in its folder.
pub struct Run<K: RunKind> {
    pub(crate) settings: K::Settings,
    pub(crate) folder: Folder,
    /// Held for its effect only.
    _lock: FolderLock,
    pub(crate) evolution: Evolution<K::Problem>,
    pub(crate) log: RunLog<K::Line>,
    checkpoints: CheckpointFile,
    pub(crate) cancel: Arc<AtomicBool>,
    pub(crate) kind: K,
}

/// Why a run cannot start or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The settings are invalid.
    #[error(transparent)]
    InvalidSettings(#[from] SettingsError),
    /// The run already has more generations than requested.
    #[error(transparent)]
    TooFewGenerations(#[from] TooFewGenerations),
    /// The options of the engine are invalid, or do not fit the checkpoint.
    #[error(transparent)]
    Evolution(#[from] EvolutionError),
    /// The folder holds other settings or boards than the run was started with.
    #[error("cannot resume: the checkpoint does not match the {what} in the run folder: {source}")]
    FolderMismatch {
        /// What may have changed.
        what: &'static str,
        /// What differs.
        source: Box<dyn Error + Send + Sync>,
    },
    /// No checkpoint can be read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The boards in the folder cannot be read.
    #[error(transparent)]
    InvalidBoards(Box<clearway_rush::formats::ParseError>),
    /// No board is left to train on, with the boards left out and the reasons.
    #[error("no training boards{}", reasons(.0))]
    NoTrainingBoards(Vec<(String, clearway_policy::training::TrainingBoardError)>),
    /// No board is left to choose the champion on, with the boards left out and the reasons.
    #[error("no validation boards{}", reasons(.0))]
    NoValidationBoards(Vec<(String, clearway_policy::training::TrainingBoardError)>),
    /// The boards need more memory than the limit, in bytes.
    #[error("the boards need more than {0} bytes of memory")]
    OutOfMemory(usize),
    /// The run was stopped before its first generation.
    #[error("interrupted while preparing the boards")]
    Cancelled,
}

/// The run already has more generations than requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run already has {made} generations; {asked} are too few")]
#[non_exhaustive]
pub struct TooFewGenerations {
    /// Number requested.
    pub asked: u32,
    /// Number that the run has.
    pub made: u32,
}

fn reasons(left_out: &[(String, clearway_policy::training::TrainingBoardError)]) -> String {
    let first: Vec<String> = left_out.iter().take(3).map(|(name, why)| format!("{name}: {why}")).collect();
    let more = if left_out.len() > 3 { format!("; and {} more", left_out.len() - 3) } else { String::new() };
    if first.is_empty() { String::new() } else { format!(" ({}{more})", first.join("; ")) }
}

/// A run on disk that is about to be resumed.
pub(crate) struct Interrupted<K: RunKind> {
    pub folder: Folder,
    lock: FolderLock,
    before: K::Settings,
    /// Settings with the requested changes.
    pub settings: K::Settings,
    /// Newest valid checkpoint; `None` if the first generation was not completed.
    pub checkpoint: Option<Checkpoint<Memory<K>>>,
    /// Why the newest checkpoint could not be used, if an older one replaces it.
    pub fault: Option<CheckpointError>,
}

impl<K: RunKind> Interrupted<K> {
    /// Locks and reads the run in a folder. `change` may set more generations or another budget, but not fewer generations
    /// than the run has.
    pub fn open(folder: Folder, change: impl FnOnce(&mut K::Settings)) -> Result<Self, RunError> {
        let lock = folder.lock_run()?;
        let before: K::Settings = folder.settings()?;
        let mut settings = before.clone();
        change(&mut settings);
        settings.check()?;
        let (checkpoint, fault) = match CheckpointFile::in_folder(folder.path()).load() {
            Ok(Loaded { checkpoint, fault }) => (Some(checkpoint), fault),
            Err(CheckpointError::Missing { .. }) => (None, None),
            Err(error) => return Err(error.into()),
        };
        let interrupted: Self = Interrupted { folder, lock, before, settings, checkpoint, fault };
        let (made, asked) = (interrupted.made(), interrupted.settings.stop_criteria().generations);
        if asked < made && asked != interrupted.before.stop_criteria().generations {
            return Err(TooFewGenerations { asked, made }.into());
        }
        Ok(interrupted)
    }

    /// Number of complete generations.
    pub fn made(&self) -> u32 {
        self.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.history.len() as u32)
    }

    /// Continues, with an engine that was restored from the checkpoint.
    pub fn resume(
        self,
        evolution: Evolution<K::Problem>,
        cancel: Arc<AtomicBool>,
        kind: K,
    ) -> Result<(Run<K>, Option<CheckpointError>), RunError> {
        let Interrupted { folder, lock, before, settings, fault, .. } = self;
        if settings != before {
            folder.save_settings(&settings)?;
        }
        Ok((Run::new(folder, lock, settings, evolution, cancel, kind)?, fault))
    }
}

impl<K: RunKind> Run<K> {
    /// Opens the log of a run whose settings are in its folder.
    pub(crate) fn new(
        folder: Folder,
        lock: FolderLock,
        settings: K::Settings,
        evolution: Evolution<K::Problem>,
        cancel: Arc<AtomicBool>,
        kind: K,
    ) -> Result<Run<K>, RunError> {
        let log = RunLog::open(&folder, evolution.history())?;
        let checkpoints = CheckpointFile::in_folder(folder.path());
        Ok(Run { settings, folder, _lock: lock, evolution, log, checkpoints, cancel, kind })
    }

    /// Writes the newest generation to disk.
    pub(crate) fn save(&mut self, line: K::Line) -> Result<&K::Line, RunError> {
        // The log first: a line too many is dropped on resumption, but a missing one could not be restored in full.
        self.log.append(line)?;
        self.checkpoints.save(&self.evolution.checkpoint())?;
        let lines = self.log.lines();
        Ok(&lines[lines.len() - 1])
    }

    /// Whether the last generation is complete or the budget is spent. A run has at least one generation, so that there is a
    /// champion.
    pub fn is_done(&self) -> bool {
        self.settings.stop_criteria().is_done(self.evolution.history())
    }

    /// Estimated final number of generations.
    pub fn expected_generations(&self) -> u32 {
        self.settings.stop_criteria().expected(self.evolution.history())
    }

    /// Total time of all generations, in seconds.
    pub fn seconds(&self) -> f64 {
        StopCriteria::seconds(self.evolution.history())
    }

    /// Generations so far, as logged.
    pub fn generations(&self) -> &[K::Line] {
        self.log.lines()
    }

    /// Statistics of all generations so far.
    pub fn history(&self) -> &[Generation] {
        self.evolution.history()
    }

    /// Log lines that were damaged when the run was resumed. They were restored from the checkpoint.
    pub fn corrupt_log_lines(&self) -> &CorruptLines {
        self.log.corrupt()
    }

    /// Settings of the run.
    pub fn settings(&self) -> &K::Settings {
        &self.settings
    }

    /// Folder of the run.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Path of the champion's file.
    pub fn champion_file(&self) -> PathBuf {
        self.folder.file(K::CHAMPION)
    }

    /// Whether the run was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
