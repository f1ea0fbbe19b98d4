//! The result of a run with one of several seeds, as `result.json` in its folder stores it.

use crate::evaluation::{Column, TestResult};
use crate::evolve::{PolicyChampion, Run};
use clearway_policy::training::PolicyPerformance;
use serde::{Deserialize, Serialize};

/// Result of the champion on all training boards, or on all validation boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedResult {
    /// Random seed.
    pub seed: u64,
    /// Number of generations.
    pub generations: usize,
    /// Total time of all generations.
    pub seconds: f64,
    /// Champion on all training boards.
    pub training: Option<TrainingRecord>,
    /// Champion on the validation boards, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<TrainingRecord>,
    /// Champion on the test boards, compared with other searches.
    pub tests: Vec<SeedTest>,
}

/// Result of the champion on one set of test boards, next to other searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedTest {
    /// Name of the set of boards.
    pub boards: String,
    /// Number of boards that were not measured because the test was interrupted.
    pub left_out: usize,
    /// One entry per search; percentages are relative to the first.
    pub columns: Vec<Column>,
}

impl SeedResult {
    /// Collects the result of a finished run.
    pub fn new(run: &Run, champion: &PolicyChampion, tests: &[TestResult]) -> SeedResult {
        let test = |tested: &TestResult| SeedTest {
            boards: tested.boards.clone(),
            left_out: tested.table.left_out,
            columns: tested.table.columns.clone(),
        };
        SeedResult {
            seed: run.settings().seed(),
            generations: run.generations().len(),
            seconds: run.seconds(),
            training: champion.training.map(TrainingRecord::from),
            validation: champion.validation.map(TrainingRecord::from),
            tests: tests.iter().map(test).collect(),
        }
    }

    /// Returns the text of `result.json`: JSON with a [checksum](clearway_util::seal).
    ///
    /// # Panics
    /// Never: results are serialisable.
    pub fn to_sealed_json(&self) -> String {
        clearway_util::seal::seal(&serde_json::to_string(self).expect("results are serialisable"), "") + "\n"
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
