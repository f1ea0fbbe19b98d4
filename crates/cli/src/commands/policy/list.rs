//! `clearway policy list`: lists the heuristics for policies and the built-in policies.

use crate::exit::ExitCode;
use crate::failure::CommandResult;
use crate::json;
use crate::output::Context;
use clap::Args;
use clearway_policy::SHIPPED;
use clearway_policy::terminals::{TERMINALS, Terminal};
use clearway_rush::heuristics::HeuristicInfo;
use serde::Serialize;
use std::io::Write;

/// List the heuristics that policies can use, and the built-in policies
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy list
  clearway policy list --json   one object per heuristic")]
pub struct ListArgs {}

/// A heuristic, as `clearway policy list --json` prints it.
#[derive(Serialize)]
struct HeuristicRecord<'a> {
    /// Name in policies and expressions.
    name: &'a str,
    /// Other names.
    aliases: &'a [&'a str],
    /// `flag` (is a condition by itself), `condition` (can be compared) or `value` (can also be used in values).
    kind: &'a str,
    /// The scale: the value that counts as 1 in comparisons, about the greatest that occurs.
    most: f64,
    /// Whether it is one of the terminals of GP-Rush.
    paper: bool,
    /// What it computes, in one line.
    about: &'a str,
}

fn kind(terminal: &Terminal) -> &'static str {
    match (terminal.flag, terminal.value) {
        (true, _) => "flag",
        (false, false) => "condition",
        (false, true) => "value",
    }
}

/// Prints the list.
pub fn run(context: &Context) -> CommandResult {
    let mut out = context.stdout();
    if !context.global.json {
        writeln!(out, "{:<22}  {:<9}  {:>4}  {:<7}  description", "heuristic", "kind", "most", "set")?;
    }
    for terminal in TERMINALS {
        let info = HeuristicInfo::find(terminal.name);
        let (aliases, about) = info.map_or((&[][..], ""), |info| (info.aliases, info.about));
        let kind = kind(terminal);
        if context.global.json {
            let (name, most, paper) = (terminal.name, terminal.most, terminal.paper);
            out.write_all(json::line(&HeuristicRecord { name, aliases, kind, most, paper, about }).as_bytes())?;
            continue;
        }
        let names = [&[terminal.name], aliases].concat().join(", ");
        let set = if terminal.paper { "paper" } else { "ours" };
        writeln!(out, "{names:<22}  {kind:<9}  {:>4}  {set:<7}  {about}", terminal.most)?;
    }
    if !context.global.json {
        writeln!(out, "\nbuilt-in policies")?;
        for shipped in SHIPPED {
            writeln!(out, "  {}", shipped.name)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::Done)
}
