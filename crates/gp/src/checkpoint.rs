//! What survives an interruption, and its file.
//!
//! A checkpoint is two lines of JSON: a header with the version of the format, the length and the hash of what follows,
//! and the state itself. A new one is written atomically, and the one before it is kept. Whatever moment a process is killed
//! at, the newest is whole; the one before it is there for the case that the newest is damaged.

use crate::hash::StableHash;
use crate::{EvolutionOptions, Generation, Judged};
use clearway_util::atomic;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The state of a run after a complete generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Checkpoint<M> {
    /// The options of the run.
    pub options: EvolutionOptions,
    /// Stays the same as long as primitives and layout do.
    pub fingerprint: u64,
    /// What the problem remembers.
    pub memory: M,
    /// The last generation.
    pub population: Vec<Judged>,
    /// The statistics of all generations.
    pub history: Vec<Generation>,
}

/// The checkpoints of a run, in a folder.
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

/// A checkpoint that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<M> {
    /// The state.
    pub checkpoint: Checkpoint<M>,
    /// Why the newest checkpoint is of no use, where an older one had to stand in.
    pub fault: Option<CheckpointError>,
}

/// Why there is no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// There is none.
    #[error("there is no checkpoint {0}", .path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// It cannot be read or written.
    #[error("{0}: {why}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// It is truncated, or something else was written over it.
    #[error("the checkpoint {0} is broken: {why}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// How that shows.
        why: String,
    },
    /// Another version of the program wrote it.
    #[error("the checkpoint {0} has format {found}; this program reads format {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// It is whole, but not of this kind of run.
    #[error("the checkpoint {0} is not of this kind of run: {why}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// How that shows.
        why: String,
    },
    /// Neither the newest nor the one before it is of use.
    #[error("{newest}; and the one before it: {previous}")]
    Both {
        /// What is wrong with the newest.
        newest: Box<CheckpointError>,
        /// What is wrong with the one before.
        previous: Box<CheckpointError>,
    },
}

/// The version of the format. It changes whenever older programs would misread what is written.
const VERSION: u32 = 1;
const FORMAT: &str = "clearway evolution checkpoint";

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    /// For people: how many generations the run has made.
    generations: usize,
    /// The length of the state.
    bytes: usize,
    /// Its hash.
    hash: u64,
}

impl CheckpointFile {
    /// The checkpoints of the run in a folder that exists.
    pub fn in_folder(folder: &Path) -> CheckpointFile {
        CheckpointFile { folder: folder.to_owned() }
    }

    /// The newest checkpoint.
    pub fn newest(&self) -> PathBuf {
        self.folder.join("checkpoint.json")
    }

    /// The one before it.
    pub fn previous(&self) -> PathBuf {
        self.folder.join("checkpoint.previous.json")
    }

    /// Writes a checkpoint; the newest so far becomes the previous one.
    pub fn save<M: Serialize>(&self, checkpoint: &Checkpoint<M>) -> Result<(), CheckpointError> {
        let (newest, previous) = (self.newest(), self.previous());
        let text = to_text(checkpoint)
            .map_err(|error| CheckpointError::Content { path: newest.clone(), why: error.to_string() })?;
        // A second name for the newest so far, which becomes the previous one when its successor is on the disk: so there is
        // no moment without a newest one. On a file system without such names there is no previous one.
        let second = self.folder.join("checkpoint.second.json");
        let _ = fs::remove_file(&second);
        let is_kept = fs::hard_link(&newest, &second).is_ok();
        let failed = |path: PathBuf| move |error: io::Error| CheckpointError::Io { path, why: error.to_string() };
        atomic::write(&newest, text).map_err(failed(newest))?;
        if is_kept { fs::rename(&second, &previous).map_err(failed(previous)) } else { Ok(()) }
    }

    /// Reads the newest checkpoint, or where it is missing or broken, the best that is left.
    pub fn load<M: DeserializeOwned>(&self) -> Result<Loaded<M>, CheckpointError> {
        let fault = match from_file(&self.newest()) {
            Ok(checkpoint) => return Ok(Loaded { checkpoint, fault: None }),
            Err(fault @ (CheckpointError::Version { .. } | CheckpointError::Content { .. })) => return Err(fault),
            Err(fault) => fault,
        };
        match from_file(&self.previous()) {
            Ok(checkpoint) => Ok(Loaded { checkpoint, fault: Some(fault) }),
            Err(CheckpointError::Missing { .. }) => Err(fault),
            Err(previous) => Err(CheckpointError::Both { newest: Box::new(fault), previous: Box::new(previous) }),
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
        Err(error) => return Err(CheckpointError::Io { path, why: error.to_string() }),
    };
    let broken = |why: &str| CheckpointError::Broken { path: path.clone(), why: why.to_owned() };
    let text = text.map_err(|_| broken("it is no text"))?;
    let (header, state) = text.split_once('\n').ok_or_else(|| broken("it ends within its first line"))?;
    let header: Header = serde_json::from_str(header).map_err(|_| broken("its first line is no header"))?;
    if header.format != FORMAT {
        return Err(broken("it is another kind of file"));
    }
    if header.version != VERSION {
        return Err(CheckpointError::Version { path, found: header.version });
    }
    let state = state.strip_suffix('\n').ok_or_else(|| broken("it is truncated"))?;
    if state.len() != header.bytes || hash(state) != header.hash {
        return Err(broken("its content is not what was written"));
    }
    serde_json::from_str(state).map_err(|error| CheckpointError::Content { path, why: error.to_string() })
}

fn hash(text: &str) -> u64 {
    let mut hash = StableHash::new();
    hash.text(text);
    hash.finish()
}
