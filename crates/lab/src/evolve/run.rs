//! Runs that evolve policies.

use super::board_sets::{BoardSets, LineSignature, TestSet, job, prepare};
use super::coevolve::{self, BredBoard, CoevolutionContext};
use super::evaluator::{EvaluatorData, PreparedProblem};
use super::folder::{BRED, CHAMPION};
use super::memory::RunMemory;
use super::report::LoggedGeneration;
use super::settings::Settings;
use super::telemetry::{Stopwatch, distinct_behaviours, surviving_terminals};
use crate::runs::{Folder, Interrupted, RunError, RunKind, RunSettings as _};
use clearway_gp::{
    Checkpoint, CheckpointError, EvaluatedIndividual, Evolution, Fitness, Generation, Genome, Problem, Proposal,
};
use clearway_policy::training::{
    BoardJob, Config, EvolutionState, EvolutionStateError, Objective, PolicyProblem, TrainingBoard, TrainingBoardError,
};
use clearway_rush::Metric;
use clearway_util::parallel;
use clearway_util::time::Instant;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// State of a run that evolves policies, besides the common part.
pub struct PolicyRun {
    pub(super) tests: Vec<TestSet>,
    /// Line signatures that no training board may have.
    reserved: HashSet<LineSignature>,
    /// A few of the test boards, to watch progress. Selection never sees them.
    tester: Option<PolicyProblem>,
    /// Boards to choose the champion on, if they are not the training boards.
    pub(super) validator: Option<PolicyProblem>,
    /// Sources of the training boards.
    jobs: Vec<BoardJob>,
    bred: Vec<BredBoard>,
    left_out: Vec<(String, TrainingBoardError)>,
    pub(super) memory: RunMemory,
    /// Times of the proposed generation.
    stopwatch: Option<Stopwatch>,
}

impl RunKind for PolicyRun {
    type Problem = PolicyProblem;
    type Settings = Settings;
    type Line = LoggedGeneration;
    const CHAMPION: &'static str = CHAMPION;
}

/// A run that evolves policies.
pub type Run = crate::runs::Run<PolicyRun>;

/// Resources of a run; nothing in it affects the result.
#[derive(Clone)]
pub struct RunContext<'a> {
    /// Number of threads.
    pub threads: usize,
    /// Memory limit in bytes. Three quarters are for the boards: training, validation, and the few test boards that show
    /// progress. The rest is for their searches.
    pub memory: usize,
    /// Set to stop the run.
    pub cancel: Arc<AtomicBool>,
    /// Called with the number of boards prepared or generated so far and the total.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Number of test boards that show progress.
const PROGRESS_BOARDS: usize = 12;
/// Number of generations between two tests on them.
const PROGRESS_EVERY: u32 = 10;

impl Run {
    /// Starts a new run in a folder that is empty or does not exist.
    pub fn begin(
        folder: Folder,
        settings: Settings,
        board_sets: &BoardSets,
        context: &RunContext,
    ) -> Result<Run, RunError> {
        settings.check()?;
        let lock = folder.lock()?;
        folder.check_unused()?;
        let (evolution, kind) = prepare_run(&settings, board_sets, None, Vec::new(), context)?;
        folder.create_run(&settings, board_sets)?;
        Run::new(folder, lock, settings, evolution, Arc::clone(&context.cancel), kind)
    }

    /// Creates a new run in a folder that is empty or does not exist, to be [resumed](Self::resume) later or elsewhere.
    pub fn create(folder: &Folder, settings: &Settings, board_sets: &BoardSets) -> Result<(), RunError> {
        settings.check()?;
        let _lock = folder.lock()?;
        folder.check_unused()?;
        Ok(folder.create_run(settings, board_sets)?)
    }

    /// Resumes the run in a folder; its result is the same as without the interruption. Also returns why the newest
    /// checkpoint could not be used, if an older one replaces it.
    ///
    /// `change` may set more generations or another budget, but not fewer generations than the run has.
    pub fn resume(
        folder: Folder,
        change: impl FnOnce(&mut Settings),
        context: &RunContext,
    ) -> Result<(Run, Option<CheckpointError>), RunError> {
        let mut interrupted = Interrupted::<PolicyRun>::open(folder, change)?;
        let (folder, settings) = (&interrupted.folder, &interrupted.settings);
        let board_sets = folder.board_sets(settings)?;
        let mut bred = if folder.has(BRED) { coevolve::read(folder)? } else { Vec::new() };
        let epochs = settings.epoch().map_or(0, |epoch| interrupted.made().saturating_sub(1) / epoch);
        bred.retain(|one| one.epoch <= epochs);
        let checkpoint = interrupted.checkpoint.take();
        let (evolution, kind) = prepare_run(&interrupted.settings, &board_sets, checkpoint, bred, context)?;
        interrupted.resume(evolution, Arc::clone(&context.cancel), kind)
    }

