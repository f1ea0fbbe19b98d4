//! The static tests, which prove some boards unsolvable without a search. They are sound, but not complete.
//!
//! The first test computes the configurations that a line can ever reach. A cell that a line covers in every configuration it can
//! reach is always occupied, and no crossing vehicle ever enters it. This removes configurations from the crossing lines, which
//! may make more cells always occupied, and so on to the fixpoint. The result is an over-approximation: a target that does not
//! reach the exit in it never does.
//!
//! The second test is the delete relaxation: a cell that a vehicle has left stays free. A board without a plan in the relaxation
//! has no solution.

use super::Metric;
use super::line::{Group, Line};
use crate::heuristics::RelaxedPlanner;
use crate::{Board, Orientation, RushDomain, with_words};
use clearway_search::Domain;
use std::sync::Arc;

/// A set of configurations of one line: a group has at most 495.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ConfigSet([u64; 8]);

impl ConfigSet {
    pub fn contains(&self, config: usize) -> bool {
        self.0[config / 64] >> (config % 64) & 1 == 1
    }

    fn insert(&mut self, config: usize) {
        self.0[config / 64] |= 1 << (config % 64);
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(w, &word)| Bits(word).map(move |bit| w * 64 + bit))
    }
}

/// Iterator over the indices of the set bits of a word.
pub(super) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        let is_some = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        is_some.then_some(bit)
    }
}

/// Returns an over-approximation of the configurations that each line can reach, if each vehicle stays within its range.
pub(super) fn reachable_configs(
    board: &Board,
    lines: &[(Line, Arc<Group>)],
    ranges: Option<&[(u8, u8)]>,
) -> Vec<ConfigSet> {
    // Cells that are always occupied: by row for those of columns, and by column for those of rows.
    let mut always = [[0u16; 16]; 2];
    let mut reached = vec![ConfigSet::default(); lines.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for ((line, group), reached) in lines.iter().zip(&mut reached) {
            let vertical = usize::from(line.orientation == Orientation::Vertical);
            let crossing = always[vertical][line.index as usize] >> line.start;
            let is_allowed = |config: usize| {
                ranges.is_none_or(|ranges| {
                    line.vehicles.iter().zip(group.configs[config].positions).all(|(&vehicle, position)| {
                        let (first, last) = ranges[vehicle as usize];
                        (first..=last).contains(&(line.start + position))
                    })
                })
            };
            let now = closure(group, group.start(board, line), crossing, is_allowed);
            if now == *reached {
                continue;
            }
            (*reached, changed) = (now, true);
            let mut occupied = now.iter().fold(u16::MAX, |all, config| all & group.configs[config].cells);
            while occupied != 0 {
                let cell = line.start as usize + occupied.trailing_zeros() as usize;
                always[1 - vertical][cell] |= 1 << line.index;
                occupied &= occupied - 1;
            }
        }
    }
    reached
}

/// Returns the allowed configurations that are reachable if only the cells of `crossing` are blocked.
fn closure(group: &Group, start: usize, crossing: u16, is_allowed: impl Fn(usize) -> bool) -> ConfigSet {
    let mut reached = ConfigSet::default();
    reached.insert(start);
    let mut open = vec![start];
    while let Some(config) = open.pop() {
        for transition in group.steps[config].iter().filter(|transition| transition.required_free & crossing == 0) {
            if !reached.contains(transition.to as usize) && is_allowed(transition.to as usize) {
                reached.insert(transition.to as usize);
                open.push(transition.to as usize);
            }
        }
    }
    reached
}

/// Returns whether the target reaches the exit in the over-approximation.
pub(super) fn is_exit_reachable(board: &Board, lines: &[(Line, Arc<Group>)], reached: &[ConfigSet]) -> bool {
    lines.iter().zip(reached).any(|((line, group), reached)| {
        let place = line.vehicles.iter().position(|&vehicle| vehicle == 0);
        place.is_some_and(|place| {
            reached.iter().any(|config| group.configs[config].positions[place] + line.start == board.goal_position())
        })
    })
}

/// Returns whether the target can reach the exit if cells that become free stay free. Costs about as much as expanding a few
/// hundred states of a small board.
pub(super) fn has_relaxed_plan(board: &Board) -> bool {
    fn test<const N: usize>(board: &Board) -> bool {
        let domain = RushDomain::<N>::new(board, Metric::Moves).expect("a board has at most 128 vehicles");
        RelaxedPlanner::new(&domain).slides(&domain.start()).is_some()
    }
    with_words!(board, N in [1, 2, 4, 8] => test::<N>(board))
}
