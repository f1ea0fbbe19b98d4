//! JSON: one object per line. What the server answers with too stands in [`clearway_lab::records`]; here are the records
//! of the command line alone.

use clearway_lab::records::Moves;
use serde::Serialize;

/// A picture of one board, as `clearway show --json` prints it.
#[derive(Serialize)]
pub struct ShowRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// Its picture, without colours; with `--strip` those of all boards of the solution.
    pub pictures: Vec<String>,
    /// Only with `--strip`: the moves between the pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Moves<'a>>,
}

/// The result of `clearway bench --json`.
#[derive(Serialize)]
pub struct BenchRecord {
    /// The number of boards solved; a board in two metrics counts twice.
    pub boards: usize,
    /// The sum of the states expanded on all boards: the same on every machine and for any number of threads.
    pub signature: u64,
    /// The sum of the successors made.
    pub generated: u64,
    /// The sum of the states expanded by each algorithm of the laboratory on a set of its own, and over all of them.
    pub algorithms: Vec<AlgorithmSignature>,
    /// The number of threads.
    pub threads: usize,
    /// Wall-clock time of the whole run.
    pub seconds: f64,
    /// States expanded per second of that time.
    pub nodes_per_second: f64,
}

/// The signature of one algorithm of the laboratory.
#[derive(Serialize)]
pub struct AlgorithmSignature {
    /// The algorithm; `all` for the sum.
    pub algorithm: String,
    /// The boards it solved.
    pub solved: usize,
    /// The sum of the states expanded, solved or not.
    pub signature: u64,
    /// The sum of the times of its searches.
    pub seconds: f64,
}

/// A record as a line of text.
pub fn line(record: &impl Serialize) -> String {
    // A record holds nothing that JSON cannot express: no map with keys that are not strings, no failing serialiser.
    let mut text = serde_json::to_string(record).expect("records are always serialisable");
    text.push('\n');
    text
}
