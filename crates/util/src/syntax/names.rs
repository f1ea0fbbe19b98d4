//! Names in messages.

use strsim::osa_distance;

/// Returns the most similar name, if it is so similar that the word is probably a misspelling of it.
///
/// ```
/// use clearway_util::syntax::nearest;
/// assert_eq!(nearest("blokcers", ["blockers", "landmarks"]), Some("blockers"));
/// assert_eq!(nearest("quux", ["blockers", "landmarks"]), None);
/// ```
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = truncated(word);
    let closest = names.into_iter().map(|name| (osa_distance(&word, name), name)).min();
    closest.filter(|&(edits, name)| edits <= 1 + name.len() / 4).map(|(_, name)| name)
}

/// Returns the first 40 characters of a word, for quoting it in a message.
///
/// ```
/// use clearway_util::syntax::truncated;
/// assert_eq!(truncated("short"), "short");
/// assert_eq!(truncated(&"x".repeat(1000)).len(), 43);
/// ```
pub fn truncated(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}
