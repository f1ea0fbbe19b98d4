//! `clearway policy list`: what policies are made of, and those that come with the program.

use crate::exit::ExitCode;
use crate::failure::Outcome;
use crate::json;
use crate::output::Context;
use clap::Args;
use clearway_policy::SHIPPED;
use clearway_policy::terminals::{TERMINALS, Terminal};
use clearway_rush::heuristics::HeuristicInfo;
use serde::Serialize;
use std::io::Write;

/// List the heuristics that policies are made of, and the policies that come with the program
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy list
  clearway policy list --json   the heuristics, one object each")]
pub struct ListArgs {}

/// A heuristic, as `clearway policy list --json` prints it.
#[derive(Serialize)]
struct HeuristicRecord<'a> {
    /// Its name.
    name: &'a str,
    /// Its other names.
    aliases: &'a [&'a str],
    /// `flag` (a condition of its own), `condition` (may be compared) or `value` (may also stand in values).
    kind: &'a str,
    /// Its greatest usual number, which counts as 1 in comparisons.
    most: f64,
    /// Whether it is among the terminals of GP-Rush.
    paper: bool,
    /// What it computes.
    about: &'a str,
}

fn kind(terminal: &Terminal) -> &'static str {
    match (terminal.flag, terminal.value) {
        (true, _) => "flag",
        (false, false) => "condition",
        (false, true) => "value",
    }
}

/// Lists them.
pub fn run(context: &Context) -> Outcome {
    let mut out = context.stdout();
    if !context.global.json {
        writeln!(out, "{:<22}  {:<9}  {:>4}  {:<7}  what it is", "heuristic", "may be", "most", "set")?;
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
        writeln!(out, "\npolicies that come with the program")?;
        for shipped in SHIPPED {
            writeln!(out, "  {}", shipped.name)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::Done)
}
