//! Results as JSON records, the same on the command line and in the server API. Every field is documented here.

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
