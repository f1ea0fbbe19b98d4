//! The puzzles of the day.

use crate::RequestError;
use clearway_answers::{Daily, Date, DateError};
use clearway_util::time;
use serde::Deserialize;
use std::time::UNIX_EPOCH;
use utoipa::IntoParams;

/// The day of the puzzles.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DailyQuery {
    /// The day, from 1970-01-01 to 9999-12-31. The default is today in UTC.
    #[param(format = Date, example = "2026-02-28")]
    date: Option<String>,
}

/// Returns the puzzles of a day.
pub fn daily(query: &DailyQuery) -> Result<Daily, RequestError> {
    let today = || Ok(Date::from_time(UNIX_EPOCH + time::since_epoch()));
    let date = query.date.as_ref().map_or_else(today, |text| text.parse());
    let date: Date = date.map_err(|error: DateError| RequestError::bad_request(error.to_string()))?;
    Ok(clearway_answers::daily(date))
}
