//! Dates of the daily puzzles.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A date from 1970-01-01 to 9999-12-31, in the Gregorian calendar.
///
/// ```
/// use clearway_answers::Date;
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

/// Day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // self-explanatory
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

const DAYS: u32 = 7;
const WEEKDAYS: [Weekday; DAYS as usize] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

/// 1 January 1970 was a Thursday.
const THURSDAY: u32 = Weekday::Thursday as u32;
const FIRST_YEAR: u16 = 1970;
const LAST_YEAR: u16 = 9999;

/// A text is not a date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid date '{text}'; expected a date from 1970-01-01 to 9999-12-31")]
#[non_exhaustive]
pub struct DateError {
    /// Text, cut after 40 characters.
    pub text: String,
}

impl Date {
    /// Creates a date; `None` if it does not exist or is out of range. Months and days count from 1.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let exists = (FIRST_YEAR..=LAST_YEAR).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day);
        exists.then_some(Date { year, month, day })
    }

    /// Returns the date of a time in UTC, clamped to the range of dates.
    pub fn from_time(time: SystemTime) -> Date {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Date::from_days(seconds / 86_400)
    }

    /// Returns the date that is `days` after 1 January 1970, or the last date.
    fn from_days(days: u64) -> Date {
        let last = Date { year: LAST_YEAR, month: 12, day: 31 };
        if days >= last.days().into() {
            return last;
        }
        let days = days as u32;
        // A year has at most 366 days, so this estimate is never too late.
        let mut year = FIRST_YEAR + (days / 366) as u16;
        while days_before(year + 1) <= days {
            year += 1;
        }
        let (mut month, mut left) = (1, days - days_before(year));
        while left >= days_in_month(year, month).into() {
            left -= u32::from(days_in_month(year, month));
            month += 1;
        }
        Date { year, month, day: left as u8 + 1 }
    }

    /// Returns the number of days since 1 January 1970.
    pub fn days(self) -> u32 {
        let months = (1..self.month).map(|month| u32::from(days_in_month(self.year, month)));
        days_before(self.year) + months.sum::<u32>() + u32::from(self.day) - 1
    }

    /// Returns the number of the week, from Monday to Sunday, that contains the date; that of 1 January 1970 is 0.
    pub fn weeks(self) -> u32 {
        (self.days() + THURSDAY) / DAYS
    }

    /// Returns the day of the week.
    pub fn weekday(self) -> Weekday {
        WEEKDAYS[((self.days() + THURSDAY) % DAYS) as usize]
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Number of days from 1 January 1970 to 1 January of a year.
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

    /// Parses a date such as `2026-02-28`.
    fn from_str(text: &str) -> Result<Date, DateError> {
        let parse = || {
            let number = |from: usize, to: usize| {
                let digits = text.get(from..to).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
                digits.parse::<u16>().ok()
            };
            let has_dashes = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
            has_dashes.then(|| Date::new(number(0, 4)?, number(5, 7)? as u8, number(8, 10)? as u8))?
        };
        parse().ok_or_else(|| DateError { text: text.chars().take(40).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_dates_have_consecutive_day_numbers() {
        let mut date = Date::new(1970, 1, 1).unwrap();
        for days in 0..=Date::new(LAST_YEAR, 12, 31).unwrap().days() {
            assert_eq!((Date::from_days(days.into()), date.days()), (date, days));
            assert_eq!(date.to_string().parse(), Ok(date));
            let Date { year, month, day } = date;
            let next = [Date::new(year, month, day + 1), Date::new(year, month + 1, 1), Date::new(year + 1, 1, 1)];
            date = next.into_iter().flatten().next().unwrap_or(date);
        }
        assert_eq!(date.to_string(), "9999-12-31");
        assert_eq!((date.days(), Date::from_days(u64::MAX)), (2_932_896, date));
    }

    #[test]
    fn known_dates_have_their_weekday() {
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
        assert_eq!(Date::from_time(time).to_string(), "2000-02-29");
    }

    #[test]
    fn weeks_begin_on_mondays() {
        let mut week = 0;
        for days in 0..10_000 {
            let date = Date::from_days(days);
            week += u32::from(date.weekday() == Weekday::Monday);
            assert_eq!(date.weeks(), week, "{date}");
        }
    }

    #[test]
    fn invalid_dates_are_rejected() {
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
        assert!(long.len() < 200 && long.contains("invalid date"));
    }
}
