//! `clearway policy check`: checks that files hold valid policies.

use super::{heuristics, report, search_report};
use crate::exit::ExitCode;
use crate::failure::CommandResult;
use crate::json;
use crate::output::Context;
use crate::quantity;
use clap::Args;
use clearway_lab::ConfiguredAlgorithm;
use clearway_policy::{NamedPolicy, OpenPolicyError};
use serde::Serialize;
use std::io::Write;

/// Check that files hold valid policies
///
/// Prints the number of rules, the heuristics and the search of each policy, or the error and its place in the file. The
/// exit code is 3 if any file is invalid.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy check my.policy
  clearway policy check *.policy --json   one object per file
  clearway policy check hand              a built-in policy")]
pub struct CheckArgs {
    /// Files, or names of built-in policies
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
}

/// A file, as `clearway policy check --json` prints it.
#[derive(Serialize)]
struct CheckRecord<'a> {
    /// The file, or the name of the policy.
    file: &'a str,
    /// Whether it holds a valid policy.
    ok: bool,
    /// The number of rules without the default; null if the policy cannot be read.
    rules: Option<usize>,
    /// The heuristics that it uses.
    heuristics: Vec<&'static str>,
    /// Its search in canonical form, or the default search if it does not specify one; null if the policy or its search is
    /// invalid.
    search: Option<String>,
    /// Only if it is invalid: the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Only for errors with a place in the text: the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Only for errors with a place in the text: the column, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

/// Checks all files.
pub fn run(args: &CheckArgs, context: &Context) -> CommandResult {
    let mut out = context.stdout();
    let mut code = ExitCode::Done;
    for file in &args.files {
        let mut record = CheckRecord {
            file,
            ok: false,
            rules: None,
            heuristics: Vec::new(),
            search: None,
            error: None,
            line: None,
            column: None,
        };
        let fault = match NamedPolicy::open(file) {
            Ok(policy) => {
                record.rules = Some(policy.policy.rules.len());
                record.heuristics = heuristics(&policy);
                match ConfiguredAlgorithm::from_policy(&policy, None) {
                    Ok(search) => {
                        record.search = Some(search.to_string());
                        None
                    }
                    Err(error) => {
                        record.error = Some(error.message.clone());
                        Some(search_report(&policy, &error))
                    }
                }
            }
            Err(error) => {
                record.error = Some(error.to_string());
                if let OpenPolicyError::Malformed { error, .. } = &error {
                    record.error = Some(error.message.clone());
                    (record.line, record.column) = (Some(error.line), Some(error.column));
                }
                Some(report(error))
            }
        };
        record.ok = fault.is_none();
        if context.global.json {
            out.write_all(json::line(&record).as_bytes())?;
        } else if let (Some(rules), true) = (record.rules, record.ok) {
            let uses =
                if record.heuristics.is_empty() { "no heuristic".to_owned() } else { record.heuristics.join(", ") };
            let search = record.search.unwrap_or_default();
            writeln!(out, "{file}: {}; uses {uses}; search {search}", quantity::plural(rules as u64, "rule"))?;
        }
        if let Some(fault) = fault {
            // Results before the error must appear before it.
            out.flush()?;
            context.report(&fault);
            code = ExitCode::BadInput;
        }
    }
    out.flush()?;
    Ok(code)
}
