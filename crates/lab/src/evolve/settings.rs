//! Settings of a run that evolves policies, stored as `config.toml`.

use super::generated::GeneratedSet;
use crate::ConfiguredAlgorithm;
use crate::runs::{Preset, RunBudget, RunSettings, SettingsError, StopCriteria, VERSION, check_ranges};
use clearway_policy::training::{Arena, BoardLimits, Config, DirectLimits, PolicySearch};
use clearway_policy::{MAX_RULES, Policy};
use clearway_rush::formats::Puzzle;
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};
use clearway_search::{Limits, Verdict};
use serde::{Deserialize, Serialize};

/// Everything that the result of a run depends on, besides the boards themselves.
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
    /// Version of clearway.
    pub version: String,
    /// Command that started the run, without options that do not affect the result.
    pub command: String,
    /// Source of the default settings.
    pub preset: Preset,
    /// Metric of distances and lengths.
    #[serde(default, skip_serializing_if = "is_default")]
    pub metric: Metric,
    /// Training boards: names of suites, files and [generated sets](GeneratedSet).
    pub training: Vec<String>,
    /// Start states of the searches on training boards.
    pub starts: Starts,
    /// Group of GP-Rush's boards to use; `None` for all boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u8>,
    /// Test boards: names of suites and files. If there are none, some of the hardest training boards are held out.
    pub test: Vec<String>,
    /// Validation boards, on which the champion is chosen: names of suites and files. If there are none, the training boards
    /// are used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<String>,
    /// Training and validation boards whose component has more states than this are left out, or searched directly.
    pub largest: usize,
    /// Training and validation boards on which the search without a heuristic expands more nodes than this are left out.
    pub hardest: u64,
    /// Budget that ends the run before its last generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<RunBudget>,
    /// Searches of boards whose component has more than `largest` states; `None` to leave such boards out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct: Option<DirectSearch>,
    /// Coevolution of the boards, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coevolution: Option<Coevolution>,
    /// Configuration of the evolution.
    pub breeding: Config,
}

/// Start states of the searches on training boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Starts {
    /// The state of the board as given: in the suites, the hardest state of its component.
    #[default]
    Hardest,
    /// A random state of the component.
    Random,
    /// Both: one search from each.
    Both,
}

/// Searches of boards with too many states to prepare all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DirectSearch {
    /// Maximum number of nodes per search.
    pub nodes: u64,
}

