//! A puzzle of a pack.

use crate::canonical::{Canonical, canonical};
use crate::grade::{GradePart, Grader, HumanTime, Level};
use clearway_rush::{Board, Solution, Solver, formats};
use clearway_search::{Limit, Limits};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// How a puzzle was generated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Method that generated it.
    pub generator: String,
    /// Version of clearway that generated it.
    pub version: String,
    /// Seed that it was generated from, if any.
    pub seed: Option<u64>,
}

/// Licence of generated puzzles: they are dedicated to the public domain.
pub const LICENSE: &str = "CC0-1.0";
/// Maximum length of a licence in a header, in bytes.
const MAX_LICENSE: usize = 200;

/// Graded puzzle of a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Id, which is the same for all boards of the same puzzle; see [`Canonical::id`].
    pub id: String,
    /// Text of the canonical form, which is the same for all boards of the same puzzle; see [`Canonical::text`].
    pub canonical: String,
    /// Name given in the input.
    pub name: Option<String>,
    /// Board, in any state of the puzzle.
    #[serde(with = "board_text")]
    pub board: Board,
    /// Length of a shortest solution, in moves.
    pub moves: u32,
    /// Length of a shortest solution in steps; it may be a different solution from the one with the fewest moves. On boards
    /// with a side of more than eight cells it is absent if it was not proven.
    pub steps: Option<u32>,
    /// Number of reachable states; absent on boards with a side of more than eight cells, whose states are not explored.
    pub states: Option<u64>,
    /// Largest distance, in moves, of a reachable state to a solved state; absent like the number of states.
    pub depth: Option<u32>,
    /// Number of different shortest solutions; absent like the number of states, and if it exceeds 2^128 - 1.
    #[serde(default)]
    pub optimal_solutions: Option<u128>,
    /// Mean number of decisions in a shortest solution, see [`Grade::decisions`](crate::grade::Grade::decisions); absent like the
    /// number of states.
    #[serde(default)]
    pub decisions: Option<f64>,
    /// Difficulty level for people.
    pub level: Level,
    /// Predicted time that people need.
    pub human: HumanTime,
    /// Whether removing any vehicle makes the board easier.
    pub minimal: bool,
    /// Solution with the fewest moves; verified by the independent replay when it was found.
    #[serde(with = "solution_text")]
    pub solution: Solution,
    /// How it was generated, if that is known.
    pub origin: Option<Origin>,
    /// Licence of the puzzle as an SPDX identifier, if it is known.
    #[serde(default)]
    pub license: Option<String>,
}

/// Why a board cannot be added to a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// No state of the component is solved.
    #[error("the board is unsolvable")]
    Unsolvable,
    /// The board needs no move.
    #[error("the board is already solved")]
    Solved,
    /// A limit was reached before the puzzle was identified and graded.
    #[error("{0} before the puzzle was identified and graded")]
    Limit(Limit),
}

impl Entry {
    /// Identifies and grades a board, which keeps its state.
    ///
    /// ```
    /// use clearway_forge::pack::Entry;
    /// use clearway_rush::{Solver, formats};
    /// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
    /// let entry = Entry::new(board, &mut Solver::new(), &Default::default())?;
    /// assert_eq!((entry.moves, entry.steps, entry.depth), (8, Some(16), Some(9)));
    /// assert_eq!(entry.level.as_str(), "beginner");
    /// # Ok::<(), clearway_forge::pack::EntryError>(())
    /// ```
    pub fn new(board: Board, solver: &mut Solver, limits: &Limits) -> Result<Entry, EntryError> {
        let form = canonical(solver, &board, limits).map_err(EntryError::Limit)?;
        let form = form.ok_or(if board.is_solved() { EntryError::Solved } else { EntryError::Unsolvable })?;
        Entry::from_canonical(&form, board, solver, limits)
    }

    /// Grades a board whose canonical form is known.
    pub fn from_canonical(
        form: &Canonical,
        board: Board,
        solver: &mut Solver,
        limits: &Limits,
    ) -> Result<Entry, EntryError> {
        let is_explored = form.states.is_some();
        let grader = Grader::new().without_machine();
        let grader = if is_explored { grader } else { grader.without_component() };
        let graded = grader.grade(&board, solver, limits);
        let grade = graded.grade;
        let is_needed = |part| is_explored || part != GradePart::Steps;
        if let Some(unfinished) = grade.unfinished.iter().find(|unfinished| is_needed(unfinished.part)) {
            return Err(EntryError::Limit(unfinished.limit));
        }
        let (Some(solution), Some(level), Some(human)) = (graded.solution, grade.level, grade.human) else {
            return Err(if board.is_solved() { EntryError::Solved } else { EntryError::Unsolvable });
        };
        Ok(Entry {
            id: form.id(),
            canonical: form.text(),
            name: None,
            moves: solution.moves(),
            steps: grade.steps,
            states: form.states,
            depth: form.states.map(|_| form.moves),
            optimal_solutions: grade.optimal_solutions.filter(|_| !grade.optimal_solutions_saturated),
            decisions: grade.decisions,
            level,
            human,
            minimal: grade.removable.is_some_and(|labels| labels.is_empty()),
            solution,
            origin: None,
            license: None,
            board,
        })
    }

    /// Returns the licence that all of these puzzles have, if there is one and it fits into a line of text.
    pub(super) fn common_license(entries: &[Entry]) -> Option<&str> {
        let first = entries.first()?.license.as_deref()?;
        let is_line = first.len() <= MAX_LICENSE && !first.contains(char::is_control);
        (is_line && entries.iter().all(|entry| entry.license.as_deref() == Some(first))).then_some(first)
    }

    /// Compares two entries in the order of a pack, from easy to hard: by predicted time, then by moves, then by id.
    pub fn by_difficulty(&self, other: &Entry) -> Ordering {
        let time = self.human.seconds.total_cmp(&other.human.seconds);
        time.then(self.moves.cmp(&other.moves)).then_with(|| self.id.cmp(&other.id))
    }
}

/// Serialises a board in line format.
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

/// Serialises a solution as text.
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
