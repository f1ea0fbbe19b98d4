//! The hardest states of every component, and how many of its states are how far from a solution.

use super::Plan;
use super::layers::Entry;
use super::worker::Family;
use clearway_rush::{Board, Orientation};

/// A component that has a solved state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Component {
    /// Its first node.
    pub root: u32,
    /// The largest distance from a solved state.
    pub distance: u32,
}

/// Hardest states of a component that are in one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct HardestStates {
    /// The component's place in the list of [`Family::hardest`].
    pub component: u32,
    pub word: u32,
    pub states: u64,
}

/// A component that was not met yet.
const UNKNOWN: u32 = u32::MAX;

impl Family {
    /// Every component with a solved state, in no particular order. `visit` gets its hardest states, word by word in
    /// ascending order (those of one word in one call or several), the component, and whether its first hardest state is
    /// among them.
    pub fn hardest(&self, mut visit: impl FnMut(HardestStates, &Component, bool)) -> Vec<Component> {
        let Family { space, layers, components, .. } = self;
        let mut found: Vec<Component> = Vec::new();
        let mut place = vec![UNKNOWN; components.nodes()];
        // By word: the states of nodes that were not met yet, from the farthest back.
        let mut left = vec![u64::MAX; space.words()];
        for distance in (0..layers.count()).rev() {
            for &Entry { states, word, .. } in layers.at(distance) {
                let mut states = states & left[word as usize];
                while states != 0 {
                    let (root, same) = components.of_state(space, word, states.trailing_zeros());
                    let place = &mut place[root as usize];
                    let is_first = *place == UNKNOWN;
                    if is_first {
                        *place = found.len() as u32;
                        found.push(Component { root, distance: distance as u32 });
                    }
                    let component = &found[*place as usize];
                    if component.distance == distance as u32 {
                        visit(HardestStates { component: *place, word, states: states & same }, component, is_first);
                    }
                    states &= !same;
                    left[word as usize] &= !same;
                }
            }
        }
        found
    }

    /// For some components, the number of states at every distance.
    pub fn histograms(&self, wanted: &[Component]) -> Vec<Vec<u64>> {
        let mut histograms: Vec<Vec<u64>> = wanted.iter().map(|c| vec![0; c.distance as usize + 1]).collect();
        if wanted.is_empty() {
            return histograms;
        }
        let deepest = wanted.iter().map(|component| component.distance as usize).max().unwrap_or_default();
        let Family { space, layers, components, .. } = self;
        let mut place = vec![UNKNOWN; components.nodes()];
        for (number, component) in wanted.iter().enumerate() {
            place[component.root as usize] = number as u32;
        }
        // By word: the states of no wanted component, as far as they were met.
        let mut others = vec![0u64; space.words()];
        for distance in (0..layers.count()).filter(|&distance| distance <= deepest) {
            for &Entry { states, word, .. } in layers.at(distance) {
                let mut states = states & !others[word as usize];
                while states != 0 {
                    let (root, same) = components.of_state(space, word, states.trailing_zeros());
                    match place[root as usize] {
                        UNKNOWN => others[word as usize] |= same,
                        number => histograms[number as usize][distance] += u64::from((states & same).count_ones()),
                    }
                    states &= !same;
                }
            }
        }
        histograms
    }

    /// A state as a board.
    pub fn board(&self, plan: &Plan, state: u32) -> Option<Board> {
        plan.board(&self.layout.walls, &self.vehicles(state))
    }

    /// The vehicles of a state, the target first: column, row, length and orientation of each.
    fn vehicles(&self, state: u32) -> Vec<(u8, u8, u8, Orientation)> {
        let Family { layout, space, .. } = self;
        let block = space.block(state / 64);
        let columns = space.columns(layout, block, state);
        let mut vehicles = Vec::new();
        for (row, line) in layout.rows.iter().enumerate() {
            let config = &line.configs[block.rows.configs[row] as usize];
            let across = |&(x, length): &(u8, u8)| (x, row as u8, length, Orientation::Horizontal);
            vehicles.extend(config.vehicles().iter().map(across));
        }
        for (column, line) in layout.columns.iter().enumerate() {
            let config = &line.configs[columns[column] as usize];
            let down = |&(y, length): &(u8, u8)| (column as u8, y, length, Orientation::Vertical);
            vehicles.extend(config.vehicles().iter().map(down));
        }
        let is_target =
            |v: &(u8, u8, u8, Orientation)| v.3 == Orientation::Horizontal && v.1 as usize == layout.target_row;
        if let Some(target) = vehicles.iter().position(is_target) {
            vehicles.swap(0, target);
        }
        vehicles
    }
}
