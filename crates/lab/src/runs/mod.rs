//! What all runs of evolution have in common, whatever they breed.
//!
//! - `folder`: where a run is kept; `log`: its generations, a line each
//! - `settings`: what is true of the settings of all runs; `command`: what repeats them; `ends`: when a run is done
//! - `report`: the parts of a page about a run

mod command;
mod ends;
mod folder;
mod log;
pub(crate) mod report;
mod settings;

pub use command::{with_option, with_options};
pub use ends::{Budget, Ends};
pub use folder::{Folder, FolderError};
pub use log::LogLine;
pub use settings::{Preset, SettingsError, VERSION, make_room};

pub(crate) use log::Log;
pub(crate) use settings::check_ranges;

use clearway_gp::checkpoint::Loaded;
use clearway_gp::{Checkpoint, CheckpointError, CheckpointFile};
use serde::de::DeserializeOwned;

/// More generations were made than are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{made} generations were made already, more than the {asked} asked for")]
pub struct Fewer {
    /// How many are asked for.
    pub asked: u32,
    /// How many were made.
    pub made: u32,
}

/// How far the run in a folder has come, if it has made a generation. Also says what was wrong with the newest checkpoint,
/// where an older one has to stand in.
pub(crate) fn load<M: DeserializeOwned>(
    folder: &Folder,
) -> Result<(Option<Checkpoint<M>>, Option<CheckpointError>), CheckpointError> {
    match CheckpointFile::in_folder(folder.path()).load() {
        Ok(Loaded { checkpoint, fault }) => Ok((Some(checkpoint), fault)),
        // It was ended before its first generation was complete.
        Err(CheckpointError::Missing { .. }) => Ok((None, None)),
        Err(error) => Err(error),
    }
}

/// Refuses other generations than before if more were made.
pub(crate) fn check_asked<M>(checkpoint: Option<&Checkpoint<M>>, before: u32, asked: u32) -> Result<(), Fewer> {
    let made = checkpoint.map_or(0, |checkpoint| checkpoint.history.len() as u32);
    if asked < made && asked != before { Err(Fewer { asked, made }) } else { Ok(()) }
}
