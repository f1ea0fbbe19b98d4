//! `clearway evolve` on a cluster: individuals are evaluated remotely.

use super::open;
use crate::args::Command;
use crate::commands::evolve::{
    EvolveArgs, check_limits, failure, finish, has_run, report_left_out, resume, settings_and_boards, start_new,
};
use crate::commands::runs::{self, EvolutionRun};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::output::Context;
use crate::{CommandError, Interrupt};
use clearway_gp::Fitness;
use clearway_lab::evolve::{LoggedGeneration, PolicyRun, Run};
use std::ffi::OsString;
use std::path::PathBuf;

/// A generation to evaluate.
pub struct EvaluationRequest {
    /// The data that an [evaluator](clearway_lab::evolve::Evaluator) needs, as JSON, if it has changed since the last request.
    pub data: Option<String>,
    /// The state of the evolution that the fitness depends on, as JSON.
    pub memory: String,
    /// The individuals, as JSON.
    pub genomes: Vec<String>,
}

/// Runs the evolution of a command line. `evaluate` returns the fitness of each individual as JSON, `None` if it was interrupted,
/// or an error message. A run with the same settings in the same folder is resumed.
pub fn evolve(
    args: &[OsString],
    interrupt: &Interrupt,
    evaluate: &mut dyn FnMut(EvaluationRequest) -> Result<Option<Vec<String>>, String>,
) -> Result<ExitCode, CommandError> {
    let (command, context) = open(args, interrupt)?;
    let Command::Evolve(args) = command else { return Err(super::unsupported_command(args)) };
    run(&args, &context, evaluate).map_err(|failure| context.refusal(failure))
}

type Evaluate<'a> = &'a mut dyn FnMut(EvaluationRequest) -> Result<Option<Vec<String>>, String>;

fn run(args: &EvolveArgs, context: &Context, evaluate: Evaluate) -> CommandResult {
    check_limits(context)?;
    let run = match start(args, context) {
        Err(Failure::Report(..)) if context.interrupt.is_raised() => return Ok(ExitCode::Interrupted),
        other => other?,
    };
    report_left_out(run.left_out(), context);
    let mut remote = RemoteRun { run, evaluate, bred: None };
    runs::evolve(&mut remote, context)?;
    finish(&remote.run, context)
}

/// Starts a new run, or resumes one.
fn start(args: &EvolveArgs, context: &Context) -> Result<Run, Failure> {
    if let Some(folder) = &args.resume {
        return resume(args, folder, context);
    }
    let (settings, board_sets) = settings_and_boards(args, context)?;
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("evolve-{}", settings.seed())));
    if has_run(&path, &settings)? {
        resume(args, &path, context)
    } else {
        start_new(&path, settings, &board_sets, context)
    }
}

/// A run whose individuals are evaluated remotely.
struct RemoteRun<'a> {
    run: Run,
    evaluate: Evaluate<'a>,
    /// The number of co-evolved boards in the last request.
    bred: Option<usize>,
}

impl RemoteRun<'_> {
    /// Returns the fitness of each individual; `None` if it was interrupted.
    fn evaluate_all(&mut self, ask: EvaluationRequest) -> Result<Option<Vec<Fitness>>, String> {
        let count = ask.genomes.len();
        let Some(texts) = (self.evaluate)(ask)? else { return Ok(None) };
        let read = |text: &String| serde_json::from_str(text).map_err(|error| format!("invalid fitness: {error}"));
        let fitnesses: Vec<Fitness> = texts.iter().map(read).collect::<Result<_, _>>()?;
        if fitnesses.len() != count {
            return Err(format!("received {} fitness values for {count} individuals", fitnesses.len()));
        }
        Ok(Some(fitnesses))
    }
}

impl EvolutionRun for RemoteRun<'_> {
    type Kind = PolicyRun;

    fn run(&self) -> &Run {
        &self.run
    }

    fn next_generation(&mut self, threads: usize) -> Result<Option<LoggedGeneration>, Failure> {
        let path = self.run.folder().path().to_owned();
        let failed = |error| failure(&error, &path);
        let Some(proposal) = self.run.propose(threads).map_err(failed)? else { return Ok(None) };
        let bred = Some(self.run.bred_boards());
        let data = if self.bred == bred { None } else { Some(text(&self.run.evaluator_data().map_err(failed)?)) };
        self.bred = bred;
        let genomes = proposal.distinct().into_iter().map(text).collect();
        let ask = EvaluationRequest { data, memory: text(proposal.memory()), genomes };
        let evaluated = self.evaluate_all(ask).map_err(|error| Failure::bad_input(miette::miette!("{error}")))?;
        let Some(fitnesses) = evaluated else { return Ok(None) };
        self.run.accept(proposal, fitnesses).cloned().map(Some).map_err(failed)
    }

    fn status(&self, line: &LoggedGeneration) -> String {
        self.run.status(line)
    }

    fn write_current(&self) -> Result<(), Failure> {
        self.run.write_current()
    }
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("requests are always serialisable")
}
