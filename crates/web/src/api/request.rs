//! Bodies and queries, refused in the words of the API.

use crate::error::ApiError;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::RangeInclusive;

/// A body of JSON: an object.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let axum::Json(Object(body)) = <axum::Json<_> as FromRequest<S>>::from_request(request, state).await?;
        Ok(Body(body))
    }
}

/// A body may be left out, or be null.
impl<T: DeserializeOwned, S: Send + Sync> OptionalFromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Option<Body<T>>, ApiError> {
        let body = <axum::Json<Option<Object<T>>> as OptionalFromRequest<S>>::from_request(request, state).await?;
        Ok(body.and_then(|axum::Json(body)| body).map(|Object(body)| Body(body)))
    }
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

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        let status = rejection.status();
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::new(status, "the body is not said to be JSON")
                .with_help("send Content-Type: application/json"),
            // What axum says in front of it is about the program, not about the request.
            _ => {
                let text = rejection.body_text();
                let fault = text.split_once(": ").map_or(text.as_str(), |(_, fault)| fault);
                ApiError::bad_request(format!("the body is not what is expected: {fault}"))
            }
        }
    }
}

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

/// An answer of JSON, written at once: what it is made of need not live longer.
pub fn json(record: &impl Serialize) -> Result<Response, ApiError> {
    let text = serde_json::to_vec(record).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}
