//! The second encoder: the clauses of a claim, derived from the rules of the puzzle and named by their meaning.
//!
//! It shares no code with the encoder that wrote the formula. The chapter on proving explains why every board with a plan
//! within the bound satisfies these clauses.

use crate::CheckError;
use crate::meaning::Meaning;
use crate::places::{Place, places};
use clearway_rush::{Board, Metric, Orientation};

/// A literal, or a fact that needs no variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    Fact(bool),
    Is(Meaning),
    Not(Meaning),
}

impl std::ops::Not for Term {
    type Output = Term;

    fn not(self) -> Term {
        match self {
            Term::Fact(holds) => Term::Fact(!holds),
            Term::Is(meaning) => Term::Not(meaning),
            Term::Not(meaning) => Term::Is(meaning),
        }
    }
}

/// Receives the clauses, which contain no facts.
pub(crate) trait Receiver {
    fn receive(&mut self, clause: &[Term]) -> Result<(), CheckError>;
}

/// The claim that no plan of at most `bound` moves or steps exists.
pub(crate) struct Rules<'a> {
    board: &'a Board,
    metric: Metric,
    bound: u32,
    places: Vec<Place>,
    /// The places of the vehicles that can move, as indices.
    movers: Vec<usize>,
}

/// A count: variables that hold if at least 1, 2, ... of the costs from `first` to `last` apply.
struct Count {
    first: usize,
    last: usize,
    outputs: Vec<Meaning>,
}

