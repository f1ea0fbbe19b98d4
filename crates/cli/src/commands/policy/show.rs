//! `clearway policy show`: explains a policy in words and as a picture, and counts how often its rules fire.

use super::{BoardSet, board_sets, open, search};
use crate::args::InputArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::{self, Context};
use crate::progress::Bar;
use crate::quantity;
use clap::Args;
use clearway_lab::ConfiguredAlgorithm;
use clearway_policy::{FiringCounts, NamedPolicy, RuleExplanation, explain, svg};
use clearway_rush::formats::Puzzle;
use clearway_rush::heuristics::{self, DifficultyLevel};
use clearway_rush::{Board, Metric};
use clearway_search::deepening::NODE_LIMIT;
use clearway_search::{Limits, Verdict};
use clearway_util::parallel;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Explain a policy: its rules in words, a picture, how often each rule fires
///
/// Thresholds are printed in the units of the heuristics, although policy files give them as fractions of a heuristic's
/// scale. With boards or a suite, the policy guides its search on each board, and the rules that fire are counted over all
/// evaluated states. A search expands at most 1,500,000 states unless a limit is given.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy show hand
  clearway policy show my.policy --svg my.svg
  clearway policy show my.policy --suite cards           how often each rule fires
  clearway policy show my.policy boards.txt --json")]
pub struct PolicyShowArgs {
    /// Policy file, or name of a built-in policy
    #[arg(value_name = "FILE")]
    pub file: String,

    #[command(flatten)]
    pub input: InputArgs,

    /// Write a picture of the rules as trees to a file (- for stdout)
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
}

/// A policy, as `clearway policy show --json` prints it.
#[derive(Serialize)]
struct PolicyRecord<'a> {
    /// The name or the file.
    name: &'a str,
    /// The description in the policy.
    about: &'a str,
    /// Its search, or the default search if it does not specify one.
    search: String,
    /// The heuristics that it uses.
    heuristics: Vec<&'static str>,
    /// Its text in canonical form.
    text: String,
    /// Its rules in order, followed by the default.
    rules: Vec<RuleRecord<'a>>,
    /// Only with boards: the number of boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    boards: Option<usize>,
    /// Only with boards: the number of boards that the search solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<usize>,
}

/// A rule of a [`PolicyRecord`].
#[derive(Serialize)]
struct RuleRecord<'a> {
    /// The condition in words; null for the default.
    condition: Option<&'a str>,
    /// The estimate in words.
    value: &'a str,
    /// Only with boards: the number of states at which it fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    fired: Option<u64>,
    /// Only with boards: its share of all evaluated states.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
}

/// How often each rule fires in the searches of all boards.
struct RuleUsage {
    boards: usize,
    solved: usize,
    /// Number of states per rule, followed by that of the default.
    fired: Vec<u64>,
}

impl RuleUsage {
    /// Returns the share of a rule; `None` if no rule fired.
    fn share(&self, rule: usize) -> Option<f64> {
        let all = self.fired.iter().sum::<u64>();
        (all > 0).then(|| self.fired[rule] as f64 / all as f64)
    }
}

