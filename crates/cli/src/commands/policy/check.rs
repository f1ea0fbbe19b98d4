//! `clearway policy check`: is this a policy?

use super::{heuristics, report, search_report};
use crate::exit::ExitCode;
use crate::failure::Outcome;
use crate::json;
use crate::output::Context;
use crate::quantity;
use clap::Args;
use clearway_lab::Algorithm;
use clearway_policy::{NamedPolicy, OpenError};
use serde::Serialize;
use std::io::Write;

/// Check that files hold policies
///
/// Says of each file how many rules it has, which heuristics it asks for and which search it is made for; or what is
/// wrong with it, and where. The exit code is 3 if any file is refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy check my.policy
  clearway policy check *.policy --json   one object per file
  clearway policy check hand              a policy that comes with the program")]
pub struct CheckArgs {
    /// Files, or the names of policies that come with the program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
}

/// A file, as `clearway policy check --json` prints it.
#[derive(Serialize)]
struct CheckRecord<'a> {
    /// The file, or the name of the policy.
    file: &'a str,
    /// Whether it holds a policy.
    ok: bool,
    /// The number of rules, without the default; null if it holds none.
    rules: Option<usize>,
    /// The heuristics that it asks for.
    heuristics: Vec<&'static str>,
    /// The search that it is made for, in its canonical form, or the one that is used if it does not say; null if there is none.
    search: Option<String>,
    /// Only if it is refused: what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Only if a place in the text is at fault: its line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Only if a place in the text is at fault: its column, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

/// Checks all files.
pub fn run(args: &CheckArgs, context: &Context) -> Outcome {
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
        let refused = match NamedPolicy::open(file) {
            Ok(policy) => {
                record.rules = Some(policy.policy.rules.len());
                record.heuristics = heuristics(&policy);
                match Algorithm::of_policy(&policy, None) {
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
                if let OpenError::Broken { error, .. } = &error {
                    record.error = Some(error.message.clone());
                    (record.line, record.column) = (Some(error.line), Some(error.column));
                }
                Some(report(error))
            }
        };
        record.ok = refused.is_none();
        if context.global.json {
            out.write_all(json::line(&record).as_bytes())?;
        } else if let (Some(rules), true) = (record.rules, record.ok) {
            let uses =
                if record.heuristics.is_empty() { "no heuristic".to_owned() } else { record.heuristics.join(", ") };
            let search = record.search.unwrap_or_default();
            writeln!(out, "{file}: {}; asks for {uses}; for {search}", quantity::of(rules as u64, "rule"))?;
        }
        if let Some(refused) = refused {
            // What came before the error on stdout shall be seen before it.
            out.flush()?;
            context.report(&refused);
            code = ExitCode::BadInput;
        }
    }
    out.flush()?;
    Ok(code)
}
