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
    lowest: Vec<f32>,
    /// Variables of the state whose moves are being inserted.
    before: Vec<u8>,
    /// Its facts, at width 2.
    facts_before: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;
/// Number of values that a variable can have.
const VALUES: usize = 1 << u8::BITS;

impl NoveltyTable {
    /// Creates a table for single facts (width 1) or pairs (width 2).
    pub fn new(width: u32) -> Self {
        let (before, facts_before) = (Vec::new(), Vec::new());
        NoveltyTable { width, facts: Vec::new(), fact_count: 0, lowest: Vec::new(), before, facts_before }
    }

    /// Sets the state whose moves are inserted next, by the values of its variables.
    pub fn set_state(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        self.before.clear();
        fill(&mut self.before);
        self.facts_before.clear();
        if self.width >= 2 {
            for variable in 0..self.before.len() {
                let fact = self.fact(variable, self.before[variable]);
                self.facts_before.push(fact);
            }
        }
    }

    /// Returns the number of facts or pairs of facts for which a move to a state with these values of its variables is novel, and
    /// records it.
    pub fn insert(&mut self, after: &[u8], estimate: f64) -> u32 {
        // Rounding makes two estimates equal that hardly differ.
        let estimate = estimate as f32;
        let mut novel = 0;
        for variable in 0..after.len() {
            if self.before.get(variable) == Some(&after[variable]) {
                continue;
            }
            let fact = self.fact(variable, after[variable]);
            if self.width < 2 {
                novel += u32::from(lower(&mut self.lowest[fact as usize], estimate));
                continue;
            }
            for (other_variable, &value) in after.iter().enumerate() {
                if other_variable != variable {
                    let is_same = self.before[other_variable] == value;
                    let other =
                        if is_same { self.facts_before[other_variable] } else { self.fact(other_variable, value) };
                    let (larger, smaller) = (fact.max(other) as usize, fact.min(other) as usize);
                    let entry = &mut self.lowest[larger * (larger - 1) / 2 + smaller];
                    novel += u32::from(lower(entry, estimate));
                }
            }
        }
        novel
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
            self.lowest.resize(self.lowest.len() + entries, f32::INFINITY);
            self.fact_count += 1;
        }
        self.facts[index]
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.facts.capacity() * size_of::<u32>() + self.lowest.capacity() * size_of::<f32>()
    }
}

/// Lowers an entry to an estimate. Returns whether it was greater.
#[inline]
fn lower(entry: &mut f32, estimate: f32) -> bool {
    let is_lower = estimate < *entry;
    *entry = entry.min(estimate);
    is_lower
}

#[cfg(test)]
mod tests {
    use super::*;

    impl NoveltyTable {
        fn count(&mut self, before: &[u8], after: &[u8], estimate: f64) -> u32 {
            self.set_state(|values| values.extend(before));
            self.insert(after, estimate)
        }

        fn insert_move(&mut self, before: &[u8], after: &[u8], estimate: f64) -> bool {
            self.count(before, after, estimate) > 0
        }
    }

    #[test]
    fn a_fact_is_novel_once_for_each_lower_estimate() {
        let mut table = NoveltyTable::new(1);
        assert!(table.insert_move(&[0, 0], &[1, 0], 5.0));
        assert!(!table.insert_move(&[0, 7], &[1, 7], 5.0), "the same position");
        assert!(table.insert_move(&[0, 0], &[1, 0], 4.0), "at a lower estimate");
        assert!(!table.insert_move(&[0, 0], &[1, 0], 4.5));
        assert!(table.insert_move(&[1, 0], &[1, 1], 9.0), "another piece");
        assert!(!table.insert_move(&[1, 0], &[1, 0], 0.0), "nothing moved");
    }

    #[test]
    fn pairs_are_novel_with_each_value_of_the_other_variables() {
        let mut table = NoveltyTable::new(2);
        assert!(table.insert_move(&[0, 0], &[1, 0], 5.0));
        assert!(!table.insert_move(&[2, 0], &[1, 0], 5.0));
        assert!(table.insert_move(&[0, 3], &[1, 3], 5.0), "with another value of the second variable");
        assert!(table.insert_move(&[0, 3], &[1, 3], 4.0));
        assert!(!table.insert_move(&[1, 0], &[1, 3], 4.0), "the same pair, from the other side");
    }

    #[test]
    fn every_pair_that_becomes_true_at_a_lower_estimate_counts() {
        let mut table = NoveltyTable::new(2);
        assert_eq!(table.count(&[0, 0, 0], &[1, 0, 0], 5.0), 2, "the new position with each of the others");
        assert_eq!(table.count(&[0, 3, 0], &[1, 3, 0], 5.0), 1, "one of the others is where it was");
        assert_eq!(table.count(&[0, 3, 0], &[1, 3, 0], 5.0), 0);
        let mut table = NoveltyTable::new(1);
        assert_eq!(table.count(&[0, 0, 0], &[1, 1, 0], 5.0), 2, "two positions");
    }
}
