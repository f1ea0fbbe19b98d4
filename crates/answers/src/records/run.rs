//! Records of the results of evolution runs.

use clearway_lab::evaluation::{Column, TestResult};
use clearway_policy::training::PolicyPerformance;
use serde::Serialize;

/// Result of the champion on all training boards, or on all validation boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TrainingRecord {
    /// Nodes (or time) as a percentage of those without a heuristic.
    pub percent: f64,
    /// Mean solution length divided by the optimum; null if no board is solved.
    pub length_ratio: Option<f64>,
    /// Number of boards solved.
    pub solved: usize,
    /// Number of boards.
    pub boards: usize,
}

impl From<PolicyPerformance> for TrainingRecord {
    fn from(verdicts: PolicyPerformance) -> TrainingRecord {
        let PolicyPerformance { percentage, length, solved, boards } = verdicts;
        TrainingRecord { percent: percentage, length_ratio: (solved > 0).then_some(length), solved, boards }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_ratio_is_null_without_a_solution() {
        let verdicts = PolicyPerformance { percentage: 200.0, length: 1.0, solved: 0, boards: 3 };
        let json = |verdicts| serde_json::to_value(TrainingRecord::from(verdicts)).unwrap();
        assert!(json(verdicts)["length_ratio"].is_null());
        assert_eq!(json(PolicyPerformance { solved: 1, length: 1.5, ..verdicts })["length_ratio"], 1.5);
    }
}
