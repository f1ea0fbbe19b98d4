//! Records of the results of evolution runs.

pub use clearway_lab::evolve::seeds::TrainingRecord;

use clearway_lab::evaluation::{Column, TestResult};
use serde::Serialize;

/// Result of the champion on one set of test boards, next to other searches.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TestRecord<'a> {
    /// Name of the set of boards.
    pub boards: &'a str,
    /// Number of boards that were not measured because the test was interrupted.
    pub left_out: usize,
    /// One entry per search; percentages are relative to the first. Means are null if no board was measured.
    pub columns: &'a [Column],
}

impl<'a> From<&'a TestResult> for TestRecord<'a> {
    fn from(tested: &'a TestResult) -> TestRecord<'a> {
        TestRecord { boards: &tested.boards, left_out: tested.table.left_out, columns: &tested.table.columns }
    }
}
