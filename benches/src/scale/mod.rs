//! What the catalogue of larger boards would cost, and how a cluster would get through it.
//!
//! - `sample`: the sizes of all tasks, and families drawn from them, searched and measured; `table`: the file of it
//! - `estimate`: what all tasks cost, with intervals, and how unevenly the work is spread
//! - `schedule`: how long shards of tasks take on many cores that fail now and then; `chart`: a picture of it

pub mod chart;
pub mod estimate;
pub mod sample;
pub mod schedule;
pub mod table;
