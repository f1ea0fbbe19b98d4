//! The pancake puzzle: a small domain for examples and tests.
//!
//! A stack of pancakes of different sizes is sorted by flipping its top part again and again.

use crate::{Domain, Heuristic, Node};

/// Largest number of pancakes: a state is one word with four bits per pancake.
const MAX_PANCAKES: usize = 16;

/// A stack of pancakes to sort, with the smallest on top at the end.
///
/// ```
/// use clearway_search::{Limits, bfs::Bfs, pancakes::Pancakes, run};
/// let stack = Pancakes::new(&[3, 1, 2]).unwrap();
/// let outcome = run(&mut Bfs::new(&stack), &Limits::default());
/// assert_eq!(outcome.solution.unwrap(), [3, 2]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pancakes {
    start: u64,
    count: usize,
}

impl Pancakes {
    /// A stack from top to bottom: a permutation of 1, 2, ... of at most 16 pancakes. `None` for anything else.
    pub fn new(stack: &[u8]) -> Option<Pancakes> {
        let count = stack.len();
        let is_permutation = (1..=count).all(|size| stack.contains(&(size as u8)));
        let start = || stack.iter().rev().fold(0, |state, &size| state << 4 | u64::from(size - 1));
        (is_permutation && (1..=MAX_PANCAKES).contains(&count)).then(|| Pancakes { start: start(), count })
    }

    /// Size of the pancake at a position, 0 for the smallest.
    fn size(state: u64, position: usize) -> u64 {
        state >> (4 * position) & 15
    }

    fn flipped(state: u64, count: u8) -> u64 {
        let count = usize::from(count);
        let top = (0..count).fold(0, |top, position| top << 4 | Self::size(state, position));
        let rest = if count == MAX_PANCAKES { 0 } else { state >> (4 * count) << (4 * count) };
        rest | top
    }

    /// Number of neighbours, the plate included, whose sizes differ by more than 1.
    fn gaps(self, state: u64) -> u32 {
        let size = |position| if position == self.count { self.count as u64 } else { Self::size(state, position) };
        (0..self.count).map(|position| u32::from(size(position).abs_diff(size(position + 1)) > 1)).sum()
    }
}

impl Domain for Pancakes {
    type State = u64;
    type Key = u64;
    /// Number of pancakes to flip.
    type Move = u8;

    fn start(&self) -> u64 {
        self.start
    }

    fn key(&self, state: &u64) -> u64 {
        *state
    }

    fn state(&self, key: u64) -> u64 {
        key
    }

    fn is_goal(&self, state: &u64) -> bool {
        (0..self.count).all(|position| Self::size(*state, position) == position as u64)
    }

    fn moves(&self, _: &u64, found: &mut Vec<u8>) {
        found.extend(2..=self.count as u8);
    }

    fn apply(&self, state: &mut u64, mv: u8) {
        *state = Self::flipped(*state, mv);
    }

    fn undo(&self, state: &mut u64, mv: u8) {
        self.apply(state, mv);
    }

    /// The size of the pancake at each position.
    fn variables(&self, state: &u64, values: &mut Vec<u8>) {
        values.extend((0..self.count).map(|position| Self::size(*state, position) as u8));
    }

    fn same_piece(&self, first: u8, second: u8) -> bool {
        first == second
    }

    fn winning_move(&self, state: &u64) -> Option<u8> {
        (2..=self.count as u8).find(|&mv| self.is_goal(&Self::flipped(*state, mv)))
    }
}

/// The gap heuristic (Helmert, 2010): a flip closes at most one gap between neighbours of very different sizes. Admissible.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gaps;

impl Heuristic<Pancakes> for Gaps {
    fn estimate(&mut self, domain: &Pancakes, node: &Node<'_, Pancakes>) -> f64 {
        domain.gaps(*node.state).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfs::Bfs;
    use crate::{Limits, run};

    #[test]
    fn only_permutations_are_stacks() {
        for stack in [&[][..], &[0, 1], &[1, 1], &[1, 3], &[2; 17]] {
            assert!(Pancakes::new(stack).is_none(), "{stack:?}");
        }
        let tall: Vec<u8> = (1..=16).rev().collect();
        let stack = Pancakes::new(&tall).unwrap();
        assert!(stack.is_goal(&Pancakes::flipped(stack.start, 16)));
    }

    #[test]
    fn five_pancakes_need_at_most_five_flips_and_the_gaps_are_a_lower_bound() {
        let mut longest = 0;
        for number in 0..5u32.pow(5) {
            let digits: Vec<u8> = (0..5).map(|digit| (number / 5u32.pow(digit) % 5) as u8 + 1).collect();
            let Some(stack) = Pancakes::new(&digits) else { continue };
            let flips = run(&mut Bfs::new(&stack), &Limits::default()).solution.unwrap().len();
            assert!(stack.gaps(stack.start) as usize <= flips, "{digits:?}");
            longest = longest.max(flips);
        }
        assert_eq!(longest, 5);
    }
}
