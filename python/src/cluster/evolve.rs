//! `clearway evolve`: individuals evaluated by workers, and whole runs on workers.

use super::exit_code;
use crate::errors::{exception_from, input_error};
use crate::work::run_interruptible;
use clearway_cli::cluster::{self, EvaluationRequest};
use clearway_cli::{CommandError, Interrupt};
use clearway_gp::Genome;
use clearway_lab::evolve::{self as lab, RunContext};
use clearway_policy::training::EvolutionState;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

/// A generation to evaluate, and the channel for its fitness values.
type Request = (EvaluationRequest, SyncSender<Result<Vec<String>, String>>);

/// Runs `clearway evolve` with the arguments of its command line; returns the exit code.
///
/// `evaluate` is called for each generation with the data that an `Evaluator` needs (None if unchanged), the memory of
/// the run, and the individuals; it returns the fitness of each, in their order. All of these are JSON texts.
#[pyfunction]
pub fn distributed_evolve(py: Python<'_>, args: Vec<OsString>, evaluate: &Bound<'_, PyAny>) -> PyResult<i32> {
    let interrupt = Interrupt::default();
    let work = |sender: SyncSender<Request>| {
        let mut ask = |ask: EvaluationRequest| {
            let (reply, answer) = sync_channel(1);
            // The receiver is gone after an interrupt or an error.
            if sender.send((ask, reply)).is_err() {
                return Ok(None);
            }
            answer.recv().ok().transpose()
        };
        cluster::evolve(&args, &interrupt, &mut ask)
    };
    let on_message = |_: Python<'_>, (ask, reply): Request| {
        let fitnesses = evaluate.call1((ask.data, ask.memory, ask.genomes))?.extract::<Vec<String>>()?;
        // Fails only if the run has ended.
        let _ = reply.send(Ok(fitnesses));
        Ok(())
    };
    exit_code(run_interruptible(py, &interrupt.flag(), work, on_message)?)
}

/// Writes the settings and boards of a run into the folder of its option `--out`, unless the folder holds the same run
/// already.
#[pyfunction]
pub fn prepare_run(py: Python<'_>, args: Vec<OsString>) -> PyResult<()> {
    py.detach(|| cluster::prepare_run(&args, &Interrupt::default())).map_err(|refusal| exception_from(&refusal))
}

/// Evaluates individuals of a run on a worker.
#[pyclass(module = "clearway._native")]
pub struct Evaluator {
    evaluator: lab::Evaluator,
    memory: Option<EvolutionState>,
}

/// The run has checked its boards against the memory limit already, so evaluators have none.
const NO_MEMORY_LIMIT: usize = usize::MAX;

#[pymethods]
impl Evaluator {
    #[new]
    fn new(py: Python<'_>, data: &str) -> PyResult<Evaluator> {
        let data = read(data)?;
        let context = RunContext { threads: 1, memory: NO_MEMORY_LIMIT, cancel: Arc::default(), progress: &|_, _| () };
        let evaluator = py.detach(|| lab::Evaluator::new(data, &context));
        evaluator
            .map(|evaluator| Evaluator { evaluator, memory: None })
            .map_err(|error| input_error(&error.to_string()))
    }

    /// Replaces the boards after the run has bred new ones.
    fn update(&mut self, py: Python<'_>, data: &str) -> PyResult<()> {
        let data = read(data)?;
        py.detach(|| self.evaluator.update(&data)).map_err(|error| input_error(&error.to_string()))
    }

    /// Sets the memory of the run for the current generation.
    fn set_memory(&mut self, py: Python<'_>, memory: &str) -> PyResult<()> {
        self.memory = Some(py.detach(|| read(memory))?);
        Ok(())
    }

    /// Returns the fitness of each individual; individuals and fitness values are JSON texts.
    fn evaluate(&self, py: Python<'_>, genomes: Vec<String>) -> PyResult<Vec<String>> {
        let memory = self
            .memory
            .as_ref()
            .ok_or_else(|| input_error("the memory of the run is missing; call set_memory first"))?;
        let evaluated = py.detach(|| -> Result<Vec<String>, String> {
            let genomes: Result<Vec<Genome>, _> = genomes.iter().map(|text| serde_json::from_str(text)).collect();
            let genomes = genomes.map_err(|error| error.to_string())?;
            let fitnesses = self.evaluator.evaluate(memory, &genomes).map_err(|error| error.to_string())?;
            fitnesses.iter().map(|one| serde_json::to_string(one).map_err(|error| error.to_string())).collect()
        });
        evaluated.map_err(|error| input_error(&error))
    }
}

fn read<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| input_error(&error.to_string()))
}

/// A whole run, created from the arguments of its command line and the files of its folder.
#[pyclass(module = "clearway._native")]
pub struct SeedRun(cluster::SeedRun);

/// The name of a file, and its bytes.
type File = (String, Cow<'static, [u8]>);

#[pymethods]
impl SeedRun {
    #[new]
    fn new(py: Python<'_>, args: Vec<OsString>, files: Vec<(String, Vec<u8>)>) -> PyResult<SeedRun> {
        let run = py.detach(|| cluster::SeedRun::new(&args, &files, &Interrupt::default()));
        run.map(SeedRun).map_err(|refusal| exception_from(&refusal))
    }

    /// Continues the run for about `seconds`, and tests the champion when it is done; returns the files that have changed.
    fn work(&mut self, py: Python<'_>, seconds: f64) -> PyResult<Vec<File>> {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let changed = py.detach(|| -> Result<_, CommandError> {
            self.0.work(time)?;
            Ok(self.0.changed())
        });
        let changed = changed.map_err(|refusal| exception_from(&refusal))?;
        Ok(changed.into_iter().map(|(name, bytes)| (name, bytes.into())).collect())
    }

    /// Number of completed generations, expected number of generations, and a description of the progress.
    #[getter]
    fn state(&self) -> (usize, usize, String) {
        self.0.state()
    }

    /// The result as JSON; None until the run is done.
    #[getter]
    fn result(&self) -> Option<String> {
        self.0.result().map(str::to_owned)
    }
}
