//! What a run depends on, as its `config.toml` holds it.

use crate::runs::{Budget, Ends, Preset, SettingsError, VERSION, check_ranges, make_room};
use clearway_gp::Layout;
use clearway_tiles::Size;
use clearway_tiles::evolve::{Config, Experiment};
use serde::{Deserialize, Serialize};

/// Everything that a run depends on.
///
/// ```
/// use clearway_lab::tiles::Settings;
/// use clearway_tiles::{Size, evolve::Experiment};
/// let settings = Settings::learning(Size::new(3, 3).unwrap());
/// assert_eq!(settings.breeding.boards, 100);
/// assert_eq!(settings.check(), Ok(()));
/// assert_eq!(Settings::paper(Experiment::D).breeding.evolution.population, 500);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The version of the program.
    pub version: String,
    /// The command that began the run, without what changes nothing in it.
    pub command: String,
    /// Where the defaults come from.
    pub preset: Preset,
    /// Which of the experiments of Barnes, Hasan and Lee it is, with the preset of their paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Experiment>,
    /// The time of all generations, in seconds, after which the run ends before its last generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// How programs are bred.
    pub breeding: Config,
}

/// The fewest programs of an island.
const ISLAND: u32 = 8;

impl Settings {
    /// Programs that learn to solve boards of a frame.
    pub fn learning(frame: Size) -> Settings {
        Settings::new(Preset::Default, None, Config::learning(frame))
    }

    /// An experiment of the paper.
    pub fn paper(experiment: Experiment) -> Settings {
        Settings::new(Preset::Paper, Some(experiment), Config::paper(experiment))
    }

    fn new(preset: Preset, experiment: Option<Experiment>, breeding: Config) -> Settings {
        let (version, command) = (VERSION.to_owned(), "clearway tiles evolve".to_owned());
        Settings { version, command, preset, experiment, budget: None, breeding }
    }

    /// Sets the number of programs of a generation; where they are few, they live on fewer islands.
    pub fn set_population(&mut self, population: u32) {
        let evolution = &mut self.breeding.evolution;
        evolution.population = population;
        evolution.islands = evolution.islands.min((population / ISLAND).max(1));
        make_room(evolution);
    }

    /// Whether a run can be made of them.
    pub fn check(&self) -> Result<(), SettingsError> {
        let Config { generations, rows, columns, boards, moves, depth, size, .. } = self.breeding;
        let sides = (2.0, Size::MOST as f64);
        check_ranges(&[
            ("generations", f64::from(generations), 1.0, u32::MAX.into()),
            ("rows", rows as f64, sides.0, sides.1),
            ("columns", columns as f64, sides.0, sides.1),
            ("boards", boards as f64, 1.0, 1e6),
            ("moves", moves as f64, 1.0, 1e9),
            ("depth", f64::from(depth), 2.0, Layout::MOST_DEPTH.into()),
            ("size", size as f64, 3.0, Layout::MOST_SIZE as f64),
            ("budget", self.budget.unwrap_or_default(), 0.0, f64::MAX),
        ])
    }

    /// When the run is done.
    pub(super) fn ends(&self) -> Ends {
        Ends { generations: self.breeding.generations, budget: self.budget.map(Budget::Seconds) }
    }

    /// Where all randomness comes from.
    pub fn seed(&self) -> u64 {
        self.breeding.evolution.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let frame = Size::new(4, 5).unwrap();
        let experiments = [Experiment::A, Experiment::B, Experiment::C, Experiment::D];
        for mut settings in experiments.map(Settings::paper).into_iter().chain([Settings::learning(frame)]) {
            settings.budget = Some(1.5);
            assert_eq!(toml::from_str::<Settings>(&toml::to_string(&settings).unwrap()).unwrap(), settings);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |change: fn(&mut Settings)| {
            let mut settings = Settings::paper(Experiment::D);
            assert_eq!(settings.check(), Ok(()));
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert_eq!(refused(|s| s.breeding.rows = 6), "rows is 6, but must be from 2 to 5");
        assert_eq!(refused(|s| s.breeding.boards = 0), "boards is 0, but must be from 1 to 1000000");
        assert_eq!(refused(|s| s.breeding.depth = 101), "depth is 101, but must be from 2 to 100");
        assert_eq!(refused(|s| s.budget = Some(-1.0)), "budget is -1, but must be at least 0");
    }

    #[test]
    fn few_programs_live_on_few_islands() {
        let islands = |population| {
            let mut settings = Settings::learning(Size::new(3, 3).unwrap());
            settings.set_population(population);
            settings.breeding.evolution.islands
        };
        assert_eq!([1, 15, 16, 1000].map(islands), [1, 1, 2, 6]);
    }
}
