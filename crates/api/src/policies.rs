//! The policies that requests can name: the bundled ones, and the champions of runs. Never a file, so that clients cannot read
//! files of the server as policies.

use crate::RequestError;
use clearway_lab::ConfiguredAlgorithm;
use clearway_lab::compare::Contestant;
use clearway_policy::{NamedPolicy, SHIPPED};
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

/// Prefix of the names of champions; the id of the run follows.
const RUN_PREFIX: &str = "run-";

/// A policy: a built-in one, or the champion of a run on this server.
#[derive(Serialize, ToSchema)]
pub struct PolicyItem {
    /// Name of the policy.
    pub name: String,
    /// Origin of the policy; empty if unknown.
    pub about: String,
    /// Search that the policy was evolved for; null if unknown.
    pub search: Option<String>,
}

/// The champions of runs, by the id of the run.
pub trait Champions: fmt::Debug + Send + Sync {
    /// Returns the ids of all runs.
    fn ids(&self) -> Vec<u64>;

    /// Returns the champion of a run as text, if it has one.
    fn champion(&self, id: u64) -> Option<String>;
}

/// No runs.
impl Champions for () {
    fn ids(&self) -> Vec<u64> {
        Vec::new()
    }

    fn champion(&self, _: u64) -> Option<String> {
        None
    }
}

/// Finds the policies that requests can name.
#[derive(Debug)]
pub struct Policies {
    champions: Box<dyn Champions>,
}

impl Policies {
    /// Finds the bundled policies and these champions.
    pub fn new(champions: impl Champions + 'static) -> Policies {
        Policies { champions: Box::new(champions) }
    }

    /// Returns the policy of a name.
    pub fn open(&self, name: &str) -> Result<NamedPolicy, String> {
        let champion = || {
            let id: u64 = name.strip_prefix(RUN_PREFIX)?.parse().ok()?;
            NamedPolicy::parse(name, &self.champions.champion(id)?).ok()
        };
        NamedPolicy::shipped(name).or_else(champion).ok_or_else(|| {
            format!(
                "unknown policy '{name}'; GET /api/v1/algorithms lists the bundled policies and the champions of runs"
            )
        })
    }

    /// Parses an algorithm; it may refer to any of the policies.
    pub fn algorithm(&self, text: &str) -> Result<ConfiguredAlgorithm, RequestError> {
        ConfiguredAlgorithm::parse_with(text, |name| self.open(name)).map_err(|error| {
            RequestError::bad_request(error.to_string())
                .with_help("GET /api/v1/algorithms lists all algorithms, heuristics, policies and options")
        })
    }

    /// Parses an algorithm for a comparison, labelled with its text.
    pub fn contestant(&self, text: &str) -> Result<Contestant, RequestError> {
        Ok(Contestant { label: text.trim().to_owned(), algorithm: self.algorithm(text)? })
    }

    /// Returns the search that a policy was evolved for.
    pub fn search(&self, name: &str) -> Result<ConfiguredAlgorithm, RequestError> {
        let policy = self.open(name).map_err(RequestError::bad_request)?;
        ConfiguredAlgorithm::from_policy(&policy, None).map_err(|error| RequestError::bad_request(error.to_string()))
    }

    /// Returns the requested algorithm, from its text or as the search of a policy; none for the default solver.
    pub fn choose(
        &self,
        text: Option<&str>,
        policy: Option<&str>,
    ) -> Result<Option<ConfiguredAlgorithm>, RequestError> {
        match (text, policy) {
            (Some(_), Some(_)) => Err(RequestError::bad_request("algorithm and policy are mutually exclusive")),
            (Some(text), None) => self.algorithm(text).map(Some),
            (None, Some(policy)) => self.search(policy).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Lists all policies, with the champions in the order of their runs.
    pub fn list(&self) -> Vec<PolicyItem> {
        let mut ids = self.champions.ids();
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
