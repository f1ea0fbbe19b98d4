//! Checkpoints: the state of a run on disk.
//!
//! A checkpoint is two lines of JSON: a header with the format version, the length and the hash of what follows, and the state
//! itself. A new one is written atomically and the previous one is kept. Whenever a process is killed, the newest checkpoint is
//! complete; the previous one is a backup in case the newest is damaged.

use crate::{EvaluatedIndividual, EvolutionOptions, Generation};
use clearway_util::atomic;
use clearway_util::hash::StableHash;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// State of a run after a complete generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Checkpoint<M> {
    /// Options of the run.
    pub options: EvolutionOptions,
    /// Identifies the primitives and the layout.
    pub fingerprint: u64,
    /// Memory of the problem.
    pub memory: M,
    /// Last generation.
    pub population: Vec<EvaluatedIndividual>,
    /// Statistics of all generations.
    pub history: Vec<Generation>,
}

/// Checkpoints of a run, in its folder.
///
/// ```no_run
/// # use clearway_gp::checkpoint::{CheckpointError, CheckpointFile};
/// # fn example(evolution: clearway_gp::Evolution<impl clearway_gp::Problem<Memory = u32>>) -> Result<(), CheckpointError> {
/// let file = CheckpointFile::in_folder("run".as_ref());
/// file.save(&evolution.checkpoint())?;
/// let loaded = file.load::<u32>()?;
/// if let Some(fault) = loaded.fault {
///     eprintln!("{fault}; the one before it is used");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct CheckpointFile {
    folder: PathBuf,
}

/// A checkpoint that was loaded.
#[derive(Debug)]
pub struct Loaded<M> {
    /// State of the run.
    pub checkpoint: Checkpoint<M>,
    /// Why the newest checkpoint could not be used, if an older one replaces it.
    pub fault: Option<CheckpointError>,
}

/// Why no checkpoint can be loaded or saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// No checkpoint exists.
    #[error("no checkpoint {0}", .path.display())]
    Missing {
        /// Expected path.
        path: PathBuf,
    },
    /// The file cannot be read or written.
    #[error("{0}: {error}", .path.display())]
    Io {
        /// Path of the checkpoint.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file is truncated or overwritten.
    #[error("the checkpoint {0} is damaged: {why}", .path.display())]
    Broken {
        /// Path of the checkpoint.
        path: PathBuf,
        /// What is wrong.
        why: String,
        /// Error of the decoder, if it found the damage.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// The file was written by another version of the program.
    #[error("the checkpoint {0} has format {found}; this program reads format {VERSION}", .path.display())]
    UnsupportedVersion {
        /// Path of the checkpoint.
        path: PathBuf,
        /// Format version found.
        found: u32,
    },
    /// The file is intact but belongs to another kind of run.
    #[error("the checkpoint {0} belongs to another kind of run: {error}", .path.display())]
    InvalidContent {
        /// Path of the checkpoint.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: serde_json::Error,
    },
    /// Neither the newest checkpoint nor the previous one can be used.
    #[error("{newest}; and the previous one: {previous}")]
    BothUnusable {
        /// What is wrong with the newest.
        #[source]
        newest: Box<CheckpointError>,
        /// What is wrong with the previous one.
        previous: Box<CheckpointError>,
    },
}

/// Format version. It changes whenever older programs would misread the file.
const VERSION: u32 = 1;
const FORMAT: &str = "clearway evolution checkpoint";

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    /// Number of generations, for human readers.
    generations: usize,
    /// Length of the state in bytes.
    bytes: usize,
    /// Hash of the state.
    hash: u64,
}

impl CheckpointFile {
    /// Checkpoints of the run in an existing folder.
    pub fn in_folder(folder: &Path) -> CheckpointFile {
        CheckpointFile { folder: folder.to_owned() }
    }

    /// Path of the newest checkpoint.
    pub fn newest(&self) -> PathBuf {
        self.folder.join("checkpoint.json")
    }

