//! What survives an interruption, and its file.
//!
//! A checkpoint is two lines of JSON: a header with the version of the format, the length and the hash of what follows,
//! and the state itself. A new one is written beside the others, put safely on the disk, and only then takes its place;
//! the one before it is kept. Whatever moment a process is killed at, one of them is whole.

use crate::hash::StableHash;
use crate::{EvolutionOptions, Generation, Judged};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
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

    /// One that is being written.
    fn unfinished(&self) -> PathBuf {
        self.folder.join("checkpoint.unfinished.json")
    }

    /// Writes a checkpoint; the newest so far becomes the previous one.
    pub fn save<M: Serialize>(&self, checkpoint: &Checkpoint<M>) -> Result<(), CheckpointError> {
        let (unfinished, newest, previous) = (self.unfinished(), self.newest(), self.previous());
        let text = to_text(checkpoint)
            .map_err(|error| CheckpointError::Content { path: newest.clone(), why: error.to_string() })?;
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| CheckpointError::Io { path, why: error.to_string() }
        };
        let write = || {
            let mut file = File::create(&unfinished)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(failed(&unfinished))?;
        match fs::rename(&newest, &previous) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => other.map_err(failed(&previous))?,
        }
        fs::rename(&unfinished, &newest).map_err(failed(&newest))?;
        // The names are safe on the disk too where a folder can be synchronised. Where it cannot, a crash of the whole
        // machine may bring back the names of before, which are as good.
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Reads the newest checkpoint, or where it is missing or broken, the best that is left.
    pub fn load<M: DeserializeOwned>(&self) -> Result<Loaded<M>, CheckpointError> {
        let fault = match from_file(&self.newest()) {
            Ok(checkpoint) => return Ok(Loaded { checkpoint, fault: None }),
            Err(fault @ (CheckpointError::Version { .. } | CheckpointError::Content { .. })) => return Err(fault),
            Err(fault) => fault,
        };
        // A process that was killed after it put the newest away, and before its successor had the name, left a whole
        // one here. If it is not whole, the newest was not put away yet.
        if let Ok(checkpoint) = from_file(&self.unfinished()) {
            return Ok(Loaded { checkpoint, fault: Some(fault) });
        }
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