impl Default for DirectSearch {
    fn default() -> Self {
        DirectSearch { nodes: 5_000 }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Coevolution of boards against the policies. The seed selects the boards that may be replaced. Each epoch replaces some of
/// them, starting with those that were replaced longest ago.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Coevolution {
    /// Number of generations per epoch, after which boards are replaced. Rounded up to a multiple of the generations that
    /// share a sample of boards.
    pub epoch: u32,
    /// Number of boards that an epoch replaces.
    pub boards: usize,
    /// Fraction of the training boards that may be replaced.
    pub share: f64,
    /// Number of changes tried to make a board harder.
    pub changes: u32,
    /// Node limit of the search that measures the difficulty of a board.
    pub nodes: u64,
}

impl Default for Coevolution {
    fn default() -> Self {
        Coevolution { epoch: 6, boards: 6, share: 0.3, changes: 40, nodes: 100_000 }
    }
}

/// Maximum depth of a tree. Deeper trees could exceed the maximum size of a policy.
const MAX_DEPTH: u8 = 10;

/// Number of groups of GP-Rush's 6x6 boards. The 8x8 boards are an additional group.
pub const GROUPS: u8 = 5;

impl Settings {
    /// Settings of a preset for boards of a size. The group selects boards of the paper's preset.
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
            metric: Metric::Moves,
            training: names(training),
            starts: Starts::default(),
            group,
            test: names(test),
            validation: Vec::new(),
            largest: states * if large { 2 } else { 1 },
            // The paper allows boards up to its node limit; the default preset saves time with easier boards.
            hardest: match preset {
                Preset::Paper => breeding.nodes,
                Preset::Default => baseline * if large { 4 } else { 1 },
            },
            budget: None,
            direct: None,
            coevolution: None,
            breeding,
        }
    }

    /// Settings for square boards of several sizes: the training suite of a size if there is one, otherwise generated boards.
    /// Policies guide weighted A* with the options for large boards, and boards with too many states are searched directly.
    pub fn for_sizes(preset: Preset, sides: &[u8]) -> Settings {
        let mut settings = Settings::new(preset, (6, 6), None);
        let training = |side: u8| {
            let suite = format!("train-{side}x{side}");
            Suite::find(&suite).map_or_else(|| GeneratedSet { side }.to_string(), |_| suite)
        };
        settings.training = sides.iter().map(|&side| training(side)).collect();
        let tests = sides.iter().map(|side| format!("test-{side}x{side}"));
        settings.test = tests.filter(|name| Suite::find(name).is_some()).collect();
        // The limit of 8x8 boards: on larger ones, the baseline needs more nodes anyway.
        settings.hardest = Settings::new(preset, (8, 8), None).hardest;
        settings.direct = Some(DirectSearch::default());
        settings.breeding.search = PolicySearch::wastar_on_large_boards();
        if preset == Preset::Default {
            // Where most policies find no plan at all, long ones are better than none; they are easily shortened afterwards.
            settings.breeding.longest = 1.6;
        }
        settings
    }

    /// Default group of a preset for boards of a size.
    pub fn default_group(preset: Preset, size: (u8, u8)) -> Option<u8> {
        let usual = if size == (6, 6) { 1 } else { GROUPS + 1 };
        (preset == Preset::Paper).then_some(usual)
    }

    /// Converts the settings to TOML.
    ///
    /// # Panics
    /// If a number exceeds the maximum of TOML, 2^63 - 1.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("settings hold nothing that TOML cannot express")
    }

    /// Parses settings from TOML.
    pub fn from_toml(text: &str) -> Result<Settings, toml::de::Error> {
        toml::from_str(text)
    }

    /// Seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.breeding.evolution.seed
    }

    /// Number of generations per epoch of coevolution: a multiple of the generations that share a sample of boards.
    pub(super) fn epoch(&self) -> Option<u32> {
        let resample = self.breeding.resample.max(1);
        self.coevolution.map(|coevolution| coevolution.epoch.max(1).div_ceil(resample).saturating_mul(resample))
    }

    /// Returns whether no board can be prepared, because it has too many states or takes the search without a heuristic more
    /// than `hardest` nodes.
    pub fn is_direct_needed(&self, boards: &[Puzzle], hardest: u64) -> bool {
        let limits = BoardLimits { states: self.largest, ..BoardLimits::default() };
        let Ok(baseline) = "id(increment=5)".parse::<ConfiguredAlgorithm>() else { return false };
        let is_too_hard = |board: &Board| {
            let limits = Limits { nodes: Some(hardest), ..Limits::default() };
            let outcome = baseline.solve(board, self.metric, &limits, &HeuristicContext::default());
            matches!(outcome.verdict, Verdict::Limit(_))
        };
        boards.iter().all(|puzzle| Arena::is_too_large(&puzzle.board, &limits) || is_too_hard(&puzzle.board))
    }

    /// Limits on training and validation boards, without caches.
    pub(super) fn board_limits(&self) -> BoardLimits {
        let direct = self.direct.map(|direct| DirectLimits { nodes: direct.nodes, cache: 0 });
        BoardLimits { states: self.largest, baseline: self.hardest, direct, ..BoardLimits::default() }
    }
}

impl RunSettings for Settings {
    fn stop_criteria(&self) -> StopCriteria {
        StopCriteria { generations: self.breeding.generations, budget: self.budget }
    }

