//! A puzzle of a pack.

use crate::canonical::{Canonical, canonical};
use crate::grade::{Grader, HumanTime, Level};
use clearway_rush::{Board, Solution, Solver, formats};
use clearway_search::{Limit, Limits};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Where a puzzle comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The method that made it.
    pub generator: String,
    /// The version of clearway that made it.
    pub version: String,
    /// The seed that it was made from, where there was one.
    pub seed: Option<u64>,
}

/// A puzzle of a pack, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The same for all boards that are the same puzzle; see [`Canonical::id`].
    pub id: String,
    /// What is the same for all boards that are the same puzzle; see [`Canonical::text`].
    pub canonical: String,
    /// A name that it came with.
    pub name: Option<String>,
    /// The board.
    #[serde(with = "board_text")]
    pub board: Board,
    /// The length of a shortest solution, in moves.
    pub moves: u32,
    /// The length of a shortest solution in steps, which may be another one than that with the fewest moves.
    pub steps: u32,
    /// The number of states that can be reached.
    pub states: u64,
    /// The largest distance, in moves, of any of them to a solution.
    pub depth: u32,
    /// How hard it is for people, in a word.
    pub level: Level,
    /// The time that people need.
    pub human: HumanTime,
    /// Whether every vehicle is needed to make it as hard as it is.
    pub minimal: bool,
    /// A solution with the fewest moves; replayed when it was found.
    #[serde(with = "solution_text")]
    pub solution: Solution,
    /// Where it comes from, if that is known.
    pub origin: Option<Origin>,
}

/// Why a board cannot be in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEntry {
    /// It is proven that no state of its component is solved.
    #[error("the board is unsolvable")]
    Unsolvable,
    /// There is nothing to do.
    #[error("the board is solved as it stands")]
    Solved,
    /// It could not be found out what puzzle it is, or how hard.
    #[error("{0} before it was known which puzzle the board is")]
    Limit(Limit),
}

impl Entry {
    /// The entry for a board, which stays as it is, whichever state of its puzzle it shows.
    ///
    /// ```
    /// use clearway_forge::pack::Entry;
    /// use clearway_rush::{Solver, formats};
    /// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    /// let entry = Entry::of(board, &mut Solver::new(), &Default::default())?;
    /// assert_eq!((entry.moves, entry.steps, entry.depth, entry.level.word()), (8, 16, 9, "beginner"));
    /// # Ok::<(), clearway_forge::pack::NoEntry>(())
    /// ```
    pub fn of(board: Board, solver: &mut Solver, limits: &Limits) -> Result<Entry, NoEntry> {
        let found = canonical(solver, &board, limits).map_err(NoEntry::Limit)?;
        let found = found.ok_or(if board.is_solved() { NoEntry::Solved } else { NoEntry::Unsolvable })?;
        Entry::of_puzzle(&found, board, solver, limits)
    }

    /// The entry for a board of a puzzle that is known already.
    pub fn of_puzzle(found: &Canonical, board: Board, solver: &mut Solver, limits: &Limits) -> Result<Entry, NoEntry> {
        let graded = Grader::new().without_machine().grade(&board, solver, limits);
        let grade = graded.grade;
        if let Some(unfinished) = grade.unfinished.first() {
            return Err(NoEntry::Limit(unfinished.limit));
        }
        let (Some(solution), Some(steps), Some(level), Some(human)) =
            (graded.solution, grade.steps, grade.level, grade.human)
        else {
            return Err(if board.is_solved() { NoEntry::Solved } else { NoEntry::Unsolvable });
        };
        Ok(Entry {
            id: found.id(),
            canonical: found.text(),
            name: None,
            moves: solution.moves(),
            steps,
            states: found.states,
            depth: found.moves,
            level,
            human,
            minimal: grade.removable.is_some_and(|labels| labels.is_empty()),
            solution,
            origin: None,
            board,
        })
    }

    /// The order of a pack, from easy to hard: by moves, then by the time that people need, then by id.
    pub fn by_difficulty(&self, other: &Entry) -> Ordering {
        let moves = self.moves.cmp(&other.moves);
        let time = || self.human.seconds.total_cmp(&other.human.seconds);
        moves.then_with(time).then_with(|| self.id.cmp(&other.id))
    }
}

/// A board is a line of text on its way.
mod board_text {
    use super::{Board, Deserialize, formats};
    use serde::de::Error;

    pub fn serialize<S: serde::Serializer>(board: &Board, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&formats::line(board))
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Board, D::Error> {
        let text = String::deserialize(from)?;
        formats::read_one(&text, Some(formats::Format::Line)).map(|puzzle| puzzle.board).map_err(D::Error::custom)
    }
}

/// So is a solution.
mod solution_text {
    use super::{Deserialize, Solution};
    use serde::de::Error;

    pub fn serialize<S: serde::Serializer>(solution: &Solution, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(solution)
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Solution, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
