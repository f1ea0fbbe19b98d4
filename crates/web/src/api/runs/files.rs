//! What a run has bred, as files.

use super::aside;
use crate::api::App;
use crate::api::request::{Path, Query, attachment};
use crate::error::{ApiError, Problem, Refused};
use crate::runs::Runs;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_policy::svg;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// In what format the champion is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ChampionQuery {
    /// The format; text if it is not given.
    #[serde(default)]
    #[param(inline)]
    format: ChampionFormat,
}

/// A format for a policy.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChampionFormat {
    /// Its text, as a file that every command takes.
    #[default]
    Text,
    /// A drawing of its rules.
    Svg,
}

/// What the browser shall let a drawing do: have its own colours, and nothing else.
const DRAWING: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The champion of a run, or the best so far while it breeds
#[utoipa::path(get, path = "/runs/{id}/champion", operation_id = "run_champion", tag = "evolution",
    params(("id" = i64, Path, description = "The run's number"), ChampionQuery),
    responses(
        (status = 200, description = "The policy as a file, or its drawing", content(("text/plain"), ("image/svg+xml"))),
        (status = 404, description = "There is no such run, or it has no champion yet", body = Problem),
        Refused,
    ))]
pub async fn champion(
    State(app): State<Arc<App>>,
    Path(id): Path<i64>,
    Query(query): Query<ChampionQuery>,
) -> Result<Response, ApiError> {
    let champion = move |runs: &Arc<Runs>| {
        runs.find(id)?;
        let text = runs.champion(id).ok_or_else(|| nothing_yet(id, "champion"))?;
        let name = format!("run-{id}");
        match query.format {
            ChampionFormat::Text => Ok(attachment(&format!("{name}.policy"), "text/plain; charset=utf-8", text)),
            ChampionFormat::Svg => {
                let policy = text.parse().map_err(ApiError::internal)?;
                let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CONTENT_SECURITY_POLICY, DRAWING)];
                Ok((headers, svg(&policy, &name)).into_response())
            }
        }
    };
    aside(&app, champion).await
}

/// The report on a run: a page that needs nothing else
#[utoipa::path(get, path = "/runs/{id}/report", operation_id = "run_report", tag = "evolution",
    params(("id" = i64, Path, description = "The run's number")),
    responses(
        (status = 200, description = "The page, as an attachment", content_type = "text/html"),
        (status = 404, description = "There is no such run, or it has no report yet", body = Problem),
        Refused,
    ))]
pub async fn report(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    let page = aside(&app, move |runs| {
        runs.find(id)?;
        std::fs::read(runs.folder(id).report()).map_err(|_| nothing_yet(id, "report"))
    });
    Ok(attachment(&format!("run-{id}.html"), "text/html; charset=utf-8", page.await?))
}

fn nothing_yet(id: i64, what: &str) -> ApiError {
    ApiError::not_found(format!("run {id} has no {what} yet")).with_help("wait for its first generation")
}