impl<'a> Rules<'a> {
    pub fn new(board: &'a Board, metric: Metric, bound: u32) -> Rules<'a> {
        let places = places(board);
        let movers = (0..places.len()).filter(|&index| places[index].can_move()).collect();
        Rules { board, metric, bound, places, movers }
    }

    /// Passes all clauses to a receiver, until it fails.
    pub fn write(&self, out: &mut impl Receiver) -> Result<(), CheckError> {
        for layer in 1..=self.bound {
            self.write_slides(layer, out)?;
            self.write_cells(layer, out)?;
            self.write_lines(layer, out)?;
            if layer > 1 {
                self.write_normal_form(layer, out)?;
            }
        }
        self.write_bound(out)?;
        self.write_goal(out)
    }

    fn label(&self, index: usize) -> char {
        self.places[index].vehicle.label
    }

    /// The vehicle stands at the position or beyond at a time.
    fn at(&self, index: usize, position: u8, time: u32) -> Term {
        let Place { vehicle, first, last } = self.places[index];
        match time {
            _ if position <= first => Term::Fact(true),
            _ if position > last => Term::Fact(false),
            0 => Term::Fact(vehicle.position() >= position),
            _ => Term::Is(Meaning::Position { vehicle: vehicle.label, position, time }),
        }
    }

    fn moved(&self, index: usize, layer: u32) -> Term {
        Term::Is(Meaning::Moved { vehicle: self.label(index), layer })
    }

    /// Positions are ordered, and a change of position is a slide. Steps count the boundaries that it leads over.
    fn write_slides(&self, layer: u32, out: &mut impl Receiver) -> Result<(), CheckError> {
        for &index in &self.movers {
            let Place { vehicle, first, last } = self.places[index];
            for position in first + 1..=last {
                let (before, after) = (self.at(index, position, layer - 1), self.at(index, position, layer));
                // Beyond a position is beyond the one before.
                give(out, &[!after, self.at(index, position - 1, layer)])?;
                let moved = self.moved(index, layer);
                let change = match self.metric {
                    Metric::Moves => moved,
                    Metric::Steps => Term::Is(Meaning::Crossed { vehicle: vehicle.label, position, layer }),
                };
                if change != moved {
                    give(out, &[!change, moved])?;
                }
                give(out, &[!before, after, change])?;
                give(out, &[before, !after, change])?;
            }
            if self.metric == Metric::Steps {
                // A slide leads over a boundary.
                let crossed = |position| Term::Is(Meaning::Crossed { vehicle: vehicle.label, position, layer });
                let clause: Vec<Term> =
                    [!self.moved(index, layer)].into_iter().chain((first + 1..=last).map(crossed)).collect();
                give(out, &clause)?;
            }
        }
        Ok(())
    }

    /// No cell is touched by a horizontal and a vertical vehicle in the same layer.
    fn write_cells(&self, layer: u32, out: &mut impl Receiver) -> Result<(), CheckError> {
        for (cell, horizontal, vertical) in self.shared_cells() {
            let touches = |index: usize| Term::Is(Meaning::Touches { vehicle: self.label(index), cell, layer });
            for &index in horizontal.iter().chain(&vertical) {
                let place = &self.places[index];
                let along = place.along(cell).unwrap_or_default();
                // Its first position on the cell, and the first one beyond.
                let (on, beyond) = ((along + 1).saturating_sub(place.vehicle.length), along + 1);
                for one in [layer - 1, layer] {
                    for other in [layer - 1, layer] {
                        give(out, &[!self.at(index, on, one), self.at(index, beyond, other), touches(index)])?;
                    }
                }
            }
            for &one in &horizontal {
                for &other in &vertical {
                    give(out, &[!touches(one), !touches(other)])?;
                }
            }
        }
        Ok(())
    }

    /// The cells that both a horizontal and a vertical vehicle can cover, with these vehicles.
    fn shared_cells(&self) -> impl Iterator<Item = ((u8, u8), Vec<usize>, Vec<usize>)> {
        let (width, height) = (self.board.width(), self.board.height());
        let cells = (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
        cells.filter_map(|cell| {
            let covering = |orientation: Orientation| -> Vec<usize> {
                let of_orientation = |&index: &usize| self.places[index].vehicle.orientation == orientation;
                let movers = self.movers.iter().copied().filter(of_orientation);
                movers.filter(|&index| self.places[index].can_cover(cell)).collect()
            };
            let (horizontal, vertical) = (covering(Orientation::Horizontal), covering(Orientation::Vertical));
            (!horizontal.is_empty() && !vertical.is_empty()).then_some((cell, horizontal, vertical))
        })
    }

    /// Pairs of vehicles of a line that follow each other and can ever meet.
    fn followers(&self) -> Vec<(usize, usize)> {
        let position = |index: usize| self.places[index].vehicle.position();
        let next = |one: usize| {
            let behind =
                self.movers.iter().copied().filter(|&other| {
                    self.places[one].shares_line(&self.places[other]) && position(other) > position(one)
                });
            behind.min_by_key(|&other| position(other)).map(|other| (one, other))
        };
        let can_meet = |&(one, other): &(usize, usize)| {
            self.places[one].last + self.places[one].vehicle.length > self.places[other].first
        };
        self.movers.iter().filter_map(|&one| next(one)).filter(can_meet).collect()
    }

    /// A vehicle is before the next one of its line: at the end of the layer, and each at either end of it.
    fn write_lines(&self, layer: u32, out: &mut impl Receiver) -> Result<(), CheckError> {
        for (one, other) in self.followers() {
            let Place { vehicle, first, last } = self.places[one];
            for position in first..=last {
                for (time, other_time) in [(layer, layer), (layer - 1, layer), (layer, layer - 1)] {
                    let room = self.at(other, position + vehicle.length, other_time);
                    give(out, &[!self.at(one, position, time), room])?;
                }
            }
        }
        Ok(())
    }

    /// A vehicle that slides did not slide in the layer before, but one of its neighbours did.
    fn write_normal_form(&self, layer: u32, out: &mut impl Receiver) -> Result<(), CheckError> {
        let (cells, followers): (Vec<_>, _) = (self.shared_cells().collect(), self.followers());
        for &index in &self.movers {
            let moved = self.moved(index, layer);
            give(out, &[!moved, !self.moved(index, layer - 1)])?;
            let crosses = |other: usize| {
                cells.iter().any(|(_, horizontal, vertical)| {
                    let both = |one: &[usize], two: &[usize]| one.contains(&index) && two.contains(&other);
                    both(horizontal, vertical) || both(vertical, horizontal)
                })
            };
            let meets = |other: usize| followers.contains(&(index, other)) || followers.contains(&(other, index));
            let neighbours = self.movers.iter().copied().filter(|&other| crosses(other) || meets(other));
            let clause: Vec<Term> =
                [!moved].into_iter().chain(neighbours.map(|other| self.moved(other, layer - 1))).collect();
            give(out, &clause)?;
        }
        Ok(())
    }

    /// The target stands at the exit in the end.
    fn write_goal(&self, out: &mut impl Receiver) -> Result<(), CheckError> {
        // Vehicle 0 of a board is the one that has to leave.
        let goal = self.board.goal_position();
        give(out, &[self.at(0, goal, self.bound)])?;
        give(out, &[!self.at(0, goal + 1, self.bound)])
    }

    /// The costs of all slides are at most the bound.
    fn write_bound(&self, out: &mut impl Receiver) -> Result<(), CheckError> {
        let mut totals = Vec::new();
        for (place, &index) in self.movers.iter().enumerate() {
            let vehicle = self.label(index);
            let name = |first: usize, last: usize, count: u32| Meaning::Count {
                vehicle,
                first: first as u32,
                last: last as u32,
                count,
            };
            // In steps, the crossings of each boundary are added up first.
            let mut sums = Vec::new();
            let mut number = 1;
            for costs in self.costs(index) {
                let first = number;
                number += costs.len();
                let leaf = |(at, cost): (usize, Meaning)| Count { first: at, last: at, outputs: vec![cost] };
                let leaves = (first..).zip(costs).map(leaf).collect();
                sums.push(Count { first, last: number - 1, outputs: self.add_up(leaves, name, out)? });
            }
            let outputs = self.add_up(sums, name, out)?;
            totals.push(Count { first: place, last: place, outputs });
        }
        let name = |first: usize, last: usize, count: u32| {
            let label = |place: usize| self.label(self.movers[place]);
            Meaning::Total { first: label(first), last: label(last), count }
        };
        let total = self.add_up(totals, name, out)?;
        match total.get(self.bound as usize) {
            Some(&exceeds) => give(out, &[Term::Not(exceeds)]),
            None => Ok(()),
        }
    }

    /// The possible costs of a vehicle: its slides, or for each boundary the slides that lead over it.
    fn costs(&self, index: usize) -> Vec<Vec<Meaning>> {
        let Place { vehicle, first, last } = self.places[index];
        let vehicle = vehicle.label;
        let layers = 1..=self.bound;
        match self.metric {
            Metric::Moves => vec![layers.map(|layer| Meaning::Moved { vehicle, layer }).collect()],
            Metric::Steps => {
                let crossings =
                    |position| layers.clone().map(move |layer| Meaning::Crossed { vehicle, position, layer }).collect();
                (first + 1..=last).map(crossings).collect()
            }
        }
    }

    /// Adds up counts in pairs, then the results in pairs, and so on. Counts end one above the bound.
    fn add_up(
        &self,
        mut counts: Vec<Count>,
        name: impl Fn(usize, usize, u32) -> Meaning,
        out: &mut impl Receiver,
    ) -> Result<Vec<Meaning>, CheckError> {
        while counts.len() > 1 {
            let mut sums = Vec::with_capacity(counts.len().div_ceil(2));
            let mut rest = counts.into_iter();
            while let Some(one) = rest.next() {
                let Some(other) = rest.next() else {
                    sums.push(one);
                    break;
                };
                let most = (one.outputs.len() + other.outputs.len()).min(self.bound as usize + 1);
                let outputs: Vec<Meaning> = (1..=most as u32).map(|k| name(one.first, other.last, k)).collect();
                write_sum(&one.outputs, &other.outputs, &outputs, out)?;
                sums.push(Count { first: one.first, last: other.last, outputs });
            }
            counts = sums;
        }
        Ok(counts.pop().map(|count| count.outputs).unwrap_or_default())
    }
}

/// At least i of one and at least j of the other are at least i + j together, as far as the sum counts.
fn write_sum(one: &[Meaning], other: &[Meaning], sum: &[Meaning], out: &mut impl Receiver) -> Result<(), CheckError> {
    for (k, &output) in (1..).zip(sum) {
        for i in k - k.min(other.len())..=k.min(one.len()) {
            let j = k - i;
            let at_least = |count: &[Meaning], n: usize| match n {
                0 => Term::Fact(true),
                n => Term::Is(count[n - 1]),
            };
            give(out, &[!at_least(one, i), !at_least(other, j), Term::Is(output)])?;
        }
        if k > 1 {
            give(out, &[Term::Not(output), Term::Is(sum[k - 2])])?;
        }
    }
    Ok(())
}

/// Passes a clause on without its facts, unless one of them makes it true.
fn give(out: &mut impl Receiver, clause: &[Term]) -> Result<(), CheckError> {
    if clause.contains(&Term::Fact(true)) {
        return Ok(());
    }
    let open: Vec<Term> = clause.iter().copied().filter(|&term| term != Term::Fact(false)).collect();
    out.receive(&open)
}
