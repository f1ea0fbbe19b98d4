//! *txt*: the line format, one puzzle per line, `MOVES BOARD STATES`, with the level and the id in a comment after `#`.

use super::Entry;
use clearway_rush::formats;
use std::fmt::Write;

/// Writes a pack.
pub(super) fn write(entries: &[Entry], title: &str) -> String {
    let mut text = format!("# {title}\n# moves board states\n");
    for entry in entries {
        let name = entry.name.as_deref().map_or(String::new(), |name| format!(" {}", serde_json::Value::from(name)));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} {} {}{name} # {} {}",
            entry.moves,
            formats::line(&entry.board),
            entry.states,
            entry.level,
            entry.id
        );
    }
    text
}
