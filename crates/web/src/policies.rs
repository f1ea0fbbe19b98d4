//! The champions of the server's own runs, which requests can name as policies.

use clearway_api::Champions;
use std::fs;
use std::path::PathBuf;

/// Name of the champion's file in the folder of a run.
const CHAMPION_FILE: &str = "champion.policy";
/// Maximum size of a policy file in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// The champions of the runs in a folder that contains the folder of each run.
#[derive(Debug)]
pub struct RunChampions(pub PathBuf);

impl Champions for RunChampions {
    fn ids(&self) -> Vec<u64> {
        let folders = fs::read_dir(&self.0).into_iter().flatten().flatten();
        folders.filter_map(|folder| folder.file_name().to_str()?.parse().ok()).collect()
    }

    fn champion(&self, id: u64) -> Option<String> {
        let file = self.0.join(id.to_string()).join(CHAMPION_FILE);
        let is_small = fs::metadata(&file).is_ok_and(|file| file.len() <= MAX_SIZE);
        fs::read_to_string(file).ok().filter(|_| is_small)
    }
}
