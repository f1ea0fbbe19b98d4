//! Evaluation of individuals apart from their run, for example on another machine.

use super::board_sets::{BoardSets, prepare};
use super::coevolve::{self, BredBoard};
use super::folder::{BRED, TRAINING, boards_from, boards_text};
use super::memory::RunMemory;
use super::run::{RunContext, changed};
use super::settings::Settings;
use crate::runs::{Folder, FolderError, RunError, RunSettings as _, SettingsError, VERSION};
use clearway_gp::{Fitness, Genome, Problem};
use clearway_policy::training::{BoardJob, EvolutionState, PolicyProblem, TrainingBoardError};
use clearway_rush::formats::Puzzle;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Data that a remote evaluator needs: settings and boards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorData {
    settings: Settings,
    /// Training boards, in the format of the run folder.
    training: String,
    /// Boards bred so far, in the same format.
    bred: String,
}

impl EvaluatorData {
    pub(super) fn new(settings: &Settings, folder: &Folder, bred: &[BredBoard]) -> Result<EvaluatorData, RunError> {
        let training = String::from_utf8_lossy(&folder.read(TRAINING)?).into_owned();
        let bred: Vec<Puzzle> = bred.iter().map(|one| one.puzzle.clone()).collect();
        let bred = boards_text(&bred).map_err(folder.failed("write", BRED))?;
        Ok(EvaluatorData { settings: settings.clone(), training, bred })
    }
}

/// Evaluates individuals of a run. The results depend only on the data, the memory of the problem and the individuals.
pub struct Evaluator {
    settings: Settings,
    jobs: Vec<BoardJob>,
    problem: PolicyProblem,
    bred: String,
    memory: RunMemory,
}

impl Evaluator {
    /// Prepares the boards of a run.
    pub fn new(data: EvaluatorData, context: &RunContext) -> Result<Evaluator, RunError> {
        let EvaluatorData { settings, training, bred } = data;
        settings.check()?;
        if settings.version != VERSION {
            let expected = format!("{VERSION}, as on this machine");
            return Err(SettingsError { name: "version", value: settings.version, expected }.into());
        }
        let board_sets = BoardSets { training: boards_from(training.as_bytes(), TRAINING)?, ..BoardSets::default() };
        let all = parse_bred(&bred)?;
        let boards = board_sets.jobs(&settings).len();
        let memory = RunMemory::new(context.memory, settings.breeding.rules, boards);
        let PreparedProblem { problem, jobs, .. } =
            PreparedProblem::new(&settings, &board_sets, &all, &memory, context, |_| ())?;
        Ok(Evaluator { settings, jobs, problem, bred, memory })
    }

    /// Adopts boards that were bred since the last update.
    pub fn update(&mut self, data: &EvaluatorData) -> Result<(), RunError> {
        if data.bred == self.bred {
            return Ok(());
        }
        let all = parse_bred(&data.bred)?;
        let mut places = Vec::new();
        for (one, board) in coevolve::prepare_current(&all, &self.jobs, &self.settings, &self.memory) {
            self.jobs[one.place].board = one.puzzle.board.clone();
            places.push((one.place, board));
        }
        if self.memory.is_exceeded() {
            return Err(RunError::OutOfMemory(self.memory.limit()));
        }
        self.problem.replace(places);
        self.memory.set_board_bytes(self.problem.memory_usage());
        self.bred.clone_from(&data.bred);
        Ok(())
    }

    /// Evaluates individuals with the memory of the current generation.
    pub fn evaluate(&self, memory: &EvolutionState, genomes: &[Genome]) -> Result<Vec<Fitness>, RunError> {
        self.problem.check(memory).map_err(changed)?;
        for (number, genome) in genomes.iter().enumerate() {
            let check = genome.check(self.problem.primitives(), self.problem.layout());
            check.map_err(|error| clearway_gp::EvolutionError::InvalidIndividual { number, error })?;
        }
        Ok(genomes.iter().map(|genome| self.problem.evaluate(memory, genome).finite()).collect())
    }
}

fn parse_bred(text: &str) -> Result<Vec<BredBoard>, RunError> {
    let invalid = || FolderError::UnusableFile { doing: format!("use {BRED}"), error: coevolve::INVALID_NAME.into() };
    Ok(coevolve::from_puzzles(boards_from(text.as_bytes(), BRED)?).ok_or_else(invalid)?)
}

/// Prepared training boards, with bred boards in their places.
pub(super) struct PreparedProblem {
    pub problem: PolicyProblem,
    /// Sources of the boards.
    pub jobs: Vec<BoardJob>,
    pub left_out: Vec<(String, TrainingBoardError)>,
}

impl PreparedProblem {
    pub fn new(
        settings: &Settings,
        board_sets: &BoardSets,
        bred: &[BredBoard],
        memory: &RunMemory,
        context: &RunContext,
        progress: impl Fn(usize) + Sync,
    ) -> Result<PreparedProblem, RunError> {
        let mut jobs = board_sets.jobs(settings);
        let mut prepared = prepare(&jobs, settings, memory, context, progress)?;
        if prepared.boards.is_empty() {
            return Err(RunError::NoTrainingBoards(prepared.left_out));
        }
        jobs = prepared.places.iter().map(|&place| jobs[place].clone()).collect();
        for (one, board) in coevolve::prepare_current(bred, &jobs, settings, memory) {
            jobs[one.place].board = one.puzzle.board.clone();
            prepared.boards[one.place] = board;
        }
        if memory.is_exceeded() {
            return Err(RunError::OutOfMemory(memory.limit()));
        }
        let problem = PolicyProblem::new(settings.breeding.clone(), prepared.boards, Arc::clone(&context.cancel));
        memory.set_board_bytes(problem.memory_usage());
        Ok(PreparedProblem { problem, jobs, left_out: prepared.left_out })
    }
}