    /// Path of the previous one.
    pub fn previous(&self) -> PathBuf {
        self.folder.join("checkpoint.previous.json")
    }

    /// Writes a checkpoint; the newest so far becomes the previous one.
    pub fn save<M: Serialize>(&self, checkpoint: &Checkpoint<M>) -> Result<(), CheckpointError> {
        let (newest, previous) = (self.newest(), self.previous());
        let text =
            to_text(checkpoint).map_err(|error| CheckpointError::InvalidContent { path: newest.clone(), error })?;
        // A hard link to the newest so far, which becomes the previous one once its successor is on disk: at no moment is there no
        // newest one. File systems without hard links keep no previous one.
        let second = self.folder.join("checkpoint.second.json");
        let _ = fs::remove_file(&second);
        let is_kept = fs::hard_link(&newest, &second).is_ok();
        let failed = |path: PathBuf| move |error| CheckpointError::Io { path, error };
        atomic::write(&newest, text).map_err(failed(newest))?;
        if is_kept { fs::rename(&second, &previous).map_err(failed(previous)) } else { Ok(()) }
    }

    /// Loads the newest checkpoint, or the previous one if the newest is missing or damaged.
    pub fn load<M: DeserializeOwned>(&self) -> Result<Loaded<M>, CheckpointError> {
        let fault = match from_file(&self.newest()) {
            Ok(checkpoint) => return Ok(Loaded { checkpoint, fault: None }),
            Err(fault @ (CheckpointError::UnsupportedVersion { .. } | CheckpointError::InvalidContent { .. })) => {
                return Err(fault);
            }
            Err(fault) => fault,
        };
        match from_file(&self.previous()) {
            Ok(checkpoint) => Ok(Loaded { checkpoint, fault: Some(fault) }),
            Err(CheckpointError::Missing { .. }) => Err(fault),
            Err(previous) => {
                Err(CheckpointError::BothUnusable { newest: Box::new(fault), previous: Box::new(previous) })
            }
        }
    }
}

fn to_text<M: Serialize>(checkpoint: &Checkpoint<M>) -> serde_json::Result<String> {
    let state = serde_json::to_string(checkpoint)?;
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        generations: checkpoint.history.len(),
        bytes: state.len(),
        hash: hash(&state),
    };
    Ok(format!("{}\n{state}\n", serde_json::to_string(&header)?))
}

fn from_file<M: DeserializeOwned>(path: &Path) -> Result<Checkpoint<M>, CheckpointError> {
    let path = path.to_owned();
    let text = match fs::read(&path) {
        Ok(bytes) => String::from_utf8(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CheckpointError::Missing { path }),
        Err(error) => return Err(CheckpointError::Io { path, error }),
    };
    let damaged = |why: &str, source| CheckpointError::Broken { path: path.clone(), why: why.to_owned(), source };
    let broken = |why: &str| damaged(why, None);
    let text = text.map_err(|error| damaged("it is not text", Some(error.into())))?;
    let (header, state) = text.split_once('\n').ok_or_else(|| broken("it ends within its first line"))?;
    let header: Header =
        serde_json::from_str(header).map_err(|error| damaged("its first line is not a header", Some(error.into())))?;
    if header.format != FORMAT {
        return Err(broken("it is another kind of file"));
    }
    if header.version != VERSION {
        return Err(CheckpointError::UnsupportedVersion { path, found: header.version });
    }
    let state = state.strip_suffix('\n').ok_or_else(|| broken("it is truncated"))?;
    if state.len() != header.bytes || hash(state) != header.hash {
        return Err(broken("its content is not what was written"));
    }
    serde_json::from_str(state).map_err(|error| CheckpointError::InvalidContent { path, error })
}

fn hash(text: &str) -> u64 {
    let mut hash = StableHash::new();
    hash.text(text);
    hash.finish()
}
