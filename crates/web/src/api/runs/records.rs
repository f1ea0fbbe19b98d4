//! Runs as JSON.

use crate::error::ApiError;
use crate::runs::{Phase, Runs};
use crate::store::{RunRow, RunState};
use clearway_answers::records::{TestRecord, TrainingRecord};
use clearway_lab::evolve::{LoggedGeneration, Settings};
use clearway_lab::runs::Preset;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A run as lists show it: without its generations and tests.
#[derive(Serialize, ToSchema)]
pub struct RunSummary {
    /// Id of the run. Its champion is the policy `run-ID`.
    id: i64,
    /// State of the run.
    state: RunState,
    /// Time of creation, in UTC.
    #[schema(format = DateTime)]
    created: String,
    /// Settings of the run.
    settings: RunSettings,
    /// Number of completed generations.
    generations: usize,
    /// Score of the best policy in the last generation, or null before the first generation.
    best: Option<f64>,
    /// Error that ended the run, or null.
    error: Option<String>,
}

/// A run of evolution with its generations, its champion and the champion's tests.
#[derive(Serialize, ToSchema)]
pub struct RunRecord {
    /// Id of the run. Its champion is the policy `run-ID`.
    pub id: i64,
    /// State of the run.
    state: RunState,
    /// Current phase, or null if the run is not in progress.
    phase: Option<Phase>,
    /// Time of creation, in UTC.
    #[schema(format = DateTime)]
    created: String,
    /// Settings of the run.
    settings: RunSettings,
    /// The generations, from the first to the last.
    generations: Vec<LoggedGeneration>,
    /// Results of the champion on all training boards; null until the run is done.
    #[schema(value_type = Option<TrainingRecord>)]
    training: Option<Box<RawValue>>,
    /// Results of the champion on held-out boards; empty until the run is done.
    #[schema(value_type = Vec<TestRecord>)]
    tests: Box<RawValue>,
    /// The champion as text, or the best policy so far; null before the first generation.
    champion: Option<String>,
    /// Error that ended the run, or null.
    error: Option<String>,
}

/// What determines the result of a run.
#[derive(Serialize, ToSchema)]
pub struct RunSettings {
    /// Default settings.
    preset: Preset,
    /// The training suites.
    training: Vec<String>,
    /// The suites to test the champion on; if empty, boards held out of the training suites.
    test: Vec<String>,
    /// The search that the policies guide, with `policy` as a placeholder.
    #[schema(example = "ida(policy, both, increment=4, growth=2, memo=kept, reopen=no, shortcut=yes)")]
    search: String,
    /// The random seed.
    seed: u64,
    /// Maximum number of generations.
    generations: u32,
    /// Number of policies in a generation.
    population: u32,
    /// Maximum time or number of nodes searched; null if there is no such limit.
    #[schema(example = "60s")]
    budget: Option<String>,
    /// The command that starts the same run.
    #[schema(example = "clearway evolve --seed 7 --budget 60s")]
    command: String,
}

impl From<Settings> for RunSettings {
    fn from(settings: Settings) -> RunSettings {
        RunSettings {
            preset: settings.preset,
            search: settings.breeding.search.to_string(),
            seed: settings.seed(),
            generations: settings.breeding.generations,
            population: settings.breeding.evolution.population,
            budget: settings.budget.map(|budget| budget.to_string()),
            training: settings.training,
            test: settings.test,
            command: settings.command,
        }
    }
}

fn settings(row: &RunRow) -> Result<RunSettings, ApiError> {
    Settings::from_toml(&row.settings).map(RunSettings::from).map_err(ApiError::internal)
}

/// Returns the logged generations of a run; none if the log cannot be read, because then the run has failed.
fn logged(row: &RunRow, runs: &Runs) -> Vec<LoggedGeneration> {
    runs.folder(row.id).logged().unwrap_or_default()
}

impl RunSummary {
    /// Creates the summary of a run.
    pub fn new(row: RunRow, runs: &Runs) -> Result<RunSummary, ApiError> {
        let generations = logged(&row, runs);
        Ok(RunSummary {
            id: row.id,
            state: row.state,
            settings: settings(&row)?,
            generations: generations.len(),
            best: generations.last().map(|line| line.generation.best),
            created: row.created,
            error: row.error,
        })
    }
}

impl RunRecord {
    /// Creates the record of a run.
    pub fn new(row: RunRow, runs: &Runs) -> Result<RunRecord, ApiError> {
        let raw = |text: String| RawValue::from_string(text).map_err(ApiError::internal);
        let phase = runs.watch(row.id).and_then(|progress| progress.borrow().phase);
        Ok(RunRecord {
            id: row.id,
            state: row.state,
            phase,
            settings: settings(&row)?,
            generations: logged(&row, runs),
            training: row.training.map(raw).transpose()?,
            tests: raw(row.tests.unwrap_or_else(|| "[]".to_owned()))?,
            champion: runs.champion(row.id),
            created: row.created,
            error: row.error,
        })
    }
}
