//! What the folder of a run holds beside what all runs have: boards.

use super::material::{Material, TestSet};
use super::run::RunError;
use super::settings::Settings;
use crate::runs::{Folder, FolderError};
use clearway_rush::formats::{Format, Puzzle, ReadOptions, Reader, Writer};
use std::path::PathBuf;

const TRAINING: &str = "boards/training.tsv";
/// Boards that were bred.
pub(super) const BRED: &str = "boards.tsv";
/// The champion.
const CHAMPION: &str = "champion.policy";

impl Folder {
    /// The file that the champion is in, once there is one.
    pub fn champion(&self) -> PathBuf {
        self.file(CHAMPION)
    }

    /// Puts the champion there.
    pub(super) fn write_champion(&self, text: &str) -> Result<(), FolderError> {
        self.write(CHAMPION, text)
    }

    /// Writes the settings and the boards of a new run; the settings come last, so that what has them is whole.
    pub(super) fn begin(&self, settings: &Settings, material: &Material) -> Result<(), FolderError> {
        self.make("boards")?;
        self.write_boards(TRAINING, &material.training)?;
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
        Ok(Material { training: self.read_boards(TRAINING)?, tests, tested: Vec::new() })
    }

    pub(super) fn write_boards(&self, name: &str, boards: &[Puzzle]) -> Result<(), FolderError> {
        let mut writer = Writer::new(Format::Tsv);
        let lines: Result<String, _> = boards.iter().map(|puzzle| writer.append(puzzle)).collect();
        self.write(name, &lines.map_err(self.failed("write", name))?)
    }

    pub(super) fn read_boards(&self, name: &str) -> Result<Vec<Puzzle>, RunError> {
        let text = self.read(name)?;
        let source_name = self.file(name).display().to_string();
        let options = ReadOptions { format: Some(Format::Tsv), source_name, ..ReadOptions::default() };
        let boards: Result<_, _> = Reader::new(text.as_slice(), options).collect();
        boards.map_err(|error| RunError::Boards(Box::new(error)))
    }
}

fn test_file(number: usize) -> String {
    format!("boards/test-{}.tsv", number + 1)
}
