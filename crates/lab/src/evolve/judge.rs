//! Individuals judged apart from their run: on another machine, by somebody who knows its settings and its boards.

use super::coevolve::{self, Bred};
use super::folder::{BRED, TRAINING, boards_from, boards_text};
use super::material::{Material, prepare};
use super::memory::RunMemory;
use super::run::{Means, RunError};
use super::settings::Settings;
use crate::runs::{Folder, FolderError, SettingsError, VERSION};
use clearway_gp::{Genome, Judgement, Problem};
use clearway_policy::training::{BoardJob, Breeding, LeftOut, Memory};
use clearway_rush::formats::Puzzle;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What those need to know who judge the individuals of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    settings: Settings,
    /// The boards to learn from, as the folder of the run holds them.
    training: String,
    /// The boards bred so far, in the same form.
    bred: String,
}

impl Brief {
    pub(super) fn new(settings: &Settings, folder: &Folder, bred: &[Bred]) -> Result<Brief, RunError> {
        let training = String::from_utf8_lossy(&folder.read(TRAINING)?).into_owned();
        let bred: Vec<Puzzle> = bred.iter().map(|one| one.puzzle.clone()).collect();
        let bred = boards_text(&bred).map_err(folder.failed("write", BRED))?;
        Ok(Brief { settings: settings.clone(), training, bred })
    }
}

/// Judges individuals of a run. What it finds depends on its brief, the memory and the individuals, and on nothing else.
pub struct Judge {
    settings: Settings,
    jobs: Vec<BoardJob>,
    breeding: Breeding,
    bred: String,
    memory: RunMemory,
}

impl Judge {
    /// Makes the boards of a run ready.
    pub fn new(brief: Brief, means: &Means) -> Result<Judge, RunError> {
        let Brief { settings, training, bred } = brief;
        settings.check()?;
        if settings.version != VERSION {
            let expected = format!("{VERSION}: all machines need the same");
            return Err(SettingsError { name: "the version", value: settings.version, expected }.into());
        }
        let material = Material { training: boards_from(training.as_bytes(), TRAINING)?, ..Material::default() };
        let all = bred_from(&bred)?;
        let memory = RunMemory::new(means.memory, settings.breeding.rules);
        let Ready { breeding, jobs, .. } = Ready::new(&settings, &material, &all, &memory, means, |_| ())?;
        Ok(Judge { settings, jobs, breeding, bred, memory })
    }

    /// Goes on with the same run after boards were bred. Does nothing if none were.
    pub fn update(&mut self, brief: &Brief) -> Result<(), RunError> {
        if brief.bred == self.bred {
            return Ok(());
        }
        let all = bred_from(&brief.bred)?;
        let mut places = Vec::new();
        for (one, board) in coevolve::ready(&all, &self.jobs, &self.settings, &self.memory) {
            self.jobs[one.place].board = one.puzzle.board.clone();
            places.push((one.place, board));
        }
        if self.memory.is_exceeded() {
            return Err(RunError::Memory(self.memory.limit()));
        }
        self.breeding.replace(places);
        self.memory.keep(self.breeding.bytes());
        self.bred.clone_from(&brief.bred);
        Ok(())
    }

    /// Judges individuals, with what the run remembers in this generation.
    pub fn judge(&self, memory: &Memory, genomes: &[Genome]) -> Result<Vec<Judgement>, RunError> {
        self.breeding.check(memory)?;
        for (number, genome) in genomes.iter().enumerate() {
            let check = genome.check(self.breeding.primitives(), self.breeding.layout());
            check.map_err(|error| clearway_gp::EvolutionError::Individual { number, error })?;
        }
        Ok(genomes.iter().map(|genome| self.breeding.judge(memory, genome).finite()).collect())
    }
}

fn bred_from(text: &str) -> Result<Vec<Bred>, RunError> {
    let nameless = || FolderError::File { doing: format!("use {BRED}"), why: coevolve::NAMELESS.to_owned() };
    Ok(coevolve::all_of(boards_from(text.as_bytes(), BRED)?).ok_or_else(nameless)?)
}

/// The boards of a run made ready, those bred in their places.
pub(super) struct Ready {
    pub breeding: Breeding,
    /// What the boards were made from.
    pub jobs: Vec<BoardJob>,
    pub left_out: Vec<(String, LeftOut)>,
}

impl Ready {
    pub fn new(
        settings: &Settings,
        material: &Material,
        bred: &[Bred],
        memory: &RunMemory,
        means: &Means,
        progress: impl Fn(usize) + Sync,
    ) -> Result<Ready, RunError> {
        let mut jobs = material.jobs(settings);
        let mut prepared = prepare(&jobs, settings, memory, means, progress)?;
        if prepared.boards.is_empty() {
            return Err(RunError::Nothing(prepared.left_out));
        }
        jobs = prepared.places.iter().map(|&place| jobs[place].clone()).collect();
        for (one, board) in coevolve::ready(bred, &jobs, settings, memory) {
            jobs[one.place].board = one.puzzle.board.clone();
            prepared.boards[one.place] = board;
        }
        if memory.is_exceeded() {
            return Err(RunError::Memory(memory.limit()));
        }
        let breeding = Breeding::new(settings.breeding.clone(), prepared.boards, Arc::clone(&means.cancel));
        memory.keep(breeding.bytes());
        Ok(Ready { breeding, jobs, left_out: prepared.left_out })
    }
}
