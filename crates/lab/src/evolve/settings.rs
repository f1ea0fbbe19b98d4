//! What a run of evolution depends on, as its `config.toml` holds it.

use crate::runs::{Budget, Ends, Preset, SettingsError, VERSION, check_ranges};
use clearway_policy::training::{BoardLimits, Config};
use clearway_policy::{MOST_RULES, Policy};
use serde::{Deserialize, Serialize};

/// Everything that a run depends on, besides the boards themselves.
///
/// ```
/// use clearway_lab::evolve::Settings;
/// use clearway_lab::runs::Preset;
/// let settings = Settings::new(Preset::Default, (6, 6), None);
/// assert_eq!(settings.training, ["train-6x6"]);
/// let text = settings.to_toml();
/// assert!(text.contains("search = \"ida(policy, both, "));
/// assert_eq!(Settings::from_toml(&text).unwrap(), settings);
/// assert!(Settings::from_toml(&text.replace("starts", "stars")).is_err());
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
    /// The boards to learn from: suites and files.
    pub training: Vec<String>,
    /// Where a search of a training board starts.
    pub starts: Starts,
    /// Which of the groups of GP-Rush's boards is used; none for all boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u8>,
    /// The boards to test the champion on: suites and files. If there are none, some of the hardest training boards are
    /// held out for that.
    pub test: Vec<String>,
    /// The boards to choose the champion on: suites and files. If there are none, the training boards decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<String>,
    /// Boards to learn from or to choose on with more states than this in their component are left out.
    pub largest: usize,
    /// Those on which the search without a heuristic expands more nodes are left out.
    pub hardest: u64,
    /// What ends the run before its last generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// How boards evolve, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coevolution: Option<Coevolution>,
    /// How policies are bred.
    pub breeding: Config,
}

/// Where the search of a training board starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// Where the board stands: in the suites, the hardest state of its component.
    #[default]
    Hardest,
    /// At a random state of its component.
    Random,
    /// Once there and once here.
    Both,
}

/// How boards evolve against the policies. The boards that may be replaced are a share of all, chosen by the seed; an epoch
/// replaces some of them, and those that were replaced longest ago come first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Coevolution {
    /// The generations of an epoch, after which boards are replaced. Rounded up, so that the boards on which policies are
    /// judged change at the same time.
    pub epoch: u32,
    /// The boards that an epoch replaces.
    pub boards: usize,
    /// The share of the training boards that may be replaced.
    pub share: f64,
    /// The changes that are tried to make a board harder.
    pub changes: u32,
    /// The most nodes that count for a board.
    pub nodes: u64,
}

impl Default for Coevolution {
    fn default() -> Self {
        Coevolution { epoch: 6, boards: 6, share: 0.3, changes: 40, nodes: 100_000 }
    }
}

/// The most levels of a tree: those above could have more nodes than a policy may.
const MOST_DEPTH: u8 = 10;

/// The number of groups that GP-Rush's boards of 6x6 were divided into; the boards of 8x8 are one more.
pub const GROUPS: u8 = 5;

impl Settings {
    /// The settings of a preset for boards of a size, and for the paper's preset, for a group of its boards.
    pub fn new(preset: Preset, size: (u8, u8), group: Option<u8>) -> Settings {
        let large = size.0.max(size.1) > 6 || group == Some(GROUPS + 1);
        let (training, test): (&[&str], &[&str]) = match (preset, large) {
            (Preset::Paper, true) => (&["train-8x8"], &[]),
            (Preset::Paper, false) => (&["cards", "hard-steps-200"], &[]),
            (Preset::Default, false) => (&["train-6x6"], &["test-6x6", "test-6x6-random"]),
            (Preset::Default, true) => (&["train-8x8"], &["test-8x8", "test-8x8-random"]),
        };
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let breeding = if preset == Preset::Paper { Config::paper() } else { Config::default() };
        let BoardLimits { states, baseline, .. } = BoardLimits::default();
        Settings {
            version: VERSION.to_owned(),
            command: "clearway evolve".to_owned(),
            preset,
            training: names(training),
            starts: Starts::default(),
            group,
            test: names(test),
            validation: Vec::new(),
            largest: states * if large { 2 } else { 1 },
            // As hard as the limit on nodes allows; the default preset saves time with easier ones.
            hardest: match preset {
                Preset::Paper => breeding.nodes,
                Preset::Default => baseline * if large { 4 } else { 1 },
            },
            budget: None,
            coevolution: None,
            breeding,
        }
    }

    /// The group of boards that a preset has for boards of a size if none is chosen.
    pub fn usual_group(preset: Preset, size: (u8, u8)) -> Option<u8> {
        let usual = if size == (6, 6) { 1 } else { GROUPS + 1 };
        (preset == Preset::Paper).then_some(usual)
    }

