//! The suites that come with the program.

use clearway_rush::suites::Suite;
use serde::Serialize;

/// One suite, as `clearway suites --json` prints it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuiteRecord {
    /// Its name.
    pub name: &'static str,
    /// The number of its boards.
    pub boards: usize,
    /// What it is.
    pub about: &'static str,
}

impl SuiteRecord {
    /// The record of a suite.
    pub fn new(suite: &Suite) -> SuiteRecord {
        SuiteRecord { name: suite.name, boards: suite.puzzles().len(), about: suite.about }
    }
}
