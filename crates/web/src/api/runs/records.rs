//! Runs as JSON.

use super::options::PresetName;
use crate::error::ApiError;
use crate::runs::{Phase, Runs};
use crate::store::{RunRow, RunState};
use clearway_lab::evolve::{LoggedGeneration, Settings};
use clearway_lab::records::{TestRecord, TrainingRecord};
use clearway_lab::runs::Preset;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A run in a few words.
#[derive(Serialize, ToSchema)]
pub struct RunSummary {
    /// Its number. Its champion is the policy `run-` with the number behind it.
    id: i64,
    /// What it does.
    state: RunState,
    /// When it was begun, in UTC.
    #[schema(format = DateTime)]
    created: String,
    /// What it was begun with.
    settings: RunSettings,
    /// How many generations it has made.
    generations: usize,
    /// The score of the best policy of the last of them, or null if there is none.
    best: Option<f64>,
    /// Why it could not go on, or null.
    error: Option<String>,
}

/// A run.
#[derive(Serialize, ToSchema)]
pub struct RunRecord {
    /// Its number. Its champion is the policy `run-` with the number behind it.
    pub id: i64,
    /// What it does.
    state: RunState,
    /// What it does just now, or null if it does not run.
    phase: Option<Phase>,
    /// When it was begun, in UTC.
    #[schema(format = DateTime)]
    created: String,
    /// What it was begun with.
    settings: RunSettings,
    /// Its generations, from the first to the last.
    generations: Vec<LoggedGeneration>,
    /// The champion on all training boards; null until the run is done.
    #[schema(value_type = Option<TrainingRecord>)]
    training: Option<Box<RawValue>>,
    /// The champion on boards that no selection saw; empty until the run is done.
    #[schema(value_type = Vec<TestRecord>)]
    tests: Box<RawValue>,
    /// The champion as text, the best so far while it runs; null before the first generation.
    champion: Option<String>,
    /// Why it could not go on, or null.
    error: Option<String>,
}

/// What a run depends on.
#[derive(Serialize, ToSchema)]
pub struct RunSettings {
    /// Where the defaults come from.
    preset: PresetName,
    /// The suites to learn from.
    training: Vec<String>,
    /// The suites to test the champion on; if there are none, boards that are held out of the others.
    test: Vec<String>,
    /// The search that policies guide; `policy` stands for the policy.
    #[schema(example = "ida(policy, both, increment=4, growth=2, memo=kept, reopen=no, shortcut=yes)")]
    search: String,
    /// Where all randomness comes from.
    seed: u64,
    /// How many generations there will be at most.
    generations: u32,
    /// How many policies a generation has.
    population: u32,
    /// What ends it before the last of them, time or nodes; null if nothing does.
    #[schema(example = "60s")]
    budget: Option<String>,
    /// The command that makes the same run.
    #[schema(example = "clearway evolve --seed 7 --budget 60s")]
    command: String,
}

impl From<Settings> for RunSettings {
    fn from(settings: Settings) -> RunSettings {
        RunSettings {
            preset: if settings.preset == Preset::Paper { PresetName::Paper } else { PresetName::Default },
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

/// What is logged of a run. A log that cannot be read is that of a run that failed: there is nothing to show.
fn logged(row: &RunRow, runs: &Runs) -> Vec<LoggedGeneration> {
    runs.folder(row.id).logged().unwrap_or_default()
}

impl RunSummary {
    /// The summary of a run.
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
    /// The record of a run.
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