    /// Computes the next generation and writes it to disk. `None` if the run was stopped; its state is then unchanged.
    pub fn step(&mut self, threads: usize) -> Result<Option<&LoggedGeneration>, RunError> {
        let Some(proposal) = self.propose(threads)? else { return Ok(None) };
        let threads = self.kind.memory.max_searches(threads);
        let evaluate = |genome: &&Genome| self.evolution.problem().evaluate(proposal.memory(), genome);
        match parallel::map(threads, &proposal.distinct(), &self.cancel, evaluate) {
            Some(fitnesses) => self.accept(proposal, fitnesses).map(Some),
            None => Ok(None),
        }
    }

    /// Proposes the next generation, to be evaluated here or by an [`Evaluator`](super::Evaluator), and passed to
    /// [`accept`](Self::accept). `None` if the run was stopped; its state is then unchanged.
    pub fn propose(&mut self, threads: usize) -> Result<Option<Proposal<EvolutionState>>, RunError> {
        let started = Instant::now();
        let number = self.evolution.history().len() as u32;
        if let Some(epoch) = self.settings.epoch().filter(|&epoch| number > 0 && number.is_multiple_of(epoch))
            && self.kind.bred.last().is_none_or(|last| last.epoch < number / epoch)
            && !self.breed_boards(number / epoch, threads)?
        {
            return Ok(None);
        }
        let proposal = self.evolution.propose();
        self.kind.stopwatch = Some(Stopwatch::evaluating(started));
        Ok(Some(proposal))
    }

    /// Completes the proposed generation with the fitnesses of its distinct individuals, in their order, and writes it to disk.
    ///
    /// # Panics
    /// If the proposal is for another generation, or the number of fitnesses is not the number of distinct individuals.
    pub fn accept(
        &mut self,
        proposal: Proposal<EvolutionState>,
        fitnesses: Vec<Fitness>,
    ) -> Result<&LoggedGeneration, RunError> {
        let stopwatch = self.kind.stopwatch.take();
        let evaluation = stopwatch.map(|stopwatch| stopwatch.elapsed());
        let new_sample = proposal.memory().sample != self.evolution.memory().sample;
        let generation = self.evolution.accept(proposal, fitnesses).clone();
        let population = self.evolution.population();
        let line = LoggedGeneration {
            test_nodes_percent: self.test_progress(&generation),
            new_sample,
            behaviours: Some(distinct_behaviours(population)),
            // Scores on different boards are not comparable.
            operators: if new_sample { Vec::new() } else { self.evolution.operator_success().to_vec() },
            terminals: surviving_terminals(population),
            generation,
        };
        if let Some((stopwatch, evaluation)) = stopwatch.zip(evaluation) {
            self.folder.log_times(stopwatch.times(line.generation.generation, evaluation))?;
        }
        self.save(line)
    }

    /// Data that a remote evaluator needs. It changes after each epoch of coevolution.
    pub fn evaluator_data(&self) -> Result<EvaluatorData, RunError> {
        EvaluatorData::new(&self.settings, &self.folder, &self.kind.bred)
    }

    /// Number of boards bred so far; the [evaluator data](Self::evaluator_data) changes only with them.
    pub fn bred_boards(&self) -> usize {
        self.kind.bred.len()
    }

    /// Replaces some training boards by boards that are hard for the current best policy. Returns false if the run was stopped.
    fn breed_boards(&mut self, epoch: u32, threads: usize) -> Result<bool, RunError> {
        let Some(best) = self.evolution.best().map(|best| self.evolution.problem().policy(&best.genome)) else {
            return Ok(true);
        };
        let PolicyRun { jobs, reserved, memory, .. } = &self.kind;
        let context = CoevolutionContext { settings: &self.settings, jobs, reserved, memory };
        let threads = memory.max_searches(threads);
        let Some(bred) = coevolve::epoch(epoch, &best, context, threads, &self.cancel) else {
            return Ok(false);
        };
        if self.kind.memory.is_exceeded() {
            return Err(RunError::OutOfMemory(self.kind.memory.limit()));
        }
        let mut places = Vec::new();
        for (one, board) in bred {
            self.kind.jobs[one.place].board = one.puzzle.board.clone();
            places.push((one.place, board));
            self.kind.bred.push(one);
        }
        coevolve::write(&self.folder, &self.kind.bred)?;
        self.evolution.problem_mut().replace(places);
        let problems = [Some(self.evolution.problem()), self.kind.tester.as_ref(), self.kind.validator.as_ref()];
        self.kind.memory.set_board_bytes(problems.into_iter().flatten().map(PolicyProblem::memory_usage).sum());
        Ok(true)
    }

