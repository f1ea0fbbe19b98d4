//! Classes of configurations: the tables of a group for the [contracted](super::contracted) enumeration.

use super::line::Group;
use super::reach::Bits;
use std::fmt::Debug;

/// Type of the entries of [`ClassTables`]: a set of configurations, as bits. Tables of small groups have narrow entries, so that
/// more of them fit into the cache.
pub(super) trait ConfigBits: Copy + Debug + Into<u64> + TryFrom<u64> {}

impl ConfigBits for u16 {}
impl ConfigBits for u64 {}

/// Tables about the configurations that slides of a line connect. All but `free_at` are indexed by configuration and by the cells
/// that crossing vehicles occupy (see [`Group::row`]).
#[derive(Debug)]
pub(super) struct ClassTables<S> {
    /// Configurations one step away.
    pub steps: Vec<S>,
    /// The class of a configuration: the configurations that slides connect it with, including itself.
    pub classes: Vec<S>,
    /// The cells that are occupied in all configurations of the class.
    pub always_occupied: Vec<u16>,
    /// By cell: the configurations in which it is free.
    pub free_at: Vec<S>,
}

impl<S: ConfigBits> ClassTables<S> {
    /// Creates the tables of a group, whose configurations must fit into `S`.
    pub fn new(group: &Group) -> Self {
        let narrow = |set: u64| S::try_from(set).ok().expect("the set holds all configurations of the group");
        let (configs, rows) = (&group.configs, group.configs.len() << group.length);
        let mut tables = ClassTables {
            steps: Vec::with_capacity(rows),
            classes: Vec::with_capacity(rows),
            always_occupied: Vec::with_capacity(rows),
            free_at: Vec::new(),
        };
        for steps in &group.steps {
            for crossing in 0..1u16 << group.length {
                let possible = steps.iter().filter(|step| step.required_free & crossing == 0);
                tables.steps.push(narrow(possible.fold(0, |set, step| set | 1 << step.to)));
            }
        }
        for config in 0..configs.len() {
            for crossing in 0..1usize << group.length {
                let (mut class, mut open) = (1u64 << config, 1u64 << config);
                while open != 0 {
                    let next: u64 = tables.steps[group.row(open.trailing_zeros().into()) + crossing].into();
                    open = open & (open - 1) | next & !class;
                    class |= next;
                }
                let occupied = Bits(class).fold(u16::MAX, |all, other| all & configs[other].cells);
                tables.always_occupied.push(occupied);
                tables.classes.push(narrow(class));
            }
        }
        let is_free = |config: &usize, cell: u8| configs[*config].cells >> cell & 1 == 0;
        let free_at =
            |cell: u8| (0..configs.len()).filter(|config| is_free(config, cell)).fold(0, |set, i| set | 1 << i);
        tables.free_at = (0..group.length).map(|cell| narrow(free_at(cell))).collect();
        tables
    }
}
