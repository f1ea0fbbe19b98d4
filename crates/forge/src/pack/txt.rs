//! *txt*: the line format, one puzzle per line, `MOVES BOARD STATES`, with the level and the id in a comment after `#`. The
//! number of states is left out if it is unknown.

use super::Entry;
use clearway_rush::formats;
use std::fmt::Write;

/// Writes a pack.
pub(super) fn write(entries: &[Entry], title: &str) -> String {
    let license = Entry::common_license(entries).map_or(String::new(), |license| format!("# license: {license}\n"));
    let mut text = format!("# {title}\n{license}# moves board states\n");
    for entry in entries {
        let name = entry.name.as_deref().map_or(String::new(), |name| format!(" {}", serde_json::Value::from(name)));
        let states = entry.states.map_or(String::new(), |states| format!(" {states}"));
        let (moves, board) = (entry.moves, formats::line(&entry.board));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{moves} {board}{states}{name} # {} {}", entry.level, entry.id);
    }
    text
}
