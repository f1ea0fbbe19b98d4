//! The collection: graded puzzles for players, embedded in the program. All are 6x6 except the hardest, which are 8x8.
//!
//! The lines of `collection.tsv` hold what is slow to compute; the predicted time and the level follow from it.

use crate::grade::{HumanTime, Level, Theme};
use clearway_rush::{Board, formats};
use clearway_util::embedded_text;
use std::sync::LazyLock;

/// Graded puzzle of the collection.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectedPuzzle {
    /// Board: 6x6 or 8x8.
    pub board: Board,
    /// Number of moves of a shortest solution.
    pub moves: u32,
    /// Largest distance, in moves, of a reachable state to its nearest solved state.
    pub depth: u32,
    /// Number of different vehicles that move in a shortest solution, on average.
    pub vehicles_moved: f64,
    /// What is special about the puzzle.
    pub themes: Vec<Theme>,
    /// Predicted time that people need.
    pub human: HumanTime,
    /// Difficulty level for people.
    pub level: Level,
}

static PUZZLES: LazyLock<Vec<CollectedPuzzle>> = LazyLock::new(|| {
    let lines = embedded_text!("collection.tsv").lines().filter(|line| !line.starts_with('#'));
    let puzzles: Option<Vec<_>> = lines.map(puzzle).collect();
    puzzles.expect("the embedded collection is well formed")
});

/// Returns all puzzles, from easy to hard: sorted by predicted time.
///
/// ```
/// use clearway_forge::collection;
/// use clearway_forge::grade::{Level, Theme};
/// let hardest = collection::puzzles().last().unwrap();
/// assert_eq!(hardest.level, Level::Fiendish);
/// assert!(collection::puzzles().iter().any(|puzzle| puzzle.themes.contains(&Theme::TargetBack)));
/// ```
///
/// # Panics
/// Never: a test reads the whole collection.
pub fn puzzles() -> &'static [CollectedPuzzle] {
    &PUZZLES
}

/// Parses a line: the board, the moves, the depth, the vehicles that move, and the themes, separated by tabs.
fn puzzle(line: &str) -> Option<CollectedPuzzle> {
    let mut fields = line.split('\t');
    let board = formats::read_one(fields.next()?, None).ok()?.board;
    let (moves, depth, vehicles_moved) =
        (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let themes = fields.next()?.split_whitespace().map(Theme::find_by_name).collect::<Option<_>>()?;
    let human = HumanTime::predict(&board, moves, depth, vehicles_moved);
    Some(CollectedPuzzle {
        level: Level::from_seconds(human.seconds),
        board,
        moves,
        depth,
        vehicles_moved,
        themes,
        human,
    })
}
