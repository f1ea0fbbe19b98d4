//! What is found out about boards, as JSON records: the same on the command line and from the server. Every field is
//! documented here.

mod analysis;
mod grade;
mod moves;
mod run;
mod solve;
mod suite;
mod verify;

pub use analysis::AnalysisRecord;
pub use grade::GradeRecord;
pub use moves::Moves;
pub use run::{TestRecord, TrainingRecord};
pub use solve::SolveRecord;
pub use suite::SuiteRecord;
pub use verify::VerifyRecord;

use clearway_search::Limit;

/// The word for a limit.
pub fn limit_word(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "nodes",
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Cancelled => "interrupted",
        Limit::Incomplete => "incomplete",
    }
}
