//! What requests share: objects, ranges, names, and paging of lists.

use crate::error::RequestError;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};

/// Maximum and default number of items on a page.
const MAX_ITEMS: usize = 500;
const DEFAULT_ITEMS: usize = 100;
/// Maximum length of the name of a board or a pack, in characters.
pub const MAX_NAME: usize = 100;

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

/// Checks that a number, if given, is in the allowed range.
pub fn within<T: PartialOrd + Display>(
    name: &str,
    value: Option<T>,
    allowed: RangeInclusive<T>,
) -> Result<Option<T>, RequestError> {
    match value {
        Some(value) if !allowed.contains(&value) => {
            let (min, max) = allowed.into_inner();
            Err(RequestError::bad_request(format!("{name} must be between {min} and {max}, not {value}")))
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
    pub fn limit(&self) -> Result<usize, RequestError> {
        Ok(within("limit", self.limit, 1..=MAX_ITEMS)?.unwrap_or(DEFAULT_ITEMS))
    }

    /// Returns the key of the last item of the previous page.
    pub fn after<T: FromStr>(&self) -> Result<Option<T>, RequestError> {
        let refused = || RequestError::bad_request("invalid after; expected the `next` value of the previous page");
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
    pub fn new<R, E>(
        mut rows: Vec<R>,
        limit: usize,
        key: impl Fn(&R) -> String,
        item: impl FnMut(R) -> Result<T, E>,
    ) -> Result<Page<T>, E> {
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| has_more).map(key);
        Ok(Page { items: rows.into_iter().map(item).collect::<Result<_, _>>()?, next })
    }
}

/// Checks a name that is stored and displayed; returns it without surrounding whitespace.
pub fn valid_name<'a>(what: &str, text: &'a str) -> Result<&'a str, RequestError> {
    let name = text.trim();
    if !(1..=MAX_NAME).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        let error = format!("the name of a {what} must have 1 to {MAX_NAME} printable characters");
        return Err(RequestError::bad_request(error));
    }
    Ok(name)
}
