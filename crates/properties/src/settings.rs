//! The settings of runs, and quantities as they are typed.

use crate::shared::{choice, text};
use clearway_lab::runs::Budget;
use clearway_lab::{evolve, quantity, tiles};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The first byte chooses what the text is: settings of a run that breeds policies or programs for tiles, a budget, a time or
/// a size. Reading and checking end without a panic, and what was read is the same after it is printed and read again.
pub fn settings(bytes: &[u8]) {
    let Some((what, rest)) = choice(bytes) else { return };
    let Some(text) = text(rest) else { return };
    match what % 5 {
        0 => check_toml::<evolve::Settings, _>(text, evolve::Settings::check),
        1 => check_toml::<tiles::Settings, _>(text, tiles::Settings::check),
        2 => {
            let Ok(budget) = text.parse::<Budget>() else { return };
            let printed = budget.to_string();
            let again: Budget = printed.parse().unwrap_or_else(|error| panic!("{error}: {printed}"));
            assert_eq!(again.to_string(), printed);
        }
        3 => drop(quantity::parse_time(text)),
        _ => drop(quantity::parse_bytes(text)),
    }
}

/// The settings of a run's `config.toml`.
fn check_toml<S: Serialize + DeserializeOwned, E: ToString>(text: &str, check: impl Fn(&S) -> Result<(), E>) {
    let Ok(settings) = toml::from_str::<S>(text) else { return };
    // The message of a refusal is made of what was read.
    drop(check(&settings).map_err(|error| error.to_string()));
    let printed = toml::to_string(&settings).expect("what TOML held can be written as TOML");
    let again: S = toml::from_str(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(toml::to_string(&again).as_ref(), Ok(&printed));
}
