//! A run of evolution in its folder.

use super::coevolve::{self, Bred, Surroundings};
use super::folder::BRED;
use super::judge::{Brief, Ready};
use super::material::{Layout, Material, TestSet, prepare};
use super::memory::RunMemory;
use super::report::LoggedGeneration;
use super::settings::Settings;
use crate::runs::{Ends, Fewer, Folder, FolderError, Log, SettingsError, check_asked, load};
use clearway_gp::{
    Checkpoint, CheckpointError, CheckpointFile, Evolution, EvolutionError, Generation, Genome, Judged, Judgement,
    Problem, Proposal, parallel,
};
use clearway_policy::training::{BoardJob, Breeding, Config, LeftOut, Memory, MemoryError, Objective, TrainingBoard};
use clearway_rush::heuristics::DifficultyLevel;
use clearway_util::lock::FolderLock;
use clearway_util::log::CorruptLines;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A run of evolution in its folder.
pub struct Run {
    pub(super) settings: Settings,
    pub(super) folder: Folder,
    /// Held, never read.
    _lock: FolderLock,
    pub(super) evolution: Evolution<Breeding>,
    pub(super) tests: Vec<TestSet>,
    /// The layouts that no board to learn from may have.
    reserved: HashSet<Layout>,
    pub(super) log: Log<LoggedGeneration>,
    checkpoints: CheckpointFile,
    /// A few of the test boards, to see how it goes. No selection ever sees it.
    tester: Option<Breeding>,
    /// The boards that the champion is chosen on, if there are others than the training boards.
    pub(super) validator: Option<Breeding>,
    /// What the training boards were made from.
    jobs: Vec<BoardJob>,
    bred: Vec<Bred>,
    left_out: Vec<(String, LeftOut)>,
    pub(super) memory: RunMemory,
    cancel: Arc<AtomicBool>,
}

