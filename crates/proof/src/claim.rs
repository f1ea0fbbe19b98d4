//! The claim of a certificate.

use crate::{CheckError, scanner};
use clearway_rush::formats::{self, Format};
use clearway_rush::{Board, MAX_BOUND, Metric};
use serde::Deserialize;
use std::io::Read;
use std::path::Path;

/// Name of the claim.
pub(crate) const FILE: &str = "claim.json";

/// Largest size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// Version of the files that this checker reads.
const VERSION: u32 = 1;

/// What a certificate claims: no solution of the board has at most `bound` moves or steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Board that has no such solution.
    pub board: Board,
    /// What the bound counts.
    pub metric: Metric,
    /// The number of moves or steps that do not suffice.
    pub bound: u32,
    /// Name and version of the solver that wrote the proof; nothing depends on it.
    pub solver: String,
}

/// The fields of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    version: u32,
    board: String,
    metric: Metric,
    bound: u32,
    layers: u32,
    solver: String,
}

impl Claim {
    /// Reads the claim in a folder.
    pub fn read(folder: &Path) -> Result<Claim, CheckError> {
        let mut text = Vec::new();
        let mut file = scanner::open(folder, FILE)?.take(MAX_BYTES + 1);
        file.read_to_end(&mut text).map_err(|error| CheckError::Io { path: folder.join(FILE), error })?;
        if text.len() as u64 > MAX_BYTES {
            return Err(CheckError::in_file(FILE, format!("larger than {MAX_BYTES} bytes")));
        }
        let invalid = |message: String| CheckError::in_file(FILE, message);
        let fields: Fields =
            serde_json::from_slice(&text).map_err(|error| CheckError::caused_by(FILE, error.to_string(), error))?;
        if fields.version != VERSION {
            return Err(invalid(format!("version {}; expected {VERSION}", fields.version)));
        }
        if fields.bound > MAX_BOUND {
            return Err(invalid(format!("the bound {} is too large; expected at most {MAX_BOUND}", fields.bound)));
        }
        if fields.layers != fields.bound {
            let message = format!("{} layers for a bound of {}; expected as many layers", fields.layers, fields.bound);
            return Err(invalid(message));
        }
        let board = formats::read_one(&fields.board, Some(Format::Line))
            .map_err(|error| CheckError::caused_by(FILE, format!("invalid board: {error}"), error))?
            .board;
        if formats::line(&board) != fields.board {
            return Err(invalid(format!("the board is not in its shortest notation, {}", formats::line(&board))));
        }
        if board.is_solved() {
            return Err(invalid("the claim is false: the board is solved".to_owned()));
        }
        Ok(Claim { board, metric: fields.metric, bound: fields.bound, solver: fields.solver })
    }
}
