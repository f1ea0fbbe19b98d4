//! Estimates the cost of the catalogue of larger boards, and simulates its enumeration on a cluster.
//!
//! - `sample`: the sizes of all tasks, and measurements of sampled families; `table`: the file of a sample
//! - `estimate`: the cost of all tasks, with confidence intervals, and the distribution of the work
//! - `schedule`: simulation of shards on many cores that may fail; `chart`: a picture of it

pub mod chart;
pub mod estimate;
pub mod sample;
pub mod schedule;
pub mod table;
