//! The puzzle of the day.

use super::App;
use super::request::{Query, json};
use crate::error::{ApiError, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::{Daily, Date, DateError};
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use serde::Deserialize;
use std::sync::Arc;
use std::time::SystemTime;
use utoipa::IntoParams;

/// The day of the puzzle.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DailyQuery {
    /// The day, from 1970-01-01 to 9999-12-31. The default is today in UTC.
    #[param(format = Date, example = "2026-02-28")]
    date: Option<String>,
}

/// Returns the puzzle of a day, the same for everyone: easy on Mondays, hard on Sundays
#[utoipa::path(get, path = "/daily", tag = "puzzles", params(DailyQuery), responses(
    (status = 200, description = "The puzzle", body = Daily),
    CommonErrors,
))]
pub async fn daily(State(app): State<Arc<App>>, Query(query): Query<DailyQuery>) -> Result<Response, ApiError> {
    let today = || Ok(Date::from_time(SystemTime::now()));
    let date: Date = query.date.map_or_else(today, |text| text.parse()).map_err(|error| invalid_date(&error))?;
    let work = move |solver: &mut Solver, limits: &Limits| {
        let daily = clearway_answers::daily(date, solver, limits);
        // The level is missing only if grading ran out of time.
        let ended_by = daily.level.is_none().then_some(Limit::Time);
        Ok((daily, ended_by))
    };
    app.workers.search(&Limits::default(), work, |daily: Daily| json(&daily)).await
}

fn invalid_date(error: &DateError) -> ApiError {
    ApiError::bad_request(error.to_string())
}
