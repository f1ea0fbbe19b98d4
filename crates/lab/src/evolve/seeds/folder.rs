//! Folders of runs that differ only in their seeds.

use super::SeedResult;
use crate::evolve::LoggedGeneration;
use crate::runs::{Folder, FolderError};
use clearway_util::lock::FolderLock;
use clearway_util::seal::unseal;
use std::fs;
use std::path::Path;

/// Folder with a run for each seed: `seed-7` is the folder of the run with `--seed 7`, and its `result.json` the result of the
/// finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedsFolder(Folder);

/// Prefix of the folder of a seed.
const PREFIX: &str = "seed-";
/// File of the result of a seed.
const RESULT: &str = "result.json";

impl SeedsFolder {
    /// Creates a handle for a path; nothing is created on disk.
    pub fn at(path: &Path) -> SeedsFolder {
        SeedsFolder(Folder::at(path))
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Locks the folder for this process until the lock is dropped. Creates the folder if it is missing.
    pub fn lock(&self) -> Result<FolderLock, FolderError> {
        self.0.lock()
    }

    /// Fails if the folder holds a single run, or anything but runs with seeds and their reports.
    pub fn check_usable(&self) -> Result<(), FolderError> {
        if self.0.is_run() {
            return Err(FolderError::AlreadyHoldsRun(self.path().to_owned()));
        }
        if self.seeds().is_empty() { self.0.check_unused() } else { Ok(()) }
    }

    /// Seeds that have a run, in ascending order.
    pub fn seeds(&self) -> Vec<u64> {
        let entries = fs::read_dir(self.path()).into_iter().flatten().flatten();
        let seed = |entry: fs::DirEntry| entry.file_name().to_str()?.strip_prefix(PREFIX)?.parse::<u64>().ok();
        let mut seeds: Vec<u64> = entries.filter_map(seed).filter(|&seed| self.run(seed).is_run()).collect();
        seeds.sort_unstable();
        seeds
    }

    /// Folder of the run of a seed.
    pub fn run(&self, seed: u64) -> Folder {
        Folder::at(&self.0.file(&format!("{PREFIX}{seed}")))
    }

    /// Result of a seed; `None` if its run is not finished, or the file is damaged.
    pub fn result(&self, seed: u64) -> Option<SeedResult> {
        let text = String::from_utf8(self.run(seed).read(RESULT).ok()?).ok()?;
        serde_json::from_str(&unseal(text.trim_end(), "").ok()?).ok()
    }

    /// Results of all finished runs, by seed.
    pub fn results(&self) -> Vec<SeedResult> {
        self.seeds().into_iter().filter_map(|seed| self.result(seed)).collect()
    }

    /// Logged generations of a seed.
    pub fn logged(&self, seed: u64) -> Result<Vec<LoggedGeneration>, FolderError> {
        self.run(seed).logged()
    }

    /// Writes the result of a finished run.
    pub fn write_result(&self, result: &SeedResult) -> Result<(), FolderError> {
        self.run(result.seed).write(RESULT, &result.to_sealed_json())
    }

    /// Writes a file about all seeds.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        self.0.write(name, text)
    }
}
