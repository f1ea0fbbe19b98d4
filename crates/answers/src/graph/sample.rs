//! Selection of the states to show if there are too many. It is deterministic, spread over all layers, and every state has an
//! edge to a nearer one, so that the picture is connected.

use super::component::Component;

/// Selects at most `max` states, but always all of the path, in the order of their numbers.
pub(super) fn sample(component: &Component, path: &[u32], max: usize) -> Vec<u32> {
    let all = component.len();
    if all <= max {
        return (0..all as u32).collect();
    }
    let (shown, by_layer) = (vec![false; all], vec![0; component.layers.len()]);
    let mut sample = Sample { component, shown, by_layer, count: 0 };
    // The path, or the start alone, and a state of the last layer, so that no layer is empty. The other moves along the path
    // come next, but must leave half of the room to all other states.
    let max = max.max(path.len()).max(1);
    let farthest = component.layers.last().and_then(|layer| layer.first());
    path.iter().chain(&[0]).chain(farthest).for_each(|&state| sample.show_connected(state, max));
    path.iter().flat_map(|&state| component.successors(state)).for_each(|&state| sample.show_connected(state, max / 2));
    sample.fill(max);
    (0..all as u32).filter(|&state| sample.is_shown(state)).collect()
}

struct Sample<'a> {
    component: &'a Component,
    shown: Vec<bool>,
    /// Number of states shown of each layer.
    by_layer: Vec<usize>,
    count: usize,
}

impl Sample<'_> {
    fn is_shown(&self, state: u32) -> bool {
        self.shown[state as usize]
    }

    fn show(&mut self, state: u32) {
        self.shown[state as usize] = true;
        self.by_layer[self.component.distances[state as usize] as usize] += 1;
        self.count += 1;
    }

    /// Shows a state and a chain of nearer states up to one already shown, unless more than `max` would be shown.
    fn show_connected(&mut self, state: u32, max: usize) {
        let mut chain = Vec::new();
        let mut next = Some(state).filter(|&state| !self.is_shown(state));
        while let Some(state) = next {
            chain.push(state);
            let is_connected = self.component.nearer(state).any(|nearer| self.is_shown(nearer));
            next = self.component.nearer(state).next().filter(|_| !is_connected);
        }
        if self.count + chain.len() <= max {
            for state in chain {
                self.show(state);
            }
        }
    }

    /// Shows the same share of each layer as of all states, as far as there is room, choosing evenly from the states with a
    /// nearer state already shown.
    fn fill(&mut self, max: usize) {
        let component = self.component;
        let share = |states: usize| (states as u128 * max as u128 / component.len() as u128) as usize;
        let layers = component.layers.iter().zip(&self.by_layer);
        let missing: Vec<usize> = layers.map(|(layer, &shown)| share(layer.len()).saturating_sub(shown)).collect();
        let room = max - self.count;
        let all_missing = missing.iter().sum::<usize>().max(room).max(1);
        for (distance, (layer, missing)) in component.layers.iter().zip(missing).enumerate() {
            let is_connected =
                |&state: &u32| distance == 0 || component.nearer(state).any(|nearer| self.is_shown(nearer));
            let candidates: Vec<u32> =
                layer.iter().copied().filter(|&state| !self.is_shown(state)).filter(is_connected).collect();
            let chosen = (missing * room / all_missing).min(candidates.len());
            for i in 0..chosen {
                self.show(candidates[i * candidates.len() / chosen]);
            }
        }
    }
}
