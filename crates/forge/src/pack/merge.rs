//! Merges packs into one without duplicates.

use super::Entry;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

/// Merges the puzzles of several packs. Of several boards of the same puzzle the hardest is kept; of equally hard ones the one
/// that comes first as text. So the result does not depend on the order of the input.
#[derive(Clone, Debug, Default)]
pub struct PackMerger {
    entries: HashMap<String, Entry>,
    duplicates: u64,
}

impl PackMerger {
    /// Adds a puzzle.
    pub fn add(&mut self, entry: Entry) {
        match self.entries.entry(entry.canonical.clone()) {
            Slot::Vacant(slot) => {
                slot.insert(entry);
            }
            Slot::Occupied(mut slot) => {
                self.duplicates += 1;
                let there = slot.get();
                let text = |entry: &Entry| clearway_rush::formats::line(&entry.board);
                let order = entry.moves.cmp(&there.moves).reverse().then_with(|| text(&entry).cmp(&text(there)));
                // Of two entries for the same board, keep the one with more information.
                let unknown = |entry: &Entry| (entry.origin.is_none(), entry.license.is_none(), entry.name.is_none());
                let order = order.then_with(|| unknown(&entry).cmp(&unknown(there)));
                if order.is_lt() {
                    slot.insert(entry);
                }
            }
        }
    }

    /// Returns the number of dropped boards, which were the same puzzle as another one.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Returns the puzzles, from easy to hard.
    pub fn into_pack(self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.entries.into_values().collect();
        entries.sort_by(Entry::by_difficulty);
        entries
    }
}
