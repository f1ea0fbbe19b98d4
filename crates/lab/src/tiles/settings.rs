//! Settings of a run that evolves programs, stored as `config.toml`.

use crate::runs::{
    Preset, RunBudget, RunSettings, SettingsError, StopCriteria, VERSION, check_ranges, fit_to_population,
};
use clearway_gp::GenomeLayout;
use clearway_tiles::Size;
use clearway_tiles::evolve::{Config, Experiment};
use serde::{Deserialize, Serialize};

/// Everything that the result of a run depends on.
///
/// ```
/// use clearway_lab::runs::RunSettings;
/// use clearway_lab::tiles::ProgramSettings;
/// use clearway_tiles::{Size, evolve::Experiment};
/// let settings = ProgramSettings::learning(Size::new(3, 3).unwrap());
/// assert_eq!(settings.breeding.boards, 100);
/// assert_eq!(settings.check(), Ok(()));
/// assert_eq!(ProgramSettings::paper(Experiment::D).breeding.evolution.population, 500);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProgramSettings {
    /// Version of clearway.
    pub version: String,
    /// Command that started the run, without options that do not affect the result.
    pub command: String,
    /// Source of the default settings.
    pub preset: Preset,
    /// Experiment of Barnes, Hasan and Lee, with the preset of their paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Experiment>,
    /// Total time of all generations, in seconds, after which the run ends early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Configuration of the evolution.
    pub breeding: Config,
}

/// Minimum number of programs per island.
const MIN_ISLAND: u32 = 8;

impl ProgramSettings {
    /// Settings that evolve programs with learned macros for boards of a size.
    pub fn learning(frame: Size) -> ProgramSettings {
        ProgramSettings::new(Preset::Default, None, Config::learning(frame))
    }

    /// Settings of an experiment of the paper.
    pub fn paper(experiment: Experiment) -> ProgramSettings {
        ProgramSettings::new(Preset::Paper, Some(experiment), Config::paper(experiment))
    }

    fn new(preset: Preset, experiment: Option<Experiment>, breeding: Config) -> ProgramSettings {
        let (version, command) = (VERSION.to_owned(), "clearway tiles evolve".to_owned());
        ProgramSettings { version, command, preset, experiment, budget: None, breeding }
    }

    /// Sets the population size. A small population is divided into fewer islands.
    pub fn set_population(&mut self, population: u32) {
        let evolution = &mut self.breeding.evolution;
        evolution.population = population;
        evolution.islands = evolution.islands.min((population / MIN_ISLAND).max(1));
        fit_to_population(evolution);
    }

    /// Seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.breeding.evolution.seed
    }
}

impl RunSettings for ProgramSettings {
    fn stop_criteria(&self) -> StopCriteria {
        StopCriteria { generations: self.breeding.generations, budget: self.budget.map(RunBudget::Seconds) }
    }

    fn check(&self) -> Result<(), SettingsError> {
        let Config { generations, rows, columns, boards, moves, depth, size, .. } = self.breeding;
        let sides = (2.0, Size::MAX_SIDE as f64);
        check_ranges(&[
            ("generations", f64::from(generations), 1.0, u32::MAX.into()),
            ("rows", rows as f64, sides.0, sides.1),
            ("columns", columns as f64, sides.0, sides.1),
            ("boards", boards as f64, 1.0, 1e6),
            ("moves", moves as f64, 1.0, 1e9),
            ("depth", f64::from(depth), 2.0, GenomeLayout::MAX_DEPTH.into()),
            ("size", size as f64, 3.0, GenomeLayout::MAX_SIZE as f64),
            ("budget", self.budget.unwrap_or_default(), 0.0, f64::MAX),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip_through_toml() {
        let frame = Size::new(4, 5).unwrap();
        let experiments = [Experiment::A, Experiment::B, Experiment::C, Experiment::D];
        for mut settings in
            experiments.map(ProgramSettings::paper).into_iter().chain([ProgramSettings::learning(frame)])
        {
            settings.budget = Some(1.5);
            assert_eq!(toml::from_str::<ProgramSettings>(&toml::to_string(&settings).unwrap()).unwrap(), settings);
        }
    }

    #[test]
    fn invalid_settings_are_rejected() {
        let message = |change: fn(&mut ProgramSettings)| {
            let mut settings = ProgramSettings::paper(Experiment::D);
            assert_eq!(settings.check(), Ok(()));
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert_eq!(message(|s| s.breeding.rows = 6), "invalid rows 6; expected 2 to 5");
        assert_eq!(message(|s| s.breeding.boards = 0), "invalid boards 0; expected 1 to 1000000");
        assert_eq!(message(|s| s.breeding.depth = 101), "invalid depth 101; expected 2 to 100");
        assert_eq!(message(|s| s.budget = Some(-1.0)), "invalid budget -1; expected at least 0");
    }

    #[test]
    fn small_populations_have_few_islands() {
        let islands = |population| {
            let mut settings = ProgramSettings::learning(Size::new(3, 3).unwrap());
            settings.set_population(population);
            settings.breeding.evolution.islands
        };
        assert_eq!([1, 15, 16, 1000].map(islands), [1, 1, 2, 6]);
    }
}
