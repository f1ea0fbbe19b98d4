//! `clearway prove`: proves that a number of moves does not suffice, and checks such proofs.
//!
//! - `certify`: writes a certificate

#[cfg(feature = "cadical")]
mod certify;

#[cfg(feature = "cadical")]
use self::certify::write_certificate;
use crate::args::ReadingArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::input::Boards;
use crate::json;
use crate::output::Context;
use crate::quantity;
use clap::Args;
use clearway_proof::{CheckError, Checked, check};
#[cfg(not(feature = "cadical"))]
use clearway_rush::formats::Puzzle;
use clearway_rush::{MAX_BOUND, Metric, formats};
use clearway_search::{Limit, Limits};
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Prove that a number of moves or steps does not suffice, or check such a proof
///
/// Writes a certificate into a folder: the formula that a solution within the bound would satisfy (formula.cnf), the meaning
/// of its variables (variables.tsv), a proof that it is unsatisfiable (proof.lrat), and the claim (claim.json). If the bound
/// suffices after all, prints a solution and exits with 3.
///
/// With --check, derives the formula again from the rules of the puzzle, compares it with the one in the folder, and follows
/// the proof step by step, with code that is independent of the solver and of the encoder. Exits with 0 if the certificate
/// proves its claim, and with 3 if it does not.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway prove BB...CD..E.CDAAE.CD..E..F...GGF.HHH. --moves 7 --out card   at least 8 moves
  clearway prove --check card                                                check the certificate
  clearway prove card.txt --steps 2 --out steps                              a bound on steps
  clearway prove card.txt --moves 1 --out one --json                         one object")]
pub struct ProveArgs {
    /// Board in a one-line format, file, or - for stdin
    #[arg(value_name = "BOARD|FILE|-", required_unless_present = "check")]
    board: Option<OsString>,

    /// Number of moves that do not suffice
    #[arg(long, value_name = "K", value_parser = bounds(), group = "bound", required_unless_present_any = ["check", "steps"])]
    moves: Option<u32>,

    /// Number of steps that do not suffice
    #[arg(long, value_name = "K", value_parser = bounds(), group = "bound")]
    steps: Option<u32>,

    /// Folder for the certificate, created if it is missing; replaces a certificate in it
    #[arg(short, long, value_name = "DIR", required_unless_present = "check")]
    out: Option<PathBuf>,

    /// Check the certificate in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["board", "bound", "out", "format", "size", "exit"])]
    check: Option<PathBuf>,

    #[command(flatten)]
    reading: ReadingArgs,
}

fn bounds() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=i64::from(MAX_BOUND))
}

/// The result of `clearway prove --check --json`.
#[derive(Serialize)]
struct CheckRecord<'a> {
    folder: String,
    valid: bool,
    seconds: f64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    checked: Option<CheckedFields<'a>>,
    /// Only if the certificate is not accepted: the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// The part of the record that describes a valid certificate.
#[derive(Serialize)]
struct CheckedFields<'a> {
    board: String,
    metric: &'static str,
    bound: u32,
    variables: usize,
    clauses: usize,
    additions: u64,
    deletions: u64,
    solver: &'a str,
}

/// Proves or checks.
pub fn run(args: &ProveArgs, context: &Context) -> CommandResult {
    let limits = Limits {
        nodes: None,
        time: context.global.time_limit,
        memory: Some(context.global.memory),
        cancel: Some(context.interrupt.flag()),
    };
    if let Some(folder) = &args.check {
        return check_folder(folder, &limits, context);
    }
    let (metric, bound) = match (args.moves, args.steps) {
        (Some(bound), _) => (Metric::Moves, bound),
        (None, Some(bound)) => (Metric::Steps, bound),
        (None, None) => return Err(Failure::usage("missing bound", "pass --moves K or --steps K")),
    };
    let (Some(board), Some(folder)) = (&args.board, &args.out) else {
        return Err(Failure::usage("missing board or folder", "pass a board and --out DIR"));
    };
    let puzzle = Boards::open_one(board, &args.reading)?.only()?.puzzle;
    write_certificate(&puzzle, metric, bound, folder, &limits, context)
}

// Only CaDiCaL writes proofs.
#[cfg(not(feature = "cadical"))]
fn write_certificate(_: &Puzzle, _: Metric, _: u32, _: &Path, _: &Limits, _: &Context) -> CommandResult {
    Err(Failure::usage(
        "this program was built without CaDiCaL, so it cannot write certificates",
        "build it with the feature cadical",
    ))
}

/// What a certificate claims, in words.
fn insufficient(bound: u32, metric: Metric) -> String {
    format!("{} {} not suffice", quantity::length(bound, metric), if bound == 1 { "does" } else { "do" })
}

/// Ends with the code of a limit.
fn stopped(limit: Limit, context: &Context) -> CommandResult {
    let code = if limit == Limit::Cancelled { ExitCode::Interrupted } else { ExitCode::Limit };
    if context.global.json || code == ExitCode::Interrupted {
        return Ok(code);
    }
    let help = "raise --time-limit or --memory";
    Err(Failure::Report(code, message_with_help(format!("{limit}; nothing is proven"), help)))
}

fn check_folder(folder: &Path, limits: &Limits, context: &Context) -> CommandResult {
    let started = Instant::now();
    let result = check(folder, limits);
    if context.global.json {
        let record = CheckRecord {
            folder: folder.display().to_string(),
            valid: result.is_ok(),
            seconds: started.elapsed().as_secs_f64(),
            checked: result.as_ref().ok().map(checked_fields),
            reason: result.as_ref().err().map(ToString::to_string),
        };
        let mut out = context.stdout();
        out.write_all(json::line(&record).as_bytes())?;
        out.flush()?;
    }
    match result {
        Ok(checked) => {
            if !context.global.json {
                print_checked(&checked, started, context)?;
            }
            Ok(ExitCode::Done)
        }
        Err(CheckError::Stopped(limit)) => stopped(limit, context),
        Err(_) if context.global.json => Ok(ExitCode::BadInput),
        Err(error) => Err(Failure::bad_input(message_with_help(
            format!("the certificate is not valid: {error}"),
            "it proves nothing; write it again with clearway prove BOARD --moves K --out DIR",
        ))),
    }
}

fn checked_fields(checked: &Checked) -> CheckedFields<'_> {
    CheckedFields {
        board: formats::line(&checked.claim.board),
        metric: checked.claim.metric.as_str(),
        bound: checked.claim.bound,
        variables: checked.variables,
        clauses: checked.clauses,
        additions: checked.additions,
        deletions: checked.deletions,
        solver: &checked.claim.solver,
    }
}

fn print_checked(checked: &Checked, started: Instant, context: &Context) -> Result<(), Failure> {
    let claim = &checked.claim;
    let mut out = context.stdout();
    let (claimed, board) = (insufficient(claim.bound, claim.metric), formats::line(&claim.board));
    writeln!(out, "valid: {claimed} for {board}")?;
    out.flush()?;
    let steps = format!("{} derived", quantity::plural(checked.additions, "clause"));
    context.note(&format!(
        "{}, {steps}, checked in {}",
        quantity::plural(checked.clauses as u64, "clause"),
        quantity::time(started.elapsed())
    ));
    Ok(())
}
