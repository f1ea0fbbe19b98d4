//! A run that evolves programs for tiles.

use super::report::LoggedProgramGeneration;
use super::settings::ProgramSettings;
use crate::runs::{Folder, Interrupted, RunError, RunKind, RunSettings as _};
use clearway_gp::{Checkpoint, CheckpointError, Evolution};
use clearway_tiles::evolve::{ConfigMismatch, ProgramEvolutionState, ProgramPerformance, ProgramProblem};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The kind of run that evolves programs for tiles.
#[derive(Debug)]
pub struct ProgramRun;

impl RunKind for ProgramRun {
    type Problem = ProgramProblem;
    type Settings = ProgramSettings;
    type Line = LoggedProgramGeneration;
    const CHAMPION: &'static str = "champion.program";
}

/// A run that evolves programs for tiles.
pub type ProgramEvolution = crate::runs::Run<ProgramRun>;

impl ProgramEvolution {
    /// Starts a new run in a folder that is empty or does not exist. Setting the flag stops the run.
    pub fn begin(
        folder: Folder,
        settings: ProgramSettings,
        cancel: Arc<AtomicBool>,
    ) -> Result<ProgramEvolution, RunError> {
        let lock = folder.lock()?;
        folder.check_unused()?;
        let evolution = evolution(&settings, None)?;
        folder.save_settings(&settings)?;
        ProgramEvolution::new(folder, lock, settings, evolution, cancel, ProgramRun)
    }

    /// Resumes the run in a folder; its result is the same as without the interruption. Also returns why the newest
    /// checkpoint could not be used, if an older one replaces it.
    ///
    /// `change` may set more generations or another budget, but not fewer generations than the run has.
    pub fn resume(
        folder: Folder,
        change: impl FnOnce(&mut ProgramSettings),
        cancel: Arc<AtomicBool>,
    ) -> Result<(ProgramEvolution, Option<CheckpointError>), RunError> {
        let mut interrupted = Interrupted::<ProgramRun>::open(folder, change)?;
        let evolution = evolution(&interrupted.settings, interrupted.checkpoint.take())?;
        interrupted.resume(evolution, cancel, ProgramRun)
    }

    /// Computes the next generation and writes it to disk. `None` if the run was stopped; its state is then unchanged.
    pub fn step(&mut self, threads: usize) -> Result<Option<&LoggedProgramGeneration>, RunError> {
        let Some(generation) = self.evolution.step(threads, &self.cancel).cloned() else { return Ok(None) };
        let (solved, boards) = self.solved_by_best();
        self.save(LoggedProgramGeneration { generation, solved, boards }).map(Some)
    }

    /// Number of boards solved by the best individual of the last generation, and number of boards that it was evaluated on.
    fn solved_by_best(&self) -> (Option<usize>, Option<usize>) {
        let (problem, boards) = (self.evolution.problem(), self.evolution.memory().puzzles());
        let exam = self.evolution.best().and_then(|best| {
            let program = problem.program(&best.genome);
            ProgramPerformance::new(&program, boards, problem.config().moves, 1, &AtomicBool::new(false))
        });
        (exam.map(|exam| exam.solved), exam.map(|exam| exam.boards))
    }
}

/// Creates the engine, or restores it from a checkpoint.
fn evolution(
    settings: &ProgramSettings,
    checkpoint: Option<Checkpoint<ProgramEvolutionState>>,
) -> Result<Evolution<ProgramProblem>, RunError> {
    settings.check()?;
    let config = settings.breeding.clone();
    let options = config.evolution.clone();
    // Checked settings have a valid size.
    let size = config.frame().ok_or_else(|| changed(ConfigMismatch::default()))?;
    let problem = ProgramProblem::new(config, size);
    Ok(match checkpoint {
        Some(checkpoint) => {
            problem.check(&checkpoint.memory).map_err(changed)?;
            Evolution::resume(problem, options, checkpoint)?
        }
        None => Evolution::new(problem, options)?,
    })
}

fn changed(source: ConfigMismatch) -> RunError {
    RunError::FolderMismatch { what: "settings", source: source.into() }
}
