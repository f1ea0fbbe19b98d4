//! The policies that requests may name: those that come with the program, and the champions of the server's own runs.
//! Never a file: nobody shall read the files of the server by asking for them as policies.

use crate::api::PolicyItem;
use crate::error::ApiError;
use clearway_lab::Algorithm;
use clearway_lab::compare::Contestant;
use clearway_policy::{NamedPolicy, SHIPPED};
use std::fs;
use std::path::{Path, PathBuf};

/// The file with the champion in the folder of a run.
const CHAMPION: &str = "champion.policy";
/// What the names of champions begin with; the number of the run follows.
const RUN: &str = "run-";
/// The longest text of a policy that is read.
const LONGEST: u64 = 1 << 20;

/// The policies that requests may name.
#[derive(Debug)]
pub struct Policies {
    /// The folder with a folder for each run.
    runs: PathBuf,
}

impl Policies {
    /// Those of the runs in this folder, and the shipped ones.
    pub fn new(runs: &Path) -> Policies {
        Policies { runs: runs.to_owned() }
    }

    /// The policy of a name.
    pub fn open(&self, name: &str) -> Result<NamedPolicy, String> {
        let champion = || {
            let number: u64 = name.strip_prefix(RUN)?.parse().ok()?;
            let file = self.runs.join(number.to_string()).join(CHAMPION);
            let is_small = fs::metadata(&file).is_ok_and(|file| file.len() <= LONGEST);
            NamedPolicy::parse(name, &fs::read_to_string(file).ok().filter(|_| is_small)?).ok()
        };
        NamedPolicy::shipped(name).or_else(champion).ok_or_else(|| {
            format!("there is no policy '{name}'; /api/v1/algorithms lists those that come with the program and champions of runs")
        })
    }

    /// The algorithm that a text names.
    pub fn algorithm(&self, text: &str) -> Result<Algorithm, ApiError> {
        Algorithm::parse_with(text, |name| self.open(name)).map_err(|error| {
            ApiError::bad_request(error.to_string())
                .with_help("/api/v1/algorithms tells all algorithms, heuristics, policies and options")
        })
    }

    /// The same, to run beside others under that text.
    pub fn contestant(&self, text: &str) -> Result<Contestant, ApiError> {
        Ok(Contestant { label: text.trim().to_owned(), algorithm: self.algorithm(text)? })
    }

    /// The search that a policy is made for.
    pub fn search(&self, name: &str) -> Result<Algorithm, ApiError> {
        let policy = self.open(name).map_err(ApiError::bad_request)?;
        Algorithm::of_policy(&policy, None).map_err(|error| ApiError::bad_request(error.to_string()))
    }

    /// The algorithm that is asked for, by its text or as the search of a policy; none for the exact solver.
    pub fn choose(&self, text: Option<&str>, policy: Option<&str>) -> Result<Option<Algorithm>, ApiError> {
        match (text, policy) {
            (Some(_), Some(_)) => Err(ApiError::bad_request("give an algorithm or a policy, not both")),
            (Some(text), None) => self.algorithm(text).map(Some),
            (None, Some(policy)) => self.search(policy).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// All of them, the champions in the order of their runs.
    pub fn list(&self) -> Vec<PolicyItem> {
        let folders = fs::read_dir(&self.runs).into_iter().flatten().flatten();
        let mut numbers: Vec<u64> = folders.filter_map(|folder| folder.file_name().to_str()?.parse().ok()).collect();
        numbers.sort_unstable();
        let names = SHIPPED.iter().map(|shipped| shipped.name.to_owned());
        let names = names.chain(numbers.iter().map(|number| format!("{RUN}{number}")));
        let item = |name: String| {
            let policy = self.open(&name).ok()?.policy;
            Some(PolicyItem { name, about: policy.about.clone(), search: policy.search.clone() })
        };
        names.filter_map(item).collect()
    }
}
