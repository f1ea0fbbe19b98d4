//! The puzzles of the day.

use super::App;
use super::request::{Query, json};
use crate::error::{ApiError, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::{Daily, Date, DateError};
use serde::Deserialize;
use std::sync::Arc;
use std::time::SystemTime;
use utoipa::IntoParams;

/// The day of the puzzles.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DailyQuery {
    /// The day, from 1970-01-01 to 9999-12-31. The default is today in UTC.
    #[param(format = Date, example = "2026-02-28")]
    date: Option<String>,
}

/// Returns the three puzzles of a day, the same for everyone: in every difficulty, easy on Mondays and hard on Sundays
#[utoipa::path(get, path = "/daily", tag = "puzzles", params(DailyQuery), responses(
    (status = 200, description = "The puzzles, from easy to hard", body = Daily),
    CommonErrors,
))]
pub async fn daily(State(app): State<Arc<App>>, Query(query): Query<DailyQuery>) -> Result<Response, ApiError> {
    let today = || Ok(Date::from_time(SystemTime::now()));
    let date: Date = query.date.map_or_else(today, |text| text.parse()).map_err(|error| invalid_date(&error))?;
    app.blocking.run(move || json(&clearway_answers::daily(date))).await
}

fn invalid_date(error: &DateError) -> ApiError {
    ApiError::bad_request(error.to_string())
}
