//! What the folder of a run holds beside what all runs have: boards.

use super::material::{Material, TestSet};
use super::run::RunError;
use super::settings::Settings;
use crate::runs::{Folder, FolderError};
use clearway_rush::formats::{Format, Puzzle, ReadOptions, Reader, WriteError, Writer};
use std::path::PathBuf;

/// Boards to learn from.
pub(super) const TRAINING: &str = "boards/training.tsv";
/// Boards to choose the champion on, where there are any.
const VALIDATION: &str = "boards/validation.tsv";
/// Boards that were bred.
pub(super) const BRED: &str = "boards.tsv";
/// The champion.
const CHAMPION: &str = "champion.policy";

impl Folder {
    /// The file that the champion is in, once there is one.
    pub fn champion(&self) -> PathBuf {
        self.file(CHAMPION)
    }

    /// The settings of the run in it, which breeds policies.
    pub fn bred_with(&self) -> Result<Settings, FolderError> {
        self.settings()
    }

    /// Puts the champion there.
    pub(super) fn write_champion(&self, text: &str) -> Result<(), FolderError> {
        self.write(CHAMPION, text)
    }

    /// Writes the settings and the boards of a new run; the settings come last, so that what has them is whole.
    pub(super) fn begin(&self, settings: &Settings, material: &Material) -> Result<(), FolderError> {
        self.make("boards")?;
        self.write_boards(TRAINING, &material.training)?;
        if !material.validation.is_empty() {
            self.write_boards(VALIDATION, &material.validation)?;
        }
        for (number, set) in material.tests.iter().enumerate() {
            self.write_boards(&test_file(number), &set.boards)?;
        }
        self.save_settings(settings)
    }

    /// The boards of the run in it.
    pub(super) fn material(&self, settings: &Settings) -> Result<Material, RunError> {
        let names = if settings.test.is_empty() { vec!["held-out".to_owned()] } else { settings.test.clone() };
        let mut tests = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            tests.push(TestSet { name, boards: self.read_boards(&test_file(number))? });
        }
        let validation = if settings.validation.is_empty() { Vec::new() } else { self.read_boards(VALIDATION)? };
        Ok(Material { training: self.read_boards(TRAINING)?, validation, tests, alike: Vec::new() })
    }

    pub(super) fn write_boards(&self, name: &str, boards: &[Puzzle]) -> Result<(), FolderError> {
        self.write(name, &boards_text(boards).map_err(self.failed("write", name))?)
    }

    pub(super) fn read_boards(&self, name: &str) -> Result<Vec<Puzzle>, RunError> {
        let text = self.read(name)?;
        boards_from(&text, &self.file(name).display().to_string())
    }
}

/// Boards as the files of a run hold them.
pub(super) fn boards_text(boards: &[Puzzle]) -> Result<String, WriteError> {
    let mut writer = Writer::new(Format::Tsv);
    boards.iter().map(|puzzle| writer.append(puzzle)).collect()
}

/// The boards of such a text, from a source of that name.
pub(super) fn boards_from(text: &[u8], source: &str) -> Result<Vec<Puzzle>, RunError> {
    // A reader that finds no board at all complains.
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let options = ReadOptions { format: Some(Format::Tsv), source_name: source.to_owned(), ..ReadOptions::default() };
    let boards: Result<_, _> = Reader::new(text, options).collect();
    boards.map_err(|error| RunError::Boards(Box::new(error)))
}

fn test_file(number: usize) -> String {
    format!("boards/test-{}.tsv", number + 1)
}
