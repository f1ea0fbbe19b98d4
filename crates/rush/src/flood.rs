//! Enumeration of all states that are reachable from a board, with the moves between them.

use crate::numbering::Numbering;
use crate::{RushDomain, RushMove, RushState};
use clearway_search::Domain;
use std::ops::ControlFlow;

/// A state that [`flood`] visits.
#[derive(Debug)]
pub struct VisitedState<'a, const N: usize> {
    /// The state; the visitor may apply moves to it, but must undo them.
    pub state: &'a mut RushState<N>,
    /// Its moves in the domain's order, each with the number of the state that it leads to.
    pub ways: &'a [(RushMove, u32)],
    /// Number of states found so far.
    pub found: usize,
    /// Bytes that the enumeration holds, or will hold soon.
    pub bytes: usize,
}

/// Enumerates all states breadth-first from the start and returns their keys, numbered in the order found. Each state is
/// visited once, in the order of the numbers. The visitor may stop the enumeration with a reason, which is returned with
/// the keys found so far.
///
/// ```
/// use clearway_rush::{Metric, RushDomain, flood, formats};
/// use std::ops::ControlFlow;
/// let board = formats::read_one("4x3:....AA......", None).unwrap().board;
/// let domain = RushDomain::<1>::new(&board, Metric::Steps).unwrap();
/// let mut counts = Vec::new();
/// let (keys, _) = flood(&domain, |visit| {
///     counts.push(visit.ways.len());
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!((keys.len(), counts), (3, vec![1, 2, 1]));
/// ```
pub fn flood<const N: usize, B>(
    domain: &RushDomain<N>,
    mut visit: impl FnMut(VisitedState<'_, N>) -> ControlFlow<B>,
) -> (Vec<[u64; N]>, Option<B>) {
    let mut found = Numbering::new();
    found.number(domain.key(&domain.start()));
    let (mut moves, mut successors, mut next) = (Vec::new(), Vec::new(), 0);
    while let Some(&key) = found.keys().get(next) {
        next += 1;
        let mut state = domain.state(key);
        moves.clear();
        domain.moves(&state, &mut moves);
        successors.clear();
        successors.extend(moves.iter().map(|&mv| (mv, found.number(domain.key_after(&mut state, mv)))));
        let (count, bytes) = (found.keys().len(), found.memory_usage_soon());
        if let ControlFlow::Break(reason) =
            visit(VisitedState { state: &mut state, ways: &successors, found: count, bytes })
        {
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
        // A single car of two cells in a line of four cells has three positions.
        let board = formats::read_one("4x3:....AA......", None).unwrap().board;
        let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
        let mut successors = Vec::new();
        let (keys, stopped) = flood(&domain, |visit| {
            successors.push(visit.ways.iter().map(|(_, to)| *to).collect::<BTreeSet<u32>>());
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(successors, [[1, 2], [0, 2], [0, 1]].map(BTreeSet::from));
        assert!(stopped.is_none() && keys.len() == 3 && keys[0] != keys[1] && keys[1] != keys[2] && keys[2] != keys[0]);
        let first = flood(&domain, |visit| ControlFlow::Break(visit.found));
        assert_eq!(first, (keys, Some(3)));
    }
}
