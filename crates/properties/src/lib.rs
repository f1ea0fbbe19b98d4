//! Properties that hold for every input, as functions of bytes that panic if a property is violated.
//!
//! The fuzz targets in `fuzz/` call these functions with generated inputs. The tests of this crate call them with the seed
//! corpora in `fuzz/seeds`, so that a violated property is detected without a fuzzer. The work of each function is bounded by the
//! length of the input, because the fuzzer limits the time and the memory of one input.

// A panic reports that a property is violated.
#![allow(clippy::missing_panics_doc)]

pub mod algorithms;
pub mod boards;
pub mod certificates;
pub mod checkpoints;
pub mod differential;
pub mod logs;
pub mod moves;
pub mod packs;
pub mod parts;
pub mod policies;
pub mod requests;
pub mod settings;
mod shared;
pub mod solving_times;
pub mod tiles;

/// Fuzz target with its property.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Name of the target, of its seed corpus and of its dictionary.
    pub name: &'static str,
    /// Panics if the property does not hold for an input.
    pub check: fn(&[u8]),
}

/// All fuzz targets.
pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "board_line", check: boards::line },
    FuzzTarget { name: "board_grid", check: boards::grid },
    FuzzTarget { name: "board_van_dijk", check: boards::van_dijk },
    FuzzTarget { name: "board_it3105", check: boards::it3105 },
    FuzzTarget { name: "board_course", check: boards::course },
    FuzzTarget { name: "board_traffic_jam", check: boards::traffic_jam },
    FuzzTarget { name: "board_json", check: boards::json },
    FuzzTarget { name: "board_tsv", check: boards::tsv },
    FuzzTarget { name: "board_detection", check: boards::detection },
    FuzzTarget { name: "moves", check: moves::moves },
    FuzzTarget { name: "plans", check: moves::plans },
    FuzzTarget { name: "heuristics", check: algorithms::heuristics },
    FuzzTarget { name: "algorithms", check: algorithms::algorithms },
    FuzzTarget { name: "policies", check: policies::policies },
    FuzzTarget { name: "tile_boards", check: tiles::boards },
    FuzzTarget { name: "tile_programs", check: tiles::programs },
    FuzzTarget { name: "packs", check: packs::packs },
    FuzzTarget { name: "compare_log", check: logs::compare },
    FuzzTarget { name: "enumerate_log", check: logs::enumerate },
    FuzzTarget { name: "repro_log", check: logs::reproductions },
    FuzzTarget { name: "run_log", check: logs::run },
    FuzzTarget { name: "seed_result", check: logs::seed_result },
    FuzzTarget { name: "checkpoints", check: checkpoints::checkpoints },
    FuzzTarget { name: "climb_checkpoints", check: checkpoints::climb },
    FuzzTarget { name: "settings", check: settings::settings },
    FuzzTarget { name: "solving_times", check: solving_times::solving_times },
    FuzzTarget { name: "parts", check: parts::parts },
    FuzzTarget { name: "certificates", check: certificates::certificates },
    FuzzTarget { name: "requests", check: requests::requests },
    FuzzTarget { name: "differential", check: differential::differential },
];
