//! Which states are shown if there are too many: the same ones every time, spread over all layers, and every one with a
//! way to a nearer one, so that the picture hangs together.

use super::component::Component;

/// At most so many states, but all of the path, in the order of their numbers.
pub(super) fn sample(component: &Component, path: &[u32], most: usize) -> Vec<u32> {
    let all = component.len();
    if all <= most {
        return (0..all as u32).collect();
    }
    let (shown, by_layer) = (vec![false; all], vec![0; component.layers.len()]);
    let mut sample = Sample { component, shown, by_layer, count: 0 };
    // The path, or the start alone, and a state of the last layer, so that no layer is empty. What one could do on the
    // path comes next, but it must leave half of the room to all others.
    let most = most.max(path.len()).max(1);
    let farthest = component.layers.last().and_then(|layer| layer.first());
    path.iter().chain(&[0]).chain(farthest).for_each(|&state| sample.hang(state, most));
    path.iter().flat_map(|&state| component.ways(state)).for_each(|&state| sample.hang(state, most / 2));
    sample.fill(most);
    (0..all as u32).filter(|&state| sample.is_shown(state)).collect()
}

struct Sample<'a> {
    component: &'a Component,
    shown: Vec<bool>,
    /// How many are shown of each layer.
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

    /// Shows a state with all that it hangs on, if no more than so many are shown then.
    fn hang(&mut self, state: u32, most: usize) {
        let mut chain = Vec::new();
        let mut next = Some(state).filter(|&state| !self.is_shown(state));
        while let Some(state) = next {
            chain.push(state);
            let hangs = self.component.nearer(state).any(|nearer| self.is_shown(nearer));
            next = self.component.nearer(state).next().filter(|_| !hangs);
        }
        if self.count + chain.len() <= most {
            for state in chain {
                self.show(state);
            }
        }
    }

    /// Shows of each layer as large a part as of all states, as far as there is room: of those that hang on what is
    /// shown, evenly chosen.
    fn fill(&mut self, most: usize) {
        let component = self.component;
        let share = |states: usize| (states as u128 * most as u128 / component.len() as u128) as usize;
        let layers = component.layers.iter().zip(&self.by_layer);
        let missing: Vec<usize> = layers.map(|(layer, &shown)| share(layer.len()).saturating_sub(shown)).collect();
        let room = most - self.count;
        let all_missing = missing.iter().sum::<usize>().max(room).max(1);
        for (distance, (layer, missing)) in component.layers.iter().zip(missing).enumerate() {
            let hangs = |&state: &u32| distance == 0 || component.nearer(state).any(|nearer| self.is_shown(nearer));
            let candidates: Vec<u32> =
                layer.iter().copied().filter(|&state| !self.is_shown(state)).filter(hangs).collect();
            let chosen = (missing * room / all_missing).min(candidates.len());
            for i in 0..chosen {
                self.show(candidates[i * candidates.len() / chosen]);
            }
        }
    }
}
