//! `is-releasing-move`: whether the last move made new moves possible for other vehicles.

use super::lines::{Lines, run};
use crate::{Metric, RushDomain};
use clearway_search::{Heuristic, Node};

/// 1 if another vehicle has a move that it did not have before the last move, otherwise 0; 0 at the start. A feature.
///
/// Moves of the vehicle that moved do not count: it always has a new one, back to its previous position. Only the vehicles of its
/// own line and those of the lines across the cells that it left can have a new move.
#[derive(Clone, Debug)]
pub struct IsReleasingMove {
    lines: Lines,
}

impl IsReleasingMove {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        IsReleasingMove { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for IsReleasingMove {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let Some(last) = node.last else { return 0.0 };
        let (moved, state) = (last.vehicle as usize, node.state);
        let fixed = self.lines.vehicles()[moved];
        let most = if domain.metric() == Metric::Steps { 1 } else { u8::MAX };
        let has_new_move = |vehicle: usize, before: u16, now: u16| {
            let position = state.position(vehicle);
            let [before, now] = [before, now].map(|taken| domain.room_among(vehicle, position, taken));
            now.0.min(most) > before.0.min(most) || now.1.min(most) > before.1.min(most)
        };
        let position = state.position(moved);
        let body = run(position, fixed.length);
        let body_before = run(position.wrapping_add_signed(-last.cells), fixed.length);
        let mut left = body_before & !body;
        while left != 0 {
            let cell = left.trailing_zeros() as u8;
            left &= left - 1;
            let across = fixed.orientation.across();
            let now = state.occupied(across, cell);
            let mut others = self.lines.vehicles_in(across, cell).iter();
            if others.any(|&other| has_new_move(other as usize, now | 1 << fixed.line, now)) {
                return 1.0;
            }
        }
        let now = state.occupied(fixed.orientation, fixed.line);
        let before = now & !body | body_before;
        let mut others = self.lines.vehicles_in_line_of(moved).iter().filter(|&&other| other as usize != moved);
        f64::from(others.any(|&other| has_new_move(other as usize, before, now)))
    }
}
