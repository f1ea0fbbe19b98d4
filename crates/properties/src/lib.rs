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
pub mod tiles;

/// Fuzz target with its property.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the target, of its seed corpus and of its dictionary.
    pub name: &'static str,
    /// Panics if the property does not hold for an input.
    pub check: fn(&[u8]),
}

/// All fuzz targets.
pub const TARGETS: &[Target] = &[
    Target { name: "board_line", check: boards::line },
    Target { name: "board_grid", check: boards::grid },
    Target { name: "board_van_dijk", check: boards::van_dijk },
    Target { name: "board_it3105", check: boards::it3105 },
    Target { name: "board_course", check: boards::course },
    Target { name: "board_traffic_jam", check: boards::traffic_jam },
    Target { name: "board_json", check: boards::json },
    Target { name: "board_tsv", check: boards::tsv },
    Target { name: "board_detection", check: boards::detection },
    Target { name: "moves", check: moves::moves },
    Target { name: "heuristics", check: algorithms::heuristics },
    Target { name: "algorithms", check: algorithms::algorithms },
    Target { name: "policies", check: policies::policies },
    Target { name: "tile_boards", check: tiles::boards },
    Target { name: "tile_programs", check: tiles::programs },
    Target { name: "packs", check: packs::packs },
    Target { name: "compare_log", check: logs::compare },
    Target { name: "enumerate_log", check: logs::enumerate },
    Target { name: "checkpoints", check: checkpoints::checkpoints },
    Target { name: "climb_checkpoints", check: checkpoints::climb },
    Target { name: "settings", check: settings::settings },
    Target { name: "parts", check: parts::parts },
    Target { name: "certificates", check: certificates::certificates },
    Target { name: "requests", check: requests::requests },
    Target { name: "differential", check: differential::differential },
];
