//! Plans in layers as clauses.
//!
//! Time goes in layers. In a layer any number of vehicles may slide, as long as the slides do not depend on each other's order.
//!
//! - `at_least(i, k, t)`: at time t, vehicle i stands at position k or beyond (order encoding).
//! - `moved(i, t)`: vehicle i slides in layer t, between times t and t + 1.
//! - `touches(i, c, t)`: in layer t, vehicle i covers the shared cell c, at its start, at its end or in between.
//!
//! No two vehicles touch the same cell in the same layer, and the vehicles of a line keep their distance at both ends of a layer
//! and across it. Two rules remove most of the plans that differ only in the arrangement of the same moves, and at least one
//! shortest plan of each board keeps both:
//!
//! - A vehicle does not move in two consecutive layers: between them, its two slides are one.
//! - A vehicle that moves in a layer other than the first has a neighbour that moves in the layer before (Foata normal form):
//!   otherwise it could have moved one layer earlier. Neighbours share a cell or a line.

use super::structure::{Mover, Structure};
use crate::Metric;
use crate::plan::{Plan, Slide};

/// A literal as in DIMACS: a variable or its negation.
pub type Literal = i32;

/// The literal that always holds. Clauses that contain it are omitted, and its negation is left out of clauses.
const TRUE: Literal = Literal::MAX;

/// Where clauses go: a solver or a file.
pub trait ClauseSink {
    /// Adds a clause without constants.
    fn add_clause(&mut self, clause: &[Literal]);

    /// Estimate of the memory that a solver needs for the clauses so far, in bytes.
    fn memory_usage(&self) -> usize;
}

/// The variables of a plan in layers, and the clauses so far.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    structure: Structure,
    metric: Metric,
    variables: Literal,
    /// By mover: the literal that makes it take up room; constant unless the encoding has switches.
    switches: Vec<Literal>,
    /// By mover: the same as `positions` before the first layer, where that may be any state.
    any_start: Option<Vec<Literal>>,
    /// By time and mover: the variable of the second position of its range; those of the following positions follow.
    positions: Vec<Vec<Literal>>,
    /// By layer and mover.
    moved: Vec<Vec<Literal>>,
    /// By layer and mover: literals of which at least as many hold as the slide costs.
    costs: Vec<Vec<Vec<Literal>>>,
}

impl Encoding {
    /// Starts an encoding without layers.
    pub fn new(structure: Structure, metric: Metric) -> Encoding {
        let (positions, moved, costs) = (Vec::new(), Vec::new(), Vec::new());
        let switches = vec![TRUE; structure.movers.len()];
        Encoding { structure, metric, variables: 0, switches, any_start: None, positions, moved, costs }
    }

    /// Starts an encoding in which a mover takes up room only if its switch holds. Whatever is proven with some switches holds
    /// for the board with only these vehicles.
    pub fn with_switches(structure: Structure) -> Encoding {
        let mut encoding = Encoding::new(structure, Metric::Moves);
        encoding.switches = (0..encoding.structure.movers.len()).map(|_| encoding.new_variable()).collect();
        encoding
    }

    /// Starts an encoding in which the first layer may start from any state.
    pub fn between_any_states(structure: Structure, sink: &mut impl ClauseSink) -> Encoding {
        let mut encoding = Encoding::new(structure, Metric::Moves);
        encoding.any_start = Some(encoding.new_positions());
        for mover in 0..encoding.structure.movers.len() {
            let Mover { first, last, .. } = encoding.structure.movers[mover];
            for position in first + 2..=last {
                add(sink, &[-encoding.at_least(mover, position, 0), encoding.at_least(mover, position - 1, 0)]);
            }
        }
        for &(one, other) in &encoding.structure.in_line {
            let Mover { first, last, length, .. } = encoding.structure.movers[one];
            for position in first..=last {
                let next = encoding.at_least(other, position + length, 0);
                add(sink, &[-encoding.at_least(one, position, 0), next]);
            }
        }
        encoding
    }

    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// By mover: the literal that makes it take up room.
    pub fn switches(&self) -> &[Literal] {
        &self.switches
    }

    /// Number of layers.
    pub fn layers(&self) -> usize {
        self.moved.len()
    }