/// Explains the policy.
pub fn run(args: &PolicyShowArgs, context: &Context) -> CommandResult {
    let policy = open(&args.file)?;
    let algorithm = search(&policy, None)?;
    if let Some(path) = &args.svg {
        output::write_file(path, &svg(&policy.policy, &args.file), context)?;
        if path == Path::new("-") {
            return Ok(ExitCode::Done);
        }
    }
    let counted = !args.input.boards.is_empty() || !args.input.suite.is_empty();
    let (counts, invalid) = if counted {
        let (sets, invalid) = board_sets(&args.input, None, context)?;
        (Some(count_firing(&policy, &sets, context)?), invalid)
    } else {
        (None, 0)
    };
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    let rules = explain(&policy.policy);
    let mut out = context.stdout();
    let text = if context.global.json {
        json::line(&record(&policy, &algorithm, &rules, counts.as_ref()))
    } else {
        description(&policy, &algorithm, &rules, counts.as_ref())
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(if invalid > 0 { ExitCode::BadInput } else { ExitCode::Done })
}

/// Runs the search of the policy on all boards, and counts the rules that fire.
fn count_firing(policy: &NamedPolicy, sets: &[BoardSet], context: &Context) -> Result<RuleUsage, Failure> {
    crate::algorithms::reject_zero_limits(context)?;
    let firing = Arc::new(FiringCounts::new(&policy.policy));
    let algorithm = search(policy, Some(&firing))?;
    let boards: Vec<(&Board, f64)> = sets.iter().flat_map(|(_, boards)| difficulties(boards)).collect();
    let threads = context.threads().min(boards.len()).max(1);
    let limits = Limits {
        nodes: context.global.node_limit.or(Some(NODE_LIMIT)),
        time: context.global.time_limit,
        memory: Some(context.global.memory / threads),
        cancel: Some(context.interrupt.flag()),
    };
    let done = AtomicUsize::new(0);
    let bar = Bar::new("boards", context);
    let solve = |&(board, difficulty): &(&Board, f64)| {
        let heuristics = heuristics::HeuristicContext { difficulty, ..heuristics::HeuristicContext::default() };
        let outcome = algorithm.solve(board, Metric::Moves, &limits, &heuristics);
        bar.show(done.fetch_add(1, Ordering::Relaxed) + 1, boards.len());
        outcome.verdict == Verdict::Solved
    };
    // After an interrupt the counts are not shown.
    let solved = parallel::map(threads, &boards, &context.interrupt.flag(), solve).unwrap_or_default();
    let solved = solved.into_iter().filter(|&solved| solved).count();
    Ok(RuleUsage { boards: boards.len(), solved, fired: firing.counts() })
}

/// Returns the boards of a set, each with its difficulty relative to the set.
fn difficulties(boards: &[Puzzle]) -> impl Iterator<Item = (&Board, f64)> {
    let difficulty = |place| DifficultyLevel::among(place, boards.len());
    boards.iter().enumerate().map(move |(place, entry)| (&entry.board, difficulty(place)))
}

fn record<'a>(
    policy: &'a NamedPolicy,
    algorithm: &ConfiguredAlgorithm,
    rules: &'a [RuleExplanation],
    counts: Option<&RuleUsage>,
) -> PolicyRecord<'a> {
    let rule = |(number, rule): (usize, &'a RuleExplanation)| RuleRecord {
        condition: rule.condition.as_deref(),
        value: &rule.value,
        fired: counts.map(|counts| counts.fired[number]),
        share: counts.and_then(|counts| counts.share(number)),
    };
    PolicyRecord {
        name: &policy.name,
        about: &policy.policy.about,
        search: algorithm.to_string(),
        heuristics: super::heuristics(policy),
        text: policy.policy.to_string(),
        rules: rules.iter().enumerate().map(rule).collect(),
        boards: counts.map(|counts| counts.boards),
        solved: counts.map(|counts| counts.solved),
    }
}

fn description(
    policy: &NamedPolicy,
    algorithm: &ConfiguredAlgorithm,
    rules: &[RuleExplanation],
    counts: Option<&RuleUsage>,
) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if !policy.policy.about.is_empty() {
        let _ = writeln!(text, "{}\n", policy.policy.about);
    }
    let _ = writeln!(text, "search: {algorithm}\n");
    for (number, rule) in rules.iter().enumerate() {
        let Some(condition) = &rule.condition else {
            let _ = writeln!(text, "    else {}", rule.value);
            continue;
        };
        let remark = match rule.always {
            Some(true) => " (always)",
            Some(false) => " (never)",
            None => "",
        };
        let _ = writeln!(text, "{:>2}  if   {condition}{remark}\n    then {}", number + 1, rule.value);
    }
    if let Some(counts) = counts {
        let _ = writeln!(text, "\n{:<8}  {:>14}  {:>7}", "rule", "states", "share");
        for (number, &fired) in counts.fired.iter().enumerate() {
            let name = if number + 1 < rules.len() { (number + 1).to_string() } else { "else".to_owned() };
            let share = counts.share(number).map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
            let _ = writeln!(text, "{name:<8}  {:>14}  {share:>7}", quantity::count(fired));
        }
        let boards = quantity::plural(counts.boards as u64, "board");
        let _ = writeln!(text, "{boards}, {} solved", quantity::count(counts.solved as u64));
    }
    text
}
