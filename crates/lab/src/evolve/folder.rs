//! Boards in the folder of a run.

use super::board_sets::{BoardSets, TestSet};
use super::settings::Settings;
use crate::runs::{Folder, FolderError, RunError};
use clearway_rush::formats::{Format, Puzzle, ReadOptions, Reader, WriteError, Writer};
use std::path::PathBuf;

/// Training boards.
pub(super) const TRAINING: &str = "boards/training.tsv";
/// Validation boards, if any.
const VALIDATION: &str = "boards/validation.tsv";
/// Boards that coevolution bred.
pub(super) const BRED: &str = "boards.tsv";
/// Champion, as text.
pub(super) const CHAMPION: &str = "champion.policy";

impl Folder {
    /// Path of the champion; the file exists once there is one.
    pub fn champion(&self) -> PathBuf {
        self.file(CHAMPION)
    }

    /// Reads the settings of a run that evolves policies.
    pub fn policy_settings(&self) -> Result<Settings, FolderError> {
        self.settings()
    }

    /// Writes the boards and the settings of a new run. The settings are written last, so that a folder with settings is
    /// complete.
    pub(super) fn create_run(&self, settings: &Settings, board_sets: &BoardSets) -> Result<(), FolderError> {
        self.create_subfolder("boards")?;
        self.write_boards(TRAINING, &board_sets.training)?;
        if !board_sets.validation.is_empty() {
            self.write_boards(VALIDATION, &board_sets.validation)?;
        }
        for (number, set) in board_sets.tests.iter().enumerate() {
            self.write_boards(&test_file(number), &set.boards)?;
        }
        self.save_settings(settings)
    }

    /// Reads the boards of the run.
    pub(super) fn board_sets(&self, settings: &Settings) -> Result<BoardSets, RunError> {
        let names = if settings.test.is_empty() { vec!["held-out".to_owned()] } else { settings.test.clone() };
        let mut tests = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            tests.push(TestSet { name, boards: self.read_boards(&test_file(number))? });
        }
        let validation = if settings.validation.is_empty() { Vec::new() } else { self.read_boards(VALIDATION)? };
        Ok(BoardSets { training: self.read_boards(TRAINING)?, validation, tests, alike: Vec::new() })
    }

    pub(super) fn write_boards(&self, name: &str, boards: &[Puzzle]) -> Result<(), FolderError> {
        self.write(name, &boards_text(boards).map_err(self.failed("write", name))?)
    }

    pub(super) fn read_boards(&self, name: &str) -> Result<Vec<Puzzle>, RunError> {
        let text = self.read(name)?;
        boards_from(&text, &self.file(name).display().to_string())
    }
}

/// Returns boards in the format of the files of a run.
pub(super) fn boards_text(boards: &[Puzzle]) -> Result<String, WriteError> {
    let mut writer = Writer::new(Format::Tsv);
    boards.iter().map(|puzzle| writer.append(puzzle)).collect()
}

/// Parses boards in the format of the files of a run. Errors name the source.
pub(super) fn boards_from(text: &[u8], source: &str) -> Result<Vec<Puzzle>, RunError> {
    // The reader reports an error if there is no board.
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let options = ReadOptions { format: Some(Format::Tsv), source_name: source.to_owned(), ..ReadOptions::default() };
    let boards: Result<_, _> = Reader::new(text, options).collect();
    boards.map_err(|error| RunError::InvalidBoards(Box::new(error)))
}

fn test_file(number: usize) -> String {
    format!("boards/test-{}.tsv", number + 1)
}
