//! A run in its folder.

use super::report::LoggedGeneration;
use super::settings::Settings;
use crate::runs::{Ends, Fewer, Folder, FolderError, Log, SettingsError, check_asked, load};
use clearway_gp::{Checkpoint, CheckpointError, CheckpointFile, Evolution, EvolutionError};
use clearway_tiles::evolve::{Breeding, Exam, Memory, OtherConfig};
use clearway_util::lock::FolderLock;
use clearway_util::log::CorruptLines;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A run in its folder.
pub struct Run {
    pub(super) settings: Settings,
    pub(super) folder: Folder,
    /// Held, never read.
    _lock: FolderLock,
    pub(super) evolution: Evolution<Breeding>,
    pub(super) log: Log<LoggedGeneration>,
    pub(super) cancel: Arc<AtomicBool>,
    checkpoints: CheckpointFile,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The folder is of no use.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The settings make no sense.
    #[error(transparent)]
    Senseless(#[from] SettingsError),
    /// More generations were made than are asked for.
    #[error(transparent)]
    Fewer(#[from] Fewer),
    /// The options of the engine, or its checkpoint, make no sense.
    #[error(transparent)]
    Evolution(#[from] EvolutionError),
    /// The run was begun with other settings than those in its folder.
    #[error("the run cannot go on with the settings in its folder: {0}")]
    Changed(#[from] OtherConfig),
    /// No checkpoint is of use.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// The champion.
pub(super) const CHAMPION: &str = "champion.program";

impl Run {
    /// A new run in a folder that is empty or not there yet. Anybody may set the flag to stop it.
    pub fn begin(folder: Folder, settings: Settings, cancel: Arc<AtomicBool>) -> Result<Run, RunError> {
        let lock = folder.lock()?;
        folder.check_unused()?;
        let evolution = evolution(&settings, None)?;
        folder.save_settings(&settings)?;
        Run::new(folder, lock, settings, evolution, cancel)
    }

    /// Goes on with the run in a folder, to what it would have come to without the interruption. Also says what was wrong
    /// with the newest checkpoint, where an older one has to stand in.
    ///
    /// More generations, or another budget, may be asked for than at first; but no fewer generations than were made.
    pub fn resume(
        folder: Folder,
        more: impl FnOnce(&mut Settings),
        cancel: Arc<AtomicBool>,
    ) -> Result<(Run, Option<CheckpointError>), RunError> {
        let lock = folder.lock_run()?;
        let mut settings: Settings = folder.settings()?;
        let before = settings.clone();
        more(&mut settings);
        let (checkpoint, fault) = load(&folder)?;
        check_asked(checkpoint.as_ref(), before.breeding.generations, settings.breeding.generations)?;
        let evolution = evolution(&settings, checkpoint)?;
        if settings != before {
            folder.save_settings(&settings)?;
        }
        Ok((Run::new(folder, lock, settings, evolution, cancel)?, fault))
    }

    /// The run in a folder that holds its settings.
    fn new(
        folder: Folder,
        lock: FolderLock,
        settings: Settings,
        evolution: Evolution<Breeding>,
        cancel: Arc<AtomicBool>,
    ) -> Result<Run, RunError> {
        let log = Log::open(&folder, evolution.history())?;
        let checkpoints = CheckpointFile::in_folder(folder.path());
        Ok(Run { settings, folder, _lock: lock, evolution, log, cancel, checkpoints })
    }

    /// Makes the next generation and puts it on the disk. None if it was stopped: then the run is as it was before.
    pub fn step(&mut self, threads: usize) -> Result<Option<&LoggedGeneration>, RunError> {
        let Some(generation) = self.evolution.step(threads, &self.cancel).cloned() else { return Ok(None) };
        let (solved, boards) = self.solved_of_sample();
        // The log first: a line too many is dropped when the run goes on, and one that is missing would not come back.
        self.log.append(LoggedGeneration { generation, solved, boards })?;
        self.checkpoints.save(&self.evolution.checkpoint())?;
        Ok(self.log.lines().last())
    }

    /// How many of how many boards that it was judged on the best of the last generation solves.
    fn solved_of_sample(&self) -> (Option<usize>, Option<usize>) {
        let (breeding, boards) = (self.evolution.problem(), self.evolution.memory().puzzles());
        let exam = self.evolution.best().and_then(|best| {
            let program = breeding.program(&best.genome);
            Exam::new(&program, boards, breeding.config().moves, 1, &AtomicBool::new(false))
        });
        (exam.map(|exam| exam.solved), exam.map(|exam| exam.boards))
    }

    /// Whether all generations were made, or the budget is spent. There is always one: else there would be no champion.
    pub fn is_done(&self) -> bool {
        self.settings.ends().is_done(self.evolution.history())
    }

    /// The generations that it will have come to, as far as can be told by now.
    pub fn expected_generations(&self) -> u32 {
        self.settings.ends().expected(self.evolution.history())
    }

    /// The time of all generations.
    pub fn seconds(&self) -> f64 {
        Ends::seconds(self.evolution.history())
    }

    /// The generations so far.
    pub fn generations(&self) -> &[LoggedGeneration] {
        self.log.lines()
    }

    /// The lines of its log that were damaged when it was resumed. They were restored from the checkpoint.
    pub fn corrupt_log_lines(&self) -> &CorruptLines {
        self.log.corrupt()
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The file that the champion is in.
    pub fn champion_file(&self) -> PathBuf {
        self.folder.file(CHAMPION)
    }
}

/// The engine, as far as it has come.
fn evolution(settings: &Settings, past: Option<Checkpoint<Memory>>) -> Result<Evolution<Breeding>, RunError> {
    settings.check()?;
    let config = settings.breeding.clone();
    let options = config.evolution.clone();
    // Checked settings have a frame.
    let frame = config.frame().ok_or(OtherConfig)?;
    let breeding = Breeding::new(config, frame);
    Ok(match past {
        Some(checkpoint) => {
            breeding.check(&checkpoint.memory)?;
            Evolution::resume(breeding, options, checkpoint)?
        }
        None => Evolution::new(breeding, options)?,
    })
}
