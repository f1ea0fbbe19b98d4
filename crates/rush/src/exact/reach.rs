//! The static tests, which prove some boards unsolvable without a search. They are sound, but not complete.
//!
//! The first finds the configurations that a line can ever take.
//! A cell that a line covers in every configuration it can reach is always taken, and no crossing vehicle ever enters
//! it; that takes configurations from the crossing lines, which may make more cells always taken, and so on to the
//! fixpoint. What is left is an over-approximation: a target that cannot reach the exit in it cannot at all.
//!
//! The second is the delete relaxation: cells that vehicles leave stay free for good. A board without a plan even then has
//! no solution.

use super::Metric;
use super::line::{Group, Line};
use crate::heuristics::RelaxedPlans;
use crate::{Board, Orientation, RushDomain};
use clearway_search::Domain;
use std::sync::Arc;

/// A set of configurations of one line: a group has at most 495.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Configs([u64; 8]);

impl Configs {
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

/// The indices of the bits of a word.
pub(super) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        let some = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        some.then_some(bit)
    }
}

/// The configurations that each line can take at most.
pub(super) fn reachable(board: &Board, lines: &[(Line, Arc<Group>)]) -> Vec<Configs> {
    // Cells always taken, by row for those of columns and by column for those of rows.
    let mut always = [[0u16; 16]; 2];
    let mut reached = vec![Configs::default(); lines.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for ((line, group), reached) in lines.iter().zip(&mut reached) {
            let vertical = usize::from(line.orientation == Orientation::Vertical);
            let crossing = always[vertical][line.index as usize] >> line.start;
            let now = closure(group, group.start(board, line), crossing);
            if now == *reached {
                continue;
            }
            (*reached, changed) = (now, true);
            let mut taken = now.iter().fold(u16::MAX, |all, config| all & group.configs[config].cells);
            while taken != 0 {
                let cell = line.start as usize + taken.trailing_zeros() as usize;
                always[1 - vertical][cell] |= 1 << line.index;
                taken &= taken - 1;
            }
        }
    }
    reached
}

/// The configurations that can be reached when only `crossing` is in the way.
fn closure(group: &Group, start: usize, crossing: u16) -> Configs {
    let mut reached = Configs::default();
    reached.insert(start);
    let mut open = vec![start];
    while let Some(config) = open.pop() {
        for way in group.steps[config].iter().filter(|way| way.needs & crossing == 0) {
            if !reached.contains(way.to as usize) {
                reached.insert(way.to as usize);
                open.push(way.to as usize);
            }
        }
    }
    reached
}

/// Whether the target can reach the exit as far as the static test can tell.
pub(super) fn exit_in_reach(board: &Board, lines: &[(Line, Arc<Group>)], reached: &[Configs]) -> bool {
    lines.iter().zip(reached).any(|((line, group), reached)| {
        let place = line.vehicles.iter().position(|&vehicle| vehicle == 0);
        place.is_some_and(|place| {
            reached.iter().any(|config| group.configs[config].positions[place] + line.start == board.goal_position())
        })
    })
}

/// Whether the target can reach the exit if cells, once free, stay free. Costs as much as the expansion of some hundred
/// states of a small board.
pub(super) fn has_relaxed_plan(board: &Board) -> bool {
    fn of<const N: usize>(board: &Board) -> Option<bool> {
        let domain = RushDomain::<N>::new(board, Metric::Moves)?;
        Some(RelaxedPlans::new(&domain).slides(&domain.start()).is_some())
    }
    let found = of::<1>(board).or_else(|| of::<2>(board)).or_else(|| of::<4>(board)).or_else(|| of::<8>(board));
    found.unwrap_or(true)
}