    /// Number of variables.
    #[cfg(feature = "cadical")]
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// Literal of `moved`.
    pub fn moved(&self, mover: usize, layer: usize) -> Literal {
        self.moved[layer][mover]
    }

    /// Literals of which at least as many hold as the slide of a mover in a layer costs in the metric.
    pub fn costs(&self, mover: usize, layer: usize) -> &[Literal] {
        &self.costs[layer][mover]
    }

    /// Number of the costs that the slide of a mover in a layer may have: one in moves, one for each boundary in steps.
    pub fn kinds_of_cost(&self, mover: usize) -> usize {
        let Mover { first, last, .. } = self.structure.movers[mover];
        match self.metric {
            Metric::Moves => 1,
            Metric::Steps => (last - first) as usize,
        }
    }

    pub fn new_variable(&mut self) -> Literal {
        self.variables += 1;
        self.variables
    }

    /// Literal of `at_least`; constant where the range or the start decides it.
    pub fn at_least(&self, mover: usize, position: u8, time: usize) -> Literal {
        let Mover { first, last, start, .. } = self.structure.movers[mover];
        let constant = |holds: bool| if holds { TRUE } else { -TRUE };
        match time {
            _ if position <= first => TRUE,
            _ if position > last => -TRUE,
            0 => match &self.any_start {
                Some(positions) => positions[mover] + (position - first - 1) as Literal,
                None => constant(start >= position),
            },
            _ => self.positions[time - 1][mover] + (position - first - 1) as Literal,
        }
    }

    /// Literal that holds if the target is at the exit at the end of the last layer.
    pub fn goal(&self) -> Literal {
        let Some((target, goal)) = self.structure.target else { return -TRUE };
        let Mover { first, last, .. } = self.structure.movers[target];
        // The goal is at one end of the line; the range of the target may end before.
        match goal {
            _ if goal == last => self.at_least(target, goal, self.layers()),
            _ if goal == first => -self.at_least(target, goal + 1, self.layers()),
            _ => -TRUE,
        }
    }

    /// Adds the variables and clauses of one more point in time.
    pub fn add_layer(&mut self, sink: &mut impl ClauseSink) {
        let time = self.layers();
        let positions = self.new_positions();
        self.positions.push(positions);
        let moved = (0..self.structure.movers.len()).map(|_| self.new_variable()).collect();
        self.moved.push(moved);
        self.costs.push(Vec::new());
        for mover in 0..self.structure.movers.len() {
            self.add_slide(mover, time, sink);
        }
        self.add_shared_cells(time, sink);
        self.add_lines(time, sink);
        if time > 0 {
            self.add_normal_form(time, sink);
        }
    }

    /// Creates the variables of the positions of all movers at a time.
    fn new_positions(&mut self) -> Vec<Literal> {
        let mut positions = Vec::new();
        for &Mover { first, last, .. } in &self.structure.movers {
            positions.push(self.variables + 1);
            self.variables += (last - first) as Literal;
        }
        positions
    }

    /// Positions in order, and whether the vehicle moved, at what cost.
    fn add_slide(&mut self, mover: usize, time: usize, sink: &mut impl ClauseSink) {
        let Mover { first, last, .. } = self.structure.movers[mover];
        let moved = self.moved[time][mover];
        let mut costs = Vec::new();
        for position in first + 1..=last {
            let (before, after) = (self.at_least(mover, position, time), self.at_least(mover, position, time + 1));
            if position > first + 1 {
                add(sink, &[-after, self.at_least(mover, position - 1, time + 1)]);
            }
            let changed = match self.metric {
                Metric::Moves => moved,
                Metric::Steps => {
                    let changed = self.new_variable();
                    add(sink, &[-changed, moved]);
                    costs.push(changed);
                    changed
                }
            };
            add(sink, &[-before, after, changed]);
            add(sink, &[before, -after, changed]);
        }
        match self.metric {
            Metric::Moves => costs.push(moved),
            // Otherwise, the vehicle could count as moved for free where a rule asks for a move.
            Metric::Steps => add(sink, &[&costs[..], &[-moved]].concat()),
        }
        self.costs[time].push(costs);
    }

