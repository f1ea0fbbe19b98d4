//! Whether a puzzle needs all of its vehicles.
//!
//! A vehicle can be removed if the puzzle does not get easier without it. One that moves in a shortest solution never
//! can: without it the rest of that solution is left. For a vehicle of a column whose group is open, the board without
//! it is a state of the same family, whose distance is known. All others take a search.

use super::fit::Choice;
use super::hardest::Component;
use super::layout::SIDE;
use super::worker::{Family, Worker};
use crate::minimal::without;
use clearway_search::Limits;

impl Worker<'_> {
    /// Whether no vehicle of a component's hardest state can be removed without making it easier.
    pub(super) fn is_minimal(&mut self, component: &Component) -> bool {
        self.family.needs_open_columns(component) && self.needs_the_rest(component)
    }

    fn needs_the_rest(&mut self, component: &Component) -> bool {
        let Some(board) = self.family.board(self.plan, component.state) else { return false };
        let (metric, limits) = (self.plan.metric(), Limits::default());
        let answer = self.solver.solve(&board, metric, &limits);
        let Some(solution) = answer.solution else { return false };
        let across = self.plan.shape().side().orientation();
        (1..board.vehicles().len()).all(|index| {
            let vehicle = board.vehicles()[index];
            let is_known = vehicle.orientation != across
                && self.family.space.choices[self.plan.column_of(vehicle)] == Choice::Open;
            let moves = solution.0.iter().any(|mv| mv.label == vehicle.label);
            is_known
                || moves
                || without(&board, index).is_some_and(|smaller| {
                    self.solver.solve(&smaller, metric, &limits).lower_bound < component.distance
                })
        })
    }
}

impl Family {
    /// Whether none of the vehicles in columns with open groups can be removed.
    fn needs_open_columns(&self, component: &Component) -> bool {
        let Family { layout, space, layers, .. } = self;
        let block = space.block(component.state / 64);
        let columns: [u8; SIDE] = space.columns(layout, block, component.state);
        (0..layout.width).filter(|&column| space.choices[column] == Choice::Open).all(|column| {
            let line = &layout.columns[column];
            let vehicles = line.configs[columns[column] as usize].vehicles().len();
            (0..vehicles).all(|vehicle| {
                let mut fewer = columns;
                fewer[column] = line.without(columns[column], vehicle);
                let state = space.state(layout, block, fewer);
                !state.is_some_and(|state| layers.is_at(state, component.distance as usize))
            })
        })
    }
}
