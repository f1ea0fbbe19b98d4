//! Bodies and queries, refused in the words of the API; answers of JSON, and long lists page by page.

use crate::error::ApiError;
use crate::store::LONGEST_NAME;
use crate::transfer::{LONGEST_BODY, Pieces, SMALL};
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

/// How many items of a list are on a page at most, and if nothing is said.
const MOST_ITEMS: usize = 500;
const USUAL_ITEMS: usize = 100;

/// A body of JSON: an object.
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

/// A body may be left out, or be null.
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

/// Whether the body is said to be JSON: `application/json`, or a kind of it such as `application/problem+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    kind.strip_prefix("application/").is_some_and(|kind| kind == "json" || kind.ends_with("+json"))
}

fn not_json() -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body is not said to be JSON")
        .with_help("send Content-Type: application/json")
}

/// Reads the body, a large one on a thread of its own. It is in memory already.
async fn parse<T: DeserializeOwned + Send + 'static>(request: Request) -> Result<T, ApiError> {
    let body = axum::body::to_bytes(request.into_body(), LONGEST_BODY).await.map_err(ApiError::internal)?;
    let fault = |error| ApiError::bad_request(format!("the body is not what is expected: {error}"));
    if body.len() <= SMALL {
        return serde_json::from_slice(&body).map_err(fault);
    }
    let parsed = tokio::task::spawn_blocking(move || serde_json::from_slice(&body).map_err(fault));
    parsed.await.map_err(ApiError::internal)?
}

/// What is read from an object alone. Without this an array would be taken for the fields in their order.
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

/// A part of an address.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(ApiError))]
pub struct Path<T>(pub T);

/// The part of an address behind the question mark.
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

/// A number that was given, if it is one of those that may be.
pub fn within<T: PartialOrd + Display>(
    name: &str,
    value: Option<T>,
    allowed: RangeInclusive<T>,
) -> Result<Option<T>, ApiError> {
    match value {
        Some(value) if !allowed.contains(&value) => {
            let (least, most) = allowed.into_inner();
            Err(ApiError::bad_request(format!("{name} has to be from {least} to {most}, not {value}")))
        }
        value => Ok(value),
    }
}

/// The longest `after`.
const LONGEST_AFTER: usize = 64;

/// Which part of a list is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Paging {
    /// The most items to list; 100 if it is not given.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// Where the list goes on: `next` of the page before. The beginning if it is not given.
    #[param(max_length = 64)] // LONGEST_AFTER
    after: Option<String>,
}

impl Paging {
    /// The most items to list.
    pub fn limit(&self) -> Result<usize, ApiError> {
        Ok(within("limit", self.limit, 1..=MOST_ITEMS)?.unwrap_or(USUAL_ITEMS))
    }

    /// The item behind which the list goes on.
    pub fn after<T: FromStr>(&self) -> Result<Option<T>, ApiError> {
        let refused = || ApiError::bad_request("after has to be `next` of another page");
        match self.after.as_deref() {
            Some(after) if after.len() > LONGEST_AFTER => Err(refused()),
            after => after.map(str::parse).transpose().map_err(|_| refused()),
        }
    }
}

/// A part of a list.
#[derive(Serialize, ToSchema)]
pub struct Page<T> {
    /// The items.
    items: Vec<T>,
    /// What to give as `after` for the next page, or null if there is none.
    next: Option<String>,
}

impl<T> Page<T> {
    /// A page made of the rows that were found. There are more if one more was found than wanted: so that is what to ask
    /// for. `key` names a row so that the list can go on behind it.
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

/// A name that is kept and shown: without blanks at its ends.
pub fn name<'a>(what: &str, text: &'a str) -> Result<&'a str, ApiError> {
    let name = text.trim();
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        let error = format!("the name of a {what} has 1 to {LONGEST_NAME} characters, all of them printable");
        return Err(ApiError::bad_request(error));
    }
    Ok(name)
}

/// Something new, and where it is.
pub fn created(place: String, record: &impl Serialize) -> Result<Response, ApiError> {
    Ok((StatusCode::CREATED, [(header::LOCATION, place)], json(record)?).into_response())
}

/// A file to keep.
pub fn attachment(name: &str, kind: &'static str, bytes: impl Into<axum::body::Body>) -> Response {
    // What is no plain letter might be read as the end of the name.
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, bytes.into()).into_response()
}

/// An answer of JSON, written at once: what it is made of need not live longer. Large ones are not for an asynchronous
/// thread to write.
pub fn json(record: &impl Serialize) -> Result<Response, ApiError> {
    let mut text = Pieces::default();
    serde_json::to_writer(&mut text, record).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], axum::body::Body::from(text)).into_response())
}
