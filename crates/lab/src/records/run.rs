//! What a run of evolution came to.

use crate::frames::{Column, Tested};
use clearway_policy::training::Verdicts;
use serde::Serialize;

/// The champion on all boards that it was bred on, or chosen on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TrainingRecord {
    /// The nodes (or the time) in per cent of those without a heuristic.
    pub percent: f64,
    /// The mean length of its solutions as a multiple of the shortest; null if it solves none.
    pub length_ratio: Option<f64>,
    /// How many boards it solves.
    pub solved: usize,
    /// How many there are.
    pub boards: usize,
}

impl From<Verdicts> for TrainingRecord {
    fn from(verdicts: Verdicts) -> TrainingRecord {
        let Verdicts { percentage, length, solved, boards } = verdicts;
        TrainingRecord { percent: percentage, length_ratio: (solved > 0).then_some(length), solved, boards }
    }
}

/// The champion on boards that no selection saw, beside other searches.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TestRecord<'a> {
    /// What the boards are called.
    pub boards: &'a str,
    /// How many of them were not reached because the test was interrupted.
    pub left_out: usize,
    /// A search each; the first is what the percentages are of. What is a mean is null if no board was reached.
    pub columns: &'a [Column],
}

impl<'a> From<&'a Tested> for TestRecord<'a> {
    fn from(tested: &'a Tested) -> TestRecord<'a> {
        TestRecord { boards: &tested.boards, left_out: tested.table.left_out, columns: &tested.table.columns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_no_solution_is_unknown() {
        let verdicts = Verdicts { percentage: 200.0, length: 1.0, solved: 0, boards: 3 };
        let json = |verdicts| serde_json::to_value(TrainingRecord::from(verdicts)).unwrap();
        assert!(json(verdicts)["length_ratio"].is_null());
        assert_eq!(json(Verdicts { solved: 1, length: 1.5, ..verdicts })["length_ratio"], 1.5);
    }
}
