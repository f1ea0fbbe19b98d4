//! Files that survive faults: a killed process, a full disk, a changed byte, a second process.
//!
//! - `atomic`: files that appear whole or not at all
//! - `lock`: one process per folder or file; the lock vanishes with the process
//! - `seal`: a checksum at the end of a JSON object
//! - `log`: a log of sealed lines that work resumes from

pub mod atomic;
pub mod lock;
pub mod log;
pub mod seal;
