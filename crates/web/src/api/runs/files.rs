//! The champion and the report of a run as files.

use super::with_runs;
use crate::api::App;
use crate::api::request::{Path, Query, attachment};
use crate::error::{ApiError, CommonErrors, Problem};
use crate::runs::Runs;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_policy::svg;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// The format of the champion.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ChampionQuery {
    /// The format. The default is text.
    #[serde(default)]
    #[param(inline)]
    format: ChampionFormat,
}

/// A format of a policy.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChampionFormat {
    /// Text, as a file that the commands accept.
    #[default]
    Text,
    /// Drawing of the rules.
    Svg,
}

/// Content security policy of a drawing: inline styles only.
const DRAWING_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Returns the champion of a run, or the best policy so far
#[utoipa::path(get, path = "/runs/{id}/champion", operation_id = "run_champion", tag = "evolution",
    params(("id" = i64, Path, description = "Id of the run"), ChampionQuery),
    responses(
        (status = 200, description = "The policy as a file, or its drawing", content(("text/plain"), ("image/svg+xml"))),
        (status = 404, description = "The run does not exist, or has no champion yet", body = Problem),
        CommonErrors,
    ))]
pub async fn champion(
    State(app): State<Arc<App>>,
    Path(id): Path<i64>,
    Query(query): Query<ChampionQuery>,
) -> Result<Response, ApiError> {
    let champion = move |runs: &Arc<Runs>| {
        runs.find(id)?;
        let text = runs.champion(id).ok_or_else(|| not_yet_available(id, "champion"))?;
        let name = format!("run-{id}");
        match query.format {
            ChampionFormat::Text => Ok(attachment(&format!("{name}.policy"), "text/plain; charset=utf-8", text)),
            ChampionFormat::Svg => {
                let policy = text.parse().map_err(ApiError::internal)?;
                let headers =
                    [(header::CONTENT_TYPE, "image/svg+xml"), (header::CONTENT_SECURITY_POLICY, DRAWING_POLICY)];
                Ok((headers, svg(&policy, &name)).into_response())
            }
        }
    };
    with_runs(&app, champion).await
}

/// Returns the report of a run: a self-contained HTML page
#[utoipa::path(get, path = "/runs/{id}/report", operation_id = "run_report", tag = "evolution",
    params(("id" = i64, Path, description = "Id of the run")),
    responses(
        (status = 200, description = "The page, as an attachment", content_type = "text/html"),
        (status = 404, description = "The run does not exist, or has no report yet", body = Problem),
        CommonErrors,
    ))]
pub async fn report(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    let page = with_runs(&app, move |runs| {
        runs.find(id)?;
        std::fs::read(runs.folder(id).report()).map_err(|_| not_yet_available(id, "report"))
    });
    Ok(attachment(&format!("run-{id}.html"), "text/html; charset=utf-8", page.await?))
}

fn not_yet_available(id: i64, what: &str) -> ApiError {
    ApiError::not_found(format!("run {id} has no {what} yet")).with_help("wait for its first generation")
}
