//! Determines whether a puzzle needs all of its vehicles.
//!
//! A vehicle can be removed if the puzzle does not become easier without it. This never holds for a vehicle that moves in a
//! shortest solution, because the other moves are a solution of the board without it. For a vehicle of an open column, the board
//! without it is a state of the same family, whose distance is known: all states of a word are tested at once. All other
//! vehicles need a search.

use super::Representative;
use super::fit::Choice;
use super::hardest::{HardestStates, SolvableComponent};
use super::worker::{Family, Worker};
use crate::minimal::without;
use clearway_rush::{Board, Orientation, Vehicle};
use clearway_search::Limits;
use std::collections::HashSet;

/// Component of the catalogue, with the state that represents it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedComponent {
    pub component: SolvableComponent,
    pub state: u32,
}

/// Identifies a vehicle in all states of a component: its line, and the number of vehicles of that line before it.
type VehicleKey = (Orientation, u8, usize);

/// Vehicle that can be removed from some hardest state of a component.
struct RemovableVehicle {
    key: VehicleKey,
    /// States of the component without the vehicle that are as hard, if they were computed, as positions of its vehicles
    /// [by line](Board::ordered_by_line).
    as_hard: Option<HashSet<Vec<u8>>>,
}

/// Minimum number of remaining states that are tested together.
const MANY: usize = 3;

/// Number of states of a component whose exploration costs about as much as a search for a shortest solution.
const STATES_PER_SEARCH: u64 = 1_000;

impl Worker<'_> {
    /// Returns all components with a solved state, and those that belong to the catalogue.
    pub(super) fn components(&mut self) -> (Vec<SolvableComponent>, Vec<ListedComponent>) {
        let (family, at_least) = (&self.family, self.plan.at_least().max(1));
        let only_first = self.plan.representative() == Representative::First;
        let mut candidates: Vec<HardestStates> = Vec::new();
        let components = family.hardest(|mut hardest, component, is_first| {
            if component.distance < at_least || only_first && !is_first {
                return;
            }
            if only_first {
                hardest.states &= hardest.states.wrapping_neg();
            }
            hardest.states = family.with_needed_columns(hardest.states, hardest.word, component.distance as usize);
            if hardest.states != 0 {
                candidates.push(hardest);
            }
        });
        candidates.sort_unstable_by_key(|hardest| (hardest.component, hardest.word));
        let listed = candidates.chunk_by(|a, b| a.component == b.component).filter_map(|candidates| {
            let component = components[candidates[0].component as usize];
            let state = self.first_minimal(candidates, component.distance)?;
            Some(ListedComponent { component, state })
        });
        let listed = listed.collect();
        (components, listed)
    }

    /// Returns the first of some hardest states of a component from which no vehicle can be removed.
    ///
    /// A vehicle that can be removed from one state can often be removed from many. Without it, all states of the component are
    /// states of one component of the smaller board. If many states are left, one exploration of that component tests them all.
    fn first_minimal(&mut self, candidates: &[HardestStates], distance: u32) -> Option<u32> {
        let states = states_of(candidates);
        let mut removed: Vec<RemovableVehicle> = Vec::new();
        for (number, &state) in states.iter().enumerate() {
            let board = self.family.board(self.plan, state)?;
            let mut keys = board.vehicles().iter().map(|&vehicle| vehicle_key(&board, vehicle));
            let indices: Vec<Option<usize>> =
                removed.iter().map(|removed| keys.clone().position(|key| key == removed.key)).collect();
            if removed.iter().zip(&indices).any(|(removed, index)| {
                index.is_some_and(|index| !self.is_needed(&board, index, distance, removed.as_hard.as_ref()))
            }) {
                continue;
            }
            let Some(index) = self.removable(&board, distance, &indices) else { return Some(state) };
            let left = states.len() - number - 1;
            let as_hard = if left >= MANY { self.as_hard_without(&board, index, distance, left) } else { None };
            removed.push(RemovableVehicle { key: keys.nth(index)?, as_hard });
        }
        None
    }

    /// Returns a vehicle that can be removed from a board. Does not test vehicles of open columns, which are known to be needed,
    /// and those whose indices are given.
    fn removable(&mut self, board: &Board, distance: u32, needed: &[Option<usize>]) -> Option<usize> {
        let answer = self.solver.solve(board, self.plan.metric(), &Limits::default());
        let moved: Vec<char> = answer.solution.iter().flat_map(|solution| &solution.0).map(|mv| mv.label).collect();
        let across = self.plan.shape().side().orientation();
        (1..board.vehicles().len()).find(|&index| {
            let vehicle = board.vehicles()[index];
            let is_known = vehicle.orientation != across
                && self.family.space.choices[self.plan.column_of(vehicle)] == Choice::Open;
            let is_needed = is_known || needed.contains(&Some(index)) || moved.contains(&vehicle.label);
            !is_needed && !self.is_needed(board, index, distance, None)
        })
    }

    /// Returns whether a board at this distance becomes easier without a vehicle. If the states that are as hard without it are
    /// known, they are used instead of a search.
    fn is_needed(&mut self, board: &Board, index: usize, distance: u32, as_hard: Option<&HashSet<Vec<u8>>>) -> bool {
        let Some(smaller) = without(board, index) else { return true };
        match as_hard {
            Some(as_hard) => !as_hard.contains(&positions(&smaller.ordered_by_line())),
            None => self.solver.solve(&smaller, self.plan.metric(), &Limits::default()).lower_bound < distance,
        }
    }

    /// Returns all states at this distance in the component of a board without a vehicle, or None if that takes longer than a
    /// search for each of `states` states.
    fn as_hard_without(
        &mut self,
        board: &Board,
        index: usize,
        distance: u32,
        states: usize,
    ) -> Option<HashSet<Vec<u8>>> {
        let smaller = without(board, index)?.ordered_by_line();
        let limits = Limits { nodes: Some(STATES_PER_SEARCH * states as u64), ..Limits::default() };
        let as_hard = self.solver.states_at(&smaller, self.plan.metric(), distance, &limits)?;
        Some(as_hard.into_iter().collect())
    }
}

