//! The Python package: the engine behind `import clearway`.
//!
//! - `board`: boards as Python objects; `policy`: policies
//! - `call`: every command of the program as a function; `work`: work that Ctrl-C can stop
//! - `games`: many games at a time, for programs that learn; `environment`: the same as a Python object
//! - `cluster`: the pieces that the work of a cluster is made of
//! - `errors`: refusals become exceptions; `files`: files that survive faults
//!
//! What is easier to write, and to read, in Python is in `clearway/*.py` beside it.

// Python hands its values over.
#![allow(clippy::needless_pass_by_value)]

mod board;
mod call;
mod cluster;
mod environment;
mod errors;
mod files;
mod games;
mod policy;
mod work;

/// The engine of clearway.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::board::{Board, read_boards};
    #[pymodule_export]
    use crate::call::{call, program};
    #[pymodule_export]
    use crate::cluster::{Compare, ComparePart, Enumerate, Judge, Pack, SeedRun, lay_out, spread_evolve};
    #[pymodule_export]
    use crate::environment::Environment;
    #[pymodule_export]
    use crate::files::{FolderLock, seal, unseal, write_file};
    #[pymodule_export]
    use crate::policy::{describe_policy, draw_policy, explain_policy, open_policy, read_policy, shipped_policies};
}
