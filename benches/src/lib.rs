//! What the benches share: the boards they run on, how they measure, and how they report.

pub mod boards;
pub mod catalogue;
pub mod layout;
pub mod measure;
pub mod random;
pub mod report;
pub mod scale;

pub use boards::list;