/// Returns the states of some words, in ascending order. There may be several consecutive entries for a word.
fn states_of(hardest: &[HardestStates]) -> Vec<u32> {
    let mut all = Vec::new();
    for same_word in hardest.chunk_by(|a, b| a.word == b.word) {
        let mut states = same_word.iter().fold(0, |all, hardest| all | hardest.states);
        while states != 0 {
            all.push(same_word[0].word * 64 + states.trailing_zeros());
            states &= states - 1;
        }
    }
    all
}

fn vehicle_key(board: &Board, vehicle: Vehicle) -> VehicleKey {
    let is_before = |other: &&Vehicle| {
        (other.orientation, other.line()) == (vehicle.orientation, vehicle.line())
            && other.position() < vehicle.position()
    };
    (vehicle.orientation, vehicle.line(), board.vehicles().iter().filter(is_before).count())
}

fn positions(board: &Board) -> Vec<u8> {
    board.vehicles().iter().map(Vehicle::position).collect()
}

impl Family {
    /// Of some states of a word, all at the same distance, returns those that need all vehicles of open columns.
    fn with_needed_columns(&self, mut states: u64, word: u32, distance: usize) -> u64 {
        let Family { layout, space, layers, .. } = self;
        let block = space.block(word);
        let in_word = layers.states_at(word, distance);
        for column in (0..layout.width).filter(|&column| space.choices[column] == Choice::Open) {
            let (fit, line) = (space.fit(layout, block, column), &layout.columns[column]);
            let stride = block.stride[column];
            // Configurations with fewer vehicles come first, so the place without a vehicle is always smaller.
            let fewer = |place: usize| {
                let config = fit.configs[place];
                let vehicles = 0..line.configs[config as usize].vehicles().len();
                vehicles.map(move |vehicle| place - fit.index[line.without(config, vehicle) as usize] as usize)
            };
            if column < block.inner {
                let words = stride / 64;
                let place = (word - block.first_word) / words % fit.configs.len() as u32;
                for back in fewer(place as usize) {
                    states &= !layers.states_at(word - back as u32 * words, distance);
                }
            } else {
                let first = block.with_first_config(column, fit.configs.len());
                for place in 0..fit.configs.len() {
                    let here = first << (place as u32 * stride);
                    if states & here != 0 {
                        for back in fewer(place) {
                            states &= !((in_word << (back as u32 * stride)) & here);
                        }
                    }
                }
            }
            if states == 0 {
                break;
            }
        }
        states
    }
}