    /// As TOML.
    ///
    /// # Panics
    /// If a number is above those that TOML has, 2^63 - 1.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("settings hold nothing that TOML cannot express")
    }

    /// From TOML.
    pub fn from_toml(text: &str) -> Result<Settings, toml::de::Error> {
        toml::from_str(text)
    }

    /// Whether a run can be made of them.
    pub fn check(&self) -> Result<(), SettingsError> {
        let Config { generations, rules, depth, sample, longest, cap, nodes, .. } = &self.breeding;
        let rates = self.coevolution.map_or((0.0, 1.0), |coevolution| (coevolution.share, coevolution.epoch.into()));
        let seconds = match self.budget {
            Some(Budget::Seconds(seconds)) => seconds,
            _ => 1.0,
        };
        let any = f64::MAX;
        let ranges = [
            ("generations", f64::from(*generations), 1.0, u32::MAX.into()),
            ("rules", *rules as f64, 0.0, MOST_RULES as f64),
            // A condition takes two levels.
            ("depth", f64::from(*depth), if *rules > 0 { 2.0 } else { 1.0 }, MOST_DEPTH.into()),
            ("sample", *sample as f64, 1.0, any),
            ("cap", *cap, 0.0, 1e6),
            ("nodes", *nodes as f64, 1.0, any),
            ("largest", self.largest as f64, 1.0, any),
            ("hardest", self.hardest as f64, 1.0, any),
            ("share", rates.0, 0.0, 1.0),
            ("epoch", rates.1, 1.0, any),
            ("seconds", seconds, 0.0, any),
            ("group", self.group.unwrap_or(1).into(), 1.0, f64::from(GROUPS) + 1.0),
        ];
        // No solution is shorter than the shortest.
        if *longest != 0.0 && !(1.0..=1e6).contains(longest) {
            let expected = "0 (no limit), or from 1 to 1000000".to_owned();
            return Err(SettingsError { name: "longest", value: longest.to_string(), expected });
        }
        for text in &self.breeding.from {
            let fits = Policy::parse(text, "from").map(|policy| policy.rules.len() <= *rules);
            if !fits.unwrap_or(false) {
                let expected = format!("a policy of at most {rules} rules");
                return Err(SettingsError { name: "from", value: format!("'{}'", text.trim_end()), expected });
            }
        }
        check_ranges(&ranges)
    }

    /// When the run is done.
    pub(super) fn ends(&self) -> Ends {
        Ends { generations: self.breeding.generations, budget: self.budget }
    }

    /// Where all randomness comes from.
    pub fn seed(&self) -> u64 {
        self.breeding.evolution.seed
    }

    /// The generations of an epoch of coevolution: a multiple of those that are judged on the same boards.
    pub(super) fn epoch(&self) -> Option<u32> {
        let resample = self.breeding.resample.max(1);
        self.coevolution.map(|coevolution| coevolution.epoch.max(1).div_ceil(resample).saturating_mul(resample))
    }

    /// What training boards may be like.
    pub(super) fn board_limits(&self) -> BoardLimits {
        BoardLimits { states: self.largest, baseline: self.hardest, ..BoardLimits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for preset in [Preset::Paper, Preset::Default] {
            let mut settings = Settings::new(preset, (8, 8), Some(2));
            settings.budget = Some(Budget::Nodes(7));
            settings.coevolution = Some(Coevolution::default());
            settings.breeding.evolution.seed = i64::MAX as u64;
            assert_eq!(Settings::from_toml(&settings.to_toml()).unwrap(), settings);
        }
    }

    #[test]
    fn each_preset_has_its_boards() {
        let names = |preset, size, group| Settings::new(preset, size, group).training;
        assert_eq!(names(Preset::Default, (8, 8), None), ["train-8x8"]);
        assert_eq!(names(Preset::Paper, (6, 6), Some(5)), ["cards", "hard-steps-200"]);
        assert_eq!(names(Preset::Paper, (6, 6), Some(6)), ["train-8x8"]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |change: fn(&mut Settings)| {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            assert_eq!(settings.check(), Ok(()));
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert_eq!(refused(|s| s.breeding.rules = 65), "rules is 65, but must be from 0 to 64");
        assert_eq!(refused(|s| s.breeding.generations = 0), "generations is 0, but must be from 1 to 4294967295");
        for (longest, value) in [(0.5, "0.5"), (-1.0, "-1"), (f64::NAN, "NaN"), (2e6, "2000000")] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            settings.breeding.longest = longest;
            let message = format!("longest is {value}, but must be 0 (no limit), or from 1 to 1000000");
            assert_eq!(settings.check().unwrap_err().to_string(), message);
        }
        for longest in [0.0, 1.0, 1.1, 1e6] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            settings.breeding.longest = longest;
            assert_eq!(settings.check(), Ok(()));
        }
        assert_eq!(refused(|s| s.breeding.nodes = 0), "nodes is 0, but must be at least 1");
    }

    #[test]
    fn epochs_end_where_samples_do() {
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        assert_eq!(settings.epoch(), None);
        settings.breeding.resample = 4;
        settings.coevolution = Some(Coevolution { epoch: 6, ..Coevolution::default() });
        assert_eq!(settings.epoch(), Some(8));
    }
}
