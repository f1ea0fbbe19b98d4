//! The options of `clearway evolve`.

use super::search::SearchArgs;
use super::seeds::SeedsArg;
use crate::commands::runs::{set, value_name};
use clap::Args;
use clearway_lab::evolve::{Coevolution, DirectSearch, GeneratedSet, Settings, Starts};
use clearway_lab::runs::{BudgetError, Preset, RunBudget, fit_to_population, with_option, with_options};
use clearway_policy::terminals::TerminalSet;
use clearway_policy::training::{Objective, PolicySearchError};
use clearway_rush::Metric;
use std::path::PathBuf;
use std::str::FromStr as _;

/// Evolve a policy on training boards, and measure its savings on test boards
///
/// Policies are rules over heuristics that guide a search; genetic programming evolves them, as in GP-Rush. The run is saved
/// in a folder: its settings (config.toml), a line per generation (log.jsonl), checkpoints, the champion (champion.policy)
/// and a report (report.html). It can be interrupted at any time; with --resume it continues to the same champion as without
/// the interruption. With --seeds, the folder holds a run for each seed, in seed-N, and a report about all of them.
///
/// Prints the champion and its results on the test boards, which were not used for selection: the nodes in per cent of
/// those that iterative deepening without a heuristic expands (the mean over the boards, and over all boards together), the
/// mean time per board, the number of boards solved, and the length of the solutions.
///
/// Some boards have too many states to prepare all of them, or are too hard without a heuristic. With --direct, with a --size
/// other than 6x6 or 8x8, or if every training board is too large or too hard, such boards are searched directly. Otherwise
/// they are left out.
///
/// --node-limit applies to each training board; --time-limit is not supported, because the fitness of a policy must not
/// depend on time.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  clearway evolve                                     a policy for 6x6 boards, in about 20 seconds on two cores
  clearway evolve --suite cards --test vandijk --generations 3 --population 20   a first look, in seconds
  clearway evolve --size 8x8 --seed 3 --budget 20m
  clearway evolve --size 8,10,12 --budget 1h          one policy for boards of several sizes
  clearway evolve --search wastar --longest 1.1       best-first search, solutions at most a tenth longer
  clearway evolve --preset paper --group 2            the settings of GP-Rush
  clearway evolve --suite boards.txt --test test-6x6 --generations 200 --out mine
  clearway evolve --longest 1.1 --validate vandijk    check the bound on validation boards
  clearway evolve --resume mine                       resume an interrupted run
  clearway evolve --config mine/config.toml --seed 2  the same settings with another seed
  clearway evolve --seeds 10 --budget 30M --out ten   ten seeds in parallel, with statistics of their champions
  clearway evolve --coevolve                          co-evolve boards that are hard for the policies")]
pub struct EvolveArgs {
    /// Default settings: default, which gives better policies, or paper, the settings of GP-Rush
    #[arg(short, long, value_name = "NAME")]
    pub(super) preset: Option<Preset>,

    /// Sizes of the boards, such as 8x8 or 8,10,12, which determine the default suites: train-6x6, train-8x8, and generated
    /// boards for other sizes [default: 6x6]
    #[arg(long, value_name = "SIZES", value_parser = parse_sizes)]
    pub(super) size: Option<SizesArg>,

    /// Suite or file of training boards, or dense-10x10 for generated boards of a size; can be repeated [default: by --size]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) suite: Vec<String>,

    /// Metric of distances and lengths [default: moves]
    #[arg(short, long)]
    pub(super) metric: Option<Metric>,

    /// Search boards with too many states directly, instead of leaving them out
    #[arg(long)]
    pub(super) direct: bool,

    /// Start states of the training searches: the boards as given, random states, or both
    #[arg(long, value_name = "WHERE")]
    pub(super) starts: Option<Starts>,

