//! What is true of the settings of all runs.

use clearway_gp::{EvolutionOptions, Selection};
use serde::{Deserialize, Serialize};

/// The version of the program: another one may breed another champion from the same settings.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the defaults come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// What the published work did: GP-Rush for policies, Barnes, Hasan and Lee for programs of tiles.
    Paper,
    /// What was measured to do better.
    #[default]
    Default,
}

/// Why settings make no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}, but must be {expected}")]
pub struct SettingsError {
    /// Which of them.
    pub name: &'static str,
    /// What it is.
    pub value: String,
    /// What it may be.
    pub expected: String,
}

/// Refuses the first number that is not between the least and the most it may be.
pub(crate) fn check_ranges(ranges: &[(&'static str, f64, f64, f64)]) -> Result<(), SettingsError> {
    match ranges.iter().find(|(_, value, least, most)| !(*least..=*most).contains(value)) {
        None => Ok(()),
        Some((name, value, least, most)) => {
            let range = format!("from {least} to {most}");
            let expected = if *most >= f64::MAX { format!("at least {least}") } else { range };
            Err(SettingsError { name, value: value.to_string(), expected })
        }
    }
}

/// Gives a small population small tournaments, and few elites.
pub fn make_room(evolution: &mut EvolutionOptions) {
    let island = (evolution.population / evolution.islands.max(1)).max(1);
    if let Selection::Tournament(size) = &mut evolution.selection {
        *size = (*size).min(island);
    }
    evolution.elites = evolution.elites.min((island - 1) / 2);
}
