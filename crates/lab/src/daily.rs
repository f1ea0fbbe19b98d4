//! The puzzle of the day: the same for everybody, easy on Mondays and hard on Sundays.

use clearway_forge::grade::{Grader, Level};
use clearway_rush::formats::{self, Known, Puzzle};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Solver};
use clearway_search::Limits;
use serde::Serialize;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The suite that the puzzles come from, and how many moves they have.
const SUITE: &str = "catalogue-sample";
const MOVES: RangeInclusive<u32> = 8..=40;

const DAYS: usize = 7;
/// In how large steps the puzzles of a weekday are gone through, so that neighbours in length do not follow each other. It
/// divides no number of puzzles that a weekday may have but 1.
const STRIDE: usize = 19;

/// The puzzle of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Daily {
    /// The day, as in `2026-02-28`.
    pub date: String,
    /// The name of the puzzle.
    pub name: String,
    /// The board in line format.
    pub board: String,
    /// The moves of a shortest solution.
    pub moves: u32,
    /// How hard it is for people; null if a limit was reached before that was known.
    pub level: Option<Level>,
}

/// The puzzle of a day. No puzzle comes again before all others of its weekday did, which takes 47 weeks.
///
/// ```
/// use clearway_lab::{Date, daily};
/// let date: Date = "2026-03-01".parse().unwrap();
/// let sunday = daily(date, &mut Default::default(), &Default::default());
/// assert!(sunday.moves > 30);
/// ```
pub fn daily(date: Date, solver: &mut Solver, limits: &Limits) -> Daily {
    let pool = &*POOL;
    let (week, weekday) = ((date.days() as usize + THURSDAY) / DAYS, date.weekday() as usize);
    let of_weekday = &pool[pool.len() / DAYS * weekday..][..pool.len() / DAYS];
    let chosen = &of_weekday[week * STRIDE % of_weekday.len()];
    let grader = Grader::new().without_machine().without_removable();
    Daily {
        date: date.to_string(),
        name: chosen.name.clone(),
        board: formats::line(&chosen.board),
        moves: chosen.moves,
        level: grader.grade(&chosen.board, solver, limits).grade.level,
    }
}

struct Chosen {
    name: String,
    board: Board,
    moves: u32,
}

/// All puzzles that may come, from the shortest to the longest.
static POOL: LazyLock<Vec<Chosen>> = LazyLock::new(|| {
    let puzzles = Suite::find(SUITE).map(Suite::puzzles).unwrap_or_default();
    let choose = |puzzle: Puzzle| match puzzle.moves {
        Some(Known::Exactly(moves)) if MOVES.contains(&moves) => {
            Some(Chosen { name: puzzle.name?, board: puzzle.board, moves })
        }
        _ => None,
    };
    let mut pool: Vec<Chosen> = puzzles.into_iter().filter_map(choose).collect();
    pool.sort_by_key(|chosen| chosen.moves);
    pool
});

/// A day from 1970 to 9999.
///
/// ```
/// use clearway_lab::Date;
/// let leap: Date = "2000-02-29".parse().unwrap();
/// assert_eq!((leap.days(), leap.to_string().as_str()), (11_016, "2000-02-29"));
/// assert!("2100-02-29".parse::<Date>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// The day of a week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the words say it
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

const WEEKDAYS: [Weekday; DAYS] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

/// The first day of 1970 was a Thursday.
const THURSDAY: usize = Weekday::Thursday as usize;
const FIRST_YEAR: u16 = 1970;
const LAST_YEAR: u16 = 9999;

/// A text that is no day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a day: a date from 1970-01-01 to 9999-12-31 is expected")]
pub struct DateError {
    /// The text.
    pub text: String,
}

