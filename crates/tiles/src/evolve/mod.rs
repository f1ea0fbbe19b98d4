//! Breeding programs: what a run depends on, and how programs are judged.

mod breeding;
mod champion;
mod config;
mod learning;

pub use breeding::{Breeding, Memory, OtherConfig};
pub use champion::Exam;
pub use config::{Config, Experiment, Learning};
