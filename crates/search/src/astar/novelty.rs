//! Novelty: whether a move reaches something that the search has not seen yet.

/// The lowest estimates at which moves have reached each fact, or each pair of facts. A fact is a value of a
/// [variable](crate::Domain::variables), such as the position of a piece.
///
/// A move to a state is novel if it makes a fact true that no earlier move has made true in a state with an estimate as low; or,
/// at width 2, if that holds for a pair of a fact that it makes true and another fact of the state. (Katz, Lipovetzky,
/// Moshkovich and Tuisov, 2017, measure novelty relative to the estimate in this way.)
pub(super) struct NoveltyTable {
    width: u32,
    /// Number of each fact, in the order of their first appearance, by variable and value; [`UNSEEN`] before that.
    facts: Vec<u32>,
    fact_count: u32,
    /// By fact, or by pair of facts in triangular order.
    lowest: Vec<f64>,
    /// Scratch: the facts of a state.
    current: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;
/// Number of values that a variable can have.
const VALUES: usize = 1 << u8::BITS;

impl NoveltyTable {
    /// Creates a table for single facts (width 1) or pairs (width 2).
    pub fn new(width: u32) -> Self {
        NoveltyTable { width, facts: Vec::new(), fact_count: 0, lowest: Vec::new(), current: Vec::new() }
    }

    /// Returns whether a move between states with these values of their variables is novel, and records it.
    pub fn insert(&mut self, before: &[u8], after: &[u8], estimate: f64) -> bool {
        let mut current = std::mem::take(&mut self.current);
        current.clear();
        let mut is_novel = false;
        if self.width >= 2 {
            current.extend(after.iter().enumerate().map(|(variable, &value)| self.fact(variable, value)));
        }
        let changed = (0..after.len()).filter(|&variable| before.get(variable) != Some(&after[variable]));
        for variable in changed {
            let fact = self.fact(variable, after[variable]);
            if self.width < 2 {
                is_novel |= self.lower(fact as usize, estimate);
            }
            for &other in current.iter().filter(|&&other| other != fact) {
                let (larger, smaller) = (fact.max(other) as usize, fact.min(other) as usize);
                is_novel |= self.lower(larger * (larger - 1) / 2 + smaller, estimate);
            }
        }
        self.current = current;
        is_novel
    }

    /// Lowers an entry to an estimate. Returns whether it was greater.
    fn lower(&mut self, entry: usize, estimate: f64) -> bool {
        let lowest = &mut self.lowest[entry];
        let is_lower = estimate < *lowest;
        if is_lower {
            *lowest = estimate;
        }
        is_lower
    }

    /// Returns the number of a fact. A new one extends the table by its own entry, or by its pairs with all earlier facts.
    fn fact(&mut self, variable: usize, value: u8) -> u32 {
        let index = variable * VALUES + usize::from(value);
        if self.facts.len() <= index {
            self.facts.resize((variable + 1) * VALUES, UNSEEN);
        }
        if self.facts[index] == UNSEEN {
            self.facts[index] = self.fact_count;
            let entries = if self.width < 2 { 1 } else { self.fact_count as usize };
            self.lowest.resize(self.lowest.len() + entries, f64::INFINITY);
            self.fact_count += 1;
        }
        self.facts[index]
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.facts.capacity() * size_of::<u32>() + self.lowest.capacity() * size_of::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_novel_once_for_each_lower_estimate() {
        let mut table = NoveltyTable::new(1);
        assert!(table.insert(&[0, 0], &[1, 0], 5.0));
        assert!(!table.insert(&[0, 7], &[1, 7], 5.0), "the same position");
        assert!(table.insert(&[0, 0], &[1, 0], 4.0), "at a lower estimate");
        assert!(!table.insert(&[0, 0], &[1, 0], 4.5));
        assert!(table.insert(&[1, 0], &[1, 1], 9.0), "another piece");
        assert!(!table.insert(&[1, 0], &[1, 0], 0.0), "nothing moved");
    }

    #[test]
    fn pairs_are_novel_with_each_value_of_the_other_variables() {
        let mut table = NoveltyTable::new(2);
        assert!(table.insert(&[0, 0], &[1, 0], 5.0));
        assert!(!table.insert(&[2, 0], &[1, 0], 5.0));
        assert!(table.insert(&[0, 3], &[1, 3], 5.0), "with another value of the second variable");
        assert!(table.insert(&[0, 3], &[1, 3], 4.0));
        assert!(!table.insert(&[1, 0], &[1, 3], 4.0), "the same pair, from the other side");
    }
}