    /// No two vehicles touch the same cell in the layer.
    fn add_shared_cells(&mut self, time: usize, sink: &mut impl ClauseSink) {
        for index in 0..self.structure.shared.len() {
            let cell = self.structure.shared[index].clone();
            let horizontal = self.add_touches(&cell.horizontal, time, sink);
            let vertical = self.add_touches(&cell.vertical, time, sink);
            for &one in &horizontal {
                for &other in &vertical {
                    add(sink, &[-one, -other]);
                }
            }
        }
    }

    /// Literals that hold if the movers touch a cell of their line.
    fn add_touches(
        &mut self,
        (movers, cell): &(Vec<usize>, u8),
        time: usize,
        sink: &mut impl ClauseSink,
    ) -> Vec<Literal> {
        let touches = |&mover: &usize| {
            let touches = self.new_variable();
            let first_on = (cell + 1).saturating_sub(self.structure.movers[mover].length);
            for entered in [time, time + 1] {
                for passed in [time, time + 1] {
                    // On or beyond the cell at one end, and on or before it at one end.
                    let reached = self.at_least(mover, first_on, entered);
                    let beyond = self.at_least(mover, cell + 1, passed);
                    add(sink, &[-self.switches[mover], -reached, beyond, touches]);
                }
            }
            touches
        };
        movers.iter().map(touches).collect()
    }

    /// The vehicles of a line keep their order and do not overlap, at both ends of the layer and across it.
    fn add_lines(&mut self, time: usize, sink: &mut impl ClauseSink) {
        for &(one, other) in &self.structure.in_line {
            let Mover { first, last, length, .. } = self.structure.movers[one];
            for position in first..=last {
                for (at, then) in [(time + 1, time + 1), (time, time + 1), (time + 1, time)] {
                    let next = self.at_least(other, position + length, then);
                    let reached = self.at_least(one, position, at);
                    add(sink, &[-self.switches[one], -self.switches[other], -reached, next]);
                }
            }
        }
    }

    fn add_normal_form(&mut self, time: usize, sink: &mut impl ClauseSink) {
        for mover in 0..self.structure.movers.len() {
            let moved = self.moved[time][mover];
            add(sink, &[-moved, -self.moved[time - 1][mover]]);
            let mut clause = vec![-moved];
            clause.extend(self.structure.neighbours[mover].iter().map(|&other| self.moved[time - 1][other]));
            add(sink, &clause);
        }
    }

    /// The plan of a model, given as the value of each variable.
    pub fn plan(&self, holds: &mut impl FnMut(Literal) -> bool) -> Plan {
        let mut plan = Plan::new();
        let mut before = self.positions(0, holds);
        for time in 1..=self.layers() {
            let after = self.positions(time, holds);
            for (mover, (&from, &to)) in self.structure.movers.iter().zip(before.iter().zip(&after)) {
                if from != to {
                    plan.push(Slide { vehicle: mover.vehicle, cells: to as i8 - from as i8 });
                }
            }
            before = after;
        }
        plan
    }

    /// Position of each mover at a time in a model.
    pub fn positions(&self, time: usize, holds: &mut impl FnMut(Literal) -> bool) -> Vec<u8> {
        let position = |mover: usize| {
            let Mover { first, last, start, .. } = self.structure.movers[mover];
            if time == 0 && self.any_start.is_none() {
                return start;
            }
            (first + 1..=last).take_while(|&k| holds(self.at_least(mover, k, time))).last().unwrap_or(first)
        };
        (0..self.structure.movers.len()).map(position).collect()
    }
}

/// Adds a clause after removing its constants.
pub(super) fn add(sink: &mut impl ClauseSink, literals: &[Literal]) {
    if literals.contains(&TRUE) {
        return;
    }
    let mut short = [0; 4];
    if let Some(clause) = short.get_mut(..literals.len()) {
        // Most clauses: without an allocation.
        let mut length = 0;
        for &literal in literals.iter().filter(|&&literal| literal != -TRUE) {
            clause[length] = literal;
            length += 1;
        }
        sink.add_clause(&clause[..length]);
    } else {
        let clause: Vec<Literal> = literals.iter().copied().filter(|&literal| literal != -TRUE).collect();
        sink.add_clause(&clause);
    }
}

/// Whether a literal is constant: the literal or its negation always holds.
pub(super) fn constant(literal: Literal) -> Option<bool> {
    (literal.abs() == TRUE).then_some(literal == TRUE)
}
