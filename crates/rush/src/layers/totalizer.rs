//! Counting: output k holds if at least k inputs hold.
//!
//! The inputs are counted vehicle by vehicle and then over all vehicles, so that what the solver learns can be about "this
//! vehicle moves at least twice", whenever that is. In steps, the inputs of a vehicle are counted boundary by boundary first:
//! "this vehicle gets past this boundary at least twice".

use super::budget::SatBudget;
use super::encoding::{ClauseSink, Encoding, Literal};
use clearway_search::Limit;

/// Unary counter over the cost of all slides.
#[derive(Clone, Debug)]
pub(super) struct Totalizer {
    /// `outputs[k]` holds if the cost is at least k + 1.
    outputs: Vec<Literal>,
}

impl Totalizer {
    /// Counts the cost of a plan up to `most`. Ends with the limit that is reached, if any.
    pub fn new(
        encoding: &mut Encoding,
        most: usize,
        sink: &mut impl ClauseSink,
        budget: &SatBudget,
    ) -> Result<Totalizer, Limit> {
        let movers = encoding.structure().movers.len();
        let mut counts: Vec<Vec<Literal>> = Vec::new();
        for mover in 0..movers {
            let mut of_mover: Vec<Vec<Literal>> = Vec::new();
            for kind in 0..encoding.kinds_of_cost(mover) {
                let inputs = (0..encoding.layers()).map(|layer| vec![encoding.costs(mover, layer)[kind]]);
                let inputs = inputs.collect();
                of_mover.push(merge_all(encoding, inputs, most, sink, budget)?);
            }
            counts.push(merge_all(encoding, of_mover, most, sink, budget)?);
        }
        Ok(Totalizer { outputs: merge_all(encoding, counts, most, sink, budget)? })
    }

    /// Literal that holds if the cost exceeds a number; `None` if it cannot.
    pub fn exceeds(&self, cost: usize) -> Option<Literal> {
        self.outputs.get(cost).copied()
    }
}

/// Merges counts as a balanced tree.
fn merge_all(
    encoding: &mut Encoding,
    mut counts: Vec<Vec<Literal>>,
    most: usize,
    sink: &mut impl ClauseSink,
    budget: &SatBudget,
) -> Result<Vec<Literal>, Limit> {
    while counts.len() > 1 {
        let mut merged = Vec::new();
        let mut pairs = counts.into_iter();
        while let Some(one) = pairs.next() {
            budget.check(sink.memory_usage())?;
            merged.push(match pairs.next() {
                Some(other) => merge(encoding, &one, &other, most, sink),
                None => one,
            });
        }
        counts = merged;
    }
    Ok(counts.pop().unwrap_or_default())
}

fn merge(
    encoding: &mut Encoding,
    one: &[Literal],
    other: &[Literal],
    most: usize,
    sink: &mut impl ClauseSink,
) -> Vec<Literal> {
    let outputs: Vec<Literal> = (0..(one.len() + other.len()).min(most)).map(|_| encoding.new_variable()).collect();
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            // Of more than `most`, some of the inputs make `most`.
            let Some(&output) = (i + j).checked_sub(1).and_then(|count| outputs.get(count)) else { continue };
            match (i.checked_sub(1).map(|i| one[i]), j.checked_sub(1).map(|j| other[j])) {
                (Some(one), Some(other)) => sink.add_clause(&[-one, -other, output]),
                (Some(input), None) | (None, Some(input)) => sink.add_clause(&[-input, output]),
                (None, None) => {}
            }
        }
    }
    // A count of k + 1 is a count of k.
    for pair in outputs.windows(2) {
        sink.add_clause(&[-pair[1], pair[0]]);
    }
    outputs
}