    fn check(&self) -> Result<(), SettingsError> {
        let Config { generations, rules, depth, sample, longest, cap, nodes, .. } = &self.breeding;
        let rates = self.coevolution.map_or((0.0, 1.0), |coevolution| (coevolution.share, coevolution.epoch.into()));
        let seconds = match self.budget {
            Some(RunBudget::Seconds(seconds)) => seconds,
            _ => 1.0,
        };
        let no_limit = f64::MAX;
        let ranges = [
            ("generations", f64::from(*generations), 1.0, u32::MAX.into()),
            ("rules", *rules as f64, 0.0, MAX_RULES as f64),
            // A condition has two levels.
            ("depth", f64::from(*depth), if *rules > 0 { 2.0 } else { 1.0 }, MAX_DEPTH.into()),
            ("sample", *sample as f64, 1.0, no_limit),
            ("cap", *cap, 0.0, 1e6),
            ("nodes", *nodes as f64, 1.0, no_limit),
            ("largest", self.largest as f64, 1.0, no_limit),
            ("hardest", self.hardest as f64, 1.0, no_limit),
            ("direct nodes", self.direct.map_or(1.0, |direct| direct.nodes as f64), 1.0, no_limit),
            ("share", rates.0, 0.0, 1.0),
            ("epoch", rates.1, 1.0, no_limit),
            ("seconds", seconds, 0.0, no_limit),
            ("group", self.group.unwrap_or(1).into(), 1.0, f64::from(GROUPS) + 1.0),
        ];
        // The ratio of a length to the optimum is at least 1.
        if *longest != 0.0 && !(1.0..=1e6).contains(longest) {
            let expected = "0 (no limit) or 1 to 1000000".to_owned();
            return Err(SettingsError { name: "longest", value: longest.to_string(), expected });
        }
        for text in &self.breeding.from {
            let fits = Policy::parse(text, "from").map(|policy| policy.rules.len() <= *rules);
            if !fits.unwrap_or(false) {
                let expected = format!("a policy with at most {rules} rules");
                return Err(SettingsError { name: "from", value: format!("'{}'", text.trim_end()), expected });
            }
        }
        check_ranges(&ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip_through_toml() {
        for preset in [Preset::Paper, Preset::Default] {
            let mut settings = Settings::new(preset, (8, 8), Some(2));
            settings.budget = Some(RunBudget::Nodes(7));
            settings.coevolution = Some(Coevolution::default());
            settings.metric = Metric::Steps;
            settings.direct = Some(DirectSearch::default());
            settings.breeding.evolution.seed = i64::MAX as u64;
            assert_eq!(Settings::from_toml(&settings.to_toml()).unwrap(), settings);
        }
    }

    #[test]
    fn presets_select_their_boards() {
        let names = |preset, size, group| Settings::new(preset, size, group).training;
        assert_eq!(names(Preset::Default, (8, 8), None), ["train-8x8"]);
        assert_eq!(names(Preset::Paper, (6, 6), Some(5)), ["cards", "hard-steps-200"]);
        assert_eq!(names(Preset::Paper, (6, 6), Some(6)), ["train-8x8"]);
    }

    #[test]
    fn sizes_select_suites_and_generated_boards() {
        let settings = Settings::for_sizes(Preset::Default, &[8, 9, 10]);
        assert_eq!(settings.training, ["train-8x8", "dense-9x9", "dense-10x10"]);
        assert_eq!(settings.test, ["test-8x8", "test-10x10"]);
        assert_eq!((settings.check(), settings.direct), (Ok(()), Some(DirectSearch::default())));
        let search = settings.breeding.search.to_string();
        assert_eq!(search, "wastar(policy, weight=1, deferred=yes, preferred=yes, novelty=2)");
        assert!(settings.breeding.longest > Settings::for_sizes(Preset::Paper, &[10]).breeding.longest);
    }

    #[test]
    fn the_metric_and_direct_searches_are_stored_only_if_they_differ_from_the_default() {
        let text = Settings::new(Preset::Default, (6, 6), None).to_toml();
        assert!(!text.contains("metric") && !text.contains("direct"), "{text}");
    }

    #[test]
    fn invalid_settings_are_rejected() {
        let message = |change: fn(&mut Settings)| {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            assert_eq!(settings.check(), Ok(()));
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert_eq!(message(|s| s.breeding.rules = 65), "invalid rules 65; expected 0 to 64");
        assert_eq!(message(|s| s.breeding.generations = 0), "invalid generations 0; expected 1 to 4294967295");
        for (longest, value) in [(0.5, "0.5"), (-1.0, "-1"), (f64::NAN, "NaN"), (2e6, "2000000")] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            settings.breeding.longest = longest;
            let message = format!("invalid longest {value}; expected 0 (no limit) or 1 to 1000000");
            assert_eq!(settings.check().unwrap_err().to_string(), message);
        }
        for longest in [0.0, 1.0, 1.1, 1e6] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            settings.breeding.longest = longest;
            assert_eq!(settings.check(), Ok(()));
        }
        assert_eq!(message(|s| s.breeding.nodes = 0), "invalid nodes 0; expected at least 1");
    }

    #[test]
    fn epochs_are_multiples_of_the_sample_period() {
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        assert_eq!(settings.epoch(), None);
        settings.breeding.resample = 4;
        settings.coevolution = Some(Coevolution { epoch: 6, ..Coevolution::default() });
        assert_eq!(settings.epoch(), Some(8));
    }
}
