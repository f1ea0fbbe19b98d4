//! A graded puzzle, as packs and the generator return it.

use clearway_answers::records::Moves;
use clearway_forge::grade::{HumanTime, Level};
use clearway_forge::pack::Entry;
use clearway_rush::formats;
use serde::Serialize;
use utoipa::ToSchema;

/// A graded puzzle.
#[derive(Serialize, ToSchema)]
pub struct EntryRecord<'a> {
    /// Identifies the puzzle: the same for its mirror images, rotations and other states; 16 hexadecimal digits.
    #[schema(example = "3c2f8e0d5b7a9146")]
    id: &'a str,
    /// Name of the puzzle, or null if it has none.
    name: Option<&'a str>,
    /// The board in line format.
    #[schema(example = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")]
    board: String,
    /// Length of a shortest solution in moves: a slide of any length counts as 1.
    moves: u32,
    /// Length of a shortest solution in steps: each cell counts as 1. It may be a different solution. Null if unknown,
    /// as it may be on boards with a side of more than eight cells.
    steps: Option<u32>,
    /// Number of reachable states; null on boards with a side of more than eight cells.
    states: Option<u64>,
    /// Largest distance of a reachable state from a solution, in moves; null on boards with a side of more than eight cells.
    depth: Option<u32>,
    /// Number of different solutions with the fewest moves; null on boards with a side of more than eight cells, and in packs
    /// saved by older versions.
    optimal_solutions: Option<u128>,
    /// Mean number of decisions, that is, moves that are not forced, in a solution with the fewest moves; null like
    /// `optimal_solutions`.
    decisions: Option<f64>,
    /// Difficulty for people.
    level: Level,
    /// Predicted time that people need, in seconds: the same as in `human`.
    seconds: f64,
    /// Predicted time that people need, its 95 % interval, and the properties in which the prediction extrapolates.
    human: &'a HumanTime,
    /// Whether removing any vehicle would make the puzzle easier.
    minimal: bool,
    /// A solution with the fewest moves, verified by replay.
    solution: Moves<'a>,
    /// Licence of the puzzle, or null if it is unknown; generated puzzles have CC0-1.0.
    #[schema(example = "CC0-1.0")]
    license: Option<&'a str>,
}

impl<'a> From<&'a Entry> for EntryRecord<'a> {
    fn from(entry: &'a Entry) -> EntryRecord<'a> {
        EntryRecord {
            id: &entry.id,
            name: entry.name.as_deref(),
            board: formats::line(&entry.board),
            moves: entry.moves,
            steps: entry.steps,
            states: entry.states,
            depth: entry.depth,
            optimal_solutions: entry.optimal_solutions,
            decisions: entry.decisions,
            level: entry.level,
            seconds: entry.human.seconds,
            human: &entry.human,
            minimal: entry.minimal,
            solution: Moves(&entry.solution.0),
            license: entry.license.as_deref(),
        }
    }
}
