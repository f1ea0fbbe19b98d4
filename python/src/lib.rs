//! The native module of the Python package: the engine behind `import clearway`.
//!
//! - `board`: boards as Python objects; `arrays`: boards as arrays; `policy`: policies
//! - `call`: commands of the program as function calls; `solve`: the solver without the command line;
//!   `work`: long-running work that Ctrl-C stops
//! - `games`: batches of games for learning agents; `environment`: the same as a Python object; `distances`: their rewards
//! - `cluster`: the tasks of cluster jobs, and the merging of their results
//! - `times`: predicted times in words; `errors`: exceptions; `files`: locked folders, atomic writes and checksums
//!
//! Everything that is easier to write and read in Python is in `clearway/*.py`.

// PyO3 passes converted arguments by value.
#![allow(clippy::needless_pass_by_value)]

mod arrays;
mod board;
mod call;
mod cluster;
mod distances;
mod environment;
mod errors;
mod files;
mod games;
mod policy;
mod solve;
mod times;
mod work;

/// The engine of clearway.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::board::{Board, read_boards};
    #[pymodule_export]
    use crate::call::{call, program};
    #[pymodule_export]
    use crate::cluster::{Compare, ComparePart, Enumerate, Evaluator, Pack, SeedRun, distributed_evolve, prepare_run};
    #[pymodule_export]
    use crate::environment::Environment;
    #[pymodule_export]
    use crate::files::{FolderLock, seal, unseal, write_file};
    #[pymodule_export]
    use crate::policy::{describe_policy, draw_policy, explain_policy, open_policy, read_policy, shipped_policies};
    #[pymodule_export]
    use crate::solve::{size_in_bytes, solve, time_in_seconds};
    #[pymodule_export]
    use crate::times::time_in_words;

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
