//! `clearway evolve`: individuals judged elsewhere, and whole runs made elsewhere.

use super::code;
use crate::errors::{bad_words, refused};
use crate::work::interruptible;
use clearway_cli::cluster::{self, Ask};
use clearway_cli::{Interrupt, Refusal};
use clearway_gp::Genome;
use clearway_lab::evolve::{self as lab, Means};
use clearway_policy::training::Memory;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

/// A generation to be judged, and where to send what came of it.
type Question = (Ask, SyncSender<Result<Vec<String>, String>>);

/// Breeds as a command line says; gives the exit code.
///
/// `judge` gets what judges are made from (or None if that has not changed), what the run remembers, and the individuals;
/// it gives a judgement for each, in their order. All of them are texts.
#[pyfunction]
pub fn spread_evolve(py: Python<'_>, words: Vec<OsString>, judge: &Bound<'_, PyAny>) -> PyResult<i32> {
    let interrupt = Interrupt::default();
    let work = |sender: SyncSender<Question>| {
        let mut ask = |ask: Ask| {
            let (reply, answer) = sync_channel(1);
            // Who does not answer was interrupted.
            if sender.send((ask, reply)).is_err() {
                return Ok(None);
            }
            answer.recv().ok().transpose()
        };
        cluster::evolve(&words, &interrupt, &mut ask)
    };
    let hear = |_: Python<'_>, (ask, reply): Question| {
        let judgements = judge.call1((ask.brief, ask.memory, ask.genomes))?.extract::<Vec<String>>()?;
        // Nobody waits any more if that fails.
        let _ = reply.send(Ok(judgements));
        Ok(())
    };
    code(interruptible(py, &interrupt.flag(), work, hear)?)
}

/// Puts the settings and boards that a command line asks for into the folder that its `--out` names, unless the same run
/// was begun there.
#[pyfunction]
pub fn lay_out(py: Python<'_>, words: Vec<OsString>) -> PyResult<()> {
    py.detach(|| cluster::lay_out(&words, &Interrupt::default())).map_err(|refusal| refused(&refusal))
}

/// Judges individuals of a run, from what the run told about itself.
#[pyclass(module = "clearway._native")]
pub struct Judge {
    judge: lab::Judge,
    memory: Option<Memory>,
}

/// The boards of a run were weighed where it began: judges take them as they are.
const ROOM: usize = usize::MAX;

#[pymethods]
impl Judge {
    #[new]
    fn new(py: Python<'_>, brief: &str) -> PyResult<Judge> {
        let brief = read(brief)?;
        let means = Means { threads: 1, memory: ROOM, cancel: Arc::default(), progress: &|_, _| () };
        let judge = py.detach(|| lab::Judge::new(brief, &means));
        judge.map(|judge| Judge { judge, memory: None }).map_err(|error| bad_words(&error.to_string()))
    }

    /// Goes on with the same run after boards were bred.
    fn update(&mut self, py: Python<'_>, brief: &str) -> PyResult<()> {
        let brief = read(brief)?;
        py.detach(|| self.judge.update(&brief)).map_err(|error| bad_words(&error.to_string()))
    }

    /// Takes what the run remembers in this generation.
    fn remember(&mut self, py: Python<'_>, memory: &str) -> PyResult<()> {
        self.memory = Some(py.detach(|| read(memory))?);
        Ok(())
    }

    /// Judges individuals: texts, as what comes back is.
    fn judge(&self, py: Python<'_>, genomes: Vec<String>) -> PyResult<Vec<String>> {
        let memory = self.memory.as_ref().ok_or_else(|| bad_words("a judge must remember before it judges"))?;
        let judged = py.detach(|| -> Result<Vec<String>, String> {
            let genomes: Result<Vec<Genome>, _> = genomes.iter().map(|text| serde_json::from_str(text)).collect();
            let genomes = genomes.map_err(|error| error.to_string())?;
            let judgements = self.judge.judge(memory, &genomes).map_err(|error| error.to_string())?;
            judgements.iter().map(|one| serde_json::to_string(one).map_err(|error| error.to_string())).collect()
        });
        judged.map_err(|error| bad_words(&error))
    }
}

fn read<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| bad_words(&error.to_string()))
}

/// A whole run, from the words of its command line and the files of its folder.
#[pyclass(module = "clearway._native")]
pub struct SeedRun(cluster::SeedRun);

/// The name of a file, and its bytes.
type File = (String, Cow<'static, [u8]>);

#[pymethods]
impl SeedRun {
    #[new]
    fn new(py: Python<'_>, words: Vec<OsString>, files: Vec<(String, Vec<u8>)>) -> PyResult<SeedRun> {
        let run = py.detach(|| cluster::SeedRun::new(&words, &files, &Interrupt::default()));
        run.map(SeedRun).map_err(|refusal| refused(&refusal))
    }

    /// Goes on for about so many seconds, and at the end tests the champion; gives the files that have changed.
    fn work(&mut self, py: Python<'_>, seconds: f64) -> PyResult<Vec<File>> {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let changed = py.detach(|| -> Result<_, Refusal> {
            self.0.work(time)?;
            Ok(self.0.changed())
        });
        let changed = changed.map_err(|refusal| refused(&refusal))?;
        Ok(changed.into_iter().map(|(name, bytes)| (name, bytes.into())).collect())
    }

    /// The generations made and expected, and how it goes.
    #[getter]
    fn state(&self) -> (usize, usize, String) {
        self.0.state()
    }

    /// What it came to, as JSON; None before it is done.
    #[getter]
    fn result(&self) -> Option<String> {
        self.0.result().map(str::to_owned)
    }
}
