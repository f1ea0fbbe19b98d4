//! Moves in records.

use clearway_rush::Move;
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// Moves, serialised as an array of strings.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = Vec<String>))]
pub struct Moves<'a>(pub &'a [Move]);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Text<T>(T);
        impl<T: Display> Serialize for Text<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }
        serializer.collect_seq(self.0.iter().map(Text))
    }
}