/// What a run has to work with; nothing in it changes what the run comes to.
#[derive(Clone)]
pub struct Means<'a> {
    /// How many threads work.
    pub threads: usize,
    /// The most bytes that the run may take. Three quarters are for the boards: those to learn from, those to choose the
    /// champion on, and the few test boards to glance at. The rest is for their searches.
    pub memory: usize,
    /// Set by anybody to stop.
    pub cancel: Arc<AtomicBool>,
    /// Told how many of how many boards are ready.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
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
    /// The boards in the folder are broken.
    #[error(transparent)]
    Boards(Box<clearway_rush::formats::ParseError>),
    /// More generations were made than are asked for.
    #[error(transparent)]
    Fewer(#[from] Fewer),
    /// There is nothing to learn from.
    #[error("there is no board to learn from{}", reasons(.0))]
    Nothing(Vec<(String, LeftOut)>),
    /// There is nothing to choose the champion by.
    #[error("there is no board to choose the champion on{}", reasons(.0))]
    NothingToChooseOn(Vec<(String, LeftOut)>),
    /// The boards take too much memory.
    #[error("the boards take more than {0} bytes")]
    Memory(usize),
    /// It was stopped before it began.
    #[error("interrupted while the boards were made ready")]
    Cancelled,
    /// The options of the engine, or its checkpoint, make no sense.
    #[error(transparent)]
    Evolution(#[from] EvolutionError),
    /// The run was begun with other settings or boards than those in its folder.
    #[error("the run cannot go on with the settings and boards in its folder: {0}")]
    Changed(#[from] MemoryError),
    /// No checkpoint is of use.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

fn reasons(left_out: &[(String, LeftOut)]) -> String {
    let first: Vec<String> = left_out.iter().take(3).map(|(name, why)| format!("{name}: {why}")).collect();
    let more = if left_out.len() > 3 { format!("; and {} more", left_out.len() - 3) } else { String::new() };
    if first.is_empty() { String::new() } else { format!(" ({}{more})", first.join("; ")) }
}

/// How many test boards are looked at while it goes on, and every how many generations.
const GLANCE: usize = 12;
const GLANCE_EVERY: u32 = 10;

impl Run {
    /// A new run in a folder that is empty or not there yet.
    pub fn begin(folder: Folder, settings: Settings, material: Material, means: &Means) -> Result<Run, RunError> {
        settings.check()?;
        let lock = folder.lock()?;
        folder.check_unused()?;
        let parts = Parts::new(&settings, &material, Past::default(), means)?;
        folder.begin(&settings, &material)?;
        Run::new(folder, lock, settings, material, parts)
    }

    /// Puts a new run into a folder that is empty or not there yet, to be [begun](Self::resume) later or elsewhere.
    pub fn lay_out(folder: &Folder, settings: &Settings, material: &Material) -> Result<(), RunError> {
        settings.check()?;
        let _lock = folder.lock()?;
        folder.check_unused()?;
        Ok(folder.begin(settings, material)?)
    }

    /// Goes on with the run in a folder, to what it would have come to without the interruption. Also says what was wrong
    /// with the newest checkpoint, where an older one has to stand in.
    ///
    /// More generations, or another budget, may be asked for than at first; but no fewer generations than were made.
    pub fn resume(
        folder: Folder,
        more: impl FnOnce(&mut Settings),
        means: &Means,
    ) -> Result<(Run, Option<CheckpointError>), RunError> {
        let lock = folder.lock_run()?;
        let mut settings: Settings = folder.settings()?;
        let before = settings.clone();
        more(&mut settings);
        settings.check()?;
        let material = folder.material(&settings)?;
        let (checkpoint, fault) = load::<Memory>(&folder)?;
        check_asked(checkpoint.as_ref(), before.breeding.generations, settings.breeding.generations)?;
        let made = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.history.len() as u32);
        let mut bred = if folder.has(BRED) { coevolve::read(&folder)? } else { Vec::new() };
        let epochs = settings.epoch().map_or(0, |epoch| made.saturating_sub(1) / epoch);
        bred.retain(|one| one.epoch <= epochs);
        let parts = Parts::new(&settings, &material, Past { checkpoint, bred }, means)?;
        if settings != before {
            folder.save_settings(&settings)?;
        }
        Ok((Run::new(folder, lock, settings, material, parts)?, fault))
    }

    /// The run in a folder that holds its settings and its boards.
    fn new(
        folder: Folder,
        lock: FolderLock,
        settings: Settings,
        material: Material,
        parts: Parts,
    ) -> Result<Run, RunError> {
        let Parts { evolution, tester, validator, jobs, bred, left_out, memory, cancel } = parts;
        let log = Log::open(&folder, evolution.history())?;
        let checkpoints = CheckpointFile::in_folder(folder.path());
        Ok(Run {
            settings,
            folder,
            _lock: lock,
            evolution,
            reserved: material.reserved(),
            tests: material.tests,
            log,
            checkpoints,
            tester,
            validator,
            jobs,
            bred,
            left_out,
            memory,
            cancel,
        })
    }

    /// Makes the next generation and puts it on the disk. None if it was stopped: then the run is as it was before.
    pub fn step(&mut self, threads: usize) -> Result<Option<&LoggedGeneration>, RunError> {
        let Some(proposal) = self.propose(threads)? else { return Ok(None) };
        let threads = self.memory.searches(threads);
        let judge = |genome: &&Genome| self.evolution.problem().judge(proposal.memory(), genome);
        match parallel::map(threads, &proposal.different(), &self.cancel, judge) {
            Some(judgements) => self.accept(proposal, judgements).map(Some),
            None => Ok(None),
        }
    }

    /// Makes the next generation, to be judged here or [elsewhere](super::Judge). None if it was stopped: then the run is as it was
    /// before.
    pub fn propose(&mut self, threads: usize) -> Result<Option<Proposal<Memory>>, RunError> {
        let number = self.evolution.history().len() as u32;
        if let Some(epoch) = self.settings.epoch().filter(|&epoch| number > 0 && number.is_multiple_of(epoch))
            && self.bred.last().is_none_or(|last| last.epoch < number / epoch)
            && !self.breed_boards(number / epoch, threads)?
        {
            return Ok(None);
        }
        Ok(Some(self.evolution.propose()))
    }

    /// Takes what the different individuals of the next generation were judged to be worth, and puts it on the disk.
    ///
    /// # Panics
    /// If the proposal is that of another generation, or there are not as many judgements as different individuals.
    pub fn accept(
        &mut self,
        proposal: Proposal<Memory>,
        judgements: Vec<Judgement>,
    ) -> Result<&LoggedGeneration, RunError> {
        let generation = self.evolution.accept(proposal, judgements).clone();
        let test_nodes_percent = self.glance(&generation);
        // The log first: a line too many is dropped when the run goes on, and one that is missing would not come back.
        self.log.append(LoggedGeneration { generation, test_nodes_percent })?;
        self.checkpoints.save(&self.evolution.checkpoint())?;
        let lines = self.log.lines();
        Ok(&lines[lines.len() - 1])
    }

    /// What those need to know who judge its individuals elsewhere; another after each epoch of coevolution.
    pub fn brief(&self) -> Result<Brief, RunError> {
        Brief::new(&self.settings, &self.folder, &self.bred)
    }

    /// How many boards were bred so far: the [brief](Self::brief) changes with them alone.
    pub fn bred(&self) -> usize {
        self.bred.len()
    }

    /// Puts boards that are hard for the present best into the places of others. False if it was stopped.
    fn breed_boards(&mut self, epoch: u32, threads: usize) -> Result<bool, RunError> {
        let Some(best) = self.evolution.best().map(|best| self.evolution.problem().policy(&best.genome)) else {
            return Ok(true);
        };
        let Run { settings, jobs, reserved, memory, .. } = &*self;
        let surroundings = Surroundings { settings, jobs, reserved, memory };
        let threads = memory.searches(threads);
        let Some(bred) = coevolve::epoch(epoch, &best, surroundings, threads, &self.cancel) else {
            return Ok(false);
        };
        if self.memory.is_exceeded() {
            return Err(RunError::Memory(self.memory.limit()));
        }
        let mut places = Vec::new();
        for (one, board) in bred {
            self.jobs[one.place].board = one.puzzle.board.clone();
            places.push((one.place, board));
            self.bred.push(one);
        }
        coevolve::write(&self.folder, &self.bred)?;
        self.evolution.problem_mut().replace(places);
        let breeding = [Some(self.evolution.problem()), self.tester.as_ref(), self.validator.as_ref()];
        self.memory.keep(breeding.into_iter().flatten().map(Breeding::bytes).sum());
        Ok(true)
    }

    /// The nodes of the best of a generation on a few of the test boards, now and then.
    fn glance(&self, generation: &Generation) -> Option<f64> {
        let tester = self.tester.as_ref().filter(|_| generation.generation.is_multiple_of(GLANCE_EVERY))?;
        let best = self.evolution.best()?;
        Some(tester.all(&best.genome).percentage)
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

    /// The percentage of nodes that the best of the last generation needed on the boards that it was judged on.
    pub fn training_percent(&self) -> Option<f64> {
        let best: &Judged = self.evolution.best()?;
        let cases = &best.judgement.cases;
        (!cases.is_empty()).then(|| cases.iter().map(|case| -case).sum::<f64>() / cases.len() as f64)
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
        self.folder.champion()
    }

    /// How many boards it learns from.
    pub fn training_boards(&self) -> usize {
        self.jobs.len()
    }

    /// The boards that it neither learns from nor chooses the champion on, although it was to, and why.
    pub fn left_out(&self) -> &[(String, LeftOut)] {
        &self.left_out
    }

    /// Whether somebody asked it to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// What a run did before.
#[derive(Default)]
struct Past {
    checkpoint: Option<Checkpoint<Memory>>,
    bred: Vec<Bred>,
}

/// What a run is made of, besides its folder.
struct Parts {
    evolution: Evolution<Breeding>,
    tester: Option<Breeding>,
    validator: Option<Breeding>,
    jobs: Vec<BoardJob>,
    bred: Vec<Bred>,
    left_out: Vec<(String, LeftOut)>,
    pub(super) memory: RunMemory,
    cancel: Arc<AtomicBool>,
}

impl Parts {
    fn new(settings: &Settings, material: &Material, past: Past, means: &Means) -> Result<Parts, RunError> {
        let (choice, glance) = (material.validation_jobs(settings), glance_jobs(material));
        let count = material.jobs(settings).len();
        let total = count + choice.len() + glance.len();
        let memory = RunMemory::new(means.memory, settings.breeding.rules);
        let Ready { breeding, jobs, mut left_out } =
            Ready::new(settings, material, &past.bred, &memory, means, |done| (means.progress)(done, total))?;
        let cancel = &means.cancel;
        let chosen_on = prepare(&choice, settings, &memory, means, |done| (means.progress)(count + done, total))?;
        if chosen_on.boards.is_empty() && !settings.validation.is_empty() {
            return Err(RunError::NothingToChooseOn(chosen_on.left_out));
        }
        left_out.extend(chosen_on.left_out);
        let on = |boards: Vec<TrainingBoard>, config: &Config| {
            (!boards.is_empty()).then(|| Breeding::new(config.clone(), boards, Arc::clone(cancel)))
        };
        let validator = on(chosen_on.boards, &settings.breeding);
        let chosen_by = validator.as_ref().map_or(0, Breeding::bytes);
        memory.keep(breeding.bytes() + chosen_by);
        let before = count + choice.len();
        let few = prepare(&glance, settings, &memory, means, |done| (means.progress)(before + done, total))?;
        let tester = on(few.boards, &Config { objective: Objective::Nodes, ..settings.breeding.clone() });
        memory.keep(breeding.bytes() + chosen_by + tester.as_ref().map_or(0, Breeding::bytes));
        let options = settings.breeding.evolution.clone();
        let evolution = match past.checkpoint {
            Some(checkpoint) => {
                breeding.check(&checkpoint.memory)?;
                Evolution::resume(breeding, options, checkpoint)?
            }
            None => Evolution::new(breeding, options)?,
        };
        let cancel = Arc::clone(cancel);
        Ok(Parts { evolution, tester, validator, jobs, bred: past.bred, left_out, memory, cancel })
    }
}

/// A few of the test boards, from the first to the last.
fn glance_jobs(material: &Material) -> Vec<BoardJob> {
    let Some(boards) = material.tests.first().map(|set| &set.boards) else { return Vec::new() };
    let count = GLANCE.min(boards.len());
    let places = (0..count).map(|number| number * boards.len() / count);
    let job = |place: usize| BoardJob {
        name: super::material::title(&boards[place], place),
        board: boards[place].board.clone(),
        difficulty: DifficultyLevel::among(place, boards.len()),
        start: None,
    };
    places.map(job).collect()
}
