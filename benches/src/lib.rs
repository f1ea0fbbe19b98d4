//! Code shared by the benches: the boards, the measurements, and the reports.

pub mod board_draft;
pub mod boards;
pub mod catalogue;
pub mod large;
pub mod measure;
pub mod random;
pub mod report;
pub mod scale;

pub use boards::list;
