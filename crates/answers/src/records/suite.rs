//! Record of a suite that ships with the program.

use clearway_rush::suites::Suite;
use serde::Serialize;

/// One suite, as `clearway suites --json` prints it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuiteRecord {
    /// Name of the suite.
    pub name: &'static str,
    /// Number of boards.
    pub boards: usize,
    /// Description of its boards, in one line.
    pub about: &'static str,
}

impl SuiteRecord {
    /// Creates the record of a suite.
    pub fn new(suite: &Suite) -> SuiteRecord {
        SuiteRecord { name: suite.name, boards: suite.boards, about: suite.about }
    }
}
