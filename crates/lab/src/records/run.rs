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
    /// The mean length of its solutions as a multiple of the shortest.
    pub length_ratio: f64,
    /// How many boards it solves.
    pub solved: usize,
    /// How many there are.
    pub boards: usize,
}

impl From<Verdicts> for TrainingRecord {
    fn from(verdicts: Verdicts) -> TrainingRecord {
        let Verdicts { percentage, length, solved, boards } = verdicts;
        TrainingRecord { percent: percentage, length_ratio: length, solved, boards }
    }
}

/// The champion on boards that no selection saw, beside other searches.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TestRecord<'a> {
    /// What the boards are called.
    pub boards: &'a str,
    /// A search each; the first is what the percentages are of.
    pub columns: &'a [Column],
}

impl<'a> From<&'a Tested> for TestRecord<'a> {
    fn from(tested: &'a Tested) -> TestRecord<'a> {
        TestRecord { boards: &tested.boards, columns: &tested.table.columns }
    }
}
