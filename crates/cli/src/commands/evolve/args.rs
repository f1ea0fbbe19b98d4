//! The options of `clearway evolve`.

use super::search::SearchArgs;
use crate::commands::runs::set;
use clap::{Args, ValueEnum};
use clearway_lab::evolve::{Coevolution, Settings, Starts};
use clearway_lab::runs::{Budget, Preset, make_room, with_option, with_options};
use clearway_policy::terminals::TerminalSet;
use clearway_policy::training::Objective;
use std::path::PathBuf;

/// Breed a policy on training boards, and show on others how much search it saves
///
/// Policies are rules over heuristics that guide a search; genetic programming breeds them, as GP-Rush did. The run is
/// kept in a folder: its settings (config.toml), a line for each generation (log.jsonl), checkpoints, the champion
/// (champion.policy) and a page about it all (report.html). It may be interrupted at any moment and goes on with
/// --resume to the very champion that it would have bred without the interruption.
///
/// Prints the champion, and how it does on boards that no selection saw: the nodes in per cent of those that iterative
/// deepening without a heuristic expands (the mean of the boards, and of all boards together), the mean time of a board,
/// the boards solved, and the length of the solutions.
///
/// --node-limit is that of a board, for training; --time-limit is refused: what a policy is worth must not depend on time.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway evolve                                     a policy for boards of 6x6, in about 20 seconds on two cores
  clearway evolve --size 8x8 --seed 3 --budget 20m
  clearway evolve --search wastar --longest 1.1       best-first search, solutions at most a tenth longer
  clearway evolve --preset paper --group 2            as GP-Rush did it
  clearway evolve --suite boards.txt --test test-6x6 --generations 200 --out mine
  clearway evolve --longest 1.1 --validate vandijk    the bound is to hold on other boards than those learnt from
  clearway evolve --resume mine                       go on where it was interrupted
  clearway evolve --config mine/config.toml --seed 2  the same settings with another seed
  clearway evolve --coevolve                          boards evolve against the policies")]
pub struct EvolveArgs {
    /// Where the other defaults come from: default, which does better, or paper, which does as GP-Rush did
    #[arg(short, long, value_name = "NAME")]
    pub(super) preset: Option<PresetArg>,

    /// The size of the boards that suites are chosen for [default: 6x6]
    #[arg(long, value_name = "WxH")]
    pub(super) size: Option<SizeArg>,

    /// Learn from the boards of this suite or file; may be given many times [default: train-6x6 or train-8x8]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) suite: Vec<String>,

    /// Where the searches of training boards start: where the boards stand, at random states, or both
    #[arg(long, value_name = "WHERE")]
    pub(super) starts: Option<StartsArg>,

    /// The group of GP-Rush's boards, for the preset paper: 1 to 5 are cards and hard-steps-200, 6 is train-8x8
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6), conflicts_with_all = ["suite", "size"])]
    pub(super) group: Option<u8>,

    /// Test on the boards of this suite or file; may be given many times [default: test-6x6 and test-6x6-random, or
    /// those of 8x8; for the preset paper, boards held out of the training boards]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) test: Vec<String>,

    /// Choose the champion, of the best of the last generations, on the boards of this suite or file, from where they
    /// stand; may be given many times [default: the training boards]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) validate: Vec<String>,

    #[command(flatten)]
    pub(super) search: SearchArgs,

    /// What makes a policy good: few nodes, little time, or as in GP-Rush the percentage of nodes saved
    #[arg(long, value_name = "WHAT")]
    pub(super) objective: Option<ObjectiveArg>,

    /// Maximum mean solution length, relative to the optimum: 0 (no limit), or from 1
    #[arg(long, value_name = "RATIO", value_parser = parse_longest)]
    pub(super) longest: Option<f64>,

    /// The heuristics that policies are made of: those of GP-Rush, or more
    #[arg(long, value_name = "SET")]
    pub(super) terminals: Option<TerminalsArg>,

    /// Begin with this policy, a file or one that comes with the program, beside others; may be given many times
    #[arg(long, value_name = "POLICY")]
    pub(super) from: Vec<String>,

    /// Rules of a policy, besides the default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=64))]
    pub(super) rules: Option<u8>,

    /// Levels of a tree
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub(super) depth: Option<u32>,

    /// Boards that a generation is judged on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) sample: Option<u32>,

    /// Where the randomness comes from [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(super) seed: Option<u64>,

    /// How many generations
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) generations: Option<u32>,

    /// How many policies a generation has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) population: Option<u32>,

    /// On how many islands they live
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) islands: Option<u32>,

    /// Stop after so much time (90s, 3m, 1h), or after searching so many nodes (500M, 2G)
    #[arg(short, long, value_name = "TIME|NODES", value_parser = parse_budget)]
    pub(super) budget: Option<BudgetArg>,

    /// Let boards evolve as well: some training boards are replaced by ones that are hard for the present policies
    #[arg(long)]
    pub(super) coevolve: bool,

    /// Take the settings from a file, such as the config.toml of a run; other options go before it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "size", "group"])]
    pub(super) config: Option<PathBuf>,

    /// Keep the run in this folder, which must be empty or new [default: evolve-SEED]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on with the run in this folder; only --generations and --budget may be changed
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "preset", "size", "suite", "starts", "group", "test", "validate", "objective", "longest", "terminals", "from",
        "rules", "depth", "sample", "seed", "population", "islands", "coevolve", "config", "out",
    ])]
    pub resume: Option<PathBuf>,
}

