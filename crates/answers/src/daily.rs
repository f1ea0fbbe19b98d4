//! The puzzles of the day: three difficulties, the same for everybody, each easy on Mondays and hard on Sundays.

use crate::date::Date;
use crate::levels::{self, Share};
use clearway_forge::collection::CollectedPuzzle;
use clearway_forge::grade::{HumanTime, Level};
use clearway_rush::formats;
use serde::Serialize;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Lengths of the shortest solutions.
const MOVES: RangeInclusive<u32> = 8..=40;

const DAYS: usize = 7;
/// Step through the puzzles of a weekday, so that puzzles of similar difficulty do not follow each other. It is prime, and the
/// number of puzzles of a weekday is not a multiple of it, so every puzzle is used.
const STRIDE: usize = 23;

/// Difficulty of a daily puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[allow(missing_docs)] // self-explanatory
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

impl Difficulty {
    /// All difficulties, from the easiest to the hardest.
    pub const ALL: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];
}

/// Puzzles of a day.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Daily {
    /// Date, such as `2026-02-28`.
    pub date: String,
    /// One puzzle of each difficulty, the easiest first.
    pub puzzles: Vec<DailyPuzzle>,
}

/// One of the puzzles of a day.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DailyPuzzle {
    /// Difficulty among the puzzles of the day.
    pub difficulty: Difficulty,
    /// Board in line format.
    pub board: String,
    /// Number of moves of a shortest solution.
    pub moves: u32,
    /// Difficulty for people.
    pub level: Level,
    /// Predicted time that people need.
    pub human: HumanTime,
}

/// Returns the puzzles of a day. A puzzle is repeated only after all others of its weekday and difficulty.
///
/// In every week, the predicted time of each difficulty grows from Monday to Sunday, and Sunday's easy puzzle takes no longer than
/// Monday's medium one.
///
/// ```
/// use clearway_answers::{Date, daily};
/// let date: Date = "2026-03-01".parse().unwrap();
/// let [easy, medium, hard] = &daily(date).puzzles[..] else { panic!("three puzzles") };
/// assert!(easy.human.seconds < medium.human.seconds && medium.human.seconds < hard.human.seconds);
/// ```
pub fn daily(date: Date) -> Daily {
    let (week, weekday) = (date.weeks() as usize, date.weekday() as usize);
    let puzzle = |difficulty: Difficulty| {
        let pool = &*POOL;
        // Bands of equal size, from easy to hard: seven for each difficulty.
        let size = pool.len() / (DAYS * Difficulty::ALL.len());
        let band = &pool[(difficulty as usize * DAYS + weekday) * size..][..size];
        let CollectedPuzzle { board, moves, level, human, .. } = band[week * STRIDE % size];
        DailyPuzzle { difficulty, board: formats::line(board), moves: *moves, level: *level, human: human.clone() }
    };
    Daily { date: date.to_string(), puzzles: Difficulty::ALL.into_iter().map(puzzle).collect() }
}

/// All candidates, from easy to hard.
static POOL: LazyLock<Vec<&'static CollectedPuzzle>> =
    LazyLock::new(|| levels::share(Share::Daily).filter(|puzzle| MOVES.contains(&puzzle.moves)).collect());
