//! All states that can be reached from a board, with the moves between them.

use crate::numbering::Numbering;
use crate::{RushDomain, RushMove, RushState};
use clearway_search::Domain;
use std::ops::ControlFlow;

/// A state that [`flood`] visits.
#[derive(Debug)]
pub struct Visit<'a, const N: usize> {
    /// The state; the visitor may make moves on it, but must take them back.
    pub state: &'a mut RushState<N>,
    /// Its moves in their order, and the numbers of the states that they lead to.
    pub ways: &'a [(RushMove, u32)],
    /// How many states have been found so far.
    pub found: usize,
    /// The bytes that the walk takes, or soon will.
    pub bytes: usize,
}

/// The keys of all states, numbered as they are found, breadth first from the start. Each state is visited once, in the
/// order of the numbers. The visitor may break off with a reason; the keys are then those found so far.
///
/// ```
/// use clearway_rush::{Metric, RushDomain, flood, formats};
/// use std::ops::ControlFlow;
/// let board = formats::read_one("4x3:....AA......", None).unwrap().board;
/// let domain = RushDomain::<1>::new(&board, Metric::Steps).unwrap();
/// let mut ways = Vec::new();
/// let (keys, _) = flood(&domain, |visit| {
///     ways.push(visit.ways.len());
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!((keys.len(), ways), (3, vec![1, 2, 1]));
/// ```
pub fn flood<const N: usize, B>(
    domain: &RushDomain<N>,
    mut visit: impl FnMut(Visit<'_, N>) -> ControlFlow<B>,
) -> (Vec<[u64; N]>, Option<B>) {
    let mut found = Numbering::new();
    found.number(domain.key(&domain.start()));
    let (mut moves, mut ways, mut next) = (Vec::new(), Vec::new(), 0);
    while let Some(&key) = found.keys().get(next) {
        next += 1;
        let mut state = domain.state(key);
        moves.clear();
        domain.moves(&state, &mut moves);
        ways.clear();
        ways.extend(moves.iter().map(|&mv| (mv, found.number(domain.key_after(&mut state, mv)))));
        let (count, bytes) = (found.keys().len(), found.bytes_soon());
        if let ControlFlow::Break(reason) = visit(Visit { state: &mut state, ways: &ways, found: count, bytes }) {
            return (found.into_keys(), Some(reason));
        }
    }
    (found.into_keys(), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, formats};
    use std::collections::BTreeSet;

    #[test]
    fn every_state_is_visited_once_with_all_its_moves() {
        // A car of two cells alone in a line of four.
        let board = formats::read_one("4x3:....AA......", None).unwrap().board;
        let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
        let mut ways = Vec::new();
        let (keys, broken) = flood(&domain, |visit| {
            ways.push(visit.ways.iter().map(|(_, to)| *to).collect::<BTreeSet<u32>>());
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(ways, [[1, 2], [0, 2], [0, 1]].map(BTreeSet::from));
        assert!(broken.is_none() && keys.len() == 3 && keys[0] != keys[1] && keys[1] != keys[2] && keys[2] != keys[0]);
        let first = flood(&domain, |visit| ControlFlow::Break(visit.found));
        assert_eq!(first, (keys, Some(3)));
    }
}
