//! One pack of many, without duplicates.

use super::Entry;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

/// Puzzles of several packs. Of boards that are the same puzzle the hardest stays; of several as hard, the one that comes
/// first as text. So it does not matter in which order they come.
#[derive(Clone, Debug, Default)]
pub struct Merge {
    entries: HashMap<String, Entry>,
    duplicates: u64,
}

impl Merge {
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
                // Of the same board twice, the one of which more is known.
                let order = order.then_with(|| {
                    (entry.origin.is_none(), entry.name.is_none()).cmp(&(there.origin.is_none(), there.name.is_none()))
                });
                if order.is_lt() {
                    slot.insert(entry);
                }
            }
        }
    }

    /// The boards that were the same puzzle as another.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// The puzzles, from easy to hard.
    pub fn into_pack(self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.entries.into_values().collect();
        entries.sort_by(Entry::by_difficulty);
        entries
    }
}
