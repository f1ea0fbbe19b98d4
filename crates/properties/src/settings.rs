//! Settings of runs, and quantities as typed by users.

use crate::shared::{choice, text};
use clearway_lab::runs::{RunBudget, RunSettings};
use clearway_lab::{evolve, quantity, tiles};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Checks settings and quantities. The first byte selects the kind of the text: settings of a run that evolves policies or
/// programs for tiles, a budget, a time or a size. Parsing and validation do not panic, and settings and budgets round-trip.
pub fn settings(bytes: &[u8]) {
    let Some((kind, rest)) = choice(bytes) else { return };
    let Some(text) = text(rest) else { return };
    match kind % 5 {
        0 => check_toml::<evolve::Settings, _>(text, evolve::Settings::check),
        1 => check_toml::<tiles::ProgramSettings, _>(text, tiles::ProgramSettings::check),
        2 => {
            let Ok(budget) = text.parse::<RunBudget>() else { return };
            let printed = budget.to_string();
            let again: RunBudget = printed.parse().unwrap_or_else(|error| panic!("{error}: {printed}"));
            assert_eq!(again.to_string(), printed);
        }
        3 => drop(quantity::parse_time(text)),
        _ => drop(quantity::parse_size(text)),
    }
}

/// Checks the settings of a `config.toml`.
fn check_toml<S: Serialize + DeserializeOwned, E: ToString>(text: &str, check: impl Fn(&S) -> Result<(), E>) {
    let Ok(settings) = toml::from_str::<S>(text) else { return };
    // The error message contains parts of the input, so formatting it is checked as well.
    drop(check(&settings).map_err(|error| error.to_string()));
    let printed = toml::to_string(&settings).expect("settings from TOML can be written as TOML");
    let again: S = toml::from_str(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(toml::to_string(&again).as_ref(), Ok(&printed));
}
