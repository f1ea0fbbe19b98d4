//! What may be asked of a run.

use crate::api::board::word;
use crate::api::request::within;
use crate::error::ApiError;
use crate::runs::MOST_SECONDS;
use clearway_lab::evolve::{LoggedGeneration, Settings};
use clearway_lab::runs::{Budget, Preset, make_room, with_option, with_options};
use clearway_rush::Size;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most generations of a run, and the most policies of a generation.
const MOST_GENERATIONS: u32 = 10_000;
const MOST_POPULATION: u32 = 1_000;
/// TOML, which the settings are kept in, has no greater number.
const MOST_SEED: u64 = i64::MAX as u64;

/// Where the defaults of a run come from.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PresetName {
    /// What was measured to do better.
    #[default]
    Default,
    /// What GP-Rush did.
    Paper,
}

impl From<PresetName> for Preset {
    fn from(name: PresetName) -> Preset {
        match name {
            PresetName::Default => Preset::Default,
            PresetName::Paper => Preset::Paper,
        }
    }
}

/// A run to begin. What is not given is as the preset has it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// Where the defaults come from.
    #[serde(default)]
    preset: PresetName,
    /// The size of the boards to learn from: 6x6 or 8x8; 6x6 if it is not given.
    #[serde(default)]
    #[schema(pattern = "^[68]x[68]$", example = "6x6")]
    size: Option<String>,
    /// The search that policies guide: `ida-order`, `ida-prune`, `ida-both`, `wastar`, `greedy`, or an expression in which
    /// `policy` stands for the policy.
    #[serde(default)]
    #[schema(max_length = 4096, example = "wastar(policy, weight=2)")]
    search: Option<String>,
    /// Where all randomness comes from; 0 if it is not given.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64)]
    seed: Option<u64>,
    /// How many generations.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000)]
    generations: Option<u32>,
    /// How many policies a generation has.
    #[serde(default)]
    #[schema(minimum = 2, maximum = 1_000)]
    population: Option<u32>,
    /// It ends after so much time, an hour at most (60s, 3m), or after searching so many nodes (50M, 1G).
    #[serde(default)]
    #[schema(example = "60s")]
    budget: Option<String>,
}

/// How much longer a run shall go on. What is not given stays as it was.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// How many generations there shall be in all.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000)]
    generations: Option<u32>,
    /// It ends after so much time in all, an hour at most (60s, 3m), or after searching so many nodes (50M, 1G).
    #[serde(default)]
    #[schema(example = "2m")]
    budget: Option<String>,
}

impl NewRun {
    /// The settings that are asked for.
    pub fn settings(&self) -> Result<Settings, ApiError> {
        let size = self.size.as_deref().map(word).transpose()?.map_or((6, 6), Size::sides);
        if !matches!(size, (6, 6) | (8, 8)) {
            let (width, height) = size;
            return Err(ApiError::bad_request(format!("there are no boards of {width}x{height} to learn from"))
                .with_help("the sizes are 6x6 and 8x8"));
        }
        within("seed", self.seed, 0..=MOST_SEED)?;
        within("population", self.population, 2..=MOST_POPULATION)?;
        let preset = self.preset.into();
        let mut settings = Settings::new(preset, size, Settings::usual_group(preset, size));
        let evolution = &mut settings.breeding.evolution;
        evolution.seed = self.seed.unwrap_or(evolution.seed);
        evolution.population = self.population.unwrap_or(evolution.population);
        make_room(evolution);
        let search = settings.breeding.search.with(self.search.as_deref(), &[]);
        settings.breeding.search = search.map_err(ApiError::bad_request)?;
        settings.command = self.command(size);
        let more = Resume { generations: self.generations, budget: self.budget.clone() };
        more.apply(&mut settings, &[])?;
        settings.check().map_err(|error| ApiError::bad_request(error.to_string()))?;
        Ok(settings)
    }

    /// The command that makes the same run, without what may be changed later.
    fn command(&self, (width, height): (u8, u8)) -> String {
        let paper = matches!(self.preset, PresetName::Paper).then(|| "paper".to_owned());
        let options = [
            ("preset", paper),
            ("size", self.size.as_ref().map(|_| format!("{width}x{height}"))),
            ("search", self.search.clone()),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("population", self.population.map(|population| population.to_string())),
        ];
        with_options("clearway evolve", options.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }
}

impl Resume {
    /// Puts it into the settings of a run that has made these generations.
    pub fn apply(&self, settings: &mut Settings, made: &[LoggedGeneration]) -> Result<(), ApiError> {
        within("generations", self.generations, 1..=MOST_GENERATIONS)?;
        if let Some(generations) = self.generations {
            if (generations as usize) < made.len() {
                let error = format!("{} generations were made already, more than {generations}", made.len());
                return Err(ApiError::bad_request(error).with_help("ask for more, or leave generations out"));
            }
            settings.breeding.generations = generations;
            settings.command = with_option(&settings.command, "generations", &generations.to_string());
        }
        if let Some(text) = &self.budget {
            let budget: Budget = text.parse().map_err(|error: String| ApiError::bad_request(error))?;
            if matches!(budget, Budget::Seconds(seconds) if seconds > MOST_SECONDS) {
                return Err(ApiError::bad_request(format!("a run takes at most {MOST_SECONDS} seconds, not {text}")));
            }
            settings.budget = Some(budget);
            settings.command = with_option(&settings.command, "budget", &budget.to_string());
        }
        Ok(())
    }
}
