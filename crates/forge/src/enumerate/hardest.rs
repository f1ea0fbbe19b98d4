//! Hardest states of every component, and histograms of the distances of its states.

use super::EnumerationPlan;
use super::layers::LayerEntry;
use super::worker::Family;
use clearway_rush::{Board, Orientation};

/// Component that has a solved state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SolvableComponent {
    /// Smallest node of the component.
    pub root: u32,
    /// Largest distance from a solved state.
    pub distance: u32,
}

/// Hardest states of a component within one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct HardestStates {
    /// Index of the component in the list returned by [`Family::hardest`].
    pub component: u32,
    pub word: u32,
    pub states: u64,
}

/// Marks a component without an index.
const UNKNOWN: u32 = u32::MAX;

impl Family {
    /// Returns all components with a solved state, in no particular order. Calls `visit` with the hardest states of each, word by
    /// word in ascending order (those of one word in one or several calls), with the component, and with whether its first
    /// hardest state is among them.
    pub fn hardest(&self, mut visit: impl FnMut(HardestStates, &SolvableComponent, bool)) -> Vec<SolvableComponent> {
        let Family { space, layers, components, .. } = self;
        let mut found: Vec<SolvableComponent> = Vec::new();
        let mut place = vec![UNKNOWN; components.nodes()];
        // For each word: the states of nodes that have not been visited, from the largest distance down.
        let mut left = vec![u64::MAX; space.words()];
        for distance in (0..layers.count()).rev() {
            for &LayerEntry { states, word, .. } in layers.at(distance) {
                let mut states = states & left[word as usize];
                while states != 0 {
                    let (root, same) = components.component_at(space, word, states.trailing_zeros());
                    let place = &mut place[root as usize];
                    let is_first = *place == UNKNOWN;
                    if is_first {
                        *place = found.len() as u32;
                        found.push(SolvableComponent { root, distance: distance as u32 });
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

    /// Returns the number of states at each distance, for each of the given components.
    pub fn histograms(&self, wanted: &[SolvableComponent]) -> Vec<Vec<u64>> {
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
        // For each word: the visited states that belong to none of the wanted components.
        let mut others = vec![0u64; space.words()];
        for distance in (0..layers.count()).filter(|&distance| distance <= deepest) {
            for &LayerEntry { states, word, .. } in layers.at(distance) {
                let mut states = states & !others[word as usize];
                while states != 0 {
                    let (root, same) = components.component_at(space, word, states.trailing_zeros());
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

    /// Converts a state to a board.
    pub fn board(&self, plan: &EnumerationPlan, state: u32) -> Option<Board> {
        plan.board(&self.layout.walls, &self.vehicles(state))
    }

    /// Returns the column, row, length and orientation of each vehicle of a state, the target first.
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
