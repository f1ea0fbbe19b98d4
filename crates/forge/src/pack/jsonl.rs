//! *jsonl*: one JSON object per line. Every field is documented here; the board can be read back by every command.

use super::Entry;
use crate::grade::{HumanTime, Level};
use clearway_rush::formats;
use serde::Serialize;

/// A puzzle of a pack as JSON.
#[derive(Serialize)]
struct Record<'a> {
    /// The FNV-1a hash of the canonical form, in 16 hexadecimal digits: the same for all boards that are the same puzzle.
    id: &'a str,
    /// Only if it has one: the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// The board in line format.
    board: String,
    /// Its width and height.
    size: [u8; 2],
    /// Its exit, as in the line format.
    exit: String,
    /// The length of a shortest solution in moves (a slide of any length counts 1).
    moves: u32,
    /// The length of a shortest solution in steps (one cell counts 1), which may be another solution.
    steps: u32,
    /// The states that can be reached.
    states: u64,
    /// The largest distance of any of them to a solution, in moves.
    depth: u32,
    /// How hard it is for people: `beginner`, `intermediate`, `advanced`, `expert` or `fiendish`.
    grade: Level,
    /// The time that people are predicted to need, its 95 % interval, and in what the prediction extrapolates.
    human: &'a HumanTime,
    /// Whether every vehicle is needed to make the board as hard as it is.
    minimal: bool,
    /// A solution with the fewest moves.
    solution: Vec<String>,
    /// The method that made the puzzle, or null if that is not known.
    generator: Option<&'a str>,
    /// The version of clearway that made it, or null.
    version: Option<&'a str>,
    /// The seed that it was made from, or null.
    seed: Option<u64>,
}

/// A puzzle as a line of text.
pub(super) fn line(entry: &Entry) -> String {
    let origin = entry.origin.as_ref();
    let record = Record {
        id: &entry.id,
        name: entry.name.as_deref(),
        board: formats::line(&entry.board),
        size: [entry.board.width(), entry.board.height()],
        exit: entry.board.exit().to_string(),
        moves: entry.moves,
        steps: entry.steps,
        states: entry.states,
        depth: entry.depth,
        grade: entry.level,
        human: &entry.human,
        minimal: entry.minimal,
        solution: entry.solution.0.iter().map(ToString::to_string).collect(),
        generator: origin.map(|origin| origin.generator.as_str()),
        version: origin.map(|origin| origin.version.as_str()),
        seed: origin.and_then(|origin| origin.seed),
    };
    let mut text = serde_json::to_string(&record).expect("a record holds nothing that JSON cannot express");
    text.push('\n');
    text
}

/// A whole pack.
pub(super) fn write(entries: &[Entry]) -> String {
    entries.iter().map(line).collect()
}
