//! A puzzle and what is known of it, as packs and the generator have them.

use clearway_forge::grade::Level;
use clearway_forge::pack::Entry;
use clearway_lab::records::Moves;
use clearway_rush::formats;
use serde::Serialize;
use utoipa::ToSchema;

/// A graded puzzle.
#[derive(Serialize, ToSchema)]
pub struct EntryRecord<'a> {
    /// The same for all boards that are the same puzzle: mirrored, turned, or another state of it; 16 hexadecimal digits.
    #[schema(example = "3c2f8e0d5b7a9146")]
    id: &'a str,
    /// Its name, or null if it came without one.
    name: Option<&'a str>,
    /// The board in line format.
    #[schema(example = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")]
    board: String,
    /// The length of a shortest solution in moves: a slide of any length counts 1.
    moves: u32,
    /// The length of a shortest solution in steps, where one cell counts 1; that may be another solution.
    steps: u32,
    /// The states that can be reached.
    states: u64,
    /// The largest distance of any of them to a solution, in moves.
    depth: u32,
    /// How hard it is for people.
    level: Level,
    /// The time that people are predicted to need.
    seconds: f64,
    /// Whether every vehicle is needed to make it as hard as it is.
    minimal: bool,
    /// A solution with the fewest moves, replayed before it was kept.
    solution: Moves<'a>,
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
            level: entry.level,
            seconds: entry.human.seconds,
            minimal: entry.minimal,
            solution: Moves(&entry.solution.0),
        }
    }
}
