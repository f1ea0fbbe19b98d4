//! *jsonl*: one JSON object per line. Every command can read the boards.

use super::Entry;
use crate::grade::{HumanTime, Level};
use clearway_rush::formats;
use clearway_util::embedded_text;
use serde::Serialize;

/// JSON Schema of a record, which is one line of the file.
pub fn schema() -> &'static str {
    embedded_text!("pack.schema.json")
}

/// JSON record of a puzzle. A change of its fields is also a change of the [schema](schema()).
#[derive(Serialize)]
struct PuzzleRecord<'a> {
    /// FNV-1a hash of the canonical form, as 16 hexadecimal digits: the same for all boards of the same puzzle.
    id: &'a str,
    /// Name of the puzzle; omitted if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// Board in line format.
    board: String,
    /// Width and height.
    size: [u8; 2],
    /// Exit, as in the line format.
    exit: String,
    /// Length of a shortest solution in moves (a slide of any length counts 1).
    moves: u32,
    /// Length of a shortest solution in steps (each cell counts 1); it may be a different solution. Null if unknown.
    steps: Option<u32>,
    /// Number of reachable states, or null if unknown.
    states: Option<u64>,
    /// Largest distance of a reachable state to a solved state, in moves, or null if unknown.
    depth: Option<u32>,
    /// Number of different solutions with the fewest moves, or null if unknown.
    optimal_solutions: Option<u128>,
    /// Mean number of decisions in a solution with the fewest moves, or null if unknown.
    decisions: Option<f64>,
    /// Difficulty level for people: `beginner`, `intermediate`, `advanced`, `expert` or `fiendish`.
    grade: Level,
    /// Predicted time that people need, its 95 % interval, and the properties in which the prediction extrapolates.
    human: &'a HumanTime,
    /// Whether removing any vehicle makes the board easier.
    minimal: bool,
    /// Solution with the fewest moves.
    solution: Vec<String>,
    /// Method that generated the puzzle, or null if it is unknown.
    generator: Option<&'a str>,
    /// Version of clearway that generated it, or null.
    version: Option<&'a str>,
    /// Seed that it was generated from, or null.
    seed: Option<u64>,
    /// Licence of the puzzle as an SPDX identifier, or null if it is unknown.
    license: Option<&'a str>,
}

/// Writes a puzzle as a line of text.
pub(super) fn line(entry: &Entry) -> String {
    let origin = entry.origin.as_ref();
    let record = PuzzleRecord {
        id: &entry.id,
        name: entry.name.as_deref(),
        board: formats::line(&entry.board),
        size: [entry.board.width(), entry.board.height()],
        exit: entry.board.exit().to_string(),
        moves: entry.moves,
        steps: entry.steps,
        states: entry.states,
        depth: entry.depth,
        optimal_solutions: entry.optimal_solutions,
        decisions: entry.decisions,
        grade: entry.level,
        human: &entry.human,
        minimal: entry.minimal,
        solution: entry.solution.0.iter().map(ToString::to_string).collect(),
        generator: origin.map(|origin| origin.generator.as_str()),
        version: origin.map(|origin| origin.version.as_str()),
        seed: origin.and_then(|origin| origin.seed),
        license: entry.license.as_deref(),
    };
    let mut text = serde_json::to_string(&record).expect("a record can always be written as JSON");
    text.push('\n');
    text
}

/// Writes a pack.
pub(super) fn write(entries: &[Entry]) -> String {
    entries.iter().map(line).collect()
}
