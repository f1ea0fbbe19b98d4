//! `clearway policy show`: what a policy says, as words, as a picture, and which of its rules fire how often.

use super::{Set, open, search, sets};
use crate::args::InputArgs;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::json;
use crate::output::{self, Context};
use crate::progress::Bar;
use crate::quantity;
use clap::Args;
use clearway_gp::parallel;
use clearway_lab::Algorithm;
use clearway_lab::compare::Entry;
use clearway_policy::{Explained, Firing, NamedPolicy, explain, svg};
use clearway_rush::heuristics::{self, DifficultyLevel};
use clearway_rush::{Board, Metric};
use clearway_search::deepening::NODE_LIMIT;
use clearway_search::{Limits, Verdict};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Explain a policy: its rules in words, a picture, how often each rule fires
///
/// The thresholds are those that the heuristics count: what a condition compares with 0.4 of the greatest usual number is
/// said as that number. With boards or a suite, the policy guides its search on each, and the rules are counted that fire at
/// the states which the search asks about. A search expands 1,500,000 states at most unless a limit is given.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy show hand
  clearway policy show my.policy --svg my.svg
  clearway policy show my.policy --suite cards           how often each rule fires
  clearway policy show my.policy boards.txt --json")]
pub struct ShowArgs {
    /// A file, or the name of a policy that comes with the program
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
    /// What it says about itself.
    about: &'a str,
    /// The search that it is made for, or the one that is used if it does not say.
    search: String,
    /// The heuristics that it asks for.
    heuristics: Vec<&'static str>,
    /// Its text in the canonical form.
    text: String,
    /// Its rules in order, and at last the default.
    rules: Vec<RuleRecord<'a>>,
    /// Only with boards: how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    boards: Option<usize>,
    /// Only with boards: how many of them the search solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<usize>,
}

/// A rule in that record.
#[derive(Serialize)]
struct RuleRecord<'a> {
    /// When it fires, in words; null for the default.
    condition: Option<&'a str>,
    /// Its value.
    value: &'a str,
    /// Only with boards: at how many states it fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    fired: Option<u64>,
    /// Only with boards: its share of all states.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
}

/// What a search with the policy met.
struct Met {
    boards: usize,
    solved: usize,
    /// By rule, and at last of the default.
    fired: Vec<u64>,
}

impl Met {
    /// None if no rule fired at all.
    fn share(&self, rule: usize) -> Option<f64> {
        let all = self.fired.iter().sum::<u64>();
        (all > 0).then(|| self.fired[rule] as f64 / all as f64)
    }
}

/// Explains the policy.
pub fn run(args: &ShowArgs, context: &Context) -> Outcome {
    let policy = open(&args.file)?;
    let algorithm = search(&policy, None)?;
    if let Some(path) = &args.svg {
        output::write_file(path, &svg(&policy.policy, &args.file), context)?;
        if path == Path::new("-") {
            return Ok(ExitCode::Done);
        }
    }
    let counted = !args.input.boards.is_empty() || !args.input.suite.is_empty();
    let (met, refused) = if counted {
        let (sets, refused) = sets(&args.input, None, context)?;
        (Some(meet(&policy, &sets, context)?), refused)
    } else {
        (None, 0)
    };
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    let rules = explain(&policy.policy);
    let mut out = context.stdout();
    let text = if context.global.json {
        json::line(&record(&policy, &algorithm, &rules, met.as_ref()))
    } else {
        words(&policy, &algorithm, &rules, met.as_ref())
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(if refused > 0 { ExitCode::BadInput } else { ExitCode::Done })
}

/// Lets the policy guide its search on all boards, and counts the rules that fire.
fn meet(policy: &NamedPolicy, sets: &[Set], context: &Context) -> Result<Met, Failure> {
    crate::algorithms::refuse_zero_limits(context)?;
    let firing = Arc::new(Firing::new(&policy.policy));
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
        let heuristics = heuristics::Context { difficulty, ..heuristics::Context::default() };
        let outcome = algorithm.solve(board, Metric::Moves, &limits, &heuristics);
        bar.show(done.fetch_add(1, Ordering::Relaxed) + 1, boards.len());
        outcome.verdict == Verdict::Solved
    };
    // Who interrupts is shown nothing.
    let solved = parallel::map(threads, &boards, &context.interrupt.flag(), solve).unwrap_or_default();
    let solved = solved.into_iter().filter(|&solved| solved).count();
    Ok(Met { boards: boards.len(), solved, fired: firing.counts() })
}

/// The boards of a set, and how difficult they are among each other.
fn difficulties(boards: &[Entry]) -> impl Iterator<Item = (&Board, f64)> {
    let difficulty = |place| DifficultyLevel::among(place, boards.len());
    boards.iter().enumerate().map(move |(place, entry)| (&entry.board, difficulty(place)))
}

fn record<'a>(
    policy: &'a NamedPolicy,
    algorithm: &Algorithm,
    rules: &'a [Explained],
    met: Option<&Met>,
) -> PolicyRecord<'a> {
    let rule = |(number, rule): (usize, &'a Explained)| RuleRecord {
        condition: rule.condition.as_deref(),
        value: &rule.value,
        fired: met.map(|met| met.fired[number]),
        share: met.and_then(|met| met.share(number)),
    };
    PolicyRecord {
        name: &policy.name,
        about: &policy.policy.about,
        search: algorithm.to_string(),
        heuristics: super::heuristics(policy),
        text: policy.policy.to_string(),
        rules: rules.iter().enumerate().map(rule).collect(),
        boards: met.map(|met| met.boards),
        solved: met.map(|met| met.solved),
    }
}

fn words(policy: &NamedPolicy, algorithm: &Algorithm, rules: &[Explained], met: Option<&Met>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if !policy.policy.about.is_empty() {
        let _ = writeln!(text, "{}\n", policy.policy.about);
    }
    let _ = writeln!(text, "for {algorithm}\n");
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
    if let Some(met) = met {
        let _ = writeln!(text, "\n{:<8}  {:>14}  {:>7}", "rule", "states", "share");
        for (number, &fired) in met.fired.iter().enumerate() {
            let name = if number + 1 < rules.len() { (number + 1).to_string() } else { "else".to_owned() };
            let share = met.share(number).map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
            let _ = writeln!(text, "{name:<8}  {:>14}  {share:>7}", quantity::count(fired));
        }
        let boards = quantity::of(met.boards as u64, "board");
        let _ = writeln!(text, "{boards}, {} solved", quantity::count(met.solved as u64));
    }
    text
}
