//! Settings that all runs share.

use clearway_gp::{EvolutionOptions, Selection};
use serde::{Deserialize, Serialize};

/// Version of the program. Another version may evolve another champion with the same settings.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Source of the default settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum Preset {
    /// Settings that give the best results in our measurements.
    #[default]
    Default,
    /// Settings of the published work: GP-Rush for policies; Barnes, Hasan and Lee for programs that solve tiles.
    Paper,
}

/// A setting has an invalid value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("invalid {name} {value}; expected {expected}")]
#[non_exhaustive]
pub struct SettingsError {
    /// Name of the setting.
    pub name: &'static str,
    /// Value that was rejected.
    pub value: String,
    /// Description of valid values.
    pub expected: String,
}

/// Rejects the first setting that is out of range. Each entry is a name, a value, a minimum and a maximum.
pub(crate) fn check_ranges(ranges: &[(&'static str, f64, f64, f64)]) -> Result<(), SettingsError> {
    match ranges.iter().find(|(_, value, min, max)| !(*min..=*max).contains(value)) {
        None => Ok(()),
        Some((name, value, min, max)) => {
            let range = format!("{min} to {max}");
            let expected = if *max >= f64::MAX { format!("at least {min}") } else { range };
            Err(SettingsError { name, value: value.to_string(), expected })
        }
    }
}

/// Reduces the tournament size and the number of elites to fit a small population.
pub fn fit_to_population(evolution: &mut EvolutionOptions) {
    let island = (evolution.population / evolution.islands.max(1)).max(1);
    if let Selection::Tournament(size) = &mut evolution.selection {
        *size = (*size).min(island);
    }
    evolution.elites = evolution.elites.min((island - 1) / 2);
}
