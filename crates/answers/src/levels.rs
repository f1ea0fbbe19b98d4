//! The puzzles of the levels.

use clearway_forge::collection::{self, CollectedPuzzle};
use clearway_forge::grade::{HumanTime, Level, Theme};
use clearway_rush::formats;
use serde::Serialize;
use std::ops::RangeInclusive;

/// Lengths of the shortest solutions; the tutorial has shorter ones.
const MOVES: RangeInclusive<u32> = 4..=u32::MAX;

/// A built-in puzzle of a level, with the facts by which players choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelPuzzle {
    /// Name: the level and a number, counted from the easiest puzzle of the level.
    pub name: String,
    /// Board in line format.
    pub board: String,
    /// Number of moves of a shortest solution.
    pub moves: u32,
    /// Difficulty for people.
    pub level: Level,
    /// Predicted time that people need.
    pub human: HumanTime,
    /// What is special about the puzzle.
    pub themes: Vec<Theme>,
}

/// A part of the collection. The daily puzzles are not in any level, so that players have not solved them before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    Levels,
    Daily,
}

/// Returns the puzzles of a share, from easy to hard. The puzzles of the collection belong to the shares in turn, so that both
/// have the same range of difficulties.
pub(crate) fn share(share: Share) -> impl Iterator<Item = &'static CollectedPuzzle> {
    collection::puzzles().iter().skip(share as usize).step_by(2)
}

/// Returns the puzzles of a level, from easy to hard.
///
/// ```
/// use clearway_answers::level_puzzles;
/// use clearway_forge::grade::Level;
/// let puzzles = level_puzzles(Level::Expert);
/// assert_eq!(puzzles[0].name, "Expert 1");
/// assert!(puzzles.iter().all(|puzzle| puzzle.level == Level::Expert));
/// ```
pub fn level_puzzles(level: Level) -> Vec<LevelPuzzle> {
    let word = level.as_str();
    let title = format!("{}{}", word[..1].to_uppercase(), &word[1..]);
    let puzzles = share(Share::Levels).filter(|puzzle| puzzle.level == level && MOVES.contains(&puzzle.moves));
    let named = |(number, puzzle): (usize, &CollectedPuzzle)| LevelPuzzle {
        name: format!("{title} {number}"),
        board: formats::line(&puzzle.board),
        moves: puzzle.moves,
        level,
        human: puzzle.human.clone(),
        themes: puzzle.themes.clone(),
    };
    (1..).zip(puzzles).map(named).collect()
}
