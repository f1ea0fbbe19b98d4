//! Writes a certificate that a number of moves or steps does not suffice.

use super::{insufficient, stopped};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::quantity;
use clearway_answers::records::Moves;
use clearway_rush::formats::{self, Puzzle};
use clearway_rush::{Board, Certificate, CertificateError, CertificateOutcome, Metric, Solution, certify};
use clearway_search::Limits;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// The result of `clearway prove --json`.
#[derive(Serialize)]
struct ProveRecord<'a> {
    /// The name of the board, or null if it has none.
    name: Option<&'a str>,
    /// The board in line format.
    board: String,
    /// The metric of the bound.
    metric: &'static str,
    /// The number of moves or steps in question.
    bound: u32,
    /// `proven`, `refuted` or `limit`.
    status: &'static str,
    /// Wall-clock time.
    seconds: f64,
    /// Only if proven: the size of the certificate.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateFields<'a>>,
    /// Only if refuted: a solution within the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<Moves<'a>>,
    /// Only if a limit was reached: which one.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

/// The part of the record that describes the certificate.
#[derive(Serialize)]
struct CertificateFields<'a> {
    folder: String,
    layers: usize,
    variables: usize,
    clauses: usize,
    proof_bytes: u64,
    conflicts: u64,
    solver: &'a str,
}

/// Proves that a number of moves or steps does not suffice, and reports the outcome.
pub(super) fn write_certificate(
    puzzle: &Puzzle,
    metric: Metric,
    bound: u32,
    folder: &Path,
    limits: &Limits,
    context: &Context,
) -> CommandResult {
    // The folder is cleaned up before the program ends.
    context.interrupt.extend_grace();
    let started = Instant::now();
    let outcome = certify(&puzzle.board, metric, bound, folder, limits).map_err(|error| failure(&error))?;
    let attempt = Attempt { name: puzzle.name.as_deref(), board: &puzzle.board, metric, bound, folder, started };
    attempt.report(&outcome, context)
}

fn failure(error: &CertificateError) -> Failure {
    let code = match error {
        CertificateError::Solver(_) => ExitCode::Internal,
        _ => ExitCode::BadInput,
    };
    Failure::Report(code, miette::miette!("{error}"))
}

/// What was to be proven.
struct Attempt<'a> {
    name: Option<&'a str>,
    board: &'a Board,
    metric: Metric,
    bound: u32,
    folder: &'a Path,
    started: Instant,
}

impl Attempt<'_> {
    fn report(&self, outcome: &CertificateOutcome, context: &Context) -> CommandResult {
        if context.global.json {
            let mut out = context.stdout();
            out.write_all(json::line(&self.record(outcome)).as_bytes())?;
            out.flush()?;
        }
        match outcome {
            CertificateOutcome::Proven(certificate) => {
                if !context.global.json {
                    self.print_proven(certificate, context)?;
                }
                Ok(ExitCode::Done)
            }
            CertificateOutcome::Refuted(_) if context.global.json => Ok(ExitCode::BadInput),
            CertificateOutcome::Refuted(solution) => Err(self.refuted(solution)),
            &CertificateOutcome::Stopped(limit) => stopped(limit, context),
        }
    }

    fn print_proven(&self, certificate: &Certificate, context: &Context) -> Result<(), Failure> {
        let mut out = context.stdout();
        writeln!(out, "proven: {}", insufficient(self.bound, self.metric))?;
        out.flush()?;
        let size = format!(
            "{}, {}, a proof of {}",
            quantity::plural(certificate.variables as u64, "variable"),
            quantity::plural(certificate.clauses as u64, "clause"),
            quantity::plural(certificate.proof_bytes, "byte")
        );
        let folder = self.folder.display();
        context.note(&format!("{size} in {}, written to {folder}", quantity::time(self.started.elapsed())));
        Ok(())
    }

    fn refuted(&self, solution: &Solution) -> Failure {
        let verb = if self.bound == 1 { "suffices" } else { "suffice" };
        let (bound, found) = (quantity::length(self.bound, self.metric), solution.length(self.metric));
        let message = format!("{bound} {verb}: there is a solution of {}", quantity::length(found, self.metric));
        let help = if solution.0.is_empty() {
            "the board is solved already".to_owned()
        } else {
            format!("the solution is {solution}")
        };
        Failure::bad_input(message_with_help(message, help))
    }

    fn record<'a>(&'a self, outcome: &'a CertificateOutcome) -> ProveRecord<'a> {
        let (status, certificate, solution, limit) = match outcome {
            CertificateOutcome::Proven(certificate) => ("proven", Some(self.fields(certificate)), None, None),
            CertificateOutcome::Refuted(solution) => ("refuted", None, Some(Moves(&solution.0)), None),
            CertificateOutcome::Stopped(limit) => ("limit", None, None, Some(limit.as_str())),
        };
        ProveRecord {
            name: self.name,
            board: formats::line(self.board),
            metric: self.metric.as_str(),
            bound: self.bound,
            status,
            seconds: self.started.elapsed().as_secs_f64(),
            certificate,
            solution,
            limit,
        }
    }

    fn fields<'a>(&self, certificate: &'a Certificate) -> CertificateFields<'a> {
        CertificateFields {
            folder: self.folder.display().to_string(),
            layers: certificate.layers,
            variables: certificate.variables,
            clauses: certificate.clauses,
            proof_bytes: certificate.proof_bytes,
            conflicts: certificate.conflicts,
            solver: &certificate.solver,
        }
    }
}
