//! The policies that requests can name: the bundled ones, and the champions of the server's own runs. Never a file, so that
//! clients cannot read files of the server as policies.

use crate::api::PolicyItem;
use crate::error::ApiError;
use clearway_lab::Algorithm;
use clearway_lab::compare::Contestant;
use clearway_policy::{NamedPolicy, SHIPPED};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the champion's file in the folder of a run.
const CHAMPION_FILE: &str = "champion.policy";
/// Prefix of the names of champions; the id of the run follows.
const RUN_PREFIX: &str = "run-";
/// Maximum size of a policy file in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// Finds the policies that requests can name.
#[derive(Debug)]
pub struct Policies {
    /// Folder that contains the folder of each run.
    runs: PathBuf,
}

impl Policies {
    /// Finds the bundled policies and the champions of the runs in this folder.
    pub fn new(runs: &Path) -> Policies {
        Policies { runs: runs.to_owned() }
    }

    /// Returns the policy of a name.
    pub fn open(&self, name: &str) -> Result<NamedPolicy, String> {
        let champion = || {
            let id: u64 = name.strip_prefix(RUN_PREFIX)?.parse().ok()?;
            let file = self.runs.join(id.to_string()).join(CHAMPION_FILE);
            let is_small = fs::metadata(&file).is_ok_and(|file| file.len() <= MAX_SIZE);
            NamedPolicy::parse(name, &fs::read_to_string(file).ok().filter(|_| is_small)?).ok()
        };
        NamedPolicy::shipped(name).or_else(champion).ok_or_else(|| {
            format!(
                "unknown policy '{name}'; GET /api/v1/algorithms lists the bundled policies and the champions of runs"
            )
        })
    }

    /// Parses an algorithm; it may refer to any of the policies.
    pub fn algorithm(&self, text: &str) -> Result<Algorithm, ApiError> {
        Algorithm::parse_with(text, |name| self.open(name)).map_err(|error| {
            ApiError::bad_request(error.to_string())
                .with_help("GET /api/v1/algorithms lists all algorithms, heuristics, policies and options")
        })
    }

    /// Parses an algorithm for a comparison, labelled with its text.
    pub fn contestant(&self, text: &str) -> Result<Contestant, ApiError> {
        Ok(Contestant { label: text.trim().to_owned(), algorithm: self.algorithm(text)? })
    }

    /// Returns the search that a policy was evolved for.
    pub fn search(&self, name: &str) -> Result<Algorithm, ApiError> {
        let policy = self.open(name).map_err(ApiError::bad_request)?;
        Algorithm::from_policy(&policy, None).map_err(|error| ApiError::bad_request(error.to_string()))
    }

    /// Returns the requested algorithm, from its text or as the search of a policy; none for the default solver.
    pub fn choose(&self, text: Option<&str>, policy: Option<&str>) -> Result<Option<Algorithm>, ApiError> {
        match (text, policy) {
            (Some(_), Some(_)) => Err(ApiError::bad_request("algorithm and policy are mutually exclusive")),
            (Some(text), None) => self.algorithm(text).map(Some),
            (None, Some(policy)) => self.search(policy).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Lists all policies, with the champions in the order of their runs.
    pub fn list(&self) -> Vec<PolicyItem> {
        let folders = fs::read_dir(&self.runs).into_iter().flatten().flatten();
        let mut ids: Vec<u64> = folders.filter_map(|folder| folder.file_name().to_str()?.parse().ok()).collect();
        ids.sort_unstable();
        let names = SHIPPED.iter().map(|shipped| shipped.name.to_owned());
        let names = names.chain(ids.iter().map(|id| format!("{RUN_PREFIX}{id}")));
        let item = |name: String| {
            let policy = self.open(&name).ok()?.policy;
            Some(PolicyItem { name, about: policy.about.clone(), search: policy.search.clone() })
        };
        names.filter_map(item).collect()
    }
}
