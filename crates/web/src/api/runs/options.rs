//! Options of a run.

use crate::error::ApiError;
use crate::runs::MAX_SECONDS;
use clearway_api::{parse_field, within};
use clearway_lab::evolve::{LoggedGeneration, Settings};
use clearway_lab::runs::{
    BudgetError, Preset, RunBudget, RunSettings as _, fit_to_population, with_option, with_options,
};
use clearway_rush::Size;
use clearway_rush::suites::Suite;
use serde::Deserialize;
use utoipa::ToSchema;

/// Maximum number of generations of a run, and of policies in a generation.
const MAX_GENERATIONS: u32 = 10_000;
const MAX_POPULATION: u32 = 1_000;
/// Largest seed: the largest integer of TOML, which stores the settings.
const MAX_SEED: u64 = i64::MAX as u64;

/// A run to start. Settings that are not given come from the preset.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// Default settings.
    #[serde(default)]
    preset: Preset,
    /// The size of the training boards: 6x6 or 8x8. The default is 6x6.
    #[serde(default)]
    #[schema(pattern = "^[68]x[68]$", example = "6x6")]
    size: Option<String>,
    /// A suite of training boards, instead of those of the size.
    #[serde(default)]
    #[schema(max_length = 100, example = "cards")]
    suite: Option<String>,
    /// A suite of test boards, instead of those of the size.
    #[serde(default)]
    #[schema(max_length = 100, example = "vandijk")]
    test: Option<String>,
    /// The search that the policies guide: `ida-order`, `ida-prune`, `ida-both`, `wastar`, `greedy`, or an expression with
    /// `policy` as a placeholder.
    #[serde(default)]
    #[schema(max_length = 4096, example = "wastar(policy, weight=2)")]
    search: Option<String>,
    /// The random seed. The default is 0.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64)]
    seed: Option<u64>,
    /// Number of generations.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000)]
    generations: Option<u32>,
    /// Number of policies in a generation.
    #[serde(default)]
    #[schema(minimum = 2, maximum = 1_000)]
    population: Option<u32>,
    /// Maximum time, an hour at most (60s, 3m), or maximum number of nodes searched (50M, 1G).
    #[serde(default)]
    #[schema(example = "60s")]
    budget: Option<String>,
}

/// How to extend a run. Settings that are not given stay as they are.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumeRun {
    /// Total number of generations.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000)]
    generations: Option<u32>,
    /// Maximum total time, an hour at most (60s, 3m), or maximum total number of nodes searched (50M, 1G).
    #[serde(default)]
    #[schema(example = "2m")]
    budget: Option<String>,
}

/// Returns the name of a suite, if there is one with this name.
fn suite(name: &str) -> Result<String, ApiError> {
    let suite = Suite::find(name).ok_or_else(|| ApiError::bad_request(format!("unknown suite '{name}'")))?;
    Ok(suite.name.to_owned())
}

impl NewRun {
    /// Returns the complete settings of the run.
    pub fn settings(&self) -> Result<Settings, ApiError> {
        let size = self.size.as_deref().map(parse_field).transpose()?.map_or((6, 6), Size::sides);
        if !matches!(size, (6, 6) | (8, 8)) {
            let (width, height) = size;
            return Err(ApiError::bad_request(format!("no training boards of size {width}x{height}"))
                .with_help("expected 6x6 or 8x8"));
        }
        within("seed", self.seed, 0..=MAX_SEED)?;
        within("population", self.population, 2..=MAX_POPULATION)?;
        let preset = self.preset;
        let mut settings = Settings::new(preset, size, Settings::default_group(preset, size));
        if let Some(name) = &self.suite {
            (settings.training, settings.group) = (vec![suite(name)?], None);
        }
        if let Some(name) = &self.test {
            settings.test = vec![suite(name)?];
        }
        let evolution = &mut settings.breeding.evolution;
        evolution.seed = self.seed.unwrap_or(evolution.seed);
        evolution.population = self.population.unwrap_or(evolution.population);
        fit_to_population(evolution);
        let search = settings.breeding.search.with(self.search.as_deref(), &[]);
        settings.breeding.search = search.map_err(|error| ApiError::bad_request(error.to_string()))?;
        settings.command = self.command(size);
        let limits = ResumeRun { generations: self.generations, budget: self.budget.clone() };
        limits.apply(&mut settings, &[])?;
        settings.check().map_err(|error| ApiError::bad_request(error.to_string()))?;
        Ok(settings)
    }

    /// Returns the command that starts the same run, without the options that may change later.
    fn command(&self, (width, height): (u8, u8)) -> String {
        let paper = matches!(self.preset, Preset::Paper).then(|| "paper".to_owned());
        let options = [
            ("preset", paper),
            ("size", self.size.as_ref().map(|_| format!("{width}x{height}"))),
            ("suite", self.suite.clone()),
            ("test", self.test.clone()),
            ("search", self.search.clone()),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("population", self.population.map(|population| population.to_string())),
        ];
        with_options("clearway evolve", options.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }
}

impl ResumeRun {
    /// Changes the settings of a run that has completed the logged generations.
    pub fn apply(&self, settings: &mut Settings, logged: &[LoggedGeneration]) -> Result<(), ApiError> {
        within("generations", self.generations, 1..=MAX_GENERATIONS)?;
        if let Some(generations) = self.generations {
            if (generations as usize) < logged.len() {
                let error = format!("{} generations are already complete, more than {generations}", logged.len());
                return Err(ApiError::bad_request(error).with_help("request more generations, or omit the field"));
            }
            settings.breeding.generations = generations;
            settings.command = with_option(&settings.command, "generations", &generations.to_string());
        }
        if let Some(text) = &self.budget {
            let budget: RunBudget =
                text.parse().map_err(|error: BudgetError| ApiError::bad_request(error.to_string()))?;
            if matches!(budget, RunBudget::Seconds(seconds) if seconds > MAX_SECONDS) {
                return Err(ApiError::bad_request(format!(
                    "budget {text} is too long; a run may take at most {MAX_SECONDS} seconds"
                )));
            }
            settings.budget = Some(budget);
            settings.command = with_option(&settings.command, "budget", &budget.to_string());
        }
        Ok(())
    }
}