    /// Group of GP-Rush's boards, for --preset paper: 1 to 5 are cards and hard-steps-200, 6 is train-8x8
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6), conflicts_with_all = ["suite", "size"])]
    pub(super) group: Option<u8>,

    /// Suite or file of test boards; can be repeated [default: test-6x6 and test-6x6-random, or those of other sizes; for
    /// --preset paper, boards held out of the training boards]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) test: Vec<String>,

    /// Suite or file of validation boards, searched as given, which select the champion among the best of the last
    /// generations; can be repeated [default: the training boards]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) validate: Vec<String>,

    #[command(flatten)]
    pub(super) search: SearchArgs,

    /// Objective of a policy: few nodes, little time, or as in GP-Rush the percentage of nodes saved
    #[arg(long, value_name = "WHAT")]
    pub(super) objective: Option<Objective>,

    /// Maximum mean solution length, relative to the optimum: 0 for no limit, or at least 1
    #[arg(long, value_name = "RATIO", value_parser = parse_longest)]
    pub(super) longest: Option<f64>,

    /// Heuristics that policies can use: those of GP-Rush, or an extended set
    #[arg(long, value_name = "SET")]
    pub(super) terminals: Option<TerminalSet>,

    /// Policy to add to the initial population: a file or the name of a built-in policy; can be repeated
    #[arg(long, value_name = "POLICY")]
    pub(super) from: Vec<String>,

    /// Number of rules of a policy, besides the default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=64))]
    pub(super) rules: Option<u8>,

    /// Maximum number of levels of a tree
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub(super) depth: Option<u32>,

    /// Number of boards that a generation is evaluated on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) sample: Option<u32>,

    /// Random seed [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(super) seed: Option<u64>,

    /// A run for each of several seeds, in parallel: the number of seeds, from --seed on, or seeds such as 3..12 or 1,2,5
    #[arg(long, value_name = "N|SEEDS", value_parser = SeedsArg::from_str)]
    pub(super) seeds: Option<SeedsArg>,

    /// Number of generations
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) generations: Option<u32>,

    /// Number of policies per generation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) population: Option<u32>,

    /// Number of islands (subpopulations)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) islands: Option<u32>,

    /// Maximum run time (90s, 3m, 1h) or number of searched nodes (500M, 2G)
    #[arg(short, long, value_name = "TIME|NODES", value_parser = parse_budget)]
    pub(super) budget: Option<BudgetArg>,

    /// Co-evolve the training boards: some are replaced by boards that are hard for the current policies
    #[arg(long)]
    pub(super) coevolve: bool,

    /// Read the settings from a file, such as the config.toml of a run; other options override them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "size", "group"])]
    pub(super) config: Option<PathBuf>,

    /// Folder of the run, which must be empty or new [default: evolve-SEED, or evolve-seeds]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Resume the run, or the runs of several seeds, in this folder; only --generations and --budget can be changed
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "preset", "size", "suite", "metric", "direct", "starts", "group", "test", "validate", "objective", "longest", "terminals",
        "from", "rules", "depth", "sample", "seed", "seeds", "population", "islands", "coevolve", "config", "out",
    ])]
    pub resume: Option<PathBuf>,
}

/// Sizes of square boards, and their text on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SizesArg {
    text: String,
    pub(super) sides: Vec<u8>,
}

/// Parses sizes such as 8x8, 10 or 8,10,12.
fn parse_sizes(text: &str) -> Result<SizesArg, String> {
    let side = |size: &str| {
        let (width, height) = size.split_once('x').unwrap_or((size, size));
        width.parse().ok().filter(|side| width == height && GeneratedSet::SIDES.contains(side))
    };
    let sides: Option<Vec<u8>> = text.split(',').map(side).collect();
    let is_unique = |sides: &Vec<u8>| (1..sides.len()).all(|place| !sides[..place].contains(&sides[place]));
    let sides = sides.filter(is_unique).ok_or_else(|| {
        let (least, most) = (GeneratedSet::SIDES.start(), GeneratedSet::SIDES.end());
        format!("invalid sizes '{text}'; expected different sizes from {least} to {most}, such as 8x8 or 8,10,12")
    })?;
    Ok(SizesArg { text: text.to_owned(), sides })
}

/// A budget, and its text on the command line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BudgetArg {
    text: String,
    pub(super) budget: RunBudget,
}

fn parse_budget(text: &str) -> Result<BudgetArg, BudgetError> {
    Ok(BudgetArg { text: text.to_owned(), budget: text.parse()? })
}

