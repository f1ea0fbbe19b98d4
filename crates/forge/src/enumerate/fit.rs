//! Configurations that fit into a column around the vehicles of the rows, for every set of cells that these occupy, and how the
//! configurations are connected by slides.

use super::line::{LineConfigurations, LineSlide};

/// Marks a configuration that does not fit.
pub(super) const NONE: u8 = u8::MAX;

/// Configurations that fit around a set of occupied cells.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// Configurations, in the order of the line.
    pub configs: Vec<u8>,
    /// For each configuration of the line: its place in `configs`, or [`NONE`].
    pub index: Vec<u8>,
    /// Possible slides, as pairs of places in `configs`.
    pub slides: Vec<(u8, u8)>,
    /// For each place: its class. Configurations of the same class can be reached from each other by slides in this column.
    pub class: Vec<u8>,
    /// For each class: its places.
    pub classes: Vec<Vec<u8>>,
}

impl Fit {
    fn new(line: &LineConfigurations, taken: u8, is_allowed: impl Fn(u8) -> bool) -> Fit {
        let fits = |&i: &u8| line.configs[i as usize].cells & taken == 0 && is_allowed(line.configs[i as usize].group);
        let configs: Vec<u8> = (0..line.configs.len() as u8).filter(fits).collect();
        let mut index = vec![NONE; line.configs.len()];
        for (place, &config) in configs.iter().enumerate() {
            index[config as usize] = place as u8;
        }
        let reached = |slides: &[Vec<LineSlide>], config: u8| -> Vec<u8> {
            let free = slides[config as usize].iter().filter(|slide| slide.enters & taken == 0);
            free.map(|slide| index[slide.to as usize]).collect()
        };
        let slides = configs
            .iter()
            .enumerate()
            .flat_map(|(from, &config)| reached(&line.slides, config).into_iter().map(move |to| (from as u8, to)));
        let slides = slides.collect();
        let mut class: Vec<u8> = (0..configs.len() as u8).collect();
        // Merging two classes may require further merges, so repeat until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for (from, &config) in configs.iter().enumerate() {
                for to in reached(&line.steps, config) {
                    let first = class[from].min(class[to as usize]);
                    changed |= class[from] != class[to as usize];
                    class[from] = first;
                    class[to as usize] = first;
                }
            }
        }
        let mut firsts = class.clone();
        firsts.sort_unstable();
        firsts.dedup();
        for class in &mut class {
            *class = firsts.partition_point(|first| first < class) as u8;
        }
        let places = |wanted: usize| {
            (0..configs.len() as u8).filter(|&place| class[place as usize] as usize == wanted).collect()
        };
        let classes = (0..firsts.len()).map(places).collect();
        Fit { configs, index, slides, class, classes }
    }
}

/// Groups allowed in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// All groups.
    Open,
    /// One group.
    Group(u8),
}

/// Fits of a column, for every choice and every set of occupied cells.
#[derive(Debug)]
pub(super) struct Fits {
    by_choice: Vec<Vec<Fit>>,
}

impl Fits {
    pub fn new(line: &LineConfigurations, length: u8) -> Fits {
        let all = |is_allowed: &dyn Fn(u8) -> bool| -> Vec<Fit> {
            (0..1u16 << length).map(|taken| Fit::new(line, taken as u8, is_allowed)).collect()
        };
        let mut by_choice = vec![all(&|_| true)];
        by_choice.extend((0..line.groups as u8).map(|group| all(&|other| other == group)));
        Fits { by_choice }
    }

    /// Returns the fits for a choice, indexed by the occupied cells.
    pub fn for_choice(&self, choice: Choice) -> &[Fit] {
        match choice {
            Choice::Open => &self.by_choice[0],
            Choice::Group(group) => &self.by_choice[1 + group as usize],
        }
    }
}
