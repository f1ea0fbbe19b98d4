//! `is-move-to-secluded`: whether the last move took a vehicle out of the way of all others.

use super::lines::{Lines, entered, run};
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// 1 if no other vehicle could slide onto any cell of the vehicle that moved last if that vehicle were removed, otherwise 0;
/// 0 at the start. A feature.
#[derive(Clone, Debug)]
pub struct IsMoveToSecluded {
    lines: Lines,
}

impl IsMoveToSecluded {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        IsMoveToSecluded { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for IsMoveToSecluded {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let Some(last) = node.last else { return 0.0 };
        let (moved, state) = (last.vehicle as usize, node.state);
        let fixed = &self.lines.vehicles()[moved];
        let body = run(state.position(moved), fixed.length);
        let reached = self.lines.vehicles().iter().enumerate().any(|(vehicle, other)| {
            if vehicle == moved {
                return false;
            }
            let along = other.orientation == fixed.orientation;
            // The cells of the other vehicle's line that the moved vehicle occupies.
            let shared = match along {
                true if other.line == fixed.line => body,
                false if body >> other.line & 1 == 1 => 1 << fixed.line,
                _ => return false,
            };
            let (position, taken) = (state.position(vehicle), state.occupied(other.orientation, other.line) & !shared);
            let (back, forward) = domain.room_among(vehicle, position, taken);
            let swept = entered(other.length, position, i16::from(position - back))
                | entered(other.length, position, i16::from(position + forward));
            swept & shared != 0
        });
        f64::from(!reached)
    }
}