/// Parses a ratio of solution lengths. No solution is shorter than the optimum, so ratios between 0 and 1 are invalid.
fn parse_longest(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|&ratio| ratio == 0.0 || (1.0..=1e6).contains(&ratio));
    ratio.ok_or_else(|| format!("invalid ratio '{text}'; expected 0 (no limit) or a number from 1 to 1000000"))
}

impl EvolveArgs {
    /// Applies the given options to settings. `nodes` is the node limit.
    pub(super) fn apply(&self, settings: &mut Settings, nodes: Option<u64>) -> Result<(), PolicySearchError> {
        let breeding = &mut settings.breeding;
        breeding.search = self.search.apply(&breeding.search)?;
        set(&mut breeding.objective, self.objective);
        set(&mut breeding.longest, self.longest);
        set(&mut breeding.terminals, self.terminals);
        set(&mut breeding.rules, self.rules.map(usize::from));
        set(&mut breeding.depth, self.depth);
        set(&mut breeding.sample, self.sample.map(|sample| sample as usize));
        set(&mut breeding.evolution.seed, self.seed);
        set(&mut breeding.evolution.population, self.population);
        set(&mut breeding.evolution.islands, self.islands);
        // TOML has no greater number, and no search reaches it.
        let nodes = nodes.map(|nodes| nodes.min(i64::MAX as u64));
        set(&mut breeding.nodes, nodes);
        if self.direct && settings.direct.is_none() {
            settings.direct = Some(DirectSearch::default());
        }
        match &mut settings.direct {
            Some(direct) => set(&mut direct.nodes, nodes),
            None => set(&mut settings.hardest, nodes),
        }
        set(&mut settings.starts, self.starts);
        set(&mut settings.metric, self.metric);
        if self.coevolve && settings.coevolution.is_none() {
            settings.coevolution = Some(Coevolution::default());
        }
        if let Some(coevolution) = settings.coevolution {
            // A new sample is drawn whenever boards are replaced.
            settings.breeding.resample = settings.breeding.resample.min(coevolution.epoch);
        }
        fit_to_population(&mut settings.breeding.evolution);
        self.extend(settings);
        Ok(())
    }

    /// Applies the options that can be changed when a run is resumed.
    pub fn extend(&self, settings: &mut Settings) {
        set(&mut settings.breeding.generations, self.generations);
        if let Some(budget) = &self.budget {
            settings.budget = Some(budget.budget);
        }
        let generations = self.generations.map(|generations| generations.to_string());
        let budget = self.budget.as_ref().map(|budget| budget.text.clone());
        for (name, value) in [("generations", generations), ("budget", budget)] {
            if let Some(value) = value {
                settings.command = with_option(&settings.command, name, &value);
            }
        }
    }

    /// Returns the command line, without the options that do not affect the result: folder, threads and output.
    pub(super) fn command(&self, nodes: Option<u64>) -> String {
        fn one<T: ToString>(name: &'static str, value: Option<T>) -> Option<(&'static str, String)> {
            value.map(|value| (name, value.to_string()))
        }
        let many = |name: &'static str, values: &[String]| -> Vec<_> {
            values.iter().map(|value| (name, value.clone())).collect()
        };
        let config = self.config.as_ref().map(|path| path.display());
        let first = [
            one("config", config),
            one("preset", self.preset.as_ref().map(value_name)),
            one("size", self.size.as_ref().map(|sizes| &sizes.text)),
            one("group", self.group),
        ];
        let starts = one("starts", self.starts.as_ref().map(value_name));
        let metric = one("metric", self.metric.as_ref().map(value_name));
        let others = [
            one("objective", self.objective.as_ref().map(value_name)),
            one("longest", self.longest),
            one("terminals", self.terminals.as_ref().map(value_name)),
            one("rules", self.rules),
            one("depth", self.depth),
            one("sample", self.sample),
            one("node-limit", nodes),
            one("seed", self.seed),
            one("generations", self.generations),
            one("population", self.population),
            one("islands", self.islands),
            one("budget", self.budget.as_ref().map(|budget| &budget.text)),
        ];
        let given = first.into_iter().flatten();
        let given = given
            .chain(many("suite", &self.suite))
            .chain(many("test", &self.test))
            .chain(many("validate", &self.validate));
        let given = given.chain(many("from", &self.from));
        let given = given.chain(metric).chain(starts).chain(self.search.given());
        let given = given.chain(others.into_iter().flatten());
        let direct = if self.direct { " --direct" } else { "" };
        let coevolve = if self.coevolve { " --coevolve" } else { "" };
        with_options("clearway evolve", given) + direct + coevolve
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    fn args(given: &[&str]) -> EvolveArgs {
        let command = EvolveArgs::augment_args(Command::new("evolve").no_binary_name(true));
        EvolveArgs::from_arg_matches(&command.get_matches_from(given)).unwrap()
    }