impl Date {
    /// The day of a year, a month and a day of that month, if there is one.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let exists = (FIRST_YEAR..=LAST_YEAR).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day);
        exists.then_some(Date { year, month, day })
    }

    /// The day, in Greenwich, of a time: the last there is for what comes after it.
    pub fn of(time: SystemTime) -> Date {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Date::of_days(seconds / 86_400)
    }

    /// The day so many days after the first of January 1970.
    fn of_days(days: u64) -> Date {
        let last = Date { year: LAST_YEAR, month: 12, day: 31 };
        if days >= last.days().into() {
            return last;
        }
        let days = days as u32;
        // A year is no longer than 366 days, so this one is not too late.
        let mut year = FIRST_YEAR + (days / 366) as u16;
        while days_before(year + 1) <= days {
            year += 1;
        }
        let (mut month, mut left) = (1, days - days_before(year));
        while left >= days_of_month(year, month).into() {
            left -= u32::from(days_of_month(year, month));
            month += 1;
        }
        Date { year, month, day: left as u8 + 1 }
    }

    /// The days since the first of January 1970.
    pub fn days(self) -> u32 {
        let months = (1..self.month).map(|month| u32::from(days_of_month(self.year, month)));
        days_before(self.year) + months.sum::<u32>() + u32::from(self.day) - 1
    }

    /// The day of the week.
    pub fn weekday(self) -> Weekday {
        WEEKDAYS[(self.days() as usize + THURSDAY) % DAYS]
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_month(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The days from the first of January 1970 to that of another year.
fn days_before(year: u16) -> u32 {
    let leaps_until = |year: u32| year / 4 - year / 100 + year / 400;
    let (first, year) = (u32::from(FIRST_YEAR), u32::from(year));
    365 * (year - first) + leaps_until(year - 1) - leaps_until(first - 1)
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = DateError;

    /// Reads `2026-02-28`.
    fn from_str(text: &str) -> Result<Date, DateError> {
        let read = || {
            let number = |from: usize, to: usize| {
                let digits = text.get(from..to).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
                digits.parse::<u16>().ok()
            };
            let is_written = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
            is_written.then(|| Date::new(number(0, 4)?, number(5, 7)? as u8, number(8, 10)? as u8))?
        };
        read().ok_or_else(|| DateError { text: text.chars().take(40).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_without_a_gap() {
        let mut date = Date::new(1970, 1, 1).unwrap();
        for days in 0..=Date::new(LAST_YEAR, 12, 31).unwrap().days() {
            assert_eq!((Date::of_days(days.into()), date.days()), (date, days));
            assert_eq!(date.to_string().parse(), Ok(date));
            let Date { year, month, day } = date;
            let next = [Date::new(year, month, day + 1), Date::new(year, month + 1, 1), Date::new(year + 1, 1, 1)];
            date = next.into_iter().flatten().next().unwrap_or(date);
        }
        assert_eq!(date.to_string(), "9999-12-31");
        assert_eq!((date.days(), Date::of_days(u64::MAX)), (2_932_896, date));
    }

    #[test]
    fn known_days_are_what_they_were() {
        for (text, days, weekday) in [
            ("1970-01-01", 0, Weekday::Thursday),
            ("1972-03-01", 790, Weekday::Wednesday),
            ("2000-01-01", 10_957, Weekday::Saturday),
            ("2024-02-29", 19_782, Weekday::Thursday),
            ("2100-03-01", 47_541, Weekday::Monday),
        ] {
            let date: Date = text.parse().unwrap();
            assert_eq!((date.days(), date.weekday()), (days, weekday), "{text}");
        }
        let time = UNIX_EPOCH + std::time::Duration::from_secs(951_782_400 + 86_399);
        assert_eq!(Date::of(time).to_string(), "2000-02-29");
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "2026",
            "2026-2-28",
            "2026-02-30",
            "2025-02-29",
            "1900-01-01",
            "1969-12-31",
            "0000-00-00",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-04-31",
            "10000-01-01",
            "2026/01/01",
            "+026-01-01",
            "2026-01-01 ",
            "２０-01-01",
            "2026-1é-01",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        let long = "é".repeat(1000).parse::<Date>().unwrap_err().to_string();
        assert!(long.len() < 200 && long.contains("is not a day"));
    }
}