    /// Nodes of the best individual on a few of the test boards, as a percentage of the baseline; only every few generations.
    fn test_progress(&self, generation: &Generation) -> Option<f64> {
        let tester = self.kind.tester.as_ref().filter(|_| generation.generation.is_multiple_of(PROGRESS_EVERY))?;
        let best = self.evolution.best()?;
        Some(tester.performance(&best.genome).percentage)
    }

    /// Mean score of the best individual of the last generation on the boards that it was evaluated on, negated: nodes or time
    /// as a percentage of the baseline.
    pub fn training_percent(&self) -> Option<f64> {
        let best: &EvaluatedIndividual = self.evolution.best()?;
        let cases = &best.fitness.cases;
        (!cases.is_empty()).then(|| cases.iter().map(|case| -case).sum::<f64>() / cases.len() as f64)
    }

    /// Number of training boards.
    pub fn training_boards(&self) -> usize {
        self.kind.jobs.len()
    }

    /// Names of the training and validation boards that were left out, with the reasons.
    pub fn left_out(&self) -> &[(String, TrainingBoardError)] {
        &self.kind.left_out
    }
}

/// Prepares the boards and creates the engine, or restores it from a checkpoint.
fn prepare_run(
    settings: &Settings,
    board_sets: &BoardSets,
    checkpoint: Option<Checkpoint<EvolutionState>>,
    bred: Vec<BredBoard>,
    context: &RunContext,
) -> Result<(Evolution<PolicyProblem>, PolicyRun), RunError> {
    let (validation, progress) = (board_sets.validation_jobs(settings), progress_jobs(board_sets, settings.metric));
    let training = board_sets.jobs(settings).len();
    let total = training + validation.len() + progress.len();
    let memory = RunMemory::new(context.memory, settings.breeding.rules, total);
    let PreparedProblem { problem, jobs, mut left_out } =
        PreparedProblem::new(settings, board_sets, &bred, &memory, context, |done| (context.progress)(done, total))?;
    let validation_boards =
        prepare(&validation, settings, &memory, context, |done| (context.progress)(training + done, total))?;
    if validation_boards.boards.is_empty() && !settings.validation.is_empty() {
        return Err(RunError::NoValidationBoards(validation_boards.left_out));
    }
    left_out.extend(validation_boards.left_out);
    let problem_on = |boards: Vec<TrainingBoard>, config: &Config| {
        (!boards.is_empty()).then(|| PolicyProblem::new(config.clone(), boards, Arc::clone(&context.cancel)))
    };
    let validator = problem_on(validation_boards.boards, &settings.breeding);
    let validator_memory = validator.as_ref().map_or(0, PolicyProblem::memory_usage);
    memory.set_board_bytes(problem.memory_usage() + validator_memory);
    let before = training + validation.len();
    let test_boards = prepare(&progress, settings, &memory, context, |done| (context.progress)(before + done, total))?;
    let tester = problem_on(test_boards.boards, &Config { objective: Objective::Nodes, ..settings.breeding.clone() });
    memory.set_board_bytes(
        problem.memory_usage() + validator_memory + tester.as_ref().map_or(0, PolicyProblem::memory_usage),
    );
    let options = settings.breeding.evolution.clone();
    let evolution = match checkpoint {
        Some(checkpoint) => {
            problem.check(&checkpoint.memory).map_err(changed)?;
            Evolution::resume(problem, options, checkpoint)?
        }
        None => Evolution::new(problem, options)?,
    };
    let (reserved, tests) = (board_sets.reserved(), board_sets.tests.clone());
    Ok((evolution, PolicyRun { tests, reserved, tester, validator, jobs, bred, left_out, memory, stopwatch: None }))
}

/// Returns the error of a run whose folder does not match its checkpoint.
pub(super) fn changed(source: EvolutionStateError) -> RunError {
    RunError::FolderMismatch { what: "settings and boards", source: source.into() }
}

/// Selects a few of the test boards, evenly spread over the first set.
fn progress_jobs(board_sets: &BoardSets, metric: Metric) -> Vec<BoardJob> {
    let Some(boards) = board_sets.tests.first().map(|set| &set.boards) else { return Vec::new() };
    let count = PROGRESS_BOARDS.min(boards.len());
    (0..count).map(|number| job(boards, number * boards.len() / count, metric)).collect()
}
