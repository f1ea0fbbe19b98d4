//! Request bodies and queries, JSON responses, and paging of lists.

use crate::error::ApiError;
use crate::store::MAX_NAME;
use crate::transfer::{Chunks, MAX_BODY, SMALL_BODY};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};

/// Maximum and default number of items on a page.
const MAX_ITEMS: usize = 500;
const DEFAULT_ITEMS: usize = 100;

/// A request body: a JSON object.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Body<T>, ApiError> {
        if !is_json(request.headers()) {
            return Err(not_json());
        }
        let Object(body) = parse(request).await?;
        Ok(Body(body))
    }
}

/// An optional body may be missing or null.
impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> OptionalFromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Option<Body<T>>, ApiError> {
        if !request.headers().contains_key(header::CONTENT_TYPE) {
            return Ok(None);
        }
        if !is_json(request.headers()) {
            return Err(not_json());
        }
        let body: Option<Object<T>> = parse(request).await?;
        Ok(body.map(|Object(body)| Body(body)))
    }
}

/// Whether the body is declared as JSON: `application/json`, or a subtype such as `application/problem+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    kind.strip_prefix("application/").is_some_and(|kind| kind == "json" || kind.ends_with("+json"))
}

fn not_json() -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body is not declared as JSON")
        .with_help("send Content-Type: application/json")
}

/// Parses the body, which is already in memory; a large one on a blocking thread.
async fn parse<T: DeserializeOwned + Send + 'static>(request: Request) -> Result<T, ApiError> {
    let body = axum::body::to_bytes(request.into_body(), MAX_BODY).await.map_err(ApiError::internal)?;
    let fault = |error| ApiError::bad_request(format!("invalid body: {error}"));
    if body.len() <= SMALL_BODY {
        return serde_json::from_slice(&body).map_err(fault);
    }
    let parsed = tokio::task::spawn_blocking(move || serde_json::from_slice(&body).map_err(fault));
    parsed.await.map_err(ApiError::internal)?
}

/// A value that must be a JSON object. Without this, serde would also accept an array of the fields in order.
#[derive(Clone, Copy, Debug)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields))
            }
        }
        deserializer.deserialize_map(Fields(PhantomData)).map(Object)
    }
}

/// Parameters in the path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(ApiError))]
pub struct Path<T>(pub T);

/// Parameters in the query string.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiError))]
pub struct Query<T>(pub T);

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::bad_request(rejection.body_text())
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> ApiError {
        ApiError::bad_request(rejection.body_text())
    }
}

/// Checks that a number, if given, is in the allowed range.
pub fn within<T: PartialOrd + Display>(
    name: &str,
    value: Option<T>,
    allowed: RangeInclusive<T>,
) -> Result<Option<T>, ApiError> {
    match value {
        Some(value) if !allowed.contains(&value) => {
            let (min, max) = allowed.into_inner();
            Err(ApiError::bad_request(format!("{name} must be between {min} and {max}, not {value}")))
        }
        value => Ok(value),
    }
}

/// Maximum length of `after`.
const MAX_AFTER: usize = 64;

/// The requested page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Paging {
    /// Maximum number of items. The default is 100.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// Where to continue: `next` of the previous page. The default is the start of the list.
    #[param(max_length = 64)] // MAX_AFTER
    after: Option<String>,
}

impl Paging {
    /// Returns the maximum number of items.
    pub fn limit(&self) -> Result<usize, ApiError> {
        Ok(within("limit", self.limit, 1..=MAX_ITEMS)?.unwrap_or(DEFAULT_ITEMS))
    }

    /// Returns the key of the last item of the previous page.
    pub fn after<T: FromStr>(&self) -> Result<Option<T>, ApiError> {
        let refused = || ApiError::bad_request("after must be `next` of the previous page");
        match self.after.as_deref() {
            Some(after) if after.len() > MAX_AFTER => Err(refused()),
            after => after.map(str::parse).transpose().map_err(|_| refused()),
        }
    }
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub struct Page<T> {
    /// Items of the page.
    items: Vec<T>,
    /// Value of `after` for the next page, or null on the last page.
    next: Option<String>,
}

impl<T> Page<T> {
    /// Creates a page from `limit + 1` rows or fewer; the extra row shows that there is a next page. `key` identifies a
    /// row, so that the next page can continue after it.
    pub fn new<R>(
        mut rows: Vec<R>,
        limit: usize,
        key: impl Fn(&R) -> String,
        item: impl FnMut(R) -> Result<T, ApiError>,
    ) -> Result<Page<T>, ApiError> {
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| has_more).map(key);
        Ok(Page { items: rows.into_iter().map(item).collect::<Result<_, _>>()?, next })
    }
}

/// Checks a name that is stored and displayed; returns it without surrounding whitespace.
pub fn valid_name<'a>(what: &str, text: &'a str) -> Result<&'a str, ApiError> {
    let name = text.trim();
    if !(1..=MAX_NAME).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        let error = format!("the name of a {what} must have 1 to {MAX_NAME} printable characters");
        return Err(ApiError::bad_request(error));
    }
    Ok(name)
}

/// Returns the response for a new resource at `location`.
pub fn created(location: String, record: &impl Serialize) -> Result<Response, ApiError> {
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], json(record)?).into_response())
}

/// Returns a file to download.
pub fn attachment(name: &str, kind: &'static str, bytes: impl Into<axum::body::Body>) -> Response {
    // Other characters could end the quoted file name. Browsers prefer the second name, which has all letters.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) || c == ' ' { c } else { '_' }).collect();
    let mut full = String::new();
    for c in name.chars().map(|c| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' }) {
        if is_plain(c) {
            full.push(c);
        } else {
            full.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{full}")),
    ];
    (headers, bytes.into()).into_response()
}

/// Returns a JSON response, serialised at once, so that the record need not outlive the call. Large records must not be
/// serialised on an async thread.
pub fn json(record: &impl Serialize) -> Result<Response, ApiError> {
    let mut text = Chunks::default();
    serde_json::to_writer(&mut text, record).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], axum::body::Body::from(text)).into_response())
}
