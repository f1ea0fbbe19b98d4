//! The puzzle of the day.

use super::App;
use super::request::{Query, json};
use crate::error::{ApiError, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::{Daily, Date, DateError};
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use serde::Deserialize;
use std::sync::Arc;
use std::time::SystemTime;
use utoipa::IntoParams;

/// Of which day.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DailyQuery {
    /// The day, from 1970-01-01 to 9999-12-31; today, in UTC, if it is not given.
    #[param(format = Date, example = "2026-02-28")]
    date: Option<String>,
}

/// The puzzle of a day, the same for everybody: easy on Mondays, hard on Sundays
#[utoipa::path(get, path = "/daily", tag = "puzzles", params(DailyQuery), responses(
    (status = 200, description = "The puzzle", body = Daily),
    Refused,
))]
pub async fn daily(State(app): State<Arc<App>>, Query(query): Query<DailyQuery>) -> Result<Response, ApiError> {
    let today = || Ok(Date::of(SystemTime::now()));
    let date: Date = query.date.map_or_else(today, |text| text.parse()).map_err(|error| no_day(&error))?;
    let work = move |solver: &mut Solver, limits: &Limits| {
        let daily = clearway_lab::daily(date, solver, limits);
        // It has no level only if there was too little time to find it out.
        let ended_by = daily.level.is_none().then_some(Limit::Time);
        Ok((daily, ended_by))
    };
    app.workers.search(&Limits::default(), work, |daily: Daily| json(&daily)).await
}

fn no_day(error: &DateError) -> ApiError {
    ApiError::bad_request(error.to_string())
}