    #[test]
    fn the_command_has_the_options_that_affect_the_result() {
        let given = [
            "--size",
            "8x8",
            "--suite",
            "my boards.txt",
            "--search",
            "wastar",
            "--weight",
            "2.5",
            "--seed",
            "7",
            "--budget",
            "5m",
            "--coevolve",
            "--out",
            "there",
        ];
        assert_eq!(
            args(&given).command(Some(9)),
            "clearway evolve --size 8x8 --suite 'my boards.txt' --search wastar --weight 2.5 --node-limit 9 --seed 7 \
             --budget 5m --coevolve"
        );
        assert_eq!(args(&[]).command(None), "clearway evolve");
    }

    #[test]
    fn options_are_applied_to_the_settings() {
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        let given = [
            "--search",
            "ida-order",
            "--memo",
            "cleared",
            "--rules",
            "2",
            "--terminals",
            "paper",
            "--generations",
            "9",
        ];
        args(&given).apply(&mut settings, Some(77)).unwrap();
        let breeding = &settings.breeding;
        let search = "ida(policy, order, increment=4, growth=2, reopen=no, shortcut=yes)";
        assert_eq!(breeding.search.to_string(), search);
        assert_eq!((breeding.rules, breeding.terminals, breeding.generations), (2, TerminalSet::Paper, 9));
        assert_eq!((breeding.nodes, settings.hardest), (77, 77));
        assert_eq!(settings.coevolution, None);
    }

    #[test]
    fn sizes_are_parsed() {
        let sides = |text| parse_sizes(text).map(|sizes| sizes.sides);
        assert_eq!(sides("6x6"), Ok(vec![6]));
        assert_eq!(sides("8,10x10,12"), Ok(vec![8, 10, 12]));
        for text in ["", "8x", "8x9", "5", "17", "8,8", "8,,10", "ten"] {
            let expected = "expected different sizes from 6 to 16, such as 8x8 or 8,10,12";
            assert_eq!(sides(text), Err(format!("invalid sizes '{text}'; {expected}")));
        }
    }

    #[test]
    fn the_node_limit_of_direct_searches_leaves_no_board_out() {
        let mut settings = Settings::new(Preset::Default, (6, 6), None);
        let hardest = settings.hardest;
        args(&["--direct", "--metric", "steps"]).apply(&mut settings, Some(77)).unwrap();
        assert_eq!((settings.breeding.nodes, settings.direct), (77, Some(DirectSearch { nodes: 77 })));
        assert_eq!((settings.hardest, settings.metric), (hardest, Metric::Steps));
        assert_eq!(args(&["--direct", "--size", "8,10"]).command(None), "clearway evolve --size 8,10 --direct");
    }

    #[test]
    fn an_unknown_option_of_the_search_is_rejected() {
        for (given, expected) in [
            (&["--search", "greedy", "--weight", "3"][..], "greedy has no option 'weight'; it is an option of wastar"),
            (&["--weight", "3"], "ida has no option 'weight'"),
            (&["--search", "wastar", "--memo", "kept"], "wastar has no option 'memo'; it is an option of id and ida"),
            (&["--search", "wastar", "--weight", "x"], "invalid weight 'x'; expected a number from 0 to 1000000"),
            (&["--search", "bfs"], "bfs takes no heuristic"),
            (&["--search", "astra(policy)"], "unknown algorithm 'astra'; did you mean 'astar'?"),
        ] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            let error = args(given).apply(&mut settings, None).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{given:?}: {error}");
        }
    }
}
