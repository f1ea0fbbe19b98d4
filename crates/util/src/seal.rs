//! A checksum at the end of a JSON object.
//!
//! The checksum is the last field of the object, `"crc":"89abcdef"`: the CRC-32 of the text before it. So a sealed line is
//! still JSON for any other reader.

use crc32fast::Hasher;

const FIELD: &str = ",\"crc\":\"";
const DIGITS: usize = 8;
const END: &str = "\"}";

/// Why a text cannot be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// There is no checksum: an earlier version wrote the text, or it is something else.
    #[error("there is no checksum")]
    Missing,
    /// The text was changed after it was written.
    #[error("the checksum does not match")]
    Mismatch,
}

/// Adds a checksum to a JSON object with at least one field. The checksum covers `context` as well, so that a text is valid only
/// beside the same context: a line of a log belongs to its header.
///
/// ```
/// use clearway_util::seal::{SealError, seal, unseal};
/// let sealed = seal(r#"{"task":7}"#, "");
/// assert_eq!(sealed, r#"{"task":7,"crc":"00ab07af"}"#);
/// assert_eq!(unseal(&sealed, "").as_deref(), Ok(r#"{"task":7}"#));
/// assert_eq!(unseal(&sealed.replace('7', "8"), ""), Err(SealError::Mismatch));
/// assert_eq!(unseal(&sealed, "another header"), Err(SealError::Mismatch));
/// assert_eq!(unseal(r#"{"task":7}"#, ""), Err(SealError::Missing));
/// ```
pub fn seal(object: &str, context: &str) -> String {
    debug_assert!(object.len() > 2 && object.starts_with('{') && object.ends_with('}'), "{object}");
    let fields = object.strip_suffix('}').unwrap_or(object);
    format!("{fields}{FIELD}{:08x}{END}", checksum(fields, context))
}

/// The object that was [sealed](seal), without the checksum.
pub fn unseal(sealed: &str, context: &str) -> Result<String, SealError> {
    let parts = sealed.strip_suffix(END).and_then(|rest| rest.split_at_checked(rest.len().checked_sub(DIGITS)?));
    let (fields, digits) =
        parts.and_then(|(rest, digits)| Some((rest.strip_suffix(FIELD)?, digits))).ok_or_else(|| {
            // A checksum that is damaged itself is not a missing one.
            if sealed.contains(FIELD) { SealError::Mismatch } else { SealError::Missing }
        })?;
    if digits != format!("{:08x}", checksum(fields, context)) {
        return Err(SealError::Mismatch);
    }
    Ok(format!("{fields}}}"))
}

fn checksum(fields: &str, context: &str) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(context.as_bytes());
    hasher.update(fields.as_bytes());
    hasher.finalize()
}

/// The checksum of bytes that come in pieces, as eight digits: for files that are not lines of JSON.
pub fn checksum_of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Hasher::new();
    for piece in pieces {
        hasher.update(piece);
    }
    format!("{:08x}", hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_byte_is_detected() {
        let sealed = seal(r#"{"task":17,"name":"é","list":[1,2]}"#, "header");
        for place in 0..sealed.len() {
            for change in [1, 2, 4, 16, 128] {
                let mut bytes = sealed.clone().into_bytes();
                bytes[place] ^= change;
                let read = String::from_utf8(bytes).ok().map(|text| unseal(&text, "header"));
                assert!(!matches!(read, Some(Ok(_))), "byte {place} changed by {change}");
            }
        }
        for length in 0..sealed.len() {
            assert!(sealed.get(..length).is_none_or(|part| unseal(part, "header").is_err()), "{length}");
        }
    }
}