/// Defines an argument that takes one of a few words, each of which stands for a value of the library.
macro_rules! words {
    ($(#[$about:meta])* $name:ident for $of:ty { $($word:ident => $value:expr),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(super) enum $name {
            $($word),+
        }

        impl $name {
            /// What it stands for.
            pub(super) fn value(self) -> $of {
                match self {
                    $($name::$word => $value),+
                }
            }

            /// As it is typed.
            pub(super) fn word(self) -> String {
                self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
            }
        }
    };
}

words! { /// A preset.
PresetArg for Preset { Default => Preset::Default, Paper => Preset::Paper } }
words! { /// Where searches start.
StartsArg for Starts { Hardest => Starts::Hardest, Random => Starts::Random, Both => Starts::Both } }
words! { /// What is aimed at.
ObjectiveArg for Objective { Nodes => Objective::Nodes, Time => Objective::Time, Saved => Objective::Saved } }
words! { /// What trees are made of.
TerminalsArg for TerminalSet { Paper => TerminalSet::Paper, Extended => TerminalSet::Extended } }

/// A size that there are suites for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SizeArg {
    /// 6x6
    #[value(name = "6x6")]
    Six,
    /// 8x8
    #[value(name = "8x8")]
    Eight,
}

impl SizeArg {
    /// Width and height.
    pub(super) fn value(self) -> (u8, u8) {
        match self {
            SizeArg::Six => (6, 6),
            SizeArg::Eight => (8, 8),
        }
    }

    fn word(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// A budget, and how it was typed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BudgetArg {
    text: String,
    pub(super) budget: Budget,
}

fn parse_budget(text: &str) -> Result<BudgetArg, String> {
    Ok(BudgetArg { text: text.to_owned(), budget: text.parse()? })
}

/// Reads a ratio of lengths: no solution is shorter than the shortest.
fn parse_longest(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|&ratio| ratio == 0.0 || (1.0..=1e6).contains(&ratio));
    ratio.ok_or_else(|| format!("'{text}' is neither 0 (no limit) nor a number from 1 to 1000000"))
}

impl EvolveArgs {
    /// Puts the options that were given into settings.
    pub(super) fn apply(&self, settings: &mut Settings, nodes: Option<u64>) -> Result<(), String> {
        let breeding = &mut settings.breeding;
        breeding.search = self.search.apply(&breeding.search)?;
        set(&mut breeding.objective, self.objective.map(ObjectiveArg::value));
        set(&mut breeding.longest, self.longest);
        set(&mut breeding.terminals, self.terminals.map(TerminalsArg::value));
        set(&mut breeding.rules, self.rules.map(usize::from));
        set(&mut breeding.depth, self.depth);
        set(&mut breeding.sample, self.sample.map(|sample| sample as usize));
        set(&mut breeding.evolution.seed, self.seed);
        set(&mut breeding.evolution.population, self.population);
        set(&mut breeding.evolution.islands, self.islands);
        // TOML has no greater number, and no search comes near it.
        let nodes = nodes.map(|nodes| nodes.min(i64::MAX as u64));
        set(&mut breeding.nodes, nodes);
        set(&mut settings.hardest, nodes);
        set(&mut settings.starts, self.starts.map(StartsArg::value));
        if self.coevolve && settings.coevolution.is_none() {
            settings.coevolution = Some(Coevolution::default());
        }
        if let Some(coevolution) = settings.coevolution {
            // Policies are judged on other boards when boards are replaced.
            settings.breeding.resample = settings.breeding.resample.min(coevolution.epoch);
        }
        make_room(&mut settings.breeding.evolution);
        self.extend(settings);
        Ok(())
    }

    /// Puts in what may be changed in a run that goes on.
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

    /// The command without what changes nothing in the run: the folder, the threads, how it is shown.
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
            one("preset", self.preset.map(PresetArg::word)),
            one("size", self.size.map(SizeArg::word)),
            one("group", self.group),
        ];
        let starts = one("starts", self.starts.map(StartsArg::word));
        let others = [
            one("objective", self.objective.map(ObjectiveArg::word)),
            one("longest", self.longest),
            one("terminals", self.terminals.map(TerminalsArg::word)),
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
        let given = given.chain(starts).chain(self.search.given());
        let given = given.chain(others.into_iter().flatten());
        let coevolve = if self.coevolve { " --coevolve" } else { "" };
        with_options("clearway evolve", given) + coevolve
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
    fn the_command_says_all_that_matters_and_nothing_else() {
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
    fn options_are_put_into_the_settings() {
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
    fn an_option_that_the_search_does_not_have_is_refused() {
        for (given, expected) in [
            (&["--search", "greedy", "--weight", "3"][..], "greedy has no option 'weight'; it is an option of wastar"),
            (&["--weight", "3"], "ida has no option 'weight'"),
            (&["--search", "wastar", "--memo", "kept"], "wastar has no option 'memo'; it is an option of id and ida"),
            (&["--search", "wastar", "--weight", "x"], "invalid weight 'x'; expected a number from 0 to 1000000"),
            (&["--search", "bfs"], "bfs takes no heuristic"),
            (&["--search", "astra(policy)"], "unknown algorithm 'astra'; did you mean 'astar'?"),
        ] {
            let mut settings = Settings::new(Preset::Default, (6, 6), None);
            let error = args(given).apply(&mut settings, None).unwrap_err();
            assert!(error.starts_with(expected), "{given:?}: {error}");
        }
    }
}
